// SPDX-License-Identifier: Apache-2.0
//
// The dual problem, shared by PGS and noslip: minimise ½ f'(A + R) f + f'b over the forces f that
// friction bounds and cones allow, with A = J M⁻¹ J' and b = J a₀ - aref.
#pragma once

#include <corten/math/reach.hpp>
#include <corten/solver/problem.hpp>
#include <corten/solver/qcqp.hpp>

namespace corten {

namespace detail {

// The matrix AR = J M⁻¹ J' + R. M = L'DL gives M⁻¹ = L⁻¹ D⁻¹ L'⁻¹, so AR = Y Y' + R, where row r of
// Y is D^-½ L'⁻¹ J_r. Where rows are dense it is stored. Where they are compressed it is not: with
// z = Y' f, kept up to date while forces change, a residual costs as much as the row of Y is long,
// however many rows it interacts with.

// the compressed rows of Y
template <class T, class L, bool E>
CORTEN_FN RowSet<T, L> weighted_rows(const Problem<T, L, E>& p) {
  RowSet<T, L> Y;
  Y.entries = read_only(p.Y);
  Y.nv = p.nv;
  Y.compressed = true;
  Y.rowadr = read_only(p.Yadr);
  Y.runadr = read_only(p.Yadr.from(p.nefc));
  Y.run = read_only(p.Yrun);
  return Y;
}

template <class T, class L, bool E>
CORTEN_FN void make_Y(const Problem<T, L, E>& p) {
  int count = 0, at = 0, pattern = 0, end = 0;
  for (int i = 0; i < p.nv; ++i) p.work[i] = sqrt(p.qLDiagInv[i]);
  for (int r = 0; r < p.nefc; ++r) {
    if (r == 0 || p.J.runadr[r] != p.J.runadr[r - 1]) {
      count = list_reached(p, p.J, r, p.slot, p.list);
      pattern = end;
      end += write_pattern(p.list, count, p.Yrun.from(pattern));
    }
    reach(p, p.J, r, p.qLD, p.z, p.list, count, [](int) {});
    for (int k = 0; k < count; ++k) p.Y[at + k] = p.z[p.list[k]] * p.work[p.list[k]];
    p.Yadr[r] = at;
    p.Yadr[p.nefc + r] = pattern;
    at += count;
  }
}

// z = Y' force, where it is used
template <class T, class L, bool E>
CORTEN_FN void make_z(const Problem<T, L, E>& p) {
  if (!p.J.compressed) return;
  fill(p.z, p.nv, T(0));
  for (int r = 0; r < p.nefc; ++r) {
    if (!vanishes(p.force[r])) row_axpy(p.force[r], weighted_rows(p), r, p.z);
  }
}

// the force of row r has changed from `old`
template <class T, class L, bool E>
CORTEN_FN void force_moved(const Problem<T, L, E>& p, int r, const T& old) {
  if (p.J.compressed) row_axpy(T(p.force[r] - old), weighted_rows(p), r, p.z);
}

// (AR f + b) of row r
template <class T, class L, bool E, class B>
CORTEN_FN T dual_residual(const Problem<T, L, E>& p, const B& b, int r) {
  if (p.J.compressed) return b[r] + row_dot(weighted_rows(p), r, p.z) + p.force[r] / p.D[r];
  return b[r] + dot(p.AR.from(r * p.nefc), p.force, p.nefc);
}

// an entry of AR, for rows of one constraint
template <class T, class L, bool E>
CORTEN_FN T dual_entry(const Problem<T, L, E>& p, int r, int s) {
  if (!p.J.compressed) return p.AR[r * p.nefc + s];
  const T a = row_product(weighted_rows(p), r, s);
  return r == s ? T(a + T(1) / p.D[r]) : a;
}

template <class T, class L, bool E, class G = Alone>
CORTEN_FN void make_AR(const Problem<T, L, E>& p, const G& team = {}) {
  const int nv = p.nv, n = p.nefc;
  if (p.J.compressed) return make_Y(p);
  copy(team, p.Y, p.J.entries, n * nv);
  each(team, nv, [&](int i) { p.work[i] = sqrt(p.qLDiagInv[i]); });
  each(team, n, [&](int r) {
    const auto y = p.Y.from(r * nv);
    for (int i = nv - 1; i >= 0; --i) {
      const T yi = y[i];
      if (vanishes(yi)) continue;
      const int row = p.M_rowadr[i], diag = row + p.M_rownnz[i] - 1;
      for (int k = row; k < diag; ++k) y[p.M_colind[k]] -= p.qLD[k] * yi;
    }
    for (int i = 0; i < nv; ++i) y[i] *= p.work[i];
  });
  each(team, n, [&](int r) {
    const auto y = p.Y.from(r * nv);
    const auto products = p.AR.from(r * n);
    multiply(p.Y, r + 1, nv, y, products);
    for (int s = 0; s < r; ++s) p.AR[s * n + r] = products[s];
    products[r] += T(1) / p.D[r];
  });
}

// converts costs to the units of the tolerance
template <class T, class M>
CORTEN_FN T dual_scale(const M& m) {
  return T(1) / (convert<T>(m.meaninertia) * T(m.n.nv > 1 ? m.n.nv : 1));
}

// b = J a₀ - aref
template <class T, class L, bool E, class B, class G = Alone>
CORTEN_FN void make_b(const Problem<T, L, E>& p, const B& b, const G& team = {}) {
  multiply(team, p.J, p.nefc, p.qacc_smooth, b);
  each(team, p.nefc, [&](int r) { b[r] -= p.aref[r]; });
}

// how a step of one force changes the cost
template <class T>
CORTEN_FN T cost_change(const T& step, const T& diagonal, const T& residual) {
  return step * (T(0.5) * step * diagonal + residual);
}

// How the step from `old` to `force` changes the cost, for n rows with the block A of the matrix. A
// step that makes the cost worse is undone.
template <class T, class F>
CORTEN_FN T block_change(int n, const T* A, const T* residual, const T* old, const F& force) {
  T change = T(0);
  for (int i = 0; i < n; ++i) {
    T sum = residual[i];
    for (int k = 0; k < n; ++k) sum += T(0.5) * A[i * n + k] * (force[k] - old[k]);
    change += (force[i] - old[i]) * sum;
  }
  if (value(change) > value_t<T>(1e-10)) {
    for (int i = 0; i < n; ++i) force[i] = old[i];
    return T(0);
  }
  return change;
}

// the state of an elliptic cone, derived from its force as MuJoCo does
template <class T, class L, bool E>
CORTEN_FN ConstraintState dual_cone_state(const Problem<T, L, E>& p, int r, int dim) {
  const ConeScale<T> scale = cone_scale(p, r, dim);
  T sum = T(0);
  for (int k = 1; k < dim; ++k) {
    const T f = p.force[r + k] / scale.factor[k];
    sum += f * f;
  }
  const T mu = scale.mu(), N = p.force[r] / mu, size = safe_sqrt(sum);
  if (value(T(mu * N)) >= value(size)) return ConstraintState::satisfied;
  return value(T(N + mu * size)) <= 0 ? ConstraintState::quadratic : ConstraintState::cone;
}

// derives the states of all rows from their forces
template <class T, class L, bool E>
CORTEN_FN void dual_states(const Problem<T, L, E>& p) {
  for (int r = 0; r < p.nefc;) {
    const int dim = cone_dim(p, r), count = dim > 0 ? dim : 1;
    const auto f = value(p.force[r]);
    ConstraintState state = ConstraintState::quadratic;
    if (dim > 0) {
      state = dual_cone_state(p, r, dim);
    } else if (r >= p.ne + p.nf) {
      if (f <= 0) state = ConstraintState::satisfied;
    } else if (r >= p.ne) {
      if (f <= value(T(-p.floss[r]))) {
        state = ConstraintState::linear_positive;
      } else if (f >= value(p.floss[r])) {
        state = ConstraintState::linear_negative;
      }
    }
    for (int k = r; k < r + count; ++k) set_state(p, k, state);
    r += count;
  }
}

}  // namespace detail

// qfrc_constraint and qacc from the forces
template <class T, class L, bool E, class G = Alone>
CORTEN_FN void finish_dual(const Problem<T, L, E>& p, const G& team = {}) {
  map_forces(p, team);
  once(team, [&] {
    copy(p.qacc, p.qfrc_constraint, p.nv);
    tree_solve(p, p.nv, p.qLD, p.qLDiagInv, p.qacc);
    axpy(T(1), p.qacc_smooth, p.qacc, p.nv);
  });
}

}  // namespace corten
