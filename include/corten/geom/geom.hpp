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
//
// hint is an int, initially 0, that the kind may keep from call to call. Geoms<Sphere, Box> lists
// the kinds that a pipeline knows. To collide, a kind also needs colliders (collide/). A kind of
// your own has type user_geom(k).
#pragma once

#include <corten/core/enums.hpp>
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

template <class G>
concept GeomPolicy = requires(const Vec3<double>& size, double mass) {
  { G::type } -> std::convertible_to<GeomType>;
  { G::name } -> std::convertible_to<const char*>;
  { G::num_sizes } -> std::convertible_to<int>;
  { G::has_fromto } -> std::convertible_to<bool>;
  { G::fixed_only } -> std::convertible_to<bool>;
  { G::valid(size) } -> std::same_as<Result<void>>;
  { G::volume(size) } -> std::same_as<double>;
  { G::area(size) } -> std::same_as<double>;
  { G::inertia(size, mass) } -> std::same_as<Vec3<double>>;
  { G::shell_inertia(size, mass) } -> std::same_as<Vec3<double>>;
  { G::aabb(size) } -> std::same_as<Vec6<double>>;
  { G::bounding_radius(size) } -> std::same_as<double>;
  { G::stat_radius(size) } -> std::same_as<double>;
  { G::semiaxes(size) } -> std::same_as<Vec3<double>>;
};

// A list of kinds. visit is a chain of comparisons, without function tables or recursion, so it
// works in device code and is inlined.
template <GeomPolicy... G>
struct Geoms {
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
