// SPDX-License-Identifier: Apache-2.0
//
// Hinge: rotation by an angle about an axis that is fixed in the body and passes through an anchor.
#pragma once

#include <corten/joint/scalar_joint.hpp>

namespace corten {

struct Hinge : ScalarJoint {
  static constexpr JointType type = JointType::hinge;
  static constexpr const char* name = "hinge";
  static constexpr bool turns = true;

  template <class M, class D, class S>
  CORTEN_FN static void transform(const M& m, const D& d, int j, Frame<S>& frame) {
    const Vec3<S> anchor = place_axes(m, d, j, frame);
    const int q = m.jnt_qposadr[j];
    const S angle = d.qpos[q] - S(m.qpos0[q]);
    turn_about_anchor(m, j, anchor, axis_angle(vec3<S>(m.jnt_axis, j), angle), frame);
  }

  template <class M, class D>
  CORTEN_FN static void motion_axes(const M& m, const D& d, int j) {
    using S = typename D::Scalar;
    const Vec3<S> com = vec3<S>(d.subtree_com, m.body_rootid[m.jnt_bodyid[j]]);
    store(d.cdof, m.jnt_dofadr[j],
          rotation_motion(vec3<S>(d.xaxis, j), com - vec3<S>(d.xanchor, j)));
  }

  template <class M, class D, class S>
  CORTEN_FN static void velocity(const M& m, const D& d, int j, Vec6<S>& cvel) {
    axes_rate(d, m.jnt_dofadr[j], 1, cvel);
  }
};

}  // namespace corten
