// SPDX-License-Identifier: Apache-2.0
//
// Intersects a ray with a grid of distances, in the frame of its geom, by sphere tracing: the ray
// advances by the distance at its current point, which cannot cross the surface, until the sign
// changes.
#pragma once

#include <corten/geom/grid.hpp>
#include <corten/geom/ray.hpp>

namespace corten::rays {

namespace detail {

// the first zero of the distance along the ray, in plain numbers; -1: none
template <class V>
CORTEN_FN V trace(const GridView<V>& grid, const Vec3<V>& p, const Vec3<V>& v) {
  const Vec3<V> half = (grid.high() - grid.origin) * V(0.5), middle = grid.origin + half;
  Span<V> inside = everything<V>();
  for (int k = 0; k < 3; ++k) inside = both(inside, slab(V(p[k] - middle[k]), v[k], half[k]));
  const V speed = norm(v);
  if (inside.empty() || inside.leave < 0 || !(speed > 0)) return V(-1);
  const auto at = [&](V t) { return grid.distance(p + v * t); };
  V t = max(inside.enter, V(0)), here = at(t);
  for (int i = 0; i < 1000 && t < inside.leave; ++i) {
    const V next = min(V(t + max(abs(here), V(0.05) * grid.cell) / speed), inside.leave);
    const V there = at(next);
    if ((there > 0) != (here > 0)) {
      V low = t, high = next;
      for (int k = 0; k < 40; ++k) {
        const V mid = V(0.5) * (low + high);
        ((at(mid) > 0) != (here > 0) ? high : low) = mid;
      }
      return V(0.5) * (low + high);
    }
    t = next;
    here = there;
  }
  return V(-1);
}

}  // namespace detail

// distance to the surface, or -1; also the normal at the hit
template <class T, class M>
CORTEN_FN T grid(const M& m, int id, const Vec3<T>& p, const Vec3<T>& v, Vec3<T>* normal) {
  using V = value_t<T>;
  const V t = detail::trace(grid_view<V>(m, id), values(p), values(v));
  if (t < 0) return T(-1);
  if (normal == nullptr && !is_dual<T>) return T(t);
  const GridView<T> field = grid_view<T>(m, id);
  const Vec3<T> at = p + v * T(t), slope = field.gradient(at);
  if (normal != nullptr) {
    *normal = slope;
    normalize(*normal);
  }
  // one Newton step gives t its derivative: the distance at the hit stays zero
  const T rate = slope.dot(v);
  if (!is_dual<T> || !(abs(value(rate)) > V(min_value))) return T(t);
  const T off = field.distance(at) / rate;
  return T(t) - (off - T(value(off)));
}

}  // namespace corten::rays
