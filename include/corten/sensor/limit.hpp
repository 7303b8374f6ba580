// SPDX-License-Identifier: Apache-2.0
//
// Sensors of joint and tendon limits: the distance from the limit minus its margin, the rate of
// that distance, and the force of the limit. They read the constraint row of the limit, and zero
// while it has none.
#pragma once

#include <corten/sensor/common.hpp>

namespace corten {

namespace detail {

// the row of the limit of a joint or tendon; -1: it is not active
template <class D>
CORTEN_FN int limit_row(const D& d, ConstraintType type, int object) {
  for (int r = d.ne + d.nf; r < d.nefc; ++r) {
    if (d.efc_type[r] == static_cast<int>(type) && d.efc_id[r] == object) return r;
  }
  return -1;
}

}  // namespace detail

template <SensorType Type, ConstraintType Row>
struct LimitPos : SensorTraits<Type> {
  static constexpr bool by_world = true;

  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M& m, const D& d, int i, const O& out) {
    using S = typename D::Scalar;
    const int r = detail::limit_row(d, Row, m.sensor_objid[i]);
    out[0] = r < 0 ? S(0) : S(d.efc_pos[r] - d.efc_margin[r]);
  }
};

template <SensorType Type, ConstraintType Row>
struct LimitVel : SensorTraits<Type> {
  static constexpr bool by_world = true;

  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M& m, const D& d, int i, const O& out) {
    using S = typename D::Scalar;
    const int r = detail::limit_row(d, Row, m.sensor_objid[i]);
    out[0] = r < 0 ? S(0) : S(d.efc_vel[r]);
  }
};

template <SensorType Type, ConstraintType Row>
struct LimitFrc : SensorTraits<Type> {
  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M& m, const D& d, int i, const O& out) {
    using S = typename D::Scalar;
    const int r = detail::limit_row(d, Row, m.sensor_objid[i]);
    out[0] = r < 0 ? S(0) : S(d.efc_force[r]);
  }
};

using JointLimitPos = LimitPos<SensorType::jointlimitpos, ConstraintType::limit_joint>;
using JointLimitVel = LimitVel<SensorType::jointlimitvel, ConstraintType::limit_joint>;
using JointLimitFrc = LimitFrc<SensorType::jointlimitfrc, ConstraintType::limit_joint>;
using TendonLimitPos = LimitPos<SensorType::tendonlimitpos, ConstraintType::limit_tendon>;
using TendonLimitVel = LimitVel<SensorType::tendonlimitvel, ConstraintType::limit_tendon>;
using TendonLimitFrc = LimitFrc<SensorType::tendonlimitfrc, ConstraintType::limit_tendon>;

}  // namespace corten
