// SPDX-License-Identifier: Apache-2.0
//
// Kinds of joints, geoms and constraints as data: what the reader and the compiler need to know of them, so
// that neither is a template. The types themselves are in joint/, geom/ and constraint/.
#pragma once

#include <corten/core/enums.hpp>

#include <span>

namespace corten {

namespace spec {
struct Equality;  // spec/equality.hpp
}

namespace compiler {
struct GeomFunctions;  // compile/kinds.hpp
}

// A number that a kind has besides those that all of its sort have: its attribute in MJCF, and its value where
// none is given. Stages find it in jnt_param or eq_data.
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

// what elements of <equality> may have besides their objects and the parameters of their kind
enum EqualityAttribute : unsigned {
  takes_anchor = 1,
  takes_pose = 2,  // relpose and torquescale
  takes_polynomial = 4
};

struct EqualityKind {
  EqualityType type{};
  const char* name = "unknown";
  int dim = 0;                              // rows; 0 where nobody knows the kind
  ObjectType object = ObjectType::unknown;  // what it holds; `body` stands for bodies or sites
  unsigned attributes = 0;
  std::span<const Parameter> parameters = {};  // in eq_data, unless the kind has a function for it
  const char* (*valid)(const spec::Equality&) = nullptr;  // what is wrong with an element, or null
  void (*data)(const spec::Equality&, double* eq_data) = nullptr;
};

}  // namespace corten
