// SPDX-License-Identifier: Apache-2.0
//
// Spheres. Every shape that is the neighbourhood of a point or of a segment comes down to two balls
// at the nearest points, so ball_ball() below serves capsules and the sides and edges of cylinders
// too.
#pragma once

#include <corten/collide/shape.hpp>

namespace corten {

// Balls of radius ra and rb about pa and pb. With equal centres there is no direction; the normal
// is then the cross product of the two hints (the z axes of the geoms), or the x axis if they are
// parallel.
template <class S>
[[gnu::always_inline]] CORTEN_FN int ball_ball(const Vec3<S>& pa, const S& ra, const Vec3<S>& pb,
                                               const S& rb, const S& margin, const Vec3<S>& za,
                                               const Vec3<S>& zb, Hit<S>* hits) {
  const Vec3<S> between = pb - pa;
  const S reach = margin + ra + rb;
  if (value(between.dot(between)) > value(S(reach * reach))) return 0;

  Hit<S>& hit = hits[0];
  hit.normal = between;
  const S length = normalize(hit.normal);
  if (value(length) < value_t<S>(min_value)) {
    hit.normal = cross(za, zb);
    normalize(hit.normal);
  }
  hit.dist = length - ra - rb;
  hit.pos = pa + hit.normal * (ra + hit.dist * S(0.5));
  hit.tangent.setZero();
  return 1;
}

struct SphereSphere {
  static constexpr GeomType first = GeomType::sphere, second = GeomType::sphere;
  static constexpr int max_hits = 1;

  template <class S>
  CORTEN_FN static int collide(const Shape<S>& a, const Shape<S>& b, const S& margin,
                               Hit<S>* hits) {
    return ball_ball(a.pos, a.size[0], b.pos, b.size[0], margin, a.axis(2), b.axis(2), hits);
  }
};

}  // namespace corten
