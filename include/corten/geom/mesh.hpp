// SPDX-License-Identifier: Apache-2.0
//
// A convex mesh: the hull of its vertices collides. Sizes: half lengths of the box around it, which the
// compiler writes; corners, hull and inertia are in the mesh_ fields of the model.
#pragma once

#include <corten/geom/box.hpp>
#include <corten/geom/mesh_ray.hpp>

namespace corten {

struct Mesh : Box {
  static constexpr GeomType type = GeomType::mesh;
  static constexpr const char* name = "mesh";
  static constexpr int num_sizes = 0;
  static constexpr bool has_fromto = false;

  static const char* valid(const Vec3<double>&) { return nullptr; }

  // a ray in the frame of geom g: it needs the model
  template <class T, class M>
  CORTEN_FN static T ray_in(const M& m, int g, const Vec3<T>& p, const Vec3<T>& v,
                            Vec3<T>* normal) {
    return rays::mesh(m, m.geom_dataid[g], g, p, v, normal);
  }
};

static_assert(GeomPolicy<Mesh>);

}  // namespace corten
