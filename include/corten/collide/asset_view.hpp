// SPDX-License-Identifier: Apache-2.0
//
// Meshes and height fields of a model, as colliders see them.
#pragma once

#include <corten/collide/shape.hpp>

namespace corten {

// with fewer vertices than this, searches look at all of them instead of climbing along hull edges
inline constexpr int min_climb_vertices = 10;

template <class M>
CORTEN_FN MeshView mesh_view(const M& m, int mesh) {
  const int vert = m.mesh_vertadr[mesh], side = m.mesh_polyadr[mesh], graph = m.mesh_graphadr[mesh];
  MeshView out;
  out.vert = m.mesh_vert.data + 3 * vert;
  out.nvert = m.mesh_vertnum[mesh];
  if (graph >= 0) out.graph = m.mesh_graph.data + graph;
  if (graph >= 0 && out.nvert >= min_climb_vertices) {
    out.extrema = m.mesh_extrema.data + 27 * mesh;
  }
  out.nside = m.mesh_polynum[mesh];
  out.normal = m.mesh_polynormal.data + 3 * side;
  out.side_adr = m.mesh_polyvertadr.data + side;
  out.side_num = m.mesh_polyvertnum.data + side;
  out.side_vert = m.mesh_polyvert.data;
  out.around_adr = m.mesh_polymapadr.data + vert;
  out.around_num = m.mesh_polymapnum.data + vert;
  out.around = m.mesh_polymap.data;
  return out;
}

template <class M>
CORTEN_FN HeightView height_view(const M& m, int hfield) {
  return {m.hfield_data.data + m.hfield_adr[hfield], m.hfield_nrow[hfield], m.hfield_ncol[hfield]};
}

}  // namespace corten
