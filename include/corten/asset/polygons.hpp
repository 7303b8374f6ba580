// SPDX-License-Identifier: Apache-2.0
//
// The sides of a convex mesh: neighbouring triangles of its hull whose normals agree to a hundredth
// of a radian become one polygon. Two sides that lie on each other touch in more than one point, and
// the collider finds those by clipping one polygon against the other.
//
// As in MuJoCo a normal is put in a cell of its azimuth and polar angle, and triangles of one cell
// that share edges are joined.
#pragma once

#include <corten/config.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace corten::asset {

struct Polygons {
  std::vector<int> corner;  // of all polygons, counter-clockwise seen from outside
  std::vector<int> first, count;

  int size() const { return static_cast<int>(first.size()); }
};

namespace detail {

struct PolygonEdge {
  int from, to, island;
};

// the triangles of one cell, as the edges around the islands that they form
class Side {
 public:
  CORTEN_COLD void add(int a, int b, int c) {
    const int v[4] = {a, b, c, a};
    int island = -1;
    bool open[3];
    for (int k = 0; k < 3; ++k) {
      open[k] = true;
      for (std::size_t i = 0; i < edges_.size(); ++i) {
        if (edges_[i].from != v[k + 1] || edges_[i].to != v[k]) continue;
        open[k] = false;
        const int touched = edges_[i].island;
        edges_.erase(edges_.begin() + static_cast<std::ptrdiff_t>(i));
        island = island < 0 ? touched : join(island, touched);
        break;
      }
    }
    if (island < 0) island = islands_++;
    for (int k = 0; k < 3; ++k) {
      if (open[k]) edges_.push_back({v[k], v[k + 1], island});
    }
  }

  CORTEN_COLD void trace(Polygons& out) const {
    for (int i = 0; i < islands_; ++i) trace(i, out);
  }

 private:
  // the smaller of two islands; those above the larger move down
  CORTEN_COLD int join(int a, int b) {
    if (a == b) return a;
    if (b < a) std::swap(a, b);
    for (PolygonEdge& e : edges_) {
      if (e.island == b) {
        e.island = a;
      } else if (e.island > b) {
        --e.island;
      }
    }
    --islands_;
    return a;
  }

  const PolygonEdge* leaving(int vertex, int island) const {
    for (const PolygonEdge& e : edges_) {
      if (e.island == island && e.from == vertex) return &e;
    }
    return nullptr;
  }

  // once around an island, if that leads back to the start
  CORTEN_COLD void trace(int island, Polygons& out) const {
    const auto start = std::find_if(edges_.begin(), edges_.end(),
                                    [&](const PolygonEdge& e) { return e.island == island; });
    if (start == edges_.end()) return;
    const std::size_t first = out.corner.size();
    out.corner.push_back(start->from);
    int vertex = start->to;
    while (vertex != start->from && out.corner.size() - first <= edges_.size()) {
      out.corner.push_back(vertex);
      const PolygonEdge* e = leaving(vertex, island);
      if (e == nullptr) break;
      vertex = e->to;
    }
    const std::size_t count = out.corner.size() - first;
    if (vertex != start->from || count < 3) {
      out.corner.resize(first);
      return;
    }
    out.first.push_back(static_cast<int>(first));
    out.count.push_back(static_cast<int>(count));
  }

  std::vector<PolygonEdge> edges_;
  int islands_ = 0;
};

inline constexpr double polygon_angle = 0.01;

// the cell of a triangle's normal; false if it has none
CORTEN_COLD bool polygon_cell(const double* a, const double* b, const double* c,
                              std::pair<int, int>& cell) {
  double e[3], f[3], n[3];
  for (int k = 0; k < 3; ++k) e[k] = b[k] - a[k], f[k] = c[k] - a[k];
  n[0] = e[1] * f[2] - e[2] * f[1];
  n[1] = e[2] * f[0] - e[0] * f[2];
  n[2] = e[0] * f[1] - e[1] * f[0];
  const double length = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  if (length < 1e-15) return false;
  for (double& x : n) x = x / length + 0.0;  // no negative zeros
  if (std::fabs(n[2]) > 1 - 1e-7) {
    cell = {0, n[2] < 0 ? static_cast<int>(std::round(3.14159265358979323846 / polygon_angle)) : 0};
  } else {
    cell = {static_cast<int>(std::round(std::atan2(n[1], n[0]) / polygon_angle)),
            static_cast<int>(std::round(std::acos(n[2]) / polygon_angle))};
  }
  return true;
}

}  // namespace detail

// of the triangles of a hull
CORTEN_COLD Polygons make_polygons(const std::vector<int>& face, const std::vector<double>& vert) {
  std::vector<std::pair<std::pair<int, int>, int>> order;  // cell, triangle
  const auto at = [&](int v) { return &vert[3 * static_cast<std::size_t>(v)]; };
  for (std::size_t i = 0; i + 2 < face.size(); i += 3) {
    std::pair<int, int> cell;
    if (detail::polygon_cell(at(face[i]), at(face[i + 1]), at(face[i + 2]), cell)) {
      order.emplace_back(cell, static_cast<int>(i));
    }
  }
  std::sort(order.begin(), order.end());
  Polygons out;
  for (std::size_t i = 0; i < order.size();) {
    detail::Side side;
    const std::pair<int, int> cell = order[i].first;
    for (; i < order.size() && order[i].first == cell; ++i) {
      const int* v = &face[static_cast<std::size_t>(order[i].second)];
      side.add(v[0], v[1], v[2]);
    }
    side.trace(out);
  }
  return out;
}

}  // namespace corten::asset
