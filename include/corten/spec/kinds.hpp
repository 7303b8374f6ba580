// SPDX-License-Identifier: Apache-2.0
//
// The kind that a type stands for: the library's, or one of the extensions.
#pragma once

#include <corten/constraint/constraints.hpp>
#include <corten/joint/joints.hpp>
#include <corten/spec/equality.hpp>
#include <corten/spec/extensions.hpp>

namespace corten {

// one without dofs if nobody knows it
CORTEN_COLD JointKind find_joint(const Extensions& extensions, JointType type) {
  for (const JointKind& kind : extensions.joints) {
    if (kind.type == type) return kind;
  }
  JointKind out;
  DefaultJoints::visit(static_cast<int>(type),
                       [&](auto kind) { out = joint_kind<decltype(kind)>; });
  return out;
}

// the kinds of elements of <equality>, those of the extensions first
CORTEN_COLD List<EqualityKind> equality_kinds(const Extensions* extensions) {
  List<EqualityKind> out;
  if (extensions != nullptr) out = extensions->equalities;
  DefaultConstraints::each([&](auto kind) {
    using K = decltype(kind);
    if constexpr (detail::holds_elements<K>) out.push_back(equality_kind<K>);
  });
  return out;
}

// one without rows if nobody knows it
CORTEN_COLD EqualityKind find_equality(const Extensions& extensions, EqualityType type) {
  for (const EqualityKind& kind : equality_kinds(&extensions)) {
    if (kind.type == type) return kind;
  }
  return {};
}

}  // namespace corten
