// SPDX-License-Identifier: Apache-2.0
//
// Kinds of joints, geoms and equality constraints that a user adds, as the reader and the compiler need to know them: as data,
// so that neither is a template. extensions_of<Policies>() (compile/extensions.hpp) writes them down from
// the types in the policies; load<Policies>() does that and passes them on.
#pragma once

#include <corten/core/kinds.hpp>
#include <corten/core/list.hpp>

#include <string>

namespace corten {

template <class S>
struct Model;

namespace spec {
struct LengthRange;  // spec/global.hpp
}

struct Extensions {
  List<JointKind> joints;
  List<GeomKind> geoms;
  List<EqualityKind> equalities;
  // what replaces set_const() where the stages must know these kinds
  void (*set_const)(Model<double>&) = nullptr;
  std::string (*set_length_range)(Model<double>&, int, const spec::LengthRange&) = nullptr;
};

}  // namespace corten
