// SPDX-License-Identifier: Apache-2.0
//
// Newton's Hessian H = M + Σ D_r J_r' J_r over the rows on their quadratic piece, plus the
// contributions of elliptic cones in the `cone` zone: its assembly, its Cholesky factor, and what
// to do when rows change their pieces.
//
// The factor is dense for small islands, and for large ones in panels (math/sparse_cholesky.hpp).
// Both are stored by columns. When few rows change, the factor is changed row by row, which costs
// as much as the entries that a row's change passes; otherwise it is made anew (change_hessian).
#pragma once

#include <corten/solver/hessian_pattern.hpp>
#include <corten/solver/problem.hpp>

namespace corten {

namespace detail {

// ---- dense --------------------------------------------------------------------------------------

// how many columns of a run are not left of the diagonal of row i, and where they start
CORTEN_FN int from_diagonal(int i, int first) { return i > first ? i - first : 0; }

// H += weight · J_r' J_r
template <class T, class L, bool E>
CORTEN_FN void add_outer(const Problem<T, L, E>& p, int r, const T& weight) {
  each_entry(p.J, r, [&](int i, const T& entry) {
    const T scaled = weight * entry;
    if (value(scaled) == 0) return;
    const auto to = p.H.from(i * p.nv);
    each_run(p.J, r, [&](int first, const auto& row, int length) {
      const int skip = from_diagonal(i, first);
      if (skip < length) axpy(scaled, row.from(skip), to.from(first + skip), length - skip);
    });
  });
}

// ---- cones --------------------------------------------------------------------------------------

// f(k, row) for each row k of a cone in the `cone` zone, where `row` is row k of C J and C is the
// Hessian of the cone's cost: H += Σ_k J_k' row. Rows have the pattern of row r.
template <class T, class L, bool E, class F>
CORTEN_FN void each_cone_row(const Problem<T, L, E>& p, int r, int dim, F&& f) {
  const ConeScale<T> scale = cone_scale(p, r, dim);
  const ConePoint<T> at = cone_point(scale, cone_rows<T>(p.Jaref, r, dim));
  const T stiffness = cone_stiffness(scale, T(p.D[r]));
  const int width = row_width(p.J, r);
  for (int k = 0; k < dim; ++k) {
    fill(p.work, width, T(0));
    for (int l = 0; l < dim; ++l) {
      axpy(cone_curvature(scale, at, stiffness, k, l), row_entries(p.J, r + l), p.work, width);
    }
    f(k, p.work);
  }
}

}  // namespace detail

}  // namespace corten
