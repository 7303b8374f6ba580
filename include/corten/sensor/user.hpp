// SPDX-License-Identifier: Apache-2.0
//
// <user>: a sensor that the program reads, not the library. Without a kind of one's own it reads zero,
// as in MuJoCo; with one, put in front of this by DefaultSensors::with<Mine>, it reads what that says.
// cacc, cfrc_* and subtree velocities are there for it.
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
