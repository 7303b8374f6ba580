// SPDX-License-Identifier: Apache-2.0
//
// Applies default classes to elements. The class is the element's own, else the nearest childclass
// up the body tree (which the caller passes; empty for none), else main:
//
//   Result<spec::Geom> geom = spec::resolve(spec, body.geoms[0], childclass);
//
// The result has every attribute that the element or its class sets. Attributes that are still
// absent have MuJoCo's built-in default.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <corten/core/list.hpp>
#include <corten/spec/field_table.hpp>
#include <corten/spec/shortcuts.hpp>
#include <corten/spec/spec.hpp>
#include <corten/spec/suggest.hpp>

namespace corten::spec {

namespace detail {

inline const Mesh& pick(const Default& d, const Mesh&) { return d.mesh; }
inline const Material& pick(const Default& d, const Material&) { return d.material; }
inline const Joint& pick(const Default& d, const Joint&) { return d.joint; }
inline const Geom& pick(const Default& d, const Geom&) { return d.geom; }
inline const Site& pick(const Default& d, const Site&) { return d.site; }
inline const Camera& pick(const Default& d, const Camera&) { return d.camera; }
inline const Light& pick(const Default& d, const Light&) { return d.light; }
inline const Pair& pick(const Default& d, const Pair&) { return d.pair; }
inline const Equality& pick(const Default& d, const Equality&) { return d.equality; }
inline const Tendon& pick(const Default& d, const Tendon&) { return d.tendon; }
inline const Sensor& pick(const Default& d, const Sensor&) { return d.sensor; }
inline const Actuator& pick(const Default& d, const Actuator&) { return d.actuator; }

// makes all ten parameters present, so that they can be set individually
inline void complete(Actuator& a) {
  constexpr Numbers<10> one{1};
  constexpr Numbers<10> zero{};
  a.dynprm = Leading<10>::all(a.dynprm.value_or(one));
  a.gainprm = Leading<10>::all(a.gainprm.value_or(one));
  a.biasprm = Leading<10>::all(a.biasprm.value_or(zero));
}

// the class that applies to an element
CORTEN_COLD Result<void> find_class(const Spec& spec, const Element& element,
                                    std::string_view childclass, const Default*& found) {
  const std::string_view name = element.class_name.empty() ? childclass : element.class_name;
  const int index = name.empty() ? 0 : spec.find_default(name);
  if (index >= 0) {
    found = &spec.defaults[static_cast<std::size_t>(index)];
    return {};
  }
  List<std::string_view> known;
  for (const Default& d : spec.defaults) known.push_back(d.name);
  return element.error("unknown default class '" + std::string(name) + "'", suggest(name, known));
}

}  // namespace detail

// Applies an actuator on top of `base`. `base` is in general form, and so is the result. This is
// one step of how MuJoCo reads actuators: the shortcuts of nested classes act one after another on
// the same parameters, and each takes the parameters left by the previous steps as its defaults.
CORTEN_COLD Result<void> apply(const Actuator& base, Actuator& step) {
  const bool own_input = step.input.has_value();
  const double own_gear = step.gear.value_or({1})[0];
  inherit(step, base);
  detail::complete(step);
  Result<void> done;
  using Kind = Actuator::Kind;
  switch (step.kind) {
    case Kind::general: break;
    case Kind::motor: done = shortcuts::motor(step); break;
    case Kind::position: done = shortcuts::position(step); break;
    case Kind::velocity: done = shortcuts::velocity(step); break;
    case Kind::intvelocity: done = shortcuts::intvelocity(step); break;
    case Kind::orientation: done = shortcuts::orientation(step); break;
    case Kind::pid: done = shortcuts::pid(step); break;
    case Kind::damper: done = shortcuts::damper(step); break;
    case Kind::cylinder: done = shortcuts::cylinder(step); break;
    case Kind::muscle: done = shortcuts::muscle(step); break;
    case Kind::adhesion: done = shortcuts::adhesion(step, own_gear); break;
    case Kind::dcmotor: done = shortcuts::dcmotor(step, own_input); break;
  }
  if (!done) return step.error(done.error().message);
  shortcuts::forget(step);
  return {};
}

// What an actuator acts on. If several targets are given, MuJoCo uses one by a fixed precedence;
// transmission() tests them in that order.
struct Transmission {
  TransmissionType type = TransmissionType::undefined;
  std::string target;
};

inline Transmission transmission(const Actuator& a) {
  if (a.body) return {TransmissionType::body, *a.body};
  if (a.site) return {TransmissionType::site, *a.site};
  if (a.cranksite) return {TransmissionType::slidercrank, *a.cranksite};
  if (a.tendon) return {TransmissionType::tendon, *a.tendon};
  if (a.jointinparent) return {TransmissionType::jointinparent, *a.jointinparent};
  if (a.joint) return {TransmissionType::joint, *a.joint};
  return {};
}

// The class that applies in a body, followed by those that apply in its frames. `outer` is the
// class that applies around the body.
CORTEN_COLD List<std::string> classes_in(const Body& body, const std::string& outer) {
  List<std::string> out{body.childclass.empty() ? outer : body.childclass};
  for (const Frame& f : body.frames) {
    const auto outside = static_cast<std::size_t>(f.frame + 1);
    out.push_back(f.childclass.empty() ? out[outside < out.size() ? outside : 0] : f.childclass);
  }
  return out;
}

// Applies an element's class to it, in place. Works for all elements that default classes have;
// actuators are in general form afterwards.
template <class T>
Result<void> apply_class(const Spec& spec, T& element, std::string_view childclass = {}) {
  const Default* found = nullptr;
  if (auto done = detail::find_class(spec, element, childclass, found); !done) return done;
  const T& base = detail::pick(*found, element);
  if constexpr (std::is_same_v<T, Actuator>) return apply(base, element);
  if constexpr (std::is_same_v<T, Joint>) {
    if (element.is_freejoint) return {};
  }
  inherit(element, base);
  return {};
}

// a copy of the element with its class applied
template <class T>
Result<T> resolve(const Spec& spec, T element, std::string_view childclass = {}) {
  if (const auto done = apply_class(spec, element, childclass); !done) return done.error();
  return element;
}

}  // namespace corten::spec
