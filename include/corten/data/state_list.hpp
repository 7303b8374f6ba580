// SPDX-License-Identifier: Apache-2.0
//
// Walks over state and inputs, everything that a step starts from, by the one list of them
// (CORTEN_STATE_TABLE in fields.hpp). Whatever copies, clears, saves or differentiates them goes through here: a
// place that had a list of its own would forget the next input, and the derivatives in it would be silently zero.
#pragma once

#include <corten/data/data_ref.hpp>

namespace corten {

namespace detail {

// the number of each part, after time, which is 0
enum StatePart : int {
  part_time,
#define X(type, name, rows, width, meaning) part_##name,
  CORTEN_STATE_TABLE(X, X, X)
#undef X
      part_plugin
};

}  // namespace detail

// parts of the state, MuJoCo's mjtState
enum StateBit : int {
  state_time = 1 << detail::part_time,
#define X(type, name, rows, width, meaning) state_##name = 1 << detail::part_##name,
  CORTEN_STATE_TABLE(X, X, X)
#undef X
      state_plugin = 1 << detail::part_plugin,  // there are no plugins: no numbers
  state_warmstart = state_qacc_warmstart,

  // what moves by itself; with time; what the user sets; all that a step depends on
  state_physics = state_qpos | state_qvel | state_act | state_history,
  state_full_physics = state_time | state_physics | state_plugin,
  state_integration = state_plugin * 2 - 1,
  state_user = state_integration & ~state_full_physics & ~state_warmstart
};

// f(bit, name, field, count) for each part, time first
template <class D, class F>
CORTEN_FN void each_state(const D& d, F&& f) {
  const DataSizes& n = d.n;
  f(state_time, "time", Field<typename D::Scalar>{d.time.data}, 1);
#define X(type, name, rows, width, meaning) f(state_##name, #name, d.name, (rows) * (width));
  CORTEN_STATE_TABLE(X, X, X)
#undef X
}

// State and inputs of one world become those of another, of the same sizes. The scalars may differ: what has
// no derivatives gets none.
template <class A, class B>
CORTEN_FN void copy_states(const A& from, const B& to) {
  using S = typename B::Scalar;
  const DataSizes& n = from.n;
  to.time = S(from.time.get());
#define X(type, name, rows, width, meaning) copy(to.name, from.name, (rows) * (width));
  CORTEN_STATE_TABLE(X, X, X)
#undef X
}

}  // namespace corten
