// SPDX-License-Identifier: Apache-2.0
//
// A box along the axes of the geom. Sizes: half lengths in x, y and z.
#pragma once

#include <corten/geom/geom.hpp>
#include <corten/geom/ray.hpp>
#include <corten/math/vector.hpp>

namespace corten {

struct Box {
  static constexpr GeomType type = GeomType::box;
  static constexpr const char* name = "box";
  static constexpr int num_sizes = 3;
  static constexpr bool has_fromto = true;
  static constexpr bool fixed_only = false;

  static Result<void> valid(const Vec3<double>& size) {
    return geom_math::positive_sizes(size, num_sizes);
  }
  static Vec3<double> stretch(const Vec3<double>& size, double half) {
    return Vec3<double>(size[0], size[0], half);
  }

  template <class S>
  CORTEN_FN static S volume(const Vec3<S>& size) {
    return size[0] * size[1] * size[2] * S(8);
  }
  template <class S>
  CORTEN_FN static S area(const Vec3<S>& size) {
    return S(8) * (size[0] * size[1] + size[1] * size[2] + size[2] * size[0]);
  }
  template <class S>
  CORTEN_FN static Vec3<S> inertia(const Vec3<S>& size, const S& mass) {
    return geom_math::moments_of_axes(size, mass, 3);
  }

  // Second moments of the six sides: with side masses a (across x), b, c and half lengths x, y, z,
  // ∫ x² dm = (a + (b + c) / 3) x², and so on; Ixx = ∫ y² + z² dm.
  template <class S>
  CORTEN_FN static Vec3<S> shell_inertia(const Vec3<S>& size, const S& mass) {
    const S x = size[0], y = size[1], z = size[2];
    const S total = x * y + y * z + z * x;
    const S a = mass * y * z / total, b = mass * z * x / total, c = mass * x * y / total;
    const S xx = (a + (b + c) / S(3)) * x * x;
    const S yy = (b + (c + a) / S(3)) * y * y;
    const S zz = (c + (a + b) / S(3)) * z * z;
    return Vec3<S>(yy + zz, xx + zz, xx + yy);
  }

  template <class S>
  CORTEN_FN static Vec6<S> aabb(const Vec3<S>& size) {
    return geom_math::centred_box(size[0], size[1], size[2]);
  }
  template <class S>
  CORTEN_FN static S bounding_radius(const Vec3<S>& size) {
    return sqrt(S(size.squaredNorm()));
  }
  template <class S>
  CORTEN_FN static S stat_radius(const Vec3<S>& size) {
    return bounding_radius(size);
  }
  template <class S>
  CORTEN_FN static Vec3<S> semiaxes(const Vec3<S>& size) {
    return size;
  }

  // see geom/ray.hpp
  template <class S>
  CORTEN_FN static S ray(const Vec3<S>& size, const Vec3<S>& p, const Vec3<S>& v) {
    namespace r = rays;
    auto inside = r::slab(p[0], v[0], size[0]);
    for (int k = 1; k < 3; ++k) inside = r::both(inside, r::slab(p[k], v[k], size[k]));
    return r::first_hit(inside);
  }
  template <class S>
  CORTEN_FN static Vec3<S> surface_normal(const Vec3<S>& size, const Vec3<S>& p) {
    int k = 0;
    for (int i = 1; i < 3; ++i) {
      if (value(abs(p[i])) * value(size[k]) > value(abs(p[k])) * value(size[i])) k = i;
    }
    Vec3<S> n = Vec3<S>::Zero();
    n[k] = S(value(p[k]) > 0 ? 1 : -1);
    return n;
  }
  template <class S>
  CORTEN_FN static bool holds(const Vec3<S>& size, const Vec3<S>& p) {
    return abs(p[0]) < size[0] && abs(p[1]) < size[1] && abs(p[2]) < size[2];
  }

  template <class S>
  CORTEN_FN static S signed_distance(const Vec3<S>& size, const Vec3<S>& p) {
    const Vec3<S> beyond = p.cwiseAbs() - size;
    if (value(beyond.maxCoeff()) >= 0) return outside_distance(beyond);
    // inside: measured along a direction that blends from the nearest side's normal to the radius
    Vec3<S> along = -size.cwiseQuotient(beyond);
    normalize(along);
    S nearest = -beyond[0] / along[0];
    for (int k = 1; k < 3; ++k) nearest = min(nearest, S(-beyond[k] / along[k]));
    return -nearest;
  }

  // unlike signed_distance, exact inside as well
  template <class S>
  CORTEN_FN static S field_distance(const Shape<S>& shape, const Vec3<S>& p, int&) {
    const Vec3<S> beyond = p.cwiseAbs() - shape.size;
    const S most = beyond.maxCoeff();
    return value(most) > 0 ? outside_distance(beyond) : most;
  }

  // see scene/pen.hpp
  template <class Pen>
  static void draw(const Vec3<double>& size, Pen& pen) {
    pen.box(size);
  }

 private:
  // of a point outside; `beyond` is negative along axes where the point lies between the sides
  template <class S>
  CORTEN_FN static S outside_distance(const Vec3<S>& beyond) {
    return norm(beyond.cwiseMax(Vec3<S>::Zero()));
  }
};

static_assert(GeomPolicy<Box>);

}  // namespace corten
