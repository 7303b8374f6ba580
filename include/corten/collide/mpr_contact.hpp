// SPDX-License-Identifier: Apache-2.0
//
// Contacts by the portal method (mpr.hpp): corrected normals, further points, derivatives.
//
// Derivatives come from the last portal. Its corners are support points in directions that stay
// constant while the geoms move, or turn with a flat side, so that its plane stays tangent to the
// difference. If the origin projects into the portal, its distance from that plane is the depth.
// Otherwise the surface matters: on a round one the portal is small, and the depth is the length of
// the ray up to the plane; on a flat one it is the distance from the rim of the portal. In that
// case the result of the method itself jumps where it chooses another triangle of the side.
#pragma once

#include <corten/collide/more_points.hpp>
#include <corten/collide/mpr.hpp>
#include <corten/collide/surface_normal.hpp>
#include <corten/collide/tangency.hpp>

namespace corten::detail {

// The support point in direction d, now at x, as the geom moves.
template <class S>
CORTEN_FN Vec3<S> moving_support(const ConvexShape<value_t<S>>& c, const Shape<S>& s,
                                 const Vec3<value_t<S>>& x, const Vec3<S>& d) {
  using V = value_t<S>;
  const Vec3<S> layer = d * S(c.inflate);
  const Vec3<V> dir(value(d[0]), value(d[1]), value(d[2]));
  if (c.type == GeomType::sphere) return s.pos + d * s.size[0] + layer;
  const V radius = c.type == GeomType::capsule ? c.shape.size[0] : V(0);
  const Vec3<V> local = c.shape.to_local(x - dir * (c.inflate + radius));
  const auto end = [&](int i, int k) {
    const V part = local[i] / c.shape.size[k];
    return part > V(0.5) ? s.size[k] : part < V(-0.5) ? S(-s.size[k]) : S(0);
  };
  Vec3<S> p = constant<S>(local);
  const Vec3<S> across = s.turn_back(d);
  switch (c.type) {
    case GeomType::capsule:
      return s.to_world(Vec3<S>(S(0), S(0), end(2, 1))) + d * s.size[0] + layer;
    case GeomType::ellipsoid:
      p = across.cwiseProduct(s.size);
      normalize(p);
      p = p.cwiseProduct(s.size);
      break;
    case GeomType::cylinder: {
      // on a cap the point is fixed to the geom, around the mantle it keeps its direction
      const S length = safe_sqrt(S(across[0] * across[0] + across[1] * across[1]));
      const bool mantle = value(length) > V(0.01);
      for (int i = 0; i < 2; ++i) {
        p[i] = s.size[0] * (mantle ? S(across[i] / length) : S(local[i] / c.shape.size[0]));
      }
      p[2] = end(2, 1);
      break;
    }
    case GeomType::mesh: break;
    default:
      for (int i = 0; i < 3; ++i) p[i] = end(i, i);
  }
  return s.to_world(p) + layer;
}

// How a portal lies on the surface of the difference. On a round surface the search stops at a size
// of about √(8 r tolerance), so a portal is larger only along straight lines or flat sides.
enum class PortalSize { small, thin, flat };

template <class P, class V>
CORTEN_FN PortalSize portal_size(const P& portal, V tolerance, V radius, int& longest) {
  V length2(0);
  for (int i = 1; i < 4; ++i) {
    const Vec3<V> edge = portal.p[i].v - portal.p[i % 3 + 1].v;
    if (edge.dot(edge) > length2) length2 = edge.dot(edge), longest = i;
  }
  const V round2 = V(100) * tolerance * radius;
  if (!(length2 > round2)) return PortalSize::small;
  const Vec3<V> area = cross(portal.p[2].v - portal.p[1].v, portal.p[3].v - portal.p[1].v);
  return area.dot(area) > round2 * length2 ? PortalSize::flat : PortalSize::thin;
}

// The point of a portal on a round surface that is nearest to the origin: where the ray passes
// through or, if the portal is thin, the nearest point from there along its longest edge.
template <class S>
CORTEN_FN Vec3<S> nearest_from_ray(const PortalPoint<S> (&p)[4], const Vec3<S>& passed, bool thin,
                                   int longest) {
  if (!thin) return passed;
  const PortalPoint<S>&a = p[longest], &b = p[longest % 3 + 1];
  const Vec3<S> along = unit(b.v - a.v);
  const S first = along.dot(a.v - passed), last = along.dot(b.v - passed);
  return passed + along * clamp(S(-along.dot(passed)), first, last);
}

// The contact of a portal whose corners move. `point1` and `point2` return the moving points of the
// two shapes, given their position and direction.
template <class S, class P, class F, class G>
CORTEN_FN PortalContact<S> moving_contact(const P& portal, const Vec3<S>& centre1,
                                          const Vec3<S>& centre2, value_t<S> tolerance,
                                          value_t<S> radius, const F& point1, const G& point2) {
  using V = value_t<S>;
  PortalContact<S> out;
  PortalPoint<S> p[4];
  p[0].x1 = centre1, p[0].x2 = centre2, p[0].v = centre1 - centre2;
  const Vec3<S> u = unit(-p[0].v);
  Vec3<S> turn = Vec3<S>::Zero(), n;
  for (int k = 0; k < 3 && portal.n == 2; ++k) turn[k] = tangent_part(u[k]);
  for (int round = 0; round < 2; ++round) {
    for (int i = 1; i < 4; ++i) {
      const PortalPoint<V>& q = portal.p[i < portal.n ? i : 1];
      const Vec3<S> dir = constant<S>(q.dir) + turn;
      p[i].x1 = point1(q.x1, dir);
      p[i].x2 = point2(q.x2, -dir);
      p[i].v = p[i].x1 - p[i].x2;
    }
    if (portal.n == 2) break;
    // where a side turns, directions turn with it
    n = unit(cross(p[2].v - p[1].v, p[3].v - p[1].v));
    for (int k = 0; k < 3; ++k) turn[k] = tangent_part(n[k]);
  }
  if (portal.n == 2) {
    n = constant<S>(portal.p[1].dir);
    out.depth = n.dot(p[1].v) / n.dot(u);
    out.dir = u;
    out.pos = (p[1].x1 + p[1].x2) * S(0.5);
    return out;
  }
  int longest = 1;
  const PortalSize size = portal_size(portal, tolerance, radius, longest);
  bool inside = false;
  const Vec3<S> nearest =
      portal.on_face || size == PortalSize::flat
          ? nearest_on_triangle(p[1].v, p[2].v, p[3].v, inside)
          : nearest_from_ray(p, u * (n.dot(p[1].v) / n.dot(u)), size == PortalSize::thin, longest);
  out.depth = sqrt(nearest.dot(nearest));
  out.dir = unit(nearest);
  out.pos = portal_middle(p);
  return out;
}

template <class S>
CORTEN_FN void write_portal_hit(const PortalContact<value_t<S>>& found, Hit<S>& hit) {
  hit.dist = S(-found.depth);
  for (int k = 0; k < 3; ++k) {
    hit.pos[k] = S(found.pos[k]);
    hit.normal[k] = S(found.dir[k]);
    hit.tangent[k] = S(0);
  }
}

// Adds derivatives. A portal without area, or with its centre in the origin, has none.
template <class S>
CORTEN_FN void add_portal_tangents(const PortalContact<S>& moving, Hit<S>& hit) {
  bool usable = finite(moving.depth);
  for (int k = 0; k < 3; ++k) {
    usable = usable && finite(moving.pos[k]) && finite(moving.dir[k]);
  }
  if (!usable) return;
  hit.dist -= tangent_part(moving.depth);
  for (int k = 0; k < 3; ++k) {
    hit.pos[k] += tangent_part(moving.pos[k]);
    hit.normal[k] += tangent_part(moving.dir[k]);
  }
}

// the derivatives of a contact of two geoms
template <class S, class P>
CORTEN_FN void add_portal_motion(const P& portal, const ConvexShape<value_t<S>>& ca,
                                 const Shape<S>& a, const ConvexShape<value_t<S>>& cb,
                                 const Shape<S>& b, value_t<S> tolerance, Hit<S>& hit) {
  using V = value_t<S>;
  // shapes with corners only have no round surface
  const bool corners = ca.discrete() && cb.discrete();
  const V radius = corners ? V(0) : ca.bounding_radius() + cb.bounding_radius();
  const auto moving = moving_contact(
      portal, a.pos, b.pos, tolerance, radius,
      [&](const Vec3<V>& x, const Vec3<S>& dir) { return moving_support(ca, a, x, dir); },
      [&](const Vec3<V>& x, const Vec3<S>& dir) { return moving_support(cb, b, x, dir); });
  add_portal_tangents(moving, hit);
}

// The collider of all convex pairs if the options disable the native one. The depth of further
// points is that of the first, their positions are taken as fixed to the geoms, and their normals
// turn like that of the first.
template <class S>
CORTEN_FN int collide_portal(GeomType type1, GeomType type2, bool curved, const Shape<S>& a,
                             const Shape<S>& b, const S& margin, Effort<S>& effort, Hit<S>* hits) {
  using V = value_t<S>;
  using Convex = ConvexShape<V>;
  Convex ca = convex_values(type1, a), cb = convex_values(type2, b);
  ca.inflate = cb.inflate = V(0.5) * value(margin);
  PortalContact<V> next;
  const auto collide = [&](const Convex& turned_a, const Convex& turned_b, int turn, int,
                           Vec3<V>& pos) {
    Portal<V, Convex, Convex> portal(turned_a, turned_b, effort.tolerance, effort.iterations);
    const bool overlap = portal.run(next);
    effort.limited = effort.limited || portal.limited;
    pos = next.pos;
    if (!overlap || turn >= 0) return overlap;
    write_portal_hit(next, hits[0]);
    if constexpr (is_dual<S>) {
      add_portal_motion(portal, ca, a, cb, b, effort.tolerance, hits[0]);
    }
    hits[0].dist += S(value(margin));
    correct_normal(type1, a, type2, b, hits[0]);
    return true;
  };
  const auto more = [&](Vec3<V>& normal) {
    for (int i = 0; i < 3; ++i) normal[i] = value(hits[0].normal[i]);
    return effort.multi && !curved;
  };
  const auto keep = [&](int k, int) {
    Hit<S>& hit = hits[k];
    write_portal_hit(next, hit);
    hit.dist = hits[0].dist;
    if constexpr (is_dual<S>) {
      const auto carried = [&](const Convex& c, const Shape<S>& s) {
        return s.to_world(constant<S>(c.shape.to_local(next.pos)));
      };
      const Vec3<S> twice = carried(ca, a) + carried(cb, b);
      for (int i = 0; i < 3; ++i) {
        hit.pos[i] += tangent_part(S(S(0.5) * twice[i]));
        hit.normal[i] += tangent_part(hits[0].normal[i]);
      }
    }
    correct_normal(ca.type, a, cb.type, b, hit);
  };
  return contact_points(ca, cb, collide, more, keep);
}

}  // namespace corten::detail
