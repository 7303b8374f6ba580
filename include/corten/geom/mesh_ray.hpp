// SPDX-License-Identifier: Apache-2.0
//
// Intersects a ray with the triangles of a mesh, in the frame of its geom, using the tree of boxes
// around them (asset/tree.hpp).
#pragma once

#include <corten/geom/box.hpp>
#include <corten/geom/triangle.hpp>
#include <corten/math/field.hpp>

namespace corten::rays {

// triangle number `face` among all meshes, for a mesh whose vertices start at `first`
template <class V, class M>
CORTEN_FN Triangle<V> mesh_triangle(const M& m, int first, int face) {
  Triangle<V> out;
  for (int i = 0; i < 3; ++i) {
    const int vertex = first + m.mesh_face[3 * face + i];
    for (int k = 0; k < 3; ++k) out.corner[i][k] = static_cast<V>(m.mesh_vert[3 * vertex + k]);
  }
  return out;
}

// distance to mesh `id` of geom g, or -1; also the normal at the hit
template <class T, class M>
CORTEN_FN T mesh(const M& m, int id, int g, const Vec3<T>& p, const Vec3<T>& v, Vec3<T>* normal) {
  using V = value_t<T>;
  const Vec3<V> point = values(p), direction = values(v);
  Vec3<V> box;
  for (int k = 0; k < 3; ++k) box[k] = static_cast<V>(value(m.geom_size[3 * g + k]));
  if (Box::ray(box, point, direction) < 0) return T(-1);
  TriangleSearch<V> search(point, direction);
  const int first = m.mesh_vertadr[id], begin = m.mesh_faceadr[id];
  const int tree = m.mesh_treeadr[id];
  for (int i = 0; i < m.mesh_treenum[id];) {
    Vec3<V> low, high;
    for (int k = 0; k < 3; ++k) {
      low[k] = static_cast<V>(m.mesh_treebox[6 * (tree + i) + k]);
      high[k] = static_cast<V>(m.mesh_treebox[6 * (tree + i) + 3 + k]);
    }
    const int node = 3 * (tree + i);
    if (!search.may_meet(low, high)) {
      i = m.mesh_tree[node];
      continue;
    }
    const int from = m.mesh_tree[node + 1], count = m.mesh_tree[node + 2];
    for (int f = from; f < from + count; ++f) {
      const int face = m.mesh_treeface[begin + f];
      search.offer(mesh_triangle<V>(m, first, begin + face), face);
    }
    ++i;
  }
  if (search.nearest_time() < 0) return T(-1);
  if (normal != nullptr) {
    const Vec3<V> n = search.nearest().unit_normal();
    for (int k = 0; k < 3; ++k) (*normal)[k] = T(n[k]);
  }
  return search.nearest().plane_time(p, v);
}

}  // namespace corten::rays
