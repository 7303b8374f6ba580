// SPDX-License-Identifier: Apache-2.0
//
// A plane and a cylinder: the lowest point of the lower rim, the point above it on the upper rim
// (for a lying cylinder), and two more on the lower rim that complete an equilateral triangle (for
// a standing one).
#pragma once

#include <corten/collide/shape.hpp>

namespace corten {

struct PlaneCylinder {
  static constexpr GeomType first = GeomType::plane, second = GeomType::cylinder;
  static constexpr int max_hits = 4;

  template <class S>
  CORTEN_FN static int collide(const Shape<S>& a, const Shape<S>& b, const S& margin,
                               Hit<S>* hits) {
    const Vec3<S> normal = a.axis(2);
    const S height = normal.dot(b.pos - a.pos);

    // the half axis that points down
    Vec3<S> axis = b.axis(2);
    S down = normal.dot(axis);
    if (value(down) > 0) {
      axis = -axis;
      down = -down;
    }

    // the radius that points down: -normal without its part along the axis
    Vec3<S> radius = axis * down - normal;
    const S length2 = radius.dot(radius);
    const bool standing = value(length2) < value_t<S>(min_value * min_value);
    radius = standing ? b.axis(0) * b.size[0] : radius * (b.size[0] / sqrt(length2));
    const S drop = normal.dot(radius);
    axis *= b.size[1];
    down *= b.size[1];

    int n = 0;
    const auto add = [&](const Vec3<S>& arm, const S& dist) {
      if (value(dist) > value(margin)) return false;
      hits[n++] = plane_hit<S>(normal, b.pos + arm, dist);
      return true;
    };
    if (!add(radius + axis, height + down + drop)) return 0;
    add(radius - axis, height - down + drop);

    const S third = height + down - drop * S(0.5);
    if (value(third) <= value(margin)) {
      Vec3<S> sideways = cross(radius, axis);
      normalize(sideways);
      sideways *= b.size[0] * S(0.86602540378443864676);  // √3/2
      const Vec3<S> back = axis - radius * S(0.5);
      add(back + sideways, third);
      add(back - sideways, third);
    }
    return n;
  }
};

}  // namespace corten
