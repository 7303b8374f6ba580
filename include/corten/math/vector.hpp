// SPDX-License-Identifier: Apache-2.0
//
// Vectors: norms with a finite derivative everywhere, cross product, and frames.
#pragma once

#include <corten/math/types.hpp>

namespace corten {

// |v|; derivative 0 at v = 0
template <class S, int N>
CORTEN_FN S norm(const Vec<S, N>& v) {
  return safe_sqrt(S(v.squaredNorm()));
}

// Normalises v and returns |v|. A vector too short to have a direction becomes the first unit
// vector (as in MuJoCo), with derivative 0.
template <class S, int N>
CORTEN_FN S normalize(Vec<S, N>& v) {
  const S length = norm(v);
  const auto usable = length > S(min_value);
  const S scale = select(usable, S(1) / select(usable, length, S(1)), S(0));
  for (int i = 0; i < N; ++i) v[i] = select(usable, S(v[i] * scale), S(i == 0 ? 1 : 0));
  return length;
}

template <class S>
CORTEN_FN Vec3<S> cross(const Vec3<S>& a, const Vec3<S>& b) {
  return Vec3<S>(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
}

// Completes a frame from its x axis and an optional hint for its y axis. The axes are the rows.
// Without a usable hint, y is derived from the coordinate axis y or z that is farther from x.
template <class S>
CORTEN_FN Mat3<S> make_frame(const Vec3<S>& x_axis, const Vec3<S>& y_hint = Vec3<S>::Zero()) {
  Vec3<S> x = x_axis;
  normalize(x);
  Vec3<S> y = y_hint;
  if (value(S(y.squaredNorm())) < value_t<S>(0.25)) {
    const bool use_y = value(x[1]) < value_t<S>(0.5) && value(x[1]) > value_t<S>(-0.5);
    y = use_y ? Vec3<S>(S(0), S(1), S(0)) : Vec3<S>(S(0), S(0), S(1));
  }
  y -= S(x.dot(y)) * x;
  normalize(y);
  return Mat3<S>::from_rows(x, y, cross(x, y));
}

}  // namespace corten
