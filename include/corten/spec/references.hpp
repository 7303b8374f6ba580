// SPDX-License-Identifier: Apache-2.0
//
// Renames copies of elements. Elements that refer to others by name are copied along with these, by
// MuJoCo's rules: rename() gives a copy its new name, and adopt() renames its references and
// returns whether they exist.
#pragma once

#include <corten/core/optional.hpp>
#include <corten/spec/names.hpp>

#include <string>

namespace corten::spec {

// The prefix and suffix of names. In copies from another spec, classes and assets are renamed too,
// and such copies are interpreted by the compiler settings of their own model.
struct Namespace {
  std::string prefix, suffix;
  bool foreign = false;
  int origin = 0;            // offset of a foreign spec's origins
  std::string class_prefix;  // of the classes of a foreign spec

  CORTEN_COLD std::string operator()(const std::string& name) const {
    return prefix + name + suffix;
  }
  CORTEN_COLD void rename(std::string& name) const {
    if (!name.empty()) name = (*this)(name);
  }
  CORTEN_COLD void rename(Optional<std::string>& name) const {
    if (name) rename(*name);
  }
  void rename_asset(Optional<std::string>& name) const {
    if (foreign) rename(name);
  }
  // the default for elements of another spec is that spec's main class
  CORTEN_COLD void rename_class(std::string& name, bool main_if_empty) const {
    if (!foreign) return;
    if (name.empty() && main_if_empty) name = "main";
    if (!name.empty()) name = class_prefix + name + suffix;
  }
};

// ---- rename: names, classes and assets ----------------------------------------------------------

inline void rename(const Namespace& ns, Element& e) {
  ns.rename(e.name);
  if (ns.foreign) e.origin += ns.origin;
}

inline void rename_assets(const Namespace& ns, Geom& e) {
  ns.rename_asset(e.material);
  ns.rename_asset(e.mesh);
  ns.rename_asset(e.hfield);
}
inline void rename_assets(const Namespace& ns, Material& e) {
  ns.rename_asset(e.texture);
  for (Material::Layer& layer : e.layers) ns.rename_asset(layer.texture);
}
inline void rename_assets(const Namespace& ns, Mesh& e) { ns.rename_asset(e.material); }

// a body and everything in it
CORTEN_COLD void rename_tree(const Namespace& ns, Body& body) {
  rename(ns, body);
  ns.rename_class(body.childclass, false);
  for (Frame& e : body.frames) {
    rename(ns, e);
    ns.rename_class(e.childclass, false);
  }
  for (Joint& e : body.joints) rename(ns, e), ns.rename_class(e.class_name, false);
  for (Geom& e : body.geoms) {
    rename(ns, e);
    rename_assets(ns, e);
    ns.rename_class(e.class_name, false);
  }
  for (Site& e : body.sites) {
    rename(ns, e);
    ns.rename_asset(e.material);
    ns.rename_class(e.class_name, false);
  }
  for (Camera& e : body.cameras) {
    rename(ns, e);
    ns.rename(e.target);
    ns.rename_class(e.class_name, false);
  }
  for (Light& e : body.lights) {
    rename(ns, e);
    ns.rename(e.target);
    ns.rename(e.texture);
    ns.rename_class(e.class_name, false);
  }
  for (Body& child : body.bodies) rename_tree(ns, child);
}

// a default class of another spec
CORTEN_COLD void rename_default(const Namespace& ns, Default& d) {
  ns.rename_class(d.name, false);
  rename_assets(ns, d.material);
  rename_assets(ns, d.geom);
  ns.rename_asset(d.site.material);
  ns.rename_asset(d.tendon.material);
}

// ---- adopt: references --------------------------------------------------------------------------

// Two references, one of which may be to an object that keeps its name. A reference of unknown type
// is absent.
CORTEN_COLD bool adopt_two(const NameSet& names, const Namespace& ns, ObjectType type1,
                           std::string& name1, ObjectType type2, std::string& name2) {
  const bool known1 = type1 != ObjectType::unknown, known2 = type2 != ObjectType::unknown;
  std::string new1 = ns(name1), new2 = ns(name2);
  bool found1 = known1 && names.has(type1, new1), found2 = known2 && names.has(type2, new2);
  if (known1 && known2 && found1 != found2) {
    (found1 ? new2 : new1) = found1 ? name2 : name1;
    found1 = names.has(type1, new1);
    found2 = names.has(type2, new2);
  }
  if ((known1 && !found1) || (known2 && !found2)) return false;
  if (known1) name1 = new1;
  if (known2) name2 = new2;
  return true;
}

// a reference that must exist under its new name, unless it is absent
CORTEN_COLD bool adopt_one(const NameSet& names, const Namespace& ns, ObjectType type,
                           std::string& name) {
  if (name.empty()) return true;
  name = ns(name);
  return names.has(type, name);
}
inline bool adopt_one(const NameSet& names, const Namespace& ns, ObjectType type,
                      Optional<std::string>& name) {
  return !name || adopt_one(names, ns, type, *name);
}

CORTEN_COLD bool adopt(const NameSet& names, const Namespace& ns, Skin& e) {
  ns.rename_asset(e.material);
  for (Skin::Bone& bone : e.bones) {
    if (!adopt_one(names, ns, ObjectType::body, bone.body)) return false;
  }
  return true;
}

CORTEN_COLD bool adopt(const NameSet& names, const Namespace& ns, Flex& e) {
  ns.rename_asset(e.material);
  for (List<std::string>* list : {&e.body, &e.node}) {
    for (std::string& name : *list) {
      if (!adopt_one(names, ns, ObjectType::body, name)) return false;
    }
  }
  return true;
}

// a soft body that starts in no frame belongs to the world and is not copied
CORTEN_COLD bool adopt(const NameSet& names, const Namespace& ns, Soft& e) {
  return e.frame && !e.frame->empty() && adopt_one(names, ns, ObjectType::frame, *e.frame);
}

inline bool adopt_two(const NameSet& names, const Namespace& ns, ObjectType type,
                      Optional<std::string>& name1, Optional<std::string>& name2) {
  std::string none1, none2;
  return adopt_two(names, ns, type, name1 ? *name1 : none1, type, name2 ? *name2 : none2);
}

inline bool adopt(const NameSet& names, const Namespace& ns, Pair& e) {
  return adopt_two(names, ns, ObjectType::geom, e.geom1, e.geom2);
}

inline bool adopt(const NameSet& names, const Namespace& ns, Exclude& e) {
  return adopt_two(names, ns, ObjectType::body, e.body1, e.body2);
}

// at least one entry of the path must exist under its new name; the others may keep theirs
CORTEN_COLD bool adopt(const NameSet& names, const Namespace& ns, Tendon& e) {
  ns.rename_asset(e.material);
  using Kind = Tendon::Entry::Kind;
  bool any = e.entries.empty();
  for (Tendon::Entry& entry : e.entries) {
    if (entry.kind == Kind::pulley) continue;
    const bool joint = entry.kind == Kind::joint, site = entry.kind == Kind::site;
    const ObjectType type =
        joint ? ObjectType::joint : (site ? ObjectType::site : ObjectType::geom);
    std::string& name = joint ? entry.joint : (site ? entry.site : entry.geom);
    const std::string renamed = ns(name), side = ns(entry.sidesite);
    const bool beside = entry.sidesite.empty() || names.has(ObjectType::site, side);
    if (names.has(type, renamed) && beside) {
      name = renamed;
      if (!entry.sidesite.empty()) entry.sidesite = side;
      any = true;
    } else if (!names.has(type, name)) {
      return false;
    }
  }
  return any;
}

CORTEN_COLD bool adopt(const NameSet& names, const Namespace& ns, Equality& e) {
  return adopt_one(names, ns, ObjectType::body, e.body1) &&
         adopt_one(names, ns, ObjectType::body, e.body2) &&
         adopt_one(names, ns, ObjectType::site, e.site1) &&
         adopt_one(names, ns, ObjectType::site, e.site2) &&
         adopt_one(names, ns, ObjectType::joint, e.joint1) &&
         adopt_one(names, ns, ObjectType::joint, e.joint2) &&
         adopt_one(names, ns, ObjectType::tendon, e.tendon1) &&
         adopt_one(names, ns, ObjectType::tendon, e.tendon2) &&
         adopt_one(names, ns, ObjectType::geom, e.geom1) &&
         adopt_one(names, ns, ObjectType::geom, e.geom2) &&
         adopt_one(names, ns, ObjectType::flex, e.flex);
}

CORTEN_COLD bool adopt(const NameSet& names, const Namespace& ns, Actuator& e) {
  return adopt_one(names, ns, ObjectType::joint, e.joint) &&
         adopt_one(names, ns, ObjectType::joint, e.jointinparent) &&
         adopt_one(names, ns, ObjectType::tendon, e.tendon) &&
         adopt_one(names, ns, ObjectType::site, e.slidersite) &&
         adopt_one(names, ns, ObjectType::site, e.cranksite) &&
         adopt_one(names, ns, ObjectType::site, e.site) &&
         adopt_one(names, ns, ObjectType::site, e.refsite) &&
         adopt_one(names, ns, ObjectType::body, e.body);
}

inline bool adopt(const NameSet& names, const Namespace& ns, Sensor& e) {
  return adopt_two(names, ns, e.objtype, e.objname, e.reftype, e.refname);
}

CORTEN_COLD bool adopt(const NameSet& names, const Namespace& ns, Tuple& e) {
  for (Tuple::Entry& entry : e.entries) {
    if (!adopt_one(names, ns, entry.objtype, entry.objname)) return false;
  }
  return !e.entries.empty();
}

// does everything that the element refers to exist?
template <class T>
bool resolves(const NameSet& names, T element) {
  return adopt(names, Namespace{}, element);
}

}  // namespace corten::spec
