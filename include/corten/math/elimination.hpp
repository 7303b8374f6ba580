// SPDX-License-Identifier: Apache-2.0
//
// Solves small dense systems by Gaussian elimination. Rows are swapped by select, so each lane can
// choose its own pivot.
#pragma once

#include <corten/math/types.hpp>

namespace corten {

// In place: b = A⁻¹ b; A is overwritten. Returns in which lanes every pivot was large enough to
// divide by.
template <class S, int N>
CORTEN_FN auto solve_dense(Eigen::Matrix<S, N, N, Eigen::RowMajor | Eigen::DontAlign>& a,
                           Vec<S, N>& b) {
  mask_t<S> ok = all_lanes<S>();
  const auto exchange = [](const auto& where, S& x, S& y) {
    const S kept = x;
    x = select(where, y, kept);
    y = select(where, kept, y);
  };
  for (int k = 0; k < N; ++k) {
    // bring the largest entry of the column at or below the diagonal up to the diagonal
    for (int i = k + 1; i < N; ++i) {
      const auto larger = abs(value(a(i, k))) > abs(value(a(k, k)));
      if (!any(larger)) continue;
      for (int j = k; j < N; ++j) exchange(larger, a(k, j), a(i, j));
      exchange(larger, b[k], b[i]);
    }
    const auto trusted = abs(value(a(k, k))) > value_t<S>(min_value);
    ok = ok && trusted;
    a(k, k) = S(1) / select(trusted, a(k, k), S(1));
    for (int i = k + 1; i < N; ++i) {
      const S scale = a(i, k) * a(k, k);
      for (int j = k + 1; j < N; ++j) a(i, j) -= scale * a(k, j);
      b[i] -= scale * b[k];
    }
  }
  for (int k = N - 1; k >= 0; --k) {
    for (int j = k + 1; j < N; ++j) b[k] -= a(k, j) * b[j];
    b[k] *= a(k, k);
  }
  return ok;
}

}  // namespace corten
