// SPDX-License-Identifier: Apache-2.0
//
// The last part of every integrator: advances the state by the rates.
#pragma once

#include <corten/actuator/activation.hpp>
#include <corten/joint/common.hpp>

namespace corten {

// moves qpos along the velocity for a time h, on the manifold of each joint
template <class M, class Q, class V, class S>
CORTEN_FN void integrate_position(const M& m, const Q& qpos, const V& qvel, const S& h) {
  for (int j = 0; j < m.n.njnt; ++j) {
    M::Policies::Joints::visit(m.jnt_type[j],
                               [&](auto kind) { kind.integrate(m, j, qpos, qvel, h); });
  }
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

// Advances activations by act_dot, qvel by h qacc, and qpos along `velocity`. If `velocity` is qvel
// itself, positions move with the new velocity: the semi-implicit method.
template <class M, class D, class A, class B, class V>
CORTEN_FN void advance(const M& m, const D& d, const A& act_dot, const B& qacc, const V& velocity) {
  using S = typename D::Scalar;
  const S h = S(m.opt.timestep);
  remember_controls(m, d);
  advance_activations(m, d, act_dot);
  for (int i = 0; i < m.n.nv; ++i) d.qvel[i] += h * qacc[i];
  integrate_position(m, d.qpos, velocity, h);
  d.time = d.time.get() + h;
  copy(d.qacc_warmstart, d.qacc, m.n.nv);
}

}  // namespace corten
