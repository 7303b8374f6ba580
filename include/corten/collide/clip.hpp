// SPDX-License-Identifier: Apache-2.0
//
// Contacts between flat sides (facets.hpp). One polygon is clipped by the other, edge by edge
// (Sutherland and Hodgman 1974). The remaining corners that lie below the plane of the clipping
// polygon are the contacts: at most four, those that span the largest quadrilateral.
//
// This runs in the scalar of the data, with branches decided by values, so that depth, position and
// normal of each contact carry derivatives.
#pragma once

#include <corten/collide/facets.hpp>

namespace corten::detail {

// A side of a box or mesh in the world, its corners counter-clockwise seen from inside.
template <class S>
struct Facet {
  GeomType type;
  const Shape<S>* shape;
  int side;
  int edge[2];  // its corners, if this is an edge (side < 0)

  CORTEN_FN int count() const {
    return side < 0 ? 2 : type == GeomType::box ? 4 : shape->mesh.side_num[side];
  }

  CORTEN_FN Vec3<S> corner(int i) const {
    return EdgeList<value_t<S>>::template corner_place<S>(type, *shape, id(i));
  }

  CORTEN_FN Vec3<S> normal() const {
    return SideList<value_t<S>>::template side_normal<S>(type, *shape, side);
  }

 private:
  CORTEN_FN int id(int i) const {
    if (side < 0) return edge[i];
    if (type == GeomType::mesh) {
      const MeshView& m = shape->mesh;
      return m.side_vert[m.side_adr[side] + m.side_num[side] - 1 - i];
    }
    constexpr int box[6][4] = {{7, 3, 1, 5}, {2, 6, 4, 0}, {2, 3, 7, 6},
                               {4, 5, 1, 0}, {6, 7, 5, 4}, {3, 2, 0, 1}};
    return box[side][i];
  }
};

template <class S>
class Clipper {
  using V = value_t<S>;

 public:
  static constexpr int max_points = 256;
  static constexpr int max_hits = 4;

  // Clips polygon b by polygon a. Contacts are where b is below a, with normals along `dir`.
  // Returns their number, or -1 if b has too many corners at some point.
  CORTEN_FN int run(const Facet<S>& a, const Facet<S>& b, const Vec3<S>& dir, bool flipped,
                    Hit<S>* hits) {
    const int na = a.count(), nb = b.count();
    if (nb > max_points) return -1;
    const Vec3<S> n = a.normal(), origin = a.corner(0);
    count_ = nb;
    for (int i = 0; i < nb; ++i) points_[i] = b.corner(i);
    for (int e = 0; e < na; ++e) {
      if (!clip(a.corner(e), a.corner(e + 1 < na ? e + 1 : 0), n)) return -1;
    }
    keep_below(origin, n);
    if (count_ < 1) return 0;
    int chosen[max_hits] = {0, 1, 2, 3};
    int found = count_ < max_hits ? count_ : max_hits;
    if (count_ > max_hits) {
      largest_quadrilateral(chosen);
    } else if (nb == 2 && count_ > 2) {
      farthest_two(chosen);
      found = 2;
    }
    for (int i = 0; i < found; ++i) {
      hits[i] = make_hit(points_[chosen[i]], origin, n, dir, flipped);
    }
    return found;
  }

 private:
  CORTEN_FN static bool inside(const Vec3<S>& a, const Vec3<S>& n, const Vec3<S>& p) {
    return value((p - a).dot(n)) > V(-min_value);
  }

  // Clips by the plane through the edge from a to b that is perpendicular to the polygon with
  // normal n. The result overwrites corners that have been read. False if there is no room for it.
  CORTEN_FN bool clip(const Vec3<S>& a, const Vec3<S>& b, const Vec3<S>& n) {
    const Vec3<S> above = a + n;
    Vec3<S> side = cross(b - a, above - a);
    normalize(side);
    const S level = side.dot(a);
    const Vec3<S> first = points_[0];
    Vec3<S> p = first;
    bool p_in = inside(a, side, p);
    int kept = 0;
    // `next` is the corner to read: after the last one comes the first again
    for (int next = 1; next <= count_; ++next) {
      const Vec3<S> q = next < count_ ? points_[next] : first;
      const bool q_in = inside(a, side, q);
      // Two corners replace one. That happens more than once only by rounding, if b is not quite
      // convex.
      if (q_in && !p_in && kept > next - 1 && next + 1 < count_ && !make_room(next)) return false;
      if (kept + 1 >= max_points) return false;
      if (p_in != q_in) {
        const Vec3<S> pq = q - p;
        const S slope = side.dot(pq);
        if (value(slope) != 0) {
          const S t = (level - side.dot(p)) / slope;
          if (value(t) >= 0 && value(t) <= 1) points_[kept++] = p + pq * t;
        }
      }
      if (q_in) points_[kept++] = q;
      p = q;
      p_in = q_in;
    }
    count_ = kept;
    return true;
  }

  // moves the corners after `next` up by one place, and advances `next`
  CORTEN_FN bool make_room(int& next) {
    if (count_ == max_points) return false;
    ++next;
    for (int i = count_++; i > next; --i) points_[i] = points_[i - 1];
    return true;
  }

  CORTEN_FN void keep_below(const Vec3<S>& origin, const Vec3<S>& n) {
    Vec3<S>* p = points_;
    int kept = 0;
    for (int i = 0; i < count_; ++i) {
      if (!(value((p[i] - origin).dot(n)) <= 0)) continue;
      if (kept != i) p[kept] = p[i];
      ++kept;
    }
    count_ = kept;
  }

  CORTEN_FN Vec3<V> at(int i) const {
    const Vec3<S>& p = points_[i];
    return Vec3<V>(value(p[0]), value(p[1]), value(p[2]));
  }
  CORTEN_FN int after(int i) const { return i + 1 < count_ ? i + 1 : 0; }

  CORTEN_FN V area(int a, int b, int c, int d) const {
    const Vec3<V> pa = at(a), pb = at(b), pc = at(c), pd = at(d);
    const Vec3<V> g = cross(pd - pa, pb - pd) + cross(pc - pb, pa - pc);
    return V(0.5) * sqrt(g.dot(g));
  }

  // moves corner k to the next point if that enlarges the area
  CORTEN_FN bool advance(int (&v)[4], int k, V& most, int (&best)[4]) const {
    const int before = v[k];
    v[k] = after(v[k]);
    const V next = area(v[0], v[1], v[2], v[3]);
    if (!(next > most)) {
      v[k] = before;
      return false;
    }
    most = next;
    for (int i = 0; i < 4; ++i) best[i] = v[i];
    return true;
  }

  // rotating calipers: for each first corner the others advance as long as the area grows
  CORTEN_FN void largest_quadrilateral(int (&best)[4]) const {
    int v[4] = {0, 1, 2, 3};
    for (int i = 0; i < 4; ++i) best[i] = v[i];
    V most = area(0, 1, 2, 3);
    for (; v[0] < count_; ++v[0]) {
      while (advance(v, 3, most, best)) {
        while (advance(v, 2, most, best)) {
        }
        while (advance(v, 1, most, best)) {
        }
      }
      if (v[1] != v[0]) continue;
      v[1] = after(v[1]);
      if (v[2] != v[1]) continue;
      v[2] = after(v[2]);
      if (v[3] == v[2]) v[3] = after(v[3]);
    }
  }

  CORTEN_FN void farthest_two(int (&best)[4]) const {
    V most = V(0);
    for (int i = 0; i < count_; ++i) {
      for (int k = i + 1; k < count_; ++k) {
        const Vec3<V> away = at(k) - at(i);
        if (away.dot(away) > most) most = away.dot(away), best[0] = i, best[1] = k;
      }
    }
  }

  // midway between the point and the plane, along `dir`
  CORTEN_FN static Hit<S> make_hit(const Vec3<S>& p, const Vec3<S>& origin, const Vec3<S>& n,
                                   const Vec3<S>& dir, bool flipped) {
    Hit<S> out;
    out.dist = (p - origin).dot(n);
    const Vec3<S> opposite = p + dir * out.dist;
    out.pos = (opposite + p) * S(0.5);
    out.normal = flipped ? p - opposite : opposite - p;
    if (value(out.dist) < V(-min_value)) {
      normalize(out.normal);
    } else {
      out.normal = flipped ? dir : -dir;
    }
    out.tangent.setZero();
    return out;
  }

  Vec3<S> points_[max_points];
  int count_ = 0;
};

// The contacts of a match. Returns 0 if no corner is below, -1 if the polygons are too large.
template <class S>
[[gnu::noinline]] CORTEN_FN int clip_facets(const Match& match, GeomType type1, const Shape<S>& a,
                                            GeomType type2, const Shape<S>& b, Hit<S>* hits) {
  const bool edge1 = match.kind == Match::edge_of_first;
  const bool edge2 = match.kind == Match::edge_of_second;
  const Facet<S> fa{type1, &a, edge1 ? -1 : match.side1, {match.edge[0], match.edge[1]}};
  const Facet<S> fb{type2, &b, edge2 ? -1 : match.side2, {match.edge[0], match.edge[1]}};
  Clipper<S> clipper;
  if (edge1) return clipper.run(fb, fa, -fb.normal(), true, hits);
  const Vec3<S> dir = edge2 ? -fa.normal() : fb.normal();
  return clipper.run(fa, fb, dir, false, hits);
}

}  // namespace corten::detail
