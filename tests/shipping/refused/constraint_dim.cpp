// SPDX-License-Identifier: Apache-2.0
//
// dim is misspelt, and the kind looks as if it held no elements.
// refused: Rod dim constraint/kind.hpp
#include <corten/pipeline/policies.hpp>

struct Rod : corten::constraints::BodyElement {
  static constexpr corten::EqualityType type = corten::user_equality(0);
  static constexpr const char* name = "rod";
  static constexpr int dims = 1;
  static constexpr corten::ObjectType object = corten::ObjectType::site;

  template <class M, class D>
  static void rows(const M&, const D&, int) {}
};

corten::Policies<corten::Constraints<Rod>> policies;
