// SPDX-License-Identifier: Apache-2.0
//
// Rays against convex shapes. The part of a line  point + t · direction  inside a convex shape is a
// single span of t. Shapes are composed of simpler ones: a box is the intersection of three slabs,
// a cylinder that of a tube and a slab, and a capsule is the union of a cylinder and two balls. A
// geom kind provides
//
//   ray(size, point, direction)   first t >= 0 at the surface, in the frame of the geom; -1: missed
//   surface_normal(size, point)   outward normal at a point of the surface
//
// From a point inside, ray returns where the ray leaves. Values alone decide what is hit; the
// result carries derivatives.
#pragma once

#include <corten/math/types.hpp>

namespace corten::rays {

// the values of t from `enter` to `leave`; empty if enter > leave
template <class S>
struct Span {
  S enter, leave;

  CORTEN_FN bool empty() const { return value(enter) > value(leave); }
};

template <class S>
CORTEN_FN Span<S> everything() {
  return {S(-1e20), S(1e20)};
}
template <class S>
CORTEN_FN Span<S> nothing() {
  return {S(1), S(-1)};
}

// |p + t v| <= half
template <class S>
CORTEN_FN Span<S> slab(const S& p, const S& v, const S& half) {
  const auto speed = value(v);
  if (speed <= value_t<S>(min_value) && speed >= value_t<S>(-min_value)) {
    return value(abs(p)) <= value(half) ? everything<S>() : nothing<S>();
  }
  const S a = (-half - p) / v, b = (half - p) / v;
  return {min(a, b), max(a, b)};
}

// a t² + 2 b t + c <= 0, for a >= 0
template <class S>
CORTEN_FN Span<S> quadric(const S& a, const S& b, const S& c) {
  if (value(a) < value_t<S>(min_value)) return value(c) <= 0 ? everything<S>() : nothing<S>();
  const S det = b * b - a * c;
  if (value(det) < 0) return nothing<S>();
  const S root = safe_sqrt(det);
  return {(-b - root) / a, (-b + root) / a};
}

// a ball around the origin
template <class S>
CORTEN_FN Span<S> ball(const Vec3<S>& p, const Vec3<S>& v, const S& radius) {
  return quadric(S(v.squaredNorm()), S(p.dot(v)), S(p.squaredNorm() - radius * radius));
}

// an infinite tube along z
template <class S>
CORTEN_FN Span<S> tube(const Vec3<S>& p, const Vec3<S>& v, const S& radius) {
  return quadric(S(v[0] * v[0] + v[1] * v[1]), S(p[0] * v[0] + p[1] * v[1]),
                 S(p[0] * p[0] + p[1] * p[1] - radius * radius));
}

// the intersection of two shapes
template <class S>
CORTEN_FN Span<S> both(const Span<S>& x, const Span<S>& y) {
  return {max(x.enter, y.enter), min(x.leave, y.leave)};
}

// the union of two shapes, which must be convex
template <class S>
CORTEN_FN Span<S> either(const Span<S>& x, const Span<S>& y) {
  if (x.empty()) return y;
  if (y.empty()) return x;
  return {min(x.enter, y.enter), max(x.leave, y.leave)};
}

// where a ray that starts at t = 0 first meets the surface; -1: nowhere
template <class S>
CORTEN_FN S first_hit(const Span<S>& x) {
  if (x.empty() || value(x.leave) < 0) return S(-1);
  return value(x.enter) >= 0 ? x.enter : x.leave;
}

}  // namespace corten::rays
