// SPDX-License-Identifier: Apache-2.0
//
// Contacts between flat sides (facets.hpp). One polygon is clipped by the other, edge by edge
// (Sutherland and Hodgman 1974). The remaining corners that lie below the plane of the clipping
// polygon are the contacts: at most four, those that span the largest quadrilateral.
//
// This runs on plain values. Sides of meshes may have a hundred corners, and carrying derivatives
// through all of them cost more than the rest of a linearisation. So the clipper remembers on which
// two lines each corner lies, edges of the one polygon or of the other, and the few corners that
// become contacts are found once more in dual numbers, as the points where these lines meet.
#pragma once

#include <corten/collide/facets.hpp>
#include <corten/collide/tangency.hpp>

#include <type_traits>

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

// The plane through edge e of a side, perpendicular to the side, whose normal is n: normal · x =
// level.
template <class S>
struct EdgePlane {
  Vec3<S> normal;
  S level;

  CORTEN_FN EdgePlane(const Vec3<S>& a, const Vec3<S>& b, const Vec3<S>& n) {
    const Vec3<S> above = a + n;
    normal = cross(b - a, above - a);
    normalize(normal);
    level = normal.dot(a);
  }
  CORTEN_FN static EdgePlane of(const Facet<S>& side, int e) {
    return {side.corner(e), side.corner(e + 1 < side.count() ? e + 1 : 0), side.normal()};
  }
};

// the contact of a point below a side: midway between the point and the plane, along `dir`
template <class S>
CORTEN_FN Hit<S> clipped_hit(const Vec3<S>& p, const Vec3<S>& origin, const Vec3<S>& n,
                             const Vec3<S>& dir, bool flipped) {
  Hit<S> out;
  out.dist = (p - origin).dot(n);
  const Vec3<S> opposite = p + dir * out.dist;
  out.pos = (opposite + p) * S(0.5);
  out.normal = flipped ? p - opposite : opposite - p;
  if (value(out.dist) < value_t<S>(-min_value)) {
    normalize(out.normal);
  } else {
    out.normal = flipped ? dir : -dir;
  }
  out.tangent.setZero();
  return out;
}

// A corner of the clipped polygon, and the lines before and behind it: lines 0 … nb - 1 are the
// edges of b, the others those of a.
template <class V>
struct ClippedCorner {
  Vec3<V> place;
  int before = 0, behind = 0;
};

// Where two lines meet in the plane of b. False if they are parallel. Not inlined, as it is called
// in many places for the rare sides of hundreds of corners.
template <class S>
[[gnu::noinline]] CORTEN_FN bool meeting(const Facet<S>& a, const Facet<S>& b, int before,
                                         int behind, Vec3<S>& out) {
  const int nb = b.count();
  const int low = before < behind ? before : behind, high = before + behind - low;
  const bool of_b = high < nb, crossing = !of_b && low < nb;
  // two edges of a meet above or below a point of b
  if (!of_b && !crossing && (b.side < 0 || low == high)) return false;
  const Vec3<S> p = b.corner(of_b ? behind : crossing ? low : 0);
  if (of_b) {
    out = p;  // edges of b meet in its own corners only
    return true;
  }
  const EdgePlane<S> plane = EdgePlane<S>::of(a, high - nb);
  if (crossing) {
    const Vec3<S> along = b.corner(low + 1 < nb ? low + 1 : 0) - p;
    const S slope = plane.normal.dot(along);
    if (value(slope) == 0) return false;
    out = p + along * ((plane.level - plane.normal.dot(p)) / slope);
    return true;
  }
  const EdgePlane<S> other = EdgePlane<S>::of(a, low - nb);
  const Vec3<S> n = b.normal(), across = cross(plane.normal, n);
  const S det = other.normal.dot(across);
  if (!(abs(value(det)) > value_t<S>(1e-6))) return false;
  out = (across * other.level + cross(n, other.normal) * plane.level +
         cross(other.normal, plane.normal) * n.dot(p)) /
        det;
  return true;
}

// Polygons of up to 256 corners: their places, and the lines if they are `traced`.
template <class V, bool traced>
struct PlaceStore {
  static constexpr int capacity = 256;
  static constexpr bool clips_edges = true;

  CORTEN_FN bool start(const Facet<V>&, const Facet<V>& b) {
    if (b.count() > capacity) return false;
    for (int i = 0; i < b.count(); ++i) put(i, {b.corner(i), i > 0 ? i - 1 : b.count() - 1, i});
    return true;
  }
  CORTEN_FN ClippedCorner<V> get(int i) const {
    if constexpr (traced) return {points_[i], before_[i], behind_[i]};
    return {points_[i], 0, 0};
  }
  CORTEN_FN Vec3<V> place(int i) const { return points_[i]; }
  CORTEN_FN void put(int i, const ClippedCorner<V>& c) {
    points_[i] = c.place;
    if constexpr (traced) before_[i] = c.before, behind_[i] = c.behind;
  }
  CORTEN_FN void copy(int from, int to) { put(to, get(from)); }

 private:
  Vec3<V> points_[capacity];
  int before_[traced ? capacity : 1], behind_[traced ? capacity : 1];
};

// Polygons of up to 1536 corners in the same room: only their lines. Places are found anew when
// they are asked for, which takes about ten times as long.
template <class V>
struct LineStore {
  static constexpr int capacity = 1536;
  static constexpr bool clips_edges = false;  // they fit into the other store

  CORTEN_FN bool start(const Facet<V>& clipping, const Facet<V>& clipped) {
    a_ = &clipping;
    b_ = &clipped;
    const int nb = clipped.count();
    if (nb > capacity || nb + clipping.count() > 32767) return false;
    for (int i = 0; i < nb; ++i) put(i, {{}, i > 0 ? i - 1 : nb - 1, i});
    return true;
  }
  CORTEN_FN ClippedCorner<V> get(int i) const { return {place(i), before_[i], behind_[i]}; }
  CORTEN_FN Vec3<V> place(int i) const {
    Vec3<V> out;
    if (meeting(*a_, *b_, before_[i], behind_[i], out)) return out;
    // parallel lines: the corner of b or a between them, which is near
    const int nb = b_->count(), low = before_[i] < behind_[i] ? before_[i] : behind_[i];
    return low < nb ? b_->corner(low) : a_->corner(behind_[i] - nb);
  }
  CORTEN_FN void put(int i, const ClippedCorner<V>& c) {
    before_[i] = static_cast<short>(c.before);
    behind_[i] = static_cast<short>(c.behind);
  }
  CORTEN_FN void copy(int from, int to) {
    before_[to] = before_[from];
    behind_[to] = behind_[from];
  }

 private:
  const Facet<V>*a_, *b_;
  short before_[capacity], behind_[capacity];
};

template <class V, class Store>
class Clipper {
 public:
  static constexpr int max_hits = 4;

  // Clips polygon b by polygon a. Contacts are where b is below a, with normals along `dir`.
  // Returns their number, or -1 if b has too many corners at some point.
  CORTEN_FN int run(const Facet<V>& a, const Facet<V>& b, const Vec3<V>& dir, bool flipped,
                    Hit<V>* hits) {
    const int na = a.count(), nb = b.count();
    if (!store_.start(a, b)) return -1;
    const Vec3<V> n = a.normal(), origin = a.corner(0);
    count_ = nb;
    for (int e = 0; e < na; ++e) {
      if (!clip(a.corner(e), a.corner(e + 1 < na ? e + 1 : 0), n, nb + e)) return -1;
    }
    keep_below(origin, n);
    if (count_ < 1) return 0;
    int chosen[max_hits] = {0, 1, 2, 3};
    int found = count_ < max_hits ? count_ : max_hits;
    if (count_ > max_hits) {
      largest_quadrilateral(chosen);
    } else if (Store::clips_edges && nb == 2 && count_ > 2) {
      farthest_two(chosen);
      found = 2;
    }
    for (int i = 0; i < found; ++i) {
      corners[i] = store_.get(chosen[i]);
      hits[i] = clipped_hit(corners[i].place, origin, n, dir, flipped);
    }
    return found;
  }

  ClippedCorner<V> corners[max_hits];  // of the contacts

 private:
  using Corner = ClippedCorner<V>;

  CORTEN_FN static bool inside(const Vec3<V>& a, const Vec3<V>& n, const Vec3<V>& p) {
    return (p - a).dot(n) > V(-min_value);
  }

  // Clips by the plane through the edge from a to b that is perpendicular to the polygon with
  // normal n; `edge` is its number. The result overwrites corners that have been read. False if
  // there is no room for it.
  CORTEN_FN bool clip(const Vec3<V>& a, const Vec3<V>& b, const Vec3<V>& n, int edge) {
    if (count_ < 1) return true;
    const EdgePlane<V> plane(a, b, n);
    const Vec3<V>& side = plane.normal;
    Corner first, p;
    bool p_in = false;
    int kept = 0;
    // `next` is the corner to read: after the last one comes the first again
    for (int next = 0; next <= count_; ++next) {
      const Corner q = next < count_ ? store_.get(next) : first;
      const bool q_in = inside(a, side, q.place);
      if (next == 0) {
        first = p = q;
        p_in = q_in;
        continue;
      }
      // Two corners replace one. That happens more than once only by rounding, if b is not quite
      // convex.
      if (q_in && !p_in && kept > next - 1 && next + 1 < count_ && !make_room(next)) return false;
      if (kept + 1 >= Store::capacity) return false;
      if (p_in != q_in) {
        const Vec3<V> pq = q.place - p.place;
        const V slope = side.dot(pq);
        if (slope != 0) {
          const V t = (plane.level - side.dot(p.place)) / slope;
          const int before = p_in ? p.behind : edge, behind = p_in ? edge : p.behind;
          if (t >= 0 && t <= 1) store_.put(kept++, {p.place + pq * t, before, behind});
        }
      }
      if (q_in) store_.put(kept++, q);
      p = q;
      p_in = q_in;
    }
    count_ = kept;
    return true;
  }

  // moves the corners after `next` up by one place, and advances `next`
  CORTEN_FN bool make_room(int& next) {
    if (count_ == Store::capacity) return false;
    ++next;
    for (int i = count_++; i > next; --i) store_.copy(i - 1, i);
    return true;
  }

  CORTEN_FN void keep_below(const Vec3<V>& origin, const Vec3<V>& n) {
    int kept = 0;
    for (int i = 0; i < count_; ++i) {
      if (!((at(i) - origin).dot(n) <= 0)) continue;
      store_.copy(i, kept++);
    }
    count_ = kept;
  }

  CORTEN_FN Vec3<V> at(int i) const { return store_.place(i); }
  CORTEN_FN int after(int i) const { return i + 1 < count_ ? i + 1 : 0; }

  // four corners: their numbers and places
  struct Quadrilateral {
    int number[4];
    Vec3<V> place[4];

    CORTEN_FN V area() const {
      const Vec3<V>* p = place;
      const Vec3<V> g = cross(p[3] - p[0], p[1] - p[3]) + cross(p[2] - p[1], p[0] - p[2]);
      return V(0.5) * sqrt(g.dot(g));
    }
  };

  CORTEN_FN void move(Quadrilateral& q, int k, int to) const {
    q.number[k] = to;
    q.place[k] = at(to);
  }

  // moves corner k to the next point if that enlarges the area
  CORTEN_FN bool advance(Quadrilateral& q, int k, V& most) const {
    const int number = q.number[k];
    const Vec3<V> place = q.place[k];
    move(q, k, after(number));
    const V area = q.area();
    if (area > most) {
      most = area;
      return true;
    }
    q.number[k] = number;
    q.place[k] = place;
    return false;
  }

  // Rotating calipers: for each first corner the others advance as long as the area grows, the last
  // one first, and after each of its steps the third and then the second. Compilers for devices
  // inline every call, so there are few.
  CORTEN_FN void largest_quadrilateral(int (&best)[4]) const {
    Quadrilateral q;
    for (int k = 0; k < 4; ++k) move(q, k, k);
    V most = q.area();
    while (true) {
      for (int k = 3; true;) {
        if (advance(q, k, most)) {
          for (int i = 0; i < 4; ++i) best[i] = q.number[i];
          if (k == 3) k = 2;
        } else if (k == 3) {
          break;
        } else {
          k = k == 2 ? 1 : 3;
        }
      }
      if (q.number[0] + 1 == count_) return;
      // the first moves on, and the others as far as they stood with the one before
      for (int k = 0, behind = q.number[0]; k < 4 && q.number[k] == behind; ++k) {
        move(q, k, after(q.number[k]));
        if (k > 0) behind = q.number[k];
      }
    }
  }

  CORTEN_FN void farthest_two(int (&best)[4]) const {
    V most = V(0);
    for (int i = 0; i < count_; ++i) {
      Vec3<V> from;
      for (int k = i; k < count_; ++k) {
        const Vec3<V> to = at(k);
        if (k == i) from = to;
        const Vec3<V> away = to - from;
        if (away.dot(away) > most) most = away.dot(away), best[0] = i, best[1] = k;
      }
    }
  }

  Store store_;
  int count_ = 0;
};

// A corner of polygon b clipped by a, in S: where its two lines meet. If rounding has hidden them,
// it is taken as fixed to b.
template <class S>
CORTEN_FN Vec3<S> moving_corner(const Facet<S>& a, const Facet<S>& b,
                                const ClippedCorner<value_t<S>>& c) {
  Vec3<S> out;
  if (meeting(a, b, c.before, c.behind, out)) return out;
  Vec3<S> carried = b.shape->to_local(constant<S>(c.place));
  for (int k = 0; k < 3; ++k) carried[k] = S(value(carried[k]));
  return b.shape->to_world(carried);
}

// The contacts of b below a, with derivatives, by one of the stores.
template <class S, class Store>
[[gnu::noinline]] CORTEN_FN int clip_stored(const Facet<value_t<S>>& va,
                                            const Facet<value_t<S>>& vb,
                                            const Vec3<value_t<S>>& value_dir, const Facet<S>& a,
                                            const Facet<S>& b, const Vec3<S>& dir, bool flipped,
                                            Hit<S>* hits) {
  using V = value_t<S>;
  Clipper<V, Store> clipper;
  if constexpr (std::is_same_v<S, V>) {
    return clipper.run(va, vb, value_dir, flipped, hits);
  } else {
    Hit<V> found[Clipper<V, Store>::max_hits];
    const int n = clipper.run(va, vb, value_dir, flipped, found);
    for (int i = 0; i < n; ++i) {
      const Hit<S> moving = clipped_hit(moving_corner(a, b, clipper.corners[i]), a.corner(0),
                                        a.normal(), dir, flipped);
      hits[i].dist = S(found[i].dist) + tangent_part(moving.dist);
      for (int k = 0; k < 3; ++k) {
        hits[i].pos[k] = S(found[i].pos[k]) + tangent_part(moving.pos[k]);
        hits[i].normal[k] = S(found[i].normal[k]) + tangent_part(moving.normal[k]);
        hits[i].tangent[k] = S(0);
      }
    }
    return n;
  }
}

// likewise, by the store that has room; -1 if none has
template <Ccd Parts, class S>
CORTEN_FN int clip_sides(const Facet<value_t<S>>& va, const Facet<value_t<S>>& vb,
                         const Vec3<value_t<S>>& value_dir, const Facet<S>& a, const Facet<S>& b,
                         const Vec3<S>& dir, bool flipped, Hit<S>* hits) {
  using V = value_t<S>;
  using Places = PlaceStore<V, !std::is_same_v<S, V>>;
  const int n = clip_stored<S, Places>(va, vb, value_dir, a, b, dir, flipped, hits);
  if (n >= 0 || Parts == Ccd::small_sides) return n;
  return clip_stored<S, LineStore<V>>(va, vb, value_dir, a, b, dir, flipped, hits);
}

// The contacts of a match between two shapes, given on values and in S. Returns 0 if no corner is
// below, -1 if the polygons are too large.
template <Ccd Parts, class S>
[[gnu::noinline]] CORTEN_FN int clip_facets(const Match& match, const ConvexShape<value_t<S>>& ca,
                                            const Shape<S>& a, const ConvexShape<value_t<S>>& cb,
                                            const Shape<S>& b, Hit<S>* hits) {
  using V = value_t<S>;
  const bool edge1 = match.kind == Match::edge_of_first;
  const bool edge2 = match.kind == Match::edge_of_second;
  const int side1 = edge1 ? -1 : match.side1, side2 = edge2 ? -1 : match.side2;
  const Facet<S> fa{ca.type, &a, side1, {match.edge[0], match.edge[1]}};
  const Facet<S> fb{cb.type, &b, side2, {match.edge[0], match.edge[1]}};
  const Facet<V> va{ca.type, &ca.shape, side1, {match.edge[0], match.edge[1]}};
  const Facet<V> vb{cb.type, &cb.shape, side2, {match.edge[0], match.edge[1]}};
  // one call for all cases: devices inline it
  const Facet<S>&first = edge1 ? fb : fa, &second = edge1 ? fa : fb;
  const Facet<V>&vfirst = edge1 ? vb : va, &vsecond = edge1 ? va : vb;
  const bool edge = edge1 || edge2;
  const Vec3<S> dir = edge ? Vec3<S>(-first.normal()) : second.normal();
  const Vec3<V> vdir = edge ? Vec3<V>(-vfirst.normal()) : vsecond.normal();
  return clip_sides<Parts, S>(vfirst, vsecond, vdir, first, second, dir, edge1, hits);
}

}  // namespace corten::detail
