// SPDX-License-Identifier: Apache-2.0
//
// Sensors of tendons and actuators: length, velocity, force. For an actuator with several force
// outputs they read one number per output.
#pragma once

#include <corten/sensor/common.hpp>

namespace corten {

struct TendonPos : SensorTraits<SensorType::tendonpos> {
  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M& m, const D& d, int i, const O& out) {
    out[0] = d.ten_length[m.sensor_objid[i]];
  }
};

struct TendonVel : SensorTraits<SensorType::tendonvel> {
  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M& m, const D& d, int i, const O& out) {
    out[0] = d.ten_velocity[m.sensor_objid[i]];
  }
};

struct ActuatorPos : SensorTraits<SensorType::actuatorpos> {
  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M& m, const D& d, int i, const O& out) {
    copy(out, d.actuator_length.from(m.actuator_outadr[m.sensor_objid[i]]), m.sensor_dim[i]);
  }
};

struct ActuatorVel : SensorTraits<SensorType::actuatorvel> {
  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M& m, const D& d, int i, const O& out) {
    copy(out, d.actuator_velocity.from(m.actuator_outadr[m.sensor_objid[i]]), m.sensor_dim[i]);
  }
};

struct ActuatorFrc : SensorTraits<SensorType::actuatorfrc> {
  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M& m, const D& d, int i, const O& out) {
    copy(out, d.actuator_force.from(m.actuator_outadr[m.sensor_objid[i]]), m.sensor_dim[i]);
  }
};

// force of all actuators along a joint
struct JointActuatorFrc : SensorTraits<SensorType::jointactuatorfrc> {
  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M& m, const D& d, int i, const O& out) {
    out[0] = d.qfrc_actuator[m.jnt_dofadr[m.sensor_objid[i]]];
  }
};

// force of all actuators along a tendon
struct TendonActuatorFrc : SensorTraits<SensorType::tendonactuatorfrc> {
  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M& m, const D& d, int i, const O& out) {
    using S = typename D::Scalar;
    S sum = S(0);
    for (int a = 0; a < m.n.nactuator; ++a) {
      const auto type = static_cast<TransmissionType>(m.actuator_trntype[a]);
      const bool here = m.actuator_trnid[2 * a] == m.sensor_objid[i];
      if (type == TransmissionType::tendon && here) sum += d.actuator_force[m.actuator_outadr[a]];
    }
    out[0] = sum;
  }
};

}  // namespace corten
