// SPDX-License-Identifier: Apache-2.0
//
// How a finite element of an interpolated flex has turned: the rotation in the polar decomposition
// of its deformation gradient, at its centre.
#pragma once

#include <corten/flex/grid.hpp>
#include <corten/math/quat.hpp>

#include <type_traits>

namespace corten {

namespace detail {

// One step of Müller, Bender, Chentanez and Macklin, "A robust method to extract the rotational
// part of deformations", 2016. Returns the angle by which it turned.
template <class V>
CORTEN_FN V turn_towards(const Mat3<V>& F, Quat<V>& q) {
  const Mat3<V> R = to_matrix(q);
  Vec3<V> omega = Vec3<V>::Zero();
  V along = V(0);
  for (int c = 0; c < 3; ++c) {
    const Vec3<V> r(R(0, c), R(1, c), R(2, c)), a(F(0, c), F(1, c), F(2, c));
    omega += cross(r, a);
    along += r.dot(a);
  }
  omega = omega * (V(1) / (abs(along) + V(min_value)));
  const V angle = normalize(omega);
  if (angle < V(std::is_same_v<V, float> ? 1e-6 : 1e-9)) return angle;
  q = multiply(axis_angle(omega, angle), q);
  renormalize(q);
  return angle;
}

// The turn that makes R' F symmetric to first order: (tr(S) - S) ω = Σ rᵢ × fᵢ with S = F R', by
// Cramer's rule. It carries the derivatives of the rotation.
template <class S>
CORTEN_FN Vec3<S> exact_turn(const Mat3<S>& F, const Mat3<S>& R) {
  const Mat3<S> P = F * R.transpose();
  const Vec3<S> b(P(2, 1) - P(1, 2), P(0, 2) - P(2, 0), P(1, 0) - P(0, 1));
  const S trace = P(0, 0) + P(1, 1) + P(2, 2);
  Vec3<S> a[3];
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) {
      a[c][r] = (r == c ? trace : S(0)) - S(0.5) * (P(r, c) + P(c, r));
    }
  }
  const S det = a[0].dot(cross(a[1], a[2]));
  if (!(abs(value(det)) > value_t<S>(min_value))) return Vec3<S>::Zero();
  const S inverse = S(1) / det;
  return Vec3<S>(b.dot(cross(a[1], a[2])), a[0].dot(cross(b, a[2])), a[0].dot(cross(a[1], b))) *
         inverse;
}

}  // namespace detail

// The rotation nearest to F, as a quaternion. It is found on values; derivatives follow from the
// condition that it fulfils, one order with each correction.
template <class S>
CORTEN_FN Quat<S> polar_rotation(const Mat3<S>& F) {
  using V = value_t<S>;
  constexpr int most = 500;
  Mat3<V> values;
  for (int k = 0; k < 9; ++k) values.data()[k] = value(F.data()[k]);
  Quat<V> q = unit_quat<V>();
  const V enough = V(std::is_same_v<V, float> ? 1e-6 : 1e-9);
  for (int k = 0; k < most && !(detail::turn_towards(values, q) < enough); ++k) {
  }
  Quat<S> out;
  for (int i = 0; i < 4; ++i) out[i] = S(q[i]);
  if constexpr (is_dual<S>) {
    for (int k = 0; k < 2; ++k) {
      const Quat<S> next = multiply(exp_map(detail::exact_turn(F, to_matrix(out))), out);
      for (int i = 0; i < 4; ++i) out[i] = S(q[i]) + (next[i] - S(value(next[i])));
    }
  }
  return out;
}

// The deformation gradient of a finite element at its centre: dx/ds of a cell, or the tangents of a
// face and their cross product, each in the column of its axis.
template <class S, class X>
CORTEN_FN Mat3<S> element_gradient(const FlexGrid& grid, const GridElement& e, const X& x) {
  const S half = S(0.5);
  const int n = grid.order;
  Vec3<S> column[3] = {Vec3<S>::Zero(), Vec3<S>::Zero(), Vec3<S>::Zero()};
  S phi[3], slope[3];
  for (int i = 0; i <= n; ++i) {
    phi[i] = shape_value(half, i, n);
    slope[i] = shape_slope(half, i, n);
  }
  for (int a = 0; a < e.count; ++a) {
    const int width = n + 1, i = grid.shell ? a / width : a / width / width;
    const int j = grid.shell ? a % width : a / width % width, k = a % width;
    const S third = grid.shell ? S(1) : phi[k];
    const Vec3<S> at = vec3<S>(x, e.node[a]);
    column[0] += at * S(slope[i] * phi[j] * third);
    column[1] += at * S(phi[i] * slope[j] * third);
    if (!grid.shell) column[2] += at * S(phi[i] * phi[j] * slope[k]);
  }
  if (grid.shell) column[2] = cross(column[0], column[1]);
  Mat3<S> F;
  for (int c = 0; c < 3; ++c) {
    for (int r = 0; r < 3; ++r) F(r, e.axis[c]) = column[c][r];
  }
  return F;
}

// the rotation from the element as it is to the element at rest
template <class S, class X>
CORTEN_FN Quat<S> element_rotation(const FlexGrid& grid, const GridElement& e, const X& x) {
  return conjugate(polar_rotation(element_gradient<S>(grid, e, x)));
}

}  // namespace corten
