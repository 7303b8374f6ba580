// SPDX-License-Identifier: Apache-2.0
//
// The classical fourth-order Runge-Kutta method. The forward call that step() has already made is
// the first evaluation; three more follow at trial states. Sensors keep the readings of the first.
#pragma once

#include <corten/integrate/advance.hpp>

namespace corten {

// The method in pieces, between which the caller evaluates accelerations: begin(), three times
// try_state() and add() with an evaluation in between, restore(), advance(). A batch on a device
// runs each piece for all worlds.
template <class M, class D>
class Rk4 {
  using S = typename D::Scalar;

 public:
  CORTEN_FN Rk4(const M& model, const D& data) : m(model), d(data) {}

  CORTEN_FN void begin() const {
    const int nv = m.n.nv, na = m.n.na;
    const auto velocity = velocities(), acceleration = accelerations(), rate = rates();
    copy(qpos0(), d.qpos, m.n.nq);
    copy(qvel0(), d.qvel, nv);
    copy(act0(), d.act, na);
    for (int i = 0; i < nv; ++i) velocity[i] = d.qvel[i] / S(6);
    for (int i = 0; i < nv; ++i) acceleration[i] = d.qacc[i] / S(6);
    for (int i = 0; i < na; ++i) rate[i] = d.act_dot[i] / S(6);
    each_sleeper(m, d,
                 [&](int t) { fill(acceleration.from(m.tree_dofadr[t]), m.tree_dofnum[t], S(0)); });
  }

  // the trial state of stage 1, 2 or 3: the initial state, moved along the latest rates
  CORTEN_FN void try_state(int stage, const S& time) const {
    const S h = S(m.opt.timestep), step = stage == 3 ? h : S(S(0.5) * h);
    const auto qvel = qvel0(), act = act0();
    copy(d.work_nv, d.qvel, m.n.nv);
    copy(d.qpos, qpos0(), m.n.nq);
    each_run(m, d, [&](const Run& r) {
      integrate_position(m, r.jnt, r.jnt_end, d.qpos, d.work_nv, step);
      for (int i = r.dof; i < r.dof_end; ++i) d.qvel[i] = qvel[i] + step * d.qacc[i];
    });
    for (int i = 0; i < m.n.na; ++i) d.act[i] = act[i] + step * d.act_dot[i];
    d.time = time + step;
  }

  // adds the rates at a trial state
  CORTEN_FN void add(int stage) const {
    const S weight = stage == 3 ? S(1) / S(6) : S(1) / S(3);
    const auto velocity = velocities(), acceleration = accelerations(), rate = rates();
    each_awake_dof(m, d, [&](int i) { velocity[i] += weight * d.qvel[i]; });
    each_awake_dof(m, d, [&](int i) { acceleration[i] += weight * d.qacc[i]; });
    for (int i = 0; i < m.n.na; ++i) rate[i] += weight * d.act_dot[i];
  }

  CORTEN_FN void restore(const S& time) const {
    d.time = time;
    copy(d.qpos, qpos0(), m.n.nq);
    copy(d.qvel, qvel0(), m.n.nv);
    copy(d.act, act0(), m.n.na);
  }

  CORTEN_FN void advance() const { corten::advance(m, d, rates(), accelerations(), velocities()); }

 private:
  // rk_state holds the initial state, and weighted sums of the rates: velocity, acceleration,
  // activation rate. Their places are computed anew, because members would take up stack while
  // accelerations are evaluated.
  CORTEN_FN auto qpos0() const { return d.rk_state; }
  CORTEN_FN auto qvel0() const { return qpos0().from(m.n.nq); }
  CORTEN_FN auto act0() const { return qvel0().from(m.n.nv); }
  CORTEN_FN auto velocities() const { return act0().from(m.n.na); }
  CORTEN_FN auto accelerations() const { return velocities().from(m.n.nv); }
  CORTEN_FN auto rates() const { return accelerations().from(m.n.nv); }

  const M& m;
  const D& d;
};

struct NothingBefore {
  CORTEN_FN void operator()() const {}
};

// forward(m, d) evaluates accelerations at the state in d. Calls before_advance() just before the
// state advances. Returns false and leaves the state as it was if an evaluation reports an
// overflow.
template <class M, class D, class F, class B = NothingBefore>
CORTEN_FN bool rk4(const M& m, const D& d, F&& forward, B&& before_advance = {}) {
  const Rk4<M, D> method(m, d);
  const auto time = d.time.get();
  method.begin();
  bool ok = true;
  for (int stage = 1; stage < 4 && ok; ++stage) {
    method.try_state(stage, time);
    ok = forward(m, d);
    method.add(stage);
  }
  method.restore(time);
  if (!ok) return false;
  before_advance();
  method.advance();
  return true;
}

}  // namespace corten
