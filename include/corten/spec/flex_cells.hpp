// SPDX-License-Identifier: Apache-2.0
//
// The grid of nodes that the vertices of a flex follow: cells in x, y and z, and in each direction
// `order` nodes per cell plus one. Indices run fastest in z. Cells that contain nothing of the flex
// are empty: they have no stiffness, and nodes of empty cells alone do not move.
#pragma once

#include <corten/config.hpp>
#include <corten/core/list.hpp>

#include <algorithm>
#include <array>

namespace corten::spec {

struct NodeGrid {
  std::array<int, 3> cells{1, 1, 1};
  int order = 1;

  int cell_count() const { return cells[0] * cells[1] * cells[2]; }
  int along(int k) const { return cells[static_cast<std::size_t>(k)] * order + 1; }
  int nodes() const { return along(0) * along(1) * along(2); }
  int cell(int i, int j, int k) const { return (i * cells[1] + j) * cells[2] + k; }
  int node(int i, int j, int k) const { return (i * along(1) + j) * along(2) + k; }
};

// a box around points
struct PointBounds {
  std::array<double, 3> low{1e30, 1e30, 1e30}, high{-1e30, -1e30, -1e30};

  void add(const double* x) {
    for (std::size_t k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], x[k]);
      high[k] = std::max(high[k], x[k]);
    }
  }
  CORTEN_COLD static PointBounds of(const List<double>& points) {
    PointBounds out;
    for (std::size_t i = 0; i + 2 < points.size(); i += 3) out.add(&points[i]);
    return out;
  }
};

namespace detail {

// marks the cells that the bounding boxes of the elements overlap
CORTEN_COLD List<int> occupied_cells(const NodeGrid& grid, const PointBounds& all,
                                     const List<double>& points, const List<int>& elements,
                                     int corners) {
  List<int> out(static_cast<std::size_t>(grid.cell_count()), 0);
  const auto cell_at = [&](double x, std::size_t k) {
    const double width = all.high[k] - all.low[k];
    if (width <= 0) return 0;
    const int cell = static_cast<int>((x - all.low[k]) / width * grid.cells[k]);
    return std::max(0, std::min(grid.cells[k] - 1, cell));
  };
  for (std::size_t e = 0; e < elements.size(); e += static_cast<std::size_t>(corners)) {
    PointBounds box;
    for (std::size_t c = 0; c < static_cast<std::size_t>(corners); ++c) {
      box.add(&points[3 * static_cast<std::size_t>(elements[e + c])]);
    }
    int low[3], high[3];
    for (std::size_t k = 0; k < 3; ++k) {
      low[k] = cell_at(box.low[k], k);
      high[k] = cell_at(box.high[k], k);
    }
    for (int i = low[0]; i <= high[0]; ++i) {
      for (int j = low[1]; j <= high[1]; ++j) {
        for (int k = low[2]; k <= high[2]; ++k) {
          out[static_cast<std::size_t>(grid.cell(i, j, k))] = 1;
        }
      }
    }
  }
  return out;
}

}  // namespace detail

// Finds the empty cells of a grid that fills a box: 1 or 0 for each. The cells inside a surface are
// not empty: only those that can be reached from the border of the grid without crossing the
// surface are.
CORTEN_COLD List<int> find_empty_cells(const NodeGrid& grid, const PointBounds& box,
                                       const List<double>& points, const List<int>& elements,
                                       int dim) {
  const List<int> full = detail::occupied_cells(grid, box, points, elements, dim + 1);
  List<int> out(full.size(), 0);
  if (dim != 2) {
    for (std::size_t c = 0; c < full.size(); ++c) out[c] = 1 - full[c];
    return out;
  }
  List<std::array<int, 3>> reached;
  const auto reach = [&](int i, int j, int k) {
    const bool outside =
        i < 0 || j < 0 || k < 0 || i >= grid.cells[0] || j >= grid.cells[1] || k >= grid.cells[2];
    if (outside) return;
    const auto c = static_cast<std::size_t>(grid.cell(i, j, k));
    if (full[c] != 0 || out[c] != 0) return;
    out[c] = 1;
    reached.push_back({i, j, k});
  };
  for (int i = 0; i < grid.cells[0]; ++i) {
    for (int j = 0; j < grid.cells[1]; ++j) {
      for (int k = 0; k < grid.cells[2]; ++k) {
        const bool border = i == 0 || j == 0 || k == 0 || i == grid.cells[0] - 1 ||
                            j == grid.cells[1] - 1 || k == grid.cells[2] - 1;
        if (border) reach(i, j, k);
      }
    }
  }
  while (!reached.empty()) {
    const std::array<int, 3> c = reached.back();
    reached.pop_back();
    for (const int step : {-1, 1}) {
      reach(c[0] + step, c[1], c[2]);
      reach(c[0], c[1] + step, c[2]);
      reach(c[0], c[1], c[2] + step);
    }
  }
  return out;
}

}  // namespace corten::spec
