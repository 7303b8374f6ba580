// SPDX-License-Identifier: Apache-2.0
//
// The principal axes of a symmetric matrix. The eigenvalues are unique but the axes are not: their
// order, their signs and any rotation among equal eigenvalues are a choice. We choose as MuJoCo
// 3.12 does: Jacobi rotations accumulated in one quaternion, then quarter turns that put the
// largest value first.
//
// Where off-diagonal entries differ only by rounding, as in symmetric bodies, the last bit decides
// which one is rotated away first, and the result changes by up to 1e-6. So everything that leads
// up to the matrix is summed in MuJoCo's order.
#pragma once

#include <corten/math/quat.hpp>

namespace corten {

template <class V>
struct PrincipalAxes {
  Quat<V> quat = unit_quat<V>();
  Vec3<V> moments = Vec3<V>::Zero();
};

namespace detail {

inline constexpr double jacobi_tolerance = 1e-12;

// The rotation in the plane of i and j that makes d(i, j) zero (Golub and Van Loan, Matrix
// Computations, 8.5.2), as a quaternion about the third axis. Returns false if it would be the
// identity to rounding.
template <class V>
CORTEN_FN bool jacobi_rotation(const Mat3<V>& d, int i, int j, Quat<V>& turn) {
  const V tau = (d(j, j) - d(i, i)) / (V(2) * d(i, j));
  const V sign = V(tau >= 0 ? 1 : -1);
  const V t = sign / (abs(tau) + sqrt(V(V(1) + tau * tau)));
  const V cosine = V(1) / sqrt(V(V(1) + t * t));
  if (cosine > V(1 - jacobi_tolerance)) return false;
  const int axis = 3 - i - j;
  // sin(angle / 2); plane 02 turns the other way round because its axis is -y
  const V sine = sqrt(V(V(0.5) - V(0.5) * cosine)) * (axis == 1 ? sign : -sign);
  turn = Quat<V>::Zero();
  turn[1 + axis] = sine;
  turn[0] = sqrt(V(V(1) - sine * sine));
  return true;
}

}  // namespace detail

// `scale` normalises a quaternion: MuJoCo's compiler and its engine round differently when they do.
template <class V, class Scale>
CORTEN_FN PrincipalAxes<V> principal_axes(const Mat3<V>& tensor, const Scale& scale) {
  PrincipalAxes<V> out;
  const auto turn_by = [&](const Quat<V>& turn) {
    out.quat = multiply(out.quat, turn);
    scale(out.quat);
  };
  for (int sweep = 0; sweep < 500; ++sweep) {
    const Mat3<V> axes = to_matrix(out.quat);
    const Mat3<V> d = axes.transpose() * tensor * axes;
    out.moments = Vec3<V>(d(0, 0), d(1, 1), d(2, 2));
    // the largest off-diagonal entry; among equals the later one in the order 01 02 12
    const V a = abs(d(0, 1)), b = abs(d(0, 2)), c = abs(d(1, 2));
    const int i = (a > b && a > c) || b > c ? 0 : 1, j = a > b && a > c ? 1 : 2;
    if (abs(d(i, j)) < V(detail::jacobi_tolerance)) break;
    Quat<V> turn;
    if (!detail::jacobi_rotation(d, i, j, turn)) break;
    scale(turn);
    turn_by(turn);
  }

  // bubble sort of three, largest first; values equal to rounding keep their order
  for (int pass = 0; pass < 3; ++pass) {
    const int k = pass % 2;
    if (out.moments[k] + V(detail::jacobi_tolerance) >= out.moments[k + 1]) continue;
    const V smaller = out.moments[k];
    out.moments[k] = out.moments[k + 1];
    out.moments[k + 1] = smaller;
    Quat<V> quarter = Quat<V>::Zero();
    quarter[0] = quarter[1 + (k + 2) % 3] = V(0.707106781186548);  // MuJoCo's digits of √½
    turn_by(quarter);
  }
  return out;
}

}  // namespace corten
