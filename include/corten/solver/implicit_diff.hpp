// SPDX-License-Identifier: Apache-2.0
//
// Derivatives through the constraint solver, by the implicit function theorem.
//
// WHAT IS SOLVED. Every solver returns the acceleration a that minimises the cost of problem.hpp.
// The inertia matrix M is positive definite and every row cost is convex, so there is exactly one
// minimiser, and it is the only root of the gradient
//
//     g(a, θ) = M a - qfrc_smooth - J' f(J a - aref),      f(x) = -∇s(x),
//
// where θ stands for whatever the scalar carries tangents of: positions, velocities, controls,
// masses, friction. They enter through M, qfrc_smooth, J, aref and the parameters of s.
//
// WHY THE DERIVATIVE FOLLOWS. g(a(θ), θ) = 0 holds for all θ. Differentiating it gives
//
//     H da/dθ + ∂g/∂θ = 0,      H = ∂g/∂a = M + J' s''(x) J.
//
// s'' is positive semidefinite, so H is positive definite and da/dθ = -H⁻¹ ∂g/∂θ always exists.
// Only the solution a enters: not the method, not the warm start, not the number of iterations.
// PGS, which minimises the dual cost, ends at the same optimum and is differentiated by the same
// formula. Hence
//
//   1. the solver runs on values (p is a Problem of plain numbers);
//   2. H is assembled and factored at its result, by the function that Newton's method uses;
//   3. g is evaluated in dual numbers with a held constant: its tangents are ∂g/∂θ;
//   4. two triangular solves per tangent give da/dθ;
//   5. the forces are evaluated once more, now with the tangents of a.
//
// If another set of tangents is wanted at the same values, as by derive/linearizer.hpp, steps 1
// and 2 are skipped (`factored`). The noslip sweeps do not minimise this cost; they are
// differentiated as the sequence of operations that they are (run_noslip() in solve.hpp).
//
// KINKS. Row costs have a continuous gradient but only a piecewise continuous second derivative: a
// limit or contact that starts to push, dry friction that starts to slip, an elliptic cone that
// changes zone. Accelerations and forces are continuous there, but their slope jumps. Inside a
// piece the formula is exact. On the border of two pieces there is no derivative, and the result
// is the one of the piece that update_rows() chooses: a row with x = 0 does not push, friction at
// its bound slips, N = μ T is satisfied, μ N + T = 0 is quadratic. It is finite on every piece
// because H ≥ M. The apex of a cone (T = 0) belongs to the outer zones, so nothing is divided by
// zero; in the `cone` zone |N - μ T| / T stays bounded, and so does the curvature. A contact that
// has not been detected has no row: the derivative does not know that it is about to form.
//
// ACCURACY. The formula is evaluated at the a that the solver returns. If the rows are on the
// pieces of the exact solution, the error of the derivative is proportional to the error of a.
// With pyramidal cones H is constant on a piece, and Newton's method ends at the exact solution up
// to rounding. If some row is on another piece, the derivative is that of another regime, so the
// tolerance should not be loose where derivatives matter, unless derive/polish.hpp solves to the
// end before they are computed. With the strictsolver flag, the status reports a solver that
// stopped at its iteration limit.
//
// With nested duals the values that the solver iterates on are duals themselves, so the inner level
// is unrolled. For second derivatives prefer Newton's method: for a capsule on two contacts, its
// result and that of PGS agreed to 1e-7 with differences of first derivatives, that of CG with
// elliptic cones and without a warm start only to 1e-2.
//
// ALTERNATIVES. Unrolling, that is running the solver itself in dual numbers, carries all tangents
// through every iteration, and the tangents converge later than the values: the loop stops when the
// values are good. Centred differences solve twice per column; what the solver left unconverged is
// divided by the step h, and a step that is too long reaches across kinks.
//
// Measured on MuJoCo's humanoid after 400 steps under noise controls (27 dofs, 7 contacts, 20
// pyramidal or 17 elliptic rows), 8 tangents along positions, no warm start, g++ 12 -O2. The error
// of ∂qacc/∂q is its largest error over its largest entry, against a solve with tolerance 0; times
// are those of the whole solve.
//
//                        tolerance  iterations  error of qacc    implicit         unrolled
//     Newton, pyramidal      1e-8        4          5e-16      6e-15   38 µs    2e-14  230 µs
//     Newton, elliptic       1e-8        5          1e-9       3e-9    43 µs    1e-7   323 µs
//     CG, pyramidal          1e-6       34          5e-4       1e-4    64 µs    2e-1   592 µs
//     PGS, pyramidal         1e-8       42          2e-5       2e-4    47 µs    2e-3   218 µs
//     PGS, elliptic          1e-8       36          2e-5       3e-5    59 µs    2e-3   350 µs
//
// The derivative part takes 20 µs in all of them, a Newton solve of the values alone 19 µs.
// Centred differences with Newton and h = 1e-6 err by 2e-7 (pyramidal) and 8e-7 (elliptic) at
// tolerance 1e-8, but by 3e-3 (elliptic) at 1e-6. With h = 1e-4 one more contact forms within the
// step, and the error is ten times the largest entry. bench_derivative compares whole steps with
// MuJoCo's differences.
#pragma once

#include <corten/solver/islands.hpp>
#include <corten/solver/newton.hpp>
#include <corten/tree/inertia_products.hpp>

namespace corten {

namespace detail {

// the force of row r at residual x, on the piece that the solution is on
template <class D, class S>
CORTEN_FN S piece_force(const D& d, int r, const S& x) {
  const auto state = static_cast<ConstraintState>(d.efc_state[r]);
  if (state == ConstraintState::quadratic) return -d.efc_D[r] * x;
  if (state == ConstraintState::linear_negative) return d.efc_frictionloss[r];
  if (state == ConstraintState::linear_positive) return -d.efc_frictionloss[r];
  return S(0);
}

// replaces the residuals of a cone in d.efc_force by its forces, in the zone of the solution
template <class D>
CORTEN_FN void cone_piece_force(const D& d, int r, int dim) {
  using S = typename D::Scalar;
  const ConeScale<S> scale = contact_cone(d.contact_mu, d.contact_friction, d.efc_id[r], dim);
  const Vec<S, 6> x = cone_rows<S>(d.efc_force, r, dim), D0 = cone_rows<S>(d.efc_D, r, dim);
  const auto zone = static_cast<ConstraintState>(d.efc_state[r]);
  const Vec<S, 6> force = cone_force(scale, cone_point(scale, x), zone, x, D0);
  for (int k = 0; k < dim; ++k) d.efc_force[r + k] = force[k];
}

// computes efc_force and qfrc_constraint at the acceleration in d.qacc
template <class M, class D, class P>
CORTEN_FN void forces_at_qacc(const M& m, const D& d, const P& p) {
  using S = typename D::Scalar;
  const auto J = jacobian_rows(d);
  fill(d.qfrc_constraint, m.n.nv, S(0));
  for (int r = 0; r < d.nefc;) {
    const int dim = cone_dim(p, r), count = dim > 0 ? dim : 1;
    for (int k = r; k < r + count; ++k) {
      const S x = row_dot(J, k, d.qacc) - d.efc_aref[k];
      d.efc_force[k] = dim > 0 ? x : piece_force(d, k, x);
    }
    if (dim > 0) cone_piece_force(d, r, dim);
    for (int k = r; k < r + count; ++k) {
      row_axpy(d.efc_force[k], J, k, d.qfrc_constraint);
    }
    r += count;
  }
}

// multiplies the tangents of x by -(L L')⁻¹, where L is dense and stored by columns
template <class A, class X>
CORTEN_FN void solve_dense_tangents(const A& a, int n, const X& x) {
  using S = std::remove_cvref_t<decltype(x[0])>;
  constexpr int N = tangent_count<S>;
  for (int j = 0; j < n; ++j) {
    const auto column = a.from(j * n);
    for (int k = 0; k < N; ++k) tangent(x[j], k) /= column[j];
    const S& xj = x[j];
    for (int i = j + 1; i < n; ++i) {
      for (int k = 0; k < N; ++k) tangent(x[i], k) -= column[i] * tangent(xj, k);
    }
  }
  for (int j = n - 1; j >= 0; --j) {
    const auto column = a.from(j * n);
    S& xj = x[j];
    for (int i = j + 1; i < n; ++i) {
      for (int k = 0; k < N; ++k) tangent(xj, k) -= column[i] * tangent(x[i], k);
    }
    for (int k = 0; k < N; ++k) tangent(xj, k) /= column[j];
  }
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < N; ++k) tangent(x[i], k) = -tangent(x[i], k);
  }
}

// multiplies the tangents of x by -H⁻¹
template <class T, class L, bool E, class X>
CORTEN_FN void solve_tangents(const Problem<T, L, E>& p, const X& x) {
  using S = std::remove_cvref_t<decltype(x[0])>;
  if (!p.pattern.sparse()) return solve_dense_tangents(p.H, p.nv, x);
  const auto& f = p.pattern.factor;
  for (int k = 0; k < tangent_count<S>; ++k) {
    for (int i = 0; i < p.nv; ++i) p.old[f.place[i]] = tangent(x[i], k);
    sparse_solve(f, p.H, p.old, p.work);
    for (int i = 0; i < p.nv; ++i) tangent(x[i], k) = -p.old[f.place[i]];
  }
}

// The same for a large problem, island by island, in the memory of one of them. Constraints do not
// touch the dofs outside all islands.
template <class M, class D, class P>
CORTEN_FN void solve_island_tangents(const M& m, const D& d, const P& p) {
  const auto g = d.work_nv, part = d.work_nv.from(m.n.nv);
  for (int i = 0; i < m.n.nv; ++i) {
    if (d.isl_tree[m.dof_treeid[i]] < 0) g[i] = d.qacc_smooth[i];
  }
  for (int k = 0; k < d.nisland; ++k) {
    const auto q = take_island(m, d, p, k);
    const auto dofs = d.isl_dof.from(d.isl_dofadr[k]);
    residuals(q, q.qacc);
    update_rows(q);
    factor_hessian(q);
    for (int i = 0; i < q.nv; ++i) part[i] = g[dofs[i]];
    solve_tangents(q, part);
    for (int i = 0; i < q.nv; ++i) g[dofs[i]] = part[i];
  }
}

}  // namespace detail

// Computes d.qacc, d.efc_force and d.qfrc_constraint with their tangents from the values that a
// solver left in p. With `factored`, p also holds the factor of the Hessian at these values.
template <class M, class D, class T, class L, bool E>
CORTEN_FN void implicit_diff(const M& m, const D& d, const Problem<T, L, E>& p,
                             bool factored = false) {
  using S = typename D::Scalar;
  const int nv = m.n.nv;
  const bool whole = !d.n.compressed() || (d.nisland == 1 && d.nidof == nv);
  if (!factored) {
    residuals(p, p.qacc);
    update_rows(p);
    if (whole) factor_hessian(p);
  }

  // ∂g/∂θ at constant qacc
  for (int i = 0; i < nv; ++i) d.qacc[i] = S(p.qacc[i]);
  detail::forces_at_qacc(m, d, p);
  const auto g = d.work_nv;
  multiply_M(m, d, d.qacc, g);
  for (int i = 0; i < nv; ++i) g[i] -= d.qfrc_smooth[i] + d.qfrc_constraint[i];

  if (whole) {
    detail::solve_tangents(p, g);
  } else {
    detail::solve_island_tangents(m, d, p);
  }
  for (int i = 0; i < nv; ++i) {
    for (int k = 0; k < tangent_count<S>; ++k) tangent(d.qacc[i], k) = tangent(g[i], k);
  }
  detail::forces_at_qacc(m, d, p);
}

}  // namespace corten
