// SPDX-License-Identifier: Apache-2.0
//
// Builds and edits a spec in code. Elements are added to the lists of their body or of the spec,
// and references to them stay valid when more are added. A spec is a value: copying it copies
// everything in it.
//
//   Spec robot;
//   spec::Body& torso = spec::add(robot.world.bodies, "torso");
//   torso.pos = {0, 0, 1};
//   spec::add(torso.geoms, "hull").size = {0.1};
//   auto done = spec::attach(robot, "torso", leg, {.body = "thigh", .prefix = "left_"});
//   if (!done) return done.error();
//   spec::find<spec::Joint>(robot, "left_knee")->damping = {0.1};
//   if (done = spec::remove<spec::Body>(robot, "left_foot"); !done) return done.error();
//   Result<Model<double>> model = compile(robot);
#pragma once

#include <corten/core/list.hpp>
#include <corten/spec/attach.hpp>

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace corten::spec {

// ---- add ----------------------------------------------------------------------------------------

// adds an element to a list of a body (body.geoms) or of the spec (spec.actuators)
template <class T>
T& add(ElementsOf<T>& list, std::string name = {}) {
  T& element = list.emplace_back();
  element.name = std::move(name);
  return element;
}

// Adds a frame to a body, inside another of its frames or in the body itself (-1), and returns its
// number. Elements are put into the frame by setting their `frame` to that number.
inline int add_frame(Body& body, std::string name = {}, int frame = -1) {
  add(body.frames, std::move(name)).frame = frame;
  return static_cast<int>(body.frames.size()) - 1;
}

// ---- find ---------------------------------------------------------------------------------------

namespace detail {

template <class T>
inline constexpr bool in_tree = std::is_base_of_v<TreeElement, T>;

// the list that holds elements of a kind, in a body or in a spec
inline ElementsOf<Body>& list_of(Body& b, const Body*) { return b.bodies; }
inline ElementsOf<Frame>& list_of(Body& b, const Frame*) { return b.frames; }
inline ElementsOf<Joint>& list_of(Body& b, const Joint*) { return b.joints; }
inline ElementsOf<Geom>& list_of(Body& b, const Geom*) { return b.geoms; }
inline ElementsOf<Site>& list_of(Body& b, const Site*) { return b.sites; }
inline ElementsOf<Camera>& list_of(Body& b, const Camera*) { return b.cameras; }
inline ElementsOf<Light>& list_of(Body& b, const Light*) { return b.lights; }
inline ElementsOf<Default>& list_of(Spec& s, const Default*) { return s.defaults; }
inline ElementsOf<Mesh>& list_of(Spec& s, const Mesh*) { return s.meshes; }
inline ElementsOf<HField>& list_of(Spec& s, const HField*) { return s.hfields; }
inline ElementsOf<Texture>& list_of(Spec& s, const Texture*) { return s.textures; }
inline ElementsOf<Material>& list_of(Spec& s, const Material*) { return s.materials; }
inline ElementsOf<Skin>& list_of(Spec& s, const Skin*) { return s.skins; }
inline ElementsOf<Flex>& list_of(Spec& s, const Flex*) { return s.flexes; }
inline ElementsOf<Soft>& list_of(Spec& s, const Soft*) { return s.softs; }
inline ElementsOf<Pair>& list_of(Spec& s, const Pair*) { return s.pairs; }
inline ElementsOf<Exclude>& list_of(Spec& s, const Exclude*) { return s.excludes; }
inline ElementsOf<Tendon>& list_of(Spec& s, const Tendon*) { return s.tendons; }
inline ElementsOf<Equality>& list_of(Spec& s, const Equality*) { return s.equalities; }
inline ElementsOf<Actuator>& list_of(Spec& s, const Actuator*) { return s.actuators; }
inline ElementsOf<Sensor>& list_of(Spec& s, const Sensor*) { return s.sensors; }
inline ElementsOf<Numeric>& list_of(Spec& s, const Numeric*) { return s.numerics; }
inline ElementsOf<Text>& list_of(Spec& s, const Text*) { return s.texts; }
inline ElementsOf<Tuple>& list_of(Spec& s, const Tuple*) { return s.tuples; }
inline ElementsOf<Key>& list_of(Spec& s, const Key*) { return s.keys; }

// where an element is: its list, its index, and its body if it belongs to one
template <class T>
struct Found {
  ElementsOf<T>* list = nullptr;
  std::size_t index = 0;
  Body* body = nullptr;

  T* get() const { return list != nullptr ? &(*list)[index] : nullptr; }
};

template <class T>
Found<T> find_in(ElementsOf<T>& list, std::string_view name, Body* body) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].name == name) return {&list, i, body};
  }
  return {};
}

template <class T>
Found<T> find_below(Body& body, std::string_view name) {
  Found<T> out = find_in(list_of(body, static_cast<T*>(nullptr)), name, &body);
  for (std::size_t i = 0; out.list == nullptr && i < body.bodies.size(); ++i) {
    out = find_below<T>(body.bodies[i], name);
  }
  return out;
}

template <class T>
Found<T> find_element(Spec& spec, std::string_view name) {
  if constexpr (in_tree<T>) {
    return find_below<T>(spec.world, name);
  } else {
    return find_in(list_of(spec, static_cast<T*>(nullptr)), name, nullptr);
  }
}

}  // namespace detail

// The element with this kind and name, or null: find<Geom>(spec, "foot").
template <class T>
T* find(Spec& spec, std::string_view name) {
  if constexpr (std::is_same_v<T, Body>) {
    if (name == "world") return &spec.world;
  }
  return detail::find_element<T>(spec, name).get();
}
template <class T>
const T* find(const Spec& spec, std::string_view name) {
  return find<T>(const_cast<Spec&>(spec), name);
}

// ---- remove -------------------------------------------------------------------------------------

namespace detail {

// Stores the values of keyframes with the elements they belong to, so that they move with these.
CORTEN_COLD Result<void> loosen_keys(Spec& spec, const Extensions* extensions) {
  ElementsOf<Key> keys;
  if (auto done = keep_keys(spec, {}, {}, keys, extensions); !done) return done;
  std::size_t next = 0;
  for (Key& key : spec.keys) {
    if (!key.attached) key = keys[next++];
  }
  return {};
}

// removes a body with everything in it, and the elements that refer to any of that
CORTEN_COLD void remove_body(Spec& spec, const Found<Body>& body) {
  const NameSet before(spec);
  body.list->erase(body.index);
  NameSet now(spec);
  drop_references(before, now, spec);
}

template <class T>
void remove_in_frames(ElementsOf<T>& list, const List<int>& place) {
  for (std::size_t i = list.size(); i-- > 0;) {
    const int to = place[static_cast<std::size_t>(list[i].frame + 1)];
    if (to == -2) {
      list.erase(i);
    } else {
      list[i].frame = to;
    }
  }
}

// removes a frame with everything in it, and the elements that refer to any of that
CORTEN_COLD void remove_frame(Spec& spec, const Found<Frame>& frame) {
  const NameSet before(spec);
  Body& body = *frame.body;
  List<int> place{-1};  // new number of each frame, starting with frame -1; -2: removed
  for (std::size_t k = 0, next = 0; k < body.frames.size(); ++k) {
    const bool goes =
        k == frame.index || place[static_cast<std::size_t>(body.frames[k].frame + 1)] == -2;
    place.push_back(goes ? -2 : static_cast<int>(next++));
  }
  for (std::size_t k = body.frames.size(); k-- > 0;) {
    body.frames[k].frame = std::max(-1, place[static_cast<std::size_t>(body.frames[k].frame + 1)]);
    if (place[k + 1] == -2) body.frames.erase(k);
  }
  each_list([&](auto& elements) { remove_in_frames(elements, place); }, body);
  NameSet now(spec);
  drop_references(before, now, spec);
}

// removes a class and the classes nested in it
CORTEN_COLD void remove_class(Spec& spec, std::size_t index) {
  List<int> place;
  for (std::size_t i = 0, next = 0; i < spec.defaults.size(); ++i) {
    const int parent = spec.defaults[i].parent;
    const bool goes = i == index || (parent >= 0 && place[static_cast<std::size_t>(parent)] < 0);
    place.push_back(goes ? -1 : static_cast<int>(next++));
  }
  for (std::size_t i = spec.defaults.size(); i-- > 0;) {
    int& parent = spec.defaults[i].parent;
    if (parent >= 0) parent = place[static_cast<std::size_t>(parent)];
    if (place[i] < 0) spec.defaults.erase(i);
  }
}

}  // namespace detail

// Removes the element with this kind and name. As in MuJoCo, removing a body or frame also removes
// everything in it and the elements that refer to any of that. References to other removed elements
// stay, and are an error when the spec is compiled. A spec with both keyframes and joints of
// user-defined kinds needs their extensions.
template <class T>
Result<void> remove(Spec& spec, std::string_view name, const Extensions* extensions = nullptr) {
  const detail::Found<T> found = detail::find_element<T>(spec, name);
  if (found.list == nullptr) {
    return Error("there is no '" + std::string(name) + "' to remove");
  }
  constexpr bool has_state = detail::in_tree<T> || std::is_same_v<T, Actuator>;
  if constexpr (has_state) {
    if (auto done = detail::loosen_keys(spec, extensions); !done) return done;
  }
  if constexpr (std::is_same_v<T, Body>) {
    detail::remove_body(spec, found);
  } else if constexpr (std::is_same_v<T, Frame>) {
    detail::remove_frame(spec, found);
  } else if constexpr (std::is_same_v<T, Default>) {
    if (found.index == 0) return Error("the class main cannot be removed");
    detail::remove_class(spec, found.index);
  } else {
    found.list->erase(found.index);
  }
  return {};
}

// ---- attach -------------------------------------------------------------------------------------

// Copies a part of another spec, or of the same one, to the body, frame or site named `to`.
// Keyframes, classes, assets and the elements that refer to the part come along.
CORTEN_COLD Result<void> attach(Spec& spec, std::string_view to, const Spec& from,
                                const Attachment& what) {
  if (auto done = detail::loosen_keys(spec, what.extensions); !done) return done;
  if (Body* body = find<Body>(spec, to)) return attach(spec, *body, -1, from, what);
  const detail::Found<Frame> frame = detail::find_element<Frame>(spec, to);
  if (frame.list != nullptr) {
    return attach(spec, *frame.body, static_cast<int>(frame.index), from, what);
  }
  const detail::Found<Site> found = detail::find_element<Site>(spec, to);
  if (found.list == nullptr) {
    return Error("there is no body, frame or site '" + std::string(to) + "'");
  }
  const Site& site = *found.get();
  const int place = add_frame(*found.body, {}, site.frame);
  found.body->frames.back().pos = site.pos;
  found.body->frames.back().orientation = site.orientation;
  found.body->frames.back().origin = site.origin;
  return attach(spec, *found.body, place, from, what);
}

}  // namespace corten::spec
