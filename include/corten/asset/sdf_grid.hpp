// SPDX-License-Identifier: Apache-2.0
//
// A grid of signed distances, the shape of a geom of type sdf. Pass one to spec::Geom::grid or to
// set_grid() (compile/grid.hpp). Several geoms can share it.
#pragma once

#include <corten/asset/triangles.hpp>
#include <corten/core/list.hpp>

#include <cmath>
#include <string>

namespace corten::asset {

struct SdfGrid {
  double origin[3] = {0, 0, 0};  // the first node, in the frame of the geom
  double cell = 0;               // spacing of the nodes, the same along all axes
  int n[3] = {0, 0, 0};          // nodes along x, y, z
  List<float> data;              // negative inside; x runs fastest, z slowest

  int index(int x, int y, int z) const { return x + n[0] * (y + n[1] * z); }
  double low(int k) const { return origin[k]; }
  double high(int k) const { return origin[k] + cell * (n[k] - 1); }
};

// what is wrong with a grid, if anything
CORTEN_COLD Result<void> check_grid(const SdfGrid& grid) {
  std::size_t count = 1;
  for (const int n : grid.n) {
    if (n < 2) return Error("a grid needs at least 2 nodes along each axis");
    if (static_cast<std::size_t>(n) > max_count / count) return Error("the grid is too large");
    count *= static_cast<std::size_t>(n);
  }
  if (!(grid.cell > 0) || !std::isfinite(grid.cell))
    return Error("the cell size of a grid must be positive");
  for (const double x : grid.origin) {
    if (!std::isfinite(x)) return Error("the origin of a grid is not finite");
  }
  if (grid.data.size() != count) {
    return Error("there are " + std::to_string(grid.data.size()) + " distances for " +
                 std::to_string(count) + " nodes");
  }
  for (const float x : grid.data) {
    if (!std::isfinite(x)) return Error("a distance is not finite");
  }
  return {};
}

}  // namespace corten::asset
