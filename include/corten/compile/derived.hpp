// SPDX-License-Identifier: Apache-2.0
//
// Sizes and arrays of a model that MuJoCo does not have or stores differently, computed from those
// that it has: rows of the inertia matrix, trees of boxes around the triangles of meshes, distance
// grids of meshes, and counts. compile() and from_mujoco() (mujoco.hpp) both call these functions,
// so a model is the same either way. The remaining ones are in candidates.hpp and boxes.hpp.
#pragma once

#include <corten/asset/sdf_make.hpp>
#include <corten/asset/tree.hpp>
#include <corten/compile/at.hpp>
#include <corten/compile/grid.hpp>
#include <corten/model/model.hpp>

#include <algorithm>

namespace corten::compiler {

// Rows of the lower triangle: row v has the ancestors of dof v in ascending order, and v itself
// last. The rows of simple bodies have room for all ancestors too; choose_rows() selects the part
// of each row that is used, once the simple bodies are known.
CORTEN_COLD void number_inertia(Model<double>& m) {
  int address = 0;
  for (int v = 0; v < m.n.nv; ++v) {
    const int parent = at(m.dof_parentid, v);
    const int count = parent < 0 ? 0 : at(m.dof_depth, parent);
    put(m.dof_Madr, v, address);
    put(m.dof_depth, v, count + 1);
    for (int k = 0; k < count; ++k) {
      put(m.M_colind, address + k, at(m.M_colind, at(m.dof_Madr, parent) + k));
    }
    put(m.M_colind, address + count, v);
    address += count + 1;
  }
}

// counts the geoms whose surface moves, and the geoms and pairs with adhesion
template <class S>
CORTEN_COLD void count_surfaces(Model<S>& m) {
  m.n.nsurfacevel = m.n.nadhesion = 0;
  for (int g = 0; g < m.n.ngeom; ++g) {
    bool still = true;
    for (int k = 0; k < 6; ++k) still = still && vanishes(at(m.geom_surfacevel, 6 * g + k));
    m.n.nsurfacevel += still ? 0 : 1;
  }
  for (const S& x : m.geom_adhesion) m.n.nadhesion += vanishes(x) ? 0 : 1;
  for (const S& x : m.pair_adhesion) m.n.nadhesion += vanishes(x) ? 0 : 1;
}

// a mesh of the model, to make a tree or a grid from
struct MeshTriangles {
  List<double> vert;
  List<int> face;

  CORTEN_BULK MeshTriangles(const Model<double>& m, int mesh) {
    const float* v = m.mesh_vert.data() + 3 * at(m.mesh_vertadr, mesh);
    const int* f = m.mesh_face.data() + 3 * at(m.mesh_faceadr, mesh);
    vert.assign(v, v + 3 * at(m.mesh_vertnum, mesh));
    face.assign(f, f + 3 * at(m.mesh_facenum, mesh));
  }
};

// Appends the tree of a mesh; meshes must be added in order.
CORTEN_BULK void add_tree(Model<double>& m, int mesh) {
  const MeshTriangles triangles(m, mesh);
  const asset::TriangleTree tree = asset::make_tree(triangles.vert, triangles.face);
  put(m.mesh_treeadr, mesh, m.n.nmeshtree);
  put(m.mesh_treenum, mesh, tree.size());
  m.n.nmeshtree += tree.size();
  m.mesh_tree.append(tree.node.begin(), tree.node.end());
  m.mesh_treebox.append(tree.box.begin(), tree.box.end());
  std::copy(tree.face.begin(), tree.face.end(), m.mesh_treeface.begin() + at(m.mesh_faceadr, mesh));
}

// Gives geom g the distance grid of its mesh, which geoms with the same mesh share.
CORTEN_COLD void add_mesh_grid(Model<double>& m, int g) {
  const int mesh = at(m.geom_dataid, g);
  for (int i = 0; i < g; ++i) {
    const bool same = at(m.geom_dataid, i) == mesh && at(m.geom_sdf, i) >= 0;
    if (same) return put(m.geom_sdf, g, at(m.geom_sdf, i));
  }
  const MeshTriangles triangles(m, mesh);
  put(m.geom_sdf, g, add_grid(m, asset::make_sdf(triangles.vert, triangles.face)));
}

}  // namespace corten::compiler
