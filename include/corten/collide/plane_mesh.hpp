// SPDX-License-Identifier: Apache-2.0
//
// A plane and a mesh: the deepest vertex, and up to two of its neighbours in the hull that are
// within the margin and far enough away to keep the mesh from tilting. Without a hull all vertices
// are neighbours.
//
// MuJoCo searches meshes of fewer than ten vertices without the hull, and then mistakes the deepest
// vertex's number in the mesh for one in the hull. The neighbours are then those of another vertex,
// and only the minimum distance keeps the deepest vertex itself from being one of them. This file
// does the same, so that blocks and feet rest as they do in MuJoCo.
#pragma once

#include <corten/collide/convex_shape.hpp>

namespace corten {

struct PlaneMesh {
  static constexpr GeomType first = GeomType::plane, second = GeomType::mesh;
  static constexpr int max_hits = 3;

  template <class S>
  CORTEN_FN static int collide(const Shape<S>& a, const Shape<S>& b, const S& margin,
                               Hit<S>* hits) {
    const MeshView& m = b.mesh;
    const Vec3<S> normal = a.axis(2), down = -b.turn_back(normal);
    const bool climbs = m.extrema != nullptr;
    const int deepest = climbs ? climb(m, down) : search(m, down);
    hits[0] = make_hit(a, b, m.vertex<S>(climbs ? id(m, deepest) : deepest));
    if (value(hits[0].dist) > value(margin)) return 0;

    const auto apart = value(S(S(0.3) * norm(b.size)));
    const S level = normal.dot(b.pos - a.pos) - margin;
    const int* edge =
        m.graph != nullptr ? m.graph + 2 + 2 * m.graph[0] + m.graph[2 + deepest] : nullptr;
    int n = 1;
    for (int i = 0; n < max_hits; ++i) {
      if (edge != nullptr ? edge[i] < 0 : i >= m.nvert) break;
      const int next = edge != nullptr ? edge[i] : i;
      if (edge == nullptr && next == deepest) continue;
      const Vec3<S> v = m.vertex<S>(id(m, next));
      if (!(value(down.dot(v)) > value(level))) continue;
      const Vec3<S> away = b.to_world(v) - hits[0].pos;
      if (value(S(away.dot(away))) < apart * apart) continue;
      hits[n++] = make_hit(a, b, v);
    }
    return n;
  }

 private:
  // from a vertex's number in the hull to its number in the mesh
  CORTEN_FN static int id(const MeshView& m, int vertex) {
    return m.graph != nullptr ? m.graph[2 + m.graph[0] + vertex] : vertex;
  }

  template <class S>
  CORTEN_FN static value_t<S> along(const MeshView& m, const Vec3<S>& d, int vertex) {
    return value(S(d.dot(m.vertex<S>(vertex))));
  }

  // the farthest of all vertices; among equals the first
  template <class S>
  CORTEN_FN static int search(const MeshView& m, const Vec3<S>& d) {
    int best = 0;
    auto most = along(m, d, 0);
    for (int i = 1; i < m.nvert; ++i) {
      const auto far = along(m, d, i);
      if (far > most) most = far, best = i;
    }
    return best;
  }

  // uphill along the edges of the hull, from its first vertex
  template <class S>
  CORTEN_FN static int climb(const MeshView& m, const Vec3<S>& d) {
    int best = 0;
    auto most = along(m, d, id(m, best));
    for (int before = -1; best != before;) {
      before = best;
      const int* edge = m.graph + 2 + 2 * m.graph[0] + m.graph[2 + before];
      for (; *edge >= 0; ++edge) {
        const auto far = along(m, d, id(m, *edge));
        if (far > most) most = far, best = *edge;
      }
    }
    return best;
  }

  template <class S>
  CORTEN_FN static Hit<S> make_hit(const Shape<S>& a, const Shape<S>& b, const Vec3<S>& vertex) {
    const Vec3<S> p = b.to_world(vertex), normal = a.axis(2);
    return plane_hit<S>(normal, p, normal.dot(p - a.pos));
  }
};

}  // namespace corten
