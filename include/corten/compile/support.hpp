// SPDX-License-Identifier: Apache-2.0
//
// What MuJoCo can do and this library cannot do yet. A model that asks for it is refused by name:
// nothing is ever ignored silently. Each refusal is one entry here, to be removed with the work
// that lifts it.
#pragma once

#include <corten/compile/actuator.hpp>
#include <corten/compile/sensor.hpp>
#include <corten/geom/geoms.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>

namespace corten::compiler {

namespace detail {

inline constexpr const char* not_yet = " is not supported yet";

CORTEN_COLD Error refused_section(const Location& where, const char* section, std::string_view what,
                                  std::string_view remedy = {}) {
  return Error{where, std::string("mujoco/") + section, std::string(what) + not_yet, remedy};
}

CORTEN_COLD Error refused(const spec::Element& element, std::string_view what,
                          std::string_view remedy = {}) {
  return element.error(std::string(what) + not_yet, remedy);
}

CORTEN_COLD Problem refuse_compiler(const spec::Compiler& c) {
  if (c.fusestatic.value_or(false))
    return refused_section(c.where, "compiler", "fusestatic=\"true\"");
  if (c.discardvisual.value_or(false))
    return refused_section(c.where, "compiler", "discardvisual=\"true\"");
  if (c.coordinate == spec::Coordinate::global) {
    return Error{c.where, "mujoco/compiler", "global coordinates are not supported", ""};
  }
  return {};
}

CORTEN_COLD Problem refuse_option(const spec::Option& o) {
  const int enabled = o.flag.enableflags(), disabled = o.flag.disableflags();
  // fwdinv only compares, and invdiscrete only changes inverse dynamics: neither changes a step
  if (enabled & enable_sleep) return refused_section(o.where, "option/flag", "sleep=\"enable\"");
  if (disabled & disable_nativeccd) {
    return refused_section(o.where, "option/flag", "nativeccd=\"disable\"",
                           "the native collider is the only one");
  }
  return {};
}

inline constexpr const char* tell_compiler =
    "pass extensions_of<Policies>() of policies that list it to compile()";

// joints of a kind that is not known, and numbers that a kind does not have
CORTEN_COLD Problem refuse_joint(const Draft& d, const spec::Joint& e) {
  const JointKind kind = d.joint_kind(type_of(e));
  if (kind.nv == 0) return e.error("its kind of joint is unknown", tell_compiler);
  for (const spec::Parameters::Entry& given : e.parameters.entries) {
    bool known = false;
    for (const Parameter& p : kind.parameters)
      known = known || std::string_view(given.name) == p.name;
    if (!known) {
      std::string message = "a ";
      message.append(kind.name).append(" joint has no attribute '").append(given.name).append("'");
      return e.error(message);
    }
  }
  return {};
}

CORTEN_COLD Problem refuse_geom(const Draft& d, const spec::Geom& e) {
  const GeomType type = e.type.value_or(GeomType::sphere);
  if (find_geom(d.extensions, type) == nullptr) {
    if (is_user(type)) return e.error("its kind of geom is unknown", tell_compiler);
    return refused(e, "type=\"" + std::string(spec::word_of(type)) + "\"");
  }
  if (e.mesh) return refused(e, "fitting a geom to a mesh");
  if (e.hfield) return e.error("hfield needs type=\"hfield\"");
  return {};
}

CORTEN_COLD Problem refuse_tendon(const Draft& d, int t) {
  const Model<double>& m = d.m;
  const spec::Tendon& e = at(d.tendons, t);
  const int first = at(m.tendon_adr, t), end = first + at(m.tendon_num, t);
  for (int w = first; w < end; ++w) {
    const spec::Tendon::Entry& entry = at(e.entries, w - first);
    if (!is_scalar(d, at(m.wrap_objid, w))) {
      return Error{entry.where, e.path, "joint '" + entry.joint + "' is not a slide or hinge joint",
                   ""};
    }
    if (w > first && at(m.ten_J_colind, w) == at(m.ten_J_colind, w - 1)) {
      return refused(e, "a joint that appears twice in a tendon", "add the coefficients");
    }
  }
  return {};
}

// Inertia along a tendon couples its dofs. The inertia matrix has room for that only between a dof
// and its ancestors.
CORTEN_COLD Problem refuse_branched_armature(const Draft& d, int t) {
  const Model<double>& m = d.m;
  double armature = at(m.tendon_armature, t);
  for (int a = 0; a < m.n.nactuator; ++a) {
    const bool here = at(m.actuator_trntype, a) == static_cast<int>(TransmissionType::tendon) &&
                      at(m.actuator_trnid, 2 * a) == t;
    if (here) armature += std::abs(at(m.actuator_armature, a));
  }
  if (armature == 0) return {};
  const int first = at(m.ten_J_rowadr, t), end = first + at(m.ten_J_rownnz, t);
  int v = at(m.ten_J_colind, end - 1);
  for (int k = end - 1; k >= first; --k) {
    while (v > at(m.ten_J_colind, k)) v = at(m.dof_parentid, v);
    if (v == at(m.ten_J_colind, k)) continue;
    return refused(at(d.tendons, t), "armature of a tendon whose joints are on different branches");
  }
  return {};
}

CORTEN_COLD Problem refuse_actuator(const spec::Actuator& e) {
  const Transmission t = transmission_of(e);
  if (t.type == TransmissionType::slidercrank) return refused(e, "a slider-crank transmission");
  if (t.type == TransmissionType::body) return refused(e, "a body transmission (adhesion)");
  if (t.type == TransmissionType::site && e.refsite) {
    return refused(e, "a site transmission with refsite", "remove refsite");
  }
  if (e.refsite) return e.error("refsite can only be used with a site transmission");
  if (e.slidersite || e.cranklength) {
    return e.error("cranklength and slidersite can only be used with a slider-crank transmission");
  }
  const DynamicsType dyn = e.dyntype.value_or(DynamicsType::none);
  if (dyn != DynamicsType::none && dyn != DynamicsType::integrator && dyn != DynamicsType::filter &&
      dyn != DynamicsType::filterexact) {
    return refused(e, "dyntype=\"" + std::string(spec::word_of(dyn)) + "\"");
  }
  const GainType gain = e.gaintype.value_or(GainType::fixed);
  if (gain != GainType::fixed && gain != GainType::affine) {
    return refused(e, "gaintype=\"" + std::string(spec::word_of(gain)) + "\"");
  }
  const BiasType bias = e.biastype.value_or(BiasType::none);
  if (bias != BiasType::none && bias != BiasType::affine) {
    return refused(e, "biastype=\"" + std::string(spec::word_of(bias)) + "\"");
  }
  if (e.nsample.value_or(0) > 0 || e.delay.value_or(0) > 0) {
    return refused(e, "a delay of the control");
  }
  if (e.input) return e.error("input is only available for so3, pid and dcmotor actuators");
  return {};
}

inline constexpr SensorType evaluated_sensors[] = {
    SensorType::touch,       SensorType::accelerometer, SensorType::velocimeter,
    SensorType::gyro,        SensorType::jointpos,      SensorType::jointvel,
    SensorType::tendonpos,   SensorType::tendonvel,     SensorType::actuatorpos,
    SensorType::actuatorvel, SensorType::actuatorfrc,   SensorType::ballquat,
    SensorType::ballangvel,  SensorType::framepos,      SensorType::framequat,
    SensorType::framexaxis,  SensorType::frameyaxis,    SensorType::framezaxis,
    SensorType::framelinvel, SensorType::frameangvel,   SensorType::subtreecom,
    SensorType::clock};

CORTEN_COLD Problem refuse_sensor(const spec::Sensor& e) {
  const bool evaluated = std::find(std::begin(evaluated_sensors), std::end(evaluated_sensors),
                                   e.type) != std::end(evaluated_sensors);
  const SensorKind* kind = find_sensor_kind(e.type);
  if (kind == nullptr || !evaluated) {
    return refused(e, std::string("sensor ") + (kind != nullptr ? kind->name : "of this type"));
  }
  if (e.objtype == ObjectType::camera || e.reftype == ObjectType::camera) {
    return refused(e, "a sensor on a camera");
  }
  const bool periodic = e.interval[0] != 0 || e.interval[1] != 0;
  if (e.nsample.value_or(0) > 0 || e.delay.value_or(0) > 0 || periodic) {
    return refused(e, "a history of the sensor (nsample, delay, interval)");
  }
  return {};
}

}  // namespace detail

// before anything is compiled: elements by what they say
CORTEN_COLD Problem refuse_elements(const Draft& d) {
  if (Problem p = detail::refuse_compiler(d.spec.compiler)) return p;
  if (Problem p = detail::refuse_option(d.spec.option)) return p;
  for (const spec::Joint& e : d.joints) {
    if (Problem p = detail::refuse_joint(d, e)) return p;
  }
  for (const spec::Geom& e : d.geoms) {
    if (Problem p = detail::refuse_geom(d, e)) return p;
  }
  for (const spec::Actuator& e : d.actuators) {
    if (Problem p = detail::refuse_actuator(e)) return p;
  }
  for (const spec::Sensor& e : d.sensors) {
    if (Problem p = detail::refuse_sensor(e)) return p;
  }
  return {};
}

// afterwards: what only the ids tell
CORTEN_COLD Problem refuse_structure(const Draft& d) {
  for (int t = 0; t < d.m.n.ntendon; ++t) {
    if (Problem p = detail::refuse_tendon(d, t)) return p;
    if (Problem p = detail::refuse_branched_armature(d, t)) return p;
  }
  return {};
}

}  // namespace corten::compiler
