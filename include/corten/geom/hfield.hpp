// SPDX-License-Identifier: Apache-2.0
//
// Heights on a grid over the x-y plane of the geom, solid down to the bottom. Sizes: half lengths of a box
// with its mean height, which the compiler writes; heights are in the hfield_ fields of the model.
#pragma once

#include <corten/geom/box.hpp>
#include <corten/geom/hfield_ray.hpp>

namespace corten {

struct HField : Box {
  static constexpr GeomType type = GeomType::hfield;
  static constexpr const char* name = "hfield";
  static constexpr int num_sizes = 0;
  static constexpr bool has_fromto = false;

  static const char* valid(const Vec3<double>&) { return nullptr; }

  // a ray in the frame of geom g: it needs the model
  template <class T, class M>
  CORTEN_FN static T ray_in(const M& m, int g, const Vec3<T>& p, const Vec3<T>& v,
                            Vec3<T>* normal) {
    return rays::hfield(m, m.geom_dataid[g], p, v, normal);
  }
};

static_assert(GeomPolicy<HField>);

}  // namespace corten
