// SPDX-License-Identifier: Apache-2.0
//
// A plane and a box: up to four corners that are below the centre and within the margin. Corners
// are numbered by bits (1: +x, 2: +y, 4: +z) and taken in that order, not by depth, as MuJoCo does.
#pragma once

#include <corten/collide/shape.hpp>

namespace corten {

struct PlaneBox {
  static constexpr GeomType first = GeomType::plane, second = GeomType::box;
  static constexpr int max_hits = 4;

  template <class S>
  CORTEN_FN static int collide(const Shape<S>& a, const Shape<S>& b, const S& margin,
                               Hit<S>* hits) {
    const Vec3<S> normal = a.axis(2);
    const S height = normal.dot(b.pos - a.pos);
    int n = 0;
    for (int corner = 0; corner < 8 && n < max_hits; ++corner) {
      const Vec3<S> local((corner & 1) != 0 ? b.size[0] : S(-b.size[0]),
                          (corner & 2) != 0 ? b.size[1] : S(-b.size[1]),
                          (corner & 4) != 0 ? b.size[2] : S(-b.size[2]));
      const Vec3<S> arm = b.turn(local);
      const S below = normal.dot(arm);
      if (value(S(height + below)) > value(margin) || value(below) > 0) continue;
      hits[n++] = plane_hit<S>(normal, arm + b.pos, height + below);
    }
    return n;
  }
};

}  // namespace corten
