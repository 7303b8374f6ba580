// SPDX-License-Identifier: Apache-2.0
//
// Two kinds have the number user_dynamics(0).
// refused: Lag dynamics_type actuator/common.hpp
#include <corten/pipeline/policies.hpp>

struct Delay {
  static constexpr const char* name = "delay";
  static constexpr corten::DynamicsType dynamics_type = corten::user_dynamics(0);

  template <class M, class D>
  static void rates(const M&, const D&, int) {}
};

struct Lag : Delay {
  static constexpr const char* name = "lag";
};

corten::Policies<corten::DefaultActuators::with<Delay, Lag>> policies;
