// SPDX-License-Identifier: Apache-2.0
//
// The solver stage: computes the acceleration from the smooth acceleration and the constraint rows.
// Writes efc_force, efc_state, qfrc_constraint, qacc and solver_niter.
#pragma once

#include <corten/core/choices.hpp>
#include <corten/core/plain.hpp>
#include <corten/core/status.hpp>
#include <corten/fwd.hpp>
#include <corten/model/model_ref.hpp>
#include <corten/solver/cg.hpp>
#include <corten/solver/flex_diff.hpp>
#include <corten/solver/implicit_diff.hpp>
#include <corten/solver/islands.hpp>
#include <corten/solver/newton.hpp>
#include <corten/solver/noslip.hpp>
#include <corten/solver/pgs.hpp>
#include <corten/solver/room.hpp>

#include <type_traits>

namespace corten {

namespace detail {

// the inertia that tolerances are relative to: the island's, or the model's if islands are disabled
template <class M, class T, class L, bool E>
CORTEN_FN T inertia_scale(const M& m, const Problem<T, L, E>& p) {
  if (m.opt.disabled(disable_island)) return convert<T>(m.meaninertia) * T(p.nv);
  T sum = T(0);
  for (int i = 0; i < p.nv; ++i) sum += p.M[p.M_rowadr[i] + p.M_rownnz[i] - 1];
  return sum;
}

// f(i) for the dofs of a problem that are awake; those of a team's problem all are
template <class M, class D, class P, class F, class G>
CORTEN_FN void each_dof_of(const M& m, const D& d, const P& p, F&& f, const G& team) {
  if constexpr (G::many) {
    each(team, p.nv, f);
  } else {
    each_awake_dof(m, d, f);
  }
}

// Starts from the warm start or the smooth acceleration, whichever has the lower cost. Returns
// whether that left the problem evaluated there.
template <class M, class D, class T, class L, bool E, class G = Alone>
CORTEN_FN bool warm_start(const M& m, const D& d, const Problem<T, L, E>& p, const G& team = {}) {
  each_dof_of(
      m, d, p, [&](int i) { p.qacc[i] = p.qacc_smooth[i]; }, team);
  island_residuals(d, p, p.qacc, team);
  const T cost_smooth = update_rows(p, team);
  if (m.opt.disabled(disable_warmstart)) return false;

  if constexpr (G::many) {
    each(team, p.nv, [&](int i) { p.qacc[i] = primal(d.qacc_warmstart[i]); });
    tree_multiply(team, p, p.nv, p.M, p.qacc, p.Ma);
  } else {
    each_run(m, d, [&](const Run& r) {
      for (int i = r.dof; i < r.dof_end; ++i) p.qacc[i] = primal(d.qacc_warmstart[i]);
      tree_multiply(p, {r.dof, r.dof_end}, p.M, p.qacc, p.Ma);
    });
  }
  island_residuals(d, p, p.qacc, team);
  T cost = update_rows(p, team);
  each_awake_dof(m, d, [&](int i) {
    cost += T(0.5) * (p.Ma[i] - p.qfrc_smooth[i]) * (p.qacc[i] - p.qacc_smooth[i]);
  });
  if (!(value(cost) > value(cost_smooth))) return true;
  each_dof_of(
      m, d, p, [&](int i) { p.qacc[i] = p.qacc_smooth[i]; }, team);
  return false;
}

// starts the dual solver from the forces at the warm-start acceleration
template <class M, class D, class T, class L, bool E, class G = Alone>
CORTEN_FN void warm_start_forces(const M& m, const D& d, const Problem<T, L, E>& p,
                                 const G& team = {}) {
  if (m.opt.disabled(disable_warmstart)) {
    fill(team, p.force, p.nefc, T(0));
    return;
  }
  each_dof_of(
      m, d, p, [&](int i) { p.qacc[i] = primal(d.qacc_warmstart[i]); }, team);
  island_residuals(d, p, p.qacc, team);
  update_rows(p, team);

  // Discard the forces if zero forces are better. The cost is f'b + ½ f'(A + R) f, with
  // f'A f = (J'f)' M⁻¹ (J'f).
  map_forces(p, team);
  once(team, [&] {
    copy(p.work, p.qfrc_constraint, p.nv);
    tree_solve(p, p.nv, p.qLD, p.qLDiagInv, p.work);
  });
  T cost =
      T(0.5) * dot(p.work, p.qfrc_constraint, p.nv) + dot(p.qacc_smooth, p.qfrc_constraint, p.nv);
  for (int r = 0; r < p.nefc; ++r) {
    cost += p.force[r] * (T(0.5) * p.force[r] / p.D[r] - p.aref[r]);
  }
  if (value(cost) > 0) fill(team, p.force, p.nefc, T(0));
}

// starts the method that the model selects among Methods
template <class Methods, class M, class D, class P>
CORTEN_FN void start_method(const M& m, const D& d, P& p) {
  constexpr bool primal = Methods::has(Solver::newton) || Methods::has(Solver::cg);
  if constexpr (Methods::has(Solver::pgs)) {
    const bool dual = m.opt.solver == static_cast<int>(Solver::pgs);
    if (!primal || dual) return warm_start_forces(m, d, p);
  }
  if constexpr (primal) p.evaluated = warm_start(m, d, p);
}

// computes p.qacc, p.force, p.state and p.qfrc_constraint by the method that the model selects
template <class Methods, class M, class T, class L, bool E>
CORTEN_FN Ending run_method(const M& m, const Problem<T, L, E>& p) {
  Ending ending{0, true};
  const auto& view = without_policies(m);
  Methods::visit(m.opt.solver, [&](auto method) {
    if constexpr (method == Solver::pgs) {
      ending = pgs(view, p);
      finish_dual(p);
    } else if constexpr (method == Solver::cg) {
      ending = cg(view, p, T(T(1) / inertia_scale(m, p)));
    } else {
      ending = newton(view, p, T(T(1) / inertia_scale(m, p)));
    }
  });
  return ending;
}

// solver_niter is the largest count of all islands. Hitting the iteration limit is reported only if
// the options ask for it (strictsolver).
template <class M, class D>
CORTEN_FN void note_ending(const M& m, const D& d, const Ending& ending) {
  if (ending.iterations > d.solver_niter) d.solver_niter = ending.iterations;
  if (!ending.converged && m.opt.enabled(enable_strictsolver)) d.status = d.status | solver_limit;
}

// a single island that is everything needs no copy
template <class D, class P>
CORTEN_FN bool is_whole(const D& d, const P& p) {
  return d.nisland == 1 && d.nidof == p.nv;
}

// Solves one island after the other; one call for all cases, since devices inline it. Whether there
// is a single island is asked anew each time, or compilers make two loops of this one.
template <class Methods, class M, class D, class P>
CORTEN_FN void solve_in_turn(const M& m, const D& d, const P& p) {
  for (int k = 0; k < d.nisland; ++k) {
    P q = p;
    if (!is_whole(d, p)) q = take_island(m, d, p, k);
    note_ending(m, d, run_method<Methods>(m, q));
    if (!is_whole(d, p)) put_island(d, p, q, k);
  }
}
struct IslandsInTurn {
  template <class M, class D, class P>
  CORTEN_FN void operator()(const M& m, const D& d, const P& p) const {
    solve_in_turn<typename M::Policies::Solvers>(m, d, p);
  }
};

// The same for a kernel of a device, which has a single method and leaves noslip to another kernel.
template <Solver Method>
struct IslandsBy {
  using Methods = Solvers<Method>;

  template <class M, class D, class P>
  CORTEN_FN void operator()(const M& m, const D& d, const P& p) const {
    solve_in_turn<Methods>(m, d, p);
  }
};

// the methods of a way to solve islands: those of the policies, unless it names its own
template <class F>
concept NamesMethods = requires {
  typename F::Methods;
};
template <class F, class M>
struct MethodsOf {
  using type = typename M::Policies::Solvers;
};
template <NamesMethods F, class M>
struct MethodsOf<F, M> {
  using type = typename F::Methods;
};

// constraints do not accelerate dofs outside of all islands
template <class M, class D, class P>
CORTEN_FN void leave_free_dofs(const M& m, const D& d, const P& p) {
  const bool whole = is_whole(d, p);
  each_awake_dof(m, d, [&](int i) {
    if (whole || d.isl_tree[m.dof_treeid[i]] >= 0) return;
    p.qacc[i] = p.qacc_smooth[i];
    p.qfrc_constraint[i] = 0;
  });
}

// solves all islands
template <class M, class D, class T, class L, bool E, class F>
CORTEN_FN void run_solver(const M& m, const D& d, Problem<T, L, E>& p, F&& islands) {
  if (!d.n.compressed()) find_islands(m, d);  // measure_room() has done it
  d.solver_niter = 0;
  start_method<typename MethodsOf<std::remove_cvref_t<F>, M>::type>(m, d, p);
  if constexpr (may_have_flexes<D>) {
    if (m.n.nflex > 0 && has_flex_metric(m)) {
      auto q = p;
      for (int i = 0; i < p.nv; ++i) d.metric_vec[i] = p.qfrc_smooth[i] + primal(d.metric_shift[i]);
      q.qfrc_smooth = read_only(d.metric_vec);
      const T scale = T(1) / (convert<T>(m.meaninertia) * T(p.nv));
      note_ending(m, d, flex_cg(without_policies(m), d, q, scale));
      return;
    }
  }
  leave_free_dofs(m, d, p);
  islands(m, d, p);
}

// Noslip sweeps run in the scalar of the data. They start from forces that already carry
// derivatives, so the derivatives of the result are those of the sweeps themselves.
template <class M, class D, class P>
CORTEN_FN void run_noslip(const M& m, const D& d, const P& p) {
  if constexpr (is_dual<typename D::Scalar>) {
    auto q = view_problem<P::may_be_elliptic>(d);
    share(m, d, q);
    q.elliptic = p.elliptic;
    q.AR = d.slip_AR;
    q.Y = d.slip_Y;
    q.z = d.slip_z;
    q.Yadr = d.sol_Yadr;
    q.Yrun = d.sol_Yrun;
    q.slot = d.open_slot;
    q.list = d.open_dof;
    q.row_work = d.slip_row;
    q.work = d.work_nv;
    noslip(without_policies(m), d, q);
    finish_dual(q);
  } else {
    d.solver_niter = d.solver_niter + noslip(without_policies(m), d, p);
    finish_dual(p);
  }
}

// Is there an acceleration to start from? If some force is NaN, the methods stop at once, and would
// return the warm start as if nothing had happened.
template <class M, class D>
CORTEN_FN bool can_solve(const M& m, const D& d) {
  bool found = true;
  if constexpr (!is_lanes<typename D::Scalar>) {
    each_run(m, d, [&](const Run& r) {
      for (int i = r.dof; i < r.dof_end && found; ++i) found = finite(value(d.qacc_smooth[i]));
    });
  }
  return found && d.nefc > 0;
}

// Constraints do not accelerate trees that sleep either. Solvers leave their numbers alone, except
// that with duals they copy all accelerations.
template <class M, class D>
CORTEN_FN void leave_sleepers(const M& m, const D& d) {
  using S = typename D::Scalar;
  each_sleeper(m, d, [&](int t) {
    const bool fallen = d.tree_rest[t] == static_cast<int>(Rest::fallen);
    if (!fallen && !is_dual<S>) return;
    const int first = m.tree_dofadr[t], count = m.tree_dofnum[t];
    copy(d.qacc.from(first), d.qacc_smooth.from(first), count);
    fill(d.qfrc_constraint.from(first), count, S(0));
    if (fallen) d.tree_rest[t] = static_cast<int>(Rest::solved);
  });
}

// Is there something to solve? If not, accelerations are the smooth ones.
template <class M, class D>
CORTEN_FN bool begin_solve(const M& m, const D& d) {
  using S = typename D::Scalar;
  const bool room = d.nefc == 0 || has_room(m, d);
  if (!room) d.status = d.status | no_scratch;
  if (room && can_solve(m, d)) return true;
  d.solver_niter = 0;
  fill(d.efc_force, d.nefc, S(0));
  each_run(m, d, [&](const Run& r) {
    copy(d.qacc.from(r.dof), d.qacc_smooth.from(r.dof), r.dof_end - r.dof);
    clear(d.qfrc_constraint.from(r.dof), r.dof_end - r.dof);
  });
  leave_sleepers(m, d);
  return false;
}

}  // namespace detail

// Computes the acceleration from the smooth acceleration and the rows. If the scalar carries
// derivatives and solver_kept says that an earlier call has solved for the same values, only the
// derivatives are computed. A smooth acceleration that is not finite is passed on as it is.
// islands(m, d, problem) solves the islands.
template <class M, class D, class F>
CORTEN_FN void solve_by(const M& m, const D& d, F&& islands) {
  using S = typename D::Scalar;
  if (!detail::begin_solve(m, d)) return;

  // the rows of worlds in lanes are solved one world at a time, below
  if constexpr (!is_lanes<S>) {
    const bool kept = is_dual<S> && d.solver_kept != 0;
    auto p = make_problem(m, d, kept);
    if (!kept) detail::run_solver(m, d, p, islands);
    // noslip overwrites the states, so they have to be computed again
    const bool slips = m.opt.noslip_iterations > 0;
    if constexpr (is_dual<S>) {
      if (m.n.nflex > 0 && has_flex_metric(m)) {
        flex_metric_diff(m, d, p);
      } else {
        implicit_diff(m, d, p, kept && !slips);
      }
    }
    if constexpr (detail::NamesMethods<std::remove_cvref_t<F>>) {
      if (slips) return;
    } else {
      if (slips) detail::run_noslip(m, d, p);
    }
  }
  detail::leave_sleepers(m, d);
}

// The same as two kernels: by a single method without noslip, and what is left to do then.
template <Solver Method, class M, class D>
CORTEN_FN void solve(Solvers<Method>, const M& m, const D& d) {
  solve_by(m, d, detail::IslandsBy<Method>{});
}
template <class M, class D>
CORTEN_FN void slip_after(const M& m, const D& d) {
  if (!has_room(m, d) || !detail::can_solve(m, d)) return;
  detail::run_noslip(m, d, make_problem(m, d));
  detail::leave_sleepers(m, d);
}

template <class M, class D>
CORTEN_ENTRY void solve(const M& m, const D& d) {
  solve_by(m, d, detail::IslandsInTurn{});
}
CORTEN_SHARED(solve, lists::constraints | lists::methods)

// solves the rows of one of the worlds in lanes
template <class M, class S>
CORTEN_FN void solve(const M& m, const Lane<S>& lane) {
  const auto& block = lane.block;
  const auto& world = lane.world;
  world.solver_niter = 0;
  if (world.nefc == 0) return;
    // clang-format off
#define X(name, count) lane.take(block.name, world.name, count)
  X(M, m.n.nM); X(qLD, m.n.nM); X(qLDiagInv, m.n.nv);
  X(qfrc_smooth, m.n.nv); X(qacc_smooth, m.n.nv);
#undef X
  // clang-format on
  solve(m, world);
  lane.give(world.qacc, block.qacc, m.n.nv);
  lane.give(world.qfrc_constraint, block.qfrc_constraint, m.n.nv);
}

}  // namespace corten
