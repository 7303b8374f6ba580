// SPDX-License-Identifier: Apache-2.0
//
// A sphere and a cylinder. The sphere's centre, seen from the cylinder, is beside the mantle, over
// a cap, or off the rim; inside the cylinder the nearer of mantle and cap pushes it out.
#pragma once

#include <corten/collide/plane_sphere.hpp>
#include <corten/collide/sphere_sphere.hpp>

namespace corten {

struct SphereCylinder {
  static constexpr GeomType first = GeomType::sphere, second = GeomType::cylinder;
  static constexpr int max_hits = 1;

  template <class S>
  CORTEN_FN static int collide(const Shape<S>& a, const Shape<S>& b, const S& margin,
                               Hit<S>* hits) {
    const S radius = b.size[0], height = b.size[1];
    const Vec3<S> axis = b.axis(2), offset = a.pos - b.pos;
    const S along = axis.dot(offset);
    const Vec3<S> across = offset - axis * along;
    const S across2 = across.dot(across);
    const bool top = value(along) > 0;

    bool mantle = abs(value(along)) < value(height);
    bool cap = value(across2) < value(S(radius * radius));
    if (mantle && cap) {
      const auto to_cap = value(height) - abs(value(along));
      const auto to_mantle = value(radius) - sqrt(value(across2));
      (to_cap < to_mantle ? mantle : cap) = false;
    }

    if (mantle) {
      return ball_ball(a.pos, a.size[0], b.pos + axis * along, radius, margin, a.axis(2), axis,
                       hits);
    }
    if (cap) {
      const Vec3<S> outward = top ? axis : -axis;
      const int n = plane_ball(b.pos + outward * height, outward, a.pos, a.size[0], margin, hits);
      hits[0].normal = -outward;
      return n;
    }
    // the centre is off both mantle and cap, so across2 > 0
    const Vec3<S> rim =
        b.pos + axis * (top ? height : S(-height)) + across * (radius / sqrt(across2));
    return ball_ball(a.pos, a.size[0], rim, S(0), margin, a.axis(2), axis, hits);
  }
};

}  // namespace corten
