// SPDX-License-Identifier: Apache-2.0
//
// forward: runs the stages of a pipeline in order. stages.hpp lists the stages, pipeline.hpp
// combines them.
#pragma once

#include <corten/core/status.hpp>
#include <corten/flex/edges.hpp>
#include <corten/model/model_ref.hpp>
#include <corten/pipeline/pipeline.hpp>
#include <corten/sensor/sensing.hpp>
#include <corten/soft/couple.hpp>
#include <corten/soft/detect.hpp>
#include <corten/solver/sleep.hpp>
#include <corten/solver/solve.hpp>
#include <corten/stage/acceleration.hpp>
#include <corten/stage/actuation.hpp>
#include <corten/stage/bias.hpp>
#include <corten/stage/camera.hpp>
#include <corten/stage/collision.hpp>
#include <corten/stage/com.hpp>
#include <corten/stage/constraint.hpp>
#include <corten/stage/energy.hpp>
#include <corten/stage/factor.hpp>
#include <corten/stage/inertia.hpp>
#include <corten/stage/kinematics.hpp>
#include <corten/stage/passive.hpp>
#include <corten/stage/transmission.hpp>
#include <corten/stage/velocity.hpp>
#include <corten/tendon/path.hpp>

namespace corten {

// Wakes trees and lays them down, before a forward pass; below.
template <class M, class D>
CORTEN_FN bool settle(const M& m, const D& d);

// The stages that depend on qpos alone. Trees wake that were disturbed since the last pass.
template <class M, class D>
CORTEN_FN void forward_position(const M& m, const D& d) {
  if constexpr (!is_lanes<typename D::Scalar>) {
    if (m.opt.enabled(enable_sleep) && !settle(m, d)) return;
  }
  M::Policies::Pipeline::position::run(m, d);
}

// The stages that depend on qpos and qvel.
template <class M, class D>
CORTEN_FN void forward_velocity(const M& m, const D& d) {
  M::Policies::Pipeline::velocity::run(m, d);
}

// The stages that depend on all inputs.
template <class M, class D>
CORTEN_FN void forward_acceleration(const M& m, const D& d) {
  M::Policies::Pipeline::acceleration::run(m, d);
}

namespace detail {

template <class M, class D, class... S>
CORTEN_FN void run_smooth(Stages<S...>, const M& m, const D& d) {
  const auto call = [&](auto stage) {
    if constexpr ((lane_use<decltype(stage)> & in_packs) != 0) stage.run(m, d);
  };
  (call(S{}), ...);
}

}  // namespace detail

// The stages that worlds in lanes take together, without readings: a forward pass without contacts
// and rows.
template <class M, class D>
CORTEN_FN void forward_smooth(const M& m, const D& d) {
  using Pipeline = typename M::Policies::Pipeline;
  detail::run_smooth(typename Pipeline::position{}, m, d);
  detail::run_smooth(typename Pipeline::velocity{}, m, d);
  detail::run_smooth(typename Pipeline::acceleration{}, m, d);
}

namespace detail {

template <class R>
concept ReadsTrialStates = requires {
  requires R::at_trial_states;
};

// f(reading) for all readings, or for those that are due at trial states too
template <class F, class... R>
CORTEN_FN void each_reading(Stages<R...>, bool trial, F&& f) {
  const auto call = [&](auto reading) {
    if constexpr (ReadsTrialStates<decltype(reading)>) {
      f(reading);
    } else {
      if (!trial) f(reading);
    }
  };
  (call(R{}), ...);
}

}  // namespace detail

// The readings of the pipeline, after the stages of positions, velocities and accelerations.
template <class M, class D>
CORTEN_FN void read_position(const M& m, const D& d, bool trial = false) {
  detail::each_reading(typename M::Policies::Pipeline::readings{}, trial, [&](auto reading) {
    if constexpr (reading_policy::names_after_position<decltype(reading)>) {
      reading.after_position(m, d);
    }
  });
}
template <class M, class D>
CORTEN_FN void read_velocity(const M& m, const D& d, bool trial = false) {
  detail::each_reading(typename M::Policies::Pipeline::readings{}, trial, [&](auto reading) {
    if constexpr (reading_policy::names_after_velocity<decltype(reading)>) {
      reading.after_velocity(m, d);
    }
  });
}
template <class M, class D>
CORTEN_FN void read_acceleration(const M& m, const D& d, bool trial = false) {
  detail::each_reading(typename M::Policies::Pipeline::readings{}, trial, [&](auto reading) {
    if constexpr (reading_policy::names_after_acceleration<decltype(reading)>) {
      reading.after_acceleration(m, d);
    }
  });
}

namespace detail {

// Wakes what was disturbed. Returns true if a pass of everything must come first: if the data does
// not know the numbers of trees that the state puts to sleep, or if trees are to start asleep.
template <class M, class D>
CORTEN_FN bool begin_settling(const M& m, const D& d) {
  if (!wake_disturbed(m, d)) return false;
  d.nasleep = 0;
  copy(d.qfrc_inverse, d.qacc, m.n.nv);  // inverse dynamics starts from qacc
  return true;
}

// after that pass
template <class M, class D>
CORTEN_FN void end_settling(const M& m, const D& d) {
  copy(d.qacc, d.qfrc_inverse, m.n.nv);
  if (!start_asleep(m, d)) d.status = d.status | awake_at_start;
  rest_again(m, d);
}

// if contacts or rows did not fit in it
template <class D>
CORTEN_FN void give_up_settling(const D& d) {
  fill(d.tree_rest, d.n.nsleep, 0);
}

}  // namespace detail

// Prepares a pass in which trees may sleep. Returns false if contacts or rows do not fit.
template <class M, class D>
CORTEN_FN bool settle(const M& m, const D& d) {
  if (!detail::begin_settling(m, d)) return true;
  using Pipeline = typename M::Policies::Pipeline;
  Pipeline::position::run(m, d);
  if (Status{d.status}.overflow()) return detail::give_up_settling(d), false;
  read_position(m, d);
  Pipeline::velocity::run(m, d);
  read_velocity(m, d);
  Pipeline::acceleration::run(m, d);
  read_acceleration(m, d);
  detail::end_settling(m, d);
  return true;
}

// What precedes the stages: a pass starts with a good status.
template <class D>
CORTEN_FN void begin_pass(const D& d) {
  using S = typename D::Scalar;
  d.status = 0;
  d.energy[0] = d.energy[1] = S(0);
}

// The first half of a forward pass: everything that follows from positions and velocities, before
// controls and applied forces matter. If contacts or rows do not fit, it stops and says so in the
// status.
template <class SM, class P, class D>
CORTEN_ENTRY Status forward_motion(const ModelRef<SM, P>& m, const D& d, bool with_sensors = true) {
  if (!has_solver_scratch(m, d)) return d.status = no_scratch, Status{no_scratch};
  begin_pass(d);
  forward_position(m, d);
  if (Status{d.status}.overflow()) return Status{d.status};
  read_position(m, d, !with_sensors);
  forward_velocity(m, d);
  read_velocity(m, d, !with_sensors);
  return Status{d.status};
}

// The second half: everything that depends on controls and applied forces too.
template <class SM, class P, class D>
CORTEN_ENTRY Status forward_forces(const ModelRef<SM, P>& m, const D& d, bool with_sensors = true) {
  forward_acceleration(m, d);
  read_acceleration(m, d, !with_sensors);
  return Status{d.status};
}

// Computes everything else from the state and the inputs; the state itself is not changed, except
// that trees may wake (tree_asleep).
// Integrators call it without sensors for their trial states. If contacts or rows do not fit, it
// stops and says so in the status.
template <class SM, class P, class D>
CORTEN_ENTRY Status forward(const ModelRef<SM, P>& m, const D& d, bool with_sensors = true) {
  if (const Status motion = forward_motion(m, d, with_sensors); motion.overflow()) return motion;
  return forward_forces(m, d, with_sensors);
}

}  // namespace corten
