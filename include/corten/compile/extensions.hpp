// SPDX-License-Identifier: Apache-2.0
//
// From types to data: describes the user-defined kinds in the lists of policies to the reader and
// the compiler, which are not templates.
//
//     const Extensions mine = extensions_of<MyPolicies>();
//     Result<Spec> spec = mjcf::parse(text, {.extensions = &mine});
//     Result<Model<double>> model = compile(*spec, mine);
#pragma once

#include <corten/compile/kinds.hpp>
#include <corten/compile/length_range.hpp>
#include <corten/compile/set_const.hpp>
#include <corten/pipeline/policies.hpp>

namespace corten {

template <class P>
CORTEN_COLD Extensions extensions_of() {
  Extensions out;
  P::Joints::each([&](auto kind) {
    if (is_user(kind.type)) out.joints.push_back(joint_kind<decltype(kind)>);
  });
  P::Geoms::each([&](auto kind) {
    using G = decltype(kind);
    if (is_user(G::type)) out.geoms.push_back({G::type, G::name, &compiler::geom_functions<G>});
  });
  P::Constraints::each([&](auto kind) {
    using K = decltype(kind);
    if constexpr (detail::holds_elements<K>) {
      if (is_user(K::type)) out.equalities.push_back(equality_kind<K>);
    }
  });
  if (!out.joints.empty() || !out.geoms.empty() || !out.equalities.empty()) {
    out.set_const = &set_const<P, double>;
    out.set_length_range = &set_length_range<P>;
  }
  return out;
}

}  // namespace corten
