// SPDX-License-Identifier: Apache-2.0
//
// Looks up the kind that belongs to a type, in the library and in the extensions.
#pragma once

#include <corten/constraint/constraints.hpp>
#include <corten/joint/joints.hpp>
#include <corten/spec/equality.hpp>
#include <corten/spec/extensions.hpp>

namespace corten {

// The kind of a joint type; a kind without dofs if the type is unknown.
CORTEN_COLD JointKind find_joint(const Extensions& extensions, JointType type) {
  for (const JointKind& kind : extensions.joints) {
    if (kind.type == type) return kind;
  }
  JointKind out;
  DefaultJoints::visit(static_cast<int>(type),
                       [&](auto kind) { out = joint_kind<decltype(kind)>; });
  return out;
}

// all kinds of <equality> elements, starting with those of the extensions
CORTEN_COLD List<EqualityKind> equality_kinds(const Extensions* extensions) {
  List<EqualityKind> out;
  if (extensions != nullptr) out = extensions->equalities;
  DefaultConstraints::each([&](auto kind) {
    using K = decltype(kind);
    if constexpr (detail::holds_elements<K>) out.push_back(equality_kind<K>);
  });
  return out;
}

// The kind of an equality type; a kind without rows if the type is unknown.
CORTEN_COLD EqualityKind find_equality(const Extensions& extensions, EqualityType type) {
  for (const EqualityKind& kind : equality_kinds(&extensions)) {
    if (kind.type == type) return kind;
  }
  return {};
}

}  // namespace corten
