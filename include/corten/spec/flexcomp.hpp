// SPDX-License-Identifier: Apache-2.0
//
// <flexcomp>: a flex together with the bodies that its vertices or nodes move with, as MuJoCo makes
// them. add_flexcomp (flexcomp_make.hpp) adds them to a spec, so that the spec, once read, has
// bodies, a <flex> and its <equality> constraints.
#pragma once

#include <corten/spec/asset.hpp>
#include <corten/spec/flex.hpp>

#include <array>
#include <string>

namespace corten::spec {

struct Flexcomp : Element {
  // <edge>
  struct Edge : FlexEdge {
    Optional<FlexEquality> equality;  // false
    Leading<2> solref;                // of the equality constraints
    Leading<5> solimp;

    template <class F, class... G>
    static void fields(F&& f, G&... g) {
      f("equality", g.equality...);
      f("solref", g.solref...);
      f("solimp", g.solimp...);
      FlexEdge::fields(f, g...);
    }
  };

  // <pin>: points, or nodes if there are any, that are fixed to the parent body
  struct Pin {
    Optional<List<int>> id, range, grid, gridrange;

    template <class F, class... G>
    static void fields(F&& f, G&... g) {
      f("id", g.id...);
      f("range", g.range...);
      f("grid", g.grid...);
      f("gridrange", g.gridrange...);
    }
  };

  Optional<FlexcompType> type;             // grid
  Optional<int> group, dim;                // 0 2
  Optional<FlexDof> dof;                   // full
  Optional<std::array<int, 3>> count;      // 10 10 10
  Optional<std::array<int, 3>> cellcount;  // 1 1 1
  Optional<Numbers<3>> spacing;            // 0.02 0.02 0.02
  Optional<double> radius;                 // 0.005
  Optional<bool> rigid;                    // false
  Optional<double> mass, inertiabox;       // 1 0.005
  Optional<Numbers<3>> scale;              // 1 1 1
  Optional<std::string> file;
  FileContent content;  // its bytes, if they have been read
  Optional<List<double>> point;
  Optional<List<int>> element;
  Optional<List<double>> texcoord;  // for renderers
  Optional<std::string> material;
  Optional<Numbers<4>> rgba;
  Optional<bool> flatskin;
  Optional<Numbers<3>> pos;  // 0 0 0
  Orientation orientation;
  Optional<Numbers<3>> origin;  // of the tetrahedra that fill a mesh
  Edge edge;
  FlexElasticity elasticity;
  FlexContact contact;
  List<Pin> pins;

  template <class F, class... G>
  static void fields(F&& f, G&... g) {
    f({"name", required}, g.name...);
    f("type", g.type...);
    f("group", g.group...);
    f("dim", g.dim...);
    f("dof", g.dof...);
    f("count", g.count...);
    f("cellcount", g.cellcount...);
    f("spacing", g.spacing...);
    f("radius", g.radius...);
    f("rigid", g.rigid...);
    f("mass", g.mass...);
    f("inertiabox", g.inertiabox...);
    f("scale", g.scale...);
    f("file", g.file...);
    f("point", g.point...);
    f("element", g.element...);
    f("texcoord", g.texcoord...);
    f("material", g.material...);
    f("rgba", g.rgba...);
    f("flatskin", g.flatskin...);
    f("pos", g.pos...);
    f(nested, g.orientation...);
    f("origin", g.origin...);
  }

  std::array<int, 3> counts() const { return count.value_or(std::array<int, 3>{10, 10, 10}); }
  Numbers<3> spacings() const { return spacing.value_or(Numbers<3>{0.02, 0.02, 0.02}); }

  // are points and elements given, rather than made from counts?
  bool is_direct() const {
    const FlexcompType t = type.value_or(FlexcompType::grid);
    return t == FlexcompType::mesh || t == FlexcompType::gmsh || t == FlexcompType::direct;
  }
  // do vertices follow nodes?
  bool is_interpolated() const { return dof == FlexDof::trilinear || dof == FlexDof::quadratic; }
};

}  // namespace corten::spec
