// SPDX-License-Identifier: Apache-2.0
//
// A soft body on its way into the model (compile/soft.hpp).
#pragma once

#include <corten/asset/gmsh.hpp>
#include <corten/core/enums.hpp>
#include <corten/core/list.hpp>
#include <corten/joint/common.hpp>

#include <array>

namespace corten::compiler {

// a constraint
struct SoftLine {
  SoftConstraint type;
  int vert[4];
  double rest, factor;
};

// the numbers of a material, of which the element may give some itself
struct SoftNumbers {
  double young = 0, poisson = 0, density = 0, thickness = 0, radius = 0, bending = 1;
  std::array<double, 3> friction{};
};

struct SoftDraft {
  asset::Elements mesh;
  SoftNumbers numbers;
  List<SoftLine> lines;
  Frame<double> pose;  // in the world
};

}  // namespace corten::compiler
