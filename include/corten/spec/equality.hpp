// SPDX-License-Identifier: Apache-2.0
//
// Equality constraints, which hold two bodies, sites, geoms, joints or tendons together, or a flex
// in shape.
#pragma once

#include <string>

#include <corten/core/enums.hpp>
#include <corten/core/list.hpp>
#include <corten/core/optional.hpp>
#include <corten/spec/fields.hpp>

namespace corten::spec {

// An element of <equality>; its kind defines which type of object it constrains (core/kinds.hpp).
struct Equality : Element {
  // attributes of elements that constrain these objects
  static constexpr unsigned kind_body = kind_a;
  static constexpr unsigned kind_site = kind_b;
  static constexpr unsigned kind_joint = kind_c;
  static constexpr unsigned kind_tendon = kind_d;
  static constexpr unsigned kind_geom = kind_e;
  // attributes that a kind can take individually
  static constexpr unsigned kind_anchor = kind_e << 1;
  static constexpr unsigned kind_pose = kind_e << 2;
  static constexpr unsigned kind_polynomial = kind_e << 3;
  static constexpr unsigned kind_flex = kind_e << 4;
  static constexpr unsigned kind_cell = kind_e << 5;

  CORTEN_COLD Equality() = default;

  EqualityType type = EqualityType::connect;

  Optional<bool> active;  // true
  Leading<2> solref;      // 0.02 1
  Leading<5> solimp;      // 0.9 0.95 0.001 0.5 2

  Optional<std::string> body1, body2;      // body2 defaults to the world
  Optional<std::string> site1, site2;      // instead of bodies
  Optional<Numbers<3>> anchor;             // in body1 of a connect, in body2 of a weld
  Optional<List<double>> relpose;          // pos quat of body2 in body1; default: at qpos0
  Optional<double> torquescale;            // 1
  Optional<std::string> joint1, joint2;    // without joint2, joint1 is held constant
  Optional<std::string> tendon1, tendon2;  // likewise
  Leading<5> polycoef;                     // 0 1 0 0 0
  Optional<std::string> geom1, geom2;
  Optional<std::string> flex;
  Optional<Numbers<3>> cell;  // flexstrain: the cell of the grid of nodes, or a face and -1 -1
  Parameters parameters;      // of the kind (core/kinds.hpp): `distance`, and of user-defined kinds

  template <class F, class... G>
  static void fields(F&& f, G&... g) {
    identity(f, g...);
    f("active", g.active...);
    f("solref", g.solref...);
    f("solimp", g.solimp...);
    f({"body1", no_default | kind_body}, g.body1...);
    f({"body2", no_default | kind_body}, g.body2...);
    f({"relpose", no_default | kind_pose}, g.relpose...);
    f({"anchor", no_default | kind_anchor}, g.anchor...);
    f({"site1", no_default | kind_site}, g.site1...);
    f({"site2", no_default | kind_site}, g.site2...);
    f({"torquescale", no_default | kind_pose}, g.torquescale...);
    f({"joint1", no_default | kind_joint | required}, g.joint1...);
    f({"joint2", no_default | kind_joint}, g.joint2...);
    f({"tendon1", no_default | kind_tendon | required}, g.tendon1...);
    f({"tendon2", no_default | kind_tendon}, g.tendon2...);
    f({"polycoef", no_default | kind_polynomial}, g.polycoef...);
    f({"geom1", no_default | kind_geom | required}, g.geom1...);
    f({"geom2", no_default | kind_geom | required}, g.geom2...);
    f({"flex", no_default | kind_flex | required}, g.flex...);
    f({"cell", no_default | kind_cell}, g.cell...);
    f({"", no_default}, g.parameters...);
  }

  // the attributes that an element of this kind has
  static constexpr unsigned attributes_of(const EqualityKind& kind) {
    const unsigned objects = kind.object == ObjectType::body     ? kind_body | kind_site
                             : kind.object == ObjectType::site   ? kind_site
                             : kind.object == ObjectType::joint  ? kind_joint
                             : kind.object == ObjectType::tendon ? kind_tendon
                             : kind.object == ObjectType::flex   ? kind_flex
                                                                 : kind_geom;
    return objects | (kind.attributes & takes_anchor ? kind_anchor : 0) |
           (kind.attributes & takes_pose ? kind_pose : 0) |
           (kind.attributes & takes_polynomial ? kind_polynomial : 0) |
           (kind.type == EqualityType::flexstrain ? kind_cell : 0);
  }

  static inline const Optional<std::string> nothing;

  // the type of the objects; a kind for bodies constrains sites if they are given
  ObjectType object(const EqualityKind& kind) const {
    return kind.object == ObjectType::body && site1 ? ObjectType::site : kind.object;
  }
  // the name of its first or second object, if given
  const Optional<std::string>& name_of(ObjectType object, int side) const {
    switch (object) {
      case ObjectType::site: return side == 0 ? site1 : site2;
      case ObjectType::joint: return side == 0 ? joint1 : joint2;
      case ObjectType::tendon: return side == 0 ? tendon1 : tendon2;
      case ObjectType::geom: return side == 0 ? geom1 : geom2;
      case ObjectType::flex: return side == 0 ? flex : nothing;
      default: return side == 0 ? body1 : body2;
    }
  }
};

}  // namespace corten::spec
