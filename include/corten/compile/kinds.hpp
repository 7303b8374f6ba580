// SPDX-License-Identifier: Apache-2.0
//
// What the compiler asks of a kind of joint or geom, by the number in the spec: the library's kinds, then
// those of the extensions. The functions of a geom kind go into a table, so that its users need not be
// templates.
#pragma once

#include <corten/geom/geoms.hpp>
#include <corten/joint/joints.hpp>
#include <corten/spec/extensions.hpp>

namespace corten {

namespace compiler {

// geom/geom.hpp says what these are
struct GeomFunctions {
  using Size = const Vec3<double>&;
  const char* name;
  int num_sizes;
  bool has_fromto, fixed_only;
  const char* (*valid)(Size);
  Vec3<double> (*stretch)(Size, double half);
  double (*volume)(Size);
  double (*area)(Size);
  Vec3<double> (*inertia)(Size, double mass);
  Vec3<double> (*shell_inertia)(Size, double mass);
  Vec6<double> (*aabb)(Size);
  double (*bounding_radius)(Size);
};

template <GeomPolicy G>
inline constexpr GeomFunctions geom_functions{
    G::name,
    G::num_sizes,
    G::has_fromto,
    G::fixed_only,
    [](const Vec3<double>& s) { return G::valid(s); },
    [](const Vec3<double>& s, [[maybe_unused]] double half) {
      if constexpr (G::has_fromto) {
        return G::stretch(s, half);
      } else {
        return s;
      }
    },
    [](const Vec3<double>& s) { return G::volume(s); },
    [](const Vec3<double>& s) { return G::area(s); },
    [](const Vec3<double>& s, double mass) { return G::inertia(s, mass); },
    [](const Vec3<double>& s, double mass) { return G::shell_inertia(s, mass); },
    [](const Vec3<double>& s) { return G::aabb(s); },
    [](const Vec3<double>& s) { return G::bounding_radius(s); }};

// null if nobody knows the kind
CORTEN_COLD const GeomFunctions* find_geom(const Extensions& extensions, GeomType type) {
  for (const GeomKind& kind : extensions.geoms) {
    if (kind.type == type) return kind.functions;
  }
  const GeomFunctions* out = nullptr;
  DefaultGeoms::visit(type, [&](auto kind) { out = &geom_functions<decltype(kind)>; });
  return out;
}

// a kind without dofs if nobody knows it
CORTEN_COLD JointKind find_joint(const Extensions& extensions, JointType type) {
  for (const JointKind& kind : extensions.joints) {
    if (kind.type == type) return kind;
  }
  JointKind out;
  DefaultJoints::visit(static_cast<int>(type), [&](auto kind) { out = joint_kind<decltype(kind)>; });
  return out;
}

}  // namespace compiler

}  // namespace corten
