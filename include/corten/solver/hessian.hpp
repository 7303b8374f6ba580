// SPDX-License-Identifier: Apache-2.0
//
// Newton's Hessian H = M + Σ D_r J_r' J_r over the rows on their quadratic piece, plus the
// contributions of elliptic cones in the `cone` zone: its assembly, its Cholesky factor, and what
// happens to that when rows change their pieces.
//
// The factor is dense for small islands, and in panels for large ones (math/sparse_cholesky.hpp).
// Both are stored by columns. When few rows change, the factor is changed row by row; when many do,
// it is made anew. change_hessian() decides by what either is estimated to cost.
//
// What the sparse factor brings. The time of the solver in one step from the same state, with the
// time to make the patterns, against MuJoCo 3.12, which factors in the order of the dofs and
// changes its factor row by row (double, g++ 12 -O2 -march=native, CPU time on a busy machine, µs):
//
//   in contact                 dofs    rows   iterations   MuJoCo   corten
//   10 balls in a box            60      92            1       98       18
//   100 balls in a box          600     948            3     5070      365
//   300 balls in a box         1800    2608            4    61000     2350
//   1000 balls in a box        6000    6144            7  3200000    13300
//   100 balls, boxes, capsules  600    1052            5     6270      584
//   net of 100 connected        600     836            2     1880      297
//   chain of 100 on a floor     204     800            1    13000     1760
//   30 humanoids in a heap      810     468            5     3570     1210
#pragma once

#include <corten/solver/hessian_pattern.hpp>
#include <corten/solver/problem.hpp>
#include <corten/solver/team_dense.hpp>

namespace corten {

namespace detail {

CORTEN_FN bool is_quadratic(int state) {
  return state == static_cast<int>(ConstraintState::quadratic);
}
CORTEN_FN bool is_cone(int state) { return state == static_cast<int>(ConstraintState::cone); }

// A term weight · left' right of the Hessian. Both are entries in the pattern of a row; only the
// lower triangle is computed, so terms have to be symmetric, alone or in sum.
template <class T, class L>
struct OuterProduct {
  T weight;
  Field<const T, L> left, right;
};

// rows of one constraint that are added at a time
inline constexpr int most_terms = 12;

// column += Σ scale_t right_t for `length` entries from `entry` on, a fixed number of them
template <int N, class T, class L>
CORTEN_FN void add_short(const Field<T, L>& column, const OuterProduct<T, L>* terms, const T* scale,
                         int count, int entry) {
  if constexpr (vectorizes<T, L>) {
    using Short = Eigen::Array<T, N, 1>;
    Short sum = Eigen::Map<const Short>(column.data);
    for (int t = 0; t < count; ++t) {
      sum += scale[t] * Eigen::Map<const Short>(terms[t].right.data + entry);
    }
    Eigen::Map<Short>(column.data) = sum;
  } else {
    for (int t = 0; t < count; ++t) axpy(scale[t], terms[t].right.from(entry), column, N);
  }
}

// The same for any length. Six are the dofs of a free body; four terms are the edges of a pyramid.
template <class T, class L>
CORTEN_FN void add_to_column(const Field<T, L>& column, const OuterProduct<T, L>* terms,
                             const T* scale, int count, int entry, int length) {
  if (length == 6) return add_short<6>(column, terms, scale, count, entry);
  int t = 0;
  if constexpr (vectorizes<T, L>) {
    for (; t + 3 < count; t += 4) {
      each_strip(0, length, [&](auto size, int i) {
        const auto x = [&](int k) {
          return scale[k] * strip_at<size()>(terms[k].right.data + entry + i);
        };
        const auto sum = x(t) + x(t + 1) + x(t + 2) + x(t + 3);
        (strip_at<size()>(column.data + i) + sum).store(column.data + i);
      });
    }
  } else {
    const auto x = [&](int k, int i) { return scale[k] * terms[k].right[entry + i]; };
    for (; t + 3 < count; t += 4) {
      for (int i = 0; i < length; ++i) {
        column[i] += x(t, i) + x(t + 1, i) + x(t + 2, i) + x(t + 3, i);
      }
    }
  }
  for (; t < count; ++t) axpy(scale[t], terms[t].right.from(entry), column, length);
}

// scale_t = weight_t left_t(entry) for each term; returns whether any is not zero
template <class T, class L>
CORTEN_FN bool scale_terms(const OuterProduct<T, L>* terms, int count, int entry, T* scale) {
  bool any = false;
  for (int t = 0; t < count; ++t) {
    scale[t] = terms[t].weight * terms[t].left[entry];
    any = any || value(scale[t]) != 0;
  }
  return any;
}

// ---- dense --------------------------------------------------------------------------------------

// H += Σ terms of dense rows, one after the other. A few columns and rows of H stay in registers
// while all terms are added. What falls above the diagonal is never read.
template <class T, class L, bool E>
CORTEN_FN void add_full(const Problem<T, L, E>& p, const OuterProduct<T, L>* terms, int count) {
  const int nv = p.nv;
  if constexpr (!vectorizes<T, L>) {
    for (int i = 0; i < nv; ++i) {
      T scale[most_terms];
      if (!scale_terms(terms, count, i, scale)) continue;
      for (int j = i; j < nv; ++j) {
        T sum = p.H[i * nv + j];
        for (int t = 0; t < count; ++t) sum += scale[t] * terms[t].right[j];
        p.H[i * nv + j] = sum;
      }
    }
  } else {
    each_strip(0, nv, [&](auto columns, int i) {
      constexpr std::size_t size = columns();
      T scale[most_terms][size];
      bool any = false;
      for (int t = 0; t < count; ++t) {
        (terms[t].weight * strip_at<columns()>(terms[t].left.data + i)).store(scale[t]);
        for (int c = 0; c < columns() && !any; ++c) any = scale[t][c] != 0;
      }
      if (!any) return;
      each_strip(i, nv, [&](auto rows, int j) {
        Strip<T, rows()> h[size];
        for (int c = 0; c < columns(); ++c) h[c] = strip_at<rows()>(p.H.data + (i + c) * nv + j);
        for (int t = 0; t < count; ++t) {
          const auto right = strip_at<rows()>(terms[t].right.data + j);
          for (int c = 0; c < columns(); ++c) h[c] = h[c] + scale[t][c] * right;
        }
        for (int c = 0; c < columns(); ++c) h[c].store(p.H.data + (i + c) * nv + j);
      });
    });
  }
}

// H += Σ terms, in the pattern of row r. What falls above the diagonal is never read.
template <class T, class L, bool E>
CORTEN_FN void add_dense(const Problem<T, L, E>& p, int r, const OuterProduct<T, L>* terms,
                         int count) {
  if (!p.J.compressed) return add_full(p, terms, count);
  T scale[most_terms];
  int entry = 0;
  each_run(p.J, r, [&](int first, const auto&, int length) {
    for (int i = first; i < first + length; ++i, ++entry) {
      if (!scale_terms(terms, count, entry, scale)) continue;
      const auto column = p.H.from(i * p.nv);
      int at = 0;
      each_run(p.J, r, [&](int other, const auto&, int size) {
        const int skip = size > 6 && i > other ? (i - other < size ? i - other : size) : 0;
        if (other + size > i && skip < size) {
          add_to_column(column.from(other + skip), terms, scale, count, at + skip, size - skip);
        }
        at += size;
      });
    }
  });
}

template <class T, class L, bool E>
CORTEN_FN void start_dense(const Problem<T, L, E>& p) {
  fill(p.H, p.nv * p.nv, T(0));
  for (int i = 0; i < p.nv; ++i) {
    const int row = p.M_rowadr[i];
    for (int k = row; k < row + p.M_rownnz[i]; ++k) p.H[p.M_colind[k] * p.nv + i] = p.M[k];
  }
}

// ---- in panels ----------------------------------------------------------------------------------

// H += Σ terms, in the pattern of group g. What falls above the diagonal is never read.
template <class T, class L, bool E>
CORTEN_FN void add_in_panels(const Problem<T, L, E>& p, int g, const OuterProduct<T, L>* terms,
                             int count) {
  const auto& f = p.pattern.factor;
  const auto piece = p.pattern.rows.piece.from(p.pattern.rows.at[g]);
  const auto local = p.pattern.scratch;  // row of the panel where a piece starts
  const int pieces = piece[0];
  T scale[most_terms];
  for (int a = 0; a < pieces; ++a) {
    const int start = piece[3 * a + 1], entry = piece[3 * a + 2], length = piece[3 * a + 3];
    for (int j = 0, panel = -1; j < length; ++j) {
      const int k = f.panel_of[start + j], own = start + j - f.first[k];
      if (k != panel) {
        panel = k;
        for (int b = a + 1; b < pieces; ++b) local[b] = row_in_panel(f, k, piece[3 * b + 1]);
      }
      if (!scale_terms(terms, count, entry + j, scale)) continue;
      const auto column = p.H.from(f.value_at[k] + own * f.rows[k]);
      const int skip = length > 6 || own < j ? j : 0;  // a short piece is added as a whole
      add_to_column(column.from(own - j + skip), terms, scale, count, entry + skip, length - skip);
      for (int b = a + 1; b < pieces; ++b) {
        add_to_column(column.from(local[b]), terms, scale, count, piece[3 * b + 2],
                      piece[3 * b + 3]);
      }
    }
  }
}

template <class T, class L, bool E>
CORTEN_FN void start_in_panels(const Problem<T, L, E>& p) {
  fill(p.H, p.pattern.factor.values, T(0));
  for (int i = 0, entry = 0; i < p.nv; ++i) {
    const int row = p.M_rowadr[i], end = row + p.M_rownnz[i];
    for (int k = row; k < end; ++k) p.H[p.pattern.inertia[entry++]] = p.M[k];
  }
}

// ---- rows ---------------------------------------------------------------------------------------

// the entries of a row, in its pattern
template <class T, class L, bool E>
CORTEN_FN Field<const T, L> row_entries(const Problem<T, L, E>& p, int r) {
  return p.J.entries.from(p.J.compressed ? int(p.J.rowadr[r]) : r * p.nv);
}
template <class T, class L, bool E>
CORTEN_FN int row_width(const Problem<T, L, E>& p, int r) {
  int width = 0;
  each_run(p.J, r, [&](int, const auto&, int length) { width += length; });
  return width;
}

// Adds J_c' C J_c for the rows of a cone in the `cone` zone, where C is the Hessian of its cost.
template <class T, class L, bool E, class F, class G>
CORTEN_FN void add_cone(const Problem<T, L, E>& p, int r, int dim, F&& add, const G& team) {
  const ConeScale<T> scale = cone_scale(p, r, dim);
  const ConePoint<T> at = cone_point(scale, cone_rows<T>(p.Jaref, r, dim));
  const T stiffness = cone_stiffness(scale, T(p.D[r]));
  const int width = row_width(p, r);
  for (int k = 0; k < dim; ++k) {
    fill(team, p.work, width, T(0));
    for (int l = 0; l < dim; ++l) {
      axpy(team, cone_curvature(scale, at, stiffness, k, l), row_entries(p, r + l), p.work, width);
    }
    const OuterProduct<T, L> term{T(1), row_entries(p, r + k), read_only(p.work)};
    add(&term, 1);
  }
}

// Adds the rows from … to - 1, which have the same pattern.
template <class T, class L, bool E, class F, class G>
CORTEN_FN void add_rows(const Problem<T, L, E>& p, int from, int to, F&& add, const G& team) {
  OuterProduct<T, L> terms[most_terms];
  int count = 0;
  for (int r = from; r < to; ++r) {
    if (is_quadratic(p.state[r])) {
      terms[count++] = {T(p.D[r]), row_entries(p, r), row_entries(p, r)};
    } else if (E && is_cone(p.state[r])) {
      const int dim = cone_dim(p, r);
      add_cone(p, r, dim, add, team);
      r += dim - 1;
    }
    if (count == most_terms || (r == to - 1 && count > 0)) {
      add(terms, count);
      count = 0;
    }
  }
  if (count > 0) add(terms, count);
}

// Assembles H by a team: each thread adds up whole entries, in the order of one thread.
template <class T, class L, bool E, class G>
CORTEN_FN void assemble_together(const Problem<T, L, E>& p, const G& team) {
  const int nv = p.nv;
  fill(team, p.H, nv * nv, T(0));
  each(team, nv, [&](int i) {
    const int row = p.M_rowadr[i];
    for (int k = row; k < row + p.M_rownnz[i]; ++k) p.H[p.M_colind[k] * nv + i] = p.M[k];
  });
  const auto add = [&](const OuterProduct<T, L>* terms, int count) {
    each(team, nv * (nv + 1) / 2, [&](int e) {
      const auto [i, j] = triangle_entry(e, nv);
      T sum = p.H[i * nv + j];
      for (int t = 0; t < count; ++t) sum += terms[t].weight * terms[t].left[i] * terms[t].right[j];
      p.H[i * nv + j] = sum;
    });
  };
  add_rows(p, 0, p.nefc, add, team);
}

}  // namespace detail

// Assembles H and replaces it by its Cholesky factor.
template <class T, class L, bool E, class G = Alone>
CORTEN_FN void factor_hessian(const Problem<T, L, E>& p, const G& team = {}) {
  using Term = detail::OuterProduct<T, L>;
  if constexpr (G::many) {
    detail::assemble_together(p, team);
    return factor_dense(team, p.H, p.nv);
  }
  if (p.pattern.sparse()) {
    const auto& rows = p.pattern.rows;
    detail::start_in_panels(p);
    for (int g = 0; g < rows.groups; ++g) {
      const auto add = [&](const Term* t, int count) { detail::add_in_panels(p, g, t, count); };
      detail::add_rows(p, rows.row[g], rows.row[g + 1], add, team);
    }
    sparse_cholesky(p.pattern.factor, p.H, p.pattern.scratch);
    return;
  }
  detail::start_dense(p);
  const auto same = [&](int r, int s) { return !p.J.compressed || p.J.runadr[r] == p.J.runadr[s]; };
  for (int r = 0, end = 0; r < p.nefc; r = end) {
    while (end < p.nefc && same(r, end)) ++end;
    const auto add = [&](const Term* t, int count) { detail::add_dense(p, r, t, count); };
    detail::add_rows(p, r, end, add, team);
  }
  detail::factor_panel(p.H, p.nv, p.nv);
}

// x = H⁻¹ b
template <class T, class L, bool E, class G>
CORTEN_FN void solve_hessian(const Problem<T, L, E>& p, const Field<T, L>& b, const Field<T, L>& x,
                             const G& team) {
  if constexpr (G::many) {
    copy(team, x, b, p.nv);
    return solve_dense(team, p.H, p.nv, x);
  }
  if (!p.pattern.sparse()) {
    copy(x, b, p.nv);
    panel_solve(p.H, p.nv, x);
    return;
  }
  const auto& f = p.pattern.factor;
  for (int i = 0; i < p.nv; ++i) p.old[f.place[i]] = b[i];
  sparse_solve(f, p.H, p.old, p.work);
  for (int i = 0; i < p.nv; ++i) x[i] = p.old[f.place[i]];
}

namespace detail {

// what is known about the change of the Hessian, and what it costs in nanoseconds, roughly
struct HessianChange {
  int rows = 0;        // that entered or left their quadratic piece
  bool cones = false;  // some are in the `cone` zone, where the Hessian changes all the time
  double update = 0, anew = 0;
};

// Counts what has changed since the states in p.old_state. Measured for factors in panels: a term
// of the factorisation takes 0.08 ns, an entry that a change of rank one passes 0.4 ns, an entry of
// a row 5 ns in the assembly; small matrices are slower per entry. Dense factors and their changes
// take a third less in strips, which leaves their ratio; the assembly was not timed again.
template <class T, class L, bool E>
CORTEN_FN HessianChange hessian_change(const Problem<T, L, E>& p) {
  HessianChange c;
  const auto& f = p.pattern.factor;
  const auto& rows = p.pattern.rows;
  const double n = p.nv;
  double each = 20 * n + 0.1 * n * n, width = n;
  for (int r = 0, g = -1; r < p.nefc; ++r) {
    if (p.pattern.sparse() && r == rows.row[g + 1]) {
      ++g;
      const auto piece = rows.piece.from(rows.at[g]);
      each = width = 0;
      for (int a = 0; a < piece[0]; ++a) width += piece[3 * a + 3];
      if (width > 0) each = 100 + 0.4 * f.path[f.panel_of[piece[1]]];
    }
    const bool now = is_quadratic(p.state[r]), before = is_quadratic(p.old_state[r]);
    if (E && (is_cone(p.state[r]) || is_cone(p.old_state[r]))) c.cones = true;
    if (now != before) ++c.rows, c.update += each;
    if (now) c.anew += 5 * width;
  }
  c.anew += p.pattern.sparse() ? 80.0 * f.work + 0.3 * f.values : 0.03 * n * n * n + 10 * n;
  return c;
}

// H += sign · D_r J_r' J_r for the factor. Returns false if that spoilt it. p.old is zero, and
// stays so.
template <class T, class L, bool E, class G>
CORTEN_FN bool change_row(const Problem<T, L, E>& p, int r, int group, const T& sign,
                          const G& team) {
  const T root = sqrt(p.D[r]);
  const auto entries = row_entries(p, r);
  if constexpr (G::many) {
    each(team, p.nv, [&](int i) { p.old[i] = root * entries[i]; });
    return update_dense(team, p.H, p.nv, p.old, sign);
  }
  if (!p.pattern.sparse()) {
    int at = 0;
    each_run(p.J, r, [&](int first, const auto&, int length) {
      for (int i = 0; i < length; ++i) p.old[first + i] = root * entries[at + i];
      at += length;
    });
    return panel_update(p.H, p.nv, p.old, sign);
  }
  const auto piece = p.pattern.rows.piece.from(p.pattern.rows.at[group]);
  for (int a = 0; a < piece[0]; ++a) {
    const auto to = p.old.from(piece[3 * a + 1]);
    const auto from = entries.from(piece[3 * a + 2]);
    for (int i = 0; i < piece[3 * a + 3]; ++i) to[i] = root * from[i];
  }
  if (piece[0] == 0) return true;
  return sparse_update(p.pattern.factor, p.H, p.old, piece[1], sign, p.work);
}

}  // namespace detail

// Brings the factor from the states in p.old_state to those in p.state, if that is cheaper than to
// compute it anew. Returns false if that is left to the caller.
template <class T, class L, bool E, class G>
[[nodiscard]] CORTEN_FN bool change_hessian(const Problem<T, L, E>& p, const G& team) {
  const auto change = detail::hessian_change(p);
  if (change.rows == 0 && !change.cones) return true;
  // Taking a stiff row away leaves its rounding behind, which in single precision is too much.
  const bool precise = value_t<T>(1) + value_t<T>(1e-12) != value_t<T>(1);
  bool ok = precise && !change.cones && change.update < change.anew;
  if (ok) fill(team, p.old, p.nv, T(0));
  for (int r = 0, g = -1; r < p.nefc && ok; ++r) {
    if (p.pattern.sparse() && r == p.pattern.rows.row[g + 1]) ++g;
    const bool now = detail::is_quadratic(p.state[r]),
               before = detail::is_quadratic(p.old_state[r]);
    if (now != before) ok = detail::change_row(p, r, g, T(now ? 1 : -1), team);
  }
  return ok;
}

}  // namespace corten
