// SPDX-License-Identifier: Apache-2.0
//
// Keyframes of a model that becomes part of another. The numbers of a key are for the whole of its model,
// in the order of ids; before elements get other ids they are handed to the elements (Kept), and compile
// gathers them again. Elements that were not there have what they have at the reference pose.
#pragma once

#include <corten/spec/resolve.hpp>

#include <optional>
#include <string>
#include <vector>

namespace corten::spec {

namespace detail {

// How many numbers of each kind a model has, and which one is next. The sizes of joints of a user's own kind
// are not known here.
struct KeySizes {
  int nq = 0, nv = 0, na = 0, nu = 0, nmocap = 0;
  bool unknown = false;
};

// numbers [first, first + count) of a part of a key, if it has them
CORTEN_COLD std::vector<double> cut(const std::optional<std::vector<double>>& part, int first,
                                    int count) {
  if (!part || static_cast<int>(part->size()) < first + count) return {};
  return {part->begin() + first, part->begin() + first + count};
}

// the keys of a spec, as they are to be called
struct KeyWriter {
  const Spec& spec;
  const ElementsOf<Key>& keys;
  const std::vector<std::string>& names;
  KeySizes at;

  CORTEN_COLD void joint(Joint& j, const std::string& childclass) {
    Joint copy = j;
    if (apply_class(spec, copy, childclass)) return;
    const JointType type =
        copy.is_freejoint ? JointType::free : copy.type.value_or(JointType::hinge);
    at.unknown = at.unknown || is_user(type);
    const bool free = type == JointType::free, ball = type == JointType::ball;
    const int nq = free ? 7 : (ball ? 4 : 1), nv = free ? 6 : (ball ? 3 : 1);
    for (std::size_t k = 0; k < keys.size(); ++k) {
      j.kept.push_back({names[k], cut(keys[k].qpos, at.nq, nq), cut(keys[k].qvel, at.nv, nv)});
    }
    at.nq += nq;
    at.nv += nv;
  }

  CORTEN_COLD void body(Body& b, const std::string& outer) {
    const std::string& own = b.childclass.empty() ? outer : b.childclass;
    std::vector<std::string> classes{own};
    for (const Frame& f : b.frames) {
      const auto outside = static_cast<std::size_t>(f.frame + 1);
      classes.push_back(f.childclass.empty() && outside < classes.size() ? classes[outside]
                                                                         : f.childclass);
    }
    const auto class_in = [&](int frame) -> const std::string& {
      const auto place = static_cast<std::size_t>(frame + 1);
      return classes[place < classes.size() ? place : 0];
    };
    if (b.mocap.value_or(false)) {
      for (std::size_t k = 0; k < keys.size(); ++k) {
        b.kept.push_back(
            {names[k], cut(keys[k].mpos, 3 * at.nmocap, 3), cut(keys[k].mquat, 4 * at.nmocap, 4)});
      }
      ++at.nmocap;
    }
    for (Joint& j : b.joints) joint(j, class_in(j.frame));
    for (Body& child : b.bodies) body(child, class_in(child.frame));
  }

  CORTEN_COLD void actuator(Actuator& a) {
    Actuator copy = a;
    if (apply_class(spec, copy)) return;
    const bool stateful = copy.dyntype.value_or(DynamicsType::none) != DynamicsType::none;
    const int given = copy.actdim.value_or(-1), na = given > 0 ? given : int(stateful);
    for (std::size_t k = 0; k < keys.size(); ++k) {
      a.kept.push_back({names[k], cut(keys[k].act, at.na, na), cut(keys[k].ctrl, at.nu, 1)});
    }
    at.na += na;
    ++at.nu;
  }
};

CORTEN_COLD std::optional<Error> check_key_part(const Key& key, const char* name, int expected,
                                                const std::optional<std::vector<double>>& part) {
  const int size = part ? static_cast<int>(part->size()) : 0;
  if (size == 0 || size == expected) return {};
  return key.error(std::string(name) + " has " + std::to_string(size) + " values, expected " +
                       std::to_string(expected),
                   "its elements are copied, so it must fit the model as it is before");
}

CORTEN_COLD std::optional<Error> check_key(const Key& key, const KeySizes& n) {
  if (auto p = check_key_part(key, "qpos", n.nq, key.qpos)) return p;
  if (auto p = check_key_part(key, "qvel", n.nv, key.qvel)) return p;
  if (auto p = check_key_part(key, "act", n.na, key.act)) return p;
  if (auto p = check_key_part(key, "ctrl", n.nu, key.ctrl)) return p;
  if (auto p = check_key_part(key, "mpos", 3 * n.nmocap, key.mpos)) return p;
  return check_key_part(key, "mquat", 4 * n.nmocap, key.mquat);
}

}  // namespace detail

// Hands the keys of `spec` that are not attached to its elements, by their names with what is put around
// them, and appends such keys to `out`. The spec's own keys stay. `grown`: the spec got elements since they
// were written, behind those that they are for.
CORTEN_COLD std::optional<Error> keep_keys(Spec& spec, const std::string& prefix,
                                           const std::string& suffix, ElementsOf<Key>& out,
                                           bool grown = false) {
  ElementsOf<Key> keys;
  std::vector<std::string> names;
  for (const Key& key : spec.keys) {
    if (key.attached) continue;
    keys.push_back(key);
    names.push_back(prefix + key.name + suffix);
  }
  if (keys.empty()) return {};
  detail::KeyWriter writer{spec, keys, names, {}};
  writer.body(spec.world, {});
  for (Actuator& a : spec.actuators) writer.actuator(a);
  if (writer.at.unknown) {
    return keys[0].error(
        "a model with joints of a user's own kind cannot be attached with its keyframes",
        "remove the keyframes");
  }
  for (std::size_t k = 0; k < keys.size(); ++k) {
    Key& key = keys[k];
    const detail::KeySizes& n = writer.at;
    if (auto p = grown ? std::nullopt : detail::check_key(key, n)) return p;
    Key attached;
    attached.name = names[k];
    attached.where = key.where;
    attached.path = key.path;
    attached.time = key.time;
    attached.attached = true;
    out.push_back(attached);
  }
  return {};
}

}  // namespace corten::spec
