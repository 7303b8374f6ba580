// SPDX-License-Identifier: Apache-2.0
//
// Two kinds have the number user_equality(0).
// refused: Bar type constraint/kind.hpp
#include <corten/pipeline/policies.hpp>

struct Rod : corten::constraints::BodyElement {
  static constexpr corten::EqualityType type = corten::user_equality(0);
  static constexpr const char* name = "rod";
  static constexpr int dim = 1;
  static constexpr corten::ObjectType object = corten::ObjectType::site;

  template <class M, class D>
  static void rows(const M&, const D&, int) {}
};

struct Bar : Rod {
  static constexpr const char* name = "bar";
};

corten::Policies<corten::Constraints<Rod, Bar>> policies;
