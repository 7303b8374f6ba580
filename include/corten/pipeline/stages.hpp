// SPDX-License-Identifier: Apache-2.0
//
// The stages as types, so that a pipeline can be a list of them (pipeline.hpp). Reading this file is reading
// what a step computes, in order; data/fields.hpp lists what each stage writes. Every stage can also be
// called alone, as the function that its type names. Naming a stage does not include it: the functions are
// found where a pipeline is run (forward.hpp has them all).
#pragma once

#include <corten/config.hpp>
#include <corten/core/enums.hpp>

namespace corten {

// How worlds in lanes take a stage (lane_step.hpp): together, in packs; world by world, by an overload for
// a Lane (data/lanes.hpp) that says which fields cross; or together and then world by world. A stage that
// says nothing is run world by world, and all fields cross.
inline constexpr int in_packs = 1, by_world = 2;

template <class Stage>
inline constexpr int lane_use = [] {
  if constexpr (requires { Stage::lanes; }) {
    return Stage::lanes;
  } else {
    return 0;
  }
}();

}  // namespace corten

namespace corten::stages {

#define CORTEN_STAGE(Name, function, how)               \
  struct Name {                                         \
    static constexpr int lanes = how;                   \
                                                        \
    template <class M, class D>                         \
    CORTEN_FN static void run(const M& m, const D& d) { \
      function(m, d);                                   \
    }                                                   \
  };

// what depends on qpos alone
CORTEN_STAGE(Kinematics, kinematics, in_packs)
CORTEN_STAGE(Com, com, in_packs)
CORTEN_STAGE(Tendon, tendon, in_packs)
CORTEN_STAGE(Inertia, inertia, in_packs)
CORTEN_STAGE(Factor, factor, in_packs)
CORTEN_STAGE(Collision, collision, by_world)
CORTEN_STAGE(Constraint, constraint, by_world)
CORTEN_STAGE(Transmission, transmission, in_packs | by_world)

// what depends on qpos and qvel
CORTEN_STAGE(Velocity, velocity, in_packs)
CORTEN_STAGE(Passive, passive, in_packs | by_world)
CORTEN_STAGE(Reference, reference, by_world)
CORTEN_STAGE(Bias, bias, in_packs)

// what depends on all inputs
CORTEN_STAGE(Actuation, actuation, in_packs)
CORTEN_STAGE(Acceleration, acceleration, in_packs)
CORTEN_STAGE(Solve, solve, in_packs | by_world)

#undef CORTEN_STAGE

// ---- readings -----------------------------------------------------------------------------------------
// A reading has up to three functions, called after the stages of positions, velocities and accelerations;
// where an integrator only tries a state they are not, unless it says `at_trial_states`.

struct Cameras {
  static constexpr int lanes = in_packs;
  static constexpr bool at_trial_states = true;

  template <class M, class D>
  CORTEN_FN static void after_position(const M& m, const D& d) {
    camera(m, d);
  }
};

struct Sensing {
  static constexpr int lanes = in_packs | by_world;

  template <class M, class D>
  CORTEN_FN static void after_position(const M& m, const D& d) {
    if (!m.opt.disabled(disable_sensor)) sensor_position(m, d);
  }
  template <class M, class D>
  CORTEN_FN static void after_velocity(const M& m, const D& d) {
    if (!m.opt.disabled(disable_sensor)) sensor_velocity(m, d);
  }
  template <class M, class D>
  CORTEN_FN static void after_acceleration(const M& m, const D& d) {
    if (!m.opt.disabled(disable_sensor)) sensor_acceleration(m, d);
  }
};

struct Energy {
  static constexpr int lanes = in_packs;
  static constexpr bool at_trial_states = true;

  template <class M, class D>
  CORTEN_FN static void after_position(const M& m, const D& d) {
    if (m.opt.enabled(enable_energy)) potential_energy(m, d);
  }
  template <class M, class D>
  CORTEN_FN static void after_velocity(const M& m, const D& d) {
    if (m.opt.enabled(enable_energy)) kinetic_energy(m, d);
  }
};

}  // namespace corten::stages
