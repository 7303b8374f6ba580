// SPDX-License-Identifier: Apache-2.0
//
// The stages as types, so that a pipeline can be a list of them (pipeline.hpp). Reading this file is reading
// what a step computes, in order; data/fields.hpp lists what each stage writes. Every stage can also be
// called alone, as the function that its type names. Naming a stage does not include it: the functions are
// found where a pipeline is run (forward.hpp has them all).
#pragma once

#include <corten/config.hpp>
#include <corten/core/enums.hpp>

namespace corten::stages {

#define CORTEN_STAGE(Name, function)               \
  struct Name {                                    \
    template <class M, class D>                    \
    CORTEN_FN static void run(const M& m, const D& d) { \
      function(m, d);                              \
    }                                              \
  };

// what depends on qpos alone
CORTEN_STAGE(Kinematics, kinematics)
CORTEN_STAGE(Com, com)
CORTEN_STAGE(Tendon, tendon)
CORTEN_STAGE(Inertia, inertia)
CORTEN_STAGE(Factor, factor)
CORTEN_STAGE(Collision, collision)
CORTEN_STAGE(Constraint, constraint)
CORTEN_STAGE(Transmission, transmission)

// what depends on qpos and qvel
CORTEN_STAGE(Velocity, velocity)
CORTEN_STAGE(Passive, passive)
CORTEN_STAGE(Reference, reference)
CORTEN_STAGE(Bias, bias)

// what depends on all inputs
CORTEN_STAGE(Actuation, actuation)
CORTEN_STAGE(Acceleration, acceleration)
CORTEN_STAGE(Solve, solve)

#undef CORTEN_STAGE

// ---- readings -----------------------------------------------------------------------------------------
// A reading has up to three functions, called after the stages of positions, velocities and accelerations;
// where an integrator only tries a state they are not, unless it says `at_trial_states`.

struct Cameras {
  static constexpr bool at_trial_states = true;

  template <class M, class D>
  CORTEN_FN static void after_position(const M& m, const D& d) {
    camera(m, d);
  }
};

struct Sensing {
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
