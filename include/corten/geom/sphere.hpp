// SPDX-License-Identifier: Apache-2.0
//
// A ball. Sizes: radius.
#pragma once

#include <corten/geom/geom.hpp>

namespace corten {

struct Sphere {
  static constexpr GeomType type = GeomType::sphere;
  static constexpr const char* name = "sphere";
  static constexpr int num_sizes = 1;
  static constexpr bool has_fromto = false;
  static constexpr bool fixed_only = false;

  static const char* valid(const Vec3<double>& size) {
    return detail::positive_sizes(size, num_sizes);
  }

  template <class S>
  CORTEN_FN static S volume(const Vec3<S>& size) {
    return S(4 * pi / 3) * size[0] * size[0] * size[0];
  }
  template <class S>
  CORTEN_FN static S area(const Vec3<S>& size) {
    return S(4 * pi) * size[0] * size[0];
  }
  template <class S>
  CORTEN_FN static Vec3<S> inertia(const Vec3<S>& size, const S& mass) {
    return Vec3<S>::Constant(S(0.4) * mass * size[0] * size[0]);
  }
  template <class S>
  CORTEN_FN static Vec3<S> shell_inertia(const Vec3<S>& size, const S& mass) {
    return Vec3<S>::Constant(mass * size[0] * size[0] * S(2.0 / 3));
  }

  template <class S>
  CORTEN_FN static Vec6<S> aabb(const Vec3<S>& size) {
    return detail::centred_box(size[0], size[0], size[0]);
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
};

static_assert(GeomPolicy<Sphere>);

}  // namespace corten
