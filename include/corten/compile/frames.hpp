// SPDX-License-Identifier: Apache-2.0
//
// Poses of elements, frames given by two end points, and the composition of frames. Numbers agree
// with MuJoCo 3.12 up to rounding.
#pragma once

#include <corten/compile/draft.hpp>

#include <cmath>

namespace corten::compiler {

using spec::from_matrix;
using spec::normalized;
using spec::product;
using spec::read_orientation;
using spec::rotation_from_z;

// Transforms a point from a frame to the parent of the frame. It uses the rotation matrix, as
// MuJoCo does: the last bit of a geom's position can decide which of two equal corners comes first
// among its contacts.
inline Vec3d place(const Pose& frame, const Vec3d& point) {
  return frame.pos + to_matrix(frame.quat) * point;
}

// transforms b, a frame in a, to the parent of a
inline Pose compose(const Pose& a, const Pose& b) {
  return {place(a, b.pos), product(a.quat, b.quat)};
}

inline Pose inverse(const Pose& a) {
  const Quatd back = conjugate(a.quat);
  return {-(to_matrix(back) * a.pos), back};
}

// the frame of an element with pos and orientation
template <class Element>
Result<void> read_pose(const Settings& settings, const Element& element, Pose& out) {
  out.pos = to_vec(element.pos.value_or(spec::Numbers<3>{0, 0, 0}));
  const auto done = read_orientation(settings, element.orientation, out.quat);
  if (!done) return element.error(done.error().message);
  return {};
}

// transforms a pose from a frame of body b to the body; frame -1 is the body itself
inline Pose in_frame(const Draft& d, int b, int frame, const Pose& pose) {
  return frame < 0 ? pose : compose(at(d.frames, at(d.bodies, b).frame + frame), pose);
}

// As in MuJoCo, frames, sites and cameras inside a frame are composed with their quaternion as
// written, of any length; the result has length one. Bodies and geoms use the quaternion of
// read_pose(), which is already normalised. The difference is in the last bit.
template <class Element>
Pose as_written(const Element& element, const Pose& pose) {
  const spec::Orientation& o = element.orientation;
  if (element.frame < 0 || !o.quat || o.has_alternative()) return pose;
  return {pose.pos, spec::to_quat(*o.quat)};
}

// appends the frames of a body to d.frames, each as a pose in the body
CORTEN_COLD Result<void> collect_frames(Draft& d, const spec::Body& body) {
  const int first = static_cast<int>(d.frames.size());
  int count = 0;
  for (const spec::Frame& e : body.frames) {
    Pose pose{Vec3d::Zero(), unit_quat<double>()};
    if (e.frame < -1 || e.frame >= count) return e.error("its parent frame must come before it");
    d.note(e, read_pose(d.settings_of(e), e, pose));
    d.frames.push_back(e.frame < 0 ? pose
                                   : compose(at(d.frames, first + e.frame), as_written(e, pose)));
    ++count;
  }
  return {};
}

// Reads a frame from two end points: its centre, its orientation with the z axis along the points,
// and half the distance. As in MuJoCo, z points from the second point to the first.
template <class Element>
CORTEN_COLD Result<void> read_fromto(const Element& element, Pose& out, double& half) {
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
