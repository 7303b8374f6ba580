// SPDX-License-Identifier: Apache-2.0
//
// Normals of round surfaces near a point. The portal method (mpr.hpp) finds where shapes overlap,
// but its direction is that between their centres rather than that of their surfaces. Where the
// normal of a surface is known it replaces that direction, or the mean of both normals does, by
// MuJoCo's rules.
#pragma once

#include <corten/collide/shape.hpp>

namespace corten::detail {

// The normal of an ellipsoid for a point inside, by fixed-point iteration: follows the current
// normal to the surface and takes the normal there. False if there is none.
template <class S>
CORTEN_FN bool normal_from_inside(const Vec3<S>& size, const Vec3<S>& p, Vec3<S>& n) {
  using V = value_t<S>;
  Vec3<S> weight;
  for (int i = 0; i < 3; ++i) weight[i] = S(1) / (size[i] * size[i]);
  const auto product = [&](const Vec3<S>& a, const Vec3<S>& b) {
    return a[0] * b[0] * weight[0] + a[1] * b[1] * weight[1] + a[2] * b[2] * weight[2];
  };
  const S c = product(p, p) - S(1);
  if (value(c) > 0) return false;
  normalize(n);
  for (int round = 0; round < 30; ++round) {
    const S a = product(n, n), b = product(p, n), det = b * b - a * c;
    if (value(det) < V(min_value) || value(a) < V(min_value)) return round > 0;
    const S x = (-b + sqrt(det)) / a;
    if (value(x) < 0) return round > 0;
    Vec3<S> next = (p + n * x).cwiseProduct(weight);
    normalize(next);
    const Vec3<S> change = n - next;
    n = next;
    if (value(change.dot(change)) < V(1e-12)) break;
  }
  return true;
}

// The normal of an ellipsoid at its point nearest to a point outside, by Newton's method for the
// Lagrange multiplier.
template <class S>
CORTEN_FN void normal_from_outside(const Vec3<S>& size, const Vec3<S>& p, Vec3<S>& n) {
  using V = value_t<S>;
  S multiplier = S(0);
  for (int round = 0; round < 30; ++round) {
    S excess = S(-1), slope = S(0);
    for (int i = 0; i < 3; ++i) {
      const S r = S(1) / (size[i] * size[i] + multiplier);
      const S part = p[i] * p[i] * size[i] * size[i] * r * r;
      excess += part;
      slope -= S(2) * part * r;
    }
    if (value(excess) < V(1e-6) || value(slope) > V(-min_value)) break;
    const S step = -excess / slope;
    if (value(step) < V(1e-6)) break;
    multiplier += step;
  }
  for (int i = 0; i < 3; ++i) n[i] = p[i] / (size[i] * size[i] + multiplier);
}

// The normal of a geom near a point, both in the world. False if it is not known; `normal` is then
// left alone.
template <class S>
CORTEN_FN bool surface_normal(GeomType type, const Shape<S>& shape, const Vec3<S>& point,
                              Vec3<S>& normal) {
  using V = value_t<S>;
  const Vec3<S> p = shape.to_local(point), &s = shape.size;
  Vec3<S> n = shape.turn_back(normal);
  if (type == GeomType::sphere) {
    n = p;
  } else if (type == GeomType::capsule) {
    n = Vec3<S>(p[0], p[1], S(0));
    if (value(p[2]) < -value(s[1])) n[2] = p[2] + s[1];
    if (value(p[2]) > value(s[1])) n[2] = p[2] - s[1];
  } else if (type == GeomType::ellipsoid) {
    V elliptic(0);
    for (int i = 0; i < 3; ++i) {
      if (value(s[i]) < V(min_value)) return false;
      elliptic += value(p[i]) * value(p[i]) / (value(s[i]) * value(s[i]));
    }
    if (elliptic > 1) {
      normal_from_outside(s, p, n);
    } else if (!normal_from_inside(s, p, n)) {
      return false;
    }
  } else if (type == GeomType::cylinder) {
    // not near the caps
    const V radius = value(s[0]), half = value(s[1]), z = abs(value(p[2]));
    const V across = sqrt(value(p[0]) * value(p[0]) + value(p[1]) * value(p[1]));
    if (z > V(0.95) * half || abs(half - z) < V(0.25) * abs(radius - across)) return false;
    n = Vec3<S>(p[0], p[1], S(0));
  } else {
    return false;
  }
  normalize(n);
  normal = shape.turn(n);
  return true;
}

// replaces the normal of a contact by those of the surfaces whose normals are known
template <class S>
CORTEN_FN void correct_normal(GeomType type1, const Shape<S>& a, GeomType type2, const Shape<S>& b,
                              Hit<S>& hit) {
  Vec3<S> n1 = hit.normal, n2 = -hit.normal;
  const bool first = surface_normal(type1, a, hit.pos, n1);
  const bool second = surface_normal(type2, b, hit.pos, n2);
  if (first && second) {
    hit.normal = n1 - n2;
    normalize(hit.normal);
  } else if (first) {
    hit.normal = n1;
  } else if (second) {
    hit.normal = -n2;
  }
}

}  // namespace corten::detail
