// SPDX-License-Identifier: Apache-2.0
//
// Flex edges: constraints that a body gets in addition to those of its elements, each with a
// stiffness of its own. Stretch holds the length of an edge, shear the angle between two edges of a
// vertex, twist the angle between the planes of two neighbouring bends of a chain.
#pragma once

#include <corten/soft/dihedral.hpp>
#include <corten/soft/distance.hpp>

namespace corten {

// C = |x1 - x0| - rest
struct SoftStretch : SoftDistance {
  static constexpr SoftConstraint type = SoftConstraint::stretch;
  static constexpr const char* name = "stretch";
};

// C = cos of the angle at x0 between x1 and x2, minus its rest value
struct SoftShear {
  static constexpr SoftConstraint type = SoftConstraint::shear;
  static constexpr const char* name = "shear";
  static constexpr int vertices = 3;

  template <class S>
  CORTEN_FN static S gradient(const Vec3<S> (&x)[3], Vec3<S> (&g)[3]) {
    Vec3<S> a = x[1] - x[0], b = x[2] - x[0];
    const S la = max(normalize(a), S(min_value)), lb = max(normalize(b), S(min_value));
    const S cosine = a.dot(b);
    g[1] = (b - a * cosine) * (S(1) / la);
    g[2] = (a - b * cosine) * (S(1) / lb);
    g[0] = -(g[1] + g[2]);
    return cosine;
  }
};

// The vertices are four that follow each other in a chain; the middle edge is the axis. A straight
// chain has no twist, and no force acts.
struct SoftTwist {
  static constexpr SoftConstraint type = SoftConstraint::twist;
  static constexpr const char* name = "twist";
  static constexpr int vertices = 4;

  template <class S>
  CORTEN_FN static S difference(const S& value_now, const S& rest) {
    return SoftDihedral::difference(value_now, rest);
  }

  template <class S>
  CORTEN_FN static S gradient(const Vec3<S> (&x)[4], Vec3<S> (&g)[4]) {
    const Vec3<S> y[4] = {x[1], x[2], x[0], x[3]};
    Vec3<S> h[4];
    const S angle = detail::dihedral_angle(y, h);
    g[0] = h[2];
    g[1] = h[0];
    g[2] = h[1];
    g[3] = h[3];
    return angle;
  }
};

}  // namespace corten
