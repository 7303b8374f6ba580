// SPDX-License-Identifier: Apache-2.0
//
// Kinds of joints, geoms and constraints as data: all that the reader and the compiler need to know
// about them, so that neither has to be a template. The types themselves are in joint/, geom/ and
// constraint/.
#pragma once

#include <corten/core/enums.hpp>
#include <corten/fwd.hpp>

#include <span>

namespace corten {

namespace spec {
struct Equality;  // spec/equality.hpp
}

namespace compiler {
struct GeomFunctions;  // compile/kinds.hpp
}

// A number that one kind has in addition to those common to all joints or equalities: its MJCF
// attribute and its default. Stages find it in jnt_param or eq_data.
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
  int quat = -1;        // the first of four coordinates that form a unit quaternion; -1: none
  std::span<const Parameter> parameters = {};
  std::span<const double> reference = {};  // coordinates of the reference pose; zeros if empty

  // one coordinate, the integral of one velocity along or about an axis
  constexpr bool is_scalar() const { return nq == 1 && nv == 1; }
  // a unit quaternion and nothing else
  constexpr bool is_rotation() const { return nq == 4 && nv == 3 && quat == 0; }
};

struct GeomKind {
  GeomType type{};
  const char* name = "unknown";
  const compiler::GeomFunctions* functions = nullptr;
};

// optional attributes of <equality> elements besides their objects and the parameters of their kind
enum EqualityAttribute : unsigned {
  takes_anchor = 1,
  takes_pose = 2,  // relpose and torquescale
  takes_polynomial = 4
};

struct EqualityKind {
  EqualityType type{};
  const char* name = "unknown";
  int dim = 0;                              // number of rows; 0 if the kind is unknown
  ObjectType object = ObjectType::unknown;  // what it connects; `body` means bodies or sites
  unsigned attributes = 0;
  std::span<const Parameter> parameters = {};  // stored in eq_data, unless `data` is set
  Result<void> (*valid)(const spec::Equality&) = nullptr;  // what is wrong with an element
  void (*data)(const spec::Equality&, double* eq_data) = nullptr;
};

}  // namespace corten
