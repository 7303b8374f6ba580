// SPDX-License-Identifier: Apache-2.0
//
// Extended position-based dynamics (Macklin, Müller, Chentanez 2016, "XPBD"; with substeps as in
// Macklin et al. 2019, "Small steps in physics simulation"). Vertices move freely, then each
// constraint in turn moves its vertices along its gradient until C + α̃ λ = 0, where α̃ is its
// compliance over h². A viscous material also resists the rate of C, by a term γ (C - C₀), γ = τ /
// h, where τ is its retardation time (equation 26 of the first paper for damping τ k). The
// multiplier λ adds up over the sweeps of a substep, so that the result does not depend on how many
// there are once they have converged. The number of sweeps is fixed, so duals differentiate the
// solver by running it.
#pragma once

#include <corten/core/enums.hpp>
#include <corten/math/field.hpp>
#include <corten/math/vector.hpp>
#include <corten/soft/kinds.hpp>

namespace corten {

namespace detail {

// Moves the vertices of one constraint, and its multiplier. x, x0 and w are fields of positions now
// and at the start of the substep, and of inverse masses.
template <class Kind, class S, class X, class W>
CORTEN_FN void project(const int (&vert)[static_cast<std::size_t>(Kind::vertices)], const S& rest,
                       const S& compliance, const S& viscosity, S& lambda, const X& x, const X& x0,
                       const W& w) {
  constexpr int n = Kind::vertices;
  Vec3<S> at[static_cast<std::size_t>(n)], g[static_cast<std::size_t>(n)];
  S weight = S(0), moved = S(0);
  for (int i = 0; i < n; ++i) at[i] = vec3<S>(x, vert[i]);
  const S c = soft_difference<Kind>(soft_gradient<Kind, S>(at, g), rest);
  for (int i = 0; i < n; ++i) {
    weight += w[vert[i]] * g[i].squaredNorm();
    moved += g[i].dot(Vec3<S>(at[i] - vec3<S>(x0, vert[i])));
  }
  weight = weight * (S(1) + viscosity) + compliance;
  if (!(value(weight) > value_t<S>(min_value))) return;
  const S change = -(c + compliance * lambda + viscosity * moved) / weight;
  lambda += change;
  for (int i = 0; i < n; ++i) store(x, vert[i], Vec3<S>(at[i] + g[i] * (w[vert[i]] * change)));
}

// one sweep over the constraints of a soft body
template <class M, class D, class S>
CORTEN_FN void sweep(const M& m, const D& d, int soft, const S& h) {
  const int first = m.soft_conadr[soft], end = first + m.soft_connum[soft];
  const S scale = S(1) / (S(m.soft_young[soft]) * h * h);
  const S viscosity = S(m.soft_viscosity[soft]) / h;
  for (int c = first; c < end; ++c) {
    M::Policies::Softs::visit(m.softcon_type[c], [&](auto kind) {
      using Kind = decltype(kind);
      int vert[static_cast<std::size_t>(Kind::vertices)];
      for (int i = 0; i < Kind::vertices; ++i) vert[i] = m.softcon_vert[4 * c + i];
      project<Kind>(vert, S(m.softcon_rest[c]), S(S(m.softcon_factor[c]) * scale), viscosity,
                    d.soft_lambda[c], d.soft_x, d.soft_x0, d.soft_w);
    });
  }
}

// Free motion for a time h: gravity, applied forces and damping change the velocities of vertices
// with mass; pinned ones keep the velocity that the user has given them.
template <class M, class D, class S>
CORTEN_FN void predict(const M& m, const D& d, int soft, const S& h) {
  const int first = m.soft_vertadr[soft], end = first + m.soft_vertnum[soft];
  const S keep = S(1) / (S(1) + h * S(m.soft_damping[soft]));
  Vec3<S> gravity = Vec3<S>::Zero();
  if (!m.opt.disabled(disable_gravity)) {
    for (int k = 0; k < 3; ++k) gravity[k] = S(m.opt.gravity[k]);
  }
  for (int v = first; v < end; ++v) {
    const Vec3<S> x = vec3<S>(d.soft_x, v);
    Vec3<S> velocity = vec3<S>(d.soft_v, v);
    if (value(d.soft_w[v]) > 0) {
      velocity = velocity * keep + (gravity + vec3<S>(d.soft_force, v) * d.soft_w[v]) * h;
    }
    store(d.soft_x0, v, x);
    store(d.soft_x, v, Vec3<S>(x + velocity * h));
  }
}

// velocities from the positions before and after a substep
template <class M, class D, class S>
CORTEN_FN void update_velocities(const M& m, const D& d, int soft, const S& h) {
  const int first = 3 * m.soft_vertadr[soft], end = first + 3 * m.soft_vertnum[soft];
  const S rate = S(1) / h;
  for (int i = first; i < end; ++i) d.soft_v[i] = (d.soft_x[i] - d.soft_x0[i]) * rate;
}

// positions, velocities and inverse masses with which a step starts
template <class M, class D>
CORTEN_FN void start_soft(const M& m, const D& d, int soft) {
  using S = typename D::Scalar;
  const int first = m.soft_vertadr[soft], count = m.soft_vertnum[soft];
  copy(d.soft_x.from(3 * first), d.soft_pos.from(3 * first), 3 * count);
  copy(d.soft_v.from(3 * first), d.soft_vel.from(3 * first), 3 * count);
  for (int v = first; v < first + count; ++v) {
    const bool pinned = (d.soft_flags[v] & soft_pinned) != 0;
    d.soft_w[v] = pinned ? S(0) : S(S(1) / (S(m.soft_density[soft]) * S(m.softvert_volume[v])));
  }
}

}  // namespace detail

}  // namespace corten
