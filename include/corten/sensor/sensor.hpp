// SPDX-License-Identifier: Apache-2.0
//
// Sensor readings: three stages, each run as soon as what its sensors read has been computed. A
// sensor belongs to the stage that the model gives for it (sensor_needstage). Each writes its part
// of sensordata; sensor_acceleration also runs rne_post if a sensor needs it.
#pragma once

#include <corten/sensor/sensors.hpp>
#include <corten/stage/rne_post.hpp>

namespace corten {

namespace detail {

// f(kind, i) for each sensor i of the stage
template <Stage When, class M, class F>
CORTEN_FN void each_sensor(const M& m, F&& f) {
  for (int i = 0; i < m.n.nsensor; ++i) {
    if (static_cast<Stage>(m.sensor_needstage[i]) != When) continue;
    M::Policies::Sensors::visit(m.sensor_type[i], [&](auto kind) {
      if constexpr (decltype(kind)::stage == When) f(kind, i);
    });
  }
}

// clamp the readings of sensor i: real numbers on both sides, positive ones above, directions not
// at all
template <class M, class O>
CORTEN_FN void apply_cutoff(const M& m, int i, const O& out) {
  using S = typename O::Value;
  const S cutoff = S(m.sensor_cutoff[i]);
  if (!any(value(cutoff) > 0)) return;
  const auto data = static_cast<SensorData>(m.sensor_datatype[i]);
  if (data != SensorData::real && data != SensorData::positive) return;
  for (int k = 0; k < m.sensor_dim[i]; ++k) {
    out[k] = min(out[k], cutoff);
    if (data == SensorData::real) out[k] = max(out[k], S(-cutoff));
  }
}

template <Stage When, class M, class D>
CORTEN_FN void read_sensors(const M& m, const D& d) {
  if (m.opt.disabled(disable_sensor)) return;
  each_sensor<When>(m, [&](auto kind, int i) {
    const auto out = d.sensordata.from(m.sensor_adr[i]);
    kind.evaluate(m, d, i, out);
    apply_cutoff(m, i, out);
  });
}

}  // namespace detail

template <class M, class D>
CORTEN_FN void sensor_position(const M& m, const D& d) {
  detail::read_sensors<Stage::position>(m, d);
}

template <class M, class D>
CORTEN_FN void sensor_velocity(const M& m, const D& d) {
  detail::read_sensors<Stage::velocity>(m, d);
}

template <class M, class D>
CORTEN_FN void sensor_acceleration(const M& m, const D& d) {
  bool needed = false;
  detail::each_sensor<Stage::acceleration>(
      m, [&](auto kind, int) { needed = needed || decltype(kind)::needs_rne_post; });
  if (needed && !m.opt.disabled(disable_sensor)) rne_post(m, d);
  detail::read_sensors<Stage::acceleration>(m, d);
}

}  // namespace corten
