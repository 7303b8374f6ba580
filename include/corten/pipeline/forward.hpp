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

#include <type_traits>

namespace corten {

namespace detail {

// Trees of about this many bodies take turns. Free bodies move 2 kB each in the stages from
// kinematics to the factor.
inline constexpr int bodies_in_turn = 128;

template <class Stage>
concept NamesItself = std::is_same_v<typename Stage::Itself, Stage>;
template <class Stage>
inline constexpr bool treats_trees = requires(int m) {
  requires NamesItself<Stage>;
  &Stage::template by_trees<int>;
};
template <class Stage>
inline constexpr bool may_idle = requires(int m) {
  requires NamesItself<Stage>;
  &Stage::template idle<int>;
};

// May the stage take turns with its neighbours?
template <class Stage, class M>
CORTEN_FN bool takes_turns(const M& m) {
  if constexpr (treats_trees<Stage>) {
    return Stage::by_trees(m);
  } else {
    return Stage::idle(m);
  }
}

// Stages that follow each other and may take turns.
template <class... S, class M, class D>
CORTEN_FN void run_in_turns(Stages<S...>, const M& m, const D& d) {
  if constexpr ((int(treats_trees<S>) + ... + 0) > 1) {
    const bool many = m.n.nbody > 2 * bodies_in_turn && !some_asleep(m, d);
    if (many && (takes_turns<S>(m) && ...)) {
      const auto begin = [&](auto stage) {
        if constexpr (requires { stage.begin(m, d); }) stage.begin(m, d);
      };
      const auto end = [&](auto stage) {
        if constexpr (requires { stage.end(m, d); }) stage.end(m, d);
      };
      (begin(S{}), ...);
      each_bunch(m, bodies_in_turn, [&](const Run& r) {
        const auto trees = [&](auto stage) {
          if constexpr (treats_trees<decltype(stage)>) stage.trees(m, d, r);
        };
        (trees(S{}), ...);
      });
      (end(S{}), ...);
      return;
    }
  }
  (S::run(m, d), ...);
}

template <class... Open, class M, class D>
CORTEN_FN void run_from(Stages<Open...> open, Stages<>, const M& m, const D& d) {
  run_in_turns(open, m, d);
}
template <class... Open, class Next, class... Rest, class M, class D>
CORTEN_FN void run_from(Stages<Open...> open, Stages<Next, Rest...>, const M& m, const D& d) {
  if constexpr (treats_trees<Next> || may_idle<Next>) {
    run_from(Stages<Open..., Next>{}, Stages<Rest...>{}, m, d);
  } else {
    run_in_turns(open, m, d);
    Next::run(m, d);
    run_from(Stages<>{}, Stages<Rest...>{}, m, d);
  }
}

// Runs stages in their order. Worlds in lanes and on devices do not share a cache with themselves
// in this way, and are spared the code.
template <class List, class M, class D>
CORTEN_FN void run_stages(const M& m, const D& d) {
  if constexpr (D::Layout::contiguous && !is_lanes<typename D::Scalar>) {
    run_from(Stages<>{}, List{}, m, d);
  } else {
    List::run(m, d);
  }
}

}  // namespace detail

// Wakes trees and lays them down, before a forward pass; below.
template <class M, class D>
CORTEN_FN bool settle(const M& m, const D& d);

// The stages that depend on qpos alone. Trees wake that were disturbed since the last pass.
template <class M, class D>
CORTEN_FN void forward_position(const M& m, const D& d) {
  if constexpr (!is_lanes<typename D::Scalar>) {
    if (m.opt.enabled(enable_sleep) && !settle(m, d)) return;
  }
  detail::run_stages<typename M::Policies::Pipeline::position>(m, d);
}

// The stages that depend on qpos and qvel.
template <class M, class D>
CORTEN_FN void forward_velocity(const M& m, const D& d) {
  detail::run_stages<typename M::Policies::Pipeline::velocity>(m, d);
}

// The stages that depend on all inputs.
template <class M, class D>
CORTEN_FN void forward_acceleration(const M& m, const D& d) {
  detail::run_stages<typename M::Policies::Pipeline::acceleration>(m, d);
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
  detail::run_stages<typename Pipeline::position>(m, d);
  if (Status{d.status}.overflow()) return detail::give_up_settling(d), false;
  read_position(m, d);
  detail::run_stages<typename Pipeline::velocity>(m, d);
  read_velocity(m, d);
  detail::run_stages<typename Pipeline::acceleration>(m, d);
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
