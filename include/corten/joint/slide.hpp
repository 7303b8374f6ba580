// SPDX-License-Identifier: Apache-2.0
//
// Slide: translation along an axis that is fixed in the body.
#pragma once

#include <corten/joint/scalar_joint.hpp>

namespace corten {

struct Slide : ScalarJoint {
  static constexpr JointType type = JointType::slide;
  static constexpr const char* name = "slide";

  template <class M, class D, class S>
  CORTEN_FN static void transform(const M& m, const D& d, int j, Frame<S>& frame) {
    place_axes(m, d, j, frame);
    const int q = m.jnt_qposadr[j];
    frame.pos += vec3<S>(d.xaxis, j) * S(d.qpos[q] - S(m.qpos0[q]));
  }

  template <class M, class D>
  CORTEN_FN static void motion_axes(const M& m, const D& d, int j) {
    using S = typename D::Scalar;
    store(d.cdof, m.jnt_dofadr[j], translation_motion(vec3<S>(d.xaxis, j)));
  }

  template <class M, class D, class S>
  CORTEN_FN static void velocity(const M& m, const D& d, int j, Vec6<S>& cvel) {
    axes_rate(d, m.jnt_dofadr[j], 1, cvel);
  }
};

}  // namespace corten
