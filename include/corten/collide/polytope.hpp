// SPDX-License-Identifier: Apache-2.0
//
// A polytope around the origin that grows vertex by vertex: the data structure of epa.hpp. Faces
// know their three neighbours, so the faces that a new vertex sees are found by walking, and the
// hole that they leave is closed by a fan. A closed surface with n vertices has 2n - 4 triangles,
// and removed ones are reused. Memory for the default number of iterations (6,000 bytes in double
// precision) is on the stack, memory for more is in the data.
#pragma once

#include <corten/collide/convex_shape.hpp>
#include <corten/collide/simplex.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace corten::detail {

// The memory of a polytope. Vertices and faces are numbered by single bytes.
template <class V>
struct PolytopeRoom {
  struct Face {
    Vec3<V> v;  // projection of the origin on the face, outwards: normal times distance
    V dist2;    // its squared length
    std::uint8_t vert[3];
    std::uint8_t adj[3];  // neighbours over the edges 0-1, 1-2, 2-0
    std::int16_t slot;    // place in the list of candidates, or a reason why it has none
  };
  struct Edge {
    std::uint8_t face, edge;
  };
  struct Visit {
    std::uint8_t face, edge, turn;
  };
  template <std::size_t N>
  struct Local {
    DifferencePoint<V> vert[N];
    Face face[2 * N];
    std::uint8_t list[2 * N], free[2 * N];
    Edge edge[2 * N];
    Visit stack[2 * N];
  };

  int vertices = 0;
  DifferencePoint<V>* vert = nullptr;
  Face* face = nullptr;
  std::uint8_t* list = nullptr;  // faces that may be the nearest
  std::uint8_t* free = nullptr;  // removed faces
  Edge* edge = nullptr;          // around the hole
  Visit* stack = nullptr;

  template <std::size_t N>
  CORTEN_FN explicit PolytopeRoom(Local<N>& m)
      : vertices(static_cast<int>(N)),
        vert(m.vert),
        face(m.face),
        list(m.list),
        free(m.free),
        edge(m.edge),
        stack(m.stack) {}

  // room for n vertices in bytes of the data
  CORTEN_FN PolytopeRoom(Byte* bytes, int n) : vertices(n) {
    static_assert(sizeof(Local<1>) <= bytes_per_vertex<V>);
    const auto take = [&](auto*& pointer, int count) {
      using T = std::remove_reference_t<decltype(*pointer)>;
      pointer = reinterpret_cast<T*>(bytes);
      bytes += sizeof(T) * static_cast<std::size_t>(count);
      // numbers that are more than their bytes have to be constructed
      if constexpr (!std::is_trivially_copyable_v<V>)
        std::uninitialized_default_construct_n(pointer, count);
    };
    take(vert, n);
    take(face, 2 * n);
    take(edge, 2 * n);
    take(stack, 2 * n);
    take(list, 2 * n);
    take(free, 2 * n);
  }
};

// the memory in the data if the iterations need it and it is there, else `local`
template <class V, class Local>
CORTEN_FN PolytopeRoom<V> room_of(const Effort<V>& effort, Local& local) {
  if (effort.iterations > local_iterations && effort.room_vertices > local_iterations) {
    return PolytopeRoom<V>(effort.room, effort.room_vertices);
  }
  return PolytopeRoom<V>(local);
}

template <class V>
class Polytope {
 public:
  using Face = typename PolytopeRoom<V>::Face;
  static constexpr int no_candidate = -1, removed = -2;

  // MuJoCo does not reuse faces: `most_faces` is the number that it makes in all
  CORTEN_FN Polytope(const PolytopeRoom<V>& room, int most_faces)
      : left_(most_faces),
        max_faces_(2 * room.vertices - 4),
        vert_(room.vert),
        face_(room.face),
        list_(room.list),
        free_(room.free),
        edge_(room.edge),
        stack_(room.stack) {}

  CORTEN_FN void clear() {
    left_ += nface_;
    nvert_ = nface_ = nlist_ = nfree_ = 0;
  }

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

  // a point inside, from which normals point away
  CORTEN_FN void set_centre(const Vec3<V>& c) { centre_ = c; }

  // Adds a face. Returns its squared distance from the origin, or 0 if it has no normal.
  CORTEN_FN V add_face(int v1, int v2, int v3, int adj1, int adj2, int adj3) {
    --left_;
    return make_face(nface_++, v1, v2, v3, adj1, adj2, adj3);
  }

  CORTEN_FN void add_candidate(int f) {
    face_[f].slot = static_cast<std::int16_t>(nlist_);
    list_[nlist_++] = byte(f);
  }

  // Removes face f and all faces that w sees, and collects the edges around the hole. Returns their
  // number; fewer than three mean that rounding has broken the surface.
  CORTEN_FN int open_hole(int f, const Vec3<V>& w) {
    nedge_ = nstack_ = 0;
    remove(f);
    for (int e = 0; e < 3; ++e) cross_edge(f, e, w);
    return nedge_;
  }

  // is there room to close the hole?
  CORTEN_FN bool has_room() const {
    return nedge_ <= left_ && nedge_ <= nfree_ + max_faces_ - nface_;
  }

  // Closes the hole with a fan around vertex w. New faces between lower2 and upper2 become
  // candidates. False if one of them has no normal.
  CORTEN_FN bool close_hole(int w, V lower2, V upper2) {
    left_ -= nedge_;
    // numbers of the new faces, in the stack of the walk, which is over
    const auto fan = [this](int i) -> std::uint8_t& { return stack_[i].face; };
    for (int i = 0; i < nedge_; ++i) fan(i) = byte(nfree_ > 0 ? free_[--nfree_] : nface_++);
    for (int i = 0; i < nedge_; ++i) {
      const int outer = edge_[i].face, e = edge_[i].edge;
      const int v1 = face_[outer].vert[e], v2 = face_[outer].vert[(e + 1) % 3];
      face_[outer].adj[e] = fan(i);
      const int last = fan(i == 0 ? nedge_ - 1 : i - 1), next = fan(i + 1 == nedge_ ? 0 : i + 1);
      const V dist2 = make_face(fan(i), w, v2, v1, last, outer, next);
      if (dist2 == 0) return false;
      if (dist2 >= lower2 && dist2 <= upper2) add_candidate(fan(i));
    }
    return true;
  }

 private:
  using Edge = typename PolytopeRoom<V>::Edge;
  using Visit = typename PolytopeRoom<V>::Visit;

  CORTEN_FN static std::uint8_t byte(int i) { return static_cast<std::uint8_t>(i); }

  CORTEN_FN V make_face(int f, int v1, int v2, int v3, int adj1, int adj2, int adj3) {
    Face& face = face_[f];
    face.vert[0] = byte(v1), face.vert[1] = byte(v2), face.vert[2] = byte(v3);
    face.adj[0] = byte(adj1), face.adj[1] = byte(adj2), face.adj[2] = byte(adj3);
    face.slot = no_candidate;
    face.dist2 = V(0);
    const Vec3<V> p = point(v1);
    Vec3<V> v;
    if (!project_on_plane(point(v3), point(v2), p, v)) return V(0);
    if (v.dot(p - centre_) < 0) v = -v;
    face.v = v;
    face.dist2 = v.dot(v);
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

  // Walks from face f over its edge e: a neighbour that w does not see gives an edge of the hole;
  // one that w sees is removed, and its two other edges are crossed in turn. The edges come out in
  // a cycle.
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
  int left_, max_faces_;
  Vec3<V> centre_;
  DifferencePoint<V>* vert_;
  Face* face_;
  std::uint8_t *list_, *free_;
  Edge* edge_;
  Visit* stack_;
};

}  // namespace corten::detail
