// SPDX-License-Identifier: Apache-2.0
//
// Triangles of the surface where a function of a point is zero. The function is negative inside.
//
// It is searched for on a grid of cubes ("naive surface nets"): each cube that the surface passes
// has one vertex, at the mean of the points where it crosses the edges of the cube, and each edge
// that it crosses has a quadrilateral of the four cubes around it. The vertices then move onto the
// surface by Newton's method, within their cubes. Normals are the slopes of the function, so sharp
// edges look a little rounded. Parts thinner than a cube can be missed.
#pragma once

#include <corten/core/list.hpp>
#include <corten/math/types.hpp>
#include <corten/scene/surface.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

namespace corten::scene {

namespace detail {

template <class F>
class FieldSurface {
 public:
  // 40 cubes along the longest side: a ball then has 7,500 vertices
  FieldSurface(const Vec3<double>& low, const Vec3<double>& high, const F& distance)
      : f_(distance), cell_((high - low).maxCoeff() / 40) {
    for (std::size_t k = 0; k < 3; ++k) {
      const int i = static_cast<int>(k);
      n_[k] = static_cast<int>(std::ceil((high[i] - low[i]) / cell_)) + 3;  // nodes, with a margin
      start_[i] = 0.5 * (low[i] + high[i] - cell_ * (n_[k] - 1));
    }
  }

  Surface make() {
    value_.reserve(at(0, 0, n_[2]));
    each_node([&](int x, int y, int z) { value_.push_back(f_(node(x, y, z))); });
    vertex_.assign(value_.size(), -1);
    each_node([&](int x, int y, int z) {
      if (x + 1 < n_[0] && y + 1 < n_[1] && z + 1 < n_[2]) cube({x, y, z});
    });
    each_node([&](int x, int y, int z) {
      for (int axis = 0; axis < 3; ++axis) edge({x, y, z}, static_cast<std::size_t>(axis));
    });
    return std::move(out_);
  }

 private:
  using Place = std::array<int, 3>;

  std::size_t at(int x, int y, int z) const {
    return static_cast<std::size_t>(x) +
           static_cast<std::size_t>(n_[0]) *
               (static_cast<std::size_t>(y) +
                static_cast<std::size_t>(n_[1]) * static_cast<std::size_t>(z));
  }
  std::size_t at(const Place& p) const { return at(p[0], p[1], p[2]); }
  Vec3<double> node(int x, int y, int z) const {
    return start_ + cell_ * Vec3<double>(static_cast<double>(x), static_cast<double>(y),
                                         static_cast<double>(z));
  }
  bool inside(const Place& p) const { return value_[at(p)] < 0; }

  template <class G>
  void each_node(const G& g) const {
    for (int z = 0; z < n_[2]; ++z) {
      for (int y = 0; y < n_[1]; ++y) {
        for (int x = 0; x < n_[0]; ++x) g(x, y, z);
      }
    }
  }

  // the vertex of the cube above node p, if the surface passes it
  void cube(const Place& p) {
    Vec3<double> sum = Vec3<double>::Zero();
    int crossed = 0;
    for (int axis = 0; axis < 3; ++axis) {
      for (int side = 0; side < 4; ++side) {
        Place a = p;
        a[static_cast<std::size_t>((axis + 1) % 3)] += side & 1;
        a[static_cast<std::size_t>((axis + 2) % 3)] += side >> 1;
        Place b = a;
        ++b[static_cast<std::size_t>(axis)];
        const double fa = value_[at(a)], fb = value_[at(b)];
        if ((fa < 0) == (fb < 0)) continue;
        sum += node(a[0], a[1], a[2]);
        sum[axis] += cell_ * fa / (fa - fb);
        ++crossed;
      }
    }
    if (crossed == 0) return;
    const Vec3<double> on = settle(sum / crossed, node(p[0], p[1], p[2]));
    vertex_[at(p)] = out_.nvert();
    Vec3<double> normal = slope(on);
    const double length = normal.norm();
    normal = length > 0 ? Vec3<double>(normal / length) : Vec3<double>(0, 0, 1);
    for (int k = 0; k < 3; ++k) out_.vert.push_back(static_cast<float>(on[k]));
    for (int k = 0; k < 3; ++k) out_.normal.push_back(static_cast<float>(normal[k]));
  }

  Vec3<double> slope(const Vec3<double>& p) const {
    const double h = 1e-3 * cell_;
    Vec3<double> out;
    for (int k = 0; k < 3; ++k) {
      Vec3<double> low = p, high = p;
      low[k] -= h, high[k] += h;
      out[k] = (f_(high) - f_(low)) / (2 * h);
    }
    return out;
  }

  Vec3<double> settle(Vec3<double> p, const Vec3<double>& corner) const {
    for (int turn = 0; turn < 3; ++turn) {
      const Vec3<double> up = slope(p);
      const double square = up.squaredNorm();
      if (!(square > 1e-6)) break;
      p -= (f_(p) / square) * up;
      for (int k = 0; k < 3; ++k) p[k] = std::clamp(p[k], corner[k], corner[k] + cell_);
    }
    return p;
  }

  // the quadrilateral across the edge from node p along an axis; outside is where f is positive
  void edge(const Place& p, std::size_t axis) {
    Place q = p;
    if (++q[axis] >= n_[axis] || inside(p) == inside(q)) return;
    const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
    if (p[u] == 0 || p[v] == 0) return;  // the function is not positive around the box
    int corner[4];
    for (std::size_t k = 0; k < 4; ++k) {
      Place c = p;
      c[u] -= k == 0 || k == 3 ? 1 : 0;
      c[v] -= k < 2 ? 1 : 0;
      corner[k] = vertex_[at(c)];
      if (corner[k] < 0) return;
    }
    if (!inside(p)) std::swap(corner[1], corner[3]);
    out_.face.append({corner[0], corner[1], corner[2], corner[0], corner[2], corner[3]});
  }

  const F& f_;
  double cell_;
  std::array<int, 3> n_{};
  Vec3<double> start_;
  List<double> value_;
  List<int> vertex_;  // of the cube above each node, or -1
  Surface out_;
};

}  // namespace detail

template <class F>
Surface field_surface(const Vec3<double>& low, const Vec3<double>& high, const F& distance) {
  return detail::FieldSurface<F>(low, high, distance).make();
}

}  // namespace corten::scene
