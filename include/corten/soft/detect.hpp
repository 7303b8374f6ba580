// SPDX-License-Identifier: Apache-2.0
//
// Contacts of soft bodies with geoms. A vertex is a ball with the radius of its body, and meets a
// geom by the collider that spheres have, so every kind of geom that a sphere can touch is covered:
// planes, the primitives, meshes (their hulls), height fields, distance fields, and your own. For
// ellipsoids there is an exact one.
// Writes nscon, scon_*, soft_scon and the flag soft_colliding.
#pragma once

#include <corten/collide/shape_loader.hpp>
#include <corten/core/plain.hpp>
#include <corten/core/status.hpp>
#include <corten/fwd.hpp>
#include <corten/soft/ellipsoid.hpp>

namespace corten {

namespace detail {

// The geoms that a soft body may touch in the box between low and high; returns their number. It
// looks at every geom: nsoft · ngeom tests of a ball against a box in each search, beside the
// sweeps over the constraints of a soft body, of which there are hundreds or more.
template <class M, class D, class V>
CORTEN_FN int near_geoms(const M& m, const D& d, int soft, const V (&low)[3], const V (&high)[3]) {
  int count = 0;
  for (int g = 0; g < m.n.ngeom; ++g) {
    const bool touch = (m.soft_contype[soft] & m.geom_conaffinity[g]) != 0 ||
                       (m.soft_conaffinity[soft] & m.geom_contype[g]) != 0;
    if (!touch) continue;
    const V bound = static_cast<V>(value(m.geom_rbound[g]));  // 0: a plane
    V distance = V(0);
    for (int k = 0; k < 3 && bound > 0; ++k) {
      const V x = value(d.geom_xpos[3 * g + k]);
      const V out = x < low[k] ? low[k] - x : (x > high[k] ? x - high[k] : V(0));
      distance += out * out;
    }
    if (distance <= bound * bound) d.soft_near[count++] = g;
  }
  return count;
}

// Loads a vertex, which is a ball, or a geom. A single type for both, so that the colliders are
// called in one place, whichever of the two comes first.
template <class M, class D, class S>
struct BallOrGeom {
  const ShapeLoader<M, D>& geom;
  const Vec3<S>& x;
  const S& radius;
  bool is_ball;

  CORTEN_FN Shape<S> ball() const {
    return {x, {Vec3<S>::Unit(0), Vec3<S>::Unit(1), Vec3<S>::Unit(2)}, Vec3<S>(radius, S(0), S(0))};
  }
  CORTEN_FN Shape<S> load(GeomType type) const { return is_ball ? ball() : geom.load(type); }
  template <GeomType T>
  CORTEN_FN Shape<S> load() const {
    return is_ball ? ball() : geom.template load<T>();
  }
};

// collides one vertex with one geom; keeps the deepest hit
template <class M, class D, class S>
CORTEN_FN bool touch_vertex(const M& m, const D& d, const Vec3<S>& x, const S& radius, int g,
                            Effort<S>& effort, Hit<S>& out) {
  using List = typename M::Policies::Colliders;
  const auto type = static_cast<GeomType>(m.geom_type[g]);
  const bool second = type < GeomType::sphere;  // planes and height fields come first
  const ShapeLoader<M, D> geom(m, d, g);
  if (type == GeomType::ellipsoid) {
    out = touch_ellipsoid(geom.load(type), x, radius);
    return value(out.dist) < 0;
  }
  bool found = false;
  const auto keep = [&](const Hit<S>& hit) {
    if (found && !(value(hit.dist) < value(out.dist))) return;
    found = true;
    out = hit;
  };
  Hit<S> hits[static_cast<std::size_t>(List::max_hits)];
  const S margin = S(0);
  const GeomType low = second ? type : GeomType::sphere, high = second ? GeomType::sphere : type;
  const BallOrGeom<M, D, S> a{geom, x, radius, !second}, b{geom, x, radius, second};
  const int n = List::collide(low, high, a, b, margin, effort, hits);
  if (n == List::no_limit) List::stream(low, high, a, b, margin, effort, keep);
  for (int i = 0; i < n; ++i) keep(hits[i]);
  if (found && !second) out.normal = -out.normal;  // from the geom to the vertex
  return found && value(out.dist) < 0;
}

// inserts a contact of a vertex in order of depth, and keeps the three deepest
template <class D, class S>
CORTEN_FN int insert_contact(const D& d, int first, int count, int vert, int g, const Hit<S>& hit) {
  const S depth = -hit.dist;
  int at = count;
  while (at > 0 && value(d.scon_depth[first + at - 1]) < value(depth)) --at;
  if (at == 3) return count;
  const int last = count < 3 ? count : 2;
  for (int k = last; k > at; --k) {
    const int to = first + k, from = to - 1;
    d.scon_depth[to] = d.scon_depth[from];
    copy(d.scon_pos.from(3 * to), d.scon_pos.from(3 * from), 3);
    copy(d.scon_normal.from(3 * to), d.scon_normal.from(3 * from), 3);
    d.scon_geom[to] = d.scon_geom[from];
    d.scon_vert[to] = d.scon_vert[from];
  }
  const int k = first + at;
  d.scon_depth[k] = depth;
  // hit.pos is midway between the surfaces, which overlap by the depth
  store(d.scon_pos, k, Vec3<S>(hit.pos + hit.normal * (S(0.5) * depth)));
  store(d.scon_normal, k, hit.normal);
  d.scon_geom[k] = g;
  d.scon_vert[k] = vert;
  return last + 1;
}

// finds the contacts of the vertices at positions x
template <class M, class D, class X>
CORTEN_FN void detect(const M& m, const D& d, const X& x) {
  using S = typename D::Scalar;
  using V = value_t<S>;
  d.nscon = 0;
  for (int v = 0; v < m.n.nsoftvert; ++v) d.soft_flags[v] &= ~soft_colliding;
  for (int s = 0; s < m.n.nsoft; ++s) d.soft_scon[2 * s] = d.soft_scon[2 * s + 1] = 0;
  if (m.opt.disabled(disable_constraint) || m.opt.disabled(disable_contact)) return;
  Effort<S> effort = effort_of(m, d);

  for (int s = 0; s < m.n.nsoft; ++s) {
    const int first = m.soft_vertadr[s], end = first + m.soft_vertnum[s];
    const S radius = S(m.soft_radius[s]);
    V low[3], high[3];
    for (int k = 0; k < 3; ++k) {
      low[k] = high[k] = value(x[3 * first + k]);
      for (int v = first; v < end; ++v) {
        const V at = value(x[3 * v + k]);
        low[k] = at < low[k] ? at : low[k];
        high[k] = at > high[k] ? at : high[k];
      }
      low[k] -= value(radius);
      high[k] += value(radius);
    }
    const int near = near_geoms(m, d, s, low, high);
    d.soft_scon[2 * s] = d.nscon;
    for (int v = first; v < end && near > 0; ++v) {
      if ((d.soft_flags[v] & soft_pinned) != 0) continue;
      const Vec3<S> at = vec3<S>(x, v);
      int count = 0;
      for (int i = 0; i < near; ++i) {
        const int g = d.soft_near[i];
        const V reach = static_cast<V>(value(m.geom_rbound[g])) + value(radius);
        V distance = V(0);
        for (int k = 0; k < 3; ++k) {
          const V off = value(at[k]) - value(d.geom_xpos[3 * g + k]);
          distance += off * off;
        }
        if (value(m.geom_rbound[g]) > 0 && distance > reach * reach) continue;
        Hit<S> hit;
        if (!touch_vertex(m, d, at, radius, g, effort, hit)) continue;
        count = insert_contact(d, d.nscon, count, v, g, hit);
      }
      if (count > 0) d.soft_flags[v] |= soft_colliding;
      d.nscon = d.nscon + count;
    }
    d.soft_scon[2 * s + 1] = d.nscon - d.soft_scon[2 * s];
  }
  if (effort.limited) d.status = d.status | collider_limit;
}

}  // namespace detail

// The stage: contacts at the current positions.
template <class M, class D>
CORTEN_ENTRY void soft_detection(const M& m, const D& d) {
  if (m.n.nsoft == 0 || d.soft_hold != 0) return;
  detail::detect(m, d, d.soft_pos);
}
CORTEN_SHARED(soft_detection, lists::geoms | lists::colliders)

// one of the worlds in lanes
template <class M, class S>
CORTEN_FN void soft_detection(const M& m, const Lane<S>& lane) {
  if (m.n.nsoft == 0) return;
  lane.take(lane.block.geom_xpos, lane.world.geom_xpos, 3 * m.n.ngeom);
  lane.take(lane.block.geom_xmat, lane.world.geom_xmat, 9 * m.n.ngeom);
  soft_detection(m, lane.world);
}

}  // namespace corten
