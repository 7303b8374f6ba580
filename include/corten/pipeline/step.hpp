// SPDX-License-Identifier: Apache-2.0
//
// step: forward, then integrate, in three forms that differ in what they do beforehand:
//
//     step(m, data.ref())   on views: allocates nothing, runs anywhere
//     step(m, data)         the same, but enlarges the data when contacts or rows do not fit
//     step(model, data)     binds the model first: rebuilds views, checks coverage
//
// and the same three forms of its halves, step1 and step2, between which a controller sets ctrl:
//
//     step1(model, data); data.ctrl()[0] = …; step2(model, data)
//
// where m is bind<MyPolicies>(model).value(), or bind(model).value() for the default policies.
// Loops bind once: binding costs a quarter of a step of an inverted pendulum (g++ 12, -O2), and is
// lost in the noise for a humanoid.
#pragma once

#include <corten/data/data.hpp>
#include <corten/integrate/integrate.hpp>
#include <corten/integrate/rk4.hpp>
#include <corten/pipeline/forward.hpp>
#include <corten/pipeline/inverse.hpp>
#include <corten/pipeline/policies.hpp>

namespace corten {

namespace detail {

template <class F>
CORTEN_FN bool any_bad(const F& x, int n) {
  for (int i = 0; i < n; ++i) {
    if (any(is_bad(x[i]))) return true;
  }
  return false;
}

// the same for numbers of dofs; trees that sleep do not change theirs
template <class M, class D, class F>
CORTEN_FN bool any_bad_awake(const M& m, const D& d, const F& x) {
  bool found = false;
  each_run(m, d, [&](const Run& r) { found = found || any_bad(x.from(r.dof), r.dof_end - r.dof); });
  return found;
}

// Reports a bad state, and restarts from the reference pose if that is wanted.
template <class M, class D>
CORTEN_FN int report_bad(const M& m, const D& d, StatusBit bit, bool restart) {
  if (restart) reset_state(m, d);
  return bit;
}

}  // namespace detail

// What a step does about a bad state or acceleration. by_option: resets the world or carries on, as
// the model's options say and MuJoCo does. keep: leaves state and time as they are, for the user to
// inspect.
enum class BadState { by_option, keep };

// Counts each bit that a step has reported.
template <class D>
CORTEN_FN void count_warnings(const D& d, int bits) {
  for (int b = 0; bits >> b != 0; ++b) d.warning[b] += bits >> b & 1;
}

namespace detail {

// Is the timestep a positive number?
template <class M>
CORTEN_FN bool advances(const M& m) {
  const auto h = value(m.opt.timestep);
  return h > 0 && !is_bad(h);
}

// Records the histories of sensors, if the pipeline has sensors.
template <class S, class P, class D>
CORTEN_FN void keep_readings(const ModelRef<S, P>& m, const D& d) {
  if constexpr (P::Pipeline::template has<stages::Sensing>) remember_readings(m, d);
}

// What precedes the forward pass of a step: checks the state, and restarts it if that is wanted.
// Returns false if there is nothing to go on with.
template <class S, class P, class D>
CORTEN_FN bool begin_step(const ModelRef<S, P>& m, const D& d, BadState policy, int& bits) {
  const bool keep = policy == BadState::keep;
  const bool restart = !keep && !m.opt.disabled(disable_autoreset);
  if (!advances(m)) return bits = bad_timestep, false;
  if (!has_scratch(m, d)) return bits = no_scratch, false;
  if (any_bad(d.qpos, m.n.nq)) bits |= report_bad(m, d, bad_qpos, restart);
  if (any_bad_awake(m, d, d.qvel)) bits |= report_bad(m, d, bad_qvel, restart);
  if (any_bad(d.soft_pos, 3 * m.n.nsoftvert)) bits |= report_bad(m, d, bad_qpos, restart);
  if (any_bad(d.soft_vel, 3 * m.n.nsoftvert)) bits |= report_bad(m, d, bad_qvel, restart);
  return !keep || bits == 0;
}

// Puts trees to sleep that are due, before the state advances. Returns their number. rk_state keeps
// the state, as RK4 does.
template <class S, class P, class D>
CORTEN_FN int let_sleep(const ModelRef<S, P>& m, const D& d) {
  if (!m.opt.enabled(enable_sleep)) return 0;
  const int fallen = fall_asleep(m, d);
  if (fallen > 0) {
    copy(d.rk_state, d.qpos, m.n.nq);
    copy(d.rk_state.from(m.n.nq), d.qvel, m.n.nv);
  }
  return fallen;
}

// Advances the state after the stages, for callers that run the stages themselves, and leaves the
// data ready for the stages to run again from the same position.
template <class S, class P, class D>
CORTEN_FN void integrate_alone(const ModelRef<S, P>& m, const D& d) {
  const int fallen = let_sleep(m, d);
  integrate(m, d);
  if (fallen > 0) include_fallen(m, d, true);
}

template <class F, class G>
CORTEN_FN void exchange(const F& a, const G& b, int count) {
  for (int i = 0; i < count; ++i) {
    const auto kept = a[i];
    a[i] = b[i];
    b[i] = kept;
  }
}

// Trees that have just fallen asleep show what they would at rest, in the state and at the time
// before the step: between these two, everything that depends on velocities is computed once more.
// Soft bodies have taken their step by then. The first returns the time after the step, which the
// second puts back.
template <class S, class P, class D>
CORTEN_FN auto begin_fallen(const ModelRef<S, P>& m, const D& d, typename D::Scalar before) {
  const auto time = d.time.get();
  exchange(d.qpos, d.rk_state, m.n.nq);
  exchange(d.qvel, d.rk_state.from(m.n.nq), m.n.nv);
  d.time = before;
  d.soft_hold = 1;
  include_fallen(m, d, true);
  return time;
}
template <class S, class P, class D>
CORTEN_FN void end_fallen(const ModelRef<S, P>& m, const D& d, typename D::Scalar after) {
  d.soft_hold = 0;
  copy(d.qacc_warmstart, d.qacc, m.n.nv);
  include_fallen(m, d, false);
  exchange(d.qpos, d.rk_state, m.n.nq);
  exchange(d.qvel, d.rk_state.from(m.n.nq), m.n.nv);
  d.time = after;
}

template <class S, class P, class D>
CORTEN_FN void see_fallen(const ModelRef<S, P>& m, const D& d, typename D::Scalar before) {
  const auto after = begin_fallen(m, d, before);
  forward_velocity(m, d);
  read_velocity(m, d);
  forward_acceleration(m, d);
  read_acceleration(m, d);
  end_fallen(m, d, after);
}

// Soft bodies take the step that the first evaluation has prepared, if the pipeline has them.
template <class S, class P, class D>
CORTEN_FN void advance_softs(const ModelRef<S, P>& m, const D& d) {
  if constexpr (P::Pipeline::template has<stages::SoftDynamics>) soft_advance(m, d);
}
template <class S, class P, class D>
CORTEN_FN void wake_by_softs(const ModelRef<S, P>& m, const D& d) {
  if constexpr (P::Pipeline::template has<stages::SoftDynamics>) soft_wake(m, d);
}

// Advances the state by RK4, whose first evaluation has been made. The reaction of soft bodies that
// it found holds for the whole step.
template <class S, class P, class D>
CORTEN_FN Status advance_rk4(const ModelRef<S, P>& m, const D& d, int bits) {
  const auto evaluate = [&](const auto& model, const auto& data) {
    const Status trial = forward(model, data, false);
    bits |= trial.bits;
    return !trial.overflow();
  };
  // sensors of the last stage see what the last trial state left behind, as in MuJoCo
  const auto time = d.time.get();
  const int fallen = let_sleep(m, d);
  d.soft_hold = 1;
  const bool done = rk4(m, d, evaluate, [&] { keep_readings(m, d); });
  d.soft_hold = 0;
  if (done) advance_softs(m, d);
  if (fallen > 0) see_fallen(m, d, time);
  wake_by_softs(m, d);
  return d.status = bits, Status{bits};
}

// What follows the forward pass: checks the acceleration, and advances the state. `bits` are those
// reported so far. If the step is taken in halves, Euler's method replaces RK4.
template <bool Halves, class S, class P, class D>
CORTEN_FN Status end_step(const ModelRef<S, P>& m, const D& d, BadState policy, int bits) {
  const bool keep = policy == BadState::keep;
  const bool restart = !keep && !m.opt.disabled(disable_autoreset);
  if (any_bad_awake(m, d, d.qacc)) {
    bits |= report_bad(m, d, bad_qacc, restart);
    if (keep) return d.status = bits, Status{bits};
    if (restart) bits |= forward(m, d).bits;
  }
  if (m.opt.enabled(enable_fwdinv)) compare_inverse(m, d);
  if constexpr (!Halves && P::Integrators::has(Integrator::rk4)) {
    if (is_rk4(m)) return advance_rk4(m, d, bits);
  }
  keep_readings(m, d);
  const auto time = d.time.get();
  const int fallen = let_sleep(m, d);
  if (Halves && is_rk4(m)) {
    euler(m, d);
  } else {
    integrate(m, d);
  }
  advance_softs(m, d);
  if (fallen > 0) see_fallen(m, d, time);
  wake_by_softs(m, d);
  return d.status = bits | d.status, Status{d.status};
}

template <class S, class P, class D>
CORTEN_FN Status take_step(const ModelRef<S, P>& m, const D& d, BadState policy) {
  int bits = 0;
  if (!begin_step(m, d, policy, bits)) return d.status = bits, Status{bits};
  bits |= forward(m, d).bits;
  if (Status{bits}.overflow()) return Status{bits};
  return end_step<false>(m, d, policy, bits);
}

}  // namespace detail

// Takes one timestep. If contacts or rows do not fit, the state is not advanced.
template <class S, class P, class D>
CORTEN_ENTRY Status step(const ModelRef<S, P>& m, const D& d,
                         BadState policy = BadState::by_option) {
  const Status status = detail::take_step(m, d, policy);
  count_warnings(d, status.bits);
  return status;
}

// The first half of a step: everything that the state determines (positions, contacts, velocities,
// passive forces, sensors of both), for a controller to look at before it sets controls and forces.
template <class S, class P, class D>
CORTEN_ENTRY Status step1(const ModelRef<S, P>& m, const D& d) {
  int bits = 0;
  if (detail::begin_step(m, d, BadState::by_option, bits)) bits |= forward_motion(m, d).bits;
  d.status = bits;
  count_warnings(d, bits);
  return Status{bits};
}

// The second half: actuation, acceleration, constraint forces and their sensors, and the new state.
// RK4 would evaluate the controls at states that the controller has not seen, so Euler's method
// takes its place, as in MuJoCo. A first half that failed leaves nothing to finish: its status is
// returned again. Returns the status of the whole step.
template <class S, class P, class D>
CORTEN_ENTRY Status step2(const ModelRef<S, P>& m, const D& d) {
  const Status first{d.status};
  if (first.overflow() || first.has(bad_timestep)) return first;
  if (!detail::advances(m)) return d.status = bad_timestep, Status{bad_timestep};
  if (!has_scratch(m, d)) return d.status = no_scratch, Status{no_scratch};
  const int bits = first.bits | forward_forces(m, d).bits;
  const Status status = detail::end_step<true>(m, d, BadState::by_option, bits);
  count_warnings(d, status.bits & ~first.bits);
  return status;
}

namespace detail {

// Runs f, unless the data belongs to another model. If contacts or rows do not fit and the data may
// grow, makes room and runs it again.
template <class S, class SD, class F>
Status with_growth(const ModelView<S>& m, Data<SD>& data, F&& f) {
  if (!data.fits(m)) return Status{wrong_model};
  Status status = f();
  std::size_t before = 0;
  while (status.overflow() && data.growable() && data.bytes() != before) {
    before = data.bytes();
    data.grow(m, data.needed());
    status = f();
  }
  return status;
}

// Adds bad numbers to the status of a pass that has run to its end: stages carry NaN along without
// a word.
template <class S, class P, class D>
Status with_bad_numbers(const ModelRef<S, P>& m, const D& d, Status status) {
  if (status.overflow()) return status;
  if (any_bad(d.qpos, m.n.nq)) status.bits |= bad_qpos;
  if (any_bad(d.qvel, m.n.nv)) status.bits |= bad_qvel;
  if (any_bad(d.qacc, m.n.nv)) status.bits |= bad_qacc;
  return d.status = status.bits, status;
}

// f(view) if the policies cover the model
template <class P, class S, class F>
Status if_covered(const Model<S>& model, F&& f) {
  const ModelRef<S, P> m = make_ref<P>(model);
  return covers<P>(m) ? f(m) : Status{not_covered};
}

}  // namespace detail

// ---- a bound model and data that grows ----------------------------------------------------------

template <class S, class P, class SD>
Status forward(const ModelRef<S, P>& m, Data<SD>& data) {
  return detail::with_growth(
      m, data, [&] { return detail::with_bad_numbers(m, data.ref(), forward(m, data.ref())); });
}

template <class S, class P, class SD>
Status inverse(const ModelRef<S, P>& m, Data<SD>& data) {
  return detail::with_growth(
      m, data, [&] { return detail::with_bad_numbers(m, data.ref(), inverse(m, data.ref())); });
}

template <class S, class P, class SD>
Status step(const ModelRef<S, P>& m, Data<SD>& data, BadState policy = BadState::by_option) {
  return detail::with_growth(m, data, [&] { return step(m, data.ref(), policy); });
}

template <class S, class P, class SD>
Status step1(const ModelRef<S, P>& m, Data<SD>& data) {
  return detail::with_growth(m, data, [&] { return step1(m, data.ref()); });
}

// The first half has found room for everything, so this one never grows the data.
template <class S, class P, class SD>
Status step2(const ModelRef<S, P>& m, Data<SD>& data) {
  return data.fits(m) ? step2(m, data.ref()) : Status{wrong_model};
}

// ---- the same from a model: step<MyPolicies>(model, data) takes your own policies ---------------

template <class P = DefaultPolicies, class S, class SD>
Status forward(const Model<S>& model, Data<SD>& data) {
  return detail::if_covered<P>(model, [&](const auto& m) { return forward(m, data); });
}

template <class P = DefaultPolicies, class S, class SD>
Status inverse(const Model<S>& model, Data<SD>& data) {
  return detail::if_covered<P>(model, [&](const auto& m) { return inverse(m, data); });
}

template <class P = DefaultPolicies, class S, class SD>
Status step(const Model<S>& model, Data<SD>& data) {
  return detail::if_covered<P>(model, [&](const auto& m) { return step(m, data); });
}

template <class P = DefaultPolicies, class S, class SD>
Status step1(const Model<S>& model, Data<SD>& data) {
  return detail::if_covered<P>(model, [&](const auto& m) { return step1(m, data); });
}

template <class P = DefaultPolicies, class S, class SD>
Status step2(const Model<S>& model, Data<SD>& data) {
  return detail::if_covered<P>(model, [&](const auto& m) { return step2(m, data); });
}

}  // namespace corten
