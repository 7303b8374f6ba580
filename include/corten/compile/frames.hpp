// SPDX-License-Identifier: Apache-2.0
//
// Orientations in all the ways that MJCF can write them, frames given by two end points, and the
// composition of frames. Numbers agree with MuJoCo 3.12 to rounding.
#pragma once

#include <corten/compile/draft.hpp>

#include <cmath>

namespace corten::compiler {

// Sums run from first to last here, as MuJoCo's do; Eigen pairs them otherwise. See principal.hpp for
// why the last bit is worth it.
template <int N>
double dot(const Vec<double, N>& a, const Vec<double, N>& b) {
  double sum = a[0] * b[0];
  for (int k = 1; k < N; ++k) sum += a[k] * b[k];
  return sum;
}

// Scales to unit length unless that is already so to rounding; returns the length before. A vector
// shorter than 1e-7 has no direction: it stays and its length counts as 0.
template <int N>
double normalized(Vec<double, N>& v) {
  const double squared = dot(v, v);
  if (squared < tiny) return 0;
  const double length = std::sqrt(squared);
  if (std::fabs(length - 1) > tiny) v /= length;
  return length;
}

// the product of two unit quaternions, a unit quaternion again
inline Quatd product(const Quatd& a, const Quatd& b) {
  Quatd out = multiply(a, b);
  normalized(out);
  return out;
}

// b is a frame in a: the same frame where a is
inline Pose compose(const Pose& a, const Pose& b) {
  return {Vec3d(a.pos + rotate(a.quat, b.pos)), product(a.quat, b.quat)};
}

inline Pose inverse(const Pose& a) {
  const Quatd back = conjugate(a.quat);
  return {Vec3d(-rotate(back, a.pos)), back};
}

// the smallest rotation that takes z to the unit vector v
inline Quatd rotation_from_z(const Vec3d& v) {
  Vec3d axis(-v[1], v[0], 0);
  const double sine = normalized(axis);
  if (sine < 1e-10) axis = Vec3d(1, 0, 0);
  return axis_angle(axis, std::atan2(sine, v[2]));
}

// The quaternion of a rotation matrix, by the largest of its four components so that the division
// is well conditioned (Shepperd's method); signs as MuJoCo chooses them.
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
    const double largest = 0.5 * std::sqrt(1 + r(k, k) - r(i, i) - r(j, j));
    q[1 + k] = largest;
    q[0] = 0.25 * (r(j, i) - r(i, j)) / largest;
    q[1 + i] = 0.25 * (r(k, i) + r(i, k)) / largest;
    q[1 + j] = 0.25 * (r(k, j) + r(j, k)) / largest;
  }
  normalized(q);
  return q;
}

namespace detail {

inline const char* from_axisangle(const Settings& settings, const spec::Numbers<4>& v, Quatd& q) {
  Vec3d axis(v[0], v[1], v[2]);
  if (normalized(axis) == 0) return "the axis of axisangle is too short";
  q = axis_angle(axis, settings.radians(v[3]));
  return nullptr;
}

CORTEN_COLD const char* from_xyaxes(const spec::Numbers<6>& v, Quatd& q) {
  Vec3d x(v[0], v[1], v[2]), y(v[3], v[4], v[5]);
  if (normalized(x) == 0) return "the x axis of xyaxes is too short";
  y -= dot(x, y) * x;
  if (normalized(y) == 0) return "the y axis of xyaxes is too short, or parallel to the x axis";
  Vec3d z = cross(x, y);
  normalized(z);
  Mat3d frame;
  frame.col(0) = x;
  frame.col(1) = y;
  frame.col(2) = z;
  q = from_matrix(frame);
  return nullptr;
}

// lower case letters turn about axes that move along, upper case letters about fixed ones
CORTEN_COLD const char* from_euler(const Settings& settings, const spec::Numbers<3>& v, Quatd& q) {
  if (settings.eulerseq.size() != 3) return "eulerseq must have three letters";
  q = unit_quat<double>();
  for (std::size_t i = 0; i < 3; ++i) {
    const char letter = settings.eulerseq[i];
    const bool fixed = letter >= 'X' && letter <= 'Z';
    const int axis = letter - (fixed ? 'X' : 'x');
    if (axis < 0 || axis > 2) return "eulerseq can only contain x, y, z, X, Y, Z";
    const Quatd turn = axis_angle(Vec3d(Vec3d::Unit(axis)), settings.radians(v[i]));
    q = fixed ? product(turn, q) : product(q, turn);
  }
  return nullptr;
}

}  // namespace detail

// The quaternion of an orientation, or what is wrong with it. Nothing given: no rotation. When a
// class and its element give a quat and one of the other ways, the other way counts.
CORTEN_COLD const char* read_orientation(const Settings& settings, const spec::Orientation& from,
                                         Quatd& q) {
  q = unit_quat<double>();
  if (from.axisangle) return detail::from_axisangle(settings, *from.axisangle, q);
  if (from.xyaxes) return detail::from_xyaxes(*from.xyaxes, q);
  if (from.zaxis) {
    Vec3d z = to_vec(*from.zaxis);
    if (normalized(z) == 0) return "zaxis is too short";
    q = rotation_from_z(z);
    return nullptr;
  }
  if (from.euler) return detail::from_euler(settings, *from.euler, q);
  if (from.quat) {
    q = Quatd((*from.quat)[0], (*from.quat)[1], (*from.quat)[2], (*from.quat)[3]);
    if (normalized(q) == 0) return "quat is zero";
  }
  return nullptr;
}

// the frame of an element with pos and orientation
template <class Element>
Problem read_pose(const Settings& settings, const Element& element, Pose& out) {
  out.pos = to_vec(element.pos.value_or(spec::Numbers<3>{0, 0, 0}));
  const char* problem = read_orientation(settings, element.orientation, out.quat);
  if (problem != nullptr) return element.error(problem);
  return {};
}

// A frame whose z axis runs along two end points: centre, orientation and half the distance. As in
// MuJoCo, z points from the second point to the first.
template <class Element>
CORTEN_COLD Problem read_fromto(const Element& element, Pose& out, double& half) {
  const spec::Numbers<6>& v = *element.fromto;
  const Vec3d from(v[0], v[1], v[2]), to(v[3], v[4], v[5]);
  Vec3d axis = from - to;
  half = normalized(axis) / 2;
  if (half < tiny) return element.error("the points of fromto are too close");
  out.pos = (from + to) / 2;
  out.quat = rotation_from_z(axis);
  return {};
}

}  // namespace corten::compiler
