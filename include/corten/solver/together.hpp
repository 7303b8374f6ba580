// SPDX-License-Identifier: Apache-2.0
//
// The solver stage by a team of threads (team.hpp): what a device runs with a work-group per world.
//
// The threads share a room of fast memory, which is small. It takes the Hessian, then the vectors
// over dofs and rows, the Jacobian and the inertia, as long as it lasts; what does not fit stays
// where the data has it. Both are fields with a step, so there is one solver for both cases.
//
// The views of these fields lie there too, and not with each thread: they are some sixty pointers
// and steps, which no thread has registers for besides its numbers.
//
// Islands are found and copied by one thread, and each is solved by all, with Newton's method or
// PGS. Models that the team's solver is not made for (compressed rows, CG, noslip, flexes, duals)
// are solved by a thread per world, as before.
#pragma once

#include <corten/solver/solve.hpp>

namespace corten {

// memory that the threads of a team share, aligned for any number
struct TeamRoom {
  Byte* data = nullptr;
  int bytes = 0;
};

// May a team solve the problems of this model?
template <class M>
CORTEN_FN bool solves_together(const M& m) {
  using Methods = typename M::Policies::Solvers;
  const auto method = static_cast<Solver>(m.opt.solver);
  return Methods::has(method) && method != Solver::cg && m.opt.noslip_iterations <= 0 &&
         m.n.nflex == 0;
}

namespace detail {

// the layout of fields that lie in the room or in the data, whose step is known at run time
template <class L>
using Stepped = std::conditional_t<L::contiguous, Strided, L>;

template <class T, class L>
CORTEN_FN Field<T, Stepped<L>> with_step(const Field<T, L>& f) {
  return {f.data, {f.layout.index(1)}};
}

// Gives fields a place in the room while there is space.
struct Shelf {
  TeamRoom room;

  template <class T, class L>
  CORTEN_FN Field<T, Stepped<L>> put(const Field<T, L>& f, int count) {
    using V = std::remove_const_t<T>;
    const int bytes = (count * static_cast<int>(sizeof(V)) + 7) / 8 * 8;
    if (bytes > room.bytes) return with_step(f);
    auto* at = reinterpret_cast<V*>(room.data);
    room.data += bytes;
    room.bytes -= bytes;
    return {at, {1}};
  }
};

// what the threads share besides the room: the problem where the data has it, and as they see it
template <class P, class Q>
struct TeamDesk {
  int ready = 0, islands = 0;
  bool whole = false;
  P part;
  Q near;
};

// The partial sums of the line search, which meet in the room.
inline constexpr int team_sums = 2 * sum_width;

CORTEN_FN int inertia_size(const auto& p) {
  return p.nv > 0 ? p.M_rowadr[p.nv - 1] + p.M_rownnz[p.nv - 1] : 0;
}

// The problem p with its fields in the room. What is used most comes first; the matrix of the
// method that is not used gets no place.
template <class T, class L, bool E>
CORTEN_FN auto place_problem(const Problem<T, L, E>& p, const TeamRoom& room, bool dual) {
  Shelf shelf{room};
  Problem<T, Stepped<L>, E> q;
  const int nv = p.nv, n = p.nefc;
  q.nv = nv, q.nefc = n, q.ne = p.ne, q.nf = p.nf, q.elliptic = p.elliptic;
  q.M_rowadr = p.M_rowadr, q.M_rownnz = p.M_rownnz, q.M_colind = p.M_colind;
  q.qLD = with_step(p.qLD), q.qLDiagInv = with_step(p.qLDiagInv);
  q.mu = with_step(p.mu), q.friction = with_step(p.friction), q.dim = with_step(p.dim);
  q.order = with_step(p.order), q.Y = with_step(p.Y);
  q.z = shelf.put(p.row_work, team_sums);
  q.H = dual ? with_step(p.H) : shelf.put(p.H, nv * nv);
  q.qacc = shelf.put(p.qacc, nv);
  q.qfrc_constraint = shelf.put(p.qfrc_constraint, nv);
  q.qfrc_smooth = shelf.put(p.qfrc_smooth, nv), q.qacc_smooth = shelf.put(p.qacc_smooth, nv);
  q.Ma = shelf.put(p.Ma, nv), q.Mv = shelf.put(p.Mv, nv);
  q.grad = shelf.put(p.grad, nv), q.Mgrad = shelf.put(p.Mgrad, nv);
  q.search = shelf.put(p.search, nv), q.work = shelf.put(p.work, nv);
  q.D = shelf.put(p.D, n), q.aref = shelf.put(p.aref, n), q.floss = shelf.put(p.floss, n);
  q.Jaref = shelf.put(p.Jaref, n), q.Jv = shelf.put(p.Jv, n), q.force = shelf.put(p.force, n);
  q.row_work = shelf.put(p.row_work, 3 * n);
  q.state = shelf.put(p.state, n), q.old_state = shelf.put(p.old_state, n);
  q.type = shelf.put(p.type, n), q.id = shelf.put(p.id, n);
  q.AR = dual ? shelf.put(p.AR, n * n) : with_step(p.AR);
  q.J.nv = nv;
  q.J.entries = shelf.put(p.J.entries, n * nv);
  q.M = shelf.put(p.M, inertia_size(p));
  q.old = shelf.put(p.old, nv);
  return q;
}

// copies numbers to a place of their own, if there is one
template <class G, class T, class K, class U, class L>
CORTEN_FN void bring(const G& team, const Field<T, K>& to, const Field<U, L>& from, int count) {
  if (to.data == from.data) return;
  using V = std::remove_const_t<T>;
  const Field<V, K> at{const_cast<V*>(to.data), to.layout};
  for (int i = team.rank(); i < count; i += team.size()) at[i] = from[i];
}
template <class G, class P, class Q>
CORTEN_FN void bring_problem(const G& team, const P& p, const Q& q) {
  const int nv = p.nv, n = p.nefc;
  bring(team, q.qacc, p.qacc, nv);
  bring(team, q.qfrc_smooth, p.qfrc_smooth, nv);
  bring(team, q.qacc_smooth, p.qacc_smooth, nv);
  bring(team, q.D, p.D, n);
  bring(team, q.aref, p.aref, n);
  bring(team, q.floss, p.floss, n);
  bring(team, q.force, p.force, n);
  bring(team, q.state, p.state, n);
  bring(team, q.type, p.type, n);
  bring(team, q.id, p.id, n);
  bring(team, q.J.entries, p.J.entries, n * nv);
  bring(team, q.M, p.M, inertia_size(p));
  team.wait();
}

// writes what the solver has found to where the problem is
template <class G, class P, class Q>
CORTEN_FN void return_solution(const G& team, const Q& q, const P& p) {
  each(team, q.nv, [&](int i) {
    p.qacc[i] = q.qacc[i];
    p.qfrc_constraint[i] = q.qfrc_constraint[i];
  });
  each(team, q.nefc, [&](int r) {
    p.force[r] = q.force[r];
    p.state[r] = q.state[r];
  });
}

// run_method() by a team. `first`: the problem has no start yet.
template <Solver Method, class G, class M, class D, class T, class L, bool E>
CORTEN_FN Ending run_together(const G& team, const M& m, const D& d, const Problem<T, L, E>& q,
                              bool first) {
  const auto& view = without_policies(m);
  if constexpr (Method == Solver::pgs) {
    if (first) warm_start_forces(m, d, q, team);
    const Ending ending = pgs(view, q, team);
    finish_dual(q, team);
    return ending;
  } else {
    if (first) warm_start(m, d, q, team);
    return newton(view, q, T(T(1) / inertia_scale(m, q)), team);
  }
}

// the islands of a world, one after the other
template <Solver Method, class G, class M, class D, class Desk>
CORTEN_FN void solve_islands(const G& team, const M& m, const D& d, Desk* desk,
                             const TeamRoom& room) {
  constexpr bool dual = Method == Solver::pgs;
  once(team, [&] {
    desk->part = make_problem(m, d);
    desk->islands = d.nisland;
    desk->whole = is_whole(d, desk->part);
    if (desk->whole) return;
    start_method<Solvers<Method>>(m, d, desk->part);
    leave_free_dofs(m, d, desk->part);
  });
  for (int k = 0; k < desk->islands; ++k) {
    once(team, [&] {
      if (!desk->whole) desk->part = take_island(m, d, make_problem(m, d), k);
      desk->near = place_problem(desk->part, room, dual);
    });
    bring_problem(team, desk->part, desk->near);
    const Ending ending = run_together<Method>(team, m, d, desk->near, desk->whole);
    return_solution(team, desk->near, desk->part);
    once(team, [&] {
      note_ending(m, d, ending);
      if (!desk->whole) put_island(d, make_problem(m, d), desk->part, k);
    });
  }
}

template <class D, class P>
using TeamDeskOf =
    TeamDesk<P, Problem<typename D::Primal, Stepped<typename D::Layout>, P::may_be_elliptic>>;

}  // namespace detail

// solve(), by a team, for models that solves_together() accepts and dense rows, with their method
template <Solver Method, class G, class M, class D>
CORTEN_FN void solve_together(Solvers<Method>, const G& team, const M& m, const D& d,
                              TeamRoom room) {
  using Desk = detail::TeamDeskOf<D, decltype(make_problem(m, d))>;
  constexpr int desk_bytes = (static_cast<int>(sizeof(Desk)) + 7) / 8 * 8;
  auto* const desk = reinterpret_cast<Desk*>(room.data);
  room.data += desk_bytes;
  room.bytes -= desk_bytes;
  once(team, [&] {
    desk->ready = detail::begin_solve(m, d) ? 1 : 0;
    if (desk->ready == 0) return;
    find_islands(m, d);
    d.solver_niter = 0;
  });
  if (desk->ready == 0) return;
  detail::solve_islands<Method>(team, m, d, desk, room);
  once(team, [&] { detail::leave_sleepers(m, d); });
}

// How much room a team wants: all of it, if that is no more than `most`, and 0 if `most` does not
// take the desk and the partial sums.
template <class M, class D>
int team_room(const M& m, const D& d, int most) {
  using S = typename D::Scalar;
  using Desk = detail::TeamDeskOf<D, decltype(make_problem(m, d))>;
  const auto& n = d.n;
  const long number = sizeof(S), rows = n.njmax, dofs = n.nv;
  const long least = static_cast<long>(sizeof(Desk)) + 16 + number * detail::team_sums;
  const long matrix = m.opt.solver == static_cast<int>(Solver::pgs) ? rows * rows : dofs * dofs;
  const long wanted = least + 512 + number * (matrix + dofs * 11 + rows * (dofs + 9) + n.nM) +
                      4 * rows * static_cast<long>(sizeof(int));
  if (most < least) return 0;
  return wanted < most ? static_cast<int>(wanted) : most;
}

}  // namespace corten
