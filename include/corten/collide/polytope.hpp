// SPDX-License-Identifier: Apache-2.0
//
// A polytope around the origin that grows vertex by vertex: the data structure of epa.hpp. Faces
// know their three neighbours, so that the faces which a new vertex sees are found by walking, and
// the hole that they leave is closed by a fan. Memory is fixed (some 5 KB in double precision) and
// lives on the stack: a closed surface with n vertices has 2n - 4 triangles, and those that were
// removed are used again.
#pragma once

#include <corten/collide/simplex.hpp>
#include <corten/collide/support.hpp>

#include <cstdint>

namespace corten::detail {

template <class V>
class Polytope {
 public:
  static constexpr int max_vertices = 40;
  static constexpr int max_faces = 2 * max_vertices - 4;

  struct Face {
    Vec3<V> v;  // projection of the origin on the face, outwards: normal times distance
    V dist2;    // its squared length
    std::uint8_t vert[3];
    std::uint8_t adj[3];  // neighbours over the edges 0-1, 1-2, 2-0
    std::int16_t slot;    // place in the list of candidates, or one of the two below
  };
  static constexpr int no_candidate = -1, removed = -2;

  CORTEN_FN void clear() { nvert_ = nface_ = nlist_ = nfree_ = 0; }

  CORTEN_FN int vertices() const { return nvert_; }
  CORTEN_FN Vec3<V> point(int i) const { return vert_[i].point(); }
  CORTEN_FN const DifferencePoint<V>& vertex(int i) const { return vert_[i]; }
  CORTEN_FN int add_vertex(const DifferencePoint<V>& p) {
    vert_[nvert_] = p;
    return nvert_++;
  }

  CORTEN_FN const Face& face(int i) const { return face_[i]; }
  CORTEN_FN int candidates() const { return nlist_; }
  CORTEN_FN int candidate(int i) const { return list_[i]; }

  // the inside, from where normals point away
  CORTEN_FN void set_centre(const Vec3<V>& c) { centre_ = c; }

  // The squared distance of a new face from the origin, 0 if it has no normal.
  CORTEN_FN V add_face(int v1, int v2, int v3, int adj1, int adj2, int adj3) {
    return make_face(nface_++, v1, v2, v3, adj1, adj2, adj3);
  }

  CORTEN_FN void add_candidate(int f) {
    face_[f].slot = static_cast<std::int16_t>(nlist_);
    list_[nlist_++] = byte(f);
  }

  // Removes face f and all that are seen from w, and collects the edges around the hole. Returns
  // their number; fewer than three mean that rounding has broken the surface.
  CORTEN_FN int open_hole(int f, const Vec3<V>& w) {
    nedge_ = nstack_ = 0;
    remove(f);
    for (int e = 0; e < 3; ++e) cross_edge(f, e, w);
    return nedge_;
  }

  // may the hole be closed?
  CORTEN_FN bool has_room() const { return nedge_ <= nfree_ + max_faces - nface_; }

  // Closes the hole with a fan around vertex w. New faces between lower2 and upper2 become
  // candidates. False if one of them has no normal.
  CORTEN_FN bool close_hole(int w, V lower2, V upper2) {
    std::uint8_t fan[max_faces];
    for (int i = 0; i < nedge_; ++i) fan[i] = byte(nfree_ > 0 ? free_[--nfree_] : nface_++);
    for (int i = 0; i < nedge_; ++i) {
      const int outer = edge_[i].face, e = edge_[i].edge;
      const int v1 = face_[outer].vert[e], v2 = face_[outer].vert[(e + 1) % 3];
      face_[outer].adj[e] = fan[i];
      const int last = fan[i == 0 ? nedge_ - 1 : i - 1], next = fan[i + 1 == nedge_ ? 0 : i + 1];
      const V dist2 = make_face(fan[i], w, v2, v1, last, outer, next);
      if (dist2 == 0) return false;
      if (dist2 >= lower2 && dist2 <= upper2) add_candidate(fan[i]);
    }
    return true;
  }

 private:
  struct Edge {
    std::uint8_t face, edge;
  };
  struct Visit {
    std::uint8_t face, edge, turn;
  };

  CORTEN_FN static std::uint8_t byte(int i) { return static_cast<std::uint8_t>(i); }

  CORTEN_FN V make_face(int f, int v1, int v2, int v3, int adj1, int adj2, int adj3) {
    Face& face = face_[f];
    face.vert[0] = byte(v1), face.vert[1] = byte(v2), face.vert[2] = byte(v3);
    face.adj[0] = byte(adj1), face.adj[1] = byte(adj2), face.adj[2] = byte(adj3);
    face.slot = no_candidate;
    face.dist2 = V(0);
    const Vec3<V> p = point(v1);
    if (!project_on_plane(point(v3), point(v2), p, face.v)) return V(0);
    if (face.v.dot(p - centre_) < 0) face.v = -face.v;
    face.dist2 = face.v.dot(face.v);
    return face.dist2;
  }

  CORTEN_FN void remove(int f) {
    const int slot = face_[f].slot;
    if (slot >= 0) {
      list_[slot] = list_[--nlist_];
      face_[list_[slot]].slot = static_cast<std::int16_t>(slot);
    }
    face_[f].slot = removed;
    free_[nfree_++] = byte(f);
  }

  // From face f over its edge e: a neighbour that w does not see gives an edge of the hole; one
  // that it does is removed, and its two other edges are crossed in turn. The edges come out in a
  // cycle.
  CORTEN_FN void cross_edge(int f, int e, const Vec3<V>& w) {
    step_over(f, e, w);
    while (nstack_ > 0) {
      Visit& top = stack_[nstack_ - 1];
      if (top.turn == 3) {
        --nstack_;
        continue;
      }
      const int g = top.face, next = (top.edge + top.turn) % 3;
      ++top.turn;
      step_over(g, next, w);
    }
  }

  CORTEN_FN void step_over(int f, int e, const Vec3<V>& w) {
    const int g = face_[f].adj[e];
    if (face_[g].slot == removed) return;
    const int far = face_[f].vert[(e + 1) % 3];
    const int back = face_[g].vert[0] == far ? 0 : face_[g].vert[1] == far ? 1 : 2;
    if (face_[g].v.dot(w) - face_[g].dist2 > V(min_value)) {
      remove(g);
      stack_[nstack_++] = {byte(g), byte(back), 1};
    } else {
      edge_[nedge_++] = {byte(g), byte(back)};
    }
  }

  int nvert_ = 0, nface_ = 0, nlist_ = 0, nfree_ = 0, nedge_ = 0, nstack_ = 0;
  Vec3<V> centre_;
  DifferencePoint<V> vert_[max_vertices];
  Face face_[max_faces];
  std::uint8_t list_[max_faces];  // faces that may be the nearest
  std::uint8_t free_[max_faces];  // removed faces
  Edge edge_[max_faces];          // around the hole
  Visit stack_[max_faces];
};

}  // namespace corten::detail
