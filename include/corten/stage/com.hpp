// SPDX-License-Identifier: Apache-2.0
//
// Centres of mass, and inertias and motion axes about them. Writes subtree_com cinert cdof.
#pragma once

#include <corten/joint/common.hpp>

namespace corten {

template <class M, class D>
CORTEN_FN void com(const M& m, const D& d) {
  using S = typename D::Scalar;

  // subtree_com: positions times masses, summed towards the root, divided by the subtree's mass
  for (int b = 0; b < m.n.nbody; ++b) {
    store(d.subtree_com, b, vec3<S>(d.xipos, b) * S(m.body_mass[b]));
  }
  for (int b = m.n.nbody - 1; b > 0; --b) {
    const int parent = m.body_parentid[b];
    store(d.subtree_com, parent, vec3<S>(d.subtree_com, parent) + vec3<S>(d.subtree_com, b));
  }
  for (int b = 0; b < m.n.nbody; ++b) {
    const S mass = S(m.body_subtreemass[b]);
    const bool massless = any(value(mass) < value_t<S>(min_value));
    store(d.subtree_com, b,
          massless ? vec3<S>(d.xipos, b) : vec3<S>(d.subtree_com, b) * (S(1) / mass));
  }

  // inertia of each body about the centre of mass of its tree
  store(d.cinert, 0, Inertia<S>::Zero());
  for (int b = 1; b < m.n.nbody; ++b) {
    const Vec3<S> offset = vec3<S>(d.xipos, b) - vec3<S>(d.subtree_com, m.body_rootid[b]);
    store(
        d.cinert, b,
        inertia_about(vec3<S>(m.body_inertia, b), mat3<S>(d.ximat, b), offset, S(m.body_mass[b])));
  }

  // motion axis of each dof
  for (int j = 0; j < m.n.njnt; ++j) {
    M::Policies::Joints::visit(m.jnt_type[j], [&](auto kind) { kind.motion_axes(m, d, j); });
  }
}

}  // namespace corten
