// SPDX-License-Identifier: Apache-2.0
//
// Writes distance grids to the arrays of the model: those computed from the meshes that geoms of
// type sdf name, and those given by spec::Geom::grid.
#pragma once

#include <corten/compile/assets.hpp>
#include <corten/compile/derived.hpp>

namespace corten::compiler {

// writes the grids of all geoms; geoms with the same mesh or grid share the numbers
CORTEN_COLD void write_grids(Draft& d) {
  Model<double>& m = d.m;
  for (int g = 0; g < m.n.ngeom; ++g) {
    const spec::Geom& e = at(d.geoms, g);
    const int mesh = at(m.geom_dataid, g);
    const bool empty = mesh < 0 && e.grid == nullptr;
    if (geom_type(e) != GeomType::sdf || empty || d.has_failed(e)) continue;
    for (int i = 0; i < g && e.grid != nullptr; ++i) {
      if (at(d.geoms, i).grid == e.grid) put(m.geom_sdf, g, at(m.geom_sdf, i));
    }
    if (at(m.geom_sdf, g) >= 0) continue;
    const std::size_t nodes = e.grid != nullptr ? e.grid->data.size() : 0;
    if (m.sdf_data.size() + nodes > asset::max_count) {
      d.note(e, e.error("the distance grids are too large"));
      continue;
    }
    if (e.grid != nullptr) {
      put(m.geom_sdf, g, add_grid(m, *e.grid));
    } else {
      add_mesh_grid(m, g);
    }
  }
}

}  // namespace corten::compiler
