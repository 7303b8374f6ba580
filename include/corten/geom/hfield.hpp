// SPDX-License-Identifier: Apache-2.0
//
// Heights on a grid over the x-y plane of the geom, solid down to its bottom. Sizes: half lengths
// of a box with the mean height, written by the compiler. The heights are in the model's hfield_
// fields.
#pragma once

#include <corten/geom/box.hpp>
#include <corten/geom/hfield_ray.hpp>

namespace corten {

struct HField : Box {
  static constexpr GeomType type = GeomType::hfield;
  static constexpr const char* name = "hfield";
  static constexpr int num_sizes = 0;
  static constexpr bool has_fromto = false;

  static Result<void> valid(const Vec3<double>&) { return {}; }

  // a ray in the frame of geom g; its shape is in the model
  template <class T, class M>
  CORTEN_FN static T ray_in(const M& m, int g, const Vec3<T>& p, const Vec3<T>& v,
                            Vec3<T>* normal) {
    return rays::hfield(m, m.geom_dataid[g], p, v, normal);
  }

  // height above the triangle under the point; a cell's diagonal runs from its low corner to its
  // high one
  template <class S>
  CORTEN_FN static S field_distance(const Shape<S>& shape, const Vec3<S>& p, int&) {
    using V = value_t<S>;
    const Vec3<S>& size = shape.size;
    const int ncol = shape.heights.ncol, n[2] = {ncol, shape.heights.nrow};
    int first[2];
    S at[2], width[2], beyond = -shape.depth - p[2];
    for (int k = 0; k < 2; ++k) {
      width[k] = S(2) * size[k] / S(n[k] - 1);
      const S along = (p[k] + size[k]) / width[k];
      const V v = value(along);
      first[k] = !(v > 0) ? 0 : (v >= V(n[k] - 1) ? n[k] - 2 : static_cast<int>(v));
      at[k] = along - S(first[k]);
      beyond = max(beyond, S(abs(p[k]) - size[k]));
    }
    const float* h = shape.heights.data + first[0] + ncol * first[1];
    const V corner = static_cast<V>(h[0]), across = static_cast<V>(h[ncol + 1]);
    const bool upper = value(at[1]) >= value(at[0]);
    const V third = static_cast<V>(upper ? h[ncol] : h[1]);
    const S rise_x = S(upper ? across - third : third - corner) * size[2];
    const S rise_y = S(upper ? third - corner : across - third) * size[2];
    const S height = S(corner) * size[2] + at[0] * rise_x + at[1] * rise_y;
    const Vec3<S> slope(rise_x / width[0], rise_y / width[1], S(1));
    return max(S((p[2] - height) / norm(slope)), beyond);
  }
  template <class S>
  CORTEN_FN static void field_box(const Shape<S>& shape, Vec3<S>& low, Vec3<S>& high) {
    high = shape.size;
    low = -high;
    low[2] = -shape.depth;
  }

  // see scene/pen.hpp
  template <class M, class Pen>
  static void draw_in(const M& m, int g, Pen& pen) {
    pen.hfield(m.geom_dataid[g]);
  }
};

static_assert(GeomPolicy<HField>);

}  // namespace corten
