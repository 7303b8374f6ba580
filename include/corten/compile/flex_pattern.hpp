// SPDX-License-Identifier: Apache-2.0
//
// Patterns of the matrices of flexes: the Jacobians of edge lengths and of strains at vertices, and
// the constant factor of the implicit metric.
#pragma once

#include <corten/compile/draft.hpp>
#include <corten/core/sort.hpp>

#include <algorithm>

namespace corten::compiler {

namespace detail {

// adds the dofs that move a body
CORTEN_COLD void add_body_dofs(const Model<double>& m, int body, List<int>& out) {
  const int weld = at(m.body_weldid, body), count = at(m.body_dofnum, weld);
  int dof = count > 0 ? at(m.body_dofadr, weld) + count - 1 : -1;
  for (; dof >= 0; dof = at(m.dof_parentid, dof)) out.push_back(dof);
}

CORTEN_COLD void sort_unique(List<int>& list) {
  sort(list);
  list.resize(static_cast<std::size_t>(std::unique(list.begin(), list.end()) - list.begin()));
}

inline bool has_edges(const Model<double>& m, int f) {
  return at(m.flex_rigid, f) == 0 && at(m.flex_interp, f) == 0;
}

// a place in flex_edge, as a vertex of all flexes
inline int edge_end(const Model<double>& m, int f, int edge, int k) {
  return at(m.flex_vertadr, f) + at(m.flex_edge, 2 * edge + k);
}

}  // namespace detail

// Rows exist for every edge of a flex that edges act on; MuJoCo reserves room for the others, too.
// In MuJoCo 3.12 the rows of a flex that comes after one without rows start at 0 again, where they
// overwrite those of the first flex; here all rows follow each other.
CORTEN_BULK void flex_edge_pattern(Model<double>& m) {
  List<int> columns, dofs;
  int reserved = 0, next = 0;
  for (List<int>* rows : {&m.flexedge_J_rowadr, &m.flexedge_J_rownnz}) {
    std::fill(rows->begin(), rows->end(), 0);
  }
  for (int f = 0; f < m.n.nflex; ++f) {
    if (!detail::has_edges(m, f)) continue;
    const bool used = at(m.flex_edgeequality, f) != 0 || at(m.flex_edgedamping, f) != 0 ||
                      at(m.flex_edgestiffness, f) != 0 || at(m.flex_damping, f) != 0;
    const int first = at(m.flex_edgeadr, f);
    for (int e = first; e < first + at(m.flex_edgenum, f); ++e) {
      dofs.clear();
      for (int k = 0; k < 2; ++k) {
        detail::add_body_dofs(m, at(m.flex_vertbodyid, detail::edge_end(m, f, e, k)), dofs);
      }
      detail::sort_unique(dofs);
      reserved += static_cast<int>(dofs.size());
      if (!used) continue;
      put(m.flexedge_J_rowadr, e, next);
      put(m.flexedge_J_rownnz, e, static_cast<int>(dofs.size()));
      columns.append(dofs);
      next += static_cast<int>(dofs.size());
    }
  }
  columns.resize(static_cast<std::size_t>(reserved), 0);
  m.n.nJfe = reserved;
  m.flexedge_J_colind = columns;
}

// The edges at each vertex of surfaces whose strain is constrained, and the rows of that strain.
CORTEN_BULK void flex_vertex_pattern(Model<double>& m) {
  List<int> columns, dofs;
  int reserved = 0, next = 0, offset = 0;
  for (List<int>* rows : {&m.flexvert_J_rowadr, &m.flexvert_J_rownnz}) {
    std::fill(rows->begin(), rows->end(), 0);
  }
  for (int f = 0; f < m.n.nflex; ++f) {
    if (!detail::has_edges(m, f)) continue;
    const int first = at(m.flex_edgeadr, f), count = at(m.flex_edgenum, f);
    const int vert = at(m.flex_vertadr, f), nvert = at(m.flex_vertnum, f);
    List<int> number(static_cast<std::size_t>(nvert), 0), adr(number.size() + 1, 0);
    for (int e = first; e < first + count; ++e) {
      for (int k = 0; k < 2; ++k) ++at(number, at(m.flex_edge, 2 * e + k));
    }
    for (int v = 0; v < nvert; ++v) at(adr, v + 1) = at(adr, v) + at(number, v);
    List<int> edges(2 * static_cast<std::size_t>(count)), fill = adr;
    for (int e = 0; e < count; ++e) {
      for (int k = 0; k < 2; ++k) at(edges, at(fill, at(m.flex_edge, 2 * (first + e) + k))++) = e;
    }
    const bool used = at(m.flex_dim, f) == 2 && at(m.flex_edgeequality, f) == 2;
    for (int v = 0; v < nvert; ++v) {
      dofs.clear();
      detail::add_body_dofs(m, at(m.flex_vertbodyid, vert + v), dofs);
      for (int k = at(adr, v); k < at(adr, v + 1); ++k) {
        for (int s = 0; s < 2; ++s) {
          const int end = detail::edge_end(m, f, first + at(edges, k), s);
          detail::add_body_dofs(m, at(m.flex_vertbodyid, end), dofs);
        }
      }
      detail::sort_unique(dofs);
      reserved += static_cast<int>(dofs.size());
      if (!used) continue;
      put(m.flex_vertedgenum, vert + v, at(number, v));
      put(m.flex_vertedgeadr, vert + v, offset + at(adr, v));
      for (int row = 0; row < 2; ++row) {
        at(m.flexvert_J_rowadr, 2 * (vert + v) + row) = next;
        at(m.flexvert_J_rownnz, 2 * (vert + v) + row) = static_cast<int>(dofs.size());
        columns.append(dofs);
        next += static_cast<int>(dofs.size());
      }
    }
    if (!used) continue;
    std::copy(edges.begin(), edges.end(), m.flex_vertedge.begin() + offset);
    offset += 2 * count;
  }
  columns.resize(2 * static_cast<std::size_t>(reserved), 0);
  m.n.nJfv = reserved;
  m.flexvert_J_colind = columns;
}

namespace detail {

// Which vertices the stencils of bending connect: pairs of slots (row, column), row < column. Slots
// count the vertices that move.
CORTEN_BULK List<std::array<int, 2>> bending_pairs(const Model<double>& m, const List<int>& slot) {
  List<std::array<int, 2>> out;
  for (int f = 0; f < m.n.nflex; ++f) {
    if (at(m.flex_bendingadr, f) < 0 || !has_edges(m, f)) continue;
    const int first = at(m.flex_edgeadr, f);
    for (int e = first; e < first + at(m.flex_edgenum, f); ++e) {
      if (at(m.flex_edgeflap, 2 * e + 1) < 0) continue;
      int s[4];
      for (int k = 0; k < 4; ++k) {
        const int v = k < 2 ? at(m.flex_edge, 2 * e + k) : at(m.flex_edgeflap, 2 * e + k - 2);
        s[k] = at(slot, at(m.flex_vertadr, f) + v);
      }
      for (const int a : s) {
        for (const int b : s) {
          if (a >= 0 && b > a) out.push_back({a, b});
        }
      }
    }
  }
  sort(out);
  out.resize(static_cast<std::size_t>(std::unique(out.begin(), out.end()) - out.begin()));
  return out;
}

// The rows of the factor L of a symmetric matrix L'L, with the diagonal last: a column r of row i
// below it gets an entry if i is connected to r directly or through eliminated rows above both.
CORTEN_BULK List<List<int>> factor_rows(const List<std::array<int, 2>>& pairs, int n) {
  List<List<int>> rows(static_cast<std::size_t>(n));
  List<int> parent(static_cast<std::size_t>(n), -1), flag(static_cast<std::size_t>(n), -1);
  std::size_t end = pairs.size();
  for (int r = n - 1; r >= 0; --r) {
    at(flag, r) = r;
    std::size_t first = end;
    while (first > 0 && pairs[first - 1][0] == r) --first;
    for (std::size_t p = first; p < end; ++p) {
      for (int i = pairs[p][1]; at(flag, i) != r; i = at(parent, i)) {
        if (at(parent, i) < 0) at(parent, i) = r;
        at(rows, i).push_back(r);
        at(flag, i) = r;
      }
    }
    end = first;
  }
  for (int r = 0; r < n; ++r) {
    std::reverse(at(rows, r).begin(), at(rows, r).end());
    at(rows, r).push_back(r);
  }
  return rows;
}

}  // namespace detail

// The dofs of vertices with bending, and the pattern of the factor over them. Bending couples only
// the same coordinate of two vertices, so that the pattern of the vertices appears three times.
CORTEN_BULK void flex_metric_pattern(Model<double>& m) {
  List<int> slot(static_cast<std::size_t>(m.n.nflexvert), -1);
  int n = 0;
  m.efm0_dofid.clear();
  for (int f = 0; f < m.n.nflex; ++f) {
    if (at(m.flex_bendingadr, f) < 0 || !detail::has_edges(m, f)) continue;
    const int first = at(m.flex_vertadr, f);
    for (int v = first; v < first + at(m.flex_vertnum, f); ++v) {
      const int body = at(m.flex_vertbodyid, v);
      if (at(m.body_dofnum, body) != 3) continue;
      at(slot, v) = n++;
      for (int k = 0; k < 3; ++k) m.efm0_dofid.push_back(at(m.body_dofadr, body) + k);
    }
  }
  const List<List<int>> rows = detail::factor_rows(detail::bending_pairs(m, slot), n);
  m.n.nefm0dof = 3 * n;
  m.n.nefm0L = 0;
  for (List<int>* list : {&m.efm0_L_rownnz, &m.efm0_L_rowadr, &m.efm0_L_colind}) list->clear();
  for (int r = 0; r < 3 * n; ++r) {
    const List<int>& row = at(rows, r / 3);
    m.efm0_L_rowadr.push_back(m.n.nefm0L);
    m.efm0_L_rownnz.push_back(static_cast<int>(row.size()));
    for (const int c : row) m.efm0_L_colind.push_back(3 * c + r % 3);
    m.n.nefm0L += static_cast<int>(row.size());
  }
  m.efm0_L.assign(static_cast<std::size_t>(m.n.nefm0L), 0.0);
}

}  // namespace corten::compiler
