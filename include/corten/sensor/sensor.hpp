// SPDX-License-Identifier: Apache-2.0
//
// Sensor readings: three stages, each run as soon as what its sensors read has been computed. A
// sensor belongs to the stage that the model gives for it (sensor_needstage). Each writes its part
// of sensordata; sensor_velocity and sensor_acceleration also run subtree_velocity and rne_post if a
// sensor needs them.
#pragma once

#include <corten/sensor/sensors.hpp>
#include <corten/stage/rne_post.hpp>
#include <corten/stage/subtree.hpp>

#include <type_traits>

namespace corten {

namespace detail {

// which sensors of a stage: all, those that packs of worlds can read, or the others
enum class Readers { all, in_lanes, by_world };

template <class S>
inline constexpr bool is_lanes = !std::is_same_v<mask_t<S>, bool>;

// f(kind, i) for each sensor i of the stage
template <Stage When, Readers Which = Readers::all, class M, class F>
CORTEN_FN void each_sensor(const M& m, F&& f) {
  for (int i = 0; i < m.n.nsensor; ++i) {
    if (static_cast<Stage>(m.sensor_needstage[i]) != When) continue;
    M::Policies::Sensors::visit(m.sensor_type[i], [&](auto kind) {
      using K = decltype(kind);
      constexpr bool here = K::stage == When || K::stage == Stage::none;
      constexpr bool wanted = Which == Readers::all || K::by_world == (Which == Readers::by_world);
      if constexpr (here && wanted) f(kind, i);
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

// what sensors of a stage need besides that which forward computes
template <Stage When, Readers Which, class M, class D>
CORTEN_FN void prepare_sensors(const M& m, const D& d) {
  bool subtree = false, post = false;
  each_sensor<When, Which>(m, [&](auto kind, int) {
    subtree = subtree || decltype(kind)::needs_subtree_velocity;
    post = post || decltype(kind)::needs_rne_post;
  });
  if constexpr (When == Stage::velocity) {
    if (subtree) subtree_velocity(m, d);
  }
  if constexpr (When == Stage::acceleration) {
    if (post) rne_post(m, d);
  }
}

template <Stage When, Readers Which, class M, class D>
CORTEN_FN void read_sensors(const M& m, const D& d) {
  if (m.n.nsensor == 0 || m.opt.disabled(disable_sensor)) return;
  if constexpr (When != Stage::position) prepare_sensors<When, Which>(m, d);
  each_sensor<When, Which>(m, [&](auto kind, int i) {
    const auto out = d.sensordata.from(m.sensor_adr[i]);
    kind.evaluate(m, d, i, out);
    if constexpr (decltype(kind)::has_cutoff) apply_cutoff(m, i, out);
  });
}

template <class D>
inline constexpr Readers readers =
    is_lanes<typename D::Scalar> ? Readers::in_lanes : Readers::all;

// does a sensor look at single worlds?
template <class M>
CORTEN_FN bool reads_worlds(const M& m) {
  bool out = false;
  const auto found = [&](auto, int) { out = true; };
  each_sensor<Stage::position, Readers::by_world>(m, found);
  each_sensor<Stage::velocity, Readers::by_world>(m, found);
  each_sensor<Stage::acceleration>(m, found);
  return out;
}

// in one of several worlds in lockstep: what their pack could not read
template <class M, class D>
CORTEN_FN void sensors_by_world(const M& m, const D& d) {
  read_sensors<Stage::position, Readers::by_world>(m, d);
  read_sensors<Stage::velocity, Readers::by_world>(m, d);
  read_sensors<Stage::acceleration, Readers::all>(m, d);
}

}  // namespace detail

template <class M, class D>
CORTEN_FN void sensor_position(const M& m, const D& d) {
  detail::read_sensors<Stage::position, detail::readers<D>>(m, d);
}

template <class M, class D>
CORTEN_FN void sensor_velocity(const M& m, const D& d) {
  detail::read_sensors<Stage::velocity, detail::readers<D>>(m, d);
}

template <class M, class D>
CORTEN_FN void sensor_acceleration(const M& m, const D& d) {
  detail::read_sensors<Stage::acceleration, detail::Readers::all>(m, d);
}

}  // namespace corten
