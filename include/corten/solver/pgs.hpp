// SPDX-License-Identifier: Apache-2.0
//
// Projected Gauss-Seidel on the dual problem: one force at a time, minimise ½ f'(A + R) f + f'b over the
// force's interval, with A = J M⁻¹ J' and b = J a₀ - aref. Rows are visited in a shuffled order (a fixed
// stream of PCG32 numbers, O'Neill 2014), and the iterates are extrapolated with Nesterov momentum that
// restarts when a sweep moves against the extrapolation (O'Donoghue and Candès 2015).
#pragma once

#include <corten/solver/problem.hpp>

#include <cstdint>

namespace corten {

namespace detail {

// PCG32 with a fixed seed: the same order in every solve
struct Shuffler {
  std::uint64_t state = 0;

  CORTEN_FN Shuffler() { next(); }

  CORTEN_FN std::uint32_t next() {
    const std::uint64_t old = state;
    state = old * 6364136223846793005ULL + 1ULL;
    const auto mixed = static_cast<std::uint32_t>(((old >> 18u) ^ old) >> 27u);
    const auto turn = static_cast<std::uint32_t>(old >> 59u);
    return (mixed >> turn) | (mixed << ((32u - turn) & 31u));
  }

  // Fisher-Yates
  template <class I>
  CORTEN_FN void shuffle(const I& order, int n) {
    for (int i = n - 1; i > 0; --i) {
      const int j = static_cast<int>(next() % static_cast<std::uint32_t>(i + 1));
      const int kept = order[i];
      order[i] = order[j];
      order[j] = kept;
    }
  }
};

// AR = J M⁻¹ J' + R. With M = L'DL, M⁻¹ = L⁻¹ D⁻¹ L'⁻¹, so AR = Y Y' + R for rows Y = D^-½ L'⁻¹ J_r.
template <class M, class T, class L, bool E>
CORTEN_FN void make_AR(const M& m, const Problem<T, L, E>& p) {
  const int nv = p.nv, n = p.nefc;
  copy(p.Y, p.J, n * nv);
  for (int i = 0; i < nv; ++i) p.work[i] = sqrt(p.qLDiagInv[i]);
  for (int r = 0; r < n; ++r) {
    const auto y = p.Y.from(r * nv);
    for (int i = nv - 1; i >= 0; --i) {
      const T yi = y[i];
      if (value(yi) == 0) continue;
      const int row = m.M_rowadr[i], diag = row + m.M_rownnz[i] - 1;
      for (int k = row; k < diag; ++k) y[m.M_colind[k]] -= p.qLD[k] * yi;
    }
    for (int i = 0; i < nv; ++i) y[i] *= p.work[i];
    for (int s = 0; s <= r; ++s) {
      const T a = dot(y, p.Y.from(s * nv), nv);
      p.AR[r * n + s] = a;
      p.AR[s * n + r] = a;
    }
    p.AR[r * n + r] += T(1) / p.D[r];
  }
}

// the interval of the force of row r
template <class T, class L, bool E>
CORTEN_FN T project(const Problem<T, L, E>& p, int r, const T& force) {
  if (r < p.ne) return force;
  return r < p.ne + p.nf ? clamp(force, T(-p.floss[r]), T(p.floss[r])) : max(force, T(0));
}

// minimise over the force of one row; returns the decrease of the cost
template <class T, class L, bool E, class B>
CORTEN_FN T visit_row(const Problem<T, L, E>& p, const B& b, int r) {
  const int n = p.nefc;
  const T residual = b[r] + dot(p.AR.from(r * n), p.force, n), diagonal = p.AR[r * n + r];
  const T old = p.force[r], next = project(p, r, T(old - residual / diagonal)), step = next - old;
  const T change = step * (T(0.5) * step * diagonal + residual);
  if (value(change) > value_t<T>(1e-10)) return T(0);
  p.force[r] = next;
  return -change;
}

}  // namespace detail

// Improves p.force, which holds the warm start; returns the number of sweeps. p.qacc and
// p.qfrc_constraint follow from the forces.
template <class M, class T, class L, bool E>
CORTEN_FN int pgs(const M& m, const Problem<T, L, E>& p) {
  const int n = p.nefc, nv = p.nv;
  const T scale = T(1) / (T(m.meaninertia) * T(nv > 1 ? nv : 1));
  const auto b = p.row_work, previous = p.row_work.from(n), start = p.row_work.from(2 * n);
  detail::make_AR(m, p);
  multiply(p.J, n, nv, p.qacc_smooth, b);
  for (int r = 0; r < n; ++r) b[r] -= p.aref[r];

  // forget the warm start if no force at all is better
  T cost = T(0);
  for (int r = 0; r < n; ++r) {
    cost += p.force[r] * (b[r] + T(0.5) * dot(p.AR.from(r * n), p.force, n));
  }
  if (value(cost) > 0) fill(p.force, n, T(0));

  for (int r = 0; r < n; ++r) p.order[r] = r;
  copy(previous, p.force, n);
  detail::Shuffler shuffler;
  int sweeps = 0, momentum = 0;
  while (sweeps < m.opt.iterations) {
    // extrapolate along the last change, stay feasible
    const T beta = momentum > 1 ? T(momentum - 1) / T(momentum + 2) : T(0);
    for (int r = 0; r < n; ++r) {
      const T f = p.force[r];
      if (momentum > 1) p.force[r] = detail::project(p, r, T(f + beta * (f - previous[r])));
      previous[r] = f;
      start[r] = p.force[r];
    }

    shuffler.shuffle(p.order, n);
    T improvement = T(0);
    for (int k = 0; k < n; ++k) improvement += detail::visit_row(p, b, p.order[k]);

    // restart the momentum when the sweep corrects against it
    T against = T(0);
    for (int r = 0; r < n; ++r) against += (p.force[r] - start[r]) * (start[r] - previous[r]);
    momentum = sweeps > 0 && value(against) < 0 ? 0 : momentum + 1;
    ++sweeps;
    if (value(T(improvement * scale)) < value(T(m.opt.tolerance))) break;
  }

  map_forces(p);
  copy(p.qacc, p.qfrc_constraint, nv);
  tree_solve(m, nv, p.qLD, p.qLDiagInv, p.qacc);
  axpy(T(1), p.qacc_smooth, p.qacc, nv);
  return sweeps;
}

}  // namespace corten
