// SPDX-License-Identifier: Apache-2.0
//
// Sparse Cholesky factors in dense panels (panels.hpp): factorisation, solution, and changes of
// rank one.
//
// The factorisation looks left: each panel receives the products of the panels before it that have
// rows among its columns, and is then factored alone. A panel that is done waits in the list of the
// panel that needs it next, so no panel is looked at in vain. Products are computed in tiles that
// stay in registers: six columns, as many as a free body has, of a few rows. No register is longer
// than four doubles: some processors lower their clock for everything as soon as a few products are
// longer, and the steps of small models took 10 % more time.
#pragma once

#include <corten/math/dense.hpp>
#include <corten/math/panels.hpp>

namespace corten {

#ifdef __AVX__
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
    Strip<T, tile_rows> sum[tile_columns] = {};
    const T *x = a.data, *y = b.data;
    for (int p = 0; p < depth; ++p, x += step, y += step) {
      const auto column = strip_at<tile_rows>(x);
      for (int j = 0; j < tile_columns; ++j) sum[j] = sum[j] + y[j] * column;
    }
    for (int j = 0; j < tile_columns; ++j) sum[j].store(out + tile_rows * j);
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
    (strip_at<tile_rows>(y.data) - strip_at<tile_rows>(x)).store(y.data);
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

// a pivot, or the smallest trusted one in its place
template <class T>
CORTEN_FN T trusted_pivot(const T& pivot, bool& ok) {
  const bool trusted = value(pivot) > value_t<T>(min_value);
  ok = ok && trusted;
  return trusted ? pivot : T(min_value);
}

// Factors the N columns of a panel from `top` on, the first diagonal entry, with `rows` rows from
// there on and `step` numbers per column. The triangle and then a few rows at a time stay in
// registers; one column after the other would load and store each row N times. Columns are scaled
// by their roots at the end, so that no pivot waits for the root of the one before it.
template <int N, class T>
CORTEN_FN bool factor_block(T* top, int rows, int step) {
  bool ok = true;
  constexpr std::size_t size = N;
  T l[size][size], part[size][size], scale[size];
  for (int j = 0; j < N; ++j) {
    for (int i = j; i < N; ++i) l[j][i] = top[j * step + i];
  }
  for (int j = 0; j < N; ++j) {
    l[j][j] = trusted_pivot(l[j][j], ok);
    const T share = T(1) / l[j][j];
    scale[j] = sqrt(l[j][j]) * share;
    for (int c = j + 1; c < N; ++c) {
      part[j][c] = l[j][c] * share;
      for (int i = c; i < N; ++i) l[c][i] -= part[j][c] * l[j][i];
    }
  }
  for (int j = 0; j < N; ++j) {
    for (int i = j; i < N; ++i) top[j * step + i] = l[j][i] * scale[j];
  }
  each_strip(N, rows, [&](auto count, int i) {
    Strip<T, count()> x[size];
    for (int c = 0; c < N; ++c) {
      x[c] = strip_at<count()>(top + c * step + i);
      for (int j = 0; j < c; ++j) x[c] = x[c] - part[j][c] * x[j];
      (scale[c] * x[c]).store(top + c * step + i);
    }
  });
  return ok;
}

// Factors the columns from … to of a panel, which have received all products from outside of them.
// Returns false if a pivot had to be replaced.
template <class T, class L>
CORTEN_FN bool factor_columns(Field<T, L> panel, int rows, int from, int to) {
  if constexpr (vectorizes<T, L>) {
    T* const top = panel.data + from * rows + from;
    switch (to - from) {
      case 6: return factor_block<6>(top, rows - from, rows);
      case 5: return factor_block<5>(top, rows - from, rows);
      case 4: return factor_block<4>(top, rows - from, rows);
      case 3: return factor_block<3>(top, rows - from, rows);
      case 2: return factor_block<2>(top, rows - from, rows);
      default: return factor_block<1>(top, rows - from, rows);
    }
  }
  bool ok = true;
  for (int j = from; j < to; ++j) {
    const auto column = panel.from(j * rows);
    column[j] = trusted_pivot(T(column[j]), ok);
    const T share = T(1) / column[j];
    for (int c = j + 1; c < to; ++c) {
      axpy(T(-(column[c] * share)), column.from(c), panel.from(c * rows + c), rows - c);
    }
  }
  for (int j = from; j < to; ++j) {
    const auto column = panel.from(j * rows);
    const T scale = sqrt(column[j]) * (T(1) / column[j]);
    for (int i = j; i < rows; ++i) column[i] *= scale;
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

// One column of L L' + weight x x', from whose first entries a and b the first entry of x is taken
// away: what is left is a factor, an x without that entry, and another weight. The entries of x
// that the next columns wait for take no root and no division, as they would by rotations (Gill,
// Golub, Murray and Saunders 1974, method C1).
template <class T>
struct ColumnChange {
  T after, root, s, stretch, share, weight;

  CORTEN_FN ColumnChange(const T& a, const T& b, const T& old_weight) {
    const T before = a * a, per_a = T(1) / a;
    after = before + old_weight * b * b;
    const T per_after = T(1) / after;
    root = sqrt(after);
    s = b * per_a;
    stretch = root * per_a;
    share = old_weight * b * root * per_after;
    weight = old_weight * before * per_after;
  }

  // is the result positive definite?
  CORTEN_FN bool possible() const { return value(after) > value_t<T>(min_value); }

  // changes an entry of the column, or several, and that of x in the same row
  template <class E>
  CORTEN_FN void operator()(E& l, E& w) const {
    w = w - s * l;
    l = stretch * l + share * w;
  }
};

// Applies that to `count` rows of a column. Returns false, and changes nothing, if the result is
// not positive definite.
template <class T, class L>
CORTEN_FN bool update_column(Field<T, L> column, Field<T, L> x, int count, T& weight) {
  const ColumnChange<T> change(column[0], x[0], weight);
  if (!change.possible()) return false;
  column[0] = change.root;
  weight = change.weight;
  int i = 1;
  if constexpr (vectorizes<T, L>) {
    for (; i < 1 + (count - 1) % strip_size; ++i) change(column[i], x[i]);  // so that all end alike
    for (; i < count; i += strip_size) {
      auto l = strip_at<strip_size>(column.data + i), w = strip_at<strip_size>(x.data + i);
      change(l, w);
      l.store(column.data + i);
      w.store(x.data + i);
    }
  }
  for (; i < count; ++i) change(column[i], x[i]);
  return true;
}

}  // namespace detail

// ---- a single panel: dense matrices, stored by columns ------------------------------------------

namespace detail {

// x = L⁻¹ x
template <class T>
CORTEN_FN void solve_forward_in_blocks(const T* factor, int n, T* x) {
  int j = 0;
  for (; j + strip_size <= n; j += strip_size) {
    const T *a = factor + j * n, *b = a + n, *c = b + n, *d = c + n;
    const T ia = T(1) / a[j], ib = T(1) / b[j + 1], ic = T(1) / c[j + 2], id = T(1) / d[j + 3];
    const T xa = x[j] * ia, xb = (x[j + 1] - xa * a[j + 1]) * ib,
            xc = (x[j + 2] - xa * a[j + 2] - xb * b[j + 2]) * ic,
            xd = (x[j + 3] - xa * a[j + 3] - xb * b[j + 3] - xc * c[j + 3]) * id;
    store_strip(x + j, xa, xb, xc, xd);
    each_strip(j + strip_size, n, [&](auto count, int i) {
      const auto at = [&](const T* column) { return strip_at<count()>(column + i); };
      (at(x) - xa * at(a) - xb * at(b) - xc * at(c) - xd * at(d)).store(x + i);
    });
  }
  for (; j < n; ++j) {
    const T* column = factor + j * n;
    x[j] *= T(1) / column[j];
    for (int i = j + 1; i < n; ++i) x[i] -= x[j] * column[i];
  }
}

// x = L'⁻¹ x
template <class T>
CORTEN_FN void solve_back_in_blocks(const T* factor, int n, T* x) {
  using Sum = Strip<T, strip_size>;
  int j = n - 1;
  for (; j >= n - n % strip_size; --j) {
    const T* column = factor + j * n;
    T sum = x[j];
    for (int i = j + 1; i < n; ++i) sum -= column[i] * x[i];
    x[j] = sum * (T(1) / column[j]);
  }
  for (j -= strip_size - 1; j >= 0; j -= strip_size) {
    const T *a = factor + j * n, *b = a + n, *c = b + n, *d = c + n;
    Sum sa{}, sb{}, sc{}, sd{};
    int i = j + strip_size;
    for (; i + strip_size <= n; i += strip_size) {
      const Sum y = Sum::load(x + i);
      sa = sa + Sum::load(a + i) * y, sb = sb + Sum::load(b + i) * y;
      sc = sc + Sum::load(c + i) * y, sd = sd + Sum::load(d + i) * y;
    }
    T ta = sum(sa), tb = sum(sb), tc = sum(sc), td = sum(sd);
    for (; i < n; ++i) ta += a[i] * x[i], tb += b[i] * x[i], tc += c[i] * x[i], td += d[i] * x[i];
    const T ia = T(1) / a[j], ib = T(1) / b[j + 1], ic = T(1) / c[j + 2], id = T(1) / d[j + 3];
    const T xd = (x[j + 3] - td) * id, xc = (x[j + 2] - tc - c[j + 3] * xd) * ic,
            xb = (x[j + 1] - tb - b[j + 3] * xd - b[j + 2] * xc) * ib,
            xa = (x[j] - ta - a[j + 3] * xd - a[j + 2] * xc - a[j + 1] * xb) * ia;
    store_strip(x + j, xa, xb, xc, xd);
  }
}

template <class T, class L>
CORTEN_FN void solve_back(const Field<T, L>& factor, int n, const Field<T, L>& x) {
  if constexpr (vectorizes<T, L>) return solve_back_in_blocks<T>(factor.data, n, x.data);
  for (int j = n - 1; j >= 0; --j) {
    const auto column = factor.from(j * n);
    x[j] = (x[j] - dot(column.from(j + 1), x.from(j + 1), n - j - 1)) * (T(1) / column[j]);
  }
}

}  // namespace detail

// x = (L L')⁻¹ x
template <class T, class L>
CORTEN_FN void panel_solve(Field<T, L> factor, int n, Field<T, L> x) {
  if constexpr (detail::vectorizes<T, L>) {
    detail::solve_forward_in_blocks<T>(factor.data, n, x.data);
  } else {
    for (int j = 0; j < n; ++j) {
      const auto column = factor.from(j * n);
      x[j] *= T(1) / column[j];
      axpy(T(-x[j]), column.from(j + 1), x.from(j + 1), n - j - 1);
    }
  }
  detail::solve_back(factor, n, x);
}

// the factor of L L' + sign x x'; x is zero on return (see sparse_update)
template <class T, class L>
CORTEN_FN bool panel_update(Field<T, L> factor, int n, Field<T, L> x, const T& sign) {
  bool ok = true;
  T weight = sign;
  for (int j = 0; j < n && ok; ++j) {
    if (value(x[j]) == 0) continue;
    ok = detail::update_column(factor.from(j * n + j), x.from(j), n - j, weight);
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
  T weight = sign;
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
      ok = detail::update_column(column, work.from(j), rows - j, weight);
    }
    for (int i = columns; i < rows; ++i) x[row[i]] = ok ? work[i] : T(0);
  }
  return ok;
}

}  // namespace corten
