// SPDX-License-Identifier: Apache-2.0
//
// Two kinds have the number of the sensor "user".
// refused: Height type sensor/common.hpp
#include <corten/pipeline/policies.hpp>

struct Speed : corten::SensorTraits<corten::SensorType::user, corten::Stage::velocity, 1> {
  template <class M, class D, class O>
  static void evaluate(const M&, const D&, int, const O&) {}
};

struct Height : Speed {};

corten::Policies<corten::DefaultSensors::with<Speed, Height>> policies;
