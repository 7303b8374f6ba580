// SPDX-License-Identifier: Apache-2.0
//
// From the smooth acceleration and the constraint rows to the acceleration.
// Writes efc_force efc_state qfrc_constraint qacc solver_niter.
#pragma once

#include <corten/solver/cg.hpp>
#include <corten/solver/implicit_diff.hpp>
#include <corten/solver/newton.hpp>
#include <corten/solver/noslip.hpp>
#include <corten/solver/pgs.hpp>

namespace corten {

namespace detail {

// the inertia of all trees that constraints touch: what Newton's tolerance is relative to
template <class M, class T, class L, bool E>
CORTEN_FN T constrained_inertia(const M& m, const Problem<T, L, E>& p) {
  T sum = T(0);
  for (int t = 0; t < m.n.ntree; ++t) {
    const int first = m.tree_dofadr[t], end = first + m.tree_dofnum[t];
    bool touched = false;
    for (int r = 0; r < p.nefc && !touched; ++r) {
      for (int i = first; i < end; ++i) touched = touched || value(p.J[r * p.nv + i]) != 0;
    }
    for (int i = first; touched && i < end; ++i) sum += p.M[m.M_rowadr[i] + m.M_rownnz[i] - 1];
  }
  return value(sum) > 0 ? sum : T(m.meaninertia) * T(p.nv);
}

// the better start of the warm start and the smooth acceleration
template <class M, class D, class T, class L, bool E>
CORTEN_FN void warm_start(const M& m, const D& d, const Problem<T, L, E>& p) {
  const int nv = p.nv;
  copy(p.qacc, p.qacc_smooth, nv);
  residuals(p, p.qacc);
  const T cost_smooth = update_rows(p);
  if (m.opt.disabled(disable_warmstart)) return;

  for (int i = 0; i < nv; ++i) p.qacc[i] = primal(d.qacc_warmstart[i]);
  tree_multiply(m, nv, p.M, p.qacc, p.Ma);
  residuals(p, p.qacc);
  T cost = update_rows(p);
  for (int i = 0; i < nv; ++i) {
    cost += T(0.5) * (p.Ma[i] - p.qfrc_smooth[i]) * (p.qacc[i] - p.qacc_smooth[i]);
  }
  if (value(cost) > value(cost_smooth)) copy(p.qacc, p.qacc_smooth, nv);
}

// the dual solver starts from the forces that the warm start would need
template <class M, class D, class T, class L, bool E>
CORTEN_FN void warm_start_forces(const M& m, const D& d, const Problem<T, L, E>& p) {
  if (m.opt.disabled(disable_warmstart)) {
    fill(p.force, p.nefc, T(0));
    return;
  }
  for (int i = 0; i < p.nv; ++i) p.qacc[i] = primal(d.qacc_warmstart[i]);
  residuals(p, p.qacc);
  update_rows(p);
}

// the main solver; p.qacc, p.force, p.state and p.qfrc_constraint follow
template <class M, class D, class T, class L, bool E>
CORTEN_FN void run_solver(const M& m, const D& d, const Problem<T, L, E>& p) {
  M::Policies::Solvers::visit(m.opt.solver, [&](auto method) {
    if constexpr (method == Solver::pgs) {
      warm_start_forces(m, d, p);
      d.solver_niter = pgs(m, p);
      finish_dual(m, p);
    } else {
      warm_start(m, d, p);
      const T inertia = m.opt.disabled(disable_island) ? T(m.meaninertia) * T(p.nv)
                                                       : constrained_inertia(m, p);
      const T scale = T(1) / inertia;
      if constexpr (method == Solver::cg) {
        d.solver_niter = cg(m, p, scale);
      } else {
        d.solver_niter = newton(m, p, scale);
      }
    }
  });
}

// The sweeps of noslip are run in the scalar of the data: derivatives are those of the sweeps, from forces
// that have theirs.
template <class M, class D, class P>
CORTEN_FN void run_noslip(const M& m, const D& d, const P& p) {
  if constexpr (is_dual<typename D::Scalar>) {
    auto q = view_problem<P::may_be_elliptic>(d);
    share(d, q);
    q.elliptic = p.elliptic;
    q.AR = d.slip_AR;
    q.Y = d.slip_Y;
    q.row_work = d.slip_row;
    q.work = d.work_nv;
    noslip(m, q);
    finish_dual(m, q);
  } else {
    d.solver_niter = d.solver_niter + noslip(m, p);
    finish_dual(m, p);
  }
}

}  // namespace detail

// From the smooth acceleration and the rows to the acceleration. Where the scalar carries derivatives and
// solver_kept says that an earlier call has solved for the same values, only derivatives are worked out.
template <class M, class D>
CORTEN_FN void solve(const M& m, const D& d) {
  using S = typename D::Scalar;
  if (d.nefc == 0) {
    d.solver_niter = 0;
    copy(d.qacc, d.qacc_smooth, m.n.nv);
    fill(d.qfrc_constraint, m.n.nv, S(0));
    return;
  }

  const bool kept = is_dual<S> && d.solver_kept != 0;
  const auto p = make_problem(m, d, kept);
  if (!kept) detail::run_solver(m, d, p);
  // noslip leaves states of its own
  const bool slips = m.opt.noslip_iterations > 0;
  if constexpr (is_dual<S>) implicit_diff(m, d, p, kept && !slips);
  if (slips) detail::run_noslip(m, d, p);
}

}  // namespace corten
