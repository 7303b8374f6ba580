// SPDX-License-Identifier: Apache-2.0
//
// The solver stage by a team of threads (team.hpp): what a device runs with a work-group per world.
//
// The threads share a room of fast memory, which is small. It takes the Hessian, then the vectors
// over dofs and rows, the Jacobian and the inertia, as long as it lasts; what does not fit stays
// where the data has it. Both are fields with a step, so there is one solver for both cases.
//
// Islands are found and copied by one thread, and each is solved by all. Models that the team's
// solver is not made for (compressed rows, other methods than Newton's, noslip, flexes, duals) are
// solved by a thread per world, as before.
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
  return M::Policies::Solvers::has(Solver::newton) &&
         m.opt.solver == static_cast<int>(Solver::newton) && m.opt.noslip_iterations <= 0 &&
         m.n.nflex == 0;
}

namespace detail {

template <class T, class L>
CORTEN_FN Field<T, Strided> with_step(const Field<T, L>& f) {
  return {f.data, {f.layout.index(1)}};
}

// Takes fields into the room while there is space. All threads do the same.
template <class G>
struct Shelf {
  const G& team;
  TeamRoom room;

  template <class T, class L>
  CORTEN_FN Field<T, Strided> put(const Field<T, L>& f, int count) {
    using V = std::remove_const_t<T>;
    const int bytes = (count * static_cast<int>(sizeof(V)) + 7) / 8 * 8;
    if (bytes > room.bytes) return with_step(f);
    auto* at = reinterpret_cast<V*>(room.data);
    room.data += bytes;
    room.bytes -= bytes;
    return {at, {1}};
  }
  // the same, with the numbers
  template <class T, class L>
  CORTEN_FN Field<T, Strided> bring(const Field<T, L>& f, int count) {
    const auto to = put(f, count);
    const Field<std::remove_const_t<T>, Strided> writable{
        const_cast<std::remove_const_t<T>*>(to.data), to.layout};
    for (int i = team.rank(); to.data != f.data && i < count; i += team.size()) writable[i] = f[i];
    return to;
  }
};

// what the threads share besides the problem
template <class P>
struct TeamDesk {
  int ready = 0;
  P island;
};

// The problem p as a team sees it, with its numbers in the room.
template <class G, class T, class L, bool E>
CORTEN_FN auto bring_problem(const G& team, const Problem<T, L, E>& p, const TeamRoom& room) {
  Shelf<G> shelf{team, room};
  Problem<T, Strided, E, G> q;
  const int nv = p.nv, n = p.nefc;
  q.team = team;
  q.nv = nv, q.nefc = n, q.ne = p.ne, q.nf = p.nf, q.elliptic = p.elliptic;
  q.M_rowadr = p.M_rowadr, q.M_rownnz = p.M_rownnz, q.M_colind = p.M_colind;
  q.qLD = with_step(p.qLD), q.qLDiagInv = with_step(p.qLDiagInv);
  q.mu = with_step(p.mu), q.friction = with_step(p.friction), q.dim = with_step(p.dim);
  q.old = with_step(p.old);
  team.wait();
  q.z = shelf.put(p.row_work, 2 * sum_width);
  q.H = shelf.put(p.H, nv * nv);
  q.qacc = shelf.bring(p.qacc, nv);
  q.qfrc_constraint = shelf.put(p.qfrc_constraint, nv);
  q.qfrc_smooth = shelf.bring(p.qfrc_smooth, nv), q.qacc_smooth = shelf.bring(p.qacc_smooth, nv);
  q.Ma = shelf.put(p.Ma, nv), q.Mv = shelf.put(p.Mv, nv);
  q.grad = shelf.put(p.grad, nv), q.Mgrad = shelf.put(p.Mgrad, nv);
  q.search = shelf.put(p.search, nv), q.work = shelf.put(p.work, nv);
  q.D = shelf.bring(p.D, n), q.aref = shelf.bring(p.aref, n), q.floss = shelf.bring(p.floss, n);
  q.Jaref = shelf.put(p.Jaref, n), q.Jv = shelf.put(p.Jv, n), q.force = shelf.put(p.force, n);
  q.row_work = shelf.put(p.row_work, 3 * n);
  q.state = shelf.bring(p.state, n), q.old_state = shelf.put(p.old_state, n);
  q.type = shelf.bring(p.type, n), q.id = shelf.bring(p.id, n);
  q.J.nv = nv;
  q.J.entries = shelf.bring(p.J.entries, n * nv);
  q.M = shelf.bring(p.M, nv > 0 ? p.M_rowadr[nv - 1] + p.M_rownnz[nv - 1] : 0);
  team.wait();
  return q;
}

// writes what the solver has found to where the problem is
template <class Q, class P>
CORTEN_FN void return_solution(const Q& q, const P& p) {
  each(q.team, q.nv, [&](int i) {
    p.qacc[i] = q.qacc[i];
    p.qfrc_constraint[i] = q.qfrc_constraint[i];
  });
  each(q.team, q.nefc, [&](int r) {
    p.force[r] = q.force[r];
    p.state[r] = q.state[r];
  });
}

// the islands of a world, one after the other; `desk` passes them from the first thread to the rest
template <class G, class M, class D, class P>
CORTEN_FN void solve_islands(const G& team, const M& m, const D& d, const P& p, TeamDesk<P>* desk,
                             const TeamRoom& room) {
  const bool whole = is_whole(d, p);
  const int count = d.nisland;
  if (!whole) {
    once(team, [&] {
      warm_start(m, d, p);
      leave_free_dofs(m, d, p);
    });
  }
  for (int k = 0; k < count; ++k) {
    P part = p;
    if (!whole) {
      once(team, [&] { desk->island = take_island(m, d, p, k); });
      part = desk->island;
    }
    const auto q = bring_problem(team, part, room);
    if (whole) warm_start(m, d, q);
    const Ending ending =
        newton(without_policies(m), q, decltype(inertia_scale(m, q))(1 / inertia_scale(m, q)));
    return_solution(q, part);
    once(team, [&] {
      note_ending(m, d, ending);
      if (!whole) put_island(d, p, part, k);
    });
  }
}

}  // namespace detail

// solve(), by a team, for models that solves_together() accepts and dense rows
template <class G, class M, class D>
CORTEN_FN void solve_together(const G& team, const M& m, const D& d, TeamRoom room) {
  using P = decltype(make_problem(m, d));
  using Desk = detail::TeamDesk<P>;
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
  detail::solve_islands(team, m, d, make_problem(m, d), desk, room);
  once(team, [&] { detail::leave_sleepers(m, d); });
}

// How much room a team wants: all of it, if that is no more than `most`. Less than two hundred
// bytes beyond the desk would not take the partial sums.
template <class M, class D>
int team_room(const M& m, const D& d, int most) {
  using S = typename D::Scalar;
  using P = decltype(make_problem(m, d));
  const auto& n = d.n;
  const long number = sizeof(S), rows = n.njmax, dofs = n.nv;
  const long wanted = static_cast<long>(sizeof(detail::TeamDesk<P>)) + 512 +
                      number * (2 * sum_width + dofs * (dofs + 10) + rows * (dofs + 9) + n.nM) +
                      4 * rows * static_cast<long>(sizeof(int));
  return wanted < most ? static_cast<int>(wanted) : most;
}

}  // namespace corten
