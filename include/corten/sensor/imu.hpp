// SPDX-License-Identifier: Apache-2.0
//
// Sensors of an inertial measurement unit: what a site feels of its own motion, in its own axes.
#pragma once

#include <corten/sensor/common.hpp>

namespace corten {

// linear velocity
struct Velocimeter : SensorTraits<SensorType::velocimeter, Stage::velocity, 3> {
  static constexpr const char* name = "velocimeter";

  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M& m, const D& d, int i, const O& out) {
    using S = typename D::Scalar;
    const auto site = detail::sensed_frame(m, d, m.sensor_objtype[i], m.sensor_objid[i]);
    const Vec6<S> v = detail::sensed_velocity(m, d, site);
    store(out, 0, Vec3<S>(site.mat.transpose() * v.template tail<3>()));
  }
};

// angular velocity
struct Gyro : SensorTraits<SensorType::gyro, Stage::velocity, 3> {
  static constexpr const char* name = "gyro";

  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M& m, const D& d, int i, const O& out) {
    using S = typename D::Scalar;
    const auto site = detail::sensed_frame(m, d, m.sensor_objtype[i], m.sensor_objid[i]);
    const Vec6<S> v = detail::sensed_velocity(m, d, site);
    store(out, 0, Vec3<S>(site.mat.transpose() * v.template head<3>()));
  }
};

// Linear acceleration, gravity included: at rest it reads +g upwards. The spatial acceleration of a
// body (cacc) is the rate of a velocity field at a point fixed in space; the site moves through
// that field, which adds w × v. On a body that cannot move it reads zero, as in MuJoCo.
struct Accelerometer : SensorTraits<SensorType::accelerometer, Stage::acceleration, 3> {
  static constexpr const char* name = "accelerometer";
  static constexpr bool needs_rne_post = true;

  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M& m, const D& d, int i, const O& out) {
    using S = typename D::Scalar;
    const auto site = detail::sensed_frame(m, d, m.sensor_objtype[i], m.sensor_objid[i]);
    if (m.body_dofnum[m.body_weldid[site.body]] == 0) return fill(out, dim, S(0));

    const Vec6<S> v = detail::sensed_velocity(m, d, site), a = vec6<S>(d.cacc, site.body);
    const Vec3<S> turn = v.template head<3>(), shift = v.template tail<3>();
    const Vec3<S> offset = site.pos - vec3<S>(d.subtree_com, m.body_rootid[site.body]);
    const Vec3<S> linear =
        a.template tail<3>() + cross(Vec3<S>(a.template head<3>()), offset) + cross(turn, shift);
    store(out, 0, Vec3<S>(site.mat.transpose() * linear));
  }
};

}  // namespace corten
