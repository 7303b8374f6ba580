// SPDX-License-Identifier: Apache-2.0
//
// The bending of a cloth: the angle between two triangles that share an edge.
#pragma once

#include <corten/core/enums.hpp>
#include <corten/math/vector.hpp>

namespace corten {

namespace detail {

// The signed angle at the edge x0 x1 between the triangles x0 x1 x2 and x1 x0 x3, 0 if they are
// flat, and its gradient (Bridson, Marino, Fedkiw 2003, "Simulation of clothing with folds and
// wrinkles", section 4). Without area a triangle has no normal: the gradient is then zero.
template <class S>
CORTEN_FN S dihedral_angle(const Vec3<S> (&x)[4], Vec3<S> (&g)[4]) {
  for (Vec3<S>& row : g) row.setZero();
  Vec3<S> edge = x[1] - x[0];
  const Vec3<S> n1 = cross(Vec3<S>(x[1] - x[0]), Vec3<S>(x[2] - x[0]));
  const Vec3<S> n2 = cross(Vec3<S>(x[3] - x[0]), Vec3<S>(x[1] - x[0]));
  const S a1 = n1.squaredNorm(), a2 = n2.squaredNorm(), length = normalize(edge);
  const auto least = static_cast<value_t<S>>(min_value);
  if (!(value(a1) > least && value(a2) > least && value(length) > least)) return S(0);

  const Vec3<S> u1 = n1 * (S(1) / a1), u2 = n2 * (S(1) / a2);
  g[2] = u1 * -length;
  g[3] = u2 * -length;
  const S s2 = edge.dot(Vec3<S>(x[2] - x[0])) / length,
          s3 = edge.dot(Vec3<S>(x[3] - x[0])) / length;
  g[1] = -(g[2] * s2 + g[3] * s3);
  g[0] = -(g[1] + g[2] + g[3]);
  return atan2(S(cross(n1, n2).dot(edge)), S(n1.dot(n2)));
}

}  // namespace detail

// C = angle - rest, on the shorter way round
struct SoftDihedral {
  static constexpr SoftConstraint type = SoftConstraint::dihedral;
  static constexpr const char* name = "dihedral";
  static constexpr int vertices = 4;

  // angles differ by at most half a turn
  template <class S>
  CORTEN_FN static S difference(const S& value_now, const S& rest) {
    S out = value_now - rest;
    if (value(out) > value_t<S>(pi)) out -= S(2 * pi);
    if (value(out) < value_t<S>(-pi)) out += S(2 * pi);
    return out;
  }

  template <class S>
  CORTEN_FN static S gradient(const Vec3<S> (&x)[4], Vec3<S> (&g)[4]) {
    return detail::dihedral_angle(x, g);
  }
};

}  // namespace corten
