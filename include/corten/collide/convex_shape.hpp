// SPDX-License-Identifier: Apache-2.0
//
// Convex shapes as support functions: the farthest point in a direction. That is all that the
// general convex collider (gjk.hpp, epa.hpp) asks of a shape; a shape of your own needs centre()
// and support(), both on plain values.
#pragma once

#include <corten/collide/shape.hpp>

namespace corten {

// what ConvexShape has as its type if it is an element of a flex
inline constexpr GeomType flex_element = static_cast<GeomType>(105);

// A sphere, capsule, ellipsoid, cylinder, box, mesh, a prism of a height field (hfield.hpp), or an
// element of a flex: up to four corners and a layer around them.
// `core` drops the radius of a sphere or capsule, which leaves a point or a segment; `inflate` adds
// a layer around the shape.
template <class V>
struct ConvexShape {
  GeomType type = GeomType::sphere;
  Shape<V> shape;
  const Vec3<V>* prism = nullptr;  // height field: three points below, three above; flex: corners
  int corners = 0;                 // flex: their number
  V inflate = V(0);
  bool core = false;
  mutable int corner = -1;     // box or mesh: the corner that the last support point was
  mutable int hull_vert = -1;  // mesh: its number in the hull, where the next search starts

  CORTEN_FN Vec3<V> centre() const { return shape.pos; }

  // the farthest point in the unit direction `dir`
  CORTEN_FN Vec3<V> support(const Vec3<V>& dir) const {
    Vec3<V> p = bare_support(dir);
    if (inflate > 0) p += dir * inflate;
    return p;
  }

  // Does it have corners only? Then support points repeat, and the search ends without a tolerance.
  CORTEN_FN bool discrete() const {
    const bool pointed =
        type == GeomType::box || type == GeomType::mesh || type == GeomType::hfield;
    return pointed && inflate == 0;
  }

  // does it have a core that is thinner than the shape?
  CORTEN_FN bool round() const { return type == GeomType::sphere || type == GeomType::capsule; }

  CORTEN_FN V radius() const { return shape.size[0]; }

  CORTEN_FN V bounding_radius() const {
    const Vec3<V>& s = shape.size;
    switch (type) {
      case GeomType::sphere: return s[0];
      case GeomType::capsule: return s[0] + s[1];
      case GeomType::cylinder: return sqrt(s[0] * s[0] + s[1] * s[1]);
      case GeomType::ellipsoid: return max(max(s[0], s[1]), s[2]);
      default: return sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
    }
  }

  // The farthest vertex of a mesh as the portal method searches for it (mpr.hpp): uphill from the
  // first vertex of the hull, or from the one found last. In the frame of the geom.
  CORTEN_FN Vec3<V> far_vertex(const Vec3<V>& d) const {
    const int* graph = shape.mesh.graph;
    if (shape.mesh.extrema == nullptr) {
      corner = -1;
      return shape.mesh.template vertex<V>(search(d));
    }
    const int first = hull_vert < 0 ? 0 : hull_vert;
    return shape.mesh.template vertex<V>(uphill(d, first, along(d, graph[2 + graph[0] + first])));
  }

 private:
  CORTEN_FN Vec3<V> bare_support(const Vec3<V>& dir) const {
    const Vec3<V>& s = shape.size;
    const auto signed_size = [](V d, V size) { return d >= 0 ? size : -size; };
    if (prism != nullptr) return corners == 0 ? prism_support(dir) : corner_support(dir);
    if (type == GeomType::sphere) return core ? shape.pos : dir * s[0] + shape.pos;
    if (type == GeomType::capsule && core) {
      const V end = signed_size(shape.axis(2).dot(dir), s[1]);
      return shape.axis(2) * end + shape.pos;
    }
    const Vec3<V> d = shape.turn_back(dir);
    Vec3<V> p = Vec3<V>::Zero();
    switch (type) {
      case GeomType::capsule:
        p = d * s[0];
        p[2] += signed_size(d[2], s[1]);
        break;
      case GeomType::ellipsoid: p = ellipsoid_support(d); break;
      case GeomType::cylinder: {
        const V across2 = d[0] * d[0] + d[1] * d[1];
        const V scale = across2 >= V(min_value * min_value) ? s[0] / sqrt(across2) : V(0);
        p = Vec3<V>(scale * d[0], scale * d[1], signed_size(d[2], s[1]));
        break;
      }
      case GeomType::mesh:
        p = shape.mesh.template vertex<V>(shape.mesh.extrema != nullptr ? climb(d) : search(d));
        break;
      default:
        for (int i = 0; i < 3; ++i) p[i] = signed_size(d[i], s[i]);
        corner = (p[0] > 0 ? 1 : 0) + (p[1] > 0 ? 2 : 0) + (p[2] > 0 ? 4 : 0);
    }
    return shape.to_world(p);
  }

  // the prism is upright: `dir` decides between bottom and top
  CORTEN_FN Vec3<V> prism_support(const Vec3<V>& dir) const {
    const int start = dir[2] < 0 ? 0 : 3;
    int best = start;
    V most = prism[start].dot(dir);
    for (int i = start + 1; i < start + 3; ++i) {
      const V far = prism[i].dot(dir);
      if (far > most) most = far, best = i;
    }
    return prism[best];
  }

  CORTEN_FN Vec3<V> corner_support(const Vec3<V>& dir) const {
    int best = 0;
    V most = prism[0].dot(dir);
    for (int i = 1; i < corners; ++i) {
      const V far = prism[i].dot(dir);
      if (far > most) most = far, best = i;
    }
    return prism[best] + dir * shape.size[0];
  }

  CORTEN_FN V along(const Vec3<V>& d, int vertex) const {
    const float* v = shape.mesh.vert + 3 * vertex;
    return d[0] * V(v[0]) + d[1] * V(v[1]) + d[2] * V(v[2]);
  }

  // the farthest of all vertices; among equals the one found last time, or else the first
  CORTEN_FN int search(const Vec3<V>& d) const {
    int best = corner >= 0 ? corner : 0;
    V most = along(d, best);
    for (int i = 0; i < shape.mesh.nvert; ++i) {
      const V far = along(d, i);
      if (far > most) most = far, best = i;
    }
    return corner = best;
  }

  // Climbs along the edges of the hull: from the farthest vertex in a tabulated direction near d,
  // or from the one found last time if that is no less far.
  CORTEN_FN int climb(const Vec3<V>& d) const {
    const int* graph = shape.mesh.graph;
    const int* id = graph + 2 + graph[0];
    int cell = 0;
    for (int i = 0; i < 3; ++i) cell = 3 * cell + (d[i] > V(0.4)) - (d[i] < V(-0.4)) + 1;
    int best = shape.mesh.extrema[cell];
    V most = along(d, id[best]);
    if (hull_vert >= 0) {
      const V last = along(d, id[hull_vert]);
      if (!(most > last)) best = hull_vert, most = last;
    }
    return uphill(d, best, most);
  }

  CORTEN_FN int uphill(const Vec3<V>& d, int best, V most) const {
    const int* graph = shape.mesh.graph;
    const int *edge_adr = graph + 2, *id = edge_adr + graph[0], *edge = id + graph[0];
    for (int before = -1; best != before;) {
      before = best;
      for (int e = edge_adr[before]; edge[e] >= 0; ++e) {
        const V far = along(d, id[edge[e]]);
        if (far > most) most = far, best = edge[e];
      }
    }
    hull_vert = best;
    return corner = id[best];
  }

  CORTEN_FN Vec3<V> ellipsoid_support(const Vec3<V>& d) const {
    const Vec3<V>& s = shape.size;
    Vec3<V> p = d.cwiseProduct(s);
    const V length2 = p.dot(p);
    if (length2 < V(min_value * min_value)) return Vec3<V>(s[0], V(0), V(0));
    const V inverse = V(1) / sqrt(length2);
    for (int i = 0; i < 3; ++i) p[i] *= inverse * s[i];
    return p;
  }
};

namespace detail {

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

}  // namespace detail

// a point of the difference a - b and the points of a and b that it comes from
template <class V>
struct DifferencePoint {
  Vec3<V> p1, p2;
  int corner1 = -1, corner2 = -1;  // of boxes and meshes

  CORTEN_FN Vec3<V> point() const { return p1 - p2; }
};

// the farthest point of a - b in the unit direction `dir`
template <class V, class A, class B>
CORTEN_FN DifferencePoint<V> difference_support(const A& a, const B& b, const Vec3<V>& dir) {
  DifferencePoint<V> out{a.support(dir), b.support(-dir)};
  if constexpr (requires { a.corner + b.corner; }) out.corner1 = a.corner, out.corner2 = b.corner;
  return out;
}

// are both made of corners only? See ConvexShape
template <class A, class B>
CORTEN_FN bool both_discrete(const A& a, const B& b) {
  if constexpr (requires { a.discrete() && b.discrete(); }) return a.discrete() && b.discrete();
  return false;
}

}  // namespace corten
