// SPDX-License-Identifier: Apache-2.0
//
// Poses of elements, frames given by two end points, and the composition of frames. Numbers agree with MuJoCo 3.12 to rounding.
#pragma once

#include <corten/compile/draft.hpp>

#include <cmath>

namespace corten::compiler {

using spec::from_matrix;
using spec::normalized;
using spec::product;
using spec::read_orientation;
using spec::rotation_from_z;

// a point in a frame: the same point where the frame is. By the matrix, as MuJoCo does: a last bit in the place
// of a geom may decide which of two equal corners its contacts begin with.
inline Vec3d place(const Pose& frame, const Vec3d& point) {
  return frame.pos + to_matrix(frame.quat) * point;
}

// b is a frame in a: the same frame where a is
inline Pose compose(const Pose& a, const Pose& b) {
  return {place(a, b.pos), product(a.quat, b.quat)};
}

inline Pose inverse(const Pose& a) {
  const Quatd back = conjugate(a.quat);
  return {-(to_matrix(back) * a.pos), back};
}

// the frame of an element with pos and orientation
template <class Element>
Problem read_pose(const Settings& settings, const Element& element, Pose& out) {
  out.pos = to_vec(element.pos.value_or(spec::Numbers<3>{0, 0, 0}));
  const char* problem = read_orientation(settings, element.orientation, out.quat);
  if (problem != nullptr) return element.error(problem);
  return {};
}

// what stands in a frame of body b (-1: in none), in the body
inline Pose in_frame(const Draft& d, int b, int frame, const Pose& pose) {
  return frame < 0 ? pose : compose(at(d.frames, at(d.bodies, b).frame + frame), pose);
}

// Frames, sites and cameras enter a frame with the quaternion as it was written, of any length; what comes out is
// of length one. Bodies and geoms enter it with that of read_pose. So it is in MuJoCo, to the last bit.
template <class Element>
Pose as_written(const Element& element, const Pose& pose) {
  const spec::Orientation& o = element.orientation;
  if (element.frame < 0 || !o.quat || o.has_alternative()) return pose;
  return {pose.pos, spec::to_quat(*o.quat)};
}

// the frames of a body, each as a pose in the body
CORTEN_COLD Problem collect_frames(Draft& d, const spec::Body& body) {
  const int first = static_cast<int>(d.frames.size());
  int count = 0;
  for (const spec::Frame& e : body.frames) {
    Pose pose{Vec3d::Zero(), unit_quat<double>()};
    if (e.frame < -1 || e.frame >= count) return e.error("its frame does not come before it");
    d.note(e, read_pose(d.settings_of(e), e, pose));
    d.frames.push_back(e.frame < 0 ? pose
                                   : compose(at(d.frames, first + e.frame), as_written(e, pose)));
    ++count;
  }
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
