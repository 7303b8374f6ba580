// SPDX-License-Identifier: Apache-2.0
//
// <user>: a sensor that the program defines, not the library. It reads zero, as in MuJoCo, unless
// DefaultSensors::with<Mine> puts a kind of your own in front of it. Such a kind finds cacc, cfrc_*
// and subtree velocities computed.
#pragma once

#include <corten/sensor/common.hpp>

namespace corten {

struct UserSensor : SensorTraits<SensorType::user> {
  static constexpr bool needs_rne_post = true;
  static constexpr bool needs_subtree_velocity = true;

  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M& m, const D&, int i, const O& out) {
    fill(out, m.sensor_dim[i], typename D::Scalar(0));
  }
};

}  // namespace corten
