// SPDX-License-Identifier: Apache-2.0
//
// Which flat sides of boxes and meshes touch in a contact that EPA has found? The face of its
// polytope is made of corners of both shapes: one, two or three distinct corners of a shape mean a
// corner, an edge or a side of it. If sides that meet there face each other, or an edge lies along
// a side (to within five degrees), the shapes touch in more than one point, and clip.hpp finds all
// of them. Rules, order and tolerances are those of MuJoCo's native collider.
#pragma once

#include <corten/collide/epa.hpp>

namespace corten::detail {

// Up to three distinct corners of one shape, with their positions in the world.
template <class V>
struct CornerSet {
  int count = 0;
  int id[3];
  Vec3<V> place[3];
};

template <class V>
CORTEN_FN CornerSet<V> corner_set(const EpaResult<V>& e, bool first) {
  CornerSet<V> out;
  for (int i = 0; i < 3; ++i) {
    out.id[i] = first ? e.corner[i].corner1 : e.corner[i].corner2;
    out.place[i] = first ? e.corner[i].p1 : e.corner[i].p2;
  }
  out.count = 3;
  if (out.id[0] == out.id[1]) {
    out.count = out.id[0] == out.id[2] ? 1 : 2;
    out.id[1] = out.id[2];
    out.place[1] = out.place[2];
  } else if (out.id[2] == out.id[0] || out.id[2] == out.id[1]) {
    out.count = 2;
  }
  return out;
}

// The sides of a shape that share the given corners. The sides around a single vertex of a mesh may
// be many, so they are looked up one by one instead of copied.
template <class V>
class SideList {
 public:
  // `towards` points to the other shape
  CORTEN_FN SideList(const ConvexShape<V>& shape, const CornerSet<V>& corners,
                     const Vec3<V>& towards)
      : shape_(shape) {
    if (shape.type == GeomType::box) {
      of_box(corners, towards);
    } else {
      of_mesh(corners);
    }
  }

  CORTEN_FN int count() const { return count_; }
  CORTEN_FN int id(int i) const {
    return vertex_ < 0 ? id_[i]
                       : shape_.shape.mesh.around[shape_.shape.mesh.around_adr[vertex_] + i];
  }
  // in the world; side 2 k of a box is +k, side 2 k + 1 is -k
  CORTEN_FN Vec3<V> normal(int i) const { return side_normal(shape_.type, shape_.shape, id(i)); }

  template <class S>
  CORTEN_FN static Vec3<S> side_normal(GeomType type, const Shape<S>& s, int side) {
    if (type == GeomType::box) {
      const Vec3<S>& axis = s.axis(side / 2);
      return side % 2 == 0 ? axis : -axis;
    }
    const double* n = s.mesh.normal + 3 * side;
    return s.turn(Vec3<S>(S(value_t<S>(n[0])), S(value_t<S>(n[1])), S(value_t<S>(n[2]))));
  }

 private:
  // The sides at which all corners lie. If these are fewer or more than the corners imply, only the
  // side that faces the other shape.
  CORTEN_FN void of_box(const CornerSet<V>& c, const Vec3<V>& towards) {
    for (int axis = 0; axis < 3; ++axis) {
      int high = 0;
      for (int i = 0; i < c.count; ++i) high += c.id[i] >> axis & 1;
      if (high == c.count) id_[count_++] = 2 * axis;
      if (high == 0) id_[count_++] = 2 * axis + 1;
    }
    if (count_ == 4 - c.count) return;
    count_ = 0;
    const Vec3<V> d = shape_.shape.turn_back(towards);
    const V length = sqrt(d.dot(d));
    for (int side = 0; side < 6 && count_ == 0; ++side) {
      const V along = side % 2 == 0 ? d[side / 2] : -d[side / 2];
      if (along > V(aligned) * length) id_[count_++] = side;
    }
  }

  CORTEN_FN void of_mesh(const CornerSet<V>& c) {
    const MeshView& m = shape_.shape.mesh;
    if (c.count == 1) {
      vertex_ = c.id[0];
      count_ = m.around_num[vertex_];
      return;
    }
    // up to two sides that contain the first two corners
    for (int i = 0; i < m.around_num[c.id[0]] && count_ < 2; ++i) {
      const int side = m.around[m.around_adr[c.id[0]] + i];
      if (meets(m, c.id[1], side)) id_[count_++] = side;
    }
    if (c.count == 2) return;
    int kept = 0;
    for (int i = 0; i < count_; ++i) {
      if (meets(m, c.id[2], id_[i])) id_[kept++] = id_[i];
    }
    count_ = kept < 1 ? kept : 1;
  }

  CORTEN_FN static bool meets(const MeshView& m, int vertex, int side) {
    for (int i = 0; i < m.around_num[vertex]; ++i) {
      if (m.around[m.around_adr[vertex] + i] == side) return true;
    }
    return false;
  }

 public:
  static constexpr double aligned = 0.996;  // cosine of five degrees

 private:
  const ConvexShape<V>& shape_;
  int count_ = 0, vertex_ = -1;
  int id_[3] = {0, 0, 0};
};

// The edges from the first corner: to the second of two, or to all neighbours of a single one.
template <class V>
class EdgeList {
 public:
  CORTEN_FN EdgeList(const ConvexShape<V>& shape, const CornerSet<V>& corners)
      : shape_(shape), corners_(corners) {
    count_ = corners.count == 2            ? 1
             : corners.count > 2           ? 0
             : shape.type == GeomType::box ? 3
                                           : shape.shape.mesh.around_num[corners.id[0]];
  }

  CORTEN_FN int count() const { return count_; }
  // the corner at the other end
  CORTEN_FN int end(int i) const {
    if (corners_.count == 2) return corners_.id[1];
    const int from = corners_.id[0];
    if (shape_.type == GeomType::box) return from ^ 1 << i;
    // the corner before `from` in side i
    const MeshView& m = shape_.shape.mesh;
    const int side = m.around[m.around_adr[from] + i], n = m.side_num[side];
    const int* vert = m.side_vert + m.side_adr[side];
    int k = 0;
    while (k + 1 < n && vert[k] != from) ++k;
    return vert[k == 0 ? n - 1 : k - 1];
  }
  CORTEN_FN Vec3<V> direction(int i) const {
    Vec3<V> d = corner_place(shape_.type, shape_.shape, end(i)) - corners_.place[0];
    normalize(d);
    return d;
  }

  // the position of a corner of a box or mesh in the world
  template <class S>
  CORTEN_FN static Vec3<S> corner_place(GeomType type, const Shape<S>& s, int corner) {
    if (type == GeomType::mesh) return s.to_world(s.mesh.template vertex<S>(corner));
    Vec3<S> p;
    for (int i = 0; i < 3; ++i) p[i] = (corner >> i & 1) != 0 ? s.size[i] : S(-s.size[i]);
    return s.to_world(p);
  }

 private:
  const ConvexShape<V>& shape_;
  const CornerSet<V>& corners_;
  int count_ = 0;
};

// What touches: two sides, or an edge of one shape and a side of the other.
struct Match {
  enum Kind { none, sides, edge_of_first, edge_of_second } kind = none;
  int side1 = 0, side2 = 0;  // of the shapes that touch with a side
  int edge[2] = {0, 0};      // corners of the edge
};

// finds an edge of shape e that lies along a side in the list
template <class V>
CORTEN_FN bool match_edge(const ConvexShape<V>& e, const CornerSet<V>& corners,
                          const SideList<V>& list, Match& out, int& side) {
  const EdgeList<V> edges(e, corners);
  for (int i = 0; i < list.count(); ++i) {
    const Vec3<V> n = list.normal(i);
    for (int k = 0; k < edges.count(); ++k) {
      if (!(abs(edges.direction(k).dot(n)) < V(0.0888))) continue;
      side = list.id(i);
      out.edge[0] = corners.id[0];
      out.edge[1] = edges.end(k);
      return true;
    }
  }
  return false;
}

template <class V>
CORTEN_FN Match match_facets(const ConvexShape<V>& a, const ConvexShape<V>& b,
                             const EpaResult<V>& e) {
  Match out;
  if ((a.type == GeomType::mesh && a.shape.mesh.nside == 0) ||
      (b.type == GeomType::mesh && b.shape.mesh.nside == 0)) {
    return out;
  }
  const CornerSet<V> ca = corner_set(e, true), cb = corner_set(e, false);
  const SideList<V> la(a, ca, e.x1 - e.x2), lb(b, cb, e.x2 - e.x1);
  for (int i = 0; i < la.count(); ++i) {
    const Vec3<V> n = la.normal(i);
    for (int k = 0; k < lb.count(); ++k) {
      if (!(n.dot(lb.normal(k)) < V(-SideList<V>::aligned))) continue;
      out.side1 = la.id(i);
      out.side2 = lb.id(k);
      out.kind = Match::sides;
      return out;
    }
  }
  if (ca.count < 3 && ca.count <= cb.count) {
    if (match_edge(a, ca, lb, out, out.side2)) out.kind = Match::edge_of_first;
  } else if (cb.count < 3) {
    if (match_edge(b, cb, la, out, out.side1)) out.kind = Match::edge_of_second;
  }
  return out;
}

}  // namespace corten::detail
