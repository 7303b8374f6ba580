// SPDX-License-Identifier: Apache-2.0
//
// Sensors: what they read, how many numbers they give, when they can be evaluated.
#pragma once

#include <corten/compile/draft.hpp>

namespace corten::compiler {

// What a kind of sensor is. The table lists those that the pipeline evaluates; support.hpp refuses the
// rest by name.
struct SensorKind {
  SensorType type;
  const char* name;
  int dim;
  SensorData data;
  Stage stage;
  ObjectType object;  // unknown: anything with a frame; see `frame`
  bool frame = false;
};

inline constexpr SensorKind sensor_kinds[] = {
    {SensorType::touch, "touch", 1, SensorData::positive, Stage::acceleration, ObjectType::site},
    {SensorType::accelerometer, "accelerometer", 3, SensorData::real, Stage::acceleration,
     ObjectType::site},
    {SensorType::velocimeter, "velocimeter", 3, SensorData::real, Stage::velocity, ObjectType::site},
    {SensorType::gyro, "gyro", 3, SensorData::real, Stage::velocity, ObjectType::site},
    {SensorType::jointpos, "jointpos", 1, SensorData::real, Stage::position, ObjectType::joint},
    {SensorType::jointvel, "jointvel", 1, SensorData::real, Stage::velocity, ObjectType::joint},
    {SensorType::tendonpos, "tendonpos", 1, SensorData::real, Stage::position, ObjectType::tendon},
    {SensorType::tendonvel, "tendonvel", 1, SensorData::real, Stage::velocity, ObjectType::tendon},
    {SensorType::actuatorpos, "actuatorpos", 1, SensorData::real, Stage::position,
     ObjectType::actuator},
    {SensorType::actuatorvel, "actuatorvel", 1, SensorData::real, Stage::velocity,
     ObjectType::actuator},
    {SensorType::actuatorfrc, "actuatorfrc", 1, SensorData::real, Stage::acceleration,
     ObjectType::actuator},
    {SensorType::ballquat, "ballquat", 4, SensorData::quaternion, Stage::position, ObjectType::joint},
    {SensorType::ballangvel, "ballangvel", 3, SensorData::real, Stage::velocity, ObjectType::joint},
    {SensorType::framepos, "framepos", 3, SensorData::real, Stage::position, ObjectType::unknown, true},
    {SensorType::framequat, "framequat", 4, SensorData::quaternion, Stage::position,
     ObjectType::unknown, true},
    {SensorType::framexaxis, "framexaxis", 3, SensorData::axis, Stage::position, ObjectType::unknown,
     true},
    {SensorType::frameyaxis, "frameyaxis", 3, SensorData::axis, Stage::position, ObjectType::unknown,
     true},
    {SensorType::framezaxis, "framezaxis", 3, SensorData::axis, Stage::position, ObjectType::unknown,
     true},
    {SensorType::framelinvel, "framelinvel", 3, SensorData::real, Stage::velocity, ObjectType::unknown,
     true},
    {SensorType::frameangvel, "frameangvel", 3, SensorData::real, Stage::velocity, ObjectType::unknown,
     true},
    {SensorType::subtreecom, "subtreecom", 3, SensorData::real, Stage::position, ObjectType::body},
    {SensorType::clock, "clock", 1, SensorData::real, Stage::position, ObjectType::unknown},
};

// null if the kind is not in the table
inline const SensorKind* find_sensor_kind(SensorType type) {
  for (const SensorKind& kind : sensor_kinds) {
    if (kind.type == type) return &kind;
  }
  return nullptr;
}

namespace detail {

inline bool has_frame(ObjectType type) {
  return type == ObjectType::body || type == ObjectType::xbody || type == ObjectType::geom ||
         type == ObjectType::site;
}

inline Problem find_sensed(const Draft& d, const spec::Sensor& e, ObjectType type,
                           const std::string& name, int& id) {
  id = -1;
  if (type == ObjectType::unknown) return {};
  const Index* index = d.index.of(type);
  if (index == nullptr) return e.error("a sensor cannot refer to this type of object");
  if (name.empty()) return e.error("the name of the object is missing");
  for (const auto& word : spec::object_words) {
    if (word.value == type) return find_reference(*index, name, word.word, e, id);
  }
  return {};
}

// is the object of the type that the sensor needs, and the joint of the right kind?
inline Problem check_object(const Draft& d, const spec::Sensor& e, const SensorKind& kind, int object) {
  if (kind.frame && !has_frame(e.objtype)) {
    return e.error(std::string(kind.name) + " must be attached to a body, geom or site");
  }
  if (!kind.frame && kind.object != e.objtype) {
    return e.error(std::string(kind.name) + " is attached to an object of the wrong type");
  }
  if (e.objtype != ObjectType::joint) return {};
  const auto joint = static_cast<JointType>(at(d.m.jnt_type, object));
  const bool wants_ball = e.type == SensorType::ballquat || e.type == SensorType::ballangvel;
  if (wants_ball && joint != JointType::ball) {
    return e.error(std::string(kind.name) + " needs a ball joint");
  }
  if (!wants_ball && joint != JointType::hinge && joint != JointType::slide) {
    return e.error(std::string(kind.name) + " needs a slide or hinge joint");
  }
  return {};
}

inline Problem check_numbers(const spec::Sensor& e, const SensorKind& kind) {
  if (e.noise.value_or(0) < 0) return e.error("noise cannot be negative");
  if (e.cutoff.value_or(0) < 0) return e.error("cutoff cannot be negative");
  const bool direction = kind.data == SensorData::axis || kind.data == SensorData::quaternion;
  if (e.cutoff.value_or(0) > 0 && direction) {
    return e.error("cutoff cannot be applied to an axis or a quaternion");
  }
  return {};
}

}  // namespace detail

inline Problem write_sensors(Draft& d) {
  Model<double>& m = d.m;
  int address = 0;
  for (int i = 0; i < m.n.nsensor; ++i) {
    const spec::Sensor& e = at(d.sensors, i);
    const SensorKind& kind = *find_sensor_kind(e.type);
    int object = -1, reference = -1;
    if (Problem p = detail::check_numbers(e, kind)) return p;
    if (Problem p = detail::find_sensed(d, e, e.objtype, e.objname, object)) return p;
    if (Problem p = detail::find_sensed(d, e, e.reftype, e.refname, reference)) return p;
    if (Problem p = detail::check_object(d, e, kind, object)) return p;
    if (reference >= 0 && !detail::has_frame(e.reftype)) {
      return e.error("the reference frame must be that of a body, geom or site");
    }
    put(m.sensor_type, i, e.type);
    put(m.sensor_datatype, i, kind.data);
    put(m.sensor_needstage, i, kind.stage);
    put(m.sensor_objtype, i, e.objtype);
    put(m.sensor_objid, i, object);
    put(m.sensor_reftype, i, e.reftype);
    put(m.sensor_refid, i, reference);
    put(m.sensor_dim, i, kind.dim);
    put(m.sensor_adr, i, address);
    put(m.sensor_cutoff, i, e.cutoff.value_or(0));
    put(m.sensor_noise, i, e.noise.value_or(0));
    put(m.sensor_historyadr, i, -1);
    at(m.sensor_history, 2 * i + 1) = static_cast<int>(e.interp.value_or(spec::Interpolation::zoh));
    put(m.sensor_delay, i, e.delay.value_or(0));
    put(m.sensor_interval, i, e.interval.value_or({0, 0}));
    if (Problem p = put_user(m.sensor_user, m.n.nuser_sensor, "nuser_sensor", i, e)) return p;
    address += kind.dim;
  }
  return {};
}

}  // namespace corten::compiler
