// SPDX-License-Identifier: Apache-2.0
//
// Centres of mass, and inertias and motion axes about them. Writes subtree_com cinert cdof.
#pragma once

#include <corten/core/plain.hpp>
#include <corten/joint/common.hpp>
#include <corten/tree/awake.hpp>

namespace corten {

template <class M, class D>
CORTEN_ENTRY void com(const M& m, const D& d) {
  using S = typename D::Scalar;

  // subtree_com: positions times masses, summed towards the root, divided by the subtree's mass
  const auto moment = [&](int b) {
    store(d.subtree_com, b, vec3<S>(d.xipos, b) * S(m.body_mass[b]));
  };
  const auto add_to_parent = [&](int b, const Vec3<S>& of) {
    const int parent = m.body_parentid[b];
    store(d.subtree_com, parent, vec3<S>(d.subtree_com, parent) + of);
  };
  const auto divide = [&](int b) {
    const S mass = S(m.body_subtreemass[b]);
    const bool massless = any(value(mass) < value_t<S>(min_value));
    store(d.subtree_com, b,
          massless ? vec3<S>(d.xipos, b) : vec3<S>(d.subtree_com, b) * (S(1) / mass));
  };
  moment(0);
  each_run(m, d, [&](const Run& r) {
    for (int b = r.body; b < r.body_end; ++b) moment(b);
  });
  each_sleeper(m, d, [&](int t) {
    const int b = m.tree_bodyadr[t];
    add_to_parent(b, vec3<S>(d.subtree_com, b) * S(m.body_subtreemass[b]));
  });
  each_run_back(m, d, [&](const Run& r) {
    for (int b = r.body_end - 1; b >= r.body; --b) add_to_parent(b, vec3<S>(d.subtree_com, b));
  });
  divide(0);

  // inertia of each body about the centre of mass of its tree, and motion axis of each dof
  store(d.cinert, 0, Inertia<S>::Zero());
  each_run(m, d, [&](const Run& r) {
    for (int b = r.body; b < r.body_end; ++b) {
      divide(b);  // the root comes before its tree
      const Vec3<S> offset = vec3<S>(d.xipos, b) - vec3<S>(d.subtree_com, m.body_rootid[b]);
      store(d.cinert, b,
            inertia_about(vec3<S>(m.body_inertia, b), mat3<S>(d.ximat, b), offset,
                          S(m.body_mass[b])));
      const int first = m.body_jntadr[b];
      for (int j = first; j < first + m.body_jntnum[b]; ++j) {
        M::Policies::Joints::visit(m.jnt_type[j], [&](auto kind) { kind.motion_axes(m, d, j); });
      }
    }
  });
}
CORTEN_SHARED(com, lists::joints)

}  // namespace corten
