// SPDX-License-Identifier: Apache-2.0
//
// Which frames coincide: with body_sameframe, geom_sameframe and site_sameframe, kinematics need
// not compute frames that equal the body's frame or its inertial frame.
#pragma once

#include <corten/compile/draft.hpp>
#include <corten/core/list.hpp>

namespace corten::compiler {

inline constexpr double frame_tolerance = 1e-6;

inline bool same_position(const Vec3d& a, const Vec3d& b) {
  return (a - b).cwiseAbs().maxCoeff() < frame_tolerance;
}
inline bool same_rotation(const Quatd& a, const Quatd& b) {
  return (a - b).cwiseAbs().maxCoeff() < frame_tolerance ||
         (a + b).cwiseAbs().maxCoeff() < frame_tolerance;
}

// compares a frame in a body with the body's frame and its inertial frame
CORTEN_COLD SameFrame same_frame(const Pose& frame, const Pose& inertial) {
  const bool upright = same_rotation(frame.quat, unit_quat<double>());
  if (upright) {
    return same_position(frame.pos, Vec3d::Zero()) ? SameFrame::body : SameFrame::bodyrot;
  }
  if (!same_rotation(frame.quat, inertial.quat)) return SameFrame::none;
  return same_position(frame.pos, inertial.pos) ? SameFrame::inertia : SameFrame::inertiarot;
}

namespace detail {

template <class S>
Frame<double> values_of(const List<S>& pos, const List<S>& quat, int i) {
  Frame<double> out;
  for (int k = 0; k < 3; ++k) out.pos[k] = static_cast<double>(value(at(pos, 3 * i + k)));
  for (int k = 0; k < 4; ++k) out.quat[k] = static_cast<double>(value(at(quat, 4 * i + k)));
  return out;
}

template <class S>
CORTEN_COLD void mark_frames(Model<S>& m) {
  for (int b = 0; b < m.n.nbody; ++b) {
    const Frame<double> f = values_of(m.body_ipos, m.body_iquat, b);
    const bool upright = same_rotation(f.quat, unit_quat<double>());
    const bool centred = same_position(f.pos, Vec3d::Zero());
    put(m.body_sameframe, b,
        !upright ? SameFrame::none : (centred ? SameFrame::body : SameFrame::bodyrot));
  }
  for (int g = 0; g < m.n.ngeom; ++g) {
    put(m.geom_sameframe, g,
        same_frame(values_of(m.geom_pos, m.geom_quat, g),
                   values_of(m.body_ipos, m.body_iquat, at(m.geom_bodyid, g))));
  }
  for (int s = 0; s < m.n.nsite; ++s) {
    put(m.site_sameframe, s,
        same_frame(values_of(m.site_pos, m.site_quat, s),
                   values_of(m.body_ipos, m.body_iquat, at(m.site_bodyid, s))));
  }
}

}  // namespace detail

}  // namespace corten::compiler
