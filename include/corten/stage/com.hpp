// SPDX-License-Identifier: Apache-2.0
//
// Centres of mass, and inertias and motion axes about them. Writes subtree_com cinert cdof.
// Its scratch is work_body.
#pragma once

#include <corten/core/plain.hpp>
#include <corten/joint/common.hpp>
#include <corten/tree/awake.hpp>

namespace corten {

namespace detail {

// The passes over the bodies of a run.
template <class M, class D>
struct Centres {
  using S = typename D::Scalar;
  const M& m;
  const D& d;

  // subtree_com: positions times masses, summed towards the root, divided by the subtree's mass
  CORTEN_FN void moment(int b) const {
    store(d.subtree_com, b, vec3<S>(d.xipos, b) * S(m.body_mass[b]));
  }
  CORTEN_FN void add_to_parent(int b, const Vec3<S>& of) const {
    const int parent = m.body_parentid[b];
    store(d.subtree_com, parent, vec3<S>(d.subtree_com, parent) + of);
  }
  CORTEN_FN void divide(int b) const {
    const S mass = S(m.body_subtreemass[b]);
    const bool massless = any(value(mass) < value_t<S>(min_value));
    store(d.subtree_com, b,
          massless ? vec3<S>(d.xipos, b) : vec3<S>(d.subtree_com, b) * (S(1) / mass));
  }

  CORTEN_FN void moments(const Run& r) const {
    for (int b = r.body; b < r.body_end; ++b) moment(b);
  }
  CORTEN_FN void sums(const Run& r) const {
    for (int b = r.body_end - 1; b >= r.body; --b) add_to_parent(b, vec3<S>(d.subtree_com, b));
  }

  // The same for a part of the trees, which leaves the sum in the world to be made in the end: its
  // order counts.
  CORTEN_FN void sums_but_last(const Run& r) const {
    for (int b = r.body_end - 1; b >= r.body; --b) {
      const Vec3<S> of = vec3<S>(d.subtree_com, b);
      if (m.body_parentid[b] == 0) {
        store(d.work_body, b, of);
      } else {
        add_to_parent(b, of);
      }
    }
  }
  CORTEN_FN void last_sum() const {
    for (int b = m.n.nbody - 1; b > 0; --b) {
      if (m.body_parentid[b] == 0) add_to_parent(b, vec3<S>(d.work_body, b));
    }
  }
  CORTEN_FN void finish_world() const {
    divide(0);
    store(d.cinert, 0, Inertia<S>::Zero());
  }

  // inertia of each body about the centre of mass of its tree, and motion axis of each dof
  CORTEN_FN void inertias(const Run& r) const {
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
  }
};

}  // namespace detail

// a part of the trees, while none sleep, and what comes before and after all of them: the world
template <class M, class D>
CORTEN_ENTRY void com(const M& m, const D& d, const Run& r) {
  const detail::Centres<M, D> pass{m, d};
  pass.moments(r);
  pass.sums_but_last(r);
  pass.inertias(r);
}
template <class M, class D>
CORTEN_FN void begin_com(const M& m, const D& d) {
  detail::Centres<M, D>{m, d}.moment(0);
}
template <class M, class D>
CORTEN_FN void end_com(const M& m, const D& d) {
  const detail::Centres<M, D> pass{m, d};
  pass.last_sum();
  pass.finish_world();
}

template <class M, class D>
CORTEN_ENTRY void com(const M& m, const D& d) {
  using S = typename D::Scalar;
  const detail::Centres<M, D> pass{m, d};
  pass.moment(0);
  each_run(m, d, [&](const Run& r) { pass.moments(r); });
  each_sleeper(m, d, [&](int t) {
    const int b = m.tree_bodyadr[t];
    pass.add_to_parent(b, vec3<S>(d.subtree_com, b) * S(m.body_subtreemass[b]));
  });
  each_run_back(m, d, [&](const Run& r) { pass.sums(r); });
  pass.finish_world();
  each_run(m, d, [&](const Run& r) { pass.inertias(r); });
}
CORTEN_SHARED(com, lists::joints)
CORTEN_SHARED_RUN(com)

}  // namespace corten
