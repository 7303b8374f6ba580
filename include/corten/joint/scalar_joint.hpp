// SPDX-License-Identifier: Apache-2.0
//
// What slide and hinge joints share: one coordinate, which is the integral of one velocity.
#pragma once

#include <corten/joint/common.hpp>

namespace corten {

struct ScalarJoint {
  static constexpr int nq = 1, nv = 1;

  template <class M, class Q, class V, class S>
  CORTEN_FN static void integrate(const M& m, int j, const Q& qpos, const V& qvel, const S& h) {
    qpos[m.jnt_qposadr[j]] += h * qvel[m.jnt_dofadr[j]];
  }

  // the velocity that leads from q1 to q2 in time h
  template <class M, class Q, class V, class S>
  CORTEN_FN static void difference(const M& m, int j, const Q& q1, const Q& q2, const S& h,
                                   const V& out) {
    const int q = m.jnt_qposadr[j];
    out[m.jnt_dofadr[j]] = (q2[q] - q1[q]) / h;
  }

  template <class M, class D>
  CORTEN_FN static void spring(const M& m, const D& d, int j) {
    using S = typename D::Scalar;
    const int q = m.jnt_qposadr[j];
    const S x = d.qpos[q] - S(m.qpos_spring[q]);
    d.qfrc_spring[m.jnt_dofadr[j]] = -x * polynomial<S>(m.jnt_stiffness, m.jnt_stiffnesspoly, j, x);
  }

  template <class M, class D>
  CORTEN_FN static auto spring_energy(const M& m, const D& d, int j) {
    using S = typename D::Scalar;
    const int q = m.jnt_qposadr[j];
    const S x = d.qpos[q] - S(m.qpos_spring[q]);
    return polynomial_energy<S>(m.jnt_stiffness, m.jnt_stiffnesspoly, j, x);
  }

  // returns the length of an actuator on the joint and stores its moment arm in `moment`
  template <class M, class D, class S>
  CORTEN_FN static S transmission(const M& m, const D& d, int j, const Vec6<S>& gear, bool,
                                  Vec<S, 1>& moment) {
    moment[0] = gear[0];
    return gear[0] * d.qpos[m.jnt_qposadr[j]];
  }

  // calls row(distance, Jacobian over the joint's dofs) for each side that is within the margin
  template <class M, class D, class F>
  CORTEN_FN static void limits(const M& m, const D& d, int j, F&& row) {
    using S = typename D::Scalar;
    const S x = d.qpos[m.jnt_qposadr[j]], margin = S(m.jnt_margin[j]);
    for (int side = 0; side < 2; ++side) {
      const S sign = side == 0 ? S(1) : S(-1);
      const S dist = sign * (x - S(m.jnt_range[2 * j + side]));
      if (value(dist) < value(margin)) row(dist, Vec<S, 1>(sign));
    }
  }
};

}  // namespace corten
