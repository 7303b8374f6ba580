// SPDX-License-Identifier: Apache-2.0
//
// <flex> in <deformable>: segments, triangles or tetrahedra whose vertices belong to bodies, or
// follow a grid of nodes that belong to bodies. <flexcomp> makes one together with its bodies
// (flexcomp.hpp).
#pragma once

#include <corten/core/list.hpp>
#include <corten/core/optional.hpp>
#include <corten/spec/fields.hpp>
#include <corten/spec/keywords.hpp>

#include <array>
#include <string>

namespace corten::spec {

// <contact> of a flex
struct FlexContact {
  Optional<int> contype, conaffinity, condim, priority;  // 1 1 3 0
  Leading<3> friction;                                   // 1 0.005 0.0001
  Optional<double> solmix;                               // 1
  Leading<2> solref;
  Leading<5> solimp;
  Optional<double> margin, gap;    // 0 0
  Optional<bool> internal;         // false
  Optional<FlexSelf> selfcollide;  // auto
  Optional<int> activelayers;      // 1
  Optional<bool> passive;          // false

  template <class F, class... G>
  static void fields(F&& f, G&... g) {
    f("contype", g.contype...);
    f("conaffinity", g.conaffinity...);
    f("condim", g.condim...);
    f("priority", g.priority...);
    f("friction", g.friction...);
    f("solmix", g.solmix...);
    f("solref", g.solref...);
    f("solimp", g.solimp...);
    f("margin", g.margin...);
    f("gap", g.gap...);
    f("internal", g.internal...);
    f("selfcollide", g.selfcollide...);
    f("activelayers", g.activelayers...);
    f("passive", g.passive...);
  }
};

// <edge> of a flex
struct FlexEdge {
  Optional<double> stiffness, damping;  // 0 0

  template <class F, class... G>
  static void fields(F&& f, G&... g) {
    f("stiffness", g.stiffness...);
    f("damping", g.damping...);
  }
};

// <elasticity> of a flex
struct FlexElasticity {
  Optional<double> young, poisson, damping;  // 0 0 0
  Optional<double> thickness;                // -1
  Optional<Elastic2d> elastic2d;             // none

  template <class F, class... G>
  static void fields(F&& f, G&... g) {
    f("young", g.young...);
    f("poisson", g.poisson...);
    f("damping", g.damping...);
    f("thickness", g.thickness...);
    f("elastic2d", g.elastic2d...);
  }
};

struct Flex : Element {
  Optional<int> group, dim;                // 0 2
  Optional<double> radius;                 // 0.005
  Optional<std::string> material;          // none
  Optional<Numbers<4>> rgba;               // 0.5 0.5 0.5 1
  Optional<bool> flatskin;                 // false
  List<std::string> body;                  // of each vertex, or of all; required
  Optional<List<double>> vertex;           // in their bodies; default: at their origins
  Optional<List<int>> element;             // required
  Optional<List<double>> texcoord;         // for renderers
  Optional<List<int>> elemtexcoord;        // likewise
  List<std::string> node;                  // the bodies of the nodes that vertices follow
  Optional<List<double>> nodecoord;        // in their bodies; default: at their origins
  Optional<std::array<int, 3>> cellcount;  // 1 1 1
  Optional<FlexDof> dof;                   // trilinear or quadratic if there are nodes
  FlexContact contact;
  FlexEdge edge;
  FlexElasticity elasticity;
  // Cells of the grid of nodes without elements, if they are known: 1 or 0 for each cell. A
  // <flexcomp> finds them in the frame of its body, the compiler in the frame of the world.
  List<int> empty_cells;

  // the attributes, except body and node, which are lists of names
  template <class F, class... G>
  static void fields(F&& f, G&... g) {
    f("name", g.name...);
    f("group", g.group...);
    f("dim", g.dim...);
    f("radius", g.radius...);
    f("material", g.material...);
    f("rgba", g.rgba...);
    f("flatskin", g.flatskin...);
    f("vertex", g.vertex...);
    f({"element", required}, g.element...);
    f("texcoord", g.texcoord...);
    f("elemtexcoord", g.elemtexcoord...);
    f("nodecoord", g.nodecoord...);
    f("cellcount", g.cellcount...);
    f("dof", g.dof...);
  }

  // the order of interpolation between nodes; 0: there are none
  int order() const { return dof == FlexDof::quadratic ? 2 : (dof == FlexDof::trilinear ? 1 : 0); }
  std::array<int, 3> cells() const { return cellcount.value_or(std::array<int, 3>{1, 1, 1}); }
};

}  // namespace corten::spec
