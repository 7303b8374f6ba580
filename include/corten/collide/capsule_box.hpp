// SPDX-License-Identifier: Apache-2.0
//
// A capsule and a box: up to two balls of the capsule against the box. The first ball is centred at
// the point of the capsule's segment nearest to the box. Where the segment runs along a face or an
// edge, the second is centred as far along the segment as the box reaches. The rules for the second
// point are MuJoCo's.
//
// Everything is done in the frame of the box. Points of the segment are pos + x half with |x| <= 1;
// points of a box edge are middle + y size[axis] along its axis with |y| <= 1. Corners are numbered
// by bits (1: +x, 2: +y, 4: +z). The search runs on plain values; x and y of the winner are
// computed once more with derivatives.
#pragma once

#include <corten/collide/sphere_box.hpp>

namespace corten {

struct CapsuleBox {
  static constexpr GeomType first = GeomType::capsule, second = GeomType::box;
  static constexpr int max_hits = 2;

  template <class S>
  CORTEN_FN static int collide(const Shape<S>& a, const Shape<S>& b, const S& margin,
                               Hit<S>* hits) {
    const Vec3<S> dir = b.turn_back(a.axis(2));
    const Line<S> line{b.to_local(a.pos), dir, dir * a.size[1], a.size[1], b.size};
    const value_t<S> far = value(S(margin + S(2) * (a.size[0] + a.size[1] + b.size.sum())));
    const Nearest nearest = find_nearest(values(line), far);
    if (nearest.kind == Kind::none) return 0;

    S x = S(nearest.end), y(0);
    if (nearest.kind != Kind::face) {
      const EdgePoint<S> e = edge_point(line, nearest.edge_corner, nearest.axis);
      x = e.x;
      y = e.y;
    }
    int n = ball_box(b.to_world(line.at(x)), a.size[0], b, margin, hits);
    S step(0);
    if (second_step(line, nearest, x, y, step)) {
      n += ball_box(b.to_world(line.at(x + step)), a.size[0], b, margin, hits + n);
    }
    return n;
  }

 private:
  // where on the box the nearest point lies
  enum class Kind { none, face, edge, corner };

  struct Nearest {
    Kind kind = Kind::none;
    int end = 0;          // face: which end of the segment, -1 or 1
    int axis = -1;        // face: the axis of the face, -1 if inside; edge: the axis of the edge
    int edge_corner = 0;  // edge: its lower corner
    int corner = 0;       // edge: its lower corner, corner: the corner itself
  };

  // the capsule's segment and the box, in the frame of the box
  template <class T>
  struct Line {
    Vec3<T> pos, dir, half;  // half = dir * length
    T length;
    Vec3<T> size;

    CORTEN_FN Vec3<T> at(const T& x) const { return pos + half * x; }
  };

  template <class S>
  CORTEN_FN static Line<value_t<S>> values(const Line<S>& line) {
    Line<value_t<S>> out;
    for (int i = 0; i < 3; ++i) {
      out.pos[i] = value(line.pos[i]);
      out.dir[i] = value(line.dir[i]);
      out.half[i] = value(line.half[i]);
      out.size[i] = value(line.size[i]);
    }
    out.length = value(line.length);
    return out;
  }

  // nearest points of the segment and of a box edge
  template <class T>
  struct EdgePoint {
    T x, y, dist2;
    int y_end = 0;       // -1 or 1 where y was clipped
    bool valid = false;  // false: parallel
  };

  template <class T>
  CORTEN_FN static void clip(T& t, int& end) {
    if (value(t) > 1) {
      t = T(1);
      end = 1;
    } else if (value(t) < -1) {
      t = T(-1);
      end = -1;
    }
  }

  // the edge along `axis` whose lower corner is `corner`; the same equations as for two capsules
  template <class T>
  CORTEN_FN static EdgePoint<T> edge_point(const Line<T>& line, int corner, int axis) {
    const Vec3<T>& half = line.half;
    Vec3<T> apart;
    for (int k = 0; k < 3; ++k)
      apart[k] = (corner & (1 << k)) != 0 ? line.size[k] : T(-line.size[k]);
    apart[axis] = T(0);
    apart -= line.pos;

    const T s = line.size[axis];
    const T aa = s * s, ab = -s * half[axis], bb = line.length * line.length;
    const T u = -s * apart[axis], v = half.dot(apart);
    const T det = aa * bb - ab * ab;
    EdgePoint<T> out{};
    if (abs(value(det)) < value_t<T>(min_value)) return out;

    out.valid = true;
    const T inverse = T(1) / det;
    out.y = (bb * u - ab * v) * inverse;
    out.x = (aa * v - ab * u) * inverse;
    clip(out.y, out.y_end);
    if (out.y_end != 0) out.x = (v - T(out.y_end) * ab) * (T(1) / bb);
    int x_end = 0;
    clip(out.x, x_end);
    if (x_end != 0) {
      out.y = (u - T(x_end) * ab) * (T(1) / aa);
      // an earlier clipping stands unless y now lies on the other side
      clip(out.y, out.y_end);
    }
    apart -= half * out.x;
    apart[axis] += s * out.y;
    out.dist2 = apart.dot(apart);
    return out;
  }

  // the nearest feature, if it is nearer than `far` (compared with squared distances, as MuJoCo
  // does)
  template <class V>
  CORTEN_FN static Nearest find_nearest(const Line<V>& line, V far) {
    Nearest best;
    V best2 = far;
    // ends of the segment that are over a face or inside
    for (int end = -1; end <= 1; end += 2) {
      const Vec3<V> p = line.at(V(end));
      int outside = 0, axis = -1;
      V dist2(0);
      for (int k = 0; k < 3; ++k) {
        const V over = abs(p[k]) - line.size[k];
        if (over > 0) {
          ++outside;
          axis = k;
          dist2 += over * over;
        }
      }
      if (outside > 1 || dist2 >= best2) continue;
      best2 = dist2;
      best = {Kind::face, end, axis, 0, 0};
    }
    // the twelve edges; a later one must be better by more than rounding
    for (int axis = 0; axis < 3; ++axis) {
      for (int corner = 0; corner < 8; ++corner) {
        if ((corner & (1 << axis)) != 0) continue;
        const EdgePoint<V> e = edge_point(line, corner, axis);
        if (!e.valid || e.dist2 >= best2 - V(min_value)) continue;
        best2 = e.dist2;
        best.kind = e.y_end == 0 ? Kind::edge : Kind::corner;
        best.axis = axis;
        best.edge_corner = corner;
        best.corner = e.y_end > 0 ? corner + (1 << axis) : corner;
      }
    }
    return best;
  }

  // the smaller of `step` and reach / |speed|: how far until a coordinate has covered `reach`
  template <class S>
  CORTEN_FN static void limit(S& step, const S& reach, const S& speed) {
    if (value(speed) == 0) return;
    const S t = reach / abs(speed);
    if (value(t) < value(step)) step = t;
  }

  // the step from the first point at x to the second, in units of x; false if there is no second
  template <class S>
  CORTEN_FN static bool second_step(const Line<S>& line, const Nearest& nearest, const S& x,
                                    const S& y, S& step) {
    const Vec3<S>& half = line.half;
    int heading = 0;  // bits: the segment runs upwards along the axis
    for (int k = 0; k < 3; ++k) heading |= value(half[k]) > 0 ? 1 << k : 0;
    const int across = heading ^ nearest.corner;  // bits: towards or away from the corner
    if (nearest.kind == Kind::face) return step_over_face(line, half, nearest, step);
    if (nearest.kind == Kind::corner) return step_from_corner(line, half, across, x, step);
    return step_from_edge(line, half, nearest.axis, heading, across, x, y, step);
  }

  // an end is over a face: follow the segment to the border of the face
  template <class S>
  CORTEN_FN static bool step_over_face(const Line<S>& line, const Vec3<S>& half,
                                       const Nearest& nearest, S& step) {
    if (nearest.axis < 0) return false;
    const S sign = S(-nearest.end);
    const Vec3<S> end = line.at(S(nearest.end));
    step = S(2);
    for (int k = 0; k < 3; ++k) {
      if (k == nearest.axis || value(half[k]) == 0) continue;
      for (int side = 1; side >= -1; side -= 2) {
        const S t = (S(side) * line.size[k] - end[k]) / half[k] * sign;
        if (value(t) > 0 && value(t) < value(step)) step = t;
      }
    }
    step *= sign;
    return true;
  }

  // At a corner: in one direction the segment crosses the box along a single axis, in the opposite
  // one along the other two. The step goes along the single axis if the segment is more nearly
  // parallel to that than to the others.
  template <class S>
  CORTEN_FN static bool step_from_corner(const Line<S>& line, const Vec3<S>& half, int across,
                                         const S& x, S& step) {
    if (across == 0 || across == 7) return false;
    const bool single = across == 1 || across == 2 || across == 4;
    const S sign(single ? 1 : -1);
    const int bit = single ? across : 7 - across;
    const int axis = bit == 1 ? 0 : bit == 2 ? 1 : 2;
    if (value(S(line.dir[axis] * line.dir[axis])) > value_t<S>(0.5)) {
      step = S(1) - sign * x;
      limit(step, S(S(2) * line.size[axis]), half[axis]);
      step *= sign;
    } else {
      step = S(1) + sign * x;
      for (int k = 1; k < 3; ++k) {
        const int other = (axis + k) % 3;
        limit(step, S(S(2) * line.size[other]), half[other]);
      }
      step *= -sign;
    }
    return true;
  }

  // on an edge: over the face to which the segment is more nearly parallel, unless it forms a T
  template <class S>
  CORTEN_FN static bool step_from_edge(const Line<S>& line, const Vec3<S>& half, int axis,
                                       int heading, int across, const S& x, const S& y, S& step) {
    const int bits = across & (7 - (1 << axis));
    if (bits != 1 && bits != 2 && bits != 4) return false;
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const bool along_u = abs(value(line.dir[u])) > abs(value(line.dir[v]));
    const int over = along_u ? u : v;
    const bool forward = (bits & (1 << over)) != 0;
    const S sign(forward ? 1 : -1);
    step = S(1) - sign * x;
    limit(step, S(S(2) * line.size[over]), half[over]);
    const bool same = ((heading & (1 << axis)) != 0) == forward;
    limit(step, S(line.size[axis] * (same ? S(1) - y : S(1) + y)), half[axis]);
    step *= sign;
    return true;
  }
};

}  // namespace corten
