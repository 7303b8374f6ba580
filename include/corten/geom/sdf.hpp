// SPDX-License-Identifier: Apache-2.0
//
// A field of signed distances on a grid, which can represent any shape: hollow, bent, with holes.
// The grid is made from a mesh when the model is compiled, or supplied in code (compile/sdf.hpp).
// Without a grid the geom is a placeholder, which nothing touches and no ray hits. Sizes: half
// lengths of its bounding box, written by the compiler if there is a mesh or a grid. Without a mesh
// its mass is that of the solid box.
#pragma once

#include <corten/geom/box.hpp>
#include <corten/geom/mesh_ray.hpp>
#include <corten/geom/sdf_ray.hpp>

namespace corten {

struct Sdf : Box {
  static constexpr GeomType type = GeomType::sdf;
  static constexpr const char* name = "sdf";
  static constexpr int num_sizes = 3;
  static constexpr bool has_fromto = false;

  static Result<void> valid(const Vec3<double>& size) {
    return size.minCoeff() < 0 ? Error("sizes cannot be negative") : Result<void>();
  }

  // a ray in the frame of geom g: against the triangles that the grid was made from, if any
  template <class T, class M>
  CORTEN_FN static T ray_in(const M& m, int g, const Vec3<T>& p, const Vec3<T>& v,
                            Vec3<T>* normal) {
    if (m.geom_dataid[g] >= 0) return rays::mesh(m, m.geom_dataid[g], g, p, v, normal);
    return m.geom_sdf[g] >= 0 ? rays::grid(m, m.geom_sdf[g], p, v, normal) : T(-1);
  }

  // the distance at a point in the frame of geom g; 0 without a grid
  template <class T, class M>
  CORTEN_FN static T distance_in(const M& m, int g, const Vec3<T>& p) {
    return m.geom_sdf[g] >= 0 ? grid_view<T>(m, m.geom_sdf[g]).distance(p) : T(0);
  }

  template <class S>
  CORTEN_FN static S field_distance(const Shape<S>& shape, const Vec3<S>& p, int&) {
    return shape.grid.distance(p);
  }
  template <class S>
  CORTEN_FN static Vec3<S> field_normal(const Shape<S>& shape, const Vec3<S>& p, int&) {
    Vec3<S> out = shape.turn(shape.grid.gradient(p));
    normalize(out);
    return out;
  }
  template <class S>
  CORTEN_FN static void field_box(const Shape<S>& shape, Vec3<S>& low, Vec3<S>& high) {
    low = shape.grid.origin;
    high = shape.grid.high();
  }

  // see scene/pen.hpp
  template <class M, class Pen>
  static void draw_in(const M& m, int g, Pen& pen) {
    if (m.geom_dataid[g] >= 0) return pen.mesh(m.geom_dataid[g]);
    if (m.geom_sdf[g] < 0) return;  // a placeholder has no shape
    const auto grid = grid_view<double>(m, m.geom_sdf[g]);
    pen.field(grid.origin, grid.high(), [&](const Vec3<double>& p) { return grid.distance(p); });
  }
};

static_assert(GeomPolicy<Sdf>);

}  // namespace corten
