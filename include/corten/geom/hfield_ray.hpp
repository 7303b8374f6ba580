// SPDX-License-Identifier: Apache-2.0
//
// Intersects a ray with a height field, in the frame of its geom: the box below it, the surface
// triangles of the cells that the ray passes over, and the walls at its borders.
#pragma once

#include <corten/geom/box.hpp>
#include <corten/geom/triangle.hpp>
#include <corten/math/field.hpp>

namespace corten::rays {

// Finds what the ray hits first, using plain values.
template <class V, class M>
class HeightSearch {
 public:
  enum class Met { nothing, base, surface, wall };

  CORTEN_FN HeightSearch(const M& m, int id, const Vec3<V>& point, const Vec3<V>& direction)
      : m_(m), id_(id), p_(point), v_(direction), triangles_(point, direction) {
    for (int k = 0; k < 4; ++k) size_[k] = static_cast<V>(value(m.hfield_size[4 * id + k]));
    ncol_ = m.hfield_ncol[id];
    nrow_ = m.hfield_nrow[id];
    step_[0] = V(2) * size_[0] / V(ncol_ - 1);
    step_[1] = V(2) * size_[1] / V(nrow_ - 1);
    time_ = Box::ray(base_size(), base_point(p_), v_);
    if (time_ >= 0) met_ = Met::base;
    const Span<V> top = both(both(slab(p_[0], v_[0], size_[0]), slab(p_[1], v_[1], size_[1])),
                             slab(V(p_[2] - size_[2] / V(2)), v_[2], V(size_[2] / V(2))));
    if (top.empty() || top.leave < 0) return;
    surface(top.enter > 0 ? top.enter : V(0), top.leave);
    for (int axis = 0; axis < 2; ++axis) {
      for (int side = -1; side <= 1; side += 2) wall(axis, side);
    }
  }

  CORTEN_FN Met met() const { return met_; }
  CORTEN_FN const Triangle<V>& triangle() const { return triangles_.nearest(); }
  CORTEN_FN int wall_axis() const { return axis_; }
  CORTEN_FN int wall_side() const { return side_; }

  CORTEN_FN V half_width(int axis) const { return size_[axis]; }

  // the box below: its half sizes, and a point relative to its centre
  CORTEN_FN Vec3<V> base_size() const { return Vec3<V>(size_[0], size_[1], size_[3] / V(2)); }
  template <class T>
  CORTEN_FN Vec3<T> base_point(const Vec3<T>& p) const {
    return Vec3<T>(p[0], p[1], p[2] + T(size_[3] / V(2)));
  }

 private:
  CORTEN_FN V height(int row, int column) const {
    return static_cast<V>(m_.hfield_data[m_.hfield_adr[id_] + row * ncol_ + column]);
  }
  CORTEN_FN Vec3<V> node(int row, int column) const {
    return Vec3<V>(step_[0] * V(column) - size_[0], step_[1] * V(row) - size_[1],
                   height(row, column) * size_[2]);
  }

  // the cells along an axis between two times, widened by one on each side
  CORTEN_FN void cells(int axis, V from, V to, int nodes, int& first, int& end) const {
    const V a = (p_[axis] + from * v_[axis] + size_[axis]) / step_[axis];
    const V b = (p_[axis] + to * v_[axis] + size_[axis]) / step_[axis];
    const V low = max(floor(min(a, b)) - V(1), V(0));
    const V high = min(-floor(-max(a, b)) + V(1), V(nodes - 1));
    first = static_cast<int>(low);
    end = static_cast<int>(high);
  }

  CORTEN_FN void surface(V from, V to) {
    int first_column = 0, end_column = 0, first_row = 0, end_row = 0;
    cells(0, from, to, ncol_, first_column, end_column);
    cells(1, from, to, nrow_, first_row, end_row);
    for (int r = first_row; r < end_row; ++r) {
      for (int c = first_column; c < end_column; ++c) {
        const Vec3<V> a = node(r, c), b = node(r + 1, c + 1);
        triangles_.offer({{a, node(r, c + 1), b}});
        triangles_.offer({{a, b, node(r + 1, c)}});
      }
    }
    const V t = triangles_.nearest_time();
    if (t >= 0 && (time_ < 0 || t < time_)) {
      time_ = t;
      met_ = Met::surface;
    }
  }

  // the ray hits a wall where the border of the surface is above the ray
  CORTEN_FN void wall(int axis, int side) {
    if (abs(v_[axis]) <= V(min_value)) return;
    const V t = (V(side) * size_[axis] - p_[axis]) / v_[axis];
    if (t < 0 || (time_ >= 0 && t >= time_)) return;
    const int other = 1 - axis, nodes = axis == 0 ? nrow_ : ncol_;
    const V along = p_[other] + t * v_[other], z = (p_[2] + t * v_[2]) / size_[2];
    if (abs(along) > size_[other] || z < 0 || z > 1) return;
    const V y = (along + size_[other]) / step_[other];
    const V below = max(V(0), min(V(nodes - 2), floor(y)));
    const int i = static_cast<int>(below), last = (axis == 0 ? ncol_ : nrow_) - 1;
    const int edge = side > 0 ? last : 0;
    const V z0 = axis == 0 ? height(i, edge) : height(edge, i);
    const V z1 = axis == 0 ? height(i + 1, edge) : height(edge, i + 1);
    if (!(z < z0 * (below + V(1) - y) + z1 * (y - below))) return;
    time_ = t;
    met_ = Met::wall;
    axis_ = axis;
    side_ = side;
  }

  const M& m_;
  int id_;
  Vec3<V> p_, v_;
  TriangleSearch<V> triangles_;
  V size_[4], step_[2], time_ = V(-1);
  int nrow_ = 0, ncol_ = 0, axis_ = 0, side_ = 1;
  Met met_ = Met::nothing;
};

// distance to height field `id`, or -1; also the normal at the hit
template <class T, class M>
CORTEN_FN T hfield(const M& m, int id, const Vec3<T>& p, const Vec3<T>& v, Vec3<T>* normal) {
  using V = value_t<T>;
  using Search = HeightSearch<V, M>;
  const Search search(m, id, values(p), values(v));
  Vec3<T> n = Vec3<T>::Zero();
  T t = T(-1);
  if (search.met() == Search::Met::base) {
    Vec3<T> size;
    for (int k = 0; k < 3; ++k) size[k] = T(search.base_size()[k]);
    const Vec3<T> from = search.base_point(p);
    t = Box::ray(size, from, v);
    n = Box::surface_normal(size, from + v * t);
  } else if (search.met() == Search::Met::surface) {
    t = search.triangle().plane_time(p, v);
    const Vec3<V> up = search.triangle().unit_normal();
    for (int k = 0; k < 3; ++k) n[k] = T(up[k]);
  } else if (search.met() == Search::Met::wall) {
    const int axis = search.wall_axis();
    t = (T(search.wall_side()) * T(search.half_width(axis)) - p[axis]) / v[axis];
    n[axis] = T(search.wall_side());
  }
  if (normal != nullptr) *normal = n;
  return t;
}

}  // namespace corten::rays
