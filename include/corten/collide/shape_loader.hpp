// SPDX-License-Identifier: Apache-2.0
//
// The input of colliders: the shapes of geoms in their current poses, and how much work to do.
#pragma once

#include <corten/collide/asset_view.hpp>
#include <corten/collide/colliders.hpp>

namespace corten::detail {

// Loads a geom of the model in its current pose. Inlined into every collider, so that what a
// collider does not read (most of a capsule's matrix) is not loaded.
template <class M, class D>
class ShapeLoader {
  using S = typename D::Scalar;

 public:
  CORTEN_FN ShapeLoader(const M& model, const D& data, int geom) : m(model), d(data), g(geom) {}

  template <GeomType T>
  [[gnu::always_inline]] CORTEN_FN Shape<S> load() const {
    Shape<S> out{vec3<S>(d.geom_xpos, g), {axis(0), axis(1), axis(2)}, vec3<S>(m.geom_size, g)};
    if constexpr (T == GeomType::mesh) out.mesh = mesh_view(m, m.geom_dataid[g]);
    if constexpr (T == GeomType::hfield) add_heights(out);
    if constexpr (T == GeomType::sdf) add_grid(out);
    return out;
  }

  // the same for a type that is known only at run time
  CORTEN_FN Shape<S> load(GeomType type) const {
    Shape<S> out = load<GeomType::box>();
    if (type == GeomType::mesh) out.mesh = mesh_view(m, m.geom_dataid[g]);
    if (type == GeomType::hfield) add_heights(out);
    if (type == GeomType::sdf) add_grid(out);
    return out;
  }

 private:
  CORTEN_FN void add_heights(Shape<S>& out) const {
    const int h = m.geom_dataid[g];
    for (int k = 0; k < 3; ++k) out.size[k] = static_cast<S>(m.hfield_size[4 * h + k]);
    out.depth = static_cast<S>(m.hfield_size[4 * h + 3]);
    out.heights = height_view(m, h);
  }

  CORTEN_FN void add_grid(Shape<S>& out) const {
    if (m.geom_dataid[g] >= 0) out.mesh = mesh_view(m, m.geom_dataid[g]);
    if (m.geom_sdf[g] >= 0) out.grid = grid_view<S>(m, m.geom_sdf[g]);
  }

  [[gnu::always_inline]] CORTEN_FN Vec3<S> axis(int k) const {
    const auto& f = d.geom_xmat;
    return Vec3<S>(f[9 * g + k], f[9 * g + 3 + k], f[9 * g + 6 + k]);
  }

  const M& m;
  const D& d;
  int g;
};

// How much work the options allow. Interleaved worlds have no contiguous memory for larger
// polytopes.
template <class M, class D>
CORTEN_FN Effort<typename D::Scalar> effort_of(const M& m, const D& d) {
  using S = typename D::Scalar;
  Effort<S> effort;
  effort.tolerance = static_cast<value_t<S>>(value(m.opt.ccd_tolerance));
  effort.iterations = m.opt.ccd_iterations;
  effort.multi = !m.opt.disabled(disable_multiccd);
  effort.portal = m.opt.disabled(disable_nativeccd);
  effort.starts = m.opt.sdf_initpoints;
  effort.steps = m.opt.sdf_iterations;
  if constexpr (decltype(d.ccd_room.layout)::contiguous) {
    effort.room = d.ccd_room.data;
    effort.room_vertices = d.n.nccd;
  }
  return effort;
}

}  // namespace corten::detail
