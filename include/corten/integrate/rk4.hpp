// SPDX-License-Identifier: Apache-2.0
//
// The classical fourth-order Runge-Kutta method. The forward call that step() has already made is
// the first evaluation; three more follow at trial states. Sensors keep the readings of the first.
#pragma once

#include <corten/integrate/advance.hpp>

namespace corten {

struct NothingBefore {
  CORTEN_FN void operator()() const {}
};

// forward(m, d) evaluates accelerations at the state in d. Calls before_advance() just before the
// state advances. Returns false and leaves the state as it was if an evaluation reports an
// overflow.
template <class M, class D, class F, class B = NothingBefore>
CORTEN_FN bool rk4(const M& m, const D& d, F&& forward, B&& before_advance = {}) {
  using S = typename D::Scalar;
  const int nq = m.n.nq, nv = m.n.nv, na = m.n.na;
  const S h = S(m.opt.timestep), time = d.time;

  // the initial state, and weighted sums of the rates: velocity, acceleration, activation rate
  const auto qpos0 = d.rk_state, qvel0 = qpos0.from(nq), act0 = qvel0.from(nv);
  const auto velocity = act0.from(na), acceleration = velocity.from(nv),
             rate = acceleration.from(nv);
  copy(qpos0, d.qpos, nq);
  copy(qvel0, d.qvel, nv);
  copy(act0, d.act, na);
  for (int i = 0; i < nv; ++i) velocity[i] = d.qvel[i] / S(6);
  for (int i = 0; i < nv; ++i) acceleration[i] = d.qacc[i] / S(6);
  for (int i = 0; i < na; ++i) rate[i] = d.act_dot[i] / S(6);
  each_sleeper(m, d,
               [&](int t) { fill(acceleration.from(m.tree_dofadr[t]), m.tree_dofnum[t], S(0)); });

  bool ok = true;
  for (int stage = 1; stage < 4 && ok; ++stage) {
    // trial state: the initial state, moved along the latest rates
    const S step = stage == 3 ? h : S(S(0.5) * h), weight = stage == 3 ? S(1) / S(6) : S(1) / S(3);
    copy(d.work_nv, d.qvel, nv);
    copy(d.qpos, qpos0, nq);
    each_run(m, d, [&](const Run& r) {
      integrate_position(m, r.jnt, r.jnt_end, d.qpos, d.work_nv, step);
      for (int i = r.dof; i < r.dof_end; ++i) d.qvel[i] = qvel0[i] + step * d.qacc[i];
    });
    for (int i = 0; i < na; ++i) d.act[i] = act0[i] + step * d.act_dot[i];
    d.time = time + step;

    ok = forward(m, d);
    each_awake_dof(m, d, [&](int i) { velocity[i] += weight * d.qvel[i]; });
    each_awake_dof(m, d, [&](int i) { acceleration[i] += weight * d.qacc[i]; });
    for (int i = 0; i < na; ++i) rate[i] += weight * d.act_dot[i];
  }

  d.time = time;
  copy(d.qpos, qpos0, nq);
  copy(d.qvel, qvel0, nv);
  copy(d.act, act0, na);
  if (!ok) return false;
  before_advance();
  advance(m, d, rate, acceleration, velocity);
  return true;
}

}  // namespace corten
