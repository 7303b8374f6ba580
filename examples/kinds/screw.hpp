// SPDX-License-Identifier: Apache-2.0
//
// A joint kind that MJCF does not have: a screw turns about its axis and advances along it, by
// `pitch` per turn. In a file it is <joint type="screw" axis="0 0 1" pitch="0.01"/>. With pitch 0
// it is a hinge.
#pragma once

#include <corten/dynamics.hpp>

struct Screw : corten::ScalarJoint {
  static constexpr corten::JointType type = corten::user_joint(0);
  static constexpr const char* name = "screw";
  static constexpr bool turns = true;
  static constexpr bool rigid_axes = true;  // its axis is fixed in the body
  static constexpr corten::Parameter parameters[] = {{"pitch", 0.0}};

  // the advance per radian
  template <class S, class M>
  CORTEN_FN static S lead(const M& m, int j) {
    return S(m.jnt_param[j * m.n.nparam_jnt]) * S(1 / (2 * 3.14159265358979323846));
  }

  template <class M, class D, class S>
  CORTEN_FN static void transform(const M& m, const D& d, int j, corten::Frame<S>& frame) {
    const corten::Vec3<S> anchor = corten::place_axes(m, d, j, frame);
    const int q = m.jnt_qposadr[j];
    const S angle = d.qpos[q] - S(m.qpos0[q]);
    const auto turn = corten::axis_angle(corten::vec3<S>(m.jnt_axis, j), angle);
    corten::turn_about_anchor(m, j, anchor, turn, frame);
    frame.pos += corten::vec3<S>(d.xaxis, j) * S(angle * lead<S>(m, j));
  }

  template <class M, class D>
  CORTEN_FN static void motion_axes(const M& m, const D& d, int j) {
    using S = typename D::Scalar;
    using Vec3 = corten::Vec3<S>;
    const Vec3 axis = corten::vec3<S>(d.xaxis, j), anchor = corten::vec3<S>(d.xanchor, j);
    const Vec3 com = corten::vec3<S>(d.subtree_com, m.body_rootid[m.jnt_bodyid[j]]);
    corten::Vec6<S> motion = corten::rotation_motion(axis, Vec3(com - anchor));
    motion += corten::translation_motion(Vec3(axis * lead<S>(m, j)));
    corten::store(d.cdof, m.jnt_dofadr[j], motion);
  }

  template <class M, class D, class S>
  CORTEN_FN static void velocity(const M& m, const D& d, int j, corten::Vec6<S>& cvel) {
    corten::axes_rate(d, m.jnt_dofadr[j], 1, cvel);
  }
};
