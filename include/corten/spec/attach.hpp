// SPDX-License-Identifier: Apache-2.0
//
// Copies subtrees: attach() copies a part of a spec to another place in it, or into another spec,
// adding a prefix or a suffix to the names. Elements that refer to the copied ones (pairs, tendons,
// actuators, sensors, …) are copied too, by MuJoCo's rules. replicate() makes many copies of the
// contents of a frame and removes the original.
#pragma once

#include <corten/core/list.hpp>
#include <corten/core/optional.hpp>
#include <corten/spec/conflict.hpp>
#include <corten/spec/keyframes.hpp>
#include <corten/spec/references.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace corten::spec {

// Limits on the size of the result: without them, a short text could request any number of copies.
inline constexpr std::size_t max_elements = 1000000;
inline constexpr int max_depth = 5000;  // of nested bodies

namespace detail {

CORTEN_COLD std::size_t count_elements(const Body& body) {
  std::size_t out = 1 + body.frames.size() + body.joints.size() + body.geoms.size() +
                    body.sites.size() + body.cameras.size() + body.lights.size();
  for (const Body& child : body.bodies) out += count_elements(child);
  return out;
}

CORTEN_COLD int depth_of(const Body& body) {
  int out = 0;
  for (const Body& child : body.bodies) out = std::max(out, depth_of(child));
  return out + 1;
}

inline std::size_t count_references(const Spec& s) {
  return s.flexes.size() + s.softs.size() + s.pairs.size() + s.excludes.size() +
         s.equalities.size() + s.tendons.size() + s.actuators.size() + s.sensors.size() +
         s.tuples.size();
}

// Which elements of a list are candidates for copying. When copies go into the same spec
// repeatedly, a copy is a candidate for the next round only if it refers to nothing.
using Indices = List<std::size_t>;

template <class T>
Indices all_of(const ElementsOf<T>& list) {
  Indices out(list.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = i;
  return out;
}

// Copies those elements of `from` whose references exist under their new names. `from` and `to` may
// be the same list.
template <class T>
CORTEN_COLD void copy_list(const ElementsOf<T>& from, const Namespace& ns, ObjectType type,
                           NameSet& names, ElementsOf<T>& to, Indices& which) {
  const std::size_t count = which.size(), first = to.size();
  for (std::size_t i = 0; i < count; ++i) {
    T copy = from[which[i]];
    if (!adopt(names, ns, copy)) continue;
    rename(ns, copy);
    ns.rename_class(copy.class_name, true);
    if (resolves(NameSet{}, copy)) which.push_back(to.size());
    to.push_back(copy);
  }
  for (std::size_t i = first; i < to.size(); ++i) names.add(type, to[i].name);
}

// copies everything outside the tree that refers to it
struct ReferenceCopier {
  const Spec& from;
  Spec& to;
  NameSet& names;
  Indices flexes, softs, pairs, excludes, tendons, equalities, actuators, sensors, tuples;

  CORTEN_COLD ReferenceCopier(const Spec& f, Spec& t, NameSet& n)
      : from(f),
        to(t),
        names(n),
        flexes(all_of(f.flexes)),
        softs(all_of(f.softs)),
        pairs(all_of(f.pairs)),
        excludes(all_of(f.excludes)),
        tendons(all_of(f.tendons)),
        equalities(all_of(f.equalities)),
        actuators(all_of(f.actuators)),
        sensors(all_of(f.sensors)),
        tuples(all_of(f.tuples)) {}

  CORTEN_COLD void copy(const Namespace& ns) {
    copy_list(from.flexes, ns, ObjectType::flex, names, to.flexes, flexes);
    copy_list(from.softs, ns, ObjectType::unknown, names, to.softs, softs);
    copy_list(from.pairs, ns, ObjectType::pair, names, to.pairs, pairs);
    copy_list(from.excludes, ns, ObjectType::exclude, names, to.excludes, excludes);
    copy_list(from.tendons, ns, ObjectType::tendon, names, to.tendons, tendons);
    copy_list(from.equalities, ns, ObjectType::equality, names, to.equalities, equalities);
    copy_list(from.actuators, ns, ObjectType::actuator, names, to.actuators, actuators);
    copy_list(from.sensors, ns, ObjectType::sensor, names, to.sensors, sensors);
    copy_list(from.tuples, ns, ObjectType::tuple, names, to.tuples, tuples);
  }
};

// Removes the elements whose references were all valid before and no longer are.
template <class T>
CORTEN_COLD void drop_list(ObjectType type, const NameSet& before, NameSet& now,
                           ElementsOf<T>& list) {
  for (std::size_t i = 0; i < list.size();) {
    if (resolves(before, list[i]) && !resolves(now, list[i])) {
      now.erase(type, list[i].name);
      list.erase(i);
    } else {
      ++i;
    }
  }
}

CORTEN_COLD void drop_references(const NameSet& before, NameSet& now, Spec& spec) {
  drop_list(ObjectType::flex, before, now, spec.flexes);
  drop_list(ObjectType::unknown, before, now, spec.softs);
  drop_list(ObjectType::pair, before, now, spec.pairs);
  drop_list(ObjectType::exclude, before, now, spec.excludes);
  drop_list(ObjectType::tendon, before, now, spec.tendons);
  drop_list(ObjectType::equality, before, now, spec.equalities);
  drop_list(ObjectType::actuator, before, now, spec.actuators);
  drop_list(ObjectType::sensor, before, now, spec.sensors);
}

// Copies those elements of a body that are in some of its frames. place[k + 1] is the other body's
// frame that corresponds to frame k, or -2 if the contents of frame k are not copied.
template <class T>
CORTEN_COLD void copy_in_frames(const ElementsOf<T>& from, const List<int>& place,
                                ElementsOf<T>& to) {
  for (const T& e : from) {
    const int frame = place[static_cast<std::size_t>(e.frame + 1)];
    if (frame == -2) continue;
    to.push_back(e);
    to.back().frame = frame;
  }
}

// The contents of frame `which` of a body, as a body whose first frame is that frame.
CORTEN_COLD Body cut_frame(const Body& body, int which) {
  Body out;
  List<int> place(body.frames.size() + 1, -2);
  for (std::size_t k = 0; k < body.frames.size(); ++k) {
    const Frame& f = body.frames[k];
    const bool top = static_cast<int>(k) == which;
    const int outside = place[static_cast<std::size_t>(f.frame + 1)];
    if (!top && outside == -2) continue;
    place[k + 1] = static_cast<int>(out.frames.size());
    out.frames.push_back(f);
    out.frames.back().frame = top ? -1 : outside;
  }
  each_list([&](const auto& from, auto& to) { copy_in_frames(from, place, to); }, body, out);
  return out;
}

template <class T>
void move_elements(ElementsOf<T>& from, int shift, ElementsOf<T>& to) {
  for (T& e : from) e.frame += shift;
  to.take(from);
}

// Moves the contents of `part`, all of which are in its first frame, into a frame of a body (-1:
// the body itself).
CORTEN_COLD void put_frame(Body& part, Body& body, int frame) {
  const int shift = static_cast<int>(body.frames.size());
  move_elements(part.frames, shift, body.frames);
  body.frames[static_cast<std::size_t>(shift)].frame = frame;
  each_list([&](auto& from, auto& to) { move_elements(from, shift, to); }, part, body);
}

CORTEN_COLD void forget_keys(Body& body) {
  body.kept.clear();
  for (Joint& j : body.joints) j.kept.clear();
  for (Body& child : body.bodies) forget_keys(child);
}

inline Error too_many(const Element& e) {
  return e.error("the copies would exceed " + std::to_string(max_elements) + " elements");
}

}  // namespace detail

// ---- attach -------------------------------------------------------------------------------------

// What to attach: a body or a frame by name, or by default everything in the world; and the prefix
// and suffix for the names of the copies. Models with both keyframes and joints of user-defined
// kinds need their extensions.
struct Attachment {
  std::string body = {}, frame = {};
  std::string prefix = {}, suffix = {};
  const Extensions* extensions = nullptr;
};

namespace detail {

// Finds the requested body or frame. Sets `out` to a copy of it, in the form that put_frame or a
// list of bodies takes, and `outer` to the default class that applies to it.
CORTEN_COLD bool cut(const Body& body, const std::string& own_class, const Attachment& what,
                     Body& out, std::string& outer) {
  List<std::string> classes{own_class};
  for (std::size_t k = 0; k < body.frames.size(); ++k) {
    const Frame& f = body.frames[k];
    const auto outside = static_cast<std::size_t>(f.frame + 1);
    outer = outside < classes.size() ? classes[outside] : own_class;
    classes.push_back(f.childclass.empty() ? outer : f.childclass);
    if (what.frame.empty() || f.name != what.frame) continue;
    out = cut_frame(body, static_cast<int>(k));
    return true;
  }
  for (const Body& child : body.bodies) {
    const auto place = static_cast<std::size_t>(child.frame + 1);
    outer = place < classes.size() ? classes[place] : own_class;
    if (!what.body.empty() && child.name == what.body) {
      out = child;
      return true;
    }
    const std::string inner = child.childclass.empty() ? outer : child.childclass;
    if (cut(child, inner, what, out, outer)) return true;
  }
  return false;
}

template <class T>
void shift_frames(ElementsOf<T>& elements) {
  for (T& e : elements) ++e.frame;
}

// the contents of the world, moved into a new frame
CORTEN_COLD Body cut_world(Body world) {
  shift_frames(world.frames);
  each_list([](auto& elements) { shift_frames(elements); }, world);
  world.frames.insert(0);
  world.name.clear();
  return world;
}

template <class T>
CORTEN_COLD void copy_assets(const ElementsOf<T>& from, const Namespace& ns, ObjectType type,
                             NameSet& names, ElementsOf<T>& to) {
  for (T copy : from) {
    rename(ns, copy);
    if constexpr (std::is_same_v<T, Material> || std::is_same_v<T, Mesh>) {
      rename_assets(ns, copy);
      ns.rename_class(copy.class_name, true);
    }
    names.add(type, copy.name);
    to.push_back(copy);
  }
}

// copies classes, compiler settings, assets, custom data and keyframes from another spec
CORTEN_COLD void copy_globals(const Spec& from, const Namespace& ns, NameSet& names, Spec& to) {
  const int offset = static_cast<int>(to.defaults.size());
  for (Default copy : from.defaults) {
    rename_default(ns, copy);
    copy.parent = copy.parent < 0 ? 0 : copy.parent + offset;
    to.defaults.push_back(copy);
  }
  to.origins.push_back(from.compiler);
  to.origins.append(from.origins);
  copy_assets(from.meshes, ns, ObjectType::mesh, names, to.meshes);
  copy_assets(from.hfields, ns, ObjectType::hfield, names, to.hfields);
  copy_assets(from.textures, ns, ObjectType::texture, names, to.textures);
  copy_assets(from.materials, ns, ObjectType::material, names, to.materials);
  Indices skins = all_of(from.skins);
  copy_list(from.skins, ns, ObjectType::skin, names, to.skins, skins);
  copy_assets(from.numerics, ns, ObjectType::numeric, names, to.numerics);
  copy_assets(from.texts, ns, ObjectType::text, names, to.texts);
  for (const Key& key : from.keys) {
    if (key.attached) to.keys.push_back(key);
  }
}

// a prefix that makes the name of the other spec's main class unique
CORTEN_COLD std::string free_class_prefix(const Spec& spec, const Attachment& what) {
  std::string prefix = what.prefix;
  for (int i = 2; spec.find_default(prefix + "main" + what.suffix) >= 0; ++i) {
    prefix = what.prefix + std::to_string(i) + "/";
  }
  return prefix;
}

// the requested part of `from`, with its inherited default class made explicit
CORTEN_COLD Result<void> cut_part(const Spec& from, const Element& by, const Attachment& what,
                                  Body& part) {
  std::string outer;
  if (what.body.empty() && what.frame.empty()) {
    part = cut_world(from.world);
  } else if (!cut(from.world, from.world.childclass, what, part, outer)) {
    const bool is_body = !what.body.empty();
    return by.error(std::string(is_body ? "unknown body '" : "unknown frame '") +
                    (is_body ? what.body : what.frame) + "' in model '" + from.model_name + "'");
  }
  if (outer.empty()) outer = "main";
  std::string& childclass = what.body.empty() ? part.frames[0].childclass : part.childclass;
  if (childclass.empty()) childclass = outer;
  return {};
}

// Soft bodies of another spec's world become those of the frame that its contents are moved into,
// which gets a name for that.
CORTEN_COLD void frame_world_softs(const Namespace& ns, const NameSet& names, Spec& from,
                                   Body& part) {
  const NameSet own(from);
  std::string name = "world";
  const auto taken = [&] {
    return names.has(ObjectType::frame, ns(name)) || own.has(ObjectType::frame, name);
  };
  for (int i = 2; taken(); ++i) name = "world" + std::to_string(i);
  for (Soft& soft : from.softs) {
    if (soft.frame && !soft.frame->empty()) continue;
    soft.frame = name;
    part.frames[0].name = name;
  }
}

// Positions of soft bodies in a keyframe are those of the whole model, and cannot be divided.
CORTEN_COLD Result<void> refuse_soft_keys(const ElementsOf<Key>& keys) {
  for (const Key& key : keys) {
    if (key.softpos || key.softvel) {
      return key.error("softpos and softvel of keyframes cannot be copied with soft bodies",
                       "leave them out, or list the keyframe in the final model");
    }
  }
  return {};
}

}  // namespace detail

// Copies a part of `from`, which may be the spec itself, into a frame of a body (-1: the body
// itself). `by` is the element that requests it, for messages. Bodies keep their pose, now relative
// to the frame.
CORTEN_COLD Result<void> attach(Spec& spec, Body& body, int frame, const Spec& from,
                                const Attachment& what, const Element& by = {}) {
  Namespace ns{
      what.prefix, what.suffix, &from != &spec, static_cast<int>(spec.origins.size()) + 1, {}};
  ElementsOf<Key> keys;
  std::optional<Spec> other;
  if (ns.foreign) {
    if (auto done = resolve_conflicts(spec, from, by.where); !done) return done;
    ns.class_prefix = detail::free_class_prefix(spec, what);
    other = from;
  }
  Spec& source = ns.foreign ? *other : spec;
  if (auto done = keep_keys(source, what.prefix, what.suffix, keys, what.extensions); !done)
    return done;
  if (ns.foreign) {
    if (auto done = detail::refuse_soft_keys(keys); !done) return done;
  }
  Body part;
  if (auto done = detail::cut_part(source, by, what, part); !done) return done;
  if (detail::count_elements(spec.world) + detail::count_elements(part) > max_elements) {
    return detail::too_many(by);
  }
  if (detail::depth_of(spec.world) + detail::depth_of(part) > max_depth) {
    return by.error("bodies are nested too deeply");
  }
  NameSet names(spec);
  if (ns.foreign && what.body.empty() && what.frame.empty()) {
    detail::frame_world_softs(ns, names, source, part);
  }
  rename_tree(ns, part);
  names.add_tree(part);
  if (what.body.empty()) {
    detail::put_frame(part, body, frame);
  } else {
    part.frame = frame;
    body.bodies.push_back(part);
  }
  spec.keys.take(keys);
  if (ns.foreign) detail::copy_globals(source, ns, names, spec);
  detail::ReferenceCopier(source, spec, names).copy(ns);
  return {};
}

// ---- replicate ----------------------------------------------------------------------------------

// The poses of the copies, and the suffixes of their names: a separator and the copy's number, with
// leading zeros.
struct Replicate : Element {
  Optional<int> count;  // required
  Optional<Numbers<3>> offset, euler;
  std::string sep, childclass;
  const Extensions* extensions = nullptr;  // as in Attachment

  template <class F, class... G>
  static void fields(F&& f, G&... g) {
    f({"count", required}, g.count...);
    f("offset", g.offset...);
    f("euler", g.euler...);
    f("sep", g.sep...);
    f("childclass", g.childclass...);
  }

  CORTEN_COLD std::string suffix(int i) const {
    const std::string all = std::to_string(count.value_or(0));
    std::string number = std::to_string(i);
    if (number.size() < all.size()) number.insert(0, all.size() - number.size(), '0');
    return sep + number;
  }
};

namespace detail {

// Makes one copy of the contents of the first frame of `original`, and of the elements that refer
// to them.
CORTEN_COLD void copy_once(Body& body, int frame, std::size_t original, const Frame& pose,
                           const Namespace& ns, ReferenceCopier& references) {
  Body part = body.bodies[original];
  forget_keys(body.bodies[original]);
  part.name.clear();
  part.frames[0].pos = pose.pos;
  part.frames[0].orientation = pose.orientation;
  rename_tree(ns, part);
  references.names.add_tree(part);
  put_frame(part, body, frame);
  references.copy(ns);
}

}  // namespace detail

// Replaces the last child of a body, whose contents are all in its first frame, by copies of that
// frame.
CORTEN_COLD Result<void> replicate(Spec& spec, Body& body, int frame, const Replicate& how,
                                   const List<Frame>& poses) {
  const std::size_t original = body.bodies.size() - 1;
  const std::size_t size = detail::count_elements(body.bodies[original]);
  if (size * poses.size() > max_elements) return detail::too_many(how);
  NameSet names(spec);
  const std::size_t softs = spec.softs.size();
  detail::ReferenceCopier references(spec, spec, names);
  for (std::size_t i = 0; i < poses.size(); ++i) {
    Namespace ns;
    ns.suffix = how.suffix(static_cast<int>(i));
    ElementsOf<Key> keys;
    if (auto done = keep_keys(spec, {}, ns.suffix, keys, how.extensions, i > 0); !done) return done;
    spec.keys.take(keys);
    detail::copy_once(body, frame, original, poses[i], ns, references);
    if (detail::count_references(spec) > max_elements) return detail::too_many(how);
  }

  // Remove the original and the elements that refer to it. The model's own keyframes come last. As
  // in MuJoCo 3.12, actuators lose their values in keyframes of attached models.
  for (Actuator& a : spec.actuators) a.kept.clear();
  ElementsOf<Key> keys;
  if (auto done = keep_keys(spec, {}, {}, keys, how.extensions, !poses.empty()); !done) return done;
  for (std::size_t i = spec.keys.size(); i-- > 0;) {
    if (!spec.keys[i].attached) spec.keys.erase(i);
  }
  spec.keys.take(keys);
  if (spec.softs.size() > softs) {
    if (auto done = detail::refuse_soft_keys(spec.keys); !done) return done;
  }
  const NameSet before = names;
  names.erase_tree(body.bodies[original]);
  body.bodies.erase(original);
  detail::drop_references(before, names, spec);
  return {};
}

}  // namespace corten::spec
