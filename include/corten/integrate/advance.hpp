// SPDX-License-Identifier: Apache-2.0
//
// The last part of every integrator: advances the state by the rates.
#pragma once

#include <corten/actuator/activation.hpp>
#include <corten/joint/common.hpp>
#include <corten/tree/awake.hpp>

namespace corten {

// Moves qpos along the velocity for a time h, on the manifold of each joint: of all, or of joints
// first … end.
template <class M, class Q, class V, class S>
CORTEN_FN void integrate_position(const M& m, int first, int end, const Q& qpos, const V& qvel,
                                  const S& h) {
  for (int j = first; j < end; ++j) {
    M::Policies::Joints::visit(m.jnt_type[j],
                               [&](auto kind) { kind.integrate(m, j, qpos, qvel, h); });
  }
}
template <class M, class Q, class V, class S>
CORTEN_FN void integrate_position(const M& m, const Q& qpos, const V& qvel, const S& h) {
  integrate_position(m, 0, m.n.njnt, qpos, qvel, h);
}

// the velocity that leads from q1 to q2 in a time h
template <class M, class Q, class V, class S>
CORTEN_FN void differentiate_position(const M& m, const Q& q1, const Q& q2, const S& h,
                                      const V& out) {
  for (int j = 0; j < m.n.njnt; ++j) {
    M::Policies::Joints::visit(m.jnt_type[j],
                               [&](auto kind) { kind.difference(m, j, q1, q2, h, out); });
  }
}

namespace detail {

// A tree that sleeps keeps its state; its warm start follows its acceleration as in MuJoCo.
template <class M, class D>
CORTEN_FN void settle_sleepers(const M& m, const D& d) {
  each_sleeper(m, d, [&](int t) {
    if (d.tree_rest[t] != static_cast<int>(Rest::solved)) return;
    const int first = m.tree_dofadr[t];
    copy(d.qacc_warmstart.from(first), d.qacc.from(first), m.tree_dofnum[t]);
    d.tree_rest[t] = static_cast<int>(Rest::settled);
  });
}

}  // namespace detail

// Advances activations by act_dot, qvel by h qacc, and qpos along `velocity`. If `velocity` is qvel
// itself, positions move with the new velocity: the semi-implicit method.
template <class M, class D, class A, class B, class V>
CORTEN_FN void advance(const M& m, const D& d, const A& act_dot, const B& qacc, const V& velocity) {
  using S = typename D::Scalar;
  const S h = S(m.opt.timestep);
  remember_controls(m, d);
  advance_activations(m, d, act_dot);
  each_run(m, d, [&](const Run& r) {
    for (int i = r.dof; i < r.dof_end; ++i) d.qvel[i] += h * qacc[i];
    integrate_position(m, r.jnt, r.jnt_end, d.qpos, velocity, h);
    copy(d.qacc_warmstart.from(r.dof), d.qacc.from(r.dof), r.dof_end - r.dof);
  });
  detail::settle_sleepers(m, d);
  d.time = d.time.get() + h;
}

}  // namespace corten
