// SPDX-License-Identifier: Apache-2.0
//
// The stages in order. Reading this file is reading what a step computes; data/fields.hpp lists what each
// stage writes. Every stage can be called alone.
#pragma once

#include <corten/core/status.hpp>
#include <corten/model/model_ref.hpp>
#include <corten/sensor/sensor.hpp>
#include <corten/solver/solve.hpp>
#include <corten/stage/acceleration.hpp>
#include <corten/stage/actuation.hpp>
#include <corten/stage/bias.hpp>
#include <corten/stage/collision.hpp>
#include <corten/stage/com.hpp>
#include <corten/stage/constraint.hpp>
#include <corten/stage/energy.hpp>
#include <corten/stage/factor.hpp>
#include <corten/stage/inertia.hpp>
#include <corten/stage/kinematics.hpp>
#include <corten/stage/passive.hpp>
#include <corten/stage/transmission.hpp>
#include <corten/stage/velocity.hpp>
#include <corten/tendon/path.hpp>

namespace corten {

// what depends on qpos alone
template <class M, class D>
CORTEN_FN void forward_position(const M& m, const D& d) {
  kinematics(m, d);
  com(m, d);
  tendon(m, d);
  inertia(m, d);
  factor(m, d);
  collision(m, d);
  constraint(m, d);
  transmission(m, d);
}

// what depends on qpos and qvel
template <class M, class D>
CORTEN_FN void forward_velocity(const M& m, const D& d) {
  velocity(m, d);
  passive(m, d);
  reference(m, d);
  bias(m, d);
}

// what depends on all inputs
template <class M, class D>
CORTEN_FN void forward_acceleration(const M& m, const D& d) {
  actuation(m, d);
  acceleration(m, d);
  solve(m, d);
}

// From the state and the inputs to everything else; the state is not changed. Trial states of an
// integrator go without sensors. Stops, with the status saying why, when contacts or rows do not fit.
template <class SM, class P, class D>
CORTEN_ENTRY Status forward(const ModelRef<SM, P>& m, const D& d, bool with_sensors = true) {
  using S = typename D::Scalar;
  const bool sensors = with_sensors && !m.opt.disabled(disable_sensor);
  const bool energy = m.opt.enabled(enable_energy);
  d.status = 0;
  d.energy[0] = d.energy[1] = S(0);

  forward_position(m, d);
  if (Status{d.status}.overflow()) return Status{d.status};
  if (sensors) sensor_position(m, d);
  if (energy) potential_energy(m, d);

  forward_velocity(m, d);
  if (sensors) sensor_velocity(m, d);
  if (energy) kinetic_energy(m, d);

  forward_acceleration(m, d);
  if (sensors) sensor_acceleration(m, d);
  return Status{d.status};
}

}  // namespace corten
