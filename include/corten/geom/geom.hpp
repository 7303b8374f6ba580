// SPDX-License-Identifier: Apache-2.0
//
// A kind of geom is a type: everything about spheres is in geom/sphere.hpp and nowhere else. The
// sizes of a geom are three numbers whose meaning is the kind's. A kind has
//
//   type, name          its GeomType and its word in MJCF
//   num_sizes           how many sizes it takes
//   has_fromto          may it be given by two end points?
//   fixed_only          is it only allowed on bodies that do not move?
//   valid(size)         null, or what is wrong with the sizes
//   stretch(size, h)    the sizes of a geom given by end points that are 2 h apart (if has_fromto)
//   volume(size)        and area(size): by density, the mass of the solid and of the shell
//   inertia(size, m)    and shell_inertia(size, m): principal moments about the centre
//   aabb(size)          box around it in its own frame: centre, half sizes
//   bounding_radius     of the sphere around its centre; 0: unbounded
//   stat_radius         what it adds to the extent of a model
//   semiaxes(size)      of the ellipsoid that a fluid acts on
//   ray, surface_normal (see ray.hpp) and holds(size, point): is a point inside? A kind without them
//                       is not seen by rays and contains nothing; signed_distance(size, point)
//                       likewise, for touch sensors of meshes; it need not be exact inside. A kind whose shape is in the model
//                       has ray_in(m, geom, point, direction, normal) instead, and distance_in(m, geom, point)
//   field_distance(shape, point, hint), field_normal(shape, point, hint), field_box(shape, low, high)
//                       what a field of distances meets (collide/sdf.hpp), of a shape as colliders see it: its
//                       distance, if not signed_distance; the unit vector of the world in which it grows, if not
//                       by differences; corners of the box around it in its own frame, if not aabb. hint is
//                       an int that the kind keeps from call to call, 0 at first
//
// Geoms<Sphere, Box> lists the kinds that a pipeline knows; to collide, a kind also needs colliders
// (collide/). A kind of your own has type user_geom(k).
#pragma once

#include <corten/core/enums.hpp>
#include <corten/math/types.hpp>

#include <array>
#include <concepts>

namespace corten {

template <class S>
struct Shape;  // a geom as colliders see it (collide/shape.hpp)

// What several kinds are made of. Volumes and inertias are evaluated in MuJoCo's order of operations:
// where two moments of a body are equal but for rounding, its principal axes hang on the last bit.
namespace geom_math {

using corten::pi;

// stands for infinity in bounding boxes (mjMAXVAL)
inline constexpr double unbounded = 1e10;

// null if the first `count` sizes are positive
inline const char* positive_sizes(const Vec3<double>& size, int count) {
  static constexpr const char* message[] = {"size 0 must be positive", "size 1 must be positive",
                                            "size 2 must be positive"};
  for (int i = 0; i < count; ++i) {
    if (!(size[i] > 0)) return message[i];
  }
  return nullptr;
}

// box around the origin: centre 0, half sizes
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
  { G::valid(size) } -> std::convertible_to<const char*>;
  { G::volume(size) } -> std::same_as<double>;
  { G::area(size) } -> std::same_as<double>;
  { G::inertia(size, mass) } -> std::same_as<Vec3<double>>;
  { G::shell_inertia(size, mass) } -> std::same_as<Vec3<double>>;
  { G::aabb(size) } -> std::same_as<Vec6<double>>;
  { G::bounding_radius(size) } -> std::same_as<double>;
  { G::stat_radius(size) } -> std::same_as<double>;
  { G::semiaxes(size) } -> std::same_as<Vec3<double>>;
};

// A list of kinds. No table of functions, no recursion: visit is a chain of comparisons, which
// works in device code and is inlined.
template <GeomPolicy... G>
struct Geoms {
  static constexpr int count = sizeof...(G);

  // the same list with further kinds
  template <class... More>
  using with = Geoms<G..., More...>;

  CORTEN_FN static constexpr bool has(GeomType type) { return ((G::type == type) || ...); }

  // calls f(G{}) with the kind of this type; false if it is not in the list
  template <class F>
  CORTEN_FN static constexpr bool visit(GeomType type, F&& f) {
    return ((G::type == type && (static_cast<void>(f(G{})), true)) || ...);
  }
  template <class F>
  CORTEN_FN static constexpr bool visit(int type, F&& f) {
    return visit(static_cast<GeomType>(type), f);
  }

  // f(G{}) for every kind
  template <class F>
  static void each(F&& f) {
    (f(G{}), ...);
  }

  // f(G{}) as a value, or `otherwise` if the kind is not in the list
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
