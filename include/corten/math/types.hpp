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

}  // namespace corten
