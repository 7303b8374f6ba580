// SPDX-License-Identifier: Apache-2.0
//
// A rollout: many steps of many worlds, from and to row-major matrices. Between the steps of a
// world only its controls, state and sensor readings are copied.
#pragma once

#include <corten/batch/error.hpp>
#include <corten/core/status.hpp>
#include <corten/data/data_ref.hpp>
#include <corten/data/reset.hpp>
#include <corten/math/field.hpp>

#include <span>
#include <string>

namespace corten {

// numbers of a state: qpos, then qvel, then act
CORTEN_FN int state_size(const Sizes& n) { return n.nq + n.nv + n.na; }

// Copies the state of a world into a row of a matrix.
template <class D, class F>
CORTEN_FN void read_state(const D& d, const F& row) {
  copy(row, d.qpos, d.n.nq);
  copy(row.from(d.n.nq), d.qvel, d.n.nv);
  copy(row.from(d.n.nq + d.n.nv), d.act, d.n.na);
}

// Copies a row of a matrix into the state of a world.
template <class D, class F>
CORTEN_FN void write_state(const D& d, const F& row) {
  copy(d.qpos, row, d.n.nq);
  copy(d.qvel, row.from(d.n.nq), d.n.nv);
  copy(d.act, row.from(d.n.nq + d.n.nv), d.n.na);
}

// Matrices with one row per world: how wide a row is, and how it is read from and written to a
// world.
struct StateMatrix {
  CORTEN_FN static int width(const Sizes& n) { return state_size(n); }
  template <class D, class F>
  CORTEN_FN static void read(const D& d, const F& row) {
    read_state(d, row);
  }
  template <class D, class F>
  CORTEN_FN static void write(const D& d, const F& row) {
    write_state(d, row);
  }
};
struct ControlMatrix {
  CORTEN_FN static int width(const Sizes& n) { return n.nu; }
  template <class D, class F>
  CORTEN_FN static void write(const D& d, const F& row) {
    copy(d.ctrl, row, d.n.nu);
  }
};
struct SensorMatrix {
  CORTEN_FN static int width(const Sizes& n) { return n.nsensordata; }
  template <class D, class F>
  CORTEN_FN static void read(const D& d, const F& row) {
    copy(row, d.sensordata, d.n.nsensordata);
  }
};

// Inputs and outputs of a rollout; leave a span empty if you do not need it. A state is qpos, qvel,
// act. When a world fails, its status says so and its remaining rows repeat its last state and
// readings.
template <class S>
struct Rollout {
  int steps = 1;
  std::span<const S> initial =
      {};  // worlds × state: worlds are reset, then start here; empty: go on
  std::span<const S> controls = {};  // worlds × steps × nu; empty: the controls stay as they are
  std::span<S> states = {};          // worlds × steps × state, after each step
  std::span<S> sensors = {};         // worlds × steps × nsensordata, as each step left them
};

// The same in the memory of a device, with null pointers for empty spans.
template <class S>
struct RolloutRef {
  int steps = 1;
  const S* initial = nullptr;
  const S* controls = nullptr;
  S* states = nullptr;
  S* sensors = nullptr;
};

// The same matrices as pointers.
template <class S>
RolloutRef<S> pointers(const Rollout<S>& r) {
  const auto pointer = [](auto span) { return span.empty() ? nullptr : span.data(); };
  return {r.steps, pointer(r.initial), pointer(r.controls), pointer(r.states), pointer(r.sensors)};
}

// Refuses matrices of the wrong size.
template <class S>
BatchResult<> check(const Rollout<S>& r, const Sizes& n, int worlds) {
  const auto fits = [&](const char* name, std::size_t got, int steps, int width) -> BatchResult<> {
    const std::size_t wanted = static_cast<std::size_t>(worlds) * static_cast<std::size_t>(steps) *
                               static_cast<std::size_t>(width);
    if (got == 0 || got == wanted) return {};
    return BatchError{
        BatchError::Kind::wrong_size,
        Error{{},
              std::string("rollout.") + name,
              "has " + std::to_string(got) + " numbers",
              "pass " + std::to_string(worlds) + " worlds × " + std::to_string(steps) + " × " +
                  std::to_string(width) + ", or none"}};
  };
  if (r.steps < 0) {
    return BatchError{BatchError::Kind::wrong_size, Error{{}, "rollout.steps", "is negative"}};
  }
  if (auto ok = fits("initial", r.initial.size(), 1, state_size(n)); !ok) return ok;
  if (auto ok = fits("controls", r.controls.size(), r.steps, n.nu); !ok) return ok;
  if (auto ok = fits("states", r.states.size(), r.steps, state_size(n)); !ok) return ok;
  return fits("sensors", r.sensors.size(), r.steps, n.nsensordata);
}

// Can a world with this status take another step? Bad controls were replaced by zeros, and a solver
// at its iteration limit has finished its step; anything else stops the world.
CORTEN_FN bool goes_on(Status status) {
  return Status{status.bits & ~(bad_ctrl | solver_limit | awake_at_start)}.ok();
}

// ---- the matrices, one world and one step at a time ---------------------------------------------

// Puts the world into its initial state, if one is given.
template <class M, class D, class S>
CORTEN_FN void start_world(const M& m, const D& d, const RolloutRef<S>& r, int world) {
  if (!r.initial) return;
  reset_state(m, d);
  write_state(d, Field<const S>{r.initial + static_cast<std::ptrdiff_t>(world) * state_size(m.n)});
}

// Sets the controls of step k. Returns false if none are given.
template <class M, class F, class S>
CORTEN_FN bool set_controls(const M& m, const F& ctrl, const RolloutRef<S>& r, int world, int k) {
  if (!r.controls) return false;
  const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(world) * r.steps + k;
  copy(ctrl, Field<const S>{r.controls + row * m.n.nu}, m.n.nu);
  return true;
}

// Records step k, and if the world stops there, repeats it in the remaining rows.
template <class M, class D, class S>
CORTEN_FN void write_rows(const M& m, const D& d, const RolloutRef<S>& r, int world, int k,
                          bool stops) {
  if (!r.states && !r.sensors) return;
  const int nstate = state_size(m.n), nsensor = m.n.nsensordata;
  for (const int end = stops ? r.steps : k + 1; k < end; ++k) {
    const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(world) * r.steps + k;
    if (r.states) read_state(d, Field<S>{r.states + row * nstate});
    if (r.sensors) copy(Field<S>{r.sensors + row * nsensor}, d.sensordata, nsensor);
  }
}

// All steps of one world, where step() takes one. Returns the status bits of all steps combined.
template <class M, class D, class S, class Step>
CORTEN_FN Status roll(const M& m, const D& d, const RolloutRef<S>& r, int world, Step&& step) {
  start_world(m, d, r, world);
  int bits = 0;
  bool moving = true;
  for (int k = 0; k < r.steps && moving; ++k) {
    set_controls(m, d.ctrl, r, world, k);
    const Status status = step();
    bits |= status.bits;
    moving = goes_on(status);
    write_rows(m, d, r, world, k, !moving);
  }
  return Status{bits};
}

}  // namespace corten
