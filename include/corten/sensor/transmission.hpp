// SPDX-License-Identifier: Apache-2.0
//
// Sensors of tendons and actuators: length, velocity, force.
#pragma once

#include <corten/sensor/common.hpp>

namespace corten {

struct TendonPos : SensorTraits<SensorType::tendonpos, Stage::position, 1> {
  static constexpr const char* name = "tendonpos";

  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M& m, const D& d, int i, const O& out) {
    out[0] = d.ten_length[m.sensor_objid[i]];
  }
};

struct TendonVel : SensorTraits<SensorType::tendonvel, Stage::velocity, 1> {
  static constexpr const char* name = "tendonvel";

  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M& m, const D& d, int i, const O& out) {
    out[0] = d.ten_velocity[m.sensor_objid[i]];
  }
};

struct ActuatorPos : SensorTraits<SensorType::actuatorpos, Stage::position, 1> {
  static constexpr const char* name = "actuatorpos";

  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M& m, const D& d, int i, const O& out) {
    out[0] = d.actuator_length[m.actuator_outadr[m.sensor_objid[i]]];
  }
};

struct ActuatorVel : SensorTraits<SensorType::actuatorvel, Stage::velocity, 1> {
  static constexpr const char* name = "actuatorvel";

  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M& m, const D& d, int i, const O& out) {
    out[0] = d.actuator_velocity[m.actuator_outadr[m.sensor_objid[i]]];
  }
};

struct ActuatorFrc : SensorTraits<SensorType::actuatorfrc, Stage::acceleration, 1> {
  static constexpr const char* name = "actuatorfrc";

  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M& m, const D& d, int i, const O& out) {
    out[0] = d.actuator_force[m.actuator_outadr[m.sensor_objid[i]]];
  }
};

}  // namespace corten
