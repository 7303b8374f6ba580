// SPDX-License-Identifier: Apache-2.0
//
// Elements with their default class applied. The class is the element's own, else the nearest
// childclass up the body tree (which the caller passes, empty for none), else main:
//
//   Result<spec::Geom> geom = spec::resolve(spec, body.geoms[0], childclass);
//
// The result has every attribute that the element or its class gives; what is still absent has
// MuJoCo's built-in default.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <corten/spec/field_table.hpp>
#include <corten/spec/spec.hpp>
#include <corten/spec/suggest.hpp>

namespace corten::spec {

namespace detail {

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

// all ten parameters present, so that single ones can be set
inline void complete(Actuator& a) {
  constexpr Numbers<10> one{1};
  constexpr Numbers<10> zero{};
  a.dynprm = Leading<10>::all(a.dynprm.value_or(one));
  a.gainprm = Leading<10>::all(a.gainprm.value_or(one));
  a.biasprm = Leading<10>::all(a.biasprm.value_or(zero));
}

inline bool is_set(const std::optional<Numbers<2>>& range) {
  return range && ((*range)[0] != 0 || (*range)[1] != 0);
}

// direct drive
inline void apply_motor(Actuator& a) {
  a.gainprm.values[0] = 1;
  a.dyntype = DynamicsType::none;
  a.gaintype = GainType::fixed;
  a.biastype = BiasType::none;
}

// position servo: force = kp (ctrl - length) - kv velocity. biasprm[2] > 0 stands for a damping
// ratio, which compile turns into kv.
inline std::string apply_position(Actuator& a) {
  if (a.kv && a.dampratio) return "kv and dampratio cannot both be given";
  if (a.kv && *a.kv < 0) return "kv cannot be negative";
  if (a.dampratio && *a.dampratio < 0) return "dampratio cannot be negative";
  if (a.timeconst && *a.timeconst < 0) return "timeconst cannot be negative";
  if (a.inheritrange.value_or(0) > 0 && is_set(a.ctrlrange)) {
    return "ctrlrange and inheritrange cannot both be given";
  }
  const double kp = a.kp.value_or(a.gainprm[0]);
  a.gainprm.values[0] = kp;
  a.biasprm.values[1] = -kp;
  if (a.kv) a.biasprm.values[2] = -*a.kv;
  if (a.dampratio) a.biasprm.values[2] = *a.dampratio;
  if (a.timeconst) {
    a.dynprm.values[0] = *a.timeconst;
    a.dyntype = *a.timeconst == 0 ? DynamicsType::none : DynamicsType::filterexact;
  }
  a.gaintype = GainType::fixed;
  a.biastype = BiasType::affine;
  return {};
}

// velocity servo: force = kv (ctrl - velocity)
inline void apply_velocity(Actuator& a) {
  const double kv = a.kv.value_or(a.gainprm[0]);
  a.gainprm.values[0] = kv;
  a.biasprm = Leading<10>::all(Numbers<10>{0, 0, -kv});
  a.dyntype = DynamicsType::none;
  a.gaintype = GainType::fixed;
  a.biastype = BiasType::affine;
}

// the index of the class that acts on an element
inline Result<int> class_of(const Spec& spec, const Element& element, std::string_view childclass) {
  const std::string_view name = element.class_name.empty() ? childclass : element.class_name;
  if (name.empty()) return 0;
  const int index = spec.find_default(name);
  if (index >= 0) return index;
  std::vector<std::string_view> known;
  for (const Default& d : spec.defaults) known.push_back(d.name);
  return element.error("unknown default class '" + std::string(name) + "'", suggest(name, known));
}

}  // namespace detail

// Puts an actuator on top of `base`, which is in general form; so is the result. This is one step of
// how MuJoCo reads actuators: the shortcuts of nested classes act one after another on the same
// parameters, and a shortcut takes as its default what the steps before it left there.
inline std::optional<Error> apply(const Actuator& base, Actuator& step) {
  inherit(step, base);
  detail::complete(step);
  std::string problem;
  switch (step.kind) {
    case Actuator::Kind::general: break;
    case Actuator::Kind::motor: detail::apply_motor(step); break;
    case Actuator::Kind::position: problem = detail::apply_position(step); break;
    case Actuator::Kind::velocity: detail::apply_velocity(step); break;
  }
  if (!problem.empty()) return step.error(std::move(problem));
  step.kind = Actuator::Kind::general;
  step.kp.reset();
  step.kv.reset();
  step.dampratio.reset();
  step.timeconst.reset();
  return {};
}

// What an actuator acts on. When several are given the last of this list counts, as in MuJoCo.
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

// Applies its class to an element, in place. Works for joints, geoms, sites, cameras, lights,
// materials, pairs, tendons, sensors and actuators; the latter are in general form afterwards.
template <class T>
std::optional<Error> apply_class(const Spec& spec, T& element, std::string_view childclass = {}) {
  const Result<int> index = detail::class_of(spec, element, childclass);
  if (!index) return index.error();
  const T& base = detail::pick(spec.defaults[static_cast<std::size_t>(*index)], element);
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
  if (const std::optional<Error> problem = apply_class(spec, element, childclass)) return *problem;
  return element;
}

}  // namespace corten::spec
