// SPDX-License-Identifier: Apache-2.0
//
// evaluate is misspelt.
// refused: Speed evaluate sensor/common.hpp
#include <corten/pipeline/policies.hpp>

struct Speed : corten::SensorTraits<corten::SensorType::user, corten::Stage::velocity, 1> {
  template <class M, class D, class O>
  static void evalute(const M&, const D&, int, const O&) {}
};

corten::Policies<corten::DefaultSensors::with<Speed>> policies;
