// SPDX-License-Identifier: Apache-2.0
//
// User-defined kinds of joints, geoms and equality constraints, described as data so that neither
// the reader nor the compiler has to be a template. extensions_of<Policies>()
// (compile/extensions.hpp) derives the description from the types in the policies; load<Policies>()
// does so and passes it on.
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
  // replacements for set_const() and set_length_range() whose stages know these kinds
  void (*set_const)(Model<double>&) = nullptr;
  Result<void> (*set_length_range)(Model<double>&, int, const spec::LengthRange&) = nullptr;
};

}  // namespace corten
