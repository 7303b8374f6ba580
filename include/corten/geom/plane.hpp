// SPDX-License-Identifier: Apache-2.0
//
// The half space below z = 0 of the geom. Sizes: half widths in x and y (0: infinite), which limit
// only what is drawn and what rays hit, and the spacing of the grid drawn on it.
#pragma once

#include <corten/geom/geom.hpp>

namespace corten {

struct Plane {
  static constexpr GeomType type = GeomType::plane;
  static constexpr const char* name = "plane";
  static constexpr int num_sizes = 3;
  static constexpr bool has_fromto = false;
  static constexpr bool fixed_only = true;

  static Result<void> valid(const Vec3<double>& size) {
    return size[2] > 0 ? Result<void>()
                       : Error("size 2 (grid spacing) of a plane must be positive");
  }

  // a half space has no finite mass; it counts as none
  template <class S>
  CORTEN_FN static S volume(const Vec3<S>&) {
    return S(0);
  }
  template <class S>
  CORTEN_FN static S area(const Vec3<S>&) {
    return S(0);
  }
  template <class S>
  CORTEN_FN static Vec3<S> inertia(const Vec3<S>&, const S&) {
    return Vec3<S>::Zero();
  }
  template <class S>
  CORTEN_FN static Vec3<S> shell_inertia(const Vec3<S>&, const S&) {
    return Vec3<S>::Zero();
  }

  template <class S>
  CORTEN_FN static Vec6<S> aabb(const Vec3<S>&) {
    const S far = S(geom_math::unbounded);
    return Vec6<S>(Vec3<S>(S(0), S(0), -far / S(2)), Vec3<S>(far, far, far / S(2)));
  }
  template <class S>
  CORTEN_FN static S bounding_radius(const Vec3<S>&) {
    return S(0);
  }

  // a tenth of the drawn size, or very little if it is infinite
  template <class S>
  CORTEN_FN static S stat_radius(const Vec3<S>& size) {
    const bool finite = value(size[0]) != 0 || value(size[1]) != 0;
    return finite ? S(max(size[0], size[1]) * S(0.1)) : S(0.01);
  }
  template <class S>
  CORTEN_FN static Vec3<S> semiaxes(const Vec3<S>& size) {
    return size;
  }

  // hit only from the front, and only within the drawn size
  template <class S>
  CORTEN_FN static S ray(const Vec3<S>& size, const Vec3<S>& p, const Vec3<S>& v) {
    if (value(v[2]) > value_t<S>(-min_value)) return S(-1);
    const S t = -p[2] / v[2];
    if (value(t) < 0) return S(-1);
    for (int k = 0; k < 2; ++k) {
      if (value(size[k]) > 0 && value(abs(S(p[k] + t * v[k]))) > value(size[k])) return S(-1);
    }
    return t;
  }
  template <class S>
  CORTEN_FN static Vec3<S> surface_normal(const Vec3<S>&, const Vec3<S>&) {
    return Vec3<S>(S(0), S(0), S(1));
  }
  template <class S>
  CORTEN_FN static bool holds(const Vec3<S>&, const Vec3<S>& p) {
    return p[2] < S(0);
  }

  template <class S>
  CORTEN_FN static S signed_distance(const Vec3<S>&, const Vec3<S>& p) {
    return p[2];
  }
  template <class S>
  CORTEN_FN static Vec3<S> field_normal(const Shape<S>& shape, const Vec3<S>&, int&) {
    return shape.axis(2);
  }

  // see scene/pen.hpp
  template <class Pen>
  static void draw(const Vec3<double>& size, Pen& pen) {
    pen.plane(size[0], size[1]);
  }
};

static_assert(GeomPolicy<Plane>);

}  // namespace corten
