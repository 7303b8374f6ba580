// SPDX-License-Identifier: Apache-2.0
//
// The bending of a chain: how far a vertex is from the middle of its neighbours.
#pragma once

#include <corten/core/enums.hpp>
#include <corten/math/vector.hpp>

namespace corten {

// C = |x0 - 2 x1 + x2| - rest, the second difference. Unlike an angle it is smooth where the chain
// is straight: with rest = 0 the energy is quadratic in the positions.
struct SoftBend {
  static constexpr SoftConstraint type = SoftConstraint::bend;
  static constexpr const char* name = "bend";
  static constexpr int vertices = 3;

  template <class S>
  CORTEN_FN static S gradient(const Vec3<S> (&x)[3], Vec3<S> (&g)[3]) {
    Vec3<S> curve = x[0] - S(2) * x[1] + x[2];
    const S length = normalize(curve);
    g[0] = curve;
    g[1] = S(-2) * curve;
    g[2] = curve;
    return length;
  }
};

}  // namespace corten
