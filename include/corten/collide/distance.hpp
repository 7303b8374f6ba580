// SPDX-License-Identifier: Apache-2.0
//
// The distance between two geoms, negative if they overlap, and the points between which it is
// measured.
//
//   Nearest<double> n = geom_distance(m, d, g1, g2, 0.5);
//   if (n.dist < 0.5) …  n.from on geom g1, n.to on geom g2
//
// It runs the colliders of the policies with the largest distance of interest as margin. Where a
// collider reports contacts only, GJK finds the distance and EPA the depth. Needs kinematics.
// Values decide branches; distance and points carry derivatives.
#pragma once

#include <corten/collide/box_box.hpp>
#include <corten/collide/colliders.hpp>
#include <corten/collide/convex.hpp>
#include <corten/collide/shape_loader.hpp>

namespace corten {

template <class S>
struct Nearest {
  S dist;                                                // `largest` if they are farther apart
  Vec3<S> from = Vec3<S>::Zero(), to = Vec3<S>::Zero();  // zero in that case
};

namespace detail {

// Distance and nearest points of two convex shapes; false if they are not nearer than `cutoff`. As
// in penetration(), spheres and capsules are first shrunk to their cores.
template <class V>
CORTEN_FN bool separation(ConvexShape<V> a, ConvexShape<V> b, V cutoff, Effort<V> effort,
                          Penetration<V>& out) {
  GjkResult<V> r;
  if (core_distance(a, b, V(0), V(0), cutoff, effort, out, r)) return out.dist < cutoff;
  out = {r.dist, r.x1, r.x2};
  if (r.dist > effort.tolerance || r.n < 2 || r.separated) return r.dist < cutoff;
  const EpaResult<V> e = run_epa(a, b, r, effort);
  if (e.found) {
    out = {e.dist, e.x1, e.x2};
  } else {
    // MuJoCo has lost the points of GJK once EPA has begun to look for others
    out.dist = V(0);
    if (e.broken) out.x1 = out.x2 = Vec3<V>::Zero();
  }
  return out.dist < cutoff;
}

// adds the derivatives of the distance and of the points, from the features that face each other
template <class S>
CORTEN_FN void add_tangents(const ConvexShape<value_t<S>>& ca, const Shape<S>& a,
                            const ConvexShape<value_t<S>>& cb, const Shape<S>& b,
                            const Penetration<value_t<S>>& found, value_t<S> tolerance,
                            Nearest<S>& out) {
  using V = value_t<S>;
  const Vec3<V> away = found.x2 - found.x1;
  const Mat3<V> frame = make_frame(found.dist < 0 ? -away : away);
  const Vec3<V> normal = frame.row(0);
  const Tangency<S> t(feature_at(ca, a, found.x1, normal, V(0), tolerance),
                      feature_at(cb, b, found.x2, -normal, V(0), tolerance), frame);
  out.dist += t.dist();
  const Vec3<S> pos = t.pos(), turn = t.normal();
  for (int k = 0; k < 3; ++k) {
    const S half = S(0.5) * (out.dist * (S(normal[k]) + turn[k]));
    out.from[k] += pos[k] - tangent_part(half);
    out.to[k] += pos[k] + tangent_part(half);
  }
}

// not inlined: its shapes would stay on the stack while colliders run
template <class S>
[[gnu::noinline]] CORTEN_ENTRY Nearest<S> convex_distance(GeomType type1, GeomType type2,
                                                          const Shape<S>& a, const Shape<S>& b,
                                                          const S& largest,
                                                          const Effort<S>& effort) {
  using V = value_t<S>;
  const ConvexShape<V> ca = convex_values(type1, a), cb = convex_values(type2, b);
  const Effort<V> spent = effort.values();
  Penetration<V> found;
  Nearest<S> out{largest};
  if (!separation(ca, cb, value(largest), spent, found)) return out;
  out.dist = S(found.dist);
  for (int k = 0; k < 3; ++k) {
    out.from[k] = S(found.x1[k]);
    out.to[k] = S(found.x2[k]);
  }
  if constexpr (is_dual<S>) add_tangents(ca, a, cb, b, found, effort.tolerance, out);
  return out;
}

// The smallest distance among the contacts that the collider of two types finds. The types are in
// the collider's order; `sign` is -1 if the caller has them in the other order.
template <class List, class S, class Loader>
CORTEN_FN Nearest<S> contact_distance(GeomType type1, GeomType type2, const Loader& first,
                                      const Loader& second, const S& largest, Effort<S>& effort,
                                      const S& sign) {
  Nearest<S> out{largest};
  const auto take = [&](const Hit<S>& hit) {
    if (!(value(hit.dist) < value(out.dist))) return;
    out.dist = hit.dist;
    const Vec3<S> half = hit.normal * (S(0.5) * sign * out.dist);
    out.from = hit.pos - half;
    out.to = hit.pos + half;
  };
  Hit<S> hits[static_cast<std::size_t>(List::max_hits)];
  const int n = List::collide(type1, type2, first, second, largest, effort, hits);
  for (int i = 0; i < n; ++i) take(hits[i]);
  if (n == List::no_limit) List::stream(type1, type2, first, second, largest, effort, take);
  return out;
}

}  // namespace detail

// Pairs without a collider (two planes) count as `largest` apart.
template <class M, class D>
CORTEN_FN auto geom_distance(const M& m, const D& d, int g1, int g2,
                             const typename D::Scalar& largest) {
  using S = typename D::Scalar;
  using List = typename M::Policies::Colliders;
  const auto type1 = static_cast<GeomType>(m.geom_type[g1]);
  const auto type2 = static_cast<GeomType>(m.geom_type[g2]);
  Effort<S> effort = detail::effort_of(m, d);
  const detail::ShapeLoader<M, D> first(m, d, g1), second(m, d, g2);
  if (!effort.portal && List::contacts_only(type1, type2)) {
    return detail::convex_distance(type1, type2, first.load(type1), second.load(type2), largest,
                                   effort);
  }
  const bool flip = type1 > type2;
  return detail::contact_distance<List>(flip ? type2 : type1, flip ? type1 : type2,
                                        flip ? second : first, flip ? first : second, largest,
                                        effort, S(flip ? -1 : 1));
}

}  // namespace corten
