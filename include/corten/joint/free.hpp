// SPDX-License-Identifier: Apache-2.0
//
// Free: position and orientation in the world. The velocities are the linear velocity in world axes
// and the angular velocity in the body's frame. Only a child of the world can have a free joint,
// and no other joint beside it.
#pragma once

#include <corten/joint/common.hpp>

namespace corten {

struct Free {
  static constexpr JointType type = JointType::free;
  static constexpr const char* name = "free";
  static constexpr int nq = 7, nv = 6, quat = 3;
  static constexpr bool floats = true;
  static constexpr int fixed_axes = 3;

  template <class M, class D, class S>
  CORTEN_FN static void transform(const M& m, const D& d, int j, Frame<S>& frame) {
    const int q = m.jnt_qposadr[j];
    frame.pos = Vec3<S>(d.qpos[q], d.qpos[q + 1], d.qpos[q + 2]);
    frame.quat = Rotation::unit(d.qpos, q + 3);
    store(d.xanchor, j, frame.pos);
    store(d.xaxis, j, vec3<S>(m.jnt_axis, j));
  }

  template <class M, class D>
  CORTEN_FN static void motion_axes(const M& m, const D& d, int j) {
    using S = typename D::Scalar;
    const int v = m.jnt_dofadr[j];
    for (int k = 0; k < 3; ++k) {
      Vec3<S> axis = Vec3<S>::Zero();
      axis[k] = S(1);
      store(d.cdof, v + k, translation_motion(axis));
    }
    Rotation::motion_axes(m, d, j, v + 3);
  }

  // translations are along fixed axes: their rate is zero
  template <class M, class D, class S>
  CORTEN_FN static void velocity(const M& m, const D& d, int j, Vec6<S>& cvel) {
    const int v = m.jnt_dofadr[j];
    for (int k = 0; k < 3; ++k) {
      store(d.cdof_dot, v + k, Vec6<S>::Zero());
      cvel[3 + k] += d.qvel[v + k];
    }
    axes_rate(d, v + 3, 3, cvel);
  }

  template <class M, class Q, class V, class S>
  CORTEN_FN static void integrate(const M& m, int j, const Q& qpos, const V& qvel, const S& h) {
    const int q = m.jnt_qposadr[j], v = m.jnt_dofadr[j];
    for (int k = 0; k < 3; ++k) qpos[q + k] += h * qvel[v + k];
    Rotation::integrate(qpos, q + 3, qvel, v + 3, h);
  }

  template <class M, class Q, class V, class S>
  CORTEN_FN static void difference(const M& m, int j, const Q& q1, const Q& q2, const S& h,
                                   const V& out) {
    const int q = m.jnt_qposadr[j], v = m.jnt_dofadr[j];
    for (int k = 0; k < 3; ++k) out[v + k] = (q2[q + k] - q1[q + k]) / h;
    Rotation::difference(q1, q2, q + 3, h, out, v + 3);
  }

  template <class M, class D>
  CORTEN_FN static void spring(const M& m, const D& d, int j) {
    const int q = m.jnt_qposadr[j], v = m.jnt_dofadr[j];
    vector_spring(m, d, j, displacement(m, d, q), v);
    vector_spring(m, d, j, Rotation::displacement(m, d, q + 3), v + 3);
  }

  template <class M, class D>
  CORTEN_FN static auto spring_energy(const M& m, const D& d, int j) {
    using S = typename D::Scalar;
    const int q = m.jnt_qposadr[j];
    const S x = norm(displacement(m, d, q)), angle = norm(Rotation::displacement(m, d, q + 3));
    return S(polynomial_energy<S>(m.jnt_stiffness, m.jnt_stiffnesspoly, j, x) +
             polynomial_energy<S>(m.jnt_stiffness, m.jnt_stiffnesspoly, j, angle));
  }

  // the actuator applies a wrench to the body and has no length
  template <class M, class D, class S>
  CORTEN_FN static S transmission(const M& m, const D& d, int j, const Vec6<S>& gear,
                                  bool in_parent, Vec6<S>& moment) {
    Vec3<S> torque = gear.template tail<3>();
    if (in_parent) torque = rotate(conjugate(Rotation::unit(d.qpos, m.jnt_qposadr[j] + 3)), torque);
    moment = Vec6<S>(gear.template head<3>(), torque);
    return S(0);
  }

  // a free joint has no limits
  template <class M, class D, class F>
  CORTEN_FN static void limits(const M&, const D&, int, F&&) {}

 private:
  template <class M, class D>
  CORTEN_FN static auto displacement(const M& m, const D& d, int q) {
    using S = typename D::Scalar;
    return Vec3<S>(d.qpos[q] - S(m.qpos_spring[q]), d.qpos[q + 1] - S(m.qpos_spring[q + 1]),
                   d.qpos[q + 2] - S(m.qpos_spring[q + 2]));
  }
};

}  // namespace corten
