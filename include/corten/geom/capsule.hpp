// SPDX-License-Identifier: Apache-2.0
//
// A cylinder along z with half a ball on each end. Sizes: radius, half length of the cylinder.
#pragma once

#include <corten/geom/geom.hpp>

namespace corten {

struct Capsule {
  static constexpr GeomType type = GeomType::capsule;
  static constexpr const char* name = "capsule";
  static constexpr int num_sizes = 2;
  static constexpr bool has_fromto = true;
  static constexpr bool fixed_only = false;

  static const char* valid(const Vec3<double>& size) {
    return detail::positive_sizes(size, num_sizes);
  }
  static Vec3<double> stretch(const Vec3<double>& size, double half) {
    return Vec3<double>(size[0], half, size[2]);
  }

  template <class S>
  CORTEN_FN static S volume(const Vec3<S>& size) {
    const S r = size[0];
    return S(pi) * r * r * (S(2) * size[1] + S(4.0 / 3) * r);
  }
  template <class S>
  CORTEN_FN static S area(const Vec3<S>& size) {
    return S(4 * pi) * size[0] * (size[0] + size[1]);
  }

  // The cylinder, and two half balls whose centres of mass are 3/8 r beyond its ends: with the half
  // length h, each adds 2/5 m r² about its ball's centre and m (h² + 3/4 h r) for being moved out.
  template <class S>
  CORTEN_FN static Vec3<S> inertia(const Vec3<S>& size, const S& mass) {
    const S r = size[0], h = size[1];
    const S balls = mass * S(2) * r / (S(2) * r + S(3) * h);
    const S tube = mass - balls;
    const S turned = tube * (r * r / S(4) + h * h / S(3)) +
                     balls * (S(0.4) * r * r + h * (h + S(0.75) * r));
    return Vec3<S>(turned, turned, tube * r * r / S(2) + S(0.4) * balls * r * r);
  }

  // likewise with half shells, whose centres of mass are r/2 beyond the ends
  template <class S>
  CORTEN_FN static Vec3<S> shell_inertia(const Vec3<S>& size, const S& mass) {
    const S r = size[0], h = size[1];
    const S balls = mass * r / (r + h);
    const S tube = mass - balls;
    const S turned = tube * (r * r / S(2) + h * h / S(3)) +
                     balls * (S(2.0 / 3) * r * r + h * (h + r));
    return Vec3<S>(turned, turned, tube * r * r + S(2.0 / 3) * balls * r * r);
  }

  template <class S>
  CORTEN_FN static Vec6<S> aabb(const Vec3<S>& size) {
    return detail::centred_box(size[0], size[0], S(size[0] + size[1]));
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
};

static_assert(GeomPolicy<Capsule>);

}  // namespace corten
