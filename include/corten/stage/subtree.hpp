// SPDX-License-Identifier: Apache-2.0
//
// Momentum of subtrees: the velocity of each subtree's centre of mass and the angular momentum
// about it. The pipeline runs this stage only for sensors that read them; to have them anyway, call
// it after forward_velocity. Writes subtree_linvel subtree_angmom. As in MuJoCo, the angular
// momentum of the world leaves out trees that sleep, also their part about its moving centre.
#pragma once

#include <corten/core/plain.hpp>
#include <corten/tree/awake.hpp>
#include <corten/tree/jacobian.hpp>

namespace corten {

namespace detail {

// angular momentum about the origin of a point mass at x that moves with v
template <class S>
CORTEN_FN Vec3<S> moment_of_momentum(const Vec3<S>& x, const Vec3<S>& v, const S& mass) {
  return cross(x, v * mass);
}

}  // namespace detail

template <class M, class D>
CORTEN_ENTRY void subtree_velocity(const M& m, const D& d) {
  using S = typename D::Scalar;

  // for each body: linear momentum, and angular momentum about its own centre of mass
  const auto own_momentum = [&](int b) {
    const Vec6<S> v = point_velocity(m, d, b, vec3<S>(d.xipos, b));
    const Mat3<S> axes = mat3<S>(d.ximat, b);
    const Vec3<S> turn = axes.transpose() * v.template head<3>();
    store(d.subtree_linvel, b, v.template tail<3>() * S(m.body_mass[b]));
    store(d.subtree_angmom, b, axes * turn.cwiseProduct(vec3<S>(m.body_inertia, b)));
  };
  own_momentum(0);
  each_run(m, d, [&](const Run& r) {
    for (int b = r.body; b < r.body_end; ++b) own_momentum(b);
  });

  // sum momenta towards the root, and divide them by the mass of the subtree for velocities
  const auto divide = [&](int b) {
    const Vec3<S> momentum = vec3<S>(d.subtree_linvel, b);
    store(d.subtree_linvel, b, momentum / max(S(min_value), S(m.body_subtreemass[b])));
  };
  each_run_back(m, d, [&](const Run& r) {
    for (int b = r.body_end - 1; b >= r.body; --b) {
      const int parent = m.body_parentid[b];
      store(d.subtree_linvel, parent,
            vec3<S>(d.subtree_linvel, parent) + vec3<S>(d.subtree_linvel, b));
      divide(b);
    }
  });
  divide(0);

  // sum angular momenta too, moved first to the centre of mass of the subtree, then to the parent's
  const auto carry = [&](int b) {
    const int parent = m.body_parentid[b];
    const Vec3<S> com = vec3<S>(d.subtree_com, b), vel = vec3<S>(d.subtree_linvel, b);
    const Vec3<S> x = vec3<S>(d.xipos, b);
    const Vec3<S> v = point_velocity(m, d, b, x).template tail<3>();
    const Vec3<S> own = vec3<S>(d.subtree_angmom, b) +
                        detail::moment_of_momentum(x - com, v - vel, S(m.body_mass[b]));
    const Vec3<S> moved = detail::moment_of_momentum(com - vec3<S>(d.subtree_com, parent),
                                                     vel - vec3<S>(d.subtree_linvel, parent),
                                                     S(m.body_subtreemass[b]));
    store(d.subtree_angmom, b, own);
    store(d.subtree_angmom, parent, vec3<S>(d.subtree_angmom, parent) + own + moved);
  };
  each_run_back(m, d, [&](const Run& r) {
    for (int b = r.body_end - 1; b >= r.body; --b) carry(b);
  });
}
CORTEN_PLAIN(subtree_velocity)

}  // namespace corten
