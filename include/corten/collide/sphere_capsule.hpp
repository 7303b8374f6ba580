// SPDX-License-Identifier: Apache-2.0
//
// A sphere and a capsule: the sphere against the ball about the nearest point of the capsule's
// segment.
#pragma once

#include <corten/collide/sphere_sphere.hpp>

namespace corten {

struct SphereCapsule {
  static constexpr GeomType first = GeomType::sphere, second = GeomType::capsule;
  static constexpr int max_hits = 1;

  template <class S>
  CORTEN_FN static int collide(const Shape<S>& a, const Shape<S>& b, const S& margin,
                               Hit<S>* hits) {
    const Vec3<S> axis = b.axis(2);
    const S along = clamp(axis.dot(a.pos - b.pos), S(-b.size[1]), b.size[1]);
    const Vec3<S> nearest = b.pos + axis * along;
    return ball_ball(a.pos, a.size[0], nearest, b.size[0], margin, a.axis(2), axis, hits);
  }
};

}  // namespace corten
