// SPDX-License-Identifier: Apache-2.0
//
// Waking. A sleeping tree wakes, and those that sleep with it, when the user moves it or applies a
// force to it (wake_disturbed), when something awake touches it (wake_touched), and when an
// equality constraint or the limit of a tendon connects it with something awake (wake_connected,
// wake_tendons). Mocap bodies are always awake. Whatever a stage needs of a tree that wakes halfway
// through a pass is there: the numbers of its last pass, made in the same pose.
//
// A number of the user's counts as changed if it differs. MuJoCo compares the pose of bodies
// instead of qpos, at the price of the kinematics of all sleeping trees, and so notices when body
// frames in the model are edited but not when a quaternion is only scaled.
#pragma once

#include <corten/constraint/constraints.hpp>
#include <corten/core/bits.hpp>
#include <corten/core/plain.hpp>
#include <corten/tree/awake.hpp>
#include <corten/tree/frame.hpp>

#include <cstdint>
#include <type_traits>

namespace corten {

namespace detail {

template <class D>
CORTEN_FN bool rests(const D& d, int t) {
  return d.tree_rest[t] != static_cast<int>(Rest::none);
}

template <class M, class D>
CORTEN_FN int body_sleep_state(const M& m, const D& d, int b) {
  const int t = m.body_treeid[b];
  const bool mocap = m.body_mocapid[m.body_rootid[b]] >= 0;
  const SleepState state = t >= 0  ? (d.tree_awake[t] ? SleepState::awake : SleepState::asleep)
                           : mocap ? SleepState::awake
                                   : SleepState::immobile;
  return static_cast<int>(state);
}

// the stretches of bodies that are not asleep (tree/awake.hpp)
template <class M, class D>
CORTEN_FN void list_runs(const M& m, const D& d) {
  int runs = 0, jnt = 0, dof = 0, geom = m.body_geomnum[0];
  bool open = false;
  for (int b = 1; b < m.n.nbody; ++b) {
    const bool in = !is_asleep(d, b);
    const auto r = d.awake_run.from(8 * (in && !open ? runs++ : runs - 1));
    if (in && !open) r[0] = b, r[2] = jnt, r[4] = dof, r[6] = geom;
    jnt += m.body_jntnum[b], dof += m.body_dofnum[b], geom += m.body_geomnum[b];
    if (in) r[1] = b + 1, r[3] = jnt, r[5] = dof, r[7] = geom;
    open = in;
  }
  d.nawake_run = runs;
}

}  // namespace detail

// Writes everything that follows from which trees rest (tree_rest): the stages leave them out.
template <class M, class D>
CORTEN_FN void list_awake(const M& m, const D& d) {
  int trees = 0, bodies = 0, parents = 0, dofs = 0;
  for (int t = 0; t < m.n.ntree; ++t) {
    d.tree_awake[t] = detail::rests(d, t) ? 0 : 1;
    trees += d.tree_awake[t];
  }
  for (int b = 0; b < m.n.nbody; ++b) {
    d.body_awake[b] = detail::body_sleep_state(m, d, b);
    if (!is_asleep(d, b)) d.body_awake_ind[bodies++] = b;
    if (b > 0 && !is_asleep(d, m.body_parentid[b])) d.parent_awake_ind[parents++] = b;
  }
  for (int i = 0; i < m.n.nv; ++i) {
    if (d.tree_awake[m.dof_treeid[i]]) d.dof_awake_ind[dofs++] = i;
  }
  d.ntree_awake = trees;
  d.nbody_awake = bodies;
  d.nparent_awake = parents;
  d.nv_awake = dofs;
  d.nasleep = m.n.ntree - trees;
  detail::list_runs(m, d);
}

// The first of the trees that sleep with tree t; -1 if tree_asleep is no cycle.
template <class D>
CORTEN_FN int first_of_cycle(const D& d, int t) {
  const int ntree = d.n.nsleep;
  int least = t, at = t;
  for (int steps = 0; steps < ntree; ++steps) {
    at = d.tree_asleep[at];
    if (at < 0 || at >= ntree) return -1;
    if (at == t) return least;
    least = at < least ? at : least;
  }
  return -1;
}

// Wakes the trees that sleep with tree t; `count` becomes their tree_asleep. Returns whether any
// slept.
template <class D>
CORTEN_FN bool wake_cycle(const D& d, int t, int count = fully_awake) {
  const int ntree = d.n.nsleep;
  if (d.tree_asleep[t] < 0) {
    if (count < d.tree_asleep[t]) d.tree_asleep[t] = count;
    return false;
  }
  for (int at = t; at >= 0 && at < ntree && d.tree_asleep[at] >= 0;) {
    const int next = d.tree_asleep[at];
    d.tree_asleep[at] = count;
    d.tree_rest[at] = static_cast<int>(Rest::none);
    at = next;
  }
  return true;
}

namespace detail {

// the bits of a number; all numbers of sleeping trees are looked at in every step, and a loop over
// bits is one that compilers vectorise
template <class T>
CORTEN_FN auto bits_of(const T& x) {
  if constexpr (sizeof(T) == 4) {
    return bits_as<std::uint32_t>(x);
  } else {
    return bits_as<std::uint64_t>(x);
  }
}

template <class T>
inline constexpr bool has_bits = std::is_same_v<T, float> || std::is_same_v<T, double>;

// As in MuJoCo, a negative zero is not zero.
template <class F>
CORTEN_FN bool all_zero(F x, int first, int end) {
  if constexpr (has_bits<std::remove_const_t<typename F::Value>>) {
    decltype(bits_of(x[0])) found = 0;
    for (int i = first; i < end; ++i) found |= bits_of(x[i]);
    return found == 0;
  } else {
    bool zero = true;
    for (int i = first; i < end; ++i) zero = zero && value(x[i]) == 0;
    return zero;
  }
}

template <class F, class G>
CORTEN_FN bool all_equal(F x, G y, int first, int end) {
  using T = std::remove_const_t<typename F::Value>;
  if constexpr (has_bits<T> && std::is_same_v<T, std::remove_const_t<typename G::Value>>) {
    decltype(bits_of(x[0])) found = 0;
    for (int i = first; i < end; ++i) found |= bits_of(x[i]) ^ bits_of(y[i]);
    return found == 0;
  } else {
    using V = std::common_type_t<value_t<T>, value_t<std::remove_const_t<typename G::Value>>>;
    bool same = true;
    for (int i = first; i < end; ++i) same = same && V(value(x[i])) == V(value(y[i]));
    return same;
  }
}

// the coordinates of joints first … end
template <class M>
CORTEN_FN Dofs coordinates(const M& m, int first, int end) {
  const int none = first == end, nq = m.n.nq;
  return {none ? 0 : int(m.jnt_qposadr[first]), none             ? 0
                                                : end < m.n.njnt ? int(m.jnt_qposadr[end])
                                                                 : nq};
}

template <class M>
CORTEN_FN Dofs tree_coordinates(const M& m, int t) {
  const int first = m.tree_dofadr[t], last = first + m.tree_dofnum[t] - 1;
  return coordinates(m, m.dof_jntid[first], m.dof_jntid[last] + 1);
}

// do no forces act on these bodies and dofs, other than those of the model?
template <class M, class D>
CORTEN_FN bool unforced(const M&, const D& d, int body, int body_end, int dof, int dof_end) {
  return all_zero(d.xfrc_applied, 6 * body, 6 * body_end) && all_zero(d.qfrc_applied, dof, dof_end);
}

// May the tree sleep at its velocity? With a tolerance of zero it must not move at all.
template <class M, class D, class T>
CORTEN_FN bool can_sleep(const M& m, const D& d, int t, const T& tolerance) {
  const auto policy = static_cast<SleepPolicy>(m.tree_sleep_policy[t]);
  if (policy == SleepPolicy::never || policy == SleepPolicy::automatic_never) return false;
  const int body = m.tree_bodyadr[t], dof = m.tree_dofadr[t], end = dof + m.tree_dofnum[t];
  if (!unforced(m, d, body, body + m.tree_bodynum[t], dof, end)) return false;
  if (!(tolerance > 0)) return all_zero(d.qvel, dof, end);
  for (int i = dof; i < end; ++i) {
    const T speed = T(value(m.dof_length[i])) * abs(T(value(d.qvel[i])));
    if (!(speed < tolerance)) return false;
  }
  return true;
}

// has the mocap body that the tree hangs on, if there is one, moved since the last pass?
template <class M, class D>
CORTEN_FN bool carried(const M& m, const D& d, int t) {
  const int root = m.body_rootid[m.tree_bodyadr[t]];
  if (m.body_mocapid[root] < 0) return false;
  auto frame = body_frame(m, d, root);
  renormalize(frame.quat);
  bool same = true;
  for (int k = 0; k < 3; ++k) same = same && value(frame.pos[k]) == value(d.xpos[3 * root + k]);
  for (int k = 0; k < 4; ++k) same = same && value(frame.quat[k]) == value(d.xquat[4 * root + k]);
  return !same;
}

// has the user, or a mocap body, done anything to a tree that sleeps?
template <class M, class D>
CORTEN_FN bool disturbed(const M& m, const D& d, int t) {
  using T = value_t<typename D::Scalar>;
  const Dofs q = tree_coordinates(m, t);
  return !all_equal(d.qpos, d.rest_qpos, q.first, q.end) || !can_sleep(m, d, t, T(0)) ||
         carried(m, d, t);
}

// The same for all trees that rest, between two runs at a time: the usual answer is no.
template <class M, class D>
CORTEN_FN bool any_disturbed(const M& m, const D& d) {
  bool calm = true;
  Run before{1, 1, 0, 0, 0, 0, 0, 0};
  for (int k = 0; k <= d.nawake_run; ++k) {
    const Run end{m.n.nbody, 0, m.n.njnt, 0, m.n.nv, 0, 0, 0};
    const Run next = k < d.nawake_run ? run_at(m, d, true, k) : end;
    const Dofs q = coordinates(m, before.jnt_end, next.jnt);
    calm = calm && unforced(m, d, before.body_end, next.body, before.dof_end, next.dof) &&
           all_zero(d.qvel, before.dof_end, next.dof) &&
           all_equal(d.qpos, d.rest_qpos, q.first, q.end);
    before = next;
  }
  if (m.n.nmocap > 0) each_sleeper(m, d, [&](int t) { calm = calm && !carried(m, d, t); });
  return !calm;
}

// does the data know which trees sleep?
template <class M, class D>
CORTEN_FN bool knows_sleepers(const M& m, const D& d) {
  bool known = true;
  for (int t = 0; t < m.n.ntree; ++t) {
    const int asleep = d.tree_asleep[t];
    known = known & (asleep != to_start_asleep) & ((asleep >= 0) == rests(d, t));
  }
  return known;
}

// remembers that a tree rests, and where
template <class M, class D>
CORTEN_FN void lay_down(const M& m, const D& d, int t) {
  const Dofs q = tree_coordinates(m, t);
  for (int i = q.first; i < q.end; ++i) {
    d.rest_qpos[i] = typename D::Primal(value(d.qpos[i]));
  }
  d.tree_rest[t] = static_cast<int>(Rest::fallen);
}

// is a tree that is to start asleep where a reset leaves it?
template <class M, class D>
CORTEN_FN bool is_as_reset(const M& m, const D& d, int t) {
  using T = value_t<typename D::Scalar>;
  const Dofs q = tree_coordinates(m, t);
  return all_equal(d.qpos, m.qpos0, q.first, q.end) && can_sleep(m, d, t, T(0));
}

}  // namespace detail

// Wakes trees that the user has disturbed. Trees that the state puts to sleep and the data does not
// know yet lie down where they are; returns whether there are any, or trees that are to start
// asleep. Their numbers have to be computed then, and list_awake called.
template <class M, class D>
CORTEN_ENTRY bool wake_disturbed(const M& m, const D& d) {
  if (detail::knows_sleepers(m, d) && (d.nasleep == 0 || !detail::any_disturbed(m, d))) {
    return false;
  }
  bool fresh = false;
  for (int t = 0; t < m.n.ntree; ++t) {
    if (d.tree_asleep[t] < 0 || detail::rests(d, t)) continue;
    detail::lay_down(m, d, t);
    fresh = true;
  }
  for (int t = 0; t < m.n.ntree; ++t) {
    int& asleep = d.tree_asleep[t];
    if (asleep >= 0 && detail::disturbed(m, d, t)) wake_cycle(d, t);
    if (asleep == to_start_asleep && !detail::is_as_reset(m, d, t)) asleep = fully_awake;
    fresh = fresh || asleep == to_start_asleep;
  }
  for (int t = 0; t < m.n.ntree; ++t) {
    if (d.tree_asleep[t] < 0) d.tree_rest[t] = static_cast<int>(Rest::none);
  }
  list_awake(m, d);
  return fresh;
}
CORTEN_PLAIN(wake_disturbed)

// Wakes trees that touch something awake; contacts between sleeping trees are not made. Returns
// whether there were any.
template <class M, class D>
CORTEN_FN bool wake_touched(const M& m, const D& d) {
  bool woken = false;
  for (int c = 0; c < d.ncon; ++c) {
    const int body1 = some_contact_body(m, d, c, 0), body2 = some_contact_body(m, d, c, 1);
    for (int side = 0; side < 2; ++side) {
      const int sleeper = side == 0 ? body1 : body2, other = side == 0 ? body2 : body1;
      if (!is_asleep(d, sleeper) || d.body_awake[other] == static_cast<int>(SleepState::immobile)) {
        continue;
      }
      const int tree = m.body_treeid[other];
      const bool counts = tree >= 0 && d.tree_asleep[tree] < 0;
      woken |=
          wake_cycle(d, m.body_treeid[sleeper], counts ? int(d.tree_asleep[tree]) : fully_awake);
    }
  }
  if (woken) list_awake(m, d);
  return woken;
}

// Wakes trees that the limit of a tendon connects with a tree that is awake.
template <class M, class D>
CORTEN_FN void wake_tendons(const M& m, const D& d) {
  using S = typename D::Scalar;
  bool woken = false;
  for (int t = 0; t < m.n.ntendon; ++t) {
    if (m.tendon_treenum[t] != 2 || !m.tendon_limited[t]) continue;
    const int first = m.tendon_treeid[2 * t], second = m.tendon_treeid[2 * t + 1];
    if (d.tree_awake[first] == d.tree_awake[second]) continue;
    const S low = S(m.tendon_range[2 * t]), high = S(m.tendon_range[2 * t + 1]);
    const auto margin = value(S(m.tendon_margin[t]));
    const bool near =
        value(S(d.ten_length[t] - low)) < margin || value(S(high - d.ten_length[t])) < margin;
    const int awake = d.tree_awake[first] ? first : second;
    if (near) woken |= wake_cycle(d, awake == first ? second : first, d.tree_asleep[awake]);
  }
  if (woken) list_awake(m, d);
}

namespace detail {

// f(tree, awake) for everything that an element of <equality> holds; tree is -1 for a body without
// dofs
template <class M, class D, class F>
CORTEN_FN void each_held(const M& m, const D& d, int e, F&& f) {
  const auto type = static_cast<ObjectType>(m.eq_objtype[e]);
  if (type != ObjectType::body && type != ObjectType::site) {
    M::Policies::Constraints::visit_element(m, e, [&](auto kind) {
      kind.trees(m, d, e, [&](int t) { f(t, t >= 0 && d.tree_awake[t] != 0); });
    });
    return;
  }
  for (int side = 0; side < 2; ++side) {
    const int id = side == 0 ? m.eq_obj1id[e] : m.eq_obj2id[e];
    if (id < 0) continue;
    const int body = type == ObjectType::body ? id : int(m.site_bodyid[id]);
    f(int(m.body_treeid[body]), is_awake(d, body));
  }
}

// does an element of <equality> hold anything that is awake?
template <class M, class D>
CORTEN_FN bool element_awake(const M& m, const D& d, int e) {
  bool out = false;
  each_held(m, d, e, [&](int, bool awake) { out = out || awake; });
  return out;
}

}  // namespace detail

namespace detail {

// Writes for each tree the first of the trees that sleep with it, in one walk along each cycle; -1
// for trees that are awake or in no cycle.
template <class M, class D, class I>
CORTEN_FN void label_cycles(const M& m, const D& d, const I& label) {
  fill(label, m.n.ntree, -1);
  for (int t = 0; t < m.n.ntree; ++t) {
    if (label[t] >= 0 || d.tree_asleep[t] < 0 || first_of_cycle(d, t) < 0) continue;
    int at = t;
    do {
      label[at] = t;
      at = d.tree_asleep[at];
    } while (at != t);
  }
}

}  // namespace detail

// Wakes trees that an equality constraint connects with something awake, or with trees that sleep
// apart from them. Constraints of tendons are looked at before the tendons are measured, too.
template <class M, class D>
CORTEN_FN void wake_connected(const M& m, const D& d, bool only_tendons = false) {
  bool woken = false, labelled = false;
  const auto label = d.isl_tree.from(m.n.ntree);  // islands are found later
  const int tendon = static_cast<int>(EqualityType::tendon);
  for (int e = 0; e < m.n.neq; ++e) {
    if (!d.eq_active[e] || (only_tendons && m.eq_type[e] != tendon)) continue;
    bool wake = false;
    int cycle = -1;
    detail::each_held(m, d, e, [&](int t, bool awake) {
      const bool asleep = t >= 0 && !awake && d.tree_asleep[t] >= 0;
      if (asleep && !labelled) {
        detail::label_cycles(m, d, label);
        labelled = true;
      }
      const int own = asleep ? int(label[t]) : -1;
      wake = wake || awake || (own >= 0 && cycle >= 0 && own != cycle);
      cycle = own >= 0 ? own : cycle;
    });
    if (!wake || cycle < 0) continue;
    detail::each_held(m, d, e, [&](int t, bool awake) {
      if (t >= 0 && !awake) woken |= wake_cycle(d, t);
    });
  }
  if (woken) list_awake(m, d);
}

}  // namespace corten
