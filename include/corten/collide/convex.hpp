// SPDX-License-Identifier: Apache-2.0
//
// The general convex collider, as MuJoCo's native one: distance by GJK, depth by EPA.
//
// A sphere or capsule is first shrunk to its core, a point or a segment. As long as the cores are
// apart, the distance of the cores gives the contact exactly, in few iterations; only when they
// overlap is the depth of the full shapes sought. Other shapes carry half of the margin as a layer,
// so that pairs within the margin overlap.
//
// The iteration finds one point. Where flat or straight parts touch, further points are found by
// turning the geoms about the first by a milliradian, to and fro about both tangents, and colliding
// them again; but for boxes and meshes without a margin, whose sides say where they touch (clip.hpp).
// All of this runs on plain values; derivatives are added to the result (tangency.hpp).
#pragma once

#include <corten/collide/clip.hpp>
#include <corten/collide/epa.hpp>
#include <corten/collide/tangency.hpp>
#include <corten/math/quat.hpp>

#include <type_traits>

namespace corten {

// Where the surfaces are farthest in each other, margins included: dist < 0.
template <class V>
struct Penetration {
  V dist;
  Vec3<V> x1, x2;
  // different corners that x1 and x2 lie between, if the shapes are meshes
  int n1 = 0, n2 = 0;
  int corner1[3] = {}, corner2[3] = {};

  CORTEN_FN void add_corners(const DifferencePoint<V>& p) {
    add_corner(p.corner1, corner1, n1);
    add_corner(p.corner2, corner2, n2);
  }

  CORTEN_FN Vec3<V> pos() const { return (x1 + x2) * V(0.5); }
  CORTEN_FN Vec3<V> normal() const {
    Vec3<V> n = x1 - x2;
    normalize(n);
    return n;
  }

 private:
  CORTEN_FN static void add_corner(int c, int (&list)[3], int& n) {
    for (int i = 0; i < n; ++i) {
      if (list[i] == c) return;
    }
    if (n < 3) list[n++] = c;
  }
};

namespace detail {

// cores that are apart: the contact lies on the line between their nearest points
template <class V>
CORTEN_FN void inflate_cores(GjkResult<V>& r, V layer1, V layer2) {
  Vec3<V> n = r.x2 - r.x1;
  normalize(n);
  r.x1 += n * layer1;
  r.x2 -= n * layer2;
  r.dist -= layer1 + layer2;
}

}  // namespace detail

// Do two convex shapes come within half of their margins, and where? `match`, if given: what of them
// touches.
template <class V, class A, class B>
CORTEN_FN bool penetration(A a, B b, V margin1, V margin2, Effort<V>& effort, Penetration<V>& out,
                           detail::Match* match = nullptr) {
  const V half1 = V(0.5) * margin1, half2 = V(0.5) * margin2;
  if (a.round() || b.round()) {
    const V layer1 = a.round() ? a.radius() + half1 : V(0);
    const V layer2 = b.round() ? b.radius() + half2 : V(0);
    a.core = a.round();
    b.core = b.round();
    a.inflate = a.core ? V(0) : half1;
    b.inflate = b.core ? V(0) : half2;
    Gjk<V, A, B> gjk(a, b, effort.tolerance, effort.iterations, layer1 + layer2);
    GjkResult<V> r = gjk.run();
    if (r.dist > effort.tolerance) {
      detail::inflate_cores(r, layer1, layer2);
      out = {r.dist, r.x1, r.x2};
      for (int i = 0; i < r.n; ++i) out.add_corners(r.simplex[i]);
      effort.limited = effort.limited || (r.dist < 0 && gjk.limited());
      return r.dist < 0;
    }
  }
  a.core = b.core = false;
  a.inflate = half1;
  b.inflate = half2;
  Gjk<V, A, B> gjk(a, b, effort.tolerance, effort.iterations, V(0));
  const GjkResult<V> r = gjk.run();
  if (r.separated || r.dist > effort.tolerance || r.n < 2) return false;

  Epa<V, A, B> epa(a, b, effort.tolerance, effort.iterations);
  const EpaResult<V> e = epa.run(r.simplex, r.n);
  if (!e.found || e.dist >= 0) return false;
  out = {e.dist, e.x1, e.x2};
  for (const DifferencePoint<V>& corner : e.corner) out.add_corners(corner);
  if constexpr (std::is_same_v<A, ConvexShape<V>> && std::is_same_v<B, ConvexShape<V>>) {
    if (match != nullptr) *match = detail::match_facets(a, b, e);
  }
  effort.limited = effort.limited || epa.limited();
  return true;
}

namespace detail {

// turn a shape about a point
template <class V>
CORTEN_FN void turn_about(Shape<V>& shape, const Vec3<V>& point, const Mat3<V>& rot) {
  const Vec3<V> arm = point - shape.pos;
  shape.pos -= multiply(rot, arm) - arm;
  for (Vec3<V>& axis : shape.axes) axis = multiply(rot, axis);
}

// is the last of n points farther than `tolerance` from all before it?
template <class V>
CORTEN_FN bool distinct(const Penetration<V>* found, int n, V tolerance) {
  const Vec3<V> last = found[n - 1].pos();
  for (int i = 0; i + 1 < n; ++i) {
    const Vec3<V> away = found[i].pos() - last;
    if (sqrt(dot3(away, away)) <= tolerance) return false;
  }
  return true;
}

// further points by turning both geoms against each other about the first point
template <class V>
CORTEN_FN int more_penetrations(const ConvexShape<V>& a, const ConvexShape<V>& b, V margin,
                                Effort<V>& effort, Penetration<V>* found) {
  const V tolerance = V(1e-3) * min(a.bounding_radius(), b.bounding_radius());
  const Vec3<V> point = found[0].pos();
  const Mat3<V> frame = make_frame(found[0].normal());
  int n = 1;
  for (int i = 0; i < 4; ++i) {
    const Vec3<V> axis = frame.row(1 + i / 2);
    const V angle = V(i % 2 == 0 ? -1e-3 : 1e-3);
    ConvexShape<V> turned_a = a, turned_b = b;
    turn_about(turned_a.shape, point, to_matrix(axis_angle(axis, angle)));
    turn_about(turned_b.shape, point, to_matrix(axis_angle(axis, V(-angle))));
    if (!penetration(turned_a, turned_b, margin, margin, effort, found[n])) continue;
    found[n].dist = found[0].dist;
    if (distinct(found, n + 1, tolerance)) ++n;
  }
  return n;
}

// the plain values of a shape
template <class S>
CORTEN_FN ConvexShape<value_t<S>> convex_values(GeomType type, const Shape<S>& s) {
  ConvexShape<value_t<S>> out;
  out.type = type;
  for (int i = 0; i < 3; ++i) {
    out.shape.pos[i] = value(s.pos[i]);
    out.shape.size[i] = value(s.size[i]);
    for (int j = 0; j < 3; ++j) out.shape.axes[j][i] = value(s.axes[j][i]);
  }
  out.shape.mesh = s.mesh;
  return out;
}

// the feature of a shape at a point x that was found on it, half of the margin outside
template <class S>
CORTEN_FN Feature<S> feature_at(const ConvexShape<value_t<S>>& c, const Shape<S>& s,
                                const Vec3<value_t<S>>& x, const Vec3<value_t<S>>& outwards,
                                value_t<S> margin, value_t<S> tolerance, const int* corner, int n) {
  using V = value_t<S>;
  const V layer = V(0.5) * margin + (c.round() ? c.shape.size[0] : V(0));
  const V on = V(4) * tolerance + V(1e-5) * c.bounding_radius();
  const Vec3<V> place = c.shape.to_local(x - outwards * layer);
  return FeatureFinder<S>(c.type, s, place, on, corner, n).feature();
}

// Adds derivatives to hits that were found on values. Further points share those of the first:
// their depth is the same, their normals differ by rounding and by the turn that found them, and
// their places are taken to stick to the geoms.
template <class S>
CORTEN_FN void add_tangents(const ConvexShape<value_t<S>>& ca, const Shape<S>& a,
                            const ConvexShape<value_t<S>>& cb, const Shape<S>& b, value_t<S> margin,
                            value_t<S> tolerance, const Penetration<value_t<S>>* found, int n,
                            Hit<S>* hits) {
  using V = value_t<S>;
  const Mat3<V> frame = make_frame(found[0].normal());
  const Penetration<V>& p = found[0];
  const Vec3<V> normal = frame.row(0), back = -normal;
  const Tangency<S> t(feature_at(ca, a, p.x1, normal, margin, tolerance, p.corner1, p.n1),
                      feature_at(cb, b, p.x2, back, margin, tolerance, p.corner2, p.n2), frame);
  hits[0].pos += t.pos();
  const auto carried = [](const ConvexShape<V>& c, const Shape<S>& s, const Vec3<V>& x) {
    const Vec3<V> local = c.shape.to_local(x);
    return s.to_world(Vec3<S>(S(local[0]), S(local[1]), S(local[2])));
  };
  for (int i = 0; i < n; ++i) {
    hits[i].dist += t.dist();
    hits[i].normal += t.normal();
    if (i == 0) continue;
    const Vec3<S> twice = carried(ca, a, found[i].x1) + carried(cb, b, found[i].x2);
    for (int k = 0; k < 3; ++k) hits[i].pos[k] += tangent_part(S(S(0.5) * twice[k]));
  }
}

inline constexpr bool has_sides(GeomType type) {
  return type == GeomType::box || type == GeomType::mesh;
}

// The collider of all pairs below: one function a scalar, not one a pair.
template <class S>
CORTEN_FN int collide_convex(GeomType type1, GeomType type2, bool curved, const Shape<S>& a,
                             const Shape<S>& b, const S& margin, Effort<S>& effort, Hit<S>* hits) {
  using V = value_t<S>;
  const ConvexShape<V> ca = convex_values(type1, a), cb = convex_values(type2, b);
  Effort<V> spent{effort.tolerance, effort.iterations, effort.multi, false};
  Penetration<V> found[5];
  Match match;
  const bool sides = has_sides(type1) && has_sides(type2) && effort.multi && !(value(margin) > 0);
  int n = penetration(ca, cb, value(margin), value(margin), spent, found[0], sides ? &match : nullptr)
              ? 1
              : 0;
  if (match.kind != Match::none) {
    const int clipped = clip_facets(match, type1, a, type2, b, hits);
    effort.limited = effort.limited || spent.limited;
    if (clipped > 0) return clipped;
    if (clipped < 0) n = more_penetrations(ca, cb, value(margin), spent, found);
  } else if (n == 1 && effort.multi && !curved && !sides) {
    n = more_penetrations(ca, cb, value(margin), spent, found);
  }
  effort.limited = effort.limited || spent.limited;
  for (int i = 0; i < n; ++i) {
    hits[i].dist = S(value(margin) + found[i].dist);
    const Vec3<V> pos = found[i].pos(), normal = found[i].normal();
    for (int k = 0; k < 3; ++k) {
      hits[i].pos[k] = S(pos[k]);
      hits[i].normal[k] = S(normal[k]);
      hits[i].tangent[k] = S(0);
    }
  }
  if constexpr (is_dual<S>) {
    if (n > 0) add_tangents(ca, a, cb, b, value(margin), effort.tolerance, found, n, hits);
  }
  return n;
}

}  // namespace detail

// A pair that goes through the general collider. Shapes without flat or straight parts have one
// contact.
template <GeomType A, GeomType B>
struct ConvexPair {
  static constexpr GeomType first = A, second = B;
  static constexpr bool curved = A == GeomType::sphere || A == GeomType::ellipsoid ||
                                 B == GeomType::sphere || B == GeomType::ellipsoid;
  static constexpr int max_hits = curved ? 1 : 5;

  template <class S>
  CORTEN_FN static int collide(const Shape<S>& a, const Shape<S>& b, const S& margin,
                               Effort<S>& effort, Hit<S>* hits) {
    return detail::collide_convex(A, B, curved, a, b, margin, effort, hits);
  }
};

using CapsuleCylinder = ConvexPair<GeomType::capsule, GeomType::cylinder>;
using CylinderCylinder = ConvexPair<GeomType::cylinder, GeomType::cylinder>;
using CylinderBox = ConvexPair<GeomType::cylinder, GeomType::box>;
using SphereEllipsoid = ConvexPair<GeomType::sphere, GeomType::ellipsoid>;
using CapsuleEllipsoid = ConvexPair<GeomType::capsule, GeomType::ellipsoid>;
using EllipsoidEllipsoid = ConvexPair<GeomType::ellipsoid, GeomType::ellipsoid>;
using EllipsoidCylinder = ConvexPair<GeomType::ellipsoid, GeomType::cylinder>;
using EllipsoidBox = ConvexPair<GeomType::ellipsoid, GeomType::box>;
using SphereMesh = ConvexPair<GeomType::sphere, GeomType::mesh>;
using CapsuleMesh = ConvexPair<GeomType::capsule, GeomType::mesh>;
using EllipsoidMesh = ConvexPair<GeomType::ellipsoid, GeomType::mesh>;
using CylinderMesh = ConvexPair<GeomType::cylinder, GeomType::mesh>;
using BoxMesh = ConvexPair<GeomType::box, GeomType::mesh>;
using MeshMesh = ConvexPair<GeomType::mesh, GeomType::mesh>;

}  // namespace corten
