// SPDX-License-Identifier: Apache-2.0
//
// An ellipsoid along the axes of the geom. Sizes: the three semi-axes.
#pragma once

#include <corten/geom/geom.hpp>
#include <corten/geom/ray.hpp>
#include <corten/math/vector.hpp>

namespace corten {

struct Ellipsoid {
  static constexpr GeomType type = GeomType::ellipsoid;
  static constexpr const char* name = "ellipsoid";
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
    return S(4 * geom_math::pi) * size[0] * size[1] * size[2] / S(3);
  }

  // Thomsen's approximation (error below 1.1 %): 4 π ((aᵖbᵖ + aᵖcᵖ + bᵖcᵖ) / 3)^(1/p), p = 1.6075
  template <class S>
  CORTEN_FN static S area(const Vec3<S>& size) {
    const S p(1.6075);
    const S sum =
        pow(S(size[0] * size[1]), p) + pow(S(size[1] * size[2]), p) + pow(S(size[2] * size[0]), p);
    return S(4 * geom_math::pi) * pow(S(sum / S(3)), S(S(1) / p));
  }
  template <class S>
  CORTEN_FN static Vec3<S> inertia(const Vec3<S>& size, const S& mass) {
    return geom_math::moments_of_axes(size, mass, 5);
  }

  // A shell of uniform density between this ellipsoid and one with semi-axes longer by ε, as in
  // MuJoCo (ε = 1e-6): the difference of two solids.
  template <class S>
  CORTEN_FN static Vec3<S> shell_inertia(const Vec3<S>& size, const S& mass) {
    const Vec3<S> outer = size + Vec3<S>::Constant(S(1e-6));
    const S inside = volume(size), outside = volume(outer);
    const S density = mass / (outside - inside);
    return inertia(outer, S(density * outside)) - inertia(size, S(density * inside));
  }

  template <class S>
  CORTEN_FN static Vec6<S> aabb(const Vec3<S>& size) {
    return geom_math::centred_box(size[0], size[1], size[2]);
  }
  template <class S>
  CORTEN_FN static S bounding_radius(const Vec3<S>& size) {
    return max(max(size[0], size[1]), size[2]);
  }
  template <class S>
  CORTEN_FN static S stat_radius(const Vec3<S>& size) {
    return bounding_radius(size);
  }
  template <class S>
  CORTEN_FN static Vec3<S> semiaxes(const Vec3<S>& size) {
    return size;
  }

  // see geom/ray.hpp; scaled by its semi-axes the ellipsoid is the unit ball
  template <class S>
  CORTEN_FN static S ray(const Vec3<S>& size, const Vec3<S>& p, const Vec3<S>& v) {
    const Vec3<S> ps = p.cwiseQuotient(size), vs = v.cwiseQuotient(size);
    return rays::first_hit(rays::ball(ps, vs, S(1)));
  }
  template <class S>
  CORTEN_FN static Vec3<S> surface_normal(const Vec3<S>& size, const Vec3<S>& p) {
    Vec3<S> n = p.cwiseQuotient(size.cwiseProduct(size));
    normalize(n);
    return n;
  }
  template <class S>
  CORTEN_FN static bool holds(const Vec3<S>& size, const Vec3<S>& p) {
    return p.cwiseQuotient(size).squaredNorm() < S(1);
  }

  template <class S>
  CORTEN_FN static S signed_distance(const Vec3<S>& size, const Vec3<S>& p) {
    const Vec3<S> a = p.cwiseQuotient(size), b = a.cwiseQuotient(size);
    const S length = norm(a), slope = norm(b);
    if (!(value(slope) > 0)) return -min(size[0], min(size[1], size[2]));
    return length * (length - S(1)) / slope;
  }

  // see scene/pen.hpp
  template <class Pen>
  static void draw(const Vec3<double>& size, Pen& pen) {
    pen.ellipsoid(size);
  }
};

static_assert(GeomPolicy<Ellipsoid>);

}  // namespace corten
