// SPDX-License-Identifier: Apache-2.0
//
// Derivatives through the converged solver, by the implicit function theorem. At the solution the gradient
// g(a, θ) = M a - qfrc_smooth - J' f(J a - aref) vanishes; so da/dθ = -H⁻¹ ∂g/∂θ with H = ∂g/∂a, the
// Hessian on the pieces where the rows ended. Evaluating g in dual numbers at the constant a gives ∂g/∂θ,
// and H is the matrix that Newton's method factors. No iteration is differentiated.
#pragma once

#include <corten/solver/newton.hpp>
#include <corten/stage/factor.hpp>

namespace corten {

namespace detail {

// force of row r at residual x, on the piece where the row ended
template <class D, class S>
CORTEN_FN S piece_force(const D& d, int r, const S& x) {
  const auto state = static_cast<ConstraintState>(d.efc_state[r]);
  if (state == ConstraintState::quadratic) return -d.efc_D[r] * x;
  if (state == ConstraintState::linear_negative) return d.efc_frictionloss[r];
  if (state == ConstraintState::linear_positive) return -d.efc_frictionloss[r];
  return S(0);
}

// forces of a cone at the residuals in d.efc_force, in the zone where the cone ended
template <class D>
CORTEN_FN void cone_piece_force(const D& d, int r, int dim) {
  using S = typename D::Scalar;
  const int c = d.efc_id[r];
  ConeScale<S> scale{dim, Vec<S, 6>::Zero()};
  scale.factor[0] = d.contact_mu[c];
  for (int k = 1; k < dim; ++k) scale.factor[k] = d.contact_friction[5 * c + k - 1];
  const Vec<S, 6> x = cone_rows<S>(d.efc_force, r, dim), D0 = cone_rows<S>(d.efc_D, r, dim);
  const auto zone = static_cast<ConstraintState>(d.efc_state[r]);
  const Vec<S, 6> force = cone_force(scale, cone_point(scale, x), zone, x, D0);
  for (int k = 0; k < dim; ++k) d.efc_force[r + k] = force[k];
}

// efc_force and qfrc_constraint at the acceleration in d.qacc
template <class M, class D, class P>
CORTEN_FN void forces_at_qacc(const M& m, const D& d, const P& p) {
  using S = typename D::Scalar;
  const int nv = m.n.nv;
  fill(d.qfrc_constraint, nv, S(0));
  for (int r = 0; r < d.nefc;) {
    const int dim = cone_dim(p, r), count = dim > 0 ? dim : 1;
    for (int k = r; k < r + count; ++k) {
      const S x = dot(d.efc_J.from(k * nv), d.qacc, nv) - d.efc_aref[k];
      d.efc_force[k] = dim > 0 ? x : piece_force(d, k, x);
    }
    if (dim > 0) cone_piece_force(d, r, dim);
    for (int k = r; k < r + count; ++k) {
      axpy(d.efc_force[k], d.efc_J.from(k * nv), d.qfrc_constraint, nv);
    }
    r += count;
  }
}

// the tangents of x multiplied by -(L L')⁻¹, where L is in the lower triangle of `a`
template <class A, class X>
CORTEN_FN void solve_tangents(const A& a, int n, const X& x) {
  using S = std::remove_cvref_t<decltype(x[0])>;
  constexpr int N = S::tangents;
  for (int i = 0; i < n; ++i) {
    const auto row = a.from(i * n);
    S& xi = x[i];
    for (int j = 0; j < i; ++j) {
      for (int k = 0; k < N; ++k) xi.v[k] -= row[j] * x[j].v[k];
    }
    for (int k = 0; k < N; ++k) xi.v[k] /= row[i];
  }
  for (int i = n - 1; i >= 0; --i) {
    const auto row = a.from(i * n);
    const S& xi = x[i];
    for (int k = 0; k < N; ++k) x[i].v[k] /= row[i];
    for (int j = 0; j < i; ++j) {
      for (int k = 0; k < N; ++k) x[j].v[k] -= row[j] * xi.v[k];
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < N; ++k) x[i].v[k] = -x[i].v[k];
  }
}

}  // namespace detail

// d.qacc, d.efc_force and d.qfrc_constraint from the values that a solver left in p. With `factored` the
// Hessian of these values is in p too.
template <class M, class D, class T, class L, bool E>
CORTEN_FN void implicit_diff(const M& m, const D& d, const Problem<T, L, E>& p,
                             bool factored = false) {
  using S = typename D::Scalar;
  const int nv = m.n.nv;
  if (!factored) {
    residuals(p, p.qacc);
    update_rows(p);
    detail::factor_hessian(p);
  }

  // ∂g/∂θ at constant qacc
  for (int i = 0; i < nv; ++i) d.qacc[i] = S(p.qacc[i]);
  detail::forces_at_qacc(m, d, p);
  const auto g = d.work_nv;
  multiply_M(m, d, d.qacc, g);
  for (int i = 0; i < nv; ++i) g[i] -= d.qfrc_smooth[i] + d.qfrc_constraint[i];

  detail::solve_tangents(p.H, nv, g);
  for (int i = 0; i < nv; ++i) {
    for (int k = 0; k < S::tangents; ++k) d.qacc[i].v[k] = g[i].v[k];
  }
  detail::forces_at_qacc(m, d, p);
}

}  // namespace corten
