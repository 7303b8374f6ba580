// SPDX-License-Identifier: Apache-2.0
//
// Small fixed-size values, all Eigen's. Two conventions differ from Eigen's own:
// matrices are row-major, as MuJoCo's arrays are, and a quaternion is four numbers w x y z.
// Nothing is aligned beyond its scalar, so values may cross any boundary and sit in any buffer.
#pragma once

#include <corten/config.hpp>
#include <corten/scalar/functions.hpp>

#include <Eigen/Core>

namespace corten {

inline constexpr double pi = 3.14159265358979323846;

template <class S, int N>
using Vec = Eigen::Matrix<S, N, 1, Eigen::DontAlign>;

template <class S>
using Vec3 = Vec<S, 3>;

// spatial vector: rotation first, then translation (MuJoCo's order)
template <class S>
using Vec6 = Vec<S, 6>;

// w x y z
template <class S>
using Quat = Vec<S, 4>;

template <class S>
using Mat3 = Eigen::Matrix<S, 3, 3, Eigen::RowMajor | Eigen::DontAlign>;

// spatial inertia about a point, packed: Ixx Iyy Izz Ixy Ixz Iyz, mass * offset (3), mass
template <class S>
using Inertia = Vec<S, 10>;

// ---- arithmetic of plain values -----------------------------------------------------------------------
// Inside corten these take the place of Eigen's operators, which make a type of every expression and add in
// an order that depends on the instruction set. Here sums run from the left, as MuJoCo's do: poses
// agree to the last bit, and colliders that iterate take the same way.

template <class S, int N>
CORTEN_FN Vec<S, N> operator+(const Vec<S, N>& a, const Vec<S, N>& b) {
  Vec<S, N> out;
  for (int i = 0; i < N; ++i) out[i] = a[i] + b[i];
  return out;
}

template <class S, int N>
CORTEN_FN Vec<S, N> operator-(const Vec<S, N>& a, const Vec<S, N>& b) {
  Vec<S, N> out;
  for (int i = 0; i < N; ++i) out[i] = a[i] - b[i];
  return out;
}

template <class S, int N>
CORTEN_FN Vec<S, N> operator-(const Vec<S, N>& a) {
  Vec<S, N> out;
  for (int i = 0; i < N; ++i) out[i] = -a[i];
  return out;
}

template <class S, int N>
CORTEN_FN Vec<S, N> operator*(const Vec<S, N>& v, const S& scale) {
  Vec<S, N> out;
  for (int i = 0; i < N; ++i) out[i] = v[i] * scale;
  return out;
}

template <class S, int N>
CORTEN_FN Vec<S, N> operator*(const S& scale, const Vec<S, N>& v) {
  Vec<S, N> out;
  for (int i = 0; i < N; ++i) out[i] = scale * v[i];
  return out;
}

template <class S>
CORTEN_FN Vec3<S> operator*(const Mat3<S>& m, const Vec3<S>& v) {
  Vec3<S> out;
  for (int i = 0; i < 3; ++i) out[i] = m(i, 0) * v[0] + m(i, 1) * v[1] + m(i, 2) * v[2];
  return out;
}

// Mᵀ v
template <class S>
CORTEN_FN Vec3<S> operator*(const Eigen::Transpose<const Mat3<S>>& t, const Vec3<S>& v) {
  const Mat3<S>& m = t.nestedExpression();
  Vec3<S> out;
  for (int i = 0; i < 3; ++i) out[i] = m(0, i) * v[0] + m(1, i) * v[1] + m(2, i) * v[2];
  return out;
}

template <class S>
CORTEN_FN Vec3<S> operator*(const Eigen::Transpose<Mat3<S>>& t, const Vec3<S>& v) {
  return Eigen::Transpose<const Mat3<S>>(t.nestedExpression()) * v;
}

template <class S>
CORTEN_FN Mat3<S> operator*(const Mat3<S>& a, const Mat3<S>& b) {
  Mat3<S> out;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) out(i, j) = a(i, 0) * b(0, j) + a(i, 1) * b(1, j) + a(i, 2) * b(2, j);
  }
  return out;
}

}  // namespace corten
