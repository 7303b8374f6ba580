// SPDX-License-Identifier: Apache-2.0
//
// A geom kind is a type: everything about spheres is in geom/sphere.hpp and nowhere else. A geom
// has three sizes, whose meaning depends on the kind. A kind defines
//
//   type, name          its GeomType and its word in MJCF
//   num_sizes           how many sizes it takes
//   has_fromto          can it be given by two end points?
//   fixed_only          is it allowed only on bodies that do not move?
//   valid(size)         a Result<void>: what is wrong with the sizes, if anything
//   stretch(size, h)    the sizes of a geom given by end points 2 h apart (if has_fromto)
//   volume(size)        and area(size): times density, the mass of the solid and of the shell
//   inertia(size, m)    and shell_inertia(size, m): principal moments about the centre
//   aabb(size)          bounding box in its own frame: centre, half sizes
//   bounding_radius     radius of the bounding sphere about its centre; 0: unbounded
//   stat_radius         its contribution to the extent of a model
//   semiaxes(size)      of the equivalent ellipsoid for fluid forces
//
// Optional functions:
//
//   ray(size, point, direction), surface_normal(size, point)
//                       see ray.hpp; a kind without them is invisible to rays
//   holds(size, point)  is the point inside? A kind without it contains nothing
//   signed_distance(size, point)
//                       for touch sensors of meshes; need not be exact inside
//   ray_in(m, geom, point, direction, normal), distance_in(m, geom, point)
//                       replace these for a kind whose shape is stored in the model
//   field_distance(shape, point, hint)
//                       the distance as a field of distances sees it (collide/sdf.hpp), for a shape
//                       as colliders see it. Default: signed_distance
//   field_normal(shape, point, hint)
//                       the unit vector, in the world, along which that distance grows. Default:
//                       finite differences
//   field_box(shape, low, high)
//                       corners of the bounding box in its own frame. Default: aabb
//   draw(size, pen)     what it looks like (scene/pen.hpp), or draw_in(m, geom, pen) for a kind
//                       whose shape is stored in the model. Default: where signed_distance is zero
//
// hint is an int, initially 0, that the kind may keep from call to call. Geoms<Sphere, Box> lists
// the kinds that a pipeline knows. To collide, a kind also needs colliders (collide/). A kind of
// your own has type user_geom(k).
#pragma once

#include <corten/core/enums.hpp>
#include <corten/core/policy.hpp>
#include <corten/core/result.hpp>
#include <corten/math/types.hpp>

#include <array>
#include <concepts>
#include <string>

namespace corten {

template <class S>
struct Shape;  // a geom as colliders see it (collide/shape.hpp)

// Functions shared by several kinds. Volumes and inertias are evaluated in MuJoCo's order of
// operations: where two moments of a body differ only by rounding, the last bit decides its
// principal axes.
namespace geom_math {

using corten::pi;

// infinity for bounding boxes (mjMAXVAL)
inline constexpr double unbounded = 1e10;

// are the first `count` sizes positive?
CORTEN_COLD Result<void> positive_sizes(const Vec3<double>& size, int count) {
  for (int i = 0; i < count; ++i) {
    if (!(size[i] > 0)) return Error("size " + std::to_string(i) + " must be positive");
  }
  return {};
}

// a box centred at the origin
template <class S>
CORTEN_FN Vec6<S> centred_box(const S& x, const S& y, const S& z) {
  return Vec6<S>(Vec3<S>::Zero(), Vec3<S>(x, y, z));
}

// moments of a solid box (divisor 3) or ellipsoid (5) with mass m: m (b² + c²) / divisor, and so on
template <class S>
CORTEN_FN Vec3<S> moments_of_axes(const Vec3<S>& a, const S& mass, double divisor) {
  const S xx = a[0] * a[0], yy = a[1] * a[1], zz = a[2] * a[2], k = S(divisor);
  return Vec3<S>(mass * (yy + zz) / k, mass * (xx + zz) / k, mass * (xx + yy) / k);
}

}  // namespace geom_math

// what a kind must have; the head of this file says what it is
namespace geom_policy {

using Size = const Vec3<double>&;

// clang-format off
CORTEN_POLICY_CONSTANT("geom", "geom/geom.hpp", GeomType, type)
CORTEN_POLICY_CONSTANT("geom", "geom/geom.hpp", const char*, name)
CORTEN_POLICY_CONSTANT("geom", "geom/geom.hpp", int, num_sizes)
CORTEN_POLICY_CONSTANT("geom", "geom/geom.hpp", bool, has_fromto)
CORTEN_POLICY_CONSTANT("geom", "geom/geom.hpp", bool, fixed_only)
CORTEN_POLICY_RULE("geom", "geom/geom.hpp", valid, "has no Result<void> valid(size)",
                   requires(Size size) { { Kind::valid(size) } -> std::same_as<Result<void>>; })
CORTEN_POLICY_RULE("geom", "geom/geom.hpp", stretch,
                   "has has_fromto, but no Vec3<S> stretch(size, h)",
                   !requires { requires Kind::has_fromto; } || requires(Size size, double half) {
                     { Kind::stretch(size, half) } -> std::convertible_to<Vec3<double>>;
                   })
CORTEN_POLICY_RULE("geom", "geom/geom.hpp", volume, "has no S volume(size)",
                   requires(Size size) { { Kind::volume(size) } -> std::same_as<double>; })
CORTEN_POLICY_RULE("geom", "geom/geom.hpp", area, "has no S area(size)",
                   requires(Size size) { { Kind::area(size) } -> std::same_as<double>; })
CORTEN_POLICY_RULE("geom", "geom/geom.hpp", inertia, "has no Vec3<S> inertia(size, mass)",
                   requires(Size size, double mass) {
                     { Kind::inertia(size, mass) } -> std::same_as<Vec3<double>>;
                   })
CORTEN_POLICY_RULE("geom", "geom/geom.hpp", shell_inertia,
                   "has no Vec3<S> shell_inertia(size, mass)",
                   requires(Size size, double mass) {
                     { Kind::shell_inertia(size, mass) } -> std::same_as<Vec3<double>>;
                   })
CORTEN_POLICY_RULE("geom", "geom/geom.hpp", aabb, "has no Vec6<S> aabb(size)",
                   requires(Size size) { { Kind::aabb(size) } -> std::same_as<Vec6<double>>; })
CORTEN_POLICY_RULE("geom", "geom/geom.hpp", bounding_radius, "has no S bounding_radius(size)",
                   requires(Size size) { { Kind::bounding_radius(size) } -> std::same_as<double>; })
CORTEN_POLICY_RULE("geom", "geom/geom.hpp", stat_radius, "has no S stat_radius(size)",
                   requires(Size size) { { Kind::stat_radius(size) } -> std::same_as<double>; })
CORTEN_POLICY_RULE("geom", "geom/geom.hpp", semiaxes, "has no Vec3<S> semiaxes(size)",
                   requires(Size size) { { Kind::semiaxes(size) } -> std::same_as<Vec3<double>>; })
CORTEN_POLICY_NUMBER("geom", "geom/geom.hpp", type)
// clang-format on

struct Rules
    : detail::Rules<type, name, num_sizes, has_fromto, fixed_only, valid, stretch, volume, area,
                    inertia, shell_inertia, aabb, bounding_radius, stat_radius, semiaxes> {};

}  // namespace geom_policy

template <class G>
concept GeomPolicy = geom_policy::Rules::obeyed<G>;

// A list of kinds. visit is a chain of comparisons, without function tables or recursion, so it
// works in device code and is inlined.
template <class... G>
struct Geoms {
  using Sound = detail::Sound<Geoms, detail::Complete<geom_policy::Rules, G...>,
                              detail::Distinct<geom_policy::distinct_type, G...>>;
  static constexpr int count = sizeof...(G);

  // this list with further kinds added
  template <class... More>
  using with = Geoms<G..., More...>;

  CORTEN_FN static constexpr bool has(GeomType type) { return ((G::type == type) || ...); }

  // calls f(G{}) with the kind of this type; returns false if the kind is not in the list
  template <class F>
  CORTEN_FN static constexpr bool visit(GeomType type, F&& f) {
    return ((G::type == type && (static_cast<void>(f(G{})), true)) || ...);
  }
  template <class F>
  CORTEN_FN static constexpr bool visit(int type, F&& f) {
    return visit(static_cast<GeomType>(type), f);
  }

  // calls f(G{}) for every kind
  template <class F>
  static void each(F&& f) {
    (f(G{}), ...);
  }

  // the result of f(G{}), or `otherwise` if the kind is not in the list
  template <class R, class F>
  CORTEN_FN static constexpr R get(GeomType type, R otherwise, F&& f) {
    visit(type, [&](auto kind) { otherwise = f(kind); });
    return otherwise;
  }

  // the types in the list, for loops and messages
  static constexpr std::array<GeomType, sizeof...(G)> all() { return {G::type...}; }

  static constexpr const char* name(GeomType type) {
    return get(type, "unknown", [](auto kind) { return decltype(kind)::name; });
  }
};

}  // namespace corten
