// SPDX-License-Identifier: Apache-2.0
//
// Loops over state and inputs, i.e. everything that a step starts from, generated from their only
// list (CORTEN_STATE_TABLE in fields.hpp). All code that copies, clears, saves or differentiates
// them goes through here. Code with a list of its own would miss the next input to be added, and
// derivatives with respect to that input would silently be zero.
#pragma once

#include <corten/data/data_ref.hpp>

namespace corten {

namespace detail {

// numbers of the parts; time is 0
enum StatePart : int {
  part_time,
#define X(type, name, rows, width, meaning) part_##name,
  CORTEN_MUJOCO_STATE_TABLE(X, X, X) part_plugin,
  CORTEN_SLEEP_TABLE(X, X, X)
#undef X
#define X(type, name, rows, width, meaning) part_##name,
      CORTEN_SOFT_STATE_TABLE(X)
#undef X
          part_end
};

}  // namespace detail

// parts of the state, as in MuJoCo's mjtState
enum StateBit : int {
  state_time = 1 << detail::part_time,
#define X(type, name, rows, width, meaning) state_##name = 1 << detail::part_##name,
  CORTEN_STATE_TABLE(X, X, X)
#undef X
      state_plugin = 1 << detail::part_plugin,  // always empty, as there are no plugins
#define X(type, name, rows, width, meaning) state_##name = 1 << detail::part_##name,
  CORTEN_SOFT_STATE_TABLE(X)
#undef X
      state_warmstart = state_qacc_warmstart,

  // the physical state; the same with time; everything a step depends on; what the user sets
  state_soft = state_soft_pos | state_soft_vel | state_soft_flags | state_soft_idle,
  state_physics = state_qpos | state_qvel | state_act | state_history | state_soft,
  state_full_physics = state_time | state_physics | state_plugin,
  state_integration = (1 << detail::part_end) - 1,
  state_user = state_integration & ~state_full_physics & ~state_warmstart & ~state_tree_asleep
};

// f(bit, name, field, count) for each part, time first
template <class D, class F>
CORTEN_FN void each_state(const D& d, F&& f) {
  const DataSizes& n = d.n;
  f(state_time, "time", Field<typename D::Scalar>{d.time.data}, 1);
#define X(type, name, rows, width, meaning) f(state_##name, #name, d.name, (rows) * (width));
  CORTEN_STATE_TABLE(X, X, X)
  CORTEN_SOFT_STATE_TABLE(X)
#undef X
}

// Copies state and inputs from one world to another of the same sizes. The scalars may differ;
// numbers copied from a scalar without derivatives have none.
template <class A, class B>
CORTEN_FN void copy_states(const A& from, const B& to) {
  using S = typename B::Scalar;
  DataSizes n = from.n;
  if (to.n.nsleep < n.nsleep) n.nsleep = to.n.nsleep;
  to.time = S(from.time.get());
#define X(type, name, rows, width, meaning) copy(to.name, from.name, (rows) * (width));
  CORTEN_STATE_TABLE(X, X, X)
  CORTEN_SOFT_STATE_TABLE(X)
#undef X
}

}  // namespace corten
