// SPDX-License-Identifier: Apache-2.0
//
// What the compiler needs to know about a kind of geom, looked up by its type: the kinds of the
// library and those of the extensions. The functions of a geom kind are in a table of function
// pointers, so the code that uses them need not be a template.
#pragma once

#include <corten/geom/geoms.hpp>
#include <corten/joint/joints.hpp>
#include <corten/spec/kinds.hpp>

namespace corten {

namespace compiler {

// geom/geom.hpp documents these functions
struct GeomFunctions {
  using Size = const Vec3<double>&;
  const char* name;
  int num_sizes;
  bool has_fromto, fixed_only;
  Result<void> (*valid)(Size);
  Vec3<double> (*stretch)(Size, double half);
  double (*volume)(Size, bool shell);  // or area
  Vec3<double> (*inertia)(Size, double mass, bool shell);
  void (*bounds)(Size, Vec6<double>& aabb, double& radius);
  Vec3<double> (*semiaxes)(Size);
};

// plain functions, because lambdas would take far longer to compile
template <class G>
struct FunctionsOf {
  using Size = GeomFunctions::Size;
  static Result<void> valid(Size s) { return G::valid(s); }
  static Vec3<double> stretch(Size s, [[maybe_unused]] double half) {
    if constexpr (G::has_fromto) return G::stretch(s, half);
    return s;
  }
  static double volume(Size s, bool shell) { return shell ? G::area(s) : G::volume(s); }
  static Vec3<double> inertia(Size s, double mass, bool shell) {
    return shell ? G::shell_inertia(s, mass) : G::inertia(s, mass);
  }
  static void bounds(Size s, Vec6<double>& aabb, double& radius) {
    aabb = G::aabb(s);
    radius = G::bounding_radius(s);
  }
  static Vec3<double> semiaxes(Size s) { return G::semiaxes(s); }
};

template <class G>
inline constexpr GeomFunctions geom_functions{G::name,
                                              G::num_sizes,
                                              G::has_fromto,
                                              G::fixed_only,
                                              &FunctionsOf<G>::valid,
                                              &FunctionsOf<G>::stretch,
                                              &FunctionsOf<G>::volume,
                                              &FunctionsOf<G>::inertia,
                                              &FunctionsOf<G>::bounds,
                                              &FunctionsOf<G>::semiaxes};

// returns null if the kind is unknown
CORTEN_COLD const GeomFunctions* find_geom(const Extensions& extensions, GeomType type) {
  for (const GeomKind& kind : extensions.geoms) {
    if (kind.type == type) return kind.functions;
  }
  const GeomFunctions* out = nullptr;
  DefaultGeoms::visit(type, [&](auto kind) { out = &geom_functions<decltype(kind)>; });
  return out;
}

}  // namespace compiler

}  // namespace corten
