// SPDX-License-Identifier: Apache-2.0
//
// Arranges default classes so that MJCF can express them by nesting. In MJCF a nested class
// inherits every attribute of its parent, so a class can only be nested in one whose attributes it
// all has. Classes read from a file satisfy this; a class made in code, or for a cable, may lack
// some of its parent's attributes. Such a class moves up to an ancestor that fits. If even the main
// class has too many attributes, an empty main class replaces it and the old one becomes a named
// class.
#pragma once

#include <corten/core/list.hpp>
#include <corten/core/optional.hpp>
#include <corten/spec/field_table.hpp>
#include <corten/spec/spec.hpp>

#include <string>

namespace corten::spec {

namespace detail {

// does `base` set an attribute, or numbers of it, that the element does not set?
CORTEN_COLD bool lacks(const FieldType& type, const void* element, const void* base) {
  using Text = Optional<std::string>;
  List<double> room;
  switch (type.kind) {
    case FieldKind::text: return false;  // names are not inherited
    case FieldKind::optional_text:
      return *static_cast<const Text*>(base) && !*static_cast<const Text*>(element);
    case FieldKind::parameters:
      for (const Parameter& p : static_cast<const Parameters*>(base)->entries) {
        if (static_cast<const Parameters*>(element)->find(p.name) == nullptr) return true;
      }
      return false;
    case FieldKind::orientation:
      for (const Field& field : fields_of<Orientation>()) {
        if (lacks(*field.type, field.in(element), field.in(base))) return true;
      }
      return false;
    default: break;
  }
  const std::size_t given = type.get(base, room).size(), own = type.get(element, room).size();
  return type.kind == FieldKind::leading ? given > own : given > 0 && own == 0;
}

template <class T>
bool lacks(const T& element, const T& base) {
  for (const Field& field : fields_of<T>()) {
    if (lacks(*field.type, field.in(&element), field.in(&base))) return true;
  }
  return false;
}

CORTEN_COLD bool class_lacks(const Default& d, const Default& base) {
  if (d.material.layers.size() < base.material.layers.size()) return true;
  return lacks(d.mesh, base.mesh) || lacks(d.material, base.material) ||
         lacks(d.joint, base.joint) || lacks(d.geom, base.geom) || lacks(d.site, base.site) ||
         lacks(d.camera, base.camera) || lacks(d.light, base.light) || lacks(d.pair, base.pair) ||
         lacks(d.equality, base.equality) || lacks(d.tendon, base.tendon) ||
         lacks(d.actuator, base.actuator) || lacks(d.sensor, base.sensor);
}

// the nearest ancestor that sets nothing the class lacks; -1: none
CORTEN_COLD int fitting_parent(const Spec& spec, const Default& d) {
  int parent = d.parent;
  while (parent >= 0 && class_lacks(d, spec.defaults[static_cast<std::size_t>(parent)])) {
    parent = spec.defaults[static_cast<std::size_t>(parent)].parent;
  }
  return parent;
}

inline void name_class(std::string& name, const std::string& main) {
  if (name.empty() || name == "main") name = main;
}

template <class T>
void name_classes(ElementsOf<T>& elements, const std::string& main) {
  for (T& e : elements) name_class(e.class_name, main);
}

// Names the class of elements directly in the world that name none. Deeper elements get theirs from
// a body or frame.
template <class T>
void name_classes_in_world(ElementsOf<T>& elements, const std::string& main) {
  for (T& e : elements) {
    if (e.frame < 0 || e.class_name == "main") name_class(e.class_name, main);
  }
}

CORTEN_COLD void rename_main(Body& body, const std::string& main) {
  if (body.childclass == "main") body.childclass = main;
  for (Frame& f : body.frames) {
    if (f.childclass == "main") f.childclass = main;
  }
  const auto rename = [&](auto& elements) {
    for (auto& e : elements) {
      if (e.class_name == "main") e.class_name = main;
    }
  };
  rename(body.joints);
  rename(body.geoms);
  rename(body.sites);
  rename(body.cameras);
  rename(body.lights);
  for (Body& child : body.bodies) rename_main(child, main);
}

// turns the main class into a named class, and refers its elements to it by name
CORTEN_COLD void move_main(Spec& spec) {
  std::string main = "root";
  while (spec.find_default(main) >= 0) main += "_";
  const int index = static_cast<int>(spec.defaults.size());
  for (Default& d : spec.defaults) {
    if (d.parent == 0) d.parent = index;
  }
  spec.defaults.push_back(spec.defaults[0]);
  spec.defaults.back().name = main;
  spec.defaults.back().parent = 0;
  spec.defaults[0] = {};
  spec.defaults[0].name = "main";

  Body& world = spec.world;
  rename_main(world, main);
  name_classes_in_world(world.geoms, main);
  name_classes_in_world(world.sites, main);
  name_classes_in_world(world.cameras, main);
  name_classes_in_world(world.lights, main);
  for (Frame& f : world.frames) {
    if (f.frame < 0) name_class(f.childclass, main);
  }
  for (Body& b : world.bodies) {
    if (b.frame < 0) name_class(b.childclass, main);
  }
  name_classes(spec.meshes, main);
  name_classes(spec.materials, main);
  name_classes(spec.pairs, main);
  name_classes(spec.tendons, main);
  name_classes(spec.equalities, main);
  name_classes(spec.actuators, main);
  // classes of sensors are an extension, so they are written only where needed
  if (lacks(Sensor{}, spec.defaults.back().sensor)) name_classes(spec.sensors, main);
}

}  // namespace detail

// can the classes be nested without changes?
CORTEN_COLD bool is_nested(const Spec& spec) {
  for (const Default& d : spec.defaults) {
    if (detail::fitting_parent(spec, d) != d.parent) return false;
  }
  return true;
}

CORTEN_COLD void nest_classes(Spec& spec) {
  List<int> parents;
  bool outside = false;
  for (const Default& d : spec.defaults) {
    parents.push_back(detail::fitting_parent(spec, d));
    outside = outside || (d.parent >= 0 && parents.back() < 0);
  }
  for (std::size_t i = 0; i < parents.size(); ++i) spec.defaults[i].parent = parents[i];
  if (!outside) return;
  detail::move_main(spec);
  for (std::size_t i = 1; i < parents.size(); ++i) {
    if (parents[i] < 0) spec.defaults[i].parent = 0;
  }
}

}  // namespace corten::spec
