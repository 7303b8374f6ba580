// SPDX-License-Identifier: Apache-2.0
//
// Kinds of joints and geoms that a user adds, as the reader and the compiler need to know them: as data,
// so that neither is a template. extensions_of<Policies>() (pipeline/extensions.hpp) writes them down from
// the types in the policies; load<Policies>() does that and passes them on.
#pragma once

#include <corten/core/enums.hpp>
#include <corten/core/list.hpp>

#include <span>
#include <string>

namespace corten {

template <class S>
struct Model;

namespace spec {
struct LengthRange;  // spec/global.hpp
}

namespace compiler {
struct GeomFunctions;  // compile/kinds.hpp
}

// A number that a kind of joint has besides those that all joints have: its attribute in MJCF, and its
// value where none is given. Stages find it in jnt_param.
struct Parameter {
  const char* name;
  double value;
};

struct JointKind {
  JointType type{};
  const char* name = "unknown";
  int nq = 0, nv = 0;
  bool turns = false;   // range, ref and springref are angles
  bool floats = false;  // places its body in the world by itself
  int quat = -1;        // the first of four coordinates that are a unit quaternion; -1: none
  std::span<const Parameter> parameters = {};
  std::span<const double> reference = {};  // coordinates of the reference pose; zeros if empty

  // one coordinate that is the integral of one velocity, along or about an axis
  constexpr bool is_scalar() const { return nq == 1 && nv == 1; }
  // a unit quaternion and nothing else
  constexpr bool is_rotation() const { return nq == 4 && nv == 3 && quat == 0; }
};

struct GeomKind {
  GeomType type{};
  const char* name = "unknown";
  const compiler::GeomFunctions* functions = nullptr;
};

struct Extensions {
  List<JointKind> joints;
  List<GeomKind> geoms;
  // what replaces set_const() where the stages must know these kinds
  void (*set_const)(Model<double>&) = nullptr;
  std::string (*set_length_range)(Model<double>&, int, const spec::LengthRange&) = nullptr;
};

}  // namespace corten
