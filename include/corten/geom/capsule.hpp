// SPDX-License-Identifier: Apache-2.0
//
// A cylinder along z with a half ball at each end. Sizes: radius, half length of the cylinder.
#pragma once

#include <corten/geom/geom.hpp>
#include <corten/geom/ray.hpp>
#include <corten/math/vector.hpp>

namespace corten {

struct Capsule {
  static constexpr GeomType type = GeomType::capsule;
  static constexpr const char* name = "capsule";
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
    const S r = size[0], length = S(2) * size[1];
    return S(geom_math::pi) * (r * r * length + S(4) * r * r * r / S(3));
  }
  template <class S>
  CORTEN_FN static S area(const Vec3<S>& size) {
    return S(4 * geom_math::pi) * size[0] * (size[0] + size[1]);
  }

  // A cylinder and two half balls whose centres of mass are 3/8 r beyond its ends. With length l,
  // the two halves contribute 2/5 m r² about the centre of their ball, plus m l (3 r + 2 l) / 8 for
  // being moved outwards.
  template <class S>
  CORTEN_FN static Vec3<S> inertia(const Vec3<S>& size, const S& mass) {
    const S r = size[0], length = S(2) * size[1];
    const S balls = mass * S(4) * r / (S(4) * r + S(3) * length);
    const S tube = mass - balls;
    const S ball = S(2) * balls * r * r / S(5);
    const S moved = balls * length * (S(3) * r + S(2) * length) / S(8);
    const S turned = tube * (S(3) * r * r + length * length) / S(12) + (ball + moved);
    return Vec3<S>(turned, turned, tube * r * r / S(2) + ball);
  }

  // likewise with two half shells, whose centres of mass are r/2 beyond the ends
  template <class S>
  CORTEN_FN static Vec3<S> shell_inertia(const Vec3<S>& size, const S& mass) {
    const S r = size[0], h = size[1];
    const S balls = mass * r / (r + h);
    const S tube = mass - balls;
    const S turned =
        tube * (r * r / S(2) + h * h / S(3)) + balls * (S(2.0 / 3) * r * r + h * (h + r));
    return Vec3<S>(turned, turned, tube * r * r + S(2.0 / 3) * balls * r * r);
  }

  template <class S>
  CORTEN_FN static Vec6<S> aabb(const Vec3<S>& size) {
    return geom_math::centred_box(size[0], size[0], S(size[0] + size[1]));
  }
  template <class S>
  CORTEN_FN static S bounding_radius(const Vec3<S>& size) {
    return size[0] + size[1];
  }
  template <class S>
  CORTEN_FN static S stat_radius(const Vec3<S>& size) {
    return bounding_radius(size);
  }
  template <class S>
  CORTEN_FN static Vec3<S> semiaxes(const Vec3<S>& size) {
    return Vec3<S>(size[0], size[0], size[0] + size[1]);
  }

  // see geom/ray.hpp
  template <class S>
  CORTEN_FN static S ray(const Vec3<S>& size, const Vec3<S>& p, const Vec3<S>& v) {
    namespace r = rays;
    const Vec3<S> end(S(0), S(0), size[1]);
    const auto side = r::both(r::tube(p, v, size[0]), r::slab(p[2], v[2], size[1]));
    const auto top = r::ball(p - end, v, size[0]);
    const auto bottom = r::ball(p + end, v, size[0]);
    return r::first_hit(r::either(r::either(side, top), bottom));
  }
  template <class S>
  CORTEN_FN static Vec3<S> surface_normal(const Vec3<S>& size, const Vec3<S>& p) {
    Vec3<S> n(p[0], p[1], p[2] - clamp(p[2], S(-size[1]), size[1]));
    normalize(n);
    return n;
  }
  template <class S>
  CORTEN_FN static bool holds(const Vec3<S>& size, const Vec3<S>& p) {
    const S beyond = p[2] - clamp(p[2], S(-size[1]), size[1]);
    return p[0] * p[0] + p[1] * p[1] + beyond * beyond < size[0] * size[0];
  }

  template <class S>
  CORTEN_FN static S signed_distance(const Vec3<S>& size, const Vec3<S>& p) {
    const S beyond = p[2] - clamp(p[2], S(-size[1]), size[1]);
    return norm(Vec3<S>(p[0], p[1], beyond)) - size[0];
  }

  // see scene/pen.hpp
  template <class Pen>
  static void draw(const Vec3<double>& size, Pen& pen) {
    pen.capsule(size[0], size[1]);
  }
};

static_assert(GeomPolicy<Capsule>);

}  // namespace corten
