// SPDX-License-Identifier: Apache-2.0
//
// Sensors of joints: position and velocity of slides and hinges, orientation and angular velocity
// of balls.
#pragma once

#include <corten/joint/common.hpp>
#include <corten/sensor/common.hpp>

namespace corten {

struct JointPos : SensorTraits<SensorType::jointpos> {
  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M& m, const D& d, int i, const O& out) {
    out[0] = d.qpos[m.jnt_qposadr[m.sensor_objid[i]]];
  }
};

struct JointVel : SensorTraits<SensorType::jointvel> {
  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M& m, const D& d, int i, const O& out) {
    out[0] = d.qvel[m.jnt_dofadr[m.sensor_objid[i]]];
  }
};

struct BallQuat : SensorTraits<SensorType::ballquat> {
  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M& m, const D& d, int i, const O& out) {
    store(out, 0, Rotation::unit(d.qpos, m.jnt_qposadr[m.sensor_objid[i]]));
  }
};

// in the frame of the body
struct BallAngVel : SensorTraits<SensorType::ballangvel> {
  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M& m, const D& d, int i, const O& out) {
    copy(out, d.qvel.from(m.jnt_dofadr[m.sensor_objid[i]]), dim);
  }
};

}  // namespace corten
