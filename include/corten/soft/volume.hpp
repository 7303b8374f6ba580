// SPDX-License-Identifier: Apache-2.0
//
// The volume of a tetrahedron.
#pragma once

#include <corten/core/enums.hpp>
#include <corten/math/vector.hpp>

namespace corten {

// C = V - rest, where V is positive if x1, x2, x3 run counter-clockwise seen from x0's far side:
// V = (x1 - x0) × (x2 - x0) · (x3 - x0) / 6
struct SoftVolume {
  static constexpr SoftConstraint type = SoftConstraint::volume;
  static constexpr const char* name = "volume";
  static constexpr int vertices = 4;

  template <class S>
  CORTEN_FN static S gradient(const Vec3<S> (&x)[4], Vec3<S> (&g)[4]) {
    const Vec3<S> a = x[1] - x[0], b = x[2] - x[0], c = x[3] - x[0];
    const S sixth = S(1) / S(6);
    g[1] = cross(b, c) * sixth;
    g[2] = cross(c, a) * sixth;
    g[3] = cross(a, b) * sixth;
    g[0] = -(g[1] + g[2] + g[3]);
    return a.dot(g[1]);
  }
};

}  // namespace corten
