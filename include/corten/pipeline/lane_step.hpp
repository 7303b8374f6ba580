// SPDX-License-Identifier: Apache-2.0
//
// A step of N worlds in lockstep, by any pipeline. Each stage says how it runs (stages.hpp). Smooth
// stages and the integrator run in packs, one world per lane. Collision, constraint rows, the
// solver and sensors that look at contacts run world by world, because worlds touch the ground at
// different times.
//
// Exceptional cases (a bad state, contacts that do not fit) are not handled here: the lane is
// returned with its state untouched, and the caller steps that world alone. A lane's numbers do not
// depend on its neighbours.
#pragma once

#include <corten/data/lanes.hpp>
#include <corten/pipeline/step.hpp>

namespace corten {

namespace detail {

// The lanes that hold NaN, infinity or a huge number.
template <class S>
CORTEN_FN unsigned bad_lanes(Field<S> x, int count) {
  mask_t<S> bad = is_bad(S(0));
  for (int i = 0; i < count; ++i) bad = bad || is_bad(x[i]);
  return lane_bits(bad);
}

// The lanes where tree_factor replaced a pivot of the inertia matrix because it was too small.
template <class S>
CORTEN_FN unsigned singular_lanes(Field<S> inverse_pivots, int count) {
  const value_t<S> most(1 / min_value);
  mask_t<S> bad = most < most;
  for (int i = 0; i < count; ++i) bad = bad || !(value(inverse_pivots[i]) < most);
  return lane_bits(bad);
}

// The lanes where the matrix of an integrator has a negative pivot.
template <class S>
CORTEN_FN unsigned indefinite_lanes(Field<S> inverse_pivots, int count) {
  const value_t<S> zero(0);
  mask_t<S> bad = zero < zero;
  for (int i = 0; i < count; ++i) bad = bad || value(inverse_pivots[i]) < zero;
  return lane_bits(bad);
}

}  // namespace detail

// Copies everything that a lane has computed into its world.
template <class M, class S>
CORTEN_FN void show_lane(const M& m, const Lane<S>& lane) {
  publish_lane(lane);
  if constexpr (M::Policies::Pipeline::template has<stages::Tendon>) tendon_points(m, lane.world);
}

// Runs a stage or reading f(data): on the block, on each lane in `active`, or on the world of each
// such lane, in which case all fields are copied to the world and back. A lane whose sparsity
// patterns then differ from those of the first lane leaves `active`.
template <class Stage, class M, class S, class F>
CORTEN_FN void in_lanes(const M& m, const LaneBlock<S>& b, unsigned& active, F&& f) {
  constexpr int use = lane_use<Stage>;
  if constexpr ((use & in_packs) != 0) f(b.block);
  if constexpr ((use & by_world) != 0) {
    each_lane(active, [&](int lane) { f(b[lane]); });
  }
  if constexpr (use == 0) {
    bool first = true;
    each_lane(active, [&](int lane) {
      show_lane(m, b[lane]);
      f(*b.world[lane]);
      if (!collect_lane(b[lane], first)) active &= ~(1u << lane);
      first = false;
    });
  }
}

namespace detail {

template <class M, class S, class... Stage>
CORTEN_FN void run_in_lanes(Stages<Stage...>, const M& m, const LaneBlock<S>& b, unsigned& active) {
  (in_lanes<Stage>(m, b, active, [&](const auto& d) { Stage::run(m, d); }), ...);
}

// The readings, after the stages of positions, velocities or accelerations.
template <class M, class S>
struct LaneReadings {
  const M& m;
  const LaneBlock<S>& b;
  unsigned& active;
  bool trial;

#define CORTEN_READ(function)                                                     \
  CORTEN_FN void function() const {                                               \
    each_reading(typename M::Policies::Pipeline::readings{}, trial, [&](auto r) { \
      using R = decltype(r);                                                      \
      if constexpr (reading_policy::names_##function<R>) {                        \
        in_lanes<R>(m, b, active, [&](const auto& d) { R::function(m, d); });     \
      }                                                                           \
    });                                                                           \
  }
  CORTEN_READ(after_position)
  CORTEN_READ(after_velocity)
  CORTEN_READ(after_acceleration)
#undef CORTEN_READ
};

// The lanes whose contacts or rows did not fit.
template <class S>
CORTEN_FN unsigned overflowed(const LaneBlock<S>& b, unsigned active) {
  unsigned out = 0;
  each_lane(active, [&](int lane) {
    if (Status{b.world[lane]->status}.overflow()) out |= 1u << lane;
  });
  return out;
}

}  // namespace detail

// Computes accelerations from the states and inputs of the lanes. Returns the lanes of `active`
// that succeeded: their contacts and rows fit, and no stage reported a problem.
template <class M, class S>
CORTEN_ENTRY unsigned lane_forward(const M& m, const LaneBlock<S>& b, unsigned active,
                                   bool with_sensors = true) {
  using Pipeline = typename M::Policies::Pipeline;
  const DataRef<S>& d = b.block;
  const detail::LaneReadings<M, S> read{m, b, active, !with_sensors};
  d.status = 0;
  d.energy[0] = d.energy[1] = S(0);
  each_lane(active, [&](int lane) { b.world[lane]->status = 0; });

  detail::run_in_lanes(typename Pipeline::position{}, m, b, active);
  active &= ~detail::overflowed(b, active);
  read.after_position();
  detail::run_in_lanes(typename Pipeline::velocity{}, m, b, active);
  read.after_velocity();
  if (Status{d.status}.has(bad_inertia)) active &= ~detail::singular_lanes(d.qLDiagInv, m.n.nv);
  detail::run_in_lanes(typename Pipeline::acceleration{}, m, b, active);
  read.after_acceleration();

  // Bad controls belong to lanes that are not active. Other bits cannot be attributed to a lane:
  // reject all lanes.
  return (d.status & ~(bad_inertia | bad_ctrl)) != 0 ? 0 : active;
}

namespace detail {

// In larger models the solver dominates, which runs world by world, and packs exceed the caches.
inline constexpr int most_lane_dofs = 200;

// Does the model ask for something that lanes cannot do together?
template <class M>
CORTEN_FN bool steps_alone(const M& m) {
  if (m.opt.enabled(enable_fwdinv) || m.opt.enabled(enable_sleep) || !advances(m)) return true;
  if (m.n.nv > most_lane_dofs || m.n.nflex > 0) return true;
  if constexpr (M::Policies::Pipeline::template has<stages::Sensing>) {
    return remembers_readings(m);  // each world samples at times of its own
  } else {
    return false;
  }
}

// Restores the state from before a step of RK4, which has left its trial states in the world.
template <class M, class S>
CORTEN_FN void restore_lane(const M& m, const Lane<S>& lane) {
  const auto state = lane.block.rk_state;
  const auto& world = lane.world;
  lane.take(state, world.qpos, m.n.nq);
  lane.take(state.from(m.n.nq), world.qvel, m.n.nv);
  lane.take(state.from(m.n.nq + m.n.nv), world.act, m.n.na);
}

}  // namespace detail

// Takes one timestep with the lanes in `active`, from the state and inputs in the block
// (load_lane). Returns the lanes that were advanced: their new state is in the block and in their
// worlds, and their status in their worlds. The worlds of the other lanes still hold the old state,
// and their lanes of the block hold nothing useful.
template <class M, class S>
CORTEN_ENTRY unsigned lane_step(const M& m, const LaneBlock<S>& b, unsigned active) {
  const DataRef<S>& d = b.block;
  const int nv = m.n.nv;
  if (!has_scratch(m, d) || detail::steps_alone(m)) return 0;
  each_lane(active, [&](int lane) {
    if (!has_scratch(m, *b.world[lane])) active &= ~(1u << lane);
  });
  active &= ~(detail::bad_lanes(d.qpos, m.n.nq) | detail::bad_lanes(d.qvel, nv) |
              detail::bad_lanes(d.ctrl, m.n.nu));
  int bits[static_cast<std::size_t>(lane_count<S>)] = {};
  const auto note = [&] {
    each_lane(active, [&](int lane) { bits[lane] |= b.world[lane]->status; });
  };

  active = lane_forward(m, b, active);
  active &= ~detail::bad_lanes(d.qacc, nv);
  note();
  if (active == 0) return 0;

  bool done = false;
  if constexpr (M::Policies::Integrators::has(Integrator::rk4)) {
    if (is_rk4(m)) {
      const unsigned started = active;
      const S time = d.time;
      each_lane(started, [&](int lane) { b.world[lane]->soft_hold = 1; });
      rk4(m, d, [&](const auto& model, const auto&) {
        active = lane_forward(model, b, active, false);
        note();
        return true;
      });
      each_lane(started & ~active, [&](int lane) {
        detail::restore_lane(m, b[lane]);
        b.world[lane]->time = LaneTraits<S>::get(time, lane);
      });
      each_lane(started, [&](int lane) { b.world[lane]->soft_hold = 0; });
      done = true;
    }
  }
  if (!done) {
    d.status = 0;
    active &= lane_bits(integrate(m, d));
    if (Status{d.status}.has(indefinite_step)) {
      each_lane(detail::indefinite_lanes(d.work_nv.from(nv), nv),
                [&](int lane) { bits[lane] |= indefinite_step; });
    }
  }

  each_lane(active, [&](int lane) {
    const auto& world = *b.world[lane];
    store_state(b[lane]);
    detail::advance_softs(m, world);
    world.status = bits[lane];
    count_warnings(world, bits[lane]);
  });
  return active;
}

}  // namespace corten
