// SPDX-License-Identifier: Apache-2.0
//
// The grid of nodes of an interpolated flex. Its vertices are not fixed to bodies themselves: they
// follow the nodes of a box of cells, between which positions are interpolated, linearly (order 1)
// or quadratically (order 2). In shell mode only the nodes on the surface of the box move on their
// own; those inside follow them by transfinite interpolation (Gordon and Hall 1973).
#pragma once

#include <corten/math/field.hpp>
#include <corten/math/vector.hpp>

namespace corten {

// most nodes of a cell: those of quadratic interpolation
inline constexpr int max_cell_nodes = 27;

struct FlexGrid {
  int order = 0;
  int cells[3] = {};
  bool shell = false;

  CORTEN_FN int nodes(int axis) const { return cells[axis] * order + 1; }
  CORTEN_FN int index(int i, int j, int k) const { return (i * nodes(1) + j) * nodes(2) + k; }
  CORTEN_FN bool inside(int i, int j, int k) const {
    return i > 0 && i < nodes(0) - 1 && j > 0 && j < nodes(1) - 1 && k > 0 && k < nodes(2) - 1;
  }
  // finite elements: the cells, or in shell mode the faces of cells on the surface
  CORTEN_FN int elements() const {
    if (!shell) return cells[0] * cells[1] * cells[2];
    return 2 * (cells[1] * cells[2] + cells[0] * cells[2] + cells[0] * cells[1]);
  }
  CORTEN_FN int element_nodes() const {
    return (order + 1) * (order + 1) * (shell ? 1 : order + 1);
  }
};

template <class M>
CORTEN_FN FlexGrid flex_grid(const M& m, int f) {
  FlexGrid out;
  const int interp = m.flex_interp[f];
  out.shell = interp < 0;
  out.order = interp < 0 ? -interp : interp;
  for (int k = 0; k < 3; ++k) out.cells[k] = m.flex_cellnum[3 * f + k];
  return out;
}

// ---- shape functions ----------------------------------------------------------------------------

// the shape function of node i of a segment at s in [0, 1], and its slope
template <class S>
CORTEN_FN S shape_value(const S& s, int i, int order) {
  if (order == 1) return i == 0 ? S(S(1) - s) : s;
  if (i == 0) return S(2) * s * s - S(3) * s + S(1);
  return i == 1 ? S(S(4) * (s - s * s)) : S(S(2) * s * s - s);
}
template <class S>
CORTEN_FN S shape_slope(const S& s, int i, int order) {
  if (order == 1) return S(i == 0 ? -1 : 1);
  if (i == 0) return S(4) * s - S(3);
  return i == 1 ? S(S(4) * (S(1) - S(2) * s)) : S(S(4) * s - S(1));
}

// a point of the box: its cell, and where it is in the cell
template <class S>
struct CellPoint {
  int cell[3];
  S local[3];
};

// the cell of the point with coordinates from 0 to 1
template <class S>
CORTEN_FN CellPoint<S> cell_at(const FlexGrid& grid, const Vec3<S>& x) {
  CellPoint<S> out;
  for (int k = 0; k < 3; ++k) {
    const S at = x[k] * S(grid.cells[k]);
    int c = static_cast<int>(value(at)) - (value(at) < 0 ? 1 : 0);
    c = c < grid.cells[k] - 1 ? c : grid.cells[k] - 1;
    out.cell[k] = c > 0 ? c : 0;
    out.local[k] = clamp(S(at - S(out.cell[k])), S(0), S(1));
  }
  return out;
}

// f(node, weight) for each node of the cell
template <class S, class F>
CORTEN_FN void each_cell_weight(const FlexGrid& grid, const CellPoint<S>& at, F&& f) {
  S phi[3][3];
  const int n = grid.order;
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i <= n; ++i) phi[k][i] = shape_value(at.local[k], i, n);
  }
  for (int i = 0; i <= n; ++i) {
    for (int j = 0; j <= n; ++j) {
      const S w = phi[0][i] * phi[1][j];
      const int row = grid.index(at.cell[0] * n + i, at.cell[1] * n + j, at.cell[2] * n);
      for (int k = 0; k <= n; ++k) f(row + k, S(w * phi[2][k]));
    }
  }
}

// ---- shells -------------------------------------------------------------------------------------

// f(node, weight) for the nodes on the surface that node (i, j, k), which is inside, follows:
// faces, minus edges, plus corners of the box
template <class S, class F>
CORTEN_FN void each_surface_weight(const FlexGrid& grid, int i, int j, int k, F&& f) {
  const int at[3] = {i, j, k};
  S share[3][2];
  int end[3];
  for (int a = 0; a < 3; ++a) {
    end[a] = grid.nodes(a) - 1;
    share[a][1] = S(at[a]) / S(end[a]);
    share[a][0] = S(1) - share[a][1];
  }
  const auto node = [&](const int(&x)[3]) { return grid.index(x[0], x[1], x[2]); };
  for (int a = 0; a < 3; ++a) {
    for (int p = 0; p < 2; ++p) {
      int x[3] = {i, j, k};
      x[a] = p * end[a];
      f(node(x), share[a][p]);
    }
  }
  for (int a = 0; a < 3; ++a) {
    const int b = a == 0 ? 1 : 0, c = a == 2 ? 1 : 2;
    for (int p = 0; p < 4; ++p) {
      int x[3] = {i, j, k};
      x[b] = (p >> 1) * end[b];
      x[c] = (p & 1) * end[c];
      f(node(x), S(-share[b][p >> 1] * share[c][p & 1]));
    }
  }
  for (int p = 0; p < 8; ++p) {
    const int x[3] = {(p >> 2) * end[0], ((p >> 1) & 1) * end[1], (p & 1) * end[2]};
    f(node(x), S(share[0][p >> 2] * share[1][(p >> 1) & 1] * share[2][p & 1]));
  }
}

// writes the vectors of the nodes inside a shell, from those on its surface
template <class D>
CORTEN_FN void follow_surface(const FlexGrid& grid, const D& vectors) {
  using S = typename D::Value;
  for (int i = 1; i < grid.nodes(0) - 1; ++i) {
    for (int j = 1; j < grid.nodes(1) - 1; ++j) {
      for (int k = 1; k < grid.nodes(2) - 1; ++k) {
        Vec3<S> sum = Vec3<S>::Zero();
        each_surface_weight<S>(grid, i, j, k, [&](int n, const S& w) {
          for (int x = 0; x < 3; ++x) sum[x] += w * vectors[3 * n + x];
        });
        store(vectors, grid.index(i, j, k), sum);
      }
    }
  }
}

// ---- finite elements ----------------------------------------------------------------------------

// A finite element of the grid: its nodes in MuJoCo's order, and for faces the axes of its plane.
struct GridElement {
  int count = 0;
  int node[max_cell_nodes];
  int axis[3] = {0, 1, 2};  // faces: along the slow and the fast index, and across
};

namespace detail {

// element e among the faces of the surface: those at the lower and at the upper end of each axis
CORTEN_FN GridElement surface_face(const FlexGrid& grid, int e) {
  GridElement out;
  int side = 0;
  for (; side < 5; ++side) {
    const int across = side / 2,
              faces = grid.cells[(across + 1) % 3] * grid.cells[(across + 2) % 3];
    if (e < faces) break;
    e -= faces;
  }
  const int across = side / 2, slow = (across + 1) % 3, fast = (across + 2) % 3;
  out.axis[0] = slow, out.axis[1] = fast, out.axis[2] = across;
  int x[3];
  x[across] = side % 2 == 0 ? 0 : grid.nodes(across) - 1;
  for (int i = 0; i <= grid.order; ++i) {
    for (int j = 0; j <= grid.order; ++j) {
      x[slow] = e / grid.cells[fast] * grid.order + i;
      x[fast] = e % grid.cells[fast] * grid.order + j;
      out.node[out.count++] = grid.index(x[0], x[1], x[2]);
    }
  }
  return out;
}

}  // namespace detail

CORTEN_FN GridElement grid_element(const FlexGrid& grid, int e) {
  if (grid.shell) return detail::surface_face(grid, e);
  GridElement out;
  const int n = grid.order, z = e % grid.cells[2], y = e / grid.cells[2] % grid.cells[1];
  const int x = e / grid.cells[2] / grid.cells[1];
  for (int i = 0; i <= n; ++i) {
    for (int j = 0; j <= n; ++j) {
      for (int k = 0; k <= n; ++k) {
        out.node[out.count++] = grid.index(x * n + i, y * n + j, z * n + k);
      }
    }
  }
  return out;
}

}  // namespace corten
