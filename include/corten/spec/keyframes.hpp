// SPDX-License-Identifier: Apache-2.0
//
// Keyframes of a model that becomes part of another. A keyframe lists its numbers for the whole
// model, in the order of ids. Before ids change, each element gets its own share of them (Kept),
// and the compiler gathers them again. Elements that the keyframe did not cover take their values
// at the reference pose.
#pragma once

#include <corten/core/list.hpp>
#include <corten/core/optional.hpp>
#include <corten/spec/actuator_shape.hpp>
#include <corten/spec/kinds.hpp>

#include <optional>
#include <string>

namespace corten::spec {

namespace detail {

// how many numbers of each kind have been handed out, and finally how many the model has
struct KeySizes {
  int nq = 0, nv = 0, na = 0, nu = 0, nmocap = 0;
};

// numbers [first, first + count) of a part of a keyframe; empty if it does not have them
CORTEN_COLD List<double> cut(const Optional<List<double>>& part, int first, int count) {
  if (!part || static_cast<int>(part->size()) < first + count) return {};
  return {part->begin() + first, part->begin() + first + count};
}

// hands the numbers of keyframes to the elements of a spec, under the keyframes' new names
struct KeyWriter {
  const Spec& spec;
  const ElementsOf<Key>& keys;
  const List<std::string>& names;
  const Extensions& extensions;
  KeySizes at;
  Result<void> known;  // or the first element whose size is not known

  CORTEN_COLD void joint(Joint& j, const std::string& childclass) {
    Joint copy = j;
    if (auto done = apply_class(spec, copy, childclass); !done) return fail(done.error());
    const JointKind kind = find_joint(
        extensions, copy.is_freejoint ? JointType::free : copy.type.value_or(JointType::hinge));
    if (kind.nv == 0) {
      return fail(j.error("this kind of joint is unknown, so keyframes cannot be split up",
                          "pass extensions_of<Policies>() of policies that list it"));
    }
    for (std::size_t k = 0; k < keys.size(); ++k) {
      j.kept.push_back(
          {names[k], cut(keys[k].qpos, at.nq, kind.nq), cut(keys[k].qvel, at.nv, kind.nv)});
    }
    at.nq += kind.nq;
    at.nv += kind.nv;
  }

  CORTEN_COLD void body(Body& b, const std::string& outer) {
    const List<std::string> classes = classes_in(b, outer);
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
    if (auto done = apply_class(spec, copy); !done) return fail(done.error());
    ActuatorShape n;
    if (auto done = actuator_shape(copy, n); !done) return fail(done.error());
    for (std::size_t k = 0; k < keys.size(); ++k) {
      a.kept.push_back(
          {names[k], cut(keys[k].act, at.na, n.actnum), cut(keys[k].ctrl, at.nu, n.ctrlnum)});
    }
    at.na += n.actnum;
    at.nu += n.ctrlnum;
  }

  void fail(const Error& e) {
    if (known) known = e;
  }
};

CORTEN_COLD Result<void> check_key_part(const Key& key, const char* name, int expected,
                                        const Optional<List<double>>& part) {
  const int size = part ? static_cast<int>(part->size()) : 0;
  if (size == 0 || size == expected) return {};
  return key.error(std::string(name) + " has " + std::to_string(size) + " values, expected " +
                       std::to_string(expected),
                   "it must match the model as it is before elements are copied");
}

CORTEN_COLD Result<void> check_key(const Key& key, const KeySizes& n) {
  if (auto done = check_key_part(key, "qpos", n.nq, key.qpos); !done) return done;
  if (auto done = check_key_part(key, "qvel", n.nv, key.qvel); !done) return done;
  if (auto done = check_key_part(key, "act", n.na, key.act); !done) return done;
  if (auto done = check_key_part(key, "ctrl", n.nu, key.ctrl); !done) return done;
  if (auto done = check_key_part(key, "mpos", 3 * n.nmocap, key.mpos); !done) return done;
  return check_key_part(key, "mquat", 4 * n.nmocap, key.mquat);
}

}  // namespace detail

// Stores the values of the spec's own keyframes with its elements, under the keyframes' names with
// prefix and suffix, and appends a keyframe of each such name, marked as attached, to `out`.
// Keyframes that are already attached are skipped. The spec keeps its keyframes. `extensions`
// describes user-defined kinds of joints. `grown` means that elements were added to the spec after
// the keyframes were written, behind those they cover.
CORTEN_COLD Result<void> keep_keys(Spec& spec, const std::string& prefix, const std::string& suffix,
                                   ElementsOf<Key>& out, const Extensions* extensions,
                                   bool grown = false) {
  ElementsOf<Key> keys;
  List<std::string> names;
  for (const Key& key : spec.keys) {
    if (key.attached) continue;
    keys.push_back(key);
    names.push_back(prefix + key.name + suffix);
  }
  if (keys.empty()) return {};
  const Extensions none;
  detail::KeyWriter writer{spec, keys, names, extensions != nullptr ? *extensions : none, {}, {}};
  writer.body(spec.world, {});
  for (Actuator& a : spec.actuators) writer.actuator(a);
  if (!writer.known) return writer.known;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    Key& key = keys[k];
    const detail::KeySizes& n = writer.at;
    if (auto done = grown ? Result<void>() : detail::check_key(key, n); !done) return done;
    Key attached;
    attached.name = names[k];
    attached.where = key.where;
    attached.path = key.path;
    attached.time = key.time;
    attached.softpos = key.softpos;
    attached.softvel = key.softvel;
    attached.attached = true;
    out.push_back(attached);
  }
  return {};
}

}  // namespace corten::spec
