// SPDX-License-Identifier: Apache-2.0
//
// A plane and an ellipsoid: the point of the ellipsoid that is deepest below the plane. In the
// frame of the ellipsoid with half axes s, the support point in direction d is s² d / |s d|
// (componentwise).
#pragma once

#include <corten/collide/shape.hpp>

namespace corten {

struct PlaneEllipsoid {
  static constexpr GeomType first = GeomType::plane, second = GeomType::ellipsoid;
  static constexpr int max_hits = 1;

  template <class S>
  CORTEN_FN static int collide(const Shape<S>& a, const Shape<S>& b, const S& margin,
                               Hit<S>* hits) {
    const Vec3<S> normal = a.axis(2);
    Vec3<S> local = -b.turn_back(normal).cwiseProduct(b.size);
    normalize(local);
    const Vec3<S> deepest = b.to_world(local.cwiseProduct(b.size));

    const S dist = normal.dot(deepest - a.pos);
    if (value(dist) > value(margin)) return 0;
    hits[0] = plane_hit(normal, deepest, dist);
    return 1;
  }
};

}  // namespace corten
