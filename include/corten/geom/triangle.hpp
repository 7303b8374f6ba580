// SPDX-License-Identifier: Apache-2.0
//
// Rays against triangles, from both sides. A search over many triangles uses plain values; the
// triangle that is hit is then evaluated in the scalar of the ray.
#pragma once

#include <corten/math/vector.hpp>

#include <limits>

namespace corten::rays {

template <class V>
struct Triangle {
  Vec3<V> corner[3];

  // not of unit length; the corners run counter-clockwise around it
  CORTEN_FN Vec3<V> normal() const { return cross(corner[0] - corner[2], corner[1] - corner[2]); }

  // the time at which a ray meets the plane of the triangle
  template <class T>
  CORTEN_FN T plane_time(const Vec3<T>& p, const Vec3<T>& v) const {
    const Vec3<V> n = normal();
    T away = T(0), speed = T(0);
    for (int k = 0; k < 3; ++k) {
      away += (p[k] - T(corner[2][k])) * T(n[k]);
      speed += v[k] * T(n[k]);
    }
    return -away / speed;
  }

  CORTEN_FN Vec3<V> unit_normal() const {
    Vec3<V> n = normal();
    normalize(n);
    return n;
  }
};

// Finds the nearest triangle on a ray. Triangles are projected onto the plane across the ray, where
// the ray is the origin.
template <class V>
class TriangleSearch {
 public:
  CORTEN_FN TriangleSearch(const Vec3<V>& point, const Vec3<V>& direction)
      : p_(point), v_(direction) {
    // two directions across the ray, starting from a vector without the ray's largest component
    Vec3<V> across(V(1), V(1), V(1));
    int largest = 2;
    if (abs(v_[0]) >= abs(v_[1]) && abs(v_[0]) >= abs(v_[2])) {
      largest = 0;
    } else if (abs(v_[1]) >= abs(v_[2])) {
      largest = 1;
    }
    across[largest] = V(0);
    y_ = across - v_ * (v_.dot(across) / v_.dot(v_));
    normalize(y_);
    x_ = cross(y_, v_);
    normalize(x_);
  }

  // Keeps the triangle if the ray meets it first; ties go to the lower number. Returns whether it
  // was kept.
  CORTEN_FN bool offer(const Triangle<V>& triangle, int number = 0) {
    const V t = time(triangle);
    if (t < 0 || (time_ >= 0 && (t > time_ || (t == time_ && number >= number_)))) return false;
    time_ = t;
    number_ = number;
    nearest_ = triangle;
    return true;
  }

  // whether something inside the box could be met before the nearest triangle so far
  CORTEN_FN bool may_meet(const Vec3<V>& low, const Vec3<V>& high) const {
    V from = V(0), to = time_ >= 0 ? time_ : std::numeric_limits<V>::max();
    for (int k = 0; k < 3; ++k) {
      if (abs(v_[k]) < V(min_value)) {
        if (p_[k] < low[k] || p_[k] > high[k]) return false;
        continue;
      }
      const V a = (low[k] - p_[k]) / v_[k], b = (high[k] - p_[k]) / v_[k];
      from = max(from, min(a, b));
      to = min(to, max(a, b));
    }
    return from * (V(1) - V(8) * std::numeric_limits<V>::epsilon()) <= to;
  }

  // -1: no triangle was met
  CORTEN_FN V nearest_time() const { return time_; }
  CORTEN_FN const Triangle<V>& nearest() const { return nearest_; }

 private:
  CORTEN_FN V time(const Triangle<V>& triangle) const {
    V x[3], y[3];
    for (int i = 0; i < 3; ++i) {
      const Vec3<V> away = triangle.corner[i] - p_;
      x[i] = x_.dot(away);
      y[i] = y_.dot(away);
    }
    const auto one_side = [](const V(&a)[3]) {
      return (a[0] > 0 && a[1] > 0 && a[2] > 0) || (a[0] < 0 && a[1] < 0 && a[2] < 0);
    };
    if (one_side(x) || one_side(y)) return V(-1);

    // barycentric weights of the first two corners at the origin
    const V det = (x[0] - x[2]) * (y[1] - y[2]) - (x[1] - x[2]) * (y[0] - y[2]);
    if (abs(det) < V(min_value)) return V(-1);
    const V a = ((x[1] - x[2]) * y[2] - (y[1] - y[2]) * x[2]) / det;
    const V b = ((y[0] - y[2]) * x[2] - (x[0] - x[2]) * y[2]) / det;
    if (a < 0 || b < 0 || a + b > 1) return V(-1);
    if (abs(v_.dot(triangle.normal())) < V(min_value)) return V(-1);
    return triangle.plane_time(p_, v_);
  }

  Vec3<V> p_, v_, x_, y_;
  V time_ = V(-1);
  int number_ = 0;
  Triangle<V> nearest_;
};

}  // namespace corten::rays
