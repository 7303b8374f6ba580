// SPDX-License-Identifier: Apache-2.0
//
// A cylinder along z. Sizes: radius, half length.
#pragma once

#include <corten/geom/geom.hpp>
#include <corten/geom/ray.hpp>
#include <corten/math/vector.hpp>

namespace corten {

struct Cylinder {
  static constexpr GeomType type = GeomType::cylinder;
  static constexpr const char* name = "cylinder";
  static constexpr int num_sizes = 2;
  static constexpr bool has_fromto = true;
  static constexpr bool fixed_only = false;

  static Result<void> valid(const Vec3<double>& size) {
    return geom_math::positive_sizes(size, num_sizes);
  }
  static Vec3<double> stretch(const Vec3<double>& size, double half) {
    return Vec3<double>(size[0], half, size[2]);
  }

  template <class S>
  CORTEN_FN static S volume(const Vec3<S>& size) {
    return S(geom_math::pi) * size[0] * size[0] * (S(2) * size[1]);
  }
  template <class S>
  CORTEN_FN static S area(const Vec3<S>& size) {
    return S(2 * geom_math::pi) * size[0] * (size[0] + S(2) * size[1]);
  }
  template <class S>
  CORTEN_FN static Vec3<S> inertia(const Vec3<S>& size, const S& mass) {
    const S r = size[0], length = S(2) * size[1];
    const S turned = mass * (S(3) * r * r + length * length) / S(12);
    return Vec3<S>(turned, turned, mass * r * r / S(2));
  }

  // a tube, and a disc at each end
  template <class S>
  CORTEN_FN static Vec3<S> shell_inertia(const Vec3<S>& size, const S& mass) {
    const S r = size[0], h = size[1];
    const S discs = mass * r / (r + S(2) * h);
    const S tube = mass - discs;
    const S turned = tube * (r * r / S(2) + h * h / S(3)) + discs * (r * r / S(4) + h * h);
    return Vec3<S>(turned, turned, tube * r * r + discs * r * r / S(2));
  }

  template <class S>
  CORTEN_FN static Vec6<S> aabb(const Vec3<S>& size) {
    return geom_math::centred_box(size[0], size[0], size[1]);
  }
  template <class S>
  CORTEN_FN static S bounding_radius(const Vec3<S>& size) {
    return sqrt(S(size[0] * size[0] + size[1] * size[1]));
  }
  template <class S>
  CORTEN_FN static S stat_radius(const Vec3<S>& size) {
    return bounding_radius(size);
  }
  template <class S>
  CORTEN_FN static Vec3<S> semiaxes(const Vec3<S>& size) {
    return Vec3<S>(size[0], size[0], size[1]);
  }

  // see geom/ray.hpp
  template <class S>
  CORTEN_FN static S ray(const Vec3<S>& size, const Vec3<S>& p, const Vec3<S>& v) {
    namespace r = rays;
    return r::first_hit(r::both(r::tube(p, v, size[0]), r::slab(p[2], v[2], size[1])));
  }
  template <class S>
  CORTEN_FN static Vec3<S> surface_normal(const Vec3<S>& size, const Vec3<S>& p) {
    const S across = safe_sqrt(S(p[0] * p[0] + p[1] * p[1]));
    if (value(abs(p[2])) * value(size[0]) > value(across) * value(size[1])) {
      return Vec3<S>(S(0), S(0), S(value(p[2]) > 0 ? 1 : -1));
    }
    Vec3<S> n(p[0], p[1], S(0));
    normalize(n);
    return n;
  }
  template <class S>
  CORTEN_FN static bool holds(const Vec3<S>& size, const Vec3<S>& p) {
    return abs(p[2]) < size[1] && p[0] * p[0] + p[1] * p[1] < size[0] * size[0];
  }

  template <class S>
  CORTEN_FN static S signed_distance(const Vec3<S>& size, const Vec3<S>& p) {
    const S across = norm(Vec<S, 2>(p[0], p[1])) - size[0], along = abs(p[2]) - size[1];
    const Vec<S, 2> outside(max(across, S(0)), max(along, S(0)));
    return min(max(across, along), S(0)) + norm(outside);
  }

  // see scene/pen.hpp
  template <class Pen>
  static void draw(const Vec3<double>& size, Pen& pen) {
    pen.cylinder(size[0], size[1]);
  }
};

static_assert(GeomPolicy<Cylinder>);

}  // namespace corten
