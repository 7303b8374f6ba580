// SPDX-License-Identifier: Apache-2.0
//
// A ball that touches an ellipsoid, by the point of the ellipsoid that is nearest to its centre.
// The convex collider, which serves other pairs with ellipsoids, stops within its tolerance of the
// distance, which leaves the normal a thousandth off: too much for a vertex that is to lie still.
#pragma once

#include <corten/collide/shape.hpp>
#include <corten/geom/ellipsoid.hpp>

#include <limits>

namespace corten::detail {

// The nearest point has coordinates a² p / (t + a²), where t is the largest root of
// F(t) = Σ (a p / (t + a²))² - 1 (Eberly 2013, "Distance from a point to an ellipse, an ellipsoid,
// or a hyperellipsoid"). To the right of its last pole F falls and is convex, so Newton's method
// rises to the root from any point that is left of it.
template <class S>
CORTEN_FN Vec3<S> nearest_on_ellipsoid(const Vec3<S>& size, const Vec3<S>& p) {
  using V = value_t<S>;
  int least = 0;
  for (int k = 1; k < 3; ++k) least = value(size[k]) < value(size[least]) ? k : least;
  const V pole = -value(size[least]) * value(size[least]);
  V t = pole;
  for (int k = 0; k < 3; ++k) {
    t = max(t, V(value(size[k]) * (abs(value(p[k])) - value(size[k]))));
  }
  if (!(t > pole)) {
    // in the plane across the shortest axis, where both sides may be equally near
    Vec3<S> out = Vec3<S>::Zero();
    S rest = S(1);
    for (int k = 0; k < 3; ++k) {
      const S gap = size[k] * size[k] - size[least] * size[least];
      if (k != least && value(gap) > 0) out[k] = size[k] * size[k] * p[k] / gap;
      rest -= out[k] * out[k] / (size[k] * size[k]);
    }
    out[least] = size[least] * safe_sqrt(max(rest, S(0)));
    if (value(rest) >= 0) return out;
  }
  // the root of the values; a last step in S brings the derivatives
  S root = S(t);
  for (int i = 0; i < 100; ++i) {
    S f = S(-1);
    V slope = V(0);
    for (int k = 0; k < 3; ++k) {
      if (value(p[k]) == 0) continue;
      const S width = S(t) + size[k] * size[k], part = size[k] * p[k] / width;
      f += part * part;
      slope += V(2) * value(part) * value(part) / value(width);
    }
    if (!(slope > V(min_value))) break;
    root = S(t) + f * S(V(1) / slope);
    const bool close = !(value(root) - t > std::numeric_limits<V>::epsilon() * abs(t - pole));
    t = value(root);
    if (close) break;
  }
  Vec3<S> out;
  for (int k = 0; k < 3; ++k) {
    const S squared = size[k] * size[k];
    out[k] = squared * p[k] / (root + squared);
  }
  return out;
}

// The contact of an ellipsoid with a ball at x, with the normal towards the ball.
template <class S>
CORTEN_FN Hit<S> touch_ellipsoid(const Shape<S>& ellipsoid, const Vec3<S>& x, const S& radius) {
  const Vec3<S> p = ellipsoid.to_local(x), foot = nearest_on_ellipsoid(ellipsoid.size, p);
  const Vec3<S> n = corten::Ellipsoid::surface_normal(ellipsoid.size, foot);
  Hit<S> out;
  out.dist = n.dot(p - foot) - radius;
  out.pos = ellipsoid.to_world(foot + n * (out.dist * S(0.5)));
  out.normal = ellipsoid.turn(n);
  out.tangent = Vec3<S>::Zero();
  return out;
}

}  // namespace corten::detail
