// SPDX-License-Identifier: Apache-2.0
//
// The dense Cholesky factor of a team of threads (team.hpp): the sums of factor_panel(),
// panel_solve() and panel_update() (math/sparse_cholesky.hpp) in their order, with the entries
// divided among threads.
#pragma once

#include <corten/math/sparse_cholesky.hpp>
#include <corten/solver/team.hpp>

namespace corten {

// Entry e < n (n + 1) / 2 of a lower triangle. Columns i and n - 1 - i have n + 1 entries together.
struct TriangleEntry {
  int column, row;
};
CORTEN_FN TriangleEntry triangle_entry(int e, int n) {
  const int a = e / (n + 1), c = e % (n + 1);
  if (c < n - a) return {a, a + c};
  return {n - 1 - a, c - 1};
}

namespace detail {

// What column j of the factor changes in the columns up to `to`, before either is scaled. Nobody
// reads the pivot again before that, so it is written while others read the rest of the column.
template <class G, class T, class L>
CORTEN_FN void subtract_column_from(const G& team, const Field<T, L>& a, int n, int j, int to) {
  bool ok = true;
  const T pivot = trusted_pivot(T(a[j * n + j]), ok), share = T(1) / pivot;
  const int below = n - j - 1, entries = (to - j - 1) * below;
  for (int e = team.rank(); e < entries; e += team.size()) {
    const int c = j + 1 + e / below, i = j + 1 + e % below;
    if (i >= c) a[c * n + i] -= a[j * n + c] * share * a[j * n + i];
  }
  team.wait();
  if (team.leads()) a[j * n + j] = pivot;
}

// scales the columns from … to by the roots of their pivots
template <class G, class T, class L>
CORTEN_FN void scale_columns(const G& team, const Field<T, L>& a, int n, int from, int to) {
  T scale[tile_columns];
  team.wait();
  for (int j = from; j < to; ++j) {
    const T pivot = a[j * n + j];
    scale[j - from] = sqrt(pivot) * (T(1) / pivot);
  }
  team.wait();
  const int below = n - from, entries = (to - from) * below;
  for (int e = team.rank(); e < entries; e += team.size()) {
    const int j = from + e / below, i = from + e % below;
    if (i >= j) a[j * n + i] *= scale[j - from];
  }
  team.wait();
}

}  // namespace detail

// In place: replaces the lower triangle of a symmetric matrix by its factor. A pivot that is not
// positive is replaced by the smallest trusted one.
template <class G, class T, class L>
CORTEN_FN void factor_dense(const G& team, const Field<T, L>& a, int n) {
  team.wait();
  for (int from = 0; from < n; from += tile_columns) {
    const int to = n - from < tile_columns ? n : from + tile_columns;
    const int below = n - from, entries = from > 0 ? (to - from) * below : 0;
    for (int e = team.rank(); e < entries; e += team.size()) {
      const int j = from + e / below, i = from + e % below;
      if (i < j) continue;
      T sum = T(0);
      for (int p = 0; p < from; ++p) sum += a[p * n + i] * a[p * n + j];
      a[j * n + i] -= sum;
    }
    team.wait();
    for (int j = from; j < to; ++j) detail::subtract_column_from(team, a, n, j, to);
    detail::scale_columns(team, a, n, from, to);
  }
}

// The factor of L L' + sign x x'; x is zero on return. Returns false if the result is not positive
// definite. A column is changed by all threads, one column after the other. They read its first
// entry before they wait, and one writes it afterwards.
template <class G, class T, class L>
CORTEN_FN bool update_dense(const G& team, const Field<T, L>& a, int n, const Field<T, L>& x,
                            const T& sign) {
  bool ok = true;
  T weight = sign;
  for (int j = 0; j < n && ok; ++j) {
    const auto column = a.from(j * n);
    if (value(x[j]) == 0) continue;
    const detail::ColumnChange<T> change(column[j], x[j], weight);
    ok = change.possible();
    if (!ok) break;
    for (int i = j + 1 + team.rank(); i < n; i += team.size()) change(column[i], x[i]);
    team.wait();
    if (team.leads()) column[j] = change.root;
    weight = change.weight;
  }
  fill(team, x, n, T(0));
  return ok;
}

// x = (L L')⁻¹ x. The way back is a chain of sums, each of which needs the one before: one thread
// does it. Dividing it would take other sums, and so other bits.
template <class G, class T, class L>
CORTEN_FN void solve_dense(const G& team, const Field<T, L>& a, int n, const Field<T, L>& x) {
  team.wait();
  for (int j = 0; j < n; ++j) {
    const T xj = x[j] * (T(1) / a[j * n + j]);
    for (int i = j + 1 + team.rank(); i < n; i += team.size()) x[i] += -xj * a[j * n + i];
    team.wait();
    if (team.leads()) x[j] = xj;
  }
  once(team, [&] { detail::solve_back(a, n, x); });
}

}  // namespace corten
