// SPDX-License-Identifier: Apache-2.0
//
// A rollout: many steps of many worlds, from and to row-major matrices, with nothing between the
// steps of a world but the copy of its controls, state and sensors.
#pragma once

#include <corten/core/result.hpp>
#include <corten/core/status.hpp>
#include <corten/data/data_ref.hpp>
#include <corten/data/reset.hpp>
#include <corten/math/field.hpp>

#include <optional>
#include <span>
#include <string>

namespace corten {

// numbers of a state: qpos, then qvel, then act
CORTEN_FN int state_size(const Sizes& n) { return n.nq + n.nv + n.na; }

// the state of a world into a row of a matrix
template <class D, class F>
CORTEN_FN void read_state(const D& d, const F& row) {
  copy(row, d.qpos, d.n.nq);
  copy(row.from(d.n.nq), d.qvel, d.n.nv);
  copy(row.from(d.n.nq + d.n.nv), d.act, d.n.na);
}

// and back
template <class D, class F>
CORTEN_FN void write_state(const D& d, const F& row) {
  copy(d.qpos, row, d.n.nq);
  copy(d.qvel, row.from(d.n.nq), d.n.nv);
  copy(d.act, row.from(d.n.nq + d.n.nv), d.n.na);
}

// What goes in and what comes out; an empty span is a matrix that is not wanted. A state is qpos,
// qvel, act. Rows after the failure of a world repeat its last state and readings; its status says
// so.
template <class S>
struct Rollout {
  int steps = 1;
  std::span<const S>
      initial;  // worlds × state: the worlds are reset, then start here; empty: go on
  std::span<const S> controls;  // worlds × steps × nu; empty: the controls stay as they are
  std::span<S> states;          // worlds × steps × state, after each step
  std::span<S> sensors;         // worlds × steps × nsensordata, as each step left them
};

// the same in the memory of a device: null pointers for what is not wanted
template <class S>
struct RolloutRef {
  int steps = 1;
  const S* initial = nullptr;
  const S* controls = nullptr;
  S* states = nullptr;
  S* sensors = nullptr;
};

// the matrices of the host as pointers
template <class S>
RolloutRef<S> view(const Rollout<S>& r) {
  const auto pointer = [](auto span) { return span.empty() ? nullptr : span.data(); };
  return {r.steps, pointer(r.initial), pointer(r.controls), pointer(r.states), pointer(r.sensors)};
}

// an error that says which matrix has the wrong size
template <class S>
std::optional<Error> check(const Rollout<S>& r, const Sizes& n, int worlds) {
  const auto wrong = [&](const char* name, std::size_t got, int steps,
                         int width) -> std::optional<Error> {
    const std::size_t wanted = static_cast<std::size_t>(worlds) * static_cast<std::size_t>(steps) *
                               static_cast<std::size_t>(width);
    if (got == 0 || got == wanted) return {};
    return Error{{},
                 std::string("rollout.") + name,
                 "has " + std::to_string(got) + " numbers",
                 std::to_string(worlds) + " worlds × " + std::to_string(steps) + " × " +
                     std::to_string(width) + " are needed, or none"};
  };
  if (r.steps < 0) return Error{{}, "rollout.steps", "is negative"};
  if (auto e = wrong("initial", r.initial.size(), 1, state_size(n))) return e;
  if (auto e = wrong("controls", r.controls.size(), r.steps, n.nu)) return e;
  if (auto e = wrong("states", r.states.size(), r.steps, state_size(n))) return e;
  return wrong("sensors", r.sensors.size(), r.steps, n.nsensordata);
}

// Can a world with this status take another step? Bad controls are replaced, and a solver that ran out of
// iterations has made its step; the rest stops it.
CORTEN_FN bool goes_on(Status status) {
  return Status{status.bits & ~(bad_ctrl | solver_limit)}.ok();
}

// ---- the matrices, a world and a step at a time ----------------------------------------------------------

// the state that the world starts from, if one is given
template <class M, class D, class S>
CORTEN_FN void start_world(const M& m, const D& d, const RolloutRef<S>& r, int world) {
  if (!r.initial) return;
  reset_state(m, d);
  write_state(d, Field<const S>{r.initial + static_cast<std::ptrdiff_t>(world) * state_size(m.n)});
}

// the controls of step k; false: they stay as they are
template <class M, class F, class S>
CORTEN_FN bool set_controls(const M& m, const F& ctrl, const RolloutRef<S>& r, int world, int k) {
  if (!r.controls) return false;
  const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(world) * r.steps + k;
  copy(ctrl, Field<const S>{r.controls + row * m.n.nu}, m.n.nu);
  return true;
}

// what step k has left; of a world that stops there, in all rows that follow
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

// All steps of one world: step() is one of them. The bits of all steps together.
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
