// SPDX-License-Identifier: Apache-2.0
//
// Two boxes. The separating axis test (box_axes.hpp) says what touches:
//
//   a face     the opposite face of the other box is clipped to it (Sutherland and Hodgman); each
//              corner of the clipped polygon that is within the margin is a contact, up to eight
//   two edges  one contact, midway between the nearest points of the edges
//
// The clipped polygon is not thinned out: a stack of plates stands on all of its corners.
#pragma once

#include <corten/collide/box_axes.hpp>

namespace corten {

struct BoxBox {
  static constexpr GeomType first = GeomType::box, second = GeomType::box;
  static constexpr int max_hits = 8;
  static constexpr bool contacts_only = true;

  template <class S>
  CORTEN_FN static int collide(const Shape<S>& a, const Shape<S>& b, const S& margin,
                               Hit<S>* hits) {
    const BoxPair<S> pair(a, b);
    detail::BoxAxisSearch<S> search(pair, margin);
    const BoxAxis axis = search.run();
    switch (axis.kind) {
      case BoxAxis::Kind::first: {
        const FaceView<S> view{a, b, pair.rot, pair.pos, axis.i, S(1)};
        return face_contacts(view, margin, hits);
      }
      case BoxAxis::Kind::second: {
        const FaceView<S> view{b, a, pair.rot.transpose(), pair.back, axis.i, S(-1)};
        return face_contacts(view, margin, hits);
      }
      case BoxAxis::Kind::edges: return edge_contact(a, pair, axis, search.slack(), hits);
      case BoxAxis::Kind::none: break;
    }
    return 0;
  }

 private:
  // ---- face against box ---------------------------------------------------------------------

  // `ref` owns the face with normal ±axis; `inc` is the other box, with axes rot and centre pos in
  // the frame of ref. `flip` is -1 if ref is the second geom.
  template <class S>
  struct FaceView {
    const Shape<S>& ref;
    const Shape<S>& inc;
    Mat3<S> rot;
    Vec3<S> pos;
    int axis;
    S flip;
  };

  // A polygon over the reference face: x and y in the face, z above it. Four corners clipped by
  // four lines have at most eight.
  template <class S>
  struct Polygon {
    static constexpr int capacity = 8;
    Vec3<S> at[static_cast<std::size_t>(capacity)];
    int n = 0;

    CORTEN_FN void add(const Vec3<S>& p) {
      if (n < capacity) at[n++] = p;
    }
  };

  // the face of `inc` that faces the reference face most directly
  template <class S>
  CORTEN_FN static Polygon<S> opposite_face(const FaceView<S>& f, const S& sign) {
    int face = 0;
    for (int k = 1; k < 3; ++k) {
      if (abs(value(f.rot(f.axis, k))) > abs(value(f.rot(f.axis, face)))) face = k;
    }
    const S side(value(S(sign * f.rot(f.axis, face))) > 0 ? -1 : 1);
    const int u = (face + 1) % 3, v = (face + 2) % 3;
    const int coordinate[3] = {(f.axis + 1) % 3, (f.axis + 2) % 3, f.axis};
    Vec3<S> centre, du, dv;
    for (int r = 0; r < 3; ++r) {
      const int c = coordinate[r];
      centre[r] = f.pos[c] + side * f.inc.size[face] * f.rot(c, face);
      du[r] = f.inc.size[u] * f.rot(c, u);
      dv[r] = f.inc.size[v] * f.rot(c, v);
    }
    centre[2] = sign * centre[2] - f.ref.size[f.axis];
    du[2] *= sign;
    dv[2] *= sign;
    Polygon<S> out;
    out.add(centre + du + dv);
    out.add(centre - du + dv);
    out.add(centre - du - dv);
    out.add(centre + du - dv);
    return out;
  }

  // keep the part of the polygon where side * p[k] <= limit
  template <class S>
  CORTEN_FN static void clip(Polygon<S>& polygon, int k, int side, const S& limit) {
    const auto beyond = [&](const Vec3<S>& p) { return S(S(side) * p[k] - limit); };
    bool inside = true;
    for (int i = 0; i < polygon.n; ++i) inside = inside && value(beyond(polygon.at[i])) <= 0;
    if (inside) return;

    Polygon<S> out;
    for (int i = 0; i < polygon.n; ++i) {
      const Vec3<S>& p = polygon.at[i];
      const Vec3<S>& q = polygon.at[i + 1 == polygon.n ? 0 : i + 1];
      const S dp = beyond(p), dq = beyond(q);
      if (value(dp) <= 0) out.add(p);
      const bool crosses = (value(dp) < 0 && value(dq) > 0) || (value(dp) > 0 && value(dq) < 0);
      if (crosses) out.add(p + (q - p) * (dp / (dp - dq)));
    }
    polygon = out;
  }

  // does p coincide with one of the first n points, in the plane of the face?
  template <class S>
  CORTEN_FN static bool repeated(const Polygon<S>& polygon, int n, const Vec3<S>& p,
                                 value_t<S> within2) {
    for (int i = 0; i < n; ++i) {
      const auto dx = value(polygon.at[i][0]) - value(p[0]),
                 dy = value(polygon.at[i][1]) - value(p[1]);
      if (dx * dx + dy * dy < within2) return true;
    }
    return false;
  }

  template <class S>
  CORTEN_FN static int face_contacts(const FaceView<S>& f, const S& margin, Hit<S>* hits) {
    using V = value_t<S>;
    const int x = (f.axis + 1) % 3, y = (f.axis + 2) % 3;
    const S sign(value(f.pos[f.axis]) >= 0 ? 1 : -1);
    Polygon<S> polygon = opposite_face(f, sign);
    for (int side = 1; side >= -1; side -= 2) clip(polygon, 0, side, f.ref.size[x]);
    for (int side = 1; side >= -1; side -= 2) clip(polygon, 1, side, f.ref.size[y]);

    const V sx = value(f.ref.size[x]), sy = value(f.ref.size[y]);
    const V within2 = V(BoxTolerance<V>::duplicate) * (sx * sx + sy * sy);
    const Vec3<S> normal = f.ref.axis(f.axis) * (sign * f.flip);
    int n = 0;
    for (int i = 0; i < polygon.n; ++i) {
      const Vec3<S> p = polygon.at[i];
      if (value(p[2]) > value(margin) || repeated(polygon, n, p, within2)) continue;
      polygon.at[n] = p;
      Vec3<S> local;
      local[x] = p[0];
      local[y] = p[1];
      local[f.axis] = sign * (f.ref.size[f.axis] + p[2] * S(0.5));
      hits[n++] = {p[2], f.ref.to_world(local), normal, Vec3<S>::Zero()};
    }
    return n;
  }

  // ---- edge against edge --------------------------------------------------------------------

  // points of two edges and their squared distance
  template <class S>
  struct EdgePoints {
    Vec3<S> p1, p2;
    value_t<S> dist2;
  };

  // Nearest points of the edge along axis i through c1 and the edge along column j through c2:
  // solves for the first, clips it, solves for the second, clips it, and repeats the first.
  template <class S>
  CORTEN_FN static EdgePoints<S> nearest_points(const BoxPair<S>& pair, const BoxAxis& axis,
                                                const Vec3<S>& c1, const Vec3<S>& c2) {
    const Vec3<S> d2 = pair.rot.col(axis.j), apart = c2 - c1;
    const S h1 = pair.size1[axis.i], h2 = pair.size2[axis.j];
    const S b = d2[axis.i], det = S(1) - b * b, e1 = apart[axis.i], e2 = d2.dot(apart);
    S s = value(det) < value_t<S>(min_value) ? S(0) : S((e1 - b * e2) / det);
    s = clamp(s, S(-h1), h1);
    const S t = clamp(S(b * s - e2), S(-h2), h2);
    s = clamp(S(e1 + b * t), S(-h1), h1);
    EdgePoints<S> out{c1, c2 + d2 * t, value_t<S>(0)};
    out.p1[axis.i] += s;
    const Vec3<S> gap = out.p2 - out.p1;
    out.dist2 = value(gap.dot(gap));
    return out;
  }

  // the first of two components that is too small to have a sign, or -1
  template <class V>
  CORTEN_FN static int unsure(const Vec3<V>& v, int k1, int k2) {
    if (abs(v[k1]) < V(BoxTolerance<V>::sign)) return k1;
    return abs(v[k2]) < V(BoxTolerance<V>::sign) ? k2 : -1;
  }

  // The edge of each box that lies farthest towards the other box. Where a component of the axis is
  // nearly zero, two edges are equally far; the pair with the nearest points is then the right one.
  template <class S>
  CORTEN_FN static EdgePoints<S> touching_edges(const BoxPair<S>& pair, const BoxAxis& axis,
                                                const Vec3<S>& direction) {
    using V = value_t<S>;
    Vec3<V> v1, v2;
    const Vec3<S> there = pair.rot.transpose() * direction;
    Vec3<S> corner1, corner2;
    for (int k = 0; k < 3; ++k) {
      v1[k] = value(direction[k]);
      v2[k] = value(there[k]);
      corner1[k] = k == axis.i ? S(0) : v1[k] >= 0 ? pair.size1[k] : S(-pair.size1[k]);
      corner2[k] = k == axis.j ? S(0) : v2[k] >= 0 ? S(-pair.size2[k]) : pair.size2[k];
    }
    const int unsure1 = unsure(v1, (axis.i + 1) % 3, (axis.i + 2) % 3);
    const int unsure2 = unsure(v2, (axis.j + 1) % 3, (axis.j + 2) % 3);
    EdgePoints<S> best{corner1, corner1, V(-1)};
    for (int turn = 0; turn < 4; ++turn) {
      const bool flip1 = (turn & 2) != 0, flip2 = (turn & 1) != 0;
      if ((flip1 && unsure1 < 0) || (flip2 && unsure2 < 0)) continue;
      Vec3<S> c1 = corner1, c2 = corner2;
      if (flip1) c1[unsure1] = -c1[unsure1];
      if (flip2) c2[unsure2] = -c2[unsure2];
      const EdgePoints<S> e = nearest_points(pair, axis, c1, pair.rot * c2 + pair.pos);
      if (best.dist2 < 0 || e.dist2 < best.dist2) best = e;
    }
    return best;
  }

  template <class S>
  CORTEN_FN static int edge_contact(const Shape<S>& a, const BoxPair<S>& pair, const BoxAxis& axis,
                                    value_t<S> slack, Hit<S>* hits) {
    Vec3<S> direction = pair.edge_axis(axis.i, axis.j);
    normalize(direction);
    if (value(direction.dot(pair.pos)) < 0) direction = -direction;
    const EdgePoints<S> e = touching_edges(pair, axis, direction);
    const S dist = direction.dot(e.p2 - e.p1);
    if (value(dist) > slack) return 0;
    hits[0] = {dist, a.to_world((e.p1 + e.p2) * S(0.5)), a.turn(direction), Vec3<S>::Zero()};
    return 1;
  }
};

}  // namespace corten
