// SPDX-License-Identifier: Apache-2.0
//
// A plane and a capsule: the two end balls, each against the plane. The contact frames are turned
// along the capsule, so that its rolling and sliding directions are separate friction axes.
#pragma once

#include <corten/collide/plane_sphere.hpp>

namespace corten {

struct PlaneCapsule {
  static constexpr GeomType first = GeomType::plane, second = GeomType::capsule;
  static constexpr int max_hits = 2;

  template <class S>
  CORTEN_FN static int collide(const Shape<S>& a, const Shape<S>& b, const S& margin,
                               Hit<S>* hits) {
    const Vec3<S> normal = a.axis(2), axis = b.axis(2), half = axis * b.size[1];
    int n = plane_ball(a.pos, normal, b.pos + half, b.size[0], margin, hits);
    n += plane_ball(a.pos, normal, b.pos - half, b.size[0], margin, hits + n);
    for (int i = 0; i < n; ++i) hits[i].tangent = axis;
    return n;
  }
};

}  // namespace corten
