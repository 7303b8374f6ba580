// SPDX-License-Identifier: Apache-2.0
//
// Sensors: what they read, how many numbers they give, when they can be evaluated.
#pragma once

#include <corten/compile/draft.hpp>

namespace corten::compiler {

// What a kind of sensor is. All of MuJoCo's are listed; support.hpp says which ones are evaluated.
struct SensorKind {
  SensorType type;
  const char* name;
  int dim;  // 0: not fixed by the kind
  SensorData data;
  Stage stage;
  ObjectType object;   // what it must be attached to; unknown: nothing, or what `frame` says
  bool frame = false;  // attached to anything that has a frame
};

namespace sensor_table {

using enum SensorType;
using enum SensorData;
using enum Stage;
using On = ObjectType;

inline constexpr SensorKind kinds[] = {
    {touch, "touch", 1, positive, acceleration, On::site},
    {accelerometer, "accelerometer", 3, real, acceleration, On::site},
    {velocimeter, "velocimeter", 3, real, velocity, On::site},
    {gyro, "gyro", 3, real, velocity, On::site},
    {force, "force", 3, real, acceleration, On::site},
    {torque, "torque", 3, real, acceleration, On::site},
    {magnetometer, "magnetometer", 3, real, position, On::site},
    {rangefinder, "rangefinder", 0, real, position, On::unknown},
    {camprojection, "camprojection", 2, real, position, On::site},
    {jointpos, "jointpos", 1, real, position, On::joint},
    {jointvel, "jointvel", 1, real, velocity, On::joint},
    {tendonpos, "tendonpos", 1, real, position, On::tendon},
    {tendonvel, "tendonvel", 1, real, velocity, On::tendon},
    {actuatorpos, "actuatorpos", 1, real, position, On::actuator},
    {actuatorvel, "actuatorvel", 1, real, velocity, On::actuator},
    {actuatorfrc, "actuatorfrc", 1, real, acceleration, On::actuator},
    {jointactuatorfrc, "jointactuatorfrc", 1, real, acceleration, On::joint},
    {tendonactuatorfrc, "tendonactuatorfrc", 1, real, acceleration, On::tendon},
    {ballquat, "ballquat", 4, quaternion, position, On::joint},
    {ballangvel, "ballangvel", 3, real, velocity, On::joint},
    {jointlimitpos, "jointlimitpos", 1, real, position, On::joint},
    {jointlimitvel, "jointlimitvel", 1, real, velocity, On::joint},
    {jointlimitfrc, "jointlimitfrc", 1, real, acceleration, On::joint},
    {tendonlimitpos, "tendonlimitpos", 1, real, position, On::tendon},
    {tendonlimitvel, "tendonlimitvel", 1, real, velocity, On::tendon},
    {tendonlimitfrc, "tendonlimitfrc", 1, real, acceleration, On::tendon},
    {framepos, "framepos", 3, real, position, On::unknown, true},
    {framequat, "framequat", 4, quaternion, position, On::unknown, true},
    {framexaxis, "framexaxis", 3, axis, position, On::unknown, true},
    {frameyaxis, "frameyaxis", 3, axis, position, On::unknown, true},
    {framezaxis, "framezaxis", 3, axis, position, On::unknown, true},
    {framelinvel, "framelinvel", 3, real, velocity, On::unknown, true},
    {frameangvel, "frameangvel", 3, real, velocity, On::unknown, true},
    {framelinacc, "framelinacc", 3, real, acceleration, On::unknown, true},
    {frameangacc, "frameangacc", 3, real, acceleration, On::unknown, true},
    {subtreecom, "subtreecom", 3, real, position, On::body},
    {subtreelinvel, "subtreelinvel", 3, real, velocity, On::body},
    {subtreeangmom, "subtreeangmom", 3, real, velocity, On::body},
    {insidesite, "insidesite", 1, positive, position, On::unknown, true},
    {distance, "distance", 1, real, position, On::unknown},
    {normal, "normal", 3, axis, position, On::unknown},
    {fromto, "fromto", 6, real, position, On::unknown},
    {contact, "contact", 0, real, acceleration, On::unknown},
    {e_potential, "e_potential", 1, real, position, On::unknown},
    {e_kinetic, "e_kinetic", 1, real, position, On::unknown},
    {clock, "clock", 1, real, position, On::unknown},
    {tactile, "tactile", 0, real, acceleration, On::unknown},
    {plugin, "plugin", 0, real, position, On::unknown},
    {user, "user", 0, real, acceleration, On::unknown},
};

}  // namespace sensor_table

// null if the kind is not in the table
inline const SensorKind* find_sensor_kind(SensorType type) {
  for (const SensorKind& kind : sensor_table::kinds) {
    if (kind.type == type) return &kind;
  }
  return nullptr;
}

namespace detail {

inline bool has_frame(ObjectType type) {
  return type == ObjectType::body || type == ObjectType::xbody || type == ObjectType::geom ||
         type == ObjectType::site;
}

CORTEN_COLD Problem find_sensed(const Draft& d, const spec::Sensor& e, ObjectType type,
                                const std::string& name, int& id) {
  id = -1;
  if (type == ObjectType::unknown) return {};
  const Index* index = d.index.of(type);
  if (index == nullptr) return e.error("a sensor cannot refer to this type of object");
  if (name.empty()) return e.error("the name of the object is missing");
  for (const auto& word : spec::object_words) {
    if (word.value == static_cast<int>(type)) return find_reference(*index, name, word.word, e, id);
  }
  return {};
}

// is the object of the type that the sensor needs, and the joint of the right kind?
CORTEN_COLD Problem check_object(const Draft& d, const spec::Sensor& e, const SensorKind& kind,
                                 int object) {
  if (kind.frame && !has_frame(e.objtype)) {
    return e.error(std::string(kind.name) + " must be attached to a body, geom or site");
  }
  if (!kind.frame && kind.object != e.objtype) {
    return e.error(std::string(kind.name) + " is attached to an object of the wrong type");
  }
  if (e.objtype != ObjectType::joint) return {};
  const JointKind joint = d.joint_kind(static_cast<JointType>(at(d.m.jnt_type, object)));
  const bool wants_ball = e.type == SensorType::ballquat || e.type == SensorType::ballangvel;
  if (wants_ball && joint.type != JointType::ball) {
    return e.error(std::string(kind.name) + " needs a ball joint");
  }
  if (!wants_ball && !joint.is_scalar()) {
    return e.error(std::string(kind.name) + " needs a slide or hinge joint");
  }
  return {};
}

CORTEN_COLD Problem check_numbers(const spec::Sensor& e, const SensorKind& kind) {
  if (e.noise.value_or(0) < 0) return e.error("noise cannot be negative");
  if (e.cutoff.value_or(0) < 0) return e.error("cutoff cannot be negative");
  const bool direction = kind.data == SensorData::axis || kind.data == SensorData::quaternion;
  if (e.cutoff.value_or(0) > 0 && direction) {
    return e.error("cutoff cannot be applied to an axis or a quaternion");
  }
  return {};
}

}  // namespace detail

CORTEN_COLD Problem write_sensors(Draft& d) {
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
