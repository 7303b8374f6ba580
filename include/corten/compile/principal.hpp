// SPDX-License-Identifier: Apache-2.0
//
// Principal axes of an inertia tensor. The eigenvalues of a symmetric matrix are unique, the axes
// are not: their order, their signs, and any rotation among equal moments are a choice. body_iquat
// is visible to users, so the choice here is MuJoCo 3.12's: Jacobi rotations kept as one
// quaternion, then quarter turns that put the largest moment first.
//
// Where off-diagonal entries are equal but for rounding, as in symmetric bodies, the last bit decides
// which one is rotated away first, and the end result differs by up to 1e-6. So everything up to here
// is summed in MuJoCo's order.
#pragma once

#include <corten/compile/frames.hpp>

#include <array>
#include <cmath>
#include <utility>

namespace corten::compiler {

struct PrincipalAxes {
  Quatd quat = unit_quat<double>();
  Vec3d moments = Vec3d::Zero();
};

namespace detail {

inline constexpr double jacobi_tolerance = 1e-12;

// the off-diagonal entry with the largest magnitude; of equal ones, the later in the order 01 02 12
inline std::array<int, 2> largest_off_diagonal(const Mat3d& d) {
  const double a = std::fabs(d(0, 1)), b = std::fabs(d(0, 2)), c = std::fabs(d(1, 2));
  if (a > b && a > c) return {0, 1};
  if (b > c) return {0, 2};
  return {1, 2};
}

// The rotation in the plane of i and j that makes d(i, j) zero (Golub and Van Loan, Matrix
// Computations, 8.5.2), as a quaternion about the third axis; false if it would be the identity to
// rounding.
CORTEN_COLD bool jacobi_rotation(const Mat3d& d, int i, int j, Quatd& turn) {
  const double tau = (d(j, j) - d(i, i)) / (2 * d(i, j));
  const double sign = tau >= 0 ? 1 : -1;
  const double t = sign / (std::fabs(tau) + std::sqrt(1 + tau * tau));
  const double cosine = 1 / std::sqrt(1 + t * t);
  if (cosine > 1 - jacobi_tolerance) return false;
  const int axis = 3 - i - j;
  // sin(angle / 2); the plane 02 is turned the other way round, as its axis is -y
  const double sine = std::sqrt(0.5 - 0.5 * cosine) * (axis == 1 ? sign : -sign);
  turn = Quatd::Zero();
  turn[1 + axis] = sine;
  turn[0] = std::sqrt(1 - sine * sine);
  normalized(turn);
  return true;
}

}  // namespace detail

CORTEN_COLD PrincipalAxes principal_axes(const Mat3d& tensor) {
  PrincipalAxes out;
  for (int sweep = 0; sweep < 500; ++sweep) {
    const Mat3d axes = to_matrix(out.quat);
    const Mat3d d = axes.transpose() * tensor * axes;
    out.moments = Vec3d(d(0, 0), d(1, 1), d(2, 2));
    const auto [i, j] = detail::largest_off_diagonal(d);
    if (std::fabs(d(i, j)) < detail::jacobi_tolerance) break;
    Quatd turn;
    if (!detail::jacobi_rotation(d, i, j, turn)) break;
    out.quat = product(out.quat, turn);
  }

  // bubble sort of three, largest first; moments that are equal to rounding stay
  for (const int k : {0, 1, 0}) {
    if (out.moments[k] + detail::jacobi_tolerance >= out.moments[k + 1]) continue;
    std::swap(out.moments[k], out.moments[k + 1]);
    Quatd quarter = Quatd::Zero();
    quarter[0] = quarter[1 + (k + 2) % 3] = 0.707106781186548;  // MuJoCo's digits of √½
    out.quat = product(out.quat, quarter);
  }
  return out;
}

}  // namespace corten::compiler
