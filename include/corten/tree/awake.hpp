// SPDX-License-Identifier: Apache-2.0
//
// What stages skip while trees sleep (solver/sleep.hpp says when they do). Bodies are numbered tree
// by tree, and joints, dofs and geoms in the order of their bodies. What is left when some trees
// are taken out is therefore a few stretches of consecutive numbers, the runs: a stage that loops
// over bodies or dofs does so in each run. If nothing sleeps there is a single run of everything,
// so that inner loops are the same as in a model without sleep. A sleeping tree keeps the numbers
// of its last pass.
//
// Static bodies are in the runs, because sums over bodies go through them. So the parent of a body
// in a run is in a run too: it is of the same tree or static.
#pragma once

#include <corten/core/enums.hpp>
#include <corten/math/tree_ldl.hpp>

namespace corten {

// Consecutive bodies and what belongs to them. The world is in none, but its geoms are in the run
// of everything.
struct Run {
  int body, body_end, jnt, jnt_end, dof, dof_end, geom, geom_end;
};

// What the stages know of a tree that sleeps. They have its numbers as soon as it has fallen; as in
// MuJoCo, the first solve afterwards leaves it with its smooth acceleration and no constraint
// force, and the first advance with that as its warm start.
enum class Rest : int { none = 0, fallen, solved, settled };

// tree_asleep of a tree that has moved, and of one that is to start asleep (sleep="init") and
// waits for the first forward pass
inline constexpr int fully_awake = -11, to_start_asleep = -12;

// Everything is awake, or to start asleep. For a state that has just been reset.
template <class M, class D>
CORTEN_FN void reset_sleep(const M& m, const D& d) {
  d.ntree_awake = m.n.ntree;
  d.nbody_awake = m.n.nbody;
  d.nparent_awake = m.n.nbody;
  d.nv_awake = m.n.nv;
  d.nasleep = 0;
  for (int t = 0; t < d.n.nsleep; ++t) {
    const bool init = m.tree_sleep_policy[t] == static_cast<int>(SleepPolicy::init);
    d.tree_asleep[t] = init ? to_start_asleep : fully_awake;
    d.tree_rest[t] = static_cast<int>(Rest::none);
    d.tree_awake[t] = 1;
  }
}

// Does the data leave out any tree? Worlds in lanes never do.
template <class M, class D>
CORTEN_FN bool some_asleep(const M& m, const D& d) {
  if constexpr (is_lanes<typename D::Scalar>) {
    return false;
  } else {
    return m.opt.enabled(enable_sleep) && d.nasleep > 0;
  }
}

namespace detail {

template <class M, class D>
CORTEN_FN Run run_at(const M& m, const D& d, bool some, int k) {
  if (!some) return {1, m.n.nbody, 0, m.n.njnt, 0, m.n.nv, 0, m.n.ngeom};
  const auto r = d.awake_run.from(8 * k);
  return {r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7]};
}

}  // namespace detail

// f(run) for each run, from the root outwards
template <class M, class D, class F>
CORTEN_FN void each_run(const M& m, const D& d, F&& f) {
  const bool some = some_asleep(m, d);
  const int count = some ? int(d.nawake_run) : 1;
  for (int k = 0; k < count; ++k) f(detail::run_at(m, d, some, k));
}

// Calls f(first, end) for blocks of the bodies of a run, so that several passes over a block find
// its numbers in the cache. A block ends where the next body's parent is static: all other parents
// are in the blocks of their children.
template <class M, class F>
CORTEN_FN void each_block(const M& m, const Run& r, F&& f) {
  constexpr int enough = 64;
  for (int from = r.body, end = from; from < r.body_end; from = end) {
    end = from + enough < r.body_end ? from + enough : r.body_end;
    while (end < r.body_end && m.body_weldid[m.body_parentid[end]] != 0) ++end;
    f(from, end);
  }
}

// Calls f(bunch) for parts of the run of everything: children of the world with all that they
// carry, some at a time.
template <class M, class F>
CORTEN_FN void each_bunch(const M& m, int enough, F&& f) {
  Run r{1, 1, 0, 0, 0, 0, 0, m.body_geomnum[0]};
  while (r.body_end < m.n.nbody) {
    const int b = r.body_end++;
    r.jnt_end += m.body_jntnum[b];
    r.dof_end += m.body_dofnum[b];
    r.geom_end += m.body_geomnum[b];
    const bool last = r.body_end == m.n.nbody;
    if (!last && (r.body_end - r.body < enough || m.body_parentid[r.body_end] != 0)) continue;
    f(r);
    r = {r.body_end, r.body_end, r.jnt_end,  r.jnt_end,
         r.dof_end,  r.dof_end,  r.geom_end, r.geom_end};
  }
}

// f(run) for each run, towards the root
template <class M, class D, class F>
CORTEN_FN void each_run_back(const M& m, const D& d, F&& f) {
  const bool some = some_asleep(m, d);
  const int count = some ? int(d.nawake_run) : 1;
  for (int k = count - 1; k >= 0; --k) f(detail::run_at(m, d, some, k));
}

// f(i) for each dof that is awake
template <class M, class D, class F>
CORTEN_FN void each_awake_dof(const M& m, const D& d, F&& f) {
  each_run(m, d, [&](const Run& r) {
    for (int i = r.dof; i < r.dof_end; ++i) f(i);
  });
}

// f(tree) for each tree that is left out
template <class M, class D, class F>
CORTEN_FN void each_sleeper(const M& m, const D& d, F&& f) {
  if (!some_asleep(m, d)) return;
  for (int t = 0; t < m.n.ntree; ++t) {
    if (d.tree_rest[t] != static_cast<int>(Rest::none)) f(t);
  }
}

// The entries of M, or of a matrix with its pattern, that belong to the dofs of a run.
template <class M>
CORTEN_FN Dofs inertia_entries(const M& m, const Run& r) {
  if (r.dof == r.dof_end) return {0, 0};
  const int last = r.dof_end - 1;
  return {m.dof_Madr[r.dof], m.M_rowadr[last] + m.M_rownnz[last]};
}

// ---- elements, if some_asleep -------------------------------------------------------------------

template <class D>
CORTEN_FN bool is_asleep(const D& d, int body) {
  return d.body_awake[body] == static_cast<int>(SleepState::asleep);
}
template <class D>
CORTEN_FN bool is_awake(const D& d, int body) {
  return d.body_awake[body] == static_cast<int>(SleepState::awake);
}

// A tendon sleeps if all its trees do. A tendon over three or more keeps them awake.
template <class M, class D>
CORTEN_FN SleepState tendon_state(const M& m, const D& d, int t) {
  const int trees = m.tendon_treenum[t];
  if (trees == 0) return SleepState::immobile;
  bool awake = trees > 2;
  for (int k = 0; k < trees && k < 2; ++k)
    awake = awake || d.tree_awake[m.tendon_treeid[2 * t + k]];
  return awake ? SleepState::awake : SleepState::asleep;
}

template <class M, class D>
CORTEN_FN bool tendon_asleep(const M& m, const D& d, int t) {
  return tendon_state(m, d, t) == SleepState::asleep;
}

template <class M, class D>
CORTEN_FN bool actuator_asleep(const M& m, const D& d, int a) {
  const auto kind = static_cast<TransmissionType>(m.actuator_trntype[a]);
  const int id = m.actuator_trnid[2 * a], other = m.actuator_trnid[2 * a + 1];
  switch (kind) {
    case TransmissionType::joint:
    case TransmissionType::jointinparent: return is_asleep(d, m.jnt_bodyid[id]);
    case TransmissionType::tendon: return tendon_asleep(m, d, id);
    case TransmissionType::site: return is_asleep(d, m.site_bodyid[id]);
    case TransmissionType::body: return is_asleep(d, id);
    case TransmissionType::so3:
      if (other < 0) return is_asleep(d, m.jnt_bodyid[id]);
      [[fallthrough]];
    case TransmissionType::slidercrank:
      return !is_awake(d, m.site_bodyid[id]) && !is_awake(d, m.site_bodyid[other]);
    default: return false;
  }
}

}  // namespace corten
