// SPDX-License-Identifier: Apache-2.0
//
// The stages as types, so that a pipeline can be a list of them (pipeline.hpp). This file shows
// what a step computes, in order; data/fields.hpp lists what each stage writes. Each stage is also
// a function that can be called on its own. Naming a stage here does not include its header: the
// functions are looked up where a pipeline runs (forward.hpp includes them all).
#pragma once

#include <corten/config.hpp>
#include <corten/core/choices.hpp>
#include <corten/core/enums.hpp>
#include <corten/core/policy.hpp>

#include <type_traits>

namespace corten {

// How worlds in lanes run a stage (lane_step.hpp): together, in packs; world by world, by an
// overload for a Lane (data/lanes.hpp) that first takes the fields it reads from the block; or
// first together and then world by world. A stage that says nothing runs world by world, and all
// fields are copied.
inline constexpr int in_packs = 1, by_world = 2;

template <class Stage>
inline constexpr int lane_use = [] {
  if constexpr (requires { Stage::lanes; }) {
    return Stage::lanes;
  } else {
    return 0;
  }
}();

// How a device runs a stage (sycl/sequence.hpp): the whole of it in one kernel with a work item per
// world, unless the stage says more. A stage that does nothing for some models says so, by
//
//     static bool idle(const M& m)
//
// and is not launched then. One that says `static constexpr bool small = true` may share a kernel
// with its neighbours. A stage can be divided: parts(m, f) calls f(part) for each of its parts in
// order, and each becomes a kernel. A part is a small struct with one of
//
//     void operator()(const M& m, const D& d) const            // over the worlds
//     void operator()(const M& m, const D& d, int item) const  // over worlds × items
//
// where the second says `static constexpr Over over = Over::item` and also has `int items(const
// DataSizes& n) const`, a bound on the number of items, which must not depend on each other. A part
// that does nothing for data of some sizes says so by idle(n). What the parts do together is what
// run() does. (Over::batch: what ranges over all worlds together, as the lists of pairs in
// sycl/pair_lists.hpp do. Over::team: worlds, each by one thread or by a team of threads, as
// SolvePart below.)
enum class Over { world, item, batch, team };

template <class Part>
inline constexpr Over range_of = [] {
  if constexpr (requires { Part::over; }) {
    return Part::over;
  } else {
    return Over::world;
  }
}();

// In a model of many bodies, stages that treat one tree after the other run in turns: each of them
// on some trees, whose numbers are still in the cache, before the next trees (forward.hpp). Such a
// stage says by by_trees(m) whether it does so for this model, and has trees(m, d, run) for the
// bodies of a run. It may have begin(m, d) and end(m, d) for what comes before and after all trees.
// What they do together is what run() does while no tree sleeps. `Itself` is the stage: one that
// derives from it and has a run() of its own does not inherit its turns.

// what a reading must have: readings are explained below
namespace reading_policy {

CORTEN_POLICY_NAMES(after_position, after_velocity, after_acceleration)
CORTEN_POLICY_NAME(after_position)
CORTEN_POLICY_NAME(after_velocity)
CORTEN_POLICY_NAME(after_acceleration)
CORTEN_POLICY_RULE("reading", "pipeline/stages.hpp", after,
                   "has no after_position, after_velocity or after_acceleration(m, d)",
                   names_after_position<Kind> || names_after_velocity<Kind> ||
                       names_after_acceleration<Kind>)

struct Rules : detail::Rules<after> {};

}  // namespace reading_policy

template <class R>
concept ReadingPolicy = reading_policy::Rules::obeyed<R>;

}  // namespace corten

namespace corten::stages {

#define CORTEN_STAGE(Name, function, how, ...)          \
  struct Name {                                         \
    using Itself = Name;                                \
    static constexpr int lanes = how;                   \
    static constexpr const char* name = #function;      \
                                                        \
    template <class M, class D>                         \
    CORTEN_FN static void run(const M& m, const D& d) { \
      function(m, d);                                   \
    }                                                   \
    __VA_ARGS__                                         \
  };

#define CORTEN_SMALL static constexpr bool small = true;
#define CORTEN_IDLE(condition)             \
  template <class M>                       \
  CORTEN_FN static bool idle(const M& m) { \
    return condition;                      \
  }
#define CORTEN_TREES(function, condition)                               \
  template <class M>                                                    \
  CORTEN_FN static bool by_trees([[maybe_unused]] const M& m) {         \
    return condition;                                                   \
  }                                                                     \
  template <class M, class D, class R>                                  \
  CORTEN_FN static void trees(const M& m, const D& d, const R& trees) { \
    function(m, d, trees);                                              \
  }
#define CORTEN_BEFORE(function)                         \
  template <class M, class D>                           \
  CORTEN_FN static void begin(const M& m, const D& d) { \
    begin_##function(m, d);                             \
  }
#define CORTEN_AFTER(function)                        \
  template <class M, class D>                         \
  CORTEN_FN static void end(const M& m, const D& d) { \
    end_##function(m, d);                             \
  }

// depend on qpos alone
CORTEN_STAGE(Kinematics, kinematics, in_packs,
             CORTEN_SMALL CORTEN_TREES(kinematics, true) CORTEN_BEFORE(kinematics)
                 CORTEN_AFTER(kinematics))
CORTEN_STAGE(Com, com, in_packs,
             CORTEN_SMALL CORTEN_TREES(com, true) CORTEN_BEFORE(com) CORTEN_AFTER(com))
CORTEN_STAGE(Flex, flex, by_world, CORTEN_IDLE(m.n.nflex == 0))
CORTEN_STAGE(Tendon, tendon, in_packs, CORTEN_IDLE(m.n.ntendon == 0))
CORTEN_STAGE(Inertia, inertia, in_packs,
             CORTEN_SMALL CORTEN_TREES(inertia, m.n.ntendon == 0) CORTEN_BEFORE(inertia))
CORTEN_STAGE(Factor, factor, in_packs, CORTEN_SMALL CORTEN_TREES(factor, true))

// a device has a kernel for each collider (sycl/pair_lists.hpp)
struct Collision {
  static constexpr int lanes = by_world;
  static constexpr const char* name = "collision";

  template <class M, class D>
  CORTEN_FN static void run(const M& m, const D& d) {
    collision(m, d);
  }
  template <class M, class Servers, class F>
  static void parts(const M& m, const Servers& servers, F&& f) {
    collision_parts(m, servers, f);
  }
};
CORTEN_STAGE(SoftDetection, soft_detection, by_world, CORTEN_IDLE(m.n.nsoft == 0))

// a device has a kernel for each group of rows (stage/constraint.hpp)
struct Constraint {
  static constexpr int lanes = by_world;
  static constexpr const char* name = "constraint";

  template <class M, class D>
  CORTEN_FN static void run(const M& m, const D& d) {
    constraint(m, d);
  }
  template <class M, class F>
  static void parts(const M& m, F&& f) {
    constraint_parts(m, f);
  }
};
CORTEN_STAGE(Transmission, transmission, in_packs | by_world, CORTEN_SMALL)

// depend on qpos and qvel
CORTEN_STAGE(Velocity, velocity, in_packs,
             CORTEN_SMALL CORTEN_TREES(velocity, true) CORTEN_BEFORE(velocity))
CORTEN_STAGE(Passive, passive, in_packs | by_world,
             CORTEN_SMALL CORTEN_TREES(passive, only_joint_forces(m)))
CORTEN_STAGE(Bias, bias, in_packs, CORTEN_SMALL CORTEN_TREES(bias, m.n.ntendon == 0))
CORTEN_STAGE(Reference, reference, by_world, CORTEN_SMALL)

// depend on all inputs
CORTEN_STAGE(Actuation, actuation, in_packs,
             CORTEN_SMALL CORTEN_TREES(actuation, m.n.nactuator == 0))
CORTEN_STAGE(Acceleration, acceleration, in_packs,
             CORTEN_SMALL CORTEN_TREES(acceleration, m.n.nflex == 0))

// A device has a kernel for each method, and may solve with a team of threads per world
// (solver/together.hpp).
template <Solver Method>
struct SolvePart {
  static constexpr Over over = Over::team;
  bool divides;

  // May this model's worlds be solved by teams, and with how much shared memory?
  template <class N>
  bool together(const N& n) const {
    return divides && !n.compressed() && n.ndual == 0;
  }
  template <class M, class D>
  static int room(const M& m, const D& d, int most) {
    return team_room(m, d, most);
  }
  template <class M, class D>
  CORTEN_FN void operator()(const M& m, const D& d) const {
    solve(Solvers<Method>{}, m, d);
  }
  template <class G, class M, class D, class R>
  CORTEN_FN void operator()(const G& team, const M& m, const D& d, const R& room) const {
    if constexpr (Method != Solver::cg) solve_together(Solvers<Method>{}, team, m, d, room);
  }
};
struct NoslipPart {
  template <class M, class D>
  CORTEN_FN void operator()(const M& m, const D& d) const {
    slip_after(m, d);
  }
};
struct Solve {
  static constexpr int lanes = in_packs | by_world;
  static constexpr const char* name = "solve";

  template <class M, class D>
  CORTEN_FN static void run(const M& m, const D& d) {
    solve(m, d);
  }
  template <class M, class F>
  static void parts(const M& m, F&& f) {
    M::Policies::Solvers::visit(m.opt.solver, [&](auto method) {
      f(SolvePart<decltype(method)::value>{solves_together(m)});
    });
    if (m.opt.noslip_iterations > 0) f(NoslipPart{});
  }
};

// a device has kernels for the rounds of soft bodies and for the search for contacts between them
struct SoftRound {
  int round;

  template <class M, class D>
  CORTEN_FN void operator()(const M& m, const D& d) const {
    soft_round(m, d, round);
  }
};
struct SoftAgain {
  template <class M, class D>
  CORTEN_FN void operator()(const M& m, const D& d) const {
    soft_detect_again(m, d);
  }
};
struct SoftDynamics {
  static constexpr int lanes = by_world;
  static constexpr const char* name = "soft_dynamics";
  CORTEN_IDLE(m.n.nsoft == 0)

  template <class M, class D>
  CORTEN_FN static void run(const M& m, const D& d) {
    soft_dynamics(m, d);
  }
  template <class M, class F>
  static void parts(const M& m, F&& f) {
    const int rounds = soft_rounds(m);
    for (int r = 0; r < rounds; ++r) {
      if (r > 0) f(SoftAgain{});
      f(SoftRound{r});
    }
  }
};

#undef CORTEN_STAGE

// ---- readings -----------------------------------------------------------------------------------
// A reading has up to three functions, called after the stages of positions, velocities and
// accelerations. They are skipped at trial states of an integrator unless it says
// `at_trial_states`. For devices, parts_after_position(m, f) and the like may divide them.

struct Cameras {
  static constexpr int lanes = in_packs;
  static constexpr bool at_trial_states = true;
  CORTEN_IDLE(m.n.ncam + m.n.nlight == 0)

  template <class M, class D>
  CORTEN_FN static void after_position(const M& m, const D& d) {
    camera(m, d);
  }
};

struct Sensing {
  static constexpr int lanes = in_packs | by_world;
  CORTEN_IDLE(m.n.nsensor == 0 || m.opt.disabled(disable_sensor))

  template <class M, class F>
  static void parts_after_position(const M& m, F&& f) {
    sensor_position_parts(m, f);
  }

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
  CORTEN_IDLE(!m.opt.enabled(enable_energy))

  template <class M, class D>
  CORTEN_FN static void after_position(const M& m, const D& d) {
    if (m.opt.enabled(enable_energy)) potential_energy(m, d);
  }
  template <class M, class D>
  CORTEN_FN static void after_velocity(const M& m, const D& d) {
    if (m.opt.enabled(enable_energy)) kinetic_energy(m, d);
  }
};

#undef CORTEN_IDLE
#undef CORTEN_SMALL
#undef CORTEN_TREES
#undef CORTEN_BEFORE
#undef CORTEN_AFTER

}  // namespace corten::stages
