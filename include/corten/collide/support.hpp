// SPDX-License-Identifier: Apache-2.0
//
// Convex shapes as support functions: the farthest point in a direction. That is all that the
// general convex collider (gjk.hpp, epa.hpp) asks of a shape; a shape of your own needs centre()
// and support(), both on plain values.
#pragma once

#include <corten/collide/shape.hpp>

namespace corten {

// A sphere, capsule, ellipsoid, cylinder or box. `core` leaves the radius of a sphere or capsule
// out, so that a point or a segment remains; `inflate` adds a layer around the rest.
template <class V>
struct ConvexShape {
  GeomType type = GeomType::sphere;
  Shape<V> shape;
  V inflate = V(0);
  bool core = false;

  CORTEN_FN Vec3<V> centre() const { return shape.pos; }

  // the farthest point in the unit direction `dir`
  CORTEN_FN Vec3<V> support(const Vec3<V>& dir) const {
    Vec3<V> p = bare_support(dir);
    if (inflate > 0) p += dir * inflate;
    return p;
  }

  // has a core that is thinner than the shape
  CORTEN_FN bool round() const { return type == GeomType::sphere || type == GeomType::capsule; }

  CORTEN_FN V bounding_radius() const {
    const Vec3<V>& s = shape.size;
    switch (type) {
      case GeomType::sphere:
        return s[0];
      case GeomType::capsule:
        return s[0] + s[1];
      case GeomType::cylinder:
        return sqrt(s[0] * s[0] + s[1] * s[1]);
      case GeomType::ellipsoid:
        return max(max(s[0], s[1]), s[2]);
      default:
        return sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
    }
  }

 private:
  CORTEN_FN Vec3<V> bare_support(const Vec3<V>& dir) const {
    const Vec3<V>& s = shape.size;
    const auto signed_size = [](V d, V size) { return d >= 0 ? size : -size; };
    if (type == GeomType::sphere) return core ? shape.pos : Vec3<V>(dir * s[0] + shape.pos);
    if (type == GeomType::capsule && core) {
      const V end = signed_size(dot3(shape.axis(2), dir), s[1]);
      return Vec3<V>(shape.axis(2) * end + shape.pos);
    }
    const Vec3<V> d = shape.turn_back(dir);
    Vec3<V> p = Vec3<V>::Zero();
    switch (type) {
      case GeomType::capsule:
        p = d * s[0];
        p[2] += signed_size(d[2], s[1]);
        break;
      case GeomType::ellipsoid:
        p = ellipsoid_support(d);
        break;
      case GeomType::cylinder: {
        const V across2 = d[0] * d[0] + d[1] * d[1];
        const V scale = across2 >= V(min_value * min_value) ? s[0] / sqrt(across2) : V(0);
        p = Vec3<V>(scale * d[0], scale * d[1], signed_size(d[2], s[1]));
        break;
      }
      default:
        for (int i = 0; i < 3; ++i) p[i] = signed_size(d[i], s[i]);
    }
    return shape.to_world(p);
  }

  CORTEN_FN Vec3<V> ellipsoid_support(const Vec3<V>& d) const {
    const Vec3<V>& s = shape.size;
    Vec3<V> p = d.cwiseProduct(s);
    const V length2 = dot3(p, p);
    if (length2 < V(min_value * min_value)) return Vec3<V>(s[0], V(0), V(0));
    const V inverse = V(1) / sqrt(length2);
    for (int i = 0; i < 3; ++i) p[i] *= inverse * s[i];
    return p;
  }
};

// a point of the difference a - b and the points of a and b that it comes from
template <class V>
struct DifferencePoint {
  Vec3<V> p1, p2;

  CORTEN_FN Vec3<V> point() const { return p1 - p2; }
};

// the farthest point of a - b in the unit direction `dir`
template <class V, class A, class B>
CORTEN_FN DifferencePoint<V> difference_support(const A& a, const B& b, const Vec3<V>& dir) {
  return {a.support(dir), b.support(Vec3<V>(-dir))};
}

}  // namespace corten
