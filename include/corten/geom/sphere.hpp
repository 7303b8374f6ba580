// SPDX-License-Identifier: Apache-2.0
//
// A ball. Sizes: radius.
#pragma once

#include <corten/geom/geom.hpp>
#include <corten/geom/ray.hpp>
#include <corten/math/vector.hpp>

namespace corten {

struct Sphere {
  static constexpr GeomType type = GeomType::sphere;
  static constexpr const char* name = "sphere";
  static constexpr int num_sizes = 1;
  static constexpr bool has_fromto = false;
  static constexpr bool fixed_only = false;

  static Result<void> valid(const Vec3<double>& size) {
    return geom_math::positive_sizes(size, num_sizes);
  }

  template <class S>
  CORTEN_FN static S volume(const Vec3<S>& size) {
    return S(4 * geom_math::pi) * size[0] * size[0] * size[0] / S(3);
  }
  template <class S>
  CORTEN_FN static S area(const Vec3<S>& size) {
    return S(4 * geom_math::pi) * size[0] * size[0];
  }
  template <class S>
  CORTEN_FN static Vec3<S> inertia(const Vec3<S>& size, const S& mass) {
    return Vec3<S>::Constant(S(2) * mass * size[0] * size[0] / S(5));
  }
  template <class S>
  CORTEN_FN static Vec3<S> shell_inertia(const Vec3<S>& size, const S& mass) {
    return Vec3<S>::Constant(S(2) * mass * size[0] * size[0] / S(3));
  }

  template <class S>
  CORTEN_FN static Vec6<S> aabb(const Vec3<S>& size) {
    return geom_math::centred_box(size[0], size[0], size[0]);
  }
  template <class S>
  CORTEN_FN static S bounding_radius(const Vec3<S>& size) {
    return size[0];
  }
  template <class S>
  CORTEN_FN static S stat_radius(const Vec3<S>& size) {
    return bounding_radius(size);
  }
  template <class S>
  CORTEN_FN static Vec3<S> semiaxes(const Vec3<S>& size) {
    return Vec3<S>::Constant(size[0]);
  }

  // see geom/ray.hpp
  template <class S>
  CORTEN_FN static S ray(const Vec3<S>& size, const Vec3<S>& p, const Vec3<S>& v) {
    return rays::first_hit(rays::ball(p, v, size[0]));
  }
  template <class S>
  CORTEN_FN static Vec3<S> surface_normal(const Vec3<S>&, const Vec3<S>& p) {
    Vec3<S> n = p;
    normalize(n);
    return n;
  }
  template <class S>
  CORTEN_FN static bool holds(const Vec3<S>& size, const Vec3<S>& p) {
    return p.squaredNorm() < size[0] * size[0];
  }

  template <class S>
  CORTEN_FN static S signed_distance(const Vec3<S>& size, const Vec3<S>& p) {
    return norm(p) - size[0];
  }

  // see scene/pen.hpp
  template <class Pen>
  static void draw(const Vec3<double>& size, Pen& pen) {
    pen.sphere(size[0]);
  }
};

static_assert(GeomPolicy<Sphere>);

}  // namespace corten
