// SPDX-License-Identifier: Apache-2.0
//
// Ball: rotation about an anchor by a unit quaternion. The velocity is the angular velocity in the
// body's own frame.
#pragma once

#include <corten/joint/common.hpp>

namespace corten {

struct Ball {
  static constexpr JointType type = JointType::ball;
  static constexpr const char* name = "ball";
  static constexpr int nq = 4, nv = 3, quat = 0;
  static constexpr bool turns = true;

  template <class M, class D, class S>
  CORTEN_FN static void transform(const M& m, const D& d, int j, Frame<S>& frame) {
    const Vec3<S> anchor = place_axes(m, d, j, frame);
    turn_about_anchor(m, j, anchor, Rotation::unit(d.qpos, m.jnt_qposadr[j]), frame);
  }

  template <class M, class D>
  CORTEN_FN static void motion_axes(const M& m, const D& d, int j) {
    Rotation::motion_axes(m, d, j, m.jnt_dofadr[j]);
  }

  template <class M, class D, class S>
  CORTEN_FN static void velocity(const M& m, const D& d, int j, Vec6<S>& cvel) {
    axes_rate(d, m.jnt_dofadr[j], 3, cvel);
  }

  template <class M, class Q, class V, class S>
  CORTEN_FN static void integrate(const M& m, int j, const Q& qpos, const V& qvel, const S& h) {
    Rotation::integrate(qpos, m.jnt_qposadr[j], qvel, m.jnt_dofadr[j], h);
  }

  template <class M, class Q, class V, class S>
  CORTEN_FN static void difference(const M& m, int j, const Q& q1, const Q& q2, const S& h,
                                   const V& out) {
    Rotation::difference(q1, q2, m.jnt_qposadr[j], h, out, m.jnt_dofadr[j]);
  }

  template <class M, class D>
  CORTEN_FN static void spring(const M& m, const D& d, int j) {
    vector_spring(m, d, j, Rotation::displacement(m, d, m.jnt_qposadr[j]), m.jnt_dofadr[j]);
  }

  template <class M, class D>
  CORTEN_FN static auto spring_energy(const M& m, const D& d, int j) {
    using S = typename D::Scalar;
    const S x = norm(Rotation::displacement(m, d, m.jnt_qposadr[j]));
    return polynomial_energy<S>(m.jnt_stiffness, m.jnt_stiffnesspoly, j, x);
  }

  // the length is the rotation vector along the gear axis, which is fixed in the child or in the
  // parent
  template <class M, class D, class S>
  CORTEN_FN static S transmission(const M& m, const D& d, int j, const Vec6<S>& gear,
                                  bool in_parent, Vec3<S>& moment) {
    const Quat<S> turn = Rotation::unit(d.qpos, m.jnt_qposadr[j]);
    moment = gear.template head<3>();
    if (in_parent) moment = rotate(conjugate(turn), moment);
    return log_map(turn).dot(moment);
  }

  // the rotation angle must stay below the larger limit of the range
  template <class M, class D, class F>
  CORTEN_FN static void limits(const M& m, const D& d, int j, F&& row) {
    using S = typename D::Scalar;
    Vec3<S> axis = log_map(Rotation::unit(d.qpos, m.jnt_qposadr[j]));
    const S angle = normalize(axis);
    const S dist = max(S(m.jnt_range[2 * j]), S(m.jnt_range[2 * j + 1])) - angle;
    if (value(dist) < value(S(m.jnt_margin[j]))) row(dist, -axis);
  }
};

}  // namespace corten
