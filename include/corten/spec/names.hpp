// SPDX-License-Identifier: Apache-2.0
//
// The set of all names in a spec, by type of element, for checking whether references resolve.
#pragma once

#include <corten/core/name_table.hpp>
#include <corten/spec/spec.hpp>

#include <string>
#include <string_view>

namespace corten::spec {

class NameSet {
 public:
  NameSet() = default;
  CORTEN_COLD explicit NameSet(const Spec& spec) {
    add(ObjectType::body, "world");
    add_tree(spec.world);
    add_all(ObjectType::mesh, spec.meshes);
    add_all(ObjectType::hfield, spec.hfields);
    add_all(ObjectType::texture, spec.textures);
    add_all(ObjectType::material, spec.materials);
    add_all(ObjectType::skin, spec.skins);
    add_all(ObjectType::flex, spec.flexes);
    add_all(ObjectType::pair, spec.pairs);
    add_all(ObjectType::exclude, spec.excludes);
    add_all(ObjectType::equality, spec.equalities);
    add_all(ObjectType::tendon, spec.tendons);
    add_all(ObjectType::actuator, spec.actuators);
    add_all(ObjectType::sensor, spec.sensors);
    add_all(ObjectType::numeric, spec.numerics);
    add_all(ObjectType::text, spec.texts);
    add_all(ObjectType::tuple, spec.tuples);
    add_all(ObjectType::key, spec.keys);
  }

  CORTEN_COLD void add(ObjectType type, const std::string& name) {
    if (!name.empty()) names_.add(entry(type, name), 0);
  }
  CORTEN_COLD void erase(ObjectType type, const std::string& name) {
    names_.erase(entry(type, name));
  }
  CORTEN_COLD bool has(ObjectType type, const std::string& name) const {
    return names_.find(entry(type, name)) >= 0;
  }

  // the names of a body and of everything in it
  CORTEN_COLD void add_tree(const Body& body) { visit(body, true); }
  CORTEN_COLD void erase_tree(const Body& body) { visit(body, false); }

  template <class T>
  void add_all(ObjectType type, const ElementsOf<T>& elements) {
    for (const Element& e : elements) add(type, e.name);
  }

 private:
  // a kind and a name as one string
  static std::string entry(ObjectType type, std::string_view name) {
    if (type == ObjectType::xbody) type = ObjectType::body;
    std::string out(1, static_cast<char>(type));
    return out.append(name);
  }

  void change(ObjectType type, const Element& e, bool there) {
    if (there) {
      add(type, e.name);
    } else {
      erase(type, e.name);
    }
  }

  CORTEN_COLD void visit(const Body& body, bool there) {
    change(ObjectType::body, body, there);
    for (const Element& e : body.frames) change(ObjectType::frame, e, there);
    for (const Element& e : body.joints) change(ObjectType::joint, e, there);
    for (const Element& e : body.geoms) change(ObjectType::geom, e, there);
    for (const Element& e : body.sites) change(ObjectType::site, e, there);
    for (const Element& e : body.cameras) change(ObjectType::camera, e, there);
    for (const Element& e : body.lights) change(ObjectType::light, e, there);
    for (const Body& child : body.bodies) visit(child, there);
  }

  NameTable names_;
};

}  // namespace corten::spec
