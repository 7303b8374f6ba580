// SPDX-License-Identifier: Apache-2.0
//
// A geom given by end points does not say how long it gets.
// refused: Dumbbell stretch geom/geom.hpp
#include <corten/pipeline/policies.hpp>

struct Dumbbell {
  static constexpr corten::GeomType type = corten::user_geom(0);
  static constexpr const char* name = "dumbbell";
  static constexpr int num_sizes = 2;
  static constexpr bool has_fromto = true, fixed_only = false;
  template <class S>
  using Vec3 = corten::Vec3<S>;

  static corten::Result<void> valid(const Vec3<double>&) { return {}; }
  template <class S>
  static S volume(const Vec3<S>& size) {
    return size[0];
  }
  template <class S>
  static S area(const Vec3<S>& size) {
    return size[0];
  }
  template <class S>
  static Vec3<S> inertia(const Vec3<S>& size, const S& mass) {
    return size * mass;
  }
  template <class S>
  static Vec3<S> shell_inertia(const Vec3<S>& size, const S& mass) {
    return size * mass;
  }
  template <class S>
  static corten::Vec6<S> aabb(const Vec3<S>& size) {
    return corten::geom_math::centred_box(size[0], size[0], size[0]);
  }
  template <class S>
  static S bounding_radius(const Vec3<S>& size) {
    return size[0];
  }
  template <class S>
  static S stat_radius(const Vec3<S>& size) {
    return size[0];
  }
  template <class S>
  static Vec3<S> semiaxes(const Vec3<S>& size) {
    return size;
  }
};

corten::Policies<corten::DefaultGeoms::with<Dumbbell>> policies;
