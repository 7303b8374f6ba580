// SPDX-License-Identifier: Apache-2.0
//
// Converts orientations, in any of the forms that MJCF allows, to quaternions. Numbers agree with
// MuJoCo 3.12 to rounding.
#pragma once

#include <corten/core/result.hpp>
#include <corten/math/quat.hpp>
#include <corten/spec/fields.hpp>
#include <corten/spec/global.hpp>

#include <cmath>
#include <string>

namespace corten::spec {

using Vec3d = Vec3<double>;
using Quatd = Quat<double>;
using Mat3d = Mat3<double>;

// below this the compiler treats a length or a mass as zero (mjEPS)
inline constexpr double tiny = 1e-14;

// how angles are written
struct AngleUnit {
  bool degree = true;
  std::string eulerseq = "xyz";

  AngleUnit() = default;
  explicit AngleUnit(const Compiler& c)
      : degree(c.angle.value_or(Angle::degree) == Angle::degree),
        eulerseq(c.eulerseq.value_or("xyz")) {}

  // Converts a written angle to radians, in an orientation and in a joint. The two formulas round
  // differently, each as in MuJoCo, so that poses agree to the last bit.
  double radians(double angle) const { return degree ? angle / 180 * pi : angle; }
  double joint_radians(double angle) const { return degree ? angle * (pi / 180) : angle; }
};

inline Vec3d to_vec(const Numbers<3>& v) { return Vec3d(v[0], v[1], v[2]); }
inline Quatd to_quat(const Numbers<4>& v) { return Quatd(v[0], v[1], v[2], v[3]); }

// Scales a vector to unit length, unless it already has that up to rounding; returns its previous
// length. A vector shorter than 1e-7 has no direction: it is left alone and its length counts as 0.
template <int N>
double normalized(Vec<double, N>& v) {
  const double squared = v.squaredNorm();
  if (squared < tiny) return 0;
  const double length = std::sqrt(squared);
  if (std::fabs(length - 1) > tiny) v /= length;
  return length;
}

// the product of two unit quaternions, renormalized
inline Quatd product(const Quatd& a, const Quatd& b) {
  Quatd out = multiply(a, b);
  normalized(out);
  return out;
}

// the smallest rotation that takes z to the unit vector v
inline Quatd rotation_from_z(const Vec3d& v) {
  Vec3d axis(-v[1], v[0], 0);
  const double sine = normalized(axis);
  if (sine < 1e-10) axis = Vec3d(1, 0, 0);
  return axis_angle(axis, std::atan2(sine, v[2]));
}

// The quaternion of a rotation matrix. It divides by a large one of the four components, so that
// the division is well conditioned (Shepperd's method); the signs are MuJoCo's.
CORTEN_COLD Quatd from_matrix(const Mat3d& r) {
  Quatd q;
  if (r(0, 0) + r(1, 1) + r(2, 2) > 0) {
    q[0] = 0.5 * std::sqrt(1 + r(0, 0) + r(1, 1) + r(2, 2));
    for (int k = 0; k < 3; ++k) {
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      q[1 + k] = 0.25 * (r(j, i) - r(i, j)) / q[0];
    }
  } else {
    const int k = r(0, 0) > r(1, 1) && r(0, 0) > r(2, 2) ? 0 : (r(1, 1) > r(2, 2) ? 1 : 2);
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    double sum = 1;
    for (int l = 0; l < 3; ++l) sum += l == k ? r(l, l) : -r(l, l);
    const double largest = 0.5 * std::sqrt(sum);
    q[1 + k] = largest;
    q[0] = 0.25 * (r(j, i) - r(i, j)) / largest;
    q[1 + i] = 0.25 * (r(k, i) + r(i, k)) / largest;
    q[1 + j] = 0.25 * (r(k, j) + r(j, k)) / largest;
  }
  normalized(q);
  return q;
}

namespace detail {

inline Result<void> from_axisangle(const AngleUnit& unit, const Numbers<4>& v, Quatd& q) {
  Vec3d axis(v[0], v[1], v[2]);
  if (normalized(axis) == 0) return Error("the axis of axisangle is too short");
  q = axis_angle(axis, unit.radians(v[3]));
  return {};
}

CORTEN_COLD Result<void> from_xyaxes(const Numbers<6>& v, Quatd& q) {
  Vec3d x(v[0], v[1], v[2]), y(v[3], v[4], v[5]);
  if (normalized(x) == 0) return Error("the x axis of xyaxes is too short");
  y -= x.dot(y) * x;
  if (normalized(y) == 0)
    return Error("the y axis of xyaxes is too short, or parallel to the x axis");
  Vec3d z = cross(x, y);
  normalized(z);
  q = from_matrix(Mat3d::from_columns(x, y, z));
  return {};
}

// lower case letters rotate about axes that move along, upper case letters about fixed axes
CORTEN_COLD Result<void> from_euler(const AngleUnit& unit, const Numbers<3>& v, Quatd& q) {
  if (unit.eulerseq.size() != 3) return Error("eulerseq must have three letters");
  q = unit_quat<double>();
  for (std::size_t i = 0; i < 3; ++i) {
    const char letter = unit.eulerseq[i];
    const bool fixed = letter >= 'X' && letter <= 'Z';
    const int axis = letter - (fixed ? 'X' : 'x');
    if (axis < 0 || axis > 2) return Error("eulerseq can only contain x, y, z, X, Y, Z");
    const Quatd turn = axis_angle(Vec3d::Unit(axis), unit.radians(v[i]));
    q = fixed ? product(turn, q) : product(q, turn);
  }
  return {};
}

}  // namespace detail

// Computes the quaternion of an orientation; returns an error message or null. If nothing is given,
// there is no rotation. If class and element together give a quat and an alternative to it, the
// alternative counts.
CORTEN_COLD Result<void> read_orientation(const AngleUnit& unit, const Orientation& from,
                                          Quatd& q) {
  q = unit_quat<double>();
  if (from.axisangle) return detail::from_axisangle(unit, *from.axisangle, q);
  if (from.xyaxes) return detail::from_xyaxes(*from.xyaxes, q);
  if (from.zaxis) {
    Vec3d z = to_vec(*from.zaxis);
    if (normalized(z) == 0) return Error("zaxis is too short");
    q = rotation_from_z(z);
    return {};
  }
  if (from.euler) return detail::from_euler(unit, *from.euler, q);
  if (from.quat) {
    q = to_quat(*from.quat);
    if (normalized(q) == 0) return Error("quat is zero");
  }
  return {};
}

}  // namespace corten::spec
