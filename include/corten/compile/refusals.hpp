// SPDX-License-Identifier: Apache-2.0
//
// Features of MuJoCo that this library does not support yet. A model that uses one is refused with
// an error that names it; nothing is ever ignored silently. Each refusal is one entry here, to be
// removed when the feature is implemented.
#pragma once

#include <corten/compile/actuator.hpp>
#include <corten/compile/sensor.hpp>
#include <corten/compile/unsupported.hpp>
#include <corten/geom/geoms.hpp>

#include <algorithm>
#include <iterator>
#include <string>

namespace corten::compiler {

namespace detail {

CORTEN_COLD Error refused_section(const Location& where, const char* section, std::string_view what,
                                  std::string_view remedy = {}) {
  return Error{where, std::string("mujoco/") + section, std::string(what) + not_yet, remedy};
}

CORTEN_COLD Error refused(const spec::Element& element, std::string_view what,
                          std::string_view remedy = {}) {
  return element.error(std::string(what) + not_yet, remedy);
}

CORTEN_COLD Result<void> refuse_compiler(const spec::Compiler& c) {
  if (c.coordinate == spec::Coordinate::global) {
    return Error{c.where, "mujoco/compiler", "global coordinates are not supported", ""};
  }
  return {};
}

inline constexpr const char* tell_compiler =
    "pass extensions_of<Policies>() to compile(), with policies that list this kind";

// refuses joints of an unknown kind, and parameters that the kind does not have
CORTEN_COLD Result<void> refuse_joint(const Draft& d, const spec::Joint& e) {
  const JointKind kind = d.joint_kind(type_of(e));
  if (kind.nv == 0) return e.error("unknown kind of joint", tell_compiler);
  if (const char* name = unknown_parameter(e.parameters, kind.parameters)) {
    return e.error(std::string("a ") + kind.name + " joint has no attribute '" + name + "'");
  }
  return {};
}

CORTEN_COLD Result<void> refuse_geom(const Draft& d, const spec::Geom& e) {
  const GeomType type = e.type.value_or(GeomType::sphere);
  if (find_geom(d.extensions, type) == nullptr) {
    if (is_user(type)) return e.error("unknown kind of geom", tell_compiler);
    return refused(e, "type=\"" + std::string(spec::word_of(type)) + "\"");
  }
  const bool has_mesh = e.mesh && !e.mesh->empty();
  if (e.grid != nullptr) {
    if (type != GeomType::sdf || has_mesh) return e.error("grid needs type=\"sdf\" and no mesh");
    if (auto done = asset::check_grid(*e.grid); !done) return e.error(done.error().message);
  }
  if (type == GeomType::mesh && !has_mesh) return e.error("mesh is missing");
  if ((type == GeomType::hfield) != (e.hfield && !e.hfield->empty())) {
    return e.error(e.hfield ? "hfield needs type=\"hfield\"" : "hfield is missing");
  }
  return {};
}

CORTEN_COLD Result<void> refuse_actuator(const spec::Actuator& e) {
  const spec::Transmission t = spec::transmission(e);
  if (e.refsite && t.type != TransmissionType::site) {
    return e.error("refsite can only be used with a site transmission");
  }
  if (e.slidersite && t.type != TransmissionType::slidercrank) {
    return e.error("slidersite can only be used with a slider-crank transmission");
  }
  return {};
}

CORTEN_COLD Result<void> refuse_sensor(const spec::Sensor& e) {
  if (static_cast<std::size_t>(e.type) >= std::size(sensor_rows)) {
    return refused(e, "sensor of this type");
  }
  if (e.type == SensorType::plugin) return refused(e, "sensor plugin");
  return {};
}

}  // namespace detail

// refuses elements by their attributes, before anything is compiled
CORTEN_COLD Result<void> refuse_elements(Draft& d) {
  if (auto done = detail::refuse_compiler(d.spec.compiler); !done) return done;
  for (const spec::Joint& e : d.joints) d.note(e, detail::refuse_joint(d, e));
  for (const spec::Geom& e : d.geoms) d.note(e, detail::refuse_geom(d, e));
  for (const spec::Actuator& e : d.actuators) d.note(e, detail::refuse_actuator(e));
  for (const spec::Sensor& e : d.sensors) d.note(e, detail::refuse_sensor(e));
  return {};
}

// refuses combinations of elements, once references are resolved
CORTEN_COLD void refuse_structure(Draft& d) {
  for (int t = 0; t < d.m.n.ntendon; ++t) {
    if (!has_wrapped_armature(d.m, t)) continue;
    d.note(at(d.tendons, t), detail::refused(at(d.tendons, t), wrapped_armature));
  }
}

}  // namespace corten::compiler
