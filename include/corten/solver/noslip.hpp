// SPDX-License-Identifier: Apache-2.0
//
// The noslip post-processing: after any solver, noslip_iterations sweeps minimise the dual cost
// over the friction forces alone, without regularisation, so that contacts no longer creep. Forces
// of equality constraints and limits and normal forces stay unchanged. See MuJoCo documentation,
// Computation, "NoSlip solver".
#pragma once

#include <corten/solver/dual_problem.hpp>

namespace corten {

namespace detail {

// the residual of row r without regularisation
template <class T, class L, bool E, class B>
CORTEN_FN T bare_residual(const Problem<T, L, E>& p, const B& b, int r) {
  return dual_residual(p, b, r) - p.force[r] / p.D[r];
}

// an entry of A = AR - R; a diagonal entry is at least `least`
template <class T, class L, bool E>
CORTEN_FN T bare_entry(const Problem<T, L, E>& p, int r, int s, double least) {
  const T a = dual_entry(p, r, s);
  return r == s ? max(T(a - T(1) / p.D[r]), T(least)) : a;
}

template <class T, class L, bool E, class B>
CORTEN_FN T noslip_row(const Problem<T, L, E>& p, const B& b, int r) {
  const T residual = bare_residual(p, b, r), diagonal = bare_entry(p, r, r, min_value);
  const T old = p.force[r];
  p.force[r] = clamp(T(old - residual / diagonal), T(-p.floss[r]), T(p.floss[r]));
  force_moved(p, r, old);
  return -cost_change(T(p.force[r] - old), diagonal, residual);
}

// Two opposite edges n ± μ t of a pyramid. The sum of their forces, which is their share of the
// normal force, stays fixed; the difference varies within it.
template <class T, class L, bool E, class B>
CORTEN_FN T noslip_edges(const Problem<T, L, E>& p, const B& b, int r) {
  T A[4], residual[2], old[2], free[2];
  for (int i = 0; i < 2; ++i) {
    residual[i] = bare_residual(p, b, r + i);
    old[i] = p.force[r + i];
    for (int k = 0; k < 2; ++k) A[2 * i + k] = bare_entry(p, r + i, r + k, 1e-10);
  }
  for (int i = 0; i < 2; ++i) free[i] = residual[i] - A[2 * i] * old[0] - A[2 * i + 1] * old[1];
  const T middle = T(0.5) * (old[0] + old[1]);
  const T curvature = A[0] + A[3] - A[1] - A[2];
  const T slope = middle * (A[0] - A[3]) + free[0] - free[1];
  const bool flat = value(curvature) < value_t<T>(min_value);
  const T y = flat ? T(0) : clamp(T(-slope / curvature), T(-middle), middle);
  p.force[r] = middle + y;
  p.force[r + 1] = middle - y;
  const T change = block_change(2, A, residual, old, p.force.from(r));
  for (int i = 0; i < 2; ++i) force_moved(p, r + i, old[i]);
  return -change;
}

// the friction of an elliptic cone
template <class T, class L, bool E, class B>
CORTEN_FN T noslip_cone(const Problem<T, L, E>& p, const B& b, int r, int dim) {
  const ConeScale<T> scale = cone_scale(p, r, dim);
  FrictionProblem<T> q;
  T residual[5], old[5], x[5];
  q.n = dim - 1;
  for (int i = 0; i < q.n; ++i) {
    q.d[i] = scale.factor[i + 1];
    residual[i] = q.b[i] = bare_residual(p, b, r + 1 + i);
    old[i] = p.force[r + 1 + i];
    for (int k = 0; k < q.n; ++k) {
      q.A[i * q.n + k] = bare_entry(p, r + 1 + i, r + 1 + k, 1e-10);
      q.b[i] -= q.A[i * q.n + k] * p.force[r + 1 + k];
    }
    x[i] = T(0);
  }
  const T normal = p.force[r];
  if (!(value(normal) < value_t<T>(min_value))) solve_friction(q, normal, x);
  for (int i = 0; i < q.n; ++i) p.force[r + 1 + i] = x[i];
  const T change = block_change(q.n, q.A, residual, old, p.force.from(r + 1));
  for (int i = 0; i < q.n; ++i) force_moved(p, r + 1 + i, old[i]);
  return -change;
}

// one sweep over the rows of an island
template <class T, class L, bool E, class B, class I>
CORTEN_FN T noslip_sweep(const Problem<T, L, E>& p, const B& b, const I& rows, int count) {
  T improvement = T(0);
  for (int k = 0; k < count;) {
    const int r = rows[k], dim = cone_dim(p, r);
    if (dim > 0) {
      improvement += noslip_cone(p, b, r, dim);
      k += dim;
    } else if (p.type[r] == static_cast<int>(ConstraintType::contact_pyramidal)) {
      improvement += noslip_edges(p, b, r);
      k += 2;
    } else {
      if (r >= p.ne && r < p.ne + p.nf) improvement += noslip_row(p, b, r);
      ++k;
    }
  }
  return improvement;
}

}  // namespace detail

// Improves p.force island by island and returns the largest number of sweeps. Computes p.AR itself.
template <class M, class D, class T, class L, bool E>
CORTEN_ENTRY int noslip(const M& m, const D& d, const Problem<T, L, E>& p) {
  const T scale = detail::dual_scale<T>(m);
  const auto b = p.row_work;
  detail::make_AR(p);
  detail::make_b(p, b);
  detail::make_z(p);
  int most = 0;
  for (int k = 0; k < d.nisland; ++k) {
    const int first = d.isl_rowadr[k], count = d.isl_rowadr[k + 1] - first;
    const auto rows = d.isl_row.from(first);
    int sweeps = 0;
    while (sweeps < m.opt.noslip_iterations) {
      // dropping the regularisation already lowers the cost before the first sweep
      T improvement = T(0);
      for (int i = 0; sweeps == 0 && i < count; ++i) {
        improvement += T(0.5) * p.force[rows[i]] * p.force[rows[i]] / p.D[rows[i]];
      }
      improvement += detail::noslip_sweep(p, b, rows, count);
      ++sweeps;
      if (value(T(improvement * scale)) < value(convert<T>(m.opt.noslip_tolerance))) break;
    }
    most = sweeps > most ? sweeps : most;
  }
  detail::dual_states(p);
  return most;
}

}  // namespace corten
