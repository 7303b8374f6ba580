// SPDX-License-Identifier: Apache-2.0
//
// The general convex collider, like MuJoCo's native one: distance by GJK, depth by EPA.
//
// A sphere or capsule is first shrunk to its core, a point or a segment. As long as the cores are
// apart, their distance gives the contact exactly, in few iterations; only when they overlap is the
// depth of the full shapes sought. Other shapes carry half of the margin as a layer, so that pairs
// within the margin overlap.
//
// The iteration finds one point. Where flat or straight parts touch, further points are found by
// turning the geoms about the first by a milliradian, to and fro about both tangents, and colliding
// them again (more_points.hpp). Boxes and meshes without a margin need no such search: their sides
// are clipped against each other, which gives all points at once (clip.hpp).
//
// All of this runs on plain values; derivatives are added to the result (tangency.hpp). If the
// options disable the native collider, the portal method takes the place of GJK and EPA (mpr.hpp).
#pragma once

#include <corten/collide/clip.hpp>
#include <corten/collide/epa.hpp>
#include <corten/collide/more_points.hpp>
#include <corten/collide/mpr_contact.hpp>
#include <corten/collide/tangency.hpp>

#include <type_traits>

namespace corten {

// Where two shapes overlap most deeply, margins included: dist < 0.
template <class V>
struct Penetration {
  V dist = V(0);
  Vec3<V> x1, x2;
  int turn = 0;                   // of a further point: by which turn it was found
  DifferencePoint<V> between[3];  // corners of the face that EPA found, if it ran

  Penetration() = default;
  CORTEN_FN Penetration(V distance, const Vec3<V>& on1, const Vec3<V>& on2)
      : dist(distance), x1(on1), x2(on2) {}

  CORTEN_FN void flip() {
    const Vec3<V> first = x1;
    x1 = x2;
    x2 = first;
  }
  CORTEN_FN Vec3<V> pos() const { return (x1 + x2) * V(0.5); }
  CORTEN_FN Vec3<V> normal() const {
    Vec3<V> n = x1 - x2;
    normalize(n);
    return n;
  }
};

namespace detail {

// The distance of two shapes with layers of half1 and half2 around them, if it is less than
// `cutoff`. Spheres and capsules are tried by their cores first: the contact then lies on the line
// between the nearest points of the cores. True if they are apart, and `out` is the result. If
// neither shape has a core, or if the cores touch, `r` is the result of GJK on the shapes
// themselves. One call for both, since compilers for devices inline it.
template <class V, class A, class B>
CORTEN_FN bool core_distance(A& a, B& b, V half1, V half2, V cutoff, Effort<V>& effort,
                             Penetration<V>& out, GjkResult<V>& r) {
  bool cores = a.round() || b.round();
  while (true) {
    a.core = cores && a.round();
    b.core = cores && b.round();
    const V layer1 = a.core ? a.radius() + half1 : V(0),
            layer2 = b.core ? b.radius() + half2 : V(0);
    a.inflate = a.core ? V(0) : half1;
    b.inflate = b.core ? V(0) : half2;
    Gjk<V, A, B> gjk(a, b, effort.tolerance, effort.iterations, cutoff + layer1 + layer2);
    r = gjk.run();
    a.core = b.core = false;
    if (!cores) return false;
    cores = false;
    if (!(r.dist > effort.tolerance)) continue;
    Vec3<V> n = r.x2 - r.x1;
    normalize(n);
    out = {r.dist - (layer1 + layer2), r.x1 + n * layer1, r.x2 - n * layer2};
    effort.limited = effort.limited || (out.dist < cutoff && gjk.limited());
    return true;
  }
}

}  // namespace detail

// Do two convex shapes overlap, each with half of its margin around it, and where? `match`, if
// given, receives the sides or edges that touch. A mesh remembers the corner that was found last
// and starts from there the next time. Not inlined, so that its results are off the stack while
// sides are clipped.
template <class V, class A, class B>
[[gnu::noinline]] CORTEN_FN bool penetration(A& a, B& b, V margin1, V margin2, Effort<V>& effort,
                                             Penetration<V>& out, detail::Match* match = nullptr) {
  const V half1 = V(0.5) * margin1, half2 = V(0.5) * margin2;
  GjkResult<V> r;
  if (detail::core_distance(a, b, half1, half2, V(0), effort, out, r)) return out.dist < 0;
  if (r.separated || r.dist > effort.tolerance || r.n < 2) return false;

  const EpaResult<V> e = detail::run_epa(a, b, r, effort);
  if (!e.found || e.dist >= 0) return false;
  out = {e.dist, e.x1, e.x2};
  for (int i = 0; i < 3; ++i) out.between[i] = e.corner[i];
  if constexpr (std::is_same_v<A, ConvexShape<V>> && std::is_same_v<B, ConvexShape<V>>) {
    if (match != nullptr) *match = detail::match_facets(a, b, e);
  }
  effort.limited = effort.limited || e.limited;
  return true;
}

namespace detail {

// the feature of a shape at the point x found on its layer, which is half of the margin outside
template <class S>
CORTEN_FN Feature<S> feature_at(const ConvexShape<value_t<S>>& c, const Shape<S>& s,
                                const Vec3<value_t<S>>& x, const Vec3<value_t<S>>& outwards,
                                value_t<S> margin, value_t<S> tolerance) {
  using V = value_t<S>;
  const V layer = V(0.5) * margin + (c.round() ? c.shape.size[0] : V(0));
  const V on = V(4) * tolerance + V(1e-5) * c.bounding_radius();
  const Vec3<V> place = c.shape.to_local(x - outwards * layer);
  return FeatureFinder<S>(c.type, s, place, on).feature();
}

// Adds the derivatives of a contact between shapes with corners only: those of the face of the
// difference that EPA has found, whose corners are x[i] - y[i]. The origin is projected onto its
// plane, and the weights of the projection give the points on both shapes.
template <class S>
CORTEN_FN void add_face_tangents(const Vec3<S> (&x)[3], const Vec3<S> (&y)[3], Hit<S>& hit) {
  Vec3<S> w[3];
  for (int i = 0; i < 3; ++i) w[i] = x[i] - y[i];
  const Vec3<S> n = cross(w[1] - w[0], w[2] - w[0]);
  const S nn = n.dot(n);
  if (!(value(nn) > 0)) return;
  const Vec3<S> v = n * (n.dot(w[0]) / nn);
  Vec3<S> pos = Vec3<S>::Zero();
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const S weight = n.dot(cross(w[j] - v, w[k] - v)) / nn;
    pos += (x[i] + y[i]) * (S(0.5) * weight);
  }
  Vec3<S> normal = v;
  hit.dist -= tangent_part(normalize(normal));
  for (int i = 0; i < 3; ++i) {
    hit.pos[i] += tangent_part(pos[i]);
    hit.normal[i] += tangent_part(normal[i]);
  }
}

// How a contact moves that was found between two shapes.
template <class S>
CORTEN_FN Tangency<S> tangency_of(const ConvexShape<value_t<S>>& ca, const Shape<S>& a,
                                  const ConvexShape<value_t<S>>& cb, const Shape<S>& b,
                                  value_t<S> margin, value_t<S> tolerance,
                                  const Penetration<value_t<S>>& found) {
  const Vec3<value_t<S>> normal = found.normal();
  return Tangency<S>(feature_at(ca, a, found.x1, normal, margin, tolerance),
                     feature_at(cb, b, found.x2, -normal, margin, tolerance), make_frame(normal));
}

// Adds derivatives to hits that were found on values. Further points were found between turned
// shapes, and the turn moves with the first point and its normal. Their depth is that of the first.
template <class S>
CORTEN_FN void add_tangents(const ConvexShape<value_t<S>>& ca, const Shape<S>& a,
                            const ConvexShape<value_t<S>>& cb, const Shape<S>& b, value_t<S> margin,
                            value_t<S> tolerance, const Penetration<value_t<S>>* found, int n,
                            Hit<S>* hits) {
  using V = value_t<S>;
  const Tangency<S> first = tangency_of(ca, a, cb, b, margin, tolerance, found[0]);
  hits[0].pos += first.pos();
  hits[0].normal += first.normal();
  hits[0].dist += first.dist();
  if (n == 1) return;
  const Mat3<V> frame = make_frame(found[0].normal());
  const Mat3<S> moving_frame = make_frame(hits[0].normal);
  for (int i = 1; i < n; ++i) {
    ConvexShape<V> va = ca, vb = cb;
    Shape<S> ta = a, tb = b;
    turn_apart(va.shape, vb.shape, found[0].pos(), frame, found[i].turn);
    turn_apart(ta, tb, hits[0].pos, moving_frame, found[i].turn);
    const Tangency<S> t = tangency_of(va, ta, vb, tb, margin, tolerance, found[i]);
    hits[i].pos += t.pos();
    hits[i].normal += t.normal();
    hits[i].dist += first.dist();
  }
}

inline constexpr bool has_sides(GeomType type) {
  return type == GeomType::box || type == GeomType::mesh;
}

// The native collider of all pairs below. The depth of further points is that of the first.
template <Ccd Parts, class S>
CORTEN_FN int collide_native(GeomType type1, GeomType type2, bool curved, const Shape<S>& a,
                             const Shape<S>& b, const S& margin, Effort<S>& effort, Hit<S>* hits) {
  using V = value_t<S>;
  ConvexShape<V> ca = convex_values(type1, a), cb = convex_values(type2, b);
  Effort<V> spent = effort.values();
  Penetration<V> found[5];
  Match match;
  bool flipped = false;
  int clipped = 0;
  const bool sides = has_sides(type1) && has_sides(type2) && effort.multi && !(value(margin) > 0);
  const auto collide = [&](ConvexShape<V>& now_a, ConvexShape<V>& now_b, int turn, int k,
                           Vec3<V>& pos) {
    Match* const wanted = sides && turn < 0 ? &match : nullptr;
    const V around = value(margin);
    if (!penetration(now_a, now_b, around, around, spent, found[k], wanted)) return false;
    pos = found[k].pos();
    return true;
  };
  const auto more = [&](Vec3<V>& normal) {
    normal = found[0].normal();
    if (match.kind == Match::none) return effort.multi && !curved && !sides;
    clipped = clip_facets<Parts>(match, ca, a, cb, b, hits);
    // After clipping an edge of the first shape by a side of the second, MuJoCo swaps the two
    // points, and it swaps those of EPA too if clipping left nothing: the normal then points the
    // other way.
    flipped = clipped == 0 && match.kind == Match::edge_of_first;
    if (flipped) found[0].flip();
    return clipped < 0;
  };
  const auto keep = [&](int k, int turn) {
    found[k].dist = found[0].dist;
    found[k].turn = turn;
  };
  const int n = contact_points(ca, cb, collide, more, keep);
  effort.limited = effort.limited || spent.limited;
  if (clipped > 0) return clipped;
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
    const bool corners = has_sides(type1) && has_sides(type2) && !(value(margin) > 0);
    if (n == 1 && corners) {
      Vec3<S> x[3], y[3];
      for (int i = 0; i < 3; ++i) {
        const DifferencePoint<V>& p = found[0].between[i];
        x[i] = EdgeList<V>::template corner_place<S>(type1, a, p.corner1);
        y[i] = EdgeList<V>::template corner_place<S>(type2, b, p.corner2);
      }
      if (flipped) {
        add_face_tangents(y, x, hits[0]);
      } else {
        add_face_tangents(x, y, hits[0]);
      }
      return n;
    }
    if (n > 0) add_tangents(ca, a, cb, b, value(margin), effort.tolerance, found, n, hits);
  }
  return n;
}

// The collider of all pairs below, instantiated once per scalar rather than once per pair.
template <class S, Ccd Parts = Ccd::all>
CORTEN_ENTRY int collide_convex(GeomType type1, GeomType type2, bool curved, const Shape<S>& a,
                                const Shape<S>& b, const S& margin, Effort<S>& effort,
                                Hit<S>* hits) {
  if constexpr (Parts == Ccd::all || Parts == Ccd::portal) {
    const bool portal = Parts == Ccd::portal || effort.portal;
    if (portal) return collide_portal(type1, type2, curved, a, b, margin, effort, hits);
  }
  if constexpr (Parts == Ccd::portal) {
    return 0;
  } else {
    return collide_native<Parts>(type1, type2, curved, a, b, margin, effort, hits);
  }
}

}  // namespace detail

// The general collider. A shape without flat or straight parts has one contact.
template <Ccd Parts>
struct ConvexColliderWith {
  template <Ccd Some>
  using with = ConvexColliderWith<Some>;  // the same with some of its parts

  CORTEN_FN static constexpr bool curved(GeomType a, GeomType b) {
    return a == GeomType::sphere || a == GeomType::ellipsoid || b == GeomType::sphere ||
           b == GeomType::ellipsoid;
  }

  template <class S>
  CORTEN_FN static int collide(GeomType type1, GeomType type2, const Shape<S>& a, const Shape<S>& b,
                               const S& margin, Effort<S>& effort, Hit<S>* hits) {
    return detail::collide_convex<S, Parts>(type1, type2, curved(type1, type2), a, b, margin,
                                            effort, hits);
  }
};
using ConvexCollider = ConvexColliderWith<Ccd::all>;

// a pair that the general collider serves
template <GeomType A, GeomType B>
struct ConvexPair {
  using Shared = ConvexCollider;
  static constexpr GeomType first = A, second = B;
  static constexpr int max_hits = ConvexCollider::curved(A, B) ? 1 : 5;
  static constexpr bool contacts_only = true;

  template <class S>
  CORTEN_FN static int collide(const Shape<S>& a, const Shape<S>& b, const S& margin,
                               Effort<S>& effort, Hit<S>* hits) {
    return ConvexCollider::collide(A, B, a, b, margin, effort, hits);
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
