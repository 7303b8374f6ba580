// SPDX-License-Identifier: Apache-2.0
//
// Sleep (<flag sleep="enable"/>): a tree that has come to rest is left alone until something
// disturbs it (wake.hpp), and costs next to nothing meanwhile. The rules are MuJoCo's.
//
// tree_asleep of an awake tree counts the steps in which it was slow, from -11 up to -1: no
// velocity above opt.sleep_tolerance (rotations count with dof_length), no applied force, and a
// policy that allows it. An island falls asleep when all its trees are at -1. Their velocities
// become zero, and tree_asleep links them to a cycle, so that they wake together.
//
// A state that contains tree_asleep may be loaded into data that knows nothing of the sleeping
// trees but their coordinates. `Rest` tells which trees the data knows; settle() in
// pipeline/forward.hpp makes up for the others.
#pragma once

#include <corten/solver/wake.hpp>

namespace corten {

namespace detail {

// Counts the steps in which trees were slow. Returns whether some are due to sleep.
template <class M, class D>
CORTEN_FN bool count_slow_steps(const M& m, const D& d) {
  using T = value_t<typename D::Scalar>;
  const T tolerance = T(value(m.opt.sleep_tolerance));
  bool due = false;
  for (int t = 0; t < m.n.ntree; ++t) {
    int& asleep = d.tree_asleep[t];
    if (asleep >= 0) continue;
    if (!can_sleep(m, d, t, tolerance)) {
      asleep = fully_awake;
    } else if (asleep < -1) {
      ++asleep;
    }
    due = due || asleep == -1;
  }
  return due;
}

// Links the trees at -1 whose whole island is at -1 to cycles, and marks them in tree_work.
template <class M, class D>
CORTEN_FN int link_islands(const M& m, const D& d) {
  const int ntree = m.n.ntree, rows = d.nefc;
  const auto mark = d.tree_work, ready = mark.from(ntree), first = mark.from(2 * ntree),
             last = mark.from(3 * ntree);
  const auto island = [&](int t) { return rows > 0 ? int(d.isl_tree[t]) : -1; };
  fill(mark, ntree, 0);
  fill(ready, ntree, 1);
  fill(first, ntree, -1);
  for (int t = 0; t < ntree; ++t) {
    if (island(t) >= 0 && d.tree_asleep[t] != -1) ready[island(t)] = 0;
  }
  int fallen = 0;
  for (int t = 0; t < ntree; ++t) {
    const int k = island(t);
    if (d.tree_asleep[t] != -1 || (k >= 0 && !ready[k])) continue;
    mark[t] = 1;
    ++fallen;
    const bool begins = k < 0 || first[k] < 0;
    if (k >= 0 && begins) first[k] = t;
    if (!begins) d.tree_asleep[last[k]] = t;
    d.tree_asleep[t] = k < 0 ? t : int(first[k]);
    if (k >= 0) last[k] = t;
  }
  return fallen;
}

}  // namespace detail

// Puts the trees to sleep that are due, with zero velocity and acceleration: after a forward pass,
// before the state advances. Returns their number; tree_work says which.
template <class M, class D>
CORTEN_FN int fall_asleep(const M& m, const D& d) {
  using S = typename D::Scalar;
  if (d.nefc > 0 && m.opt.disabled(disable_island)) return 0;
  if (!detail::count_slow_steps(m, d)) return 0;
  const int fallen = detail::link_islands(m, d);
  if (fallen == 0) return 0;
  for (int t = 0; t < m.n.ntree; ++t) {
    if (d.tree_work[t] == 0) continue;
    detail::lay_down(m, d, t);
    fill(d.qvel.from(m.tree_dofadr[t]), m.tree_dofnum[t], S(0));
    fill(d.qacc.from(m.tree_dofadr[t]), m.tree_dofnum[t], S(0));
  }
  list_awake(m, d);
  return fallen;
}

// Puts the trees to sleep that are to start asleep, after a pass with all trees awake. Returns
// false if some cannot, because their island holds others or is still moving.
template <class M, class D>
CORTEN_FN bool start_asleep(const M& m, const D& d) {
  const auto waits = [&](int t) { return d.tree_asleep[t] == to_start_asleep; };
  int count = 0;
  for (int t = 0; t < m.n.ntree; ++t) count += waits(t) ? 1 : 0;
  if (count == 0) return true;
  for (int t = 0; t < m.n.ntree; ++t) {
    if (waits(t)) d.tree_asleep[t] = -1;
  }
  const int fallen = fall_asleep(m, d);
  for (int t = 0; t < m.n.ntree; ++t) {
    if (d.tree_asleep[t] == -1) d.tree_asleep[t] = fully_awake;
  }
  return fallen >= count;
}

// Leaves out all trees that sleep, after a pass with all trees awake. Trees that have slept from
// the start, whose warm start is therefore still zero, have no smooth force either, as in MuJoCo.
template <class M, class D>
CORTEN_FN void rest_again(const M& m, const D& d) {
  using S = typename D::Scalar;
  for (int t = 0; t < m.n.ntree; ++t) {
    if (d.tree_asleep[t] < 0) continue;
    d.tree_rest[t] = static_cast<int>(Rest::fallen);
    const int first = m.tree_dofadr[t], count = m.tree_dofnum[t];
    if (m.tree_sleep_policy[t] != static_cast<int>(SleepPolicy::init)) continue;
    if (!detail::all_zero(d.qacc_warmstart, first, first + count)) continue;
    fill(d.qfrc_smooth.from(first), count, S(0));
    fill(d.qacc_smooth.from(first), count, S(0));
  }
  list_awake(m, d);
}

// The trees that have just fallen asleep take part in the stages once more, or no more.
template <class M, class D>
CORTEN_FN void include_fallen(const M& m, const D& d, bool include) {
  const Rest rest = include ? Rest::none : Rest::fallen;
  for (int t = 0; t < m.n.ntree; ++t) {
    if (d.tree_work[t] != 0) d.tree_rest[t] = static_cast<int>(rest);
  }
  list_awake(m, d);
}

}  // namespace corten
