// SPDX-License-Identifier: Apache-2.0
//
// The speed of a site, without its direction.
#pragma once

#include <corten/sensor/common.hpp>

namespace corten {

struct Speed : SensorTraits<SensorType::speed> {
  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M& m, const D& d, int i, const O& out) {
    using S = typename D::Scalar;
    const int site = m.sensor_objid[i];
    const Vec6<S> v = point_velocity(m, d, m.site_bodyid[site], vec3<S>(d.site_xpos, site));
    out[0] = norm(Vec3<S>(v.template tail<3>()));
  }
};

}  // namespace corten
