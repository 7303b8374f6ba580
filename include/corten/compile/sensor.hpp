// SPDX-License-Identifier: Apache-2.0
//
// Sensors: what they read, how many values they have, and at which stage they can be evaluated.
#pragma once

#include <corten/compile/draft.hpp>
#include <corten/compile/joints.hpp>
#include <corten/core/sensors.hpp>
#include <corten/data/history.hpp>
#include <corten/spec/actuator_shape.hpp>

namespace corten::compiler {

namespace detail {

inline bool has_frame(ObjectType type) {
  return type == ObjectType::body || type == ObjectType::xbody || type == ObjectType::geom ||
         type == ObjectType::site || type == ObjectType::camera;
}

CORTEN_COLD Result<void> find_sensed(const Draft& d, const spec::Sensor& e, ObjectType type,
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

// ---- parameters and dimensions ------------------------------------------------------------------

// One bit for each word of `data`. The words must be in the order of the enumeration; if there are
// none, the first one is assumed.
template <class E>
CORTEN_COLD Result<void> read_bits(const spec::Sensor& e, int& bits) {
  std::string known;
  for (const auto& k : spec::keywords<E>)
    known += (known.empty() ? "" : ", ") + std::string(k.word);
  std::string_view rest = e.data ? std::string_view(*e.data) : std::string_view();
  int last = -1;
  bits = 0;
  for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
    int bit = -1;
    for (const auto& k : spec::keywords<E>) {
      if (k.word == word) bit = static_cast<int>(k.value);
    }
    if (bit < 0) return e.error("unknown data '" + std::string(word) + "'", "one of: " + known);
    if (bit <= last) return e.error("the words of data are not in order", "the order is " + known);
    bits |= 1 << bit;
    last = bit;
  }
  if (bits == 0) bits = 1;
  return {};
}

// total size of the fields of a contact or a ray whose bits are set
inline int count_bits(int bits, std::initializer_list<int> sizes) {
  int total = 0;
  for (const int size : sizes) {
    if ((bits & 1) != 0) total += size;
    bits >>= 1;
  }
  return total;
}

// sensor_intprm: bits of data, reduction of contacts, number of slots
CORTEN_COLD Result<void> sensor_parameters(const spec::Sensor& e, std::array<int, 3>& out) {
  out = {0, 0, 0};
  if (e.type == SensorType::rangefinder) return read_bits<RayData>(e, out[0]);
  if (e.type != SensorType::contact) return {};
  out[1] = static_cast<int>(e.reduce.value_or(ContactReduce::none));
  out[2] = e.num.value_or(1);
  if (out[2] <= 0) return e.error("num must be positive");
  return read_bits<ContactData>(e, out[0]);
}

// the number of values of a sensor
CORTEN_COLD Result<void> sensor_dim(const Draft& d, const spec::Sensor& e, int& dim) {
  std::array<int, 3> prm;
  if (auto done = sensor_parameters(e, prm); !done) return done;
  double count = sensor_row(e.type).dim;
  int object = -1;
  if (auto done = find_sensed(d, e, e.objtype, e.objname, object); !done) return done;
  if (e.type == SensorType::contact)
    count = count_bits(prm[0], {1, 3, 3, 1, 3, 3, 3}) * 1.0 * prm[2];
  if (e.type == SensorType::user) count = e.dim.value_or(0);
  if (e.type == SensorType::tactile && object >= 0) count = 3.0 * at(d.solids, object).nvert();
  if (e.objtype == ObjectType::actuator && e.type != SensorType::user) {
    spec::ActuatorShape shape;
    if (auto done = actuator_shape(at(d.actuators, object), shape); !done) return done;
    count = shape.outnum;
  }
  if (e.type == SensorType::rangefinder) {
    count = count_bits(prm[0], {1, 3, 3, 3, 3, 1});
    if (e.objtype == ObjectType::camera) {
      const auto pixels = at(d.cameras, object).resolution.value_or(std::array<int, 2>{1, 1});
      count *= 1.0 * pixels[0] * pixels[1];
    }
  }
  if (count < 0 || count > 1e9)
    return e.error("the number of values must be between 0 and 1000000000");
  dim = static_cast<int>(count);
  return {};
}

// ---- checks -------------------------------------------------------------------------------------

// checks that the joint has the right kind, and that limit sensors have a limit
CORTEN_COLD Result<void> check_sensed_joint(const Draft& d, const spec::Sensor& e,
                                            const SensorRow& kind, int object) {
  using enum SensorType;
  const bool joint = e.objtype == ObjectType::joint;
  if (e.type >= jointlimitpos && e.type <= tendonlimitfrc) {
    const bool limited = at(joint ? d.m.jnt_limited : d.m.tendon_limited, object) != 0;
    if (limited || d.spec.lenient) return {};
    return e.error(std::string(kind.name) + " needs a " + (joint ? "joint" : "tendon") +
                   " with limits");
  }
  if (!joint || e.type == user) return {};
  const JointKind type = d.joint_kind(static_cast<JointType>(at(d.m.jnt_type, object)));
  const bool wants_ball = e.type == ballquat || e.type == ballangvel;
  if (wants_ball && !type.is_rotation()) {
    return e.error(std::string(kind.name) + " needs a ball joint");
  }
  if (!wants_ball && !type.is_scalar()) {
    return e.error(std::string(kind.name) + " needs a slide or hinge joint");
  }
  return {};
}

// requires two different geoms or bodies
CORTEN_COLD Result<void> check_distance(const Draft& d, const spec::Sensor& e, int object,
                                        int reference) {
  const auto solid = [](ObjectType t) { return t == ObjectType::body || t == ObjectType::geom; };
  if (!solid(e.objtype) || !solid(e.reftype)) {
    return e.error("the sensor must be attached to two bodies or geoms");
  }
  if (e.objtype == e.reftype && object == reference) {
    return e.error("the sensor is attached twice to the same object");
  }
  const auto field = [&](ObjectType t, int id) {
    return t == ObjectType::geom && at(d.m.geom_type, id) == static_cast<int>(GeomType::hfield);
  };
  if (field(e.objtype, object) || field(e.reftype, reference)) {
    return e.error("distances to height fields are not supported");
  }
  return {};
}

CORTEN_COLD Result<void> check_criteria(const spec::Sensor& e) {
  using enum ObjectType;
  const auto fits = [](ObjectType t) {
    return t == unknown || t == body || t == xbody || t == geom;
  };
  if (!fits(e.objtype) && e.objtype != site) {
    return e.error("the first criterion must be a site, body, subtree or geom");
  }
  if (!fits(e.reftype)) return e.error("the second criterion must be a body, subtree or geom");
  return {};
}

// checks that the sensor can measure an object of this type
CORTEN_COLD Result<void> check_object(const Draft& d, const spec::Sensor& e, const SensorRow& kind,
                                      int object, int reference) {
  using enum SensorType;
  const std::string name = kind.name;
  if (e.type == contact) return check_criteria(e);
  if (e.type == tactile) {
    if (e.objtype == ObjectType::mesh && e.reftype == ObjectType::geom) return {};
    return e.error("tactile needs a mesh and a geom");
  }
  if (e.type == distance || e.type == normal || e.type == fromto) {
    return check_distance(d, e, object, reference);
  }
  if (e.type == rangefinder) {
    if (e.objtype == ObjectType::site || e.objtype == ObjectType::camera) return {};
    return e.error("rangefinder must be attached to a site or camera");
  }
  if (kind.on_frame() && !has_frame(e.objtype)) {
    return e.error(name + " must be attached to a body, geom, site or camera");
  }
  if (!kind.on_frame() && e.type != user && kind.object != e.objtype) {
    return e.error(name + " is attached to an object of the wrong type");
  }
  if (e.type == insidesite && e.reftype != ObjectType::site) {
    return e.error("insidesite needs a site");
  }
  if (e.type == camprojection) {
    if (e.reftype != ObjectType::camera) return e.error("camprojection needs a camera");
    if (at(d.m.cam_resolution, 2 * reference) == 0 ||
        at(d.m.cam_resolution, 2 * reference + 1) == 0) {
      return e.error("camprojection needs a camera with a resolution");
    }
  }
  return check_sensed_joint(d, e, kind, object);
}

CORTEN_COLD Result<void> check_numbers(const spec::Sensor& e, SensorData data, int dim) {
  if (e.noise.value_or(0) < 0) return e.error("noise cannot be negative");
  if (e.cutoff.value_or(0) < 0) return e.error("cutoff cannot be negative");
  const bool direction =
      (data == SensorData::axis && e.type != SensorType::normal) || data == SensorData::quaternion;
  if (e.cutoff.value_or(0) > 0 && direction) {
    return e.error("cutoff cannot be applied to an axis or a quaternion");
  }
  if (e.type != SensorType::user) return {};
  if (data == SensorData::axis && dim != 3) return e.error("an axis must have dim 3");
  if (data == SensorData::quaternion && dim != 4) return e.error("a quaternion must have dim 4");
  return {};
}

CORTEN_COLD Result<void> check_history(const spec::Sensor& e) {
  const int samples = e.nsample.value_or(0);
  const double period = e.interval[0], phase = e.interval[1];
  if (samples < 0) return e.error("nsample cannot be negative");
  if (samples > 1 << 24) return e.error("nsample is above 16777216");
  if (e.delay.value_or(0) < 0) return e.error("delay cannot be negative");
  if (e.delay.value_or(0) > 0 && samples == 0) {
    return e.error("a delay needs a history", "give nsample");
  }
  if (period < 0) return e.error("the period of interval cannot be negative");
  if (phase > 0) return e.error("the phase of interval cannot be positive");
  if (period > 0 && phase <= -period)
    return e.error("the phase of interval must be shorter than its period");
  return {};
}

CORTEN_COLD Result<void> write_sensor(Draft& d, int i, int address, int history) {
  Model<double>& m = d.m;
  const spec::Sensor& e = at(d.sensors, i);
  const SensorRow& kind = sensor_row(e.type);
  const bool user = e.type == SensorType::user;
  const SensorData data = user ? e.datatype.value_or(SensorData::real) : kind.data;
  int object = -1, reference = -1, dim = 0;
  std::array<int, 3> prm;
  if (auto done = sensor_parameters(e, prm); !done) return done;
  if (auto done = sensor_dim(d, e, dim); !done) return done;
  if (auto done = check_numbers(e, data, dim); !done) return done;
  if (auto done = find_sensed(d, e, e.objtype, e.objname, object); !done) return done;
  if (auto done = find_sensed(d, e, e.reftype, e.refname, reference); !done) return done;
  if (reference >= 0 && !has_frame(e.reftype)) {
    return e.error("the reference frame must be that of a body, geom, site or camera");
  }
  if (auto done = check_object(d, e, kind, object, reference); !done) return done;
  put(m.sensor_type, i, e.type);
  put(m.sensor_datatype, i, data);
  put(m.sensor_needstage, i, user ? e.needstage.value_or(Stage::acceleration) : kind.stage);
  put(m.sensor_objtype, i, e.objtype);
  put(m.sensor_objid, i, object);
  put(m.sensor_reftype, i, e.reftype);
  put(m.sensor_refid, i, reference);
  for (int k = 0; k < 3; ++k) at(m.sensor_intprm, 3 * i + k) = prm[static_cast<std::size_t>(k)];
  put(m.sensor_dim, i, dim);
  put(m.sensor_adr, i, address);
  put(m.sensor_cutoff, i, e.cutoff.value_or(0));
  put(m.sensor_noise, i, e.noise.value_or(0));
  put(m.sensor_historyadr, i, e.nsample.value_or(0) > 0 ? history : -1);
  at(m.sensor_history, 2 * i) = e.nsample.value_or(0);
  at(m.sensor_history, 2 * i + 1) = static_cast<int>(e.interp.value_or(spec::Interpolation::zoh));
  put(m.sensor_delay, i, e.delay.value_or(0));
  put(m.sensor_interval, i, e.interval.value_or({0, 0}));
  return put_user(m.sensor_user, m.n.nuser_sensor, "nuser_sensor", i, e);
}

}  // namespace detail

// adds up the values and the history sizes of all sensors
CORTEN_COLD void count_sensors(Draft& d) {
  Sizes& n = d.m.n;
  double data = 0, history = n.nhistory;
  n.nsensor = static_cast<int>(d.sensors.size());
  for (const spec::Sensor& e : d.sensors) {
    int dim = 0;
    if (d.note(e, detail::sensor_dim(d, e, dim)) || d.note(e, detail::check_history(e))) continue;
    const double samples = e.nsample.value_or(0);
    data += dim;
    if (samples > 0) history += 2 + samples * (1 + dim);
    if (data > 1e9 || history > 1e9) {
      d.note(e, e.error("the sensors together have too many values"));
      break;
    }
  }
  n.nsensordata = static_cast<int>(std::min(data, 1e9));
  n.nhistory = static_cast<int>(std::min(history, 1e9));
}

CORTEN_COLD void write_sensors(Draft& d) {
  const Model<double>& m = d.m;
  int address = 0, history = 0;
  for (int a = 0; a < m.n.nactuator; ++a) {
    const int samples = at(m.actuator_history, 2 * a);
    if (samples > 0) history += history_size(samples, 1);
  }
  for (int i = 0; i < m.n.nsensor; ++i) {
    const spec::Sensor& e = at(d.sensors, i);
    if (d.has_failed(e) || d.note(e, detail::write_sensor(d, i, address, history))) continue;
    const int dim = at(m.sensor_dim, i), samples = at(m.sensor_history, 2 * i);
    address += dim;
    if (samples > 0) history += history_size(samples, dim);
  }
}

}  // namespace corten::compiler
