// SPDX-License-Identifier: Apache-2.0
//
// The pattern of a sparse Cholesky factor, as dense panels.
//
// Columns of the factor that have the same rows form a supernode, and are stored as one dense
// block: all rows of the first column, column after column. A free body is six such columns, a
// chain of hinges as many as it has dofs; the last bodies of a pile to be eliminated share a block
// of hundreds. Supernodes that differ in few rows are joined, at the price of a few zeros. Wide
// ones are cut into panels, whose work fits the cache.
#pragma once

#include <corten/math/min_degree.hpp>

namespace corten {

// Columns first[k] … first[k + 1] - 1 are those of panel k. row[row_at[k]] … are the positions of
// its rows, ascending and starting with its own columns; their number is rows[k]. Entry (i, j) of
// the panel is number value_at[k] + j * rows[k] + i.
template <class I>
struct FactorPattern {
  int dofs = 0, panels = 0, values = 0;
  int entries = 0;  // of `row`
  int work = 0;     // of a factorisation, in thousands of multiplications
  I place;          // position of each dof
  I panel_of;       // panel of each position
  I first, rows, row_at, value_at;
  I path;  // entries that a change of the panel's first column passes on its way to the root
  I row;

  CORTEN_FN int columns(int k) const { return first[k + 1] - first[k]; }
  // the next panel that a change of panel k reaches, or -1
  CORTEN_FN int parent(int k) const {
    const int c = columns(k);
    return rows[k] > c ? int(panel_of[row[row_at[k] + c]]) : -1;
  }
};

inline constexpr int panel_width = 48;

// Takes the memory of a pattern; both functions must be called in this order, and a pattern that
// has been made is found again by calling them with the same numbers.
template <class I>
CORTEN_FN void take_places(FactorPattern<I>& f, int dofs, IntRoom<I>& room) {
  f.dofs = dofs;
  f.place = room.take(dofs), f.panel_of = room.take(dofs);
}
template <class I>
CORTEN_FN void take_panels(FactorPattern<I>& f, int panels, int entries, IntRoom<I>& room) {
  f.entries = entries;
  f.first = room.take(panels + 1);
  f.rows = room.take(panels), f.row_at = room.take(panels), f.value_at = room.take(panels);
  f.path = room.take(panels), f.row = room.take(entries);
}

namespace detail {

// follows merges to the one that remains (with path halving)
template <class I>
CORTEN_FN int remaining(const I& into, int i) {
  while (into[i] != i) i = into[i] = into[into[i]];
  return i;
}

// May a supernode of so many columns contain so many zeros?
CORTEN_FN bool tolerates(int columns, double zeros, double entries) {
  const double share = columns <= 16 ? 0.4 : columns <= panel_width ? 0.15 : 0.05;
  return zeros <= share * entries;
}

// Joins pivots to their parents where few zeros are stored for it.
template <class I>
CORTEN_FN void join_pivots(const EliminationOrder<I>& order, const I& zeros) {
  for (int k = 0; k < order.pivots; ++k) zeros[order.pivot[k]] = 0;
  for (int k = 0; k < order.pivots; ++k) {
    const int p = order.pivot[k], q = order.parent[p];
    if (q < 0) continue;
    const int columns = order.columns[p] + order.columns[q], rows = columns + order.rows[q];
    const double more = double(order.columns[q] + order.rows[q] - order.rows[p]) * order.columns[p];
    const double sum = more + zeros[p] + zeros[q];
    if (!tolerates(columns, sum, double(columns) * (rows - 0.5 * columns))) continue;
    order.into[p] = q;
    order.columns[q] = columns;
    zeros[q] = static_cast<int>(sum);
  }
}

// into how many panels a supernode of so many columns is cut
CORTEN_FN int cuts(int columns) { return (columns + panel_width - 1) / panel_width; }

// Vertices, cliques and supernodes while the pattern is made.
template <class I>
struct Supernodes {
  int count = 0, vertices = 0;
  I of;                        // supernode of each vertex
  I first;                     // first column of each supernode
  I rows_at, rows_size;        // vertices below its columns
  I list, users;               // the lists of those; scratch of the same size
  I first_dof, spot, at_spot;  // first dof of each vertex; rank of each vertex, and back
};

// Numbers the supernodes in the order of elimination, and ranks the vertices in that order.
template <class I>
CORTEN_FN void number_vertices(Supernodes<I>& s, const EliminationOrder<I>& order, const I& time,
                               const I& scratch) {
  const int n = s.vertices;
  for (int k = 0; k < order.pivots; ++k) {  // scratch: supernode of each pivot that remains
    const int p = order.pivot[k];
    if (order.into[p] == p) scratch[p] = s.count++;
  }
  for (int v = 0; v < n; ++v) s.of[v] = scratch[remaining(order.into, v)];
  // two stable sorts: by time, then by supernode
  fill(scratch, n + 1, 0);
  for (int v = 0; v < n; ++v) ++scratch[time[v] + 1];
  for (int k = 0; k < n; ++k) scratch[k + 1] += scratch[k];
  for (int v = 0; v < n; ++v) s.spot[scratch[time[v]]++] = v;
  fill(scratch, n + 1, 0);
  for (int v = 0; v < n; ++v) ++scratch[s.of[v] + 1];
  for (int k = 0; k < n; ++k) scratch[k + 1] += scratch[k];
  for (int k = 0; k < n; ++k) s.at_spot[scratch[s.of[s.spot[k]]]++] = s.spot[k];
  for (int k = 0; k < n; ++k) s.spot[s.at_spot[k]] = k;
}

// Gathers the vertices below the columns of each supernode: those of the cliques that start in it,
// and those of the supernodes that it is the first to receive from. `head` and `next` hold lists of
// both; supernode k is number cliques.count + k there.
template <class I>
CORTEN_FN void gather_rows_of_supernodes(Supernodes<I>& s, const IntLists<I>& cliques,
                                         const I& head, const I& next, const I& mark) {
  fill(head, s.count, -1);
  fill(mark, s.vertices, -1);
  const auto lowest = [&](const I& list, int size) {
    int low = list[0];
    for (int k = 1; k < size; ++k) low = s.spot[list[k]] < s.spot[low] ? int(list[k]) : low;
    return int(s.of[low]);
  };
  const auto attach = [&](int id, int to) {
    next[id] = head[to];
    head[to] = id;
  };
  for (int c = 0; c < cliques.count; ++c) {
    const int at = cliques.start[c], size = cliques.start[c + 1] - at;
    if (size > 1) attach(c, lowest(cliques.item.from(at), size));
  }
  int end = 0;
  for (int k = 0; k < s.count; ++k) {
    s.rows_at[k] = end;
    for (int id = head[k]; id >= 0; id = next[id]) {
      const bool given = id < cliques.count;
      const int from = id - cliques.count;
      const I list = given ? cliques.item.from(cliques.start[id]) : s.list.from(s.rows_at[from]);
      const int size = given ? cliques.start[id + 1] - cliques.start[id] : int(s.rows_size[from]);
      for (int i = 0; i < size; ++i) {
        const int v = list[i];
        if (s.of[v] <= k || mark[v] == k) continue;
        mark[v] = k;
        s.list[end++] = v;
      }
    }
    s.rows_size[k] = end - s.rows_at[k];
    if (s.rows_size[k] > 0) {
      attach(cliques.count + k, lowest(s.list.from(s.rows_at[k]), s.rows_size[k]));
    }
  }
}

// Sorts the lists of rows by position, by transposing them twice. `at` has room for a number per
// vertex and one more.
template <class I>
CORTEN_FN void sort_rows_of_supernodes(Supernodes<I>& s, const I& at) {
  const int n = s.vertices, last = s.count - 1;
  const int entries = s.count > 0 ? s.rows_at[last] + s.rows_size[last] : 0;
  fill(at, n + 1, 0);
  for (int e = 0; e < entries; ++e) ++at[s.spot[s.list[e]] + 1];
  for (int k = 0; k < n; ++k) at[k + 1] += at[k];
  for (int k = 0; k < s.count; ++k) {
    for (int e = s.rows_at[k]; e < s.rows_at[k] + s.rows_size[k]; ++e) {
      s.users[at[s.spot[s.list[e]]]++] = k;
    }
    s.rows_size[k] = 0;
  }
  for (int k = 0, e = 0; k < n; ++k) {  // at[k] is now the end of list k
    for (; e < at[k]; ++e) {
      const int u = s.users[e];
      s.list[s.rows_at[u] + s.rows_size[u]++] = s.at_spot[k];
    }
  }
}

// Writes the rows of each supernode as positions of dofs, and cuts it into panels.
template <class I>
CORTEN_FN void cut_panels(FactorPattern<I>& f, const Supernodes<I>& s) {
  int row = 0, column = 0;
  double work = 0;
  for (int k = 0; k < s.count; ++k) {
    const int width = s.first[k + 1] - s.first[k], start = row;
    for (int j = 0; j < width; ++j) f.row[row++] = column + j;
    for (int e = s.rows_at[k]; e < s.rows_at[k] + s.rows_size[k]; ++e) {
      const int v = s.list[e];
      for (int i = s.first_dof[v]; i < s.first_dof[v + 1]; ++i) f.row[row++] = f.place[i];
    }
    const int parts = cuts(width);
    for (int c = 0; c < parts; ++c) {
      const int from = width * c / parts, to = width * (c + 1) / parts, p = f.panels++;
      f.first[p] = column + from;
      f.row_at[p] = start + from;
      f.rows[p] = row - start - from;
      f.value_at[p] = f.values;
      f.values += f.rows[p] * (to - from);
      for (int j = from; j < to; ++j) {
        f.panel_of[column + j] = p;
        work += 0.5 * double(row - start - j) * double(row - start - j);
      }
    }
    column += width;
  }
  f.first[f.panels] = column;
  f.work = work < 2e12 ? static_cast<int>(work / 1e3) : 2000000000;
  for (int p = f.panels - 1; p >= 0; --p) {
    const int above = f.parent(p);
    f.path[p] = f.rows[p] * f.columns(p) + (above < 0 ? 0 : int(f.path[above]));
  }
}

}  // namespace detail

namespace detail {

// Memory of the supernodes, and of the pattern that they make.
template <class I>
CORTEN_FN void take_memory(FactorPattern<I>& f, Supernodes<I>& s, const EliminationOrder<I>& order,
                           IntRoom<I>& room) {
  int below = 0, panels = 0;
  for (int k = 0; k < order.pivots; ++k) {
    const int p = order.pivot[k];
    if (order.into[p] != p) continue;
    below += order.rows[p];
    panels += cuts(order.columns[p]);
  }
  take_panels(f, panels, f.dofs + below, room);
  s.of = room.take_scratch(s.vertices), s.spot = room.take_scratch(s.vertices);
  s.at_spot = room.take_scratch(s.vertices), s.first = room.take_scratch(s.vertices + 1);
  s.rows_at = room.take_scratch(s.vertices), s.rows_size = room.take_scratch(s.vertices);
  s.list = room.take_scratch(below), s.users = room.take_scratch(below);
}

}  // namespace detail

// The pattern of the factor of a matrix that is the union of cliques of vertices; vertex v is the
// dofs first_dof[v] … first_dof[v + 1] - 1. If `room` is too small, the result has no panels.
template <class I>
CORTEN_FN FactorPattern<I> factor_pattern(const IntLists<I>& cliques, const I& first_dof,
                                          int vertices, IntRoom<I>& room) {
  FactorPattern<I> f;
  detail::Supernodes<I> s;
  const int nv = first_dof[vertices], before = room.scratch;
  s.vertices = vertices;
  s.first_dof = first_dof;
  take_places(f, nv, room);
  const I weight = room.take_scratch(vertices), time = room.take_scratch(vertices);
  const I spare = room.take_scratch(vertices + 1);
  const I next = room.take_scratch(cliques.count + vertices);
  if (room.overflows()) return f;
  for (int v = 0; v < vertices; ++v) weight[v] = first_dof[v + 1] - first_dof[v];
  const auto order = minimum_degree(cliques, weight, vertices, room);
  if (room.overflows()) return f;

  for (int k = 0; k < order.pivots; ++k) time[order.pivot[k]] = k;
  for (int v = 0; v < vertices; ++v) time[v] = time[detail::remaining(order.into, v)];
  detail::join_pivots(order, spare);
  detail::take_memory(f, s, order, room);
  if (room.overflows()) return f;
  detail::number_vertices(s, order, time, spare);
  for (int k = 0, place = 0; k < vertices; ++k) {
    const int v = s.at_spot[k];
    if (k == 0 || s.of[v] != s.of[s.at_spot[k - 1]]) s.first[s.of[v]] = place;
    for (int i = first_dof[v]; i < first_dof[v + 1]; ++i) f.place[i] = place++;
  }
  s.first[s.count] = nv;
  detail::gather_rows_of_supernodes(s, cliques, time, next, weight);
  detail::sort_rows_of_supernodes(s, spare);
  detail::cut_panels(f, s);
  room.scratch = before;
  return f;
}

}  // namespace corten
