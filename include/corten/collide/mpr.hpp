// SPDX-License-Identifier: Apache-2.0
//
// Minkowski portal refinement (Snethen, "XenoCollide: Complex collision made simple", 2008) as
// implemented in libccd: what MuJoCo uses when its native collider is disabled.
//
// The difference a - b of two convex shapes contains the origin if they overlap. A ray from a point
// inside, the difference of the centres, passes through the origin. A portal is a triangle of
// support points that the ray passes through. It is pushed outwards until it lies on the surface of
// the difference; its distance from the origin is the depth. That is not the least depth, but the
// depth near the point where the ray leaves the difference.
//
// Everything runs on plain values; derivatives come from the last portal (mpr_contact.hpp).
#pragma once

#include <corten/collide/convex_shape.hpp>

#include <limits>

namespace corten {

namespace detail {

// ---- comparisons up to rounding, as in libccd ---------------------------------------------------

template <class V>
CORTEN_FN bool near_zero(V x) {
  return abs(x) < std::numeric_limits<V>::epsilon();
}

template <class V>
CORTEN_FN bool near_equal(V a, V b) {
  const V apart = abs(a - b);
  return near_zero(apart) || apart < std::numeric_limits<V>::epsilon() * max(abs(a), abs(b));
}

// x >= 0, up to rounding
template <class V>
CORTEN_FN bool reaches_zero(V x) {
  return near_zero(x) || x > 0;
}

template <class V>
CORTEN_FN bool is_origin(const Vec3<V>& v) {
  return near_equal(v[0], V(0)) && near_equal(v[1], V(0)) && near_equal(v[2], V(0));
}

// v / |v|, where v is not zero
template <class S>
CORTEN_FN Vec3<S> unit(const Vec3<S>& v) {
  return v * (S(1) / sqrt(v.dot(v)));
}

// The support point that MuJoCo gives to libccd: for a direction normal to a side it is the middle
// of the side, not a corner. `inflate` contains the margin.
template <class V>
CORTEN_FN Vec3<V> portal_support(const ConvexShape<V>& c, const Vec3<V>& dir) {
  if (c.type == GeomType::hfield) return c.support(dir);
  const Shape<V>& shape = c.shape;
  const Vec3<V>&s = shape.size, d = shape.turn_back(dir);
  const auto end = [](V x, V size) { return x > 0 ? size : x < 0 ? -size : V(0); };
  Vec3<V> p = d;
  if (c.type == GeomType::sphere || c.type == GeomType::capsule) {
    p = d * s[0];
    if (c.type == GeomType::capsule) p[2] += end(d[2], s[1]);
  } else if (c.type == GeomType::ellipsoid) {
    for (int i = 0; i < 3; ++i) p[i] *= s[i];
    const V length = sqrt(p.dot(p));
    p = length < V(min_value) ? Vec3<V>(V(1), V(0), V(0)) : p * (V(1) / length);
    for (int i = 0; i < 3; ++i) p[i] *= s[i];
  } else if (c.type == GeomType::cylinder) {
    const V across = sqrt(d[0] * d[0] + d[1] * d[1]);
    for (int i = 0; i < 2; ++i) p[i] = across > V(min_value) ? d[i] / across * s[0] : V(0);
    p[2] = end(d[2], s[1]);
  } else if (c.type == GeomType::mesh) {
    p = c.far_vertex(d);
  } else {
    for (int i = 0; i < 3; ++i) p[i] = end(d[i], s[i]);
  }
  for (int i = 0; i < 3; ++i) p[i] += d[i] * c.inflate;
  return shape.to_world(p);
}

// a point of the difference, the points that it comes from, and the direction in which it is
// farthest
template <class S>
struct PortalPoint {
  Vec3<S> x1, x2, v;
  Vec3<value_t<S>> dir;
};

// ---- from the last portal to the contact --------------------------------------------------------

// depth > 0, direction from the first to the second, point in the middle of the overlap
template <class S>
struct PortalContact {
  S depth = S(0);
  Vec3<S> dir, pos;
};

// the point of the segment from a to b that is nearest to the origin
template <class S>
CORTEN_FN Vec3<S> nearest_on_segment(const Vec3<S>& a, const Vec3<S>& b) {
  using V = value_t<S>;
  const Vec3<S> d = b - a;
  const S t = -a.dot(d) / d.dot(d);
  if (value(t) < 0 || near_zero(value(t))) return a;
  if (value(t) > 1 || near_equal(value(t), V(1))) return b;
  return d * t + a;
}

// The point of a triangle that is nearest to the origin; `inside` says that it is not on the rim.
template <class S>
CORTEN_FN Vec3<S> nearest_on_triangle(const Vec3<S>& a, const Vec3<S>& b, const Vec3<S>& c,
                                      bool& inside) {
  using V = value_t<S>;
  const Vec3<S> d1 = b - a, d2 = c - a;
  const S v = d1.dot(d1), w = d2.dot(d2), p = a.dot(d1), q = a.dot(d2), r = d1.dot(d2);
  const S det = w * v - r * r;
  inside = !near_zero(value(det));
  if (inside) {
    const S s = (q * r - w * p) / det, t = (-s * r - q) / w;
    const auto up_to_one = [](V x) { return near_equal(x, V(1)) || x < 1; };
    inside = reaches_zero(value(s)) && up_to_one(value(s)) && reaches_zero(value(t)) &&
             up_to_one(value(t)) && up_to_one(value(S(t + s)));
    if (inside) return a + d1 * s + d2 * t;
  }
  Vec3<S> best = nearest_on_segment(a, b);
  for (const Vec3<S>& other : {nearest_on_segment(a, c), nearest_on_segment(b, c)}) {
    if (value(other.dot(other)) < value(best.dot(best))) best = other;
  }
  return best;
}

// The middle between the points of a and b that belong to the origin of the difference. They come
// from the weights of the origin in the tetrahedron or, if that is flat, in the portal below it.
template <class S>
CORTEN_FN Vec3<S> portal_middle(const PortalPoint<S> (&p)[4]) {
  const auto volume = [&](int i, int j, int k) { return cross(p[i].v, p[j].v).dot(p[k].v); };
  S weight[4] = {volume(1, 2, 3), volume(3, 2, 0), volume(0, 1, 3), volume(2, 1, 0)};
  S sum = weight[0] + weight[1] + weight[2] + weight[3];
  if (near_zero(value(sum)) || value(sum) < 0) {
    const Vec3<S> n = unit(cross(p[2].v - p[1].v, p[3].v - p[1].v));
    weight[0] = S(0);
    for (int i = 1; i < 4; ++i) weight[i] = cross(p[i % 3 + 1].v, p[(i + 1) % 3 + 1].v).dot(n);
    sum = weight[1] + weight[2] + weight[3];
  }
  Vec3<S> x1 = Vec3<S>::Zero(), x2 = Vec3<S>::Zero();
  for (int i = 0; i < 4; ++i) {
    x1 += p[i].x1 * weight[i];
    x2 += p[i].x2 * weight[i];
  }
  const S inverse = S(1) / sum;
  return (x1 * inverse + x2 * inverse) * S(0.5);
}

}  // namespace detail

// ---- the search ---------------------------------------------------------------------------------

// The search for two shapes, on plain values. If run() finds a contact, `p` and `n` are the last
// portal.
template <class V, class A, class B>
class Portal {
  using Point = detail::PortalPoint<V>;

 public:
  Point p[4];            // the point inside, and the triangle
  int n = 0;             // 4, or 2 if the origin is on the line between the first two
  bool on_face = false;  // the nearest point is inside the triangle
  bool limited = false;  // it ran out of iterations

  CORTEN_FN Portal(const A& a, const B& b, V tolerance, int iterations)
      : a_(a), b_(b), tolerance_(tolerance), iterations_(iterations) {}

  CORTEN_FN bool run(detail::PortalContact<V>& out) {
    if (!discover()) return false;
    if (n == 2) {
      out.pos = (p[1].x1 + p[1].x2) * V(0.5);
      if (detail::is_origin(p[1].v)) return false;  // they just touch: no direction
      out.depth = sqrt(p[1].v.dot(p[1].v));
      out.dir = detail::unit(p[1].v);
      return true;
    }
    if (!refine()) return false;
    settle();
    const Vec3<V> nearest = detail::nearest_on_triangle(p[1].v, p[2].v, p[3].v, on_face);
    out.depth = sqrt(nearest.dot(nearest));
    if (detail::near_zero(out.depth)) return false;
    out.dir = detail::unit(nearest);
    out.pos = detail::portal_middle(p);
    // a portal without area has no weights
    if (!finite(out.pos[0] + out.pos[1] + out.pos[2])) out.pos = (p[1].x1 + p[1].x2) * V(0.5);
    return true;
  }

 private:
  static constexpr int many = 1000;  // limit of the loops that have none in libccd

  CORTEN_FN Point support(const Vec3<V>& dir) const {
    const Vec3<V> x1 = detail::portal_support(a_, dir);
    const Vec3<V> x2 = detail::portal_support(b_, -dir);
    return {x1, x2, x1 - x2, dir};
  }

  CORTEN_FN Vec3<V> normal_of(int i, int j, int k) const {
    return detail::unit(cross(p[j].v - p[i].v, p[k].v - p[i].v));
  }

  CORTEN_FN static bool is_negative(V x) { return x < 0 && !detail::near_zero(x); }
  CORTEN_FN static bool is_outside(const Point& q) { return !is_positive(q.v.dot(q.dir)); }
  CORTEN_FN static bool is_positive(V x) { return !(detail::near_zero(x) || x < 0); }

  // finds a triangle that the ray passes through; false if the origin is outside the difference
  CORTEN_FN bool discover() {
    p[0] = {a_.centre(), b_.centre(), Vec3<V>::Zero(), Vec3<V>::Zero()};
    p[0].v = p[0].x1 - p[0].x2;
    if (detail::is_origin(p[0].v)) p[0].v[0] += V(10) * std::numeric_limits<V>::epsilon();
    p[1] = support(detail::unit(p[0].v * V(-1)));
    if (is_outside(p[1])) return false;
    const Vec3<V> across = cross(p[0].v, p[1].v);
    if (detail::near_zero(across.dot(across))) return n = 2, true;
    p[2] = support(detail::unit(across));
    if (is_outside(p[2])) return false;
    Vec3<V> dir = normal_of(0, 1, 2);
    if (dir.dot(p[0].v) > 0) {
      const Point swapped = p[1];
      p[1] = p[2], p[2] = swapped;
      dir = dir * V(-1);
    }
    for (int round = 0; round < many; ++round) {
      p[3] = support(dir);
      if (is_outside(p[3])) return false;
      if (is_negative(cross(p[1].v, p[3].v).dot(p[0].v))) {
        p[2] = p[3];
      } else if (is_negative(cross(p[3].v, p[2].v).dot(p[0].v))) {
        p[1] = p[3];
      } else {
        return n = 4, true;
      }
      dir = normal_of(0, 1, 2);
    }
    return false;
  }

  // moves the portal outwards until the origin is behind it; false if that is impossible
  CORTEN_FN bool refine() {
    for (int round = 0; round < many; ++round) {
      const Vec3<V> dir = normal_of(1, 2, 3);
      if (detail::reaches_zero(dir.dot(p[1].v))) return true;
      const Point next = support(dir);
      if (!detail::reaches_zero(next.v.dot(dir)) || is_on_surface(next)) return false;
      expand(next);
    }
    return false;
  }

  // moves the portal outwards until it is on the surface
  CORTEN_FN void settle() {
    for (int round = 0;; ++round) {
      const Point next = support(normal_of(1, 2, 3));
      if (is_on_surface(next)) return;
      limited = round > iterations_;
      if (limited) return;
      expand(next);
    }
  }

  // is the support point beyond the portal by no more than the tolerance?
  CORTEN_FN bool is_on_surface(const Point& next) const {
    const V far = next.v.dot(next.dir);
    V least = far - p[1].v.dot(next.dir);
    for (int i = 2; i < 4; ++i) least = min(least, V(far - p[i].v.dot(next.dir)));
    return detail::near_equal(least, tolerance_) || least < tolerance_;
  }

  // replaces a corner by the new point, such that the ray still passes through
  CORTEN_FN void expand(const Point& next) {
    const Vec3<V> side = cross(next.v, p[0].v);
    if (p[1].v.dot(side) > 0) {
      p[p[2].v.dot(side) > 0 ? 1 : 3] = next;
    } else {
      p[p[3].v.dot(side) > 0 ? 2 : 1] = next;
    }
  }

  const A& a_;
  const B& b_;
  V tolerance_;
  int iterations_;
};

}  // namespace corten
