// SPDX-License-Identifier: Apache-2.0
//
// The distance between two vertices: edges of cloths and solids, segments of chains.
#pragma once

#include <corten/core/enums.hpp>
#include <corten/math/vector.hpp>

namespace corten {

// C = |x1 - x0| - rest
struct SoftDistance {
  static constexpr SoftConstraint type = SoftConstraint::distance;
  static constexpr const char* name = "distance";
  static constexpr int vertices = 2;

  template <class S>
  CORTEN_FN static S gradient(const Vec3<S> (&x)[2], Vec3<S> (&g)[2]) {
    Vec3<S> along = x[1] - x[0];
    const S length = normalize(along);
    g[0] = -along;
    g[1] = along;
    return length;
  }
};

}  // namespace corten
