// SPDX-License-Identifier: Apache-2.0
//
// rows is misspelt.
// refused: Rod rows constraint/kind.hpp
#include <corten/pipeline/policies.hpp>

struct Rod : corten::constraints::BodyElement {
  static constexpr corten::EqualityType type = corten::user_equality(0);
  static constexpr const char* name = "rod";
  static constexpr int dim = 1;
  static constexpr corten::ObjectType object = corten::ObjectType::site;

  template <class M, class D>
  static void row(const M&, const D&, int) {}
};

corten::Policies<corten::DefaultConstraints::with<Rod>> policies;
