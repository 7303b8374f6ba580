// SPDX-License-Identifier: Apache-2.0
//
// A plane and a sphere. The plane is the set z <= 0 of its frame: there is no other side.
#pragma once

#include <corten/collide/shape.hpp>

namespace corten {

// the half space below `origin` with unit normal `normal`, and a ball of radius r about `centre`
template <class S>
CORTEN_FN int plane_ball(const Vec3<S>& origin, const Vec3<S>& normal, const Vec3<S>& centre,
                         const S& r, const S& margin, Hit<S>* hits) {
  const S height = normal.dot(centre - origin);
  if (value(height) > value(S(margin + r))) return 0;
  Hit<S>& hit = hits[0];
  hit.dist = height - r;
  hit.pos = centre - normal * (r + hit.dist * S(0.5));
  hit.normal = normal;
  hit.tangent.setZero();
  return 1;
}

struct PlaneSphere {
  static constexpr GeomType first = GeomType::plane, second = GeomType::sphere;
  static constexpr int max_hits = 1;

  template <class S>
  CORTEN_FN static int collide(const Shape<S>& a, const Shape<S>& b, const S& margin,
                               Hit<S>* hits) {
    return plane_ball(a.pos, a.axis(2), b.pos, b.size[0], margin, hits);
  }
};

}  // namespace corten
