// SPDX-License-Identifier: Apache-2.0
//
// Sensor readings: three stages, each run as soon as what its sensors read has been computed. The
// model says which stage a sensor belongs to (sensor_needstage). Each stage writes its part of
// sensordata; sensor_velocity and sensor_acceleration also run subtree_velocity and rne_post if a
// sensor needs them.
//
// A sensor of something that sleeps keeps its last reading.
//
// A sensor with a history (nsample) can report its readings late (delay), or be read only now and
// then and keep its reading in between (interval). Its history is part of the state.
#pragma once

#include <corten/core/plain.hpp>
#include <corten/data/history.hpp>
#include <corten/fwd.hpp>
#include <corten/sensor/sensors.hpp>
#include <corten/stage/energy.hpp>
#include <corten/stage/rne_post.hpp>
#include <corten/stage/subtree.hpp>
#include <corten/tree/awake.hpp>

#include <type_traits>

namespace corten {

namespace detail {

// which sensors of a stage: all; those that lanes can read, or the others; those that measure the
// distance of geoms, or the others
enum class Readers { all, in_lanes, by_world, distances, no_distances };

template <class K>
concept MeasuresDistance = requires {
  requires K::measures_distance;
};
template <class K>
concept MeasuresEnergy = requires {
  requires K::measures_energy;
};

template <class Kind>
struct ReadHere {
  using K = Kind;
  static constexpr bool read = true;
  static constexpr SensorNeeds needs{true, K::needs_subtree_velocity, K::needs_rne_post,
                                     MeasuresDistance<K>, MeasuresEnergy<K>};
};
// a single type for all kinds that are read elsewhere, so that they cost nothing to compile
struct ReadElsewhere {
  static constexpr bool read = false;
  static constexpr SensorNeeds needs{};
};

// kinds as a stage sees them
template <Stage When, Readers Which>
struct SensorsOf {
  template <class K>
  static constexpr bool wanted = Which == Readers::all ||
                                 (Which == Readers::distances || Which == Readers::no_distances
                                      ? MeasuresDistance<K> == (Which == Readers::distances)
                                      : K::by_world == (Which == Readers::by_world));
  template <class K>
  static constexpr bool here = (K::stage == When || K::stage == Stage::none) && wanted<K>;
  template <class K>
  using Kind = std::conditional_t<here<K>, ReadHere<K>, ReadElsewhere>;
};

// what sensor i needs, if this stage reads it
template <Stage When, Readers Which, class M>
CORTEN_FN SensorNeeds sensor_needs(const M& m, int i) {
  if (static_cast<Stage>(m.sensor_needstage[i]) != When) return {};
  return M::Policies::Sensors::template needs<SensorsOf<When, Which>::template Kind>(
      m.sensor_type[i]);
}

// clamps the readings of sensor i: real numbers on both sides, positive ones above, directions not
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

// The numbers of sensor i of the stage, from the data. Kinds that measure the distance of geoms
// share the search for it: it contains all colliders, and devices inline every copy of it.
template <Stage When, Readers Which, class M, class D, class O>
CORTEN_ENTRY void evaluate_kind(const M& m, const D& d, int i, const O& out) {
  using Here = SensorsOf<When, Which>;
  using Kinds = typename M::Policies::Sensors;
  Nearest<typename D::Scalar> nearest{};
  if constexpr (Kinds::template measure_distance<Here::template Kind>) {
    if (Kinds::template needs<Here::template Kind>(m.sensor_type[i]).distance) {
      nearest = sensed_distance(m, d, i);
    }
  }
  Kinds::template visit_as<Here::template Kind>(m.sensor_type[i], [&](auto kind) {
    if constexpr (decltype(kind)::read) {
      using K = typename decltype(kind)::K;
      if constexpr (MeasuresDistance<K>) {
        K::report(nearest, out);
      } else {
        K::evaluate(m, d, i, out);
      }
      if constexpr (K::has_cutoff) apply_cutoff(m, i, out);
    }
  });
}

inline constexpr unsigned sensor_kinds_ask = lists::sensors | lists::geoms | lists::colliders;

// The energy is computed here, since kinds of joints of your own store some of it. What follows
// does not ask for them.
template <Stage When, Readers Which, class M, class D, class O>
CORTEN_FN void evaluate_sensor(const M& m, const D& d, int i, const O& out) {
  using Here = SensorsOf<When, Which>;
  using Kinds = typename M::Policies::Sensors;
  if constexpr (Kinds::template measure_energy<Here::template Kind>) {
    if (Kinds::template needs<Here::template Kind>(m.sensor_type[i]).potential_energy) {
      potential_energy(m, d);
    }
  }
  evaluate_kind<When, Which>(model_asked<sensor_kinds_ask>(m), d, i, out);
}

// has the interval of a sensor passed since its last reading?
template <class M, class D>
CORTEN_FN bool is_due(const M& m, const D& d, int i) {
  using T = value_t<typename D::Scalar>;
  const T last = value(d.history[m.sensor_historyadr[i]]);
  return last + static_cast<T>(value(m.sensor_interval[2 * i])) <= value(d.time.get());
}

// Does sensor i read the data now, or its history? Late sensors always read their history.
template <class M, class D>
CORTEN_FN bool looks_now(const M& m, const D& d, int i) {
  if constexpr (is_lanes<typename D::Scalar>) {
    return true;  // models with remembering sensors are not stepped in lanes
  } else {
    if (m.n.nhistory == 0 || m.sensor_history[2 * i] == 0) return true;
    if (value(m.sensor_delay[i]) > 0) return false;
    return !(value(m.sensor_interval[2 * i]) > 0) || is_due(m, d, i);
  }
}

// the reading of sensor i at a time, from its history
template <class M, class D, class S, class O>
CORTEN_FN void recall_reading(const M& m, const D& d, int i, const S& time, const O& out) {
  read_history(d.history.from(m.sensor_historyadr[i]), m.sensor_history[2 * i], m.sensor_dim[i],
               time, static_cast<Interpolation>(m.sensor_history[2 * i + 1]), out);
}

// whether the object of a sensor sleeps
template <class M, class D>
CORTEN_FN SleepState object_state(const M& m, const D& d, int type, int id) {
  const auto of_body = [&](int body) { return static_cast<SleepState>(d.body_awake[body]); };
  const auto whether = [](bool asleep) { return asleep ? SleepState::asleep : SleepState::awake; };
  switch (static_cast<ObjectType>(type)) {
    case ObjectType::body:
    case ObjectType::xbody: return of_body(id);
    case ObjectType::joint: return of_body(m.jnt_bodyid[id]);
    case ObjectType::dof: return of_body(m.dof_bodyid[id]);
    case ObjectType::geom: return of_body(m.geom_bodyid[id]);
    case ObjectType::site: return of_body(m.site_bodyid[id]);
    case ObjectType::camera: return of_body(m.cam_bodyid[id]);
    case ObjectType::light: return of_body(m.light_bodyid[id]);
    case ObjectType::tendon: return tendon_state(m, d, id);
    case ObjectType::actuator: return whether(actuator_asleep(m, d, id));
    default: return SleepState::awake;
  }
}

// A sensor sleeps if its object does, and its reference is not awake. Rays, volumes and the user's
// own sensors may look at anything.
template <class M, class D>
CORTEN_FN bool sensor_asleep(const M& m, const D& d, int i) {
  const auto type = static_cast<SensorType>(m.sensor_type[i]);
  const int object = m.sensor_objtype[i], reference = m.sensor_reftype[i];
  const int site = static_cast<int>(ObjectType::site), unknown = 0;
  const bool volume = type == SensorType::contact && (object == site || reference == site);
  if (volume || type == SensorType::user || type == SensorType::rangefinder) return false;
  const SleepState first = object_state(m, d, object, m.sensor_objid[i]);
  const SleepState second = object_state(m, d, reference, m.sensor_refid[i]);
  if (object == unknown) return reference != unknown && second == SleepState::asleep;
  if (reference == unknown) return first == SleepState::asleep;
  return first != SleepState::awake && second != SleepState::awake;
}

// Computes what the sensors of a stage need beyond what forward computes. Only sensors with
// wanted(i) count.
template <Stage When, Readers Which, class M, class D, class F>
CORTEN_FN void prepare_sensors(const M& m, const D& d, F&& wanted) {
  bool subtree = false, post = false;
  for (int i = 0; i < m.n.nsensor; ++i) {
    const SensorNeeds needs = sensor_needs<When, Which>(m, i);
    if (!(needs.subtree_velocity || needs.rne_post) || !wanted(i)) continue;
    subtree = subtree || needs.subtree_velocity;
    post = post || needs.rne_post;
  }
  if constexpr (When == Stage::velocity) {
    if (subtree) subtree_velocity(m, d);
  }
  if constexpr (When == Stage::acceleration) {
    if (post) rne_post(m, d);
  }
}

template <Stage When, Readers Which, class M, class D>
CORTEN_FN void read_sensors(const M& m, const D& d) {
  using S = typename D::Scalar;
  if (m.n.nsensor == 0 || m.opt.disabled(disable_sensor)) return;
  const bool some = some_asleep(m, d);
  const auto sleeps = [&](int i) { return some && sensor_asleep(m, d, i); };
  const auto now = [&](int i) { return !sleeps(i) && looks_now(m, d, i); };
  if constexpr (When != Stage::position) prepare_sensors<When, Which>(m, d, now);
  for (int i = 0; i < m.n.nsensor; ++i) {
    if (static_cast<Stage>(m.sensor_needstage[i]) != When || sleeps(i)) continue;
    const auto out = d.sensordata.from(m.sensor_adr[i]);
    if (now(i)) {
      evaluate_sensor<When, Which>(m, d, i, out);
    } else if constexpr (!is_lanes<S>) {
      recall_reading(m, d, i, S(d.time.get() - S(m.sensor_delay[i])), out);
    }
  }
}

// Late sensors read the data when the step is over; the others have their reading already.
template <Stage When, class M, class D>
CORTEN_FN void remember_stage(const M& m, const D& d) {
  using S = typename D::Scalar;
  const auto due = [&](int i) {
    if (m.sensor_history[2 * i] == 0) return false;
    return !(value(m.sensor_interval[2 * i]) > 0) || is_due(m, d, i);
  };
  prepare_sensors<When, Readers::all>(
      m, d, [&](int i) { return value(m.sensor_delay[i]) > 0 && due(i); });
  for (int i = 0; i < m.n.nsensor; ++i) {
    if (static_cast<Stage>(m.sensor_needstage[i]) != When || !due(i)) continue;
    const auto data = d.history.from(m.sensor_historyadr[i]);
    const int samples = m.sensor_history[2 * i], dim = m.sensor_dim[i];
    data[0] += S(m.sensor_interval[2 * i]);
    const S time = d.time;
    if (value(m.sensor_delay[i]) > 0) {
      const int at = HistoryView{data, samples, dim, WholeScalar{}}.insert(time);
      evaluate_sensor<When, Readers::all>(m, d, i, data.from(at));
    } else {
      push_history(data, samples, dim, time, d.sensordata.from(m.sensor_adr[i]));
    }
  }
}

// does any sensor have a history?
template <class M>
CORTEN_FN bool remembers_readings(const M& m) {
  if (m.n.nhistory == 0) return false;
  for (int i = 0; i < m.n.nsensor; ++i) {
    if (m.sensor_history[2 * i] > 0) return true;
  }
  return false;
}

template <class D>
inline constexpr Readers readers = is_lanes<typename D::Scalar> ? Readers::in_lanes : Readers::all;

// does any sensor have to be read world by world?
template <class M>
CORTEN_FN bool reads_worlds(const M& m) {
  for (int i = 0; i < m.n.nsensor; ++i) {
    if (sensor_needs<Stage::position, Readers::by_world>(m, i).read ||
        sensor_needs<Stage::velocity, Readers::by_world>(m, i).read ||
        sensor_needs<Stage::acceleration, Readers::all>(m, i).read) {
      return true;
    }
  }
  return false;
}

// reads, for one of several worlds in lanes, the sensors that the lanes could not read
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

// For devices, sensor_position() in two parts: sensors of distances have a kernel of their own,
// since it contains all colliders, and it is launched only if there are any.
template <detail::Readers Which>
struct PositionSensors {
  template <class M, class D>
  CORTEN_FN void operator()(const M& m, const D& d) const {
    detail::read_sensors<Stage::position, Which>(m, d);
  }
};
template <class M, class F>
void sensor_position_parts(const M& m, F&& f) {
  using detail::Readers;
  using Distances = PositionSensors<Readers::distances>;
  f(PositionSensors<Readers::no_distances>{});
  for (int i = 0; i < m.n.nsensor; ++i) {
    if (detail::sensor_needs<Stage::position, Readers::distances>(m, i).read) {
      return f(Distances{});
    }
  }
}

template <class M, class D>
CORTEN_ENTRY void sensor_velocity(const M& m, const D& d) {
  detail::read_sensors<Stage::velocity, detail::readers<D>>(m, d);
}
CORTEN_SHARED(sensor_velocity, lists::sensors)

template <class M, class D>
CORTEN_ENTRY void sensor_acceleration(const M& m, const D& d) {
  // in lanes each world reads its own
  if constexpr (!is_lanes<typename D::Scalar>) {
    detail::read_sensors<Stage::acceleration, detail::Readers::all>(m, d);
  }
}
CORTEN_SHARED(sensor_acceleration, lists::sensors | lists::geoms | lists::constraints)

// One world in lanes reads the sensors that the lanes could not read together, all of them at the
// end.
template <class M, class S>
CORTEN_FN void sensor_position(const M&, const Lane<S>&) {}
template <class M, class S>
CORTEN_FN void sensor_velocity(const M&, const Lane<S>&) {}
template <class M, class S>
CORTEN_FN void sensor_acceleration(const M& m, const Lane<S>& lane) {
  lane.take(lane.block.sensordata, lane.world.sensordata, m.n.nsensordata);
  if (!detail::reads_worlds(m)) return;
  publish_lane(lane);
  detail::sensors_by_world(m, lane.world);
}

// Records the readings of this timestep in the histories of sensors. Called at the end of a step,
// before the state advances.
template <class M, class D>
CORTEN_FN void remember_readings(const M& m, const D& d) {
  if (!detail::remembers_readings(m)) return;
  detail::remember_stage<Stage::position>(m, d);
  detail::remember_stage<Stage::velocity>(m, d);
  detail::remember_stage<Stage::acceleration>(m, d);
}

}  // namespace corten
