// SPDX-License-Identifier: Apache-2.0
//
// The cost of an elliptic friction cone. The residuals x of a contact's rows are scaled to
// U = (μ x_0, μ_1 x_1, …); with N = U_0 and T = |U_1 …| the cost has three zones:
//
//   satisfied   N ≥ μ T          zero: the point lies in the dual cone
//   quadratic   μ N + T ≤ 0      Σ ½ D_k x_k²: the point lies in the mirror image of the cone
//   cone        between them     ½ D_0 / (μ² (1 + μ²)) (N - μ T)²
//
// The gradient is continuous across the zones. See MuJoCo documentation, Computation, "Friction
// cones". These functions depend on the scalar only, so the solvers (values) and implicit_diff.hpp
// (derivatives) share them.
#pragma once

#include <corten/core/enums.hpp>
#include <corten/math/field.hpp>

#include <type_traits>

namespace corten {

// factor[0] is μ of the regularised cone; the friction coefficients of the other directions follow
template <class S>
struct ConeScale {
  int dim;
  Vec<S, 6> factor;

  CORTEN_FN const S& mu() const { return factor[0]; }
};

template <class S>
struct ConePoint {
  Vec<S, 6> U;
  S N, T;
};

template <class S>
CORTEN_FN ConePoint<S> cone_point(const ConeScale<S>& c, const Vec<S, 6>& x) {
  ConePoint<S> at;
  S sum = S(0);
  at.U = Vec<S, 6>::Zero();
  for (int k = 0; k < c.dim; ++k) {
    at.U[k] = c.factor[k] * x[k];
    if (k > 0) sum += at.U[k] * at.U[k];
  }
  at.N = at.U[0];
  at.T = safe_sqrt(sum);
  return at;
}

// the zone that contains the point: satisfied, quadratic or cone
template <class V>
CORTEN_FN ConstraintState zone_of(const V& mu, const V& N, const V& T) {
  if (N >= mu * T || (T <= 0 && N >= 0)) return ConstraintState::satisfied;
  if (mu * N + T <= 0 || (T <= 0 && N < 0)) return ConstraintState::quadratic;
  return ConstraintState::cone;
}
template <class S>
CORTEN_FN ConstraintState cone_zone(const ConeScale<S>& c, const ConePoint<S>& at) {
  return zone_of(value(c.mu()), value(at.N), value(at.T));
}

// D_0 / (μ² (1 + μ²))
template <class S>
CORTEN_FN S stiffness_of(const S& mu, const S& D0) {
  const S mu2 = mu * mu;
  return D0 / (mu2 * (S(1) + mu2));
}
template <class S>
CORTEN_FN S cone_stiffness(const ConeScale<S>& c, const S& D0) {
  return stiffness_of(c.mu(), D0);
}

template <class S>
CORTEN_FN S cone_cost(const ConeScale<S>& c, const ConePoint<S>& at, ConstraintState zone,
                      const Vec<S, 6>& x, const Vec<S, 6>& D) {
  S sum = S(0);
  if (zone == ConstraintState::quadratic) {
    for (int k = 0; k < c.dim; ++k) sum += S(0.5) * D[k] * x[k] * x[k];
  } else if (zone == ConstraintState::cone) {
    const S gap = at.N - c.mu() * at.T;
    sum = S(0.5) * cone_stiffness(c, D[0]) * gap * gap;
  }
  return sum;
}

// minus the gradient of the cost with respect to x
template <class S>
CORTEN_FN Vec<S, 6> cone_force(const ConeScale<S>& c, const ConePoint<S>& at, ConstraintState zone,
                               const Vec<S, 6>& x, const Vec<S, 6>& D) {
  Vec<S, 6> f = Vec<S, 6>::Zero();
  if (zone == ConstraintState::quadratic) {
    for (int k = 0; k < c.dim; ++k) f[k] = -D[k] * x[k];
  } else if (zone == ConstraintState::cone) {
    f[0] = -cone_stiffness(c, D[0]) * (at.N - c.mu() * at.T) * c.mu();
    for (int k = 1; k < c.dim; ++k) f[k] = -f[0] / at.T * at.U[k] * c.factor[k];
  }
  return f;
}

// Entry (i, k) of the Hessian of the cost with respect to x, in the `cone` zone. With g = N - μ T
// the Hessian is D_0 / (μ² (1 + μ²)) (∇g ∇g' + g ∇²g).
template <class S>
CORTEN_FN S cone_curvature(const ConeScale<S>& c, const ConePoint<S>& at, const S& stiffness, int i,
                           int k) {
  const S mu = c.mu();
  const auto slope = [&](int n) { return n == 0 ? mu : S(-mu * at.U[n] * c.factor[n] / at.T); };
  S bend = S(0);
  if (i > 0 && k > 0) {
    bend = at.U[i] * at.U[k] / (at.T * at.T);
    if (i == k) bend -= S(1);
    bend *= mu * c.factor[i] * c.factor[k] / at.T;
  }
  return stiffness * (slope(i) * slope(k) + (at.N - mu * at.T) * bend);
}

// ---- cones of a problem -------------------------------------------------------------------------

// number of rows of the elliptic cone that starts at row r, or 0 if the row stands alone
template <class P>
CORTEN_FN int cone_dim(const P& p, int r) {
  if (!p.elliptic || p.type[r] != static_cast<int>(ConstraintType::contact_elliptic)) return 0;
  return p.dim[p.id[r]];
}

// Calls f with a constant that stands for the number of rows of a cone, or with 0 if it is not the
// usual three. Loops of known length stay in registers: CG on elliptic cones takes a quarter less.
template <class F>
CORTEN_FN auto with_known_dim(int dim, F&& f) {
  if (dim == 3) return f(std::integral_constant<int, 3>{});
  return f(std::integral_constant<int, 0>{});
}

// the cone of contact c, from the μ and the friction of all contacts
template <class F>
CORTEN_FN auto contact_cone(const F& mu, const F& friction, int c, int dim) {
  using S = std::remove_cvref_t<decltype(mu[0])>;
  ConeScale<S> out{dim, Vec<S, 6>::Zero()};
  out.factor[0] = mu[c];
  for (int k = 1; k < dim; ++k) out.factor[k] = friction[5 * c + k - 1];
  return out;
}

template <class P>
CORTEN_FN auto cone_scale(const P& p, int r, int dim) {
  return contact_cone(p.mu, p.friction, p.id[r], dim);
}

// entries r … r + dim of a per-row field
template <class S, class F>
CORTEN_FN Vec<S, 6> cone_rows(const F& f, int r, int dim) {
  Vec<S, 6> out = Vec<S, 6>::Zero();
  for (int k = 0; k < dim; ++k) out[k] = f[r + k];
  return out;
}

}  // namespace corten
