// SPDX-License-Identifier: Apache-2.0
//
// Sensors of an inertial measurement unit: what a site feels of its own motion and of the magnetic
// field, in its own axes.
#pragma once

#include <corten/sensor/common.hpp>

namespace corten {

template <SensorType Type, detail::Half Which>
struct SiteVelocity : SensorTraits<Type> {
  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M& m, const D& d, int i, const O& out) {
    const auto site = detail::sensor_object(m, d, i);
    const auto v = detail::sensed_velocity(m, d, site);
    store(out, 0, site.mat.transpose() * detail::half<Which>(v));
  }
};

using Velocimeter = SiteVelocity<SensorType::velocimeter, detail::Half::translation>;
using Gyro = SiteVelocity<SensorType::gyro, detail::Half::rotation>;

// linear acceleration, gravity included: at rest it reads +g upwards
struct Accelerometer : SensorTraits<SensorType::accelerometer> {
  static constexpr bool needs_rne_post = true;

  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M& m, const D& d, int i, const O& out) {
    using S = typename D::Scalar;
    const auto site = detail::sensor_object(m, d, i);
    const Vec6<S> a = detail::sensed_acceleration(m, d, site);
    store(out, 0, site.mat.transpose() * a.template tail<3>());
  }
};

// the magnetic field of the world
struct Magnetometer : SensorTraits<SensorType::magnetometer> {
  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M& m, const D& d, int i, const O& out) {
    using S = typename D::Scalar;
    Vec3<S> field;
    for (int k = 0; k < 3; ++k) field[k] = S(m.opt.magnetic[k]);
    store(out, 0, detail::sensor_object(m, d, i).mat.transpose() * field);
  }
};

}  // namespace corten
