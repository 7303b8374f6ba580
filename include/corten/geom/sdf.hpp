// SPDX-License-Identifier: Apache-2.0
//
// A field of distances that has no data: a place for a shape, which nothing touches and no ray meets. Sizes:
// half lengths of the box around it, which weighs as if it were solid. In MuJoCo such a geom has a mesh.
#pragma once

#include <corten/geom/box.hpp>

namespace corten {

struct Sdf {
  static constexpr GeomType type = GeomType::sdf;
  static constexpr const char* name = "sdf";
  static constexpr int num_sizes = 3;
  static constexpr bool has_fromto = false;
  static constexpr bool fixed_only = false;

  static const char* valid(const Vec3<double>& size) {
    return size.minCoeff() < 0 ? "sizes cannot be negative" : nullptr;
  }

  template <class S>
  CORTEN_FN static S volume(const Vec3<S>& size) {
    return Box::volume(size);
  }
  template <class S>
  CORTEN_FN static S area(const Vec3<S>& size) {
    return Box::area(size);
  }
  template <class S>
  CORTEN_FN static Vec3<S> inertia(const Vec3<S>& size, const S& mass) {
    return Box::inertia(size, mass);
  }
  template <class S>
  CORTEN_FN static Vec3<S> shell_inertia(const Vec3<S>& size, const S& mass) {
    return Box::shell_inertia(size, mass);
  }
  template <class S>
  CORTEN_FN static Vec6<S> aabb(const Vec3<S>& size) {
    return Box::aabb(size);
  }
  template <class S>
  CORTEN_FN static S bounding_radius(const Vec3<S>& size) {
    return Box::bounding_radius(size);
  }
  template <class S>
  CORTEN_FN static S stat_radius(const Vec3<S>& size) {
    return Box::stat_radius(size);
  }
  template <class S>
  CORTEN_FN static Vec3<S> semiaxes(const Vec3<S>& size) {
    return Box::semiaxes(size);
  }
};

static_assert(GeomPolicy<Sdf>);

}  // namespace corten
