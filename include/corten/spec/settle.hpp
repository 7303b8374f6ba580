// SPDX-License-Identifier: Apache-2.0
//
// Brings a spec under one set of compiler settings. An attached part is interpreted by the
// <compiler> of its own model, but a file can have only one <compiler>. So if the settings differ,
// all angles are converted to radians and all orientations to quaternions; files are named relative
// to the model's directory. The result compiles to the same model, to the last bit.
#pragma once

#include <corten/core/list.hpp>
#include <corten/spec/kinds.hpp>
#include <corten/spec/orientation.hpp>
#include <corten/spec/resolve.hpp>

#include <string>
#include <string_view>

namespace corten::spec {

// do both interpret angles in the same way?
CORTEN_COLD bool same_angles(const Compiler& a, const Compiler& b) {
  const AngleUnit one(a), other(b);
  return one.degree == other.degree && one.eulerseq == other.eulerseq;
}

// do both compute the inertias of bodies by the same rules?
CORTEN_COLD bool same_inertias(const Compiler& a, const Compiler& b) {
  constexpr std::array<int, 2> all{0, 5};
  return a.boundmass.value_or(0) == b.boundmass.value_or(0) &&
         a.boundinertia.value_or(0) == b.boundinertia.value_or(0) &&
         a.balanceinertia.value_or(false) == b.balanceinertia.value_or(false) &&
         a.alignfree.value_or(false) == b.alignfree.value_or(false) &&
         a.inertiafromgeom.value_or(Tristate::automatic) ==
             b.inertiafromgeom.value_or(Tristate::automatic) &&
         a.inertiagrouprange.value_or(all) == b.inertiagrouprange.value_or(all);
}

namespace detail {

struct Settler {
  Spec& spec;
  const Extensions& extensions;

  AngleUnit unit_of(const Element& e) const {
    return AngleUnit(e.origin > 0 ? spec.origins[static_cast<std::size_t>(e.origin - 1)]
                                  : spec.compiler);
  }

  // A quaternion stays as written, because nested frames are composed with it before it is
  // normalized.
  CORTEN_COLD void turn(const Element& owner, Orientation& o) const {
    Quatd q;
    if (!o.has_alternative() || !read_orientation(unit_of(owner), o, q)) return;
    o = {};
    o.quat = Numbers<4>{q[0], q[1], q[2], q[3]};
  }

  // a range that is not in force is not interpreted as angles, so it is not converted
  CORTEN_COLD void angles(Joint& j) const {
    const JointType type = j.is_freejoint ? JointType::free : j.type.value_or(JointType::hinge);
    if (!find_joint(extensions, type).turns) return;
    const AngleUnit unit = unit_of(j);
    const Tristate limited = j.limited.value_or(Tristate::automatic);
    const bool ascending = j.range && (*j.range)[0] < (*j.range)[1];
    if (limited == Tristate::yes || (limited == Tristate::automatic && ascending)) {
      if (j.range) j.range = {unit.joint_radians((*j.range)[0]), unit.joint_radians((*j.range)[1])};
    }
    if (j.ref) j.ref = unit.joint_radians(*j.ref);
    if (j.springref) j.springref = unit.joint_radians(*j.springref);
  }

  template <class T>
  void apply(ElementsOf<T>& elements, const List<std::string>& classes) const {
    for (T& e : elements) {
      static_cast<void>(apply_class(spec, e, classes[static_cast<std::size_t>(e.frame + 1)]));
      e.class_name.clear();
    }
  }

  // default classes can contain angles, too, so they are applied to their elements first
  CORTEN_COLD void body(Body& b, const std::string& outer) const {
    const List<std::string> classes = classes_in(b, outer);
    turn(b, b.orientation);
    if (b.inertial) turn(b, b.inertial->orientation);
    b.childclass.clear();
    for (Frame& f : b.frames) {
      turn(f, f.orientation);
      f.childclass.clear();
    }
    apply(b.joints, classes);
    apply(b.geoms, classes);
    apply(b.sites, classes);
    apply(b.cameras, classes);
    apply(b.lights, classes);
    for (Joint& j : b.joints) angles(j);
    for (Geom& g : b.geoms) turn(g, g.orientation);
    for (Site& s : b.sites) turn(s, s.orientation);
    for (Camera& c : b.cameras) turn(c, c.orientation);
    for (Body& child : b.bodies) body(child, classes[static_cast<std::size_t>(child.frame + 1)]);
  }
};

template <class T>
void forget_origins(ElementsOf<T>& elements) {
  for (T& e : elements) e.origin = 0;
}

CORTEN_COLD void forget_origins(Body& body) {
  body.origin = 0;
  forget_origins(body.frames);
  forget_origins(body.joints);
  forget_origins(body.geoms);
  forget_origins(body.sites);
  forget_origins(body.cameras);
  forget_origins(body.lights);
  for (Body& child : body.bodies) forget_origins(child);
}

// a path relative to a directory, which ends in a slash
CORTEN_COLD std::string path_from(std::string_view directory, std::string_view path) {
  std::size_t common = 0;
  for (std::size_t i = 0; i < directory.size() && i < path.size(); ++i) {
    if (directory[i] != path[i]) break;
    if (path[i] == '/') common = i + 1;
  }
  const std::string_view rest = directory.substr(common);
  if (rest.find("..") != rest.npos || (common == 0 && path.substr(0, 1) == "/"))
    return std::string(path);
  std::string out;
  for (const char c : rest) out += c == '/' ? "../" : "";
  return out.append(path.substr(common));
}

template <class T>
void settle_files(const std::string& directory, ElementsOf<T>& assets) {
  for (T& e : assets) {
    if (e.file && !e.content.path.empty()) e.file = path_from(directory, e.content.path);
  }
}

}  // namespace detail

// `extensions` describes user-defined kinds of joints. Inertias of bodies are preserved only if
// same_inertias() holds.
CORTEN_COLD void settle(Spec& spec, const Extensions& extensions = {}) {
  if (spec.origins.empty()) return;
  bool same = true;
  for (const Compiler& c : spec.origins) same = same && same_angles(c, spec.compiler);
  if (!same) {
    const detail::Settler settler{spec, extensions};
    settler.body(spec.world, {});
    for (Soft& soft : spec.softs) settler.turn(soft, soft.orientation);
    for (Default& d : spec.defaults) {
      d.joint = {};
      d.geom = {};
      d.site = {};
      d.camera = {};
      d.light = {};
    }
    spec.compiler.angle = Angle::radian;
    spec.compiler.eulerseq.reset();
  }
  // Without autolimits a range without `limited` is an error, so every range left here says whether
  // it is in force, and autolimits makes no difference.
  spec.compiler.autolimits.reset();

  detail::settle_files(spec.directory, spec.meshes);
  detail::settle_files(spec.directory, spec.hfields);
  detail::settle_files(spec.directory, spec.softs);
  if (!spec.compiler.texturedir) spec.compiler.texturedir = spec.compiler.assetdir;
  spec.compiler.meshdir.reset();
  spec.compiler.assetdir.reset();
  spec.compiler.strippath.reset();

  spec.origins.clear();
  detail::forget_origins(spec.world);
  detail::forget_origins(spec.meshes);
  detail::forget_origins(spec.hfields);
  detail::forget_origins(spec.flexes);
  detail::forget_origins(spec.softs);
  detail::forget_origins(spec.pairs);
  detail::forget_origins(spec.tendons);
  detail::forget_origins(spec.equalities);
  detail::forget_origins(spec.actuators);
  detail::forget_origins(spec.sensors);
}

}  // namespace corten::spec
