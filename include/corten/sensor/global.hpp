// SPDX-License-Identifier: Apache-2.0
//
// Sensors of whole mechanisms: centre of mass of a subtree, time.
#pragma once

#include <corten/sensor/common.hpp>

namespace corten {

struct SubtreeCom : SensorTraits<SensorType::subtreecom, Stage::position, 3> {
  static constexpr const char* name = "subtreecom";

  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M& m, const D& d, int i, const O& out) {
    using S = typename D::Scalar;
    store(out, 0, vec3<S>(d.subtree_com, m.sensor_objid[i]));
  }
};

struct Clock : SensorTraits<SensorType::clock, Stage::position, 1> {
  static constexpr const char* name = "clock";

  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M&, const D& d, int, const O& out) {
    out[0] = d.time;
  }
};

}  // namespace corten
