// SPDX-License-Identifier: Apache-2.0
//
// Collects the elements of a spec in the order of their ids, with default classes applied, and
// indexes their names. Bodies are numbered depth first in the order of the text; joints, geoms and
// the other contents of bodies follow the order of the bodies.
#pragma once

#include <corten/compile/frames.hpp>
#include <corten/core/list.hpp>
#include <corten/core/optional.hpp>

#include <numeric>
#include <string>

namespace corten::compiler {

namespace detail {

template <class T>
CORTEN_COLD Result<void> collect(const Spec& spec, const spec::ElementsOf<T>& from,
                                 spec::ElementsOf<T>& out) {
  for (const T& element : from) {
    out.push_back(element);
    if (auto done = spec::apply_class(spec, out.back()); !done) return done;
  }
  return {};
}

// appends the elements of one body to `out`; `classes` is the result of class_of_frames()
template <class T>
CORTEN_COLD Result<void> collect(const Spec& spec, const spec::ElementsOf<T>& from,
                                 const List<std::string>& classes, spec::ElementsOf<T>& out) {
  for (const T& element : from) {
    const auto place = static_cast<std::size_t>(element.frame + 1);
    if (place >= classes.size()) return element.error("its frame is not one of its body");
    out.push_back(element);
    if (auto done = spec::apply_class(spec, out.back(), classes[place]); !done) return done;
  }
  return {};
}

// The class that applies in a body, followed by those that apply in its frames. collect_frames()
// has checked the order of the frames.
CORTEN_COLD Result<void> class_of_frames(const Spec& spec, const spec::Body& body,
                                         const std::string& outer, List<std::string>& out) {
  out.push_back(body.childclass.empty() ? outer : body.childclass);
  for (const spec::Frame& e : body.frames) {
    out.push_back(e.childclass.empty() ? out[static_cast<std::size_t>(e.frame + 1)] : e.childclass);
    if (!out.back().empty() && spec.find_default(out.back()) < 0) {
      return e.error("unknown default class '" + out.back() + "'");
    }
  }
  if (out[0].empty() || spec.find_default(out[0]) >= 0) return {};
  return body.error("unknown default class '" + out[0] + "'");
}

CORTEN_COLD Result<void> add_body(Draft& d, const spec::Body& body, int parent,
                                  const std::string& outer) {
  const int id = static_cast<int>(d.bodies.size());
  BodyEntry entry;
  entry.spec = &body;
  entry.parent = parent;
  entry.frame = static_cast<int>(d.frames.size());
  if (auto done = collect_frames(d, body); !done) return done;
  List<std::string> classes;
  if (auto done = class_of_frames(d.spec, body, outer, classes); !done) return done;
  entry.childclass = classes[0];
  entry.joint = static_cast<int>(d.joints.size());
  entry.geom = static_cast<int>(d.geoms.size());
  entry.site = static_cast<int>(d.sites.size());
  entry.camera = static_cast<int>(d.cameras.size());
  entry.light = static_cast<int>(d.lights.size());
  entry.num_joints = static_cast<int>(body.joints.size());
  entry.num_geoms = static_cast<int>(body.geoms.size());
  entry.num_sites = static_cast<int>(body.sites.size());
  entry.num_cameras = static_cast<int>(body.cameras.size());
  entry.num_lights = static_cast<int>(body.lights.size());
  entry.num_children = static_cast<int>(body.bodies.size());
  d.bodies.push_back(std::move(entry));

  if (auto done = collect(d.spec, body.joints, classes, d.joints); !done) return done;
  if (auto done = collect(d.spec, body.geoms, classes, d.geoms); !done) return done;
  if (auto done = collect(d.spec, body.sites, classes, d.sites); !done) return done;
  if (auto done = collect(d.spec, body.cameras, classes, d.cameras); !done) return done;
  if (auto done = collect(d.spec, body.lights, classes, d.lights); !done) return done;
  for (const spec::Body& child : body.bodies) {
    const auto place = static_cast<std::size_t>(child.frame + 1);
    if (place >= classes.size()) return child.error("its frame is not one of its parent");
    if (auto done = add_body(d, child, id, classes[place]); !done) return done;
  }
  return {};
}

// indexes a name, which must be unique within its kind
inline Result<void> index_name(const spec::Element& element, const char* kind, Index& index,
                               int id) {
  if (index.add(element.name, id)) return {};
  return element.error(std::string("repeated name '") + element.name + "' in " + kind,
                       "names must be unique among elements of the same kind");
}

template <class T>
CORTEN_COLD Result<void> index_names(const spec::ElementsOf<T>& elements, const char* kind,
                                     Index& index) {
  int id = 0;
  for (const T& element : elements) {
    if (auto done = index_name(element, kind, index, id++); !done) return done;
  }
  return {};
}

CORTEN_COLD Result<void> index_tree(Draft& d) {
  int id = 0;
  for (const BodyEntry& b : d.bodies) {
    const std::string& name = id == 0 ? std::string("world") : b.spec->name;
    if (!d.index.body.add(name, id++)) {
      return b.spec->error("repeated name '" + name + "' in body",
                           "names must be unique among elements of the same kind");
    }
  }
  if (auto done = index_names(d.joints, "joint", d.index.joint); !done) return done;
  if (auto done = index_names(d.geoms, "geom", d.index.geom); !done) return done;
  if (auto done = index_names(d.sites, "site", d.index.site); !done) return done;
  if (auto done = index_names(d.cameras, "camera", d.index.camera); !done) return done;
  return index_names(d.lights, "light", d.index.light);
}

// indexes the elements outside of bodies
CORTEN_COLD Result<void> index_rest(Draft& d) {
  const Spec& s = d.spec;
  if (auto done = index_names(s.textures, "texture", d.index.texture); !done) return done;
  if (auto done = index_names(s.materials, "material", d.index.material); !done) return done;
  if (auto done = index_names(s.meshes, "mesh", d.index.mesh); !done) return done;
  if (auto done = index_names(s.hfields, "hfield", d.index.hfield); !done) return done;
  if (auto done = index_names(s.pairs, "pair", d.index.pair); !done) return done;
  if (auto done = index_names(s.excludes, "exclude", d.index.exclude); !done) return done;
  if (auto done = index_names(s.equalities, "equality", d.index.equality); !done) return done;
  if (auto done = index_names(s.tendons, "tendon", d.index.tendon); !done) return done;
  if (auto done = index_names(s.actuators, "actuator", d.index.actuator); !done) return done;
  if (auto done = index_names(s.sensors, "sensor", d.index.sensor); !done) return done;
  if (auto done = index_names(s.numerics, "numeric", d.index.numeric); !done) return done;
  if (auto done = index_names(s.texts, "text", d.index.text); !done) return done;
  if (auto done = index_names(s.tuples, "tuple", d.index.tuple); !done) return done;
  if (auto done = index_names(s.flexes, "flex", d.index.flex); !done) return done;
  if (auto done = index_names(s.softs, "soft", d.index.soft); !done) return done;
  return index_names(s.keys, "key", d.index.key);
}

// checks a reference that is optional but must exist if it is given
inline Result<void> check_optional(const Index& index, const Optional<std::string>& name,
                                   const char* kind, const spec::Element& element) {
  int id = -1;
  if (!name || name->empty()) return {};
  return find_reference(index, *name, kind, element, id);
}

template <class T>
void check_materials(Draft& d, const spec::ElementsOf<T>& elements) {
  for (const T& e : elements)
    d.note(e, check_optional(d.index.material, e.material, "material", e));
}

CORTEN_COLD Result<void> check_bones(const Draft& d, const spec::Skin& e) {
  for (const spec::Skin::Bone& bone : e.bones) {
    if (d.index.body.find(bone.body) >= 0) continue;
    return Error{bone.where, e.path, "unknown body '" + bone.body + "'",
                 d.index.body.suggest(bone.body)};
  }
  return {};
}

CORTEN_COLD Result<void> check_layers(const Draft& d, const spec::Material& e) {
  for (const spec::Material::Layer& layer : e.layers) {
    const std::string name = layer.texture.value_or("");
    if (d.index.texture.find(name) >= 0) continue;
    return Error{layer.where, e.path, "unknown texture '" + name + "'",
                 d.index.texture.suggest(name)};
  }
  return {};
}

// checks that the names exist in elements that only renderers use
CORTEN_COLD void check_visuals(Draft& d) {
  check_materials(d, d.geoms);
  check_materials(d, d.sites);
  check_materials(d, d.tendons);
  check_materials(d, d.meshes);
  check_materials(d, d.spec.skins);
  check_materials(d, d.spec.flexes);
  for (const spec::Skin& e : d.spec.skins) d.note(e, check_bones(d, e));
  for (const spec::Material& e : d.spec.materials) {
    d.note(e, check_optional(d.index.texture, e.texture, "texture", e));
    d.note(e, check_layers(d, e));
  }
  for (const spec::Light& e : d.lights) {
    d.note(e, check_optional(d.index.texture, e.texture, "texture", e));
  }
}

}  // namespace detail

CORTEN_COLD void check_tuples(Draft& d) {
  for (const spec::Tuple& tuple : d.spec.tuples) {
    for (const spec::Tuple::Entry& entry : tuple.entries) {
      const Index* index = d.index.of(entry.objtype);
      if (index != nullptr && index->find(entry.objname) >= 0) continue;
      d.note(tuple, Error{entry.where, tuple.path, "unknown object '" + entry.objname + "'",
                          index != nullptr ? index->suggest(entry.objname) : ""});
    }
  }
}

// the world has neither a pose nor mass
CORTEN_COLD Result<void> check_world(const spec::Body& world) {
  if (!world.joints.empty()) return world.joints[0].error("the world cannot have joints");
  const bool placed = world.pos || world.orientation.has_value();
  if (world.inertial || placed || world.mocap.value_or(false) || world.gravcomp.value_or(0) != 0) {
    return world.error("the world cannot have a frame, an inertia, mocap or gravcomp");
  }
  return {};
}

// fills the lists of the draft and the index of names
CORTEN_COLD Result<void> collect_elements(Draft& d) {
  if (auto done = check_world(d.spec.world); !done) return done;
  if (auto done = detail::add_body(d, d.spec.world, 0, {}); !done) return done;
  if (auto done = detail::collect(d.spec, d.spec.meshes, d.meshes); !done) return done;
  if (auto done = detail::collect(d.spec, d.spec.pairs, d.pairs); !done) return done;
  if (auto done = detail::collect(d.spec, d.spec.equalities, d.equalities); !done) return done;
  if (auto done = detail::collect(d.spec, d.spec.tendons, d.tendons); !done) return done;
  if (auto done = detail::collect(d.spec, d.spec.actuators, d.actuators); !done) return done;
  if (auto done = detail::collect(d.spec, d.spec.sensors, d.sensors); !done) return done;
  if (auto done = detail::index_tree(d); !done) return done;
  if (auto done = detail::index_rest(d); !done) return done;
  detail::check_visuals(d);
  return {};
}

}  // namespace corten::compiler
