// SPDX-License-Identifier: Apache-2.0
//
// <cloth>, <softbody> and <chain> in <deformable>: bodies that deform, which MuJoCo does not have
// (its flexes are something else). Vertices and elements come from a file, from the arrays `vertex`
// and `element`, or from `count`, which makes a grid of a cloth, a box of a solid and a row of a
// chain, centred at `pos`.
#pragma once

#include <corten/core/list.hpp>
#include <corten/core/optional.hpp>
#include <corten/spec/asset.hpp>
#include <corten/spec/fields.hpp>
#include <corten/spec/keywords.hpp>

#include <string>

namespace corten::spec {

struct Soft : Element {
  // a constraint in addition to those of the elements: <edge>
  struct Edge {
    Optional<SoftConstraint> type;  // required
    Optional<List<int>> vertex;     // required
    Optional<double> rest;          // the value at the initial positions
    Optional<double> stiffness;     // required
    Location where;

    template <class F, class... G>
    static void fields(F&& f, G&... g) {
      f({"type", required}, g.type...);
      f({"vertex", required}, g.vertex...);
      f("rest", g.rest...);
      f({"stiffness", required}, g.stiffness...);
    }
  };

  SoftType type = SoftType::cloth;
  // The frame, at the reference pose of its body, in which pos and orientation are given; default:
  // the world. A soft body only starts there, nothing holds it. Copies of the frame come with
  // copies of the soft body.
  Optional<std::string> frame;
  Optional<Numbers<3>> pos;  // 0 0 0
  Orientation orientation;
  Leading<3> count;            // vertices in each direction
  Leading<3> spacing;          // distance between them; the last one is repeated
  Optional<std::string> file;  // OBJ, MSH, or Gmsh, text or binary (2.2, 4.1)
  FileContent content;         // its bytes, if they have been read
  Optional<List<double>> vertex;
  Optional<List<int>> element;
  Optional<Numbers<3>> scale;                // 1 1 1
  Optional<std::string> material;            // a preset (soft/material.hpp)
  Optional<double> young, poisson, density;  // 1e6 0.3 1000, or those of the material
  Leading<3> friction;                       // 0.5, or that of the material
  Optional<double> thickness;                // cloth: 0.001, or that of the material
  Optional<double> radius;                   // chain: 0.01; cloth: half the thickness; solid: 0.005
  Optional<List<int>> pin;                   // vertices that do not move
  Optional<int> contype, conaffinity, condim, priority;  // 1 1 3 0
  Optional<bool> geomean;                                // false
  Optional<double> solmix;                               // 1
  Leading<2> solref;
  Leading<5> solimp;
  Optional<int> substeps, iterations, repeat;  // 10 1 1
  Optional<double> damping, viscosity, sleep;  // 0.5 0.005 0
  Optional<double>
      bending;  // cloth and chain: share of the bending stiffness; 1, or the material's
  Optional<Numbers<4>> rgba;  // 0.5 0.5 0.5 1
  List<Edge> edges;

  template <class F, class... G>
  static void fields(F&& f, G&... g) {
    f("name", g.name...);
    f("frame", g.frame...);
    f("pos", g.pos...);
    f(nested, g.orientation...);
    f("count", g.count...);
    f("spacing", g.spacing...);
    f("file", g.file...);
    f("vertex", g.vertex...);
    f("element", g.element...);
    f("scale", g.scale...);
    f("material", g.material...);
    f("young", g.young...);
    f("poisson", g.poisson...);
    f("density", g.density...);
    f("friction", g.friction...);
    f("thickness", g.thickness...);
    f("radius", g.radius...);
    f("pin", g.pin...);
    f("contype", g.contype...);
    f("conaffinity", g.conaffinity...);
    f("condim", g.condim...);
    f("priority", g.priority...);
    f("geomean", g.geomean...);
    f("solmix", g.solmix...);
    f("solref", g.solref...);
    f("solimp", g.solimp...);
    f("substeps", g.substeps...);
    f("iterations", g.iterations...);
    f("repeat", g.repeat...);
    f("damping", g.damping...);
    f("viscosity", g.viscosity...);
    f("bending", g.bending...);
    f("sleep", g.sleep...);
    f("rgba", g.rgba...);
  }
};

// the element of each type
inline const char* soft_element(SoftType type) {
  return type == SoftType::cloth ? "cloth" : (type == SoftType::body ? "softbody" : "chain");
}

}  // namespace corten::spec
