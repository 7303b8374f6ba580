// SPDX-License-Identifier: Apache-2.0
//
// Sparse Cholesky factors in dense panels (panels.hpp): factorisation, solution, and changes of
// rank one.
//
// The factorisation looks left: each panel receives the products of the panels before it that have
// rows among its columns, and is then factored alone. A panel that is done waits in the list of the
// panel that needs it next, so no panel is looked at in vain. Products are computed in tiles that
// stay in registers: six columns, as many as a free body has, of a few rows.
#pragma once

#include <corten/math/dense.hpp>
#include <corten/math/panels.hpp>

namespace corten {

#ifdef EIGEN_VECTORIZE_AVX
inline constexpr int tile_rows = 8;
#else
inline constexpr int tile_rows = 4;  // registers are half as wide
#endif
inline constexpr int tile_columns = 6;

// numbers behind the last panel that a tile may read, but not use
inline constexpr int tile_overhang = 8;

namespace detail {

// out(i, j) = Σ_p a(i, p) b(j, p) for a tile of rows i from `a` on and columns j from `b` on; p
// runs over `depth` columns, `step` numbers apart
template <class T, class L>
CORTEN_FN void tile_product(Field<const T, L> a, Field<const T, L> b, int depth, int step, T* out) {
  if constexpr (vectorizes<T, L>) {
    using Column = Eigen::Array<T, tile_rows, 1>;
    Column c0 = Column::Zero(), c1 = c0, c2 = c0, c3 = c0, c4 = c0, c5 = c0;
    const T *x = a.data, *y = b.data;
    for (int p = 0; p < depth; ++p, x += step, y += step) {
      const Column column = Eigen::Map<const Column>(x);
      c0 += column * y[0], c1 += column * y[1], c2 += column * y[2];
      c3 += column * y[3], c4 += column * y[4], c5 += column * y[5];
    }
    const auto keep = [&](int j, const Column& c) { Eigen::Map<Column>(out + tile_rows * j) = c; };
    keep(0, c0), keep(1, c1), keep(2, c2), keep(3, c3), keep(4, c4), keep(5, c5);
  } else {
    for (int i = 0; i < tile_rows * tile_columns; ++i) out[i] = T(0);
    for (int p = 0; p < depth; ++p) {
      for (int j = 0; j < tile_columns; ++j) {
        for (int i = 0; i < tile_rows; ++i) {
          out[tile_rows * j + i] += a[p * step + i] * b[p * step + j];
        }
      }
    }
  }
}

// y_i -= x_i for a tile's column
template <class T, class L>
CORTEN_FN void subtract_column(Field<T, L> y, const T* x) {
  if constexpr (vectorizes<T, L>) {
    using Column = Eigen::Array<T, tile_rows, 1>;
    Eigen::Map<Column>(y.data) -= Eigen::Map<const Column>(x);
  } else {
    for (int i = 0; i < tile_rows; ++i) y[i] -= x[i];
  }
}

// A product of panel rows that is subtracted from columns of a panel: rows from … to of a panel
// with `step` rows, times its rows from … columns_to, over `depth` columns.
struct PanelProduct {
  int from, to, columns_to, depth, step;
};

// target(at(i), at(j)) -= Σ_p source(i, p) source(j, p), where `at` is the row or column of the
// target, whose columns are target_step apart. Entries above the diagonal receive no use.
template <class T, class L, class F>
CORTEN_FN void subtract_product(Field<T, L> source, const PanelProduct& q, Field<T, L> target,
                                int target_step, F&& at) {
  const Field<const T, L> rows{source.data, source.layout};
  T out[tile_rows * tile_columns];
  for (int i = q.from; i < q.to; i += tile_rows) {
    const int height = q.to - i < tile_rows ? q.to - i : tile_rows, top = at(i);
    const bool adjacent = height == tile_rows && at(i + tile_rows - 1) == top + tile_rows - 1;
    const int end = q.columns_to < i + tile_rows ? q.columns_to : i + tile_rows;
    for (int j = q.from; j < end; j += tile_columns) {
      tile_product<T, L>(rows.from(i), rows.from(j), q.depth, q.step, out);
      const int width = end - j < tile_columns ? end - j : tile_columns;
      for (int c = 0; c < width; ++c) {
        const auto column = target.from(at(j + c) * target_step);
        if (adjacent) {
          subtract_column(column.from(top), out + tile_rows * c);
        } else {
          for (int r = 0; r < height; ++r) column[at(i + r)] -= out[tile_rows * c + r];
        }
      }
    }
  }
}

// Factors the columns from … to of a panel, which have received all products from outside of them.
// Returns false if a pivot had to be replaced.
template <class T, class L>
CORTEN_FN bool factor_columns(Field<T, L> panel, int rows, int from, int to) {
  bool ok = true;
  for (int j = from; j < to; ++j) {
    const auto column = panel.from(j * rows);
    T pivot = column[j];
    if (!(value(pivot) > value_t<T>(min_value))) {
      pivot = T(min_value);
      ok = false;
    }
    column[j] = sqrt(pivot);
    const T inverse = T(1) / column[j];
    for (int i = j + 1; i < rows; ++i) column[i] *= inverse;
    for (int c = j + 1; c < to; ++c) {
      axpy(T(-column[c]), column.from(c), panel.from(c * rows + c), rows - c);
    }
  }
  return ok;
}

template <class T, class L>
CORTEN_FN bool factor_panel(Field<T, L> panel, int rows, int columns) {
  bool ok = true;
  for (int from = 0; from < columns; from += tile_columns) {
    const int to = columns - from < tile_columns ? columns : from + tile_columns;
    if (from > 0) {
      subtract_product(panel, {from, rows, to, from, rows}, panel, rows, [](int i) { return i; });
    }
    ok = factor_columns(panel, rows, from, to) && ok;
  }
  return ok;
}

}  // namespace detail

// Replaces the lower triangle of a matrix, stored in the pattern of its factor, by the factor.
// Scratch: a number per dof, and three per panel. Returns false if the matrix is not positive
// definite; such a pivot is replaced by the smallest trusted one.
template <class T, class L, class I>
CORTEN_FN bool sparse_cholesky(const FactorPattern<I>& f, Field<T, L> values, I scratch) {
  const I local = scratch, head = scratch.from(f.dofs), next = head.from(f.panels),
          done = next.from(f.panels);
  bool ok = true;
  fill(head, f.panels, -1);
  const auto wait = [&](int k, int row) {  // until the panel whose columns contain that row
    if (row >= f.rows[k]) return;
    const int user = f.panel_of[f.row[f.row_at[k] + row]];
    done[k] = row;
    next[k] = head[user];
    head[user] = k;
  };
  for (int k = 0; k < f.panels; ++k) {
    const int rows = f.rows[k], last = f.first[k + 1];
    const auto panel = values.from(f.value_at[k]);
    for (int i = 0; i < rows; ++i) local[f.row[f.row_at[k] + i]] = i;
    for (int d = head[k], after = -1; d >= 0; d = after) {
      after = next[d];
      const I row = f.row.from(f.row_at[d]);
      const int from = done[d], all = f.rows[d];
      int to = from + 1;
      while (to < all && row[to] < last) ++to;
      detail::subtract_product(values.from(f.value_at[d]), {from, all, to, f.columns(d), all},
                               panel, rows, [&](int i) { return int(local[row[i]]); });
      wait(d, to);
    }
    const int columns = f.columns(k);
    ok = detail::factor_panel(panel, rows, columns) && ok;
    wait(k, columns);
  }
  return ok;
}

// x = (L L')⁻¹ x, where x is in the order of the positions. `work` has room for a number per dof.
// X may have another scalar than the factor, such as a dual number over it.
template <class T, class L, class I, class X>
CORTEN_FN void sparse_solve(const FactorPattern<I>& f, Field<T, L> values, Field<X, L> x,
                            Field<X, L> work) {
  for (int k = 0; k < f.panels; ++k) {
    const int rows = f.rows[k], columns = f.columns(k), below = rows - columns;
    const auto own = x.from(f.first[k]);
    const I row = f.row.from(f.row_at[k] + columns);
    fill(work, below, X(0));
    for (int j = 0; j < columns; ++j) {
      const auto column = values.from(f.value_at[k] + j * rows);
      own[j] /= column[j];
      const X
      factor = own[j];
      for (int i = j + 1; i < columns; ++i) own[i] -= factor * column[i];
      axpy(factor, column.from(columns), work, below);
    }
    for (int i = 0; i < below; ++i) x[row[i]] -= work[i];
  }
  for (int k = f.panels - 1; k >= 0; --k) {
    const int rows = f.rows[k], columns = f.columns(k), below = rows - columns;
    const auto own = x.from(f.first[k]);
    const I row = f.row.from(f.row_at[k] + columns);
    for (int i = 0; i < below; ++i) work[i] = x[row[i]];
    for (int j = columns - 1; j >= 0; --j) {
      const auto column = values.from(f.value_at[k] + j * rows);
      X
      sum = own[j] - dot(work, column.from(columns), below);
      for (int i = j + 1; i < columns; ++i) sum -= own[i] * column[i];
      own[j] = sum / column[j];
    }
  }
}

namespace detail {

// One column of L L' ± x x': (column, x) are rotated so that the first entry of x vanishes. Returns
// false, and changes nothing, if the result is not positive definite.
template <class T, class L>
CORTEN_FN bool rotate_column(Field<T, L> column, Field<T, L> x, int count, T sign) {
  const T a = column[0], b = x[0];
  const T square = a * a + sign * b * b;
  if (!(value(square) > value_t<T>(min_value))) return false;
  const T r = sqrt(square), c = r / a, s = b / a, inverse = a / r, signed_s = sign * s;
  column[0] = r;
  if constexpr (vectorizes<T, L>) {
    MapVec<T> l(column.data + 1, count - 1), w(x.data + 1, count - 1);
    l = (l + signed_s * w) * inverse;
    w = c * w - s * l;
  } else {
    for (int i = 1; i < count; ++i) {
      column[i] = (column[i] + signed_s * x[i]) * inverse;
      x[i] = c * x[i] - s * column[i];
    }
  }
  return true;
}

}  // namespace detail

// ---- a single panel: dense matrices, stored by columns ------------------------------------------

// x = (L L')⁻¹ x
template <class T, class L>
CORTEN_FN void panel_solve(Field<T, L> factor, int n, Field<T, L> x) {
  for (int j = 0; j < n; ++j) {
    const auto column = factor.from(j * n);
    x[j] /= column[j];
    axpy(T(-x[j]), column.from(j + 1), x.from(j + 1), n - j - 1);
  }
  for (int j = n - 1; j >= 0; --j) {
    const auto column = factor.from(j * n);
    x[j] = (x[j] - dot(column.from(j + 1), x.from(j + 1), n - j - 1)) / column[j];
  }
}

// the factor of L L' + sign x x'; x is zero on return (see sparse_update)
template <class T, class L>
CORTEN_FN bool panel_update(Field<T, L> factor, int n, Field<T, L> x, const T& sign) {
  bool ok = true;
  for (int j = 0; j < n && ok; ++j) {
    if (value(x[j]) != 0)
      ok = detail::rotate_column(factor.from(j * n + j), x.from(j), n - j, sign);
  }
  fill(x, n, T(0));
  return ok;
}

// ---- many panels --------------------------------------------------------------------------------

// Changes the factor of A to that of A + sign x x', where sign is 1 or -1. x is in the order of the
// positions, its entries are within one clique of the pattern, and `first` is the position of the
// first; it is zero on return. `work` has room for a number per dof. Returns false if the result is
// not positive definite: then the factor is spoilt.
template <class T, class L, class I>
CORTEN_FN bool sparse_update(const FactorPattern<I>& f, Field<T, L> values, Field<T, L> x,
                             int first, const T& sign, Field<T, L> work) {
  bool ok = true;
  for (int k = f.panel_of[first]; k >= 0; k = f.parent(k)) {
    const int rows = f.rows[k], columns = f.columns(k);
    const I row = f.row.from(f.row_at[k]);
    for (int i = 0; i < rows; ++i) {
      work[i] = x[row[i]];
      x[row[i]] = T(0);
    }
    for (int j = 0; j < columns && ok; ++j) {
      if (value(work[j]) == 0) continue;
      const auto column = values.from(f.value_at[k] + j * rows + j);
      ok = detail::rotate_column(column, work.from(j), rows - j, sign);
    }
    for (int i = columns; i < rows; ++i) x[row[i]] = ok ? work[i] : T(0);
  }
  return ok;
}

}  // namespace corten
