// SPDX-License-Identifier: Apache-2.0
//
// A kind of no type at all.
// refused: Idle bias_type actuator/common.hpp
#include <corten/pipeline/policies.hpp>

struct Idle {
  static constexpr const char* name = "idle";
};

corten::Policies<corten::Actuators<corten::FixedGain, Idle>> policies;
