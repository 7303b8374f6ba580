// SPDX-License-Identifier: Apache-2.0
//
// EPA: how deeply two convex shapes overlap. GJK has found a simplex of their difference that
// contains the origin. A polytope around the origin is grown from it, always at the face nearest to
// the origin, until the support point there lies on the face within the tolerance. Then that face
// is on the surface of the difference: its distance is the depth and its normal the direction (van
// den Bergen 2001). As with GJK, the construction of the first polytope and the stopping rules are
// MuJoCo's.
#pragma once

#include <corten/collide/gjk.hpp>
#include <corten/collide/polytope.hpp>

namespace corten {

template <class V>
struct EpaResult {
  bool found = false;
  bool broken = false;   // not found, because the polytope broke while it grew
  bool limited = false;  // it ran out of iterations
  V dist = V(0);         // minus the depth
  Vec3<V> x1, x2;
  DifferencePoint<V> corner[3];  // of the face
};

template <class V, class A, class B>
class Epa {
 public:
  CORTEN_FN Epa(const A& a, const B& b, V tolerance, int iterations,
                const detail::PolytopeRoom<V>& room)
      : a_(a),
        b_(b),
        tolerance_(tolerance),
        iterations_(iterations),
        most_(room.vertices - 5),
        p_(room, 6 * iterations) {}

  // n corners of a simplex that contains the origin (n >= 2)
  CORTEN_FN EpaResult<V> run(const DifferencePoint<V>* simplex, int n) {
    DifferencePoint<V> s[4];
    for (int i = 0; i < n; ++i) s[i] = simplex[i];
    if (n == 4 && !from_tetrahedron(s, n)) return {};
    if (n == 2 && !from_segment(s, n)) return {};
    // both of the above may find the origin on a face and then leave that face as the simplex
    if (n == 3 && !from_triangle(s)) return {};
    return grow();
  }

 private:
  static constexpr bool single = sizeof(V) < sizeof(double);
  static constexpr double discrete_tolerance = single ? 1e-7 : min_value;
  static constexpr double origin_on_face = single ? 1e-10 : min_value * min_value;
  static constexpr double origin_on_tetrahedron = single ? 1e-17 : min_value * min_value;

  // the vertex farthest in direction d of length `length`
  CORTEN_FN int add_support(const Vec3<V>& d, V length) {
    Vec3<V> dir(V(1), V(0), V(0));
    if (length > V(min_value)) dir = Vec3<V>(d[0] / length, d[1] / length, d[2] / length);
    return p_.add_vertex(difference_support<V>(a_, b_, dir));
  }

  // keeps a face of the polytope as the new simplex
  CORTEN_FN void restart(DifferencePoint<V>* s, int& n, int v1, int v2, int v3) {
    const DifferencePoint<V> kept[3] = {p_.vertex(v1), p_.vertex(v2), p_.vertex(v3)};
    for (int i = 0; i < 3; ++i) s[i] = kept[i];
    n = 3;
    p_.clear();
  }

  // do the origin and p lie on the same side of a plane?
  CORTEN_FN static bool same_side(const Vec3<V>& a, const Vec3<V>& b, const Vec3<V>& c,
                                  const Vec3<V>& p) {
    const Vec3<V> normal = cross(b - a, c - a);
    return detail::same_sign(normal.dot(p - a), normal.dot(-a));
  }

  // n is 4, or 3 on return if the origin is on a face
  CORTEN_FN bool from_tetrahedron(DifferencePoint<V>* s, int& n) {
    for (int i = 0; i < 4; ++i) p_.add_vertex(s[i]);
    p_.set_centre((p_.point(0) + p_.point(1) + p_.point(2) + p_.point(3)) * V(0.25));
    constexpr int vert[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {3, 2, 1}};
    constexpr int adj[4][3] = {{1, 3, 2}, {2, 3, 0}, {0, 3, 1}, {2, 0, 1}};
    for (int f = 0; f < 4; ++f) {
      const int* v = vert[f];
      if (p_.add_face(v[0], v[1], v[2], adj[f][0], adj[f][1], adj[f][2]) <
          V(origin_on_tetrahedron)) {
        restart(s, n, v[0], v[1], v[2]);
        return true;
      }
    }
    const Vec3<V> q[4] = {p_.point(0), p_.point(1), p_.point(2), p_.point(3)};
    for (int i = 0; i < 4; ++i) {
      if (!same_side(q[i], q[(i + 1) & 3], q[(i + 2) & 3], q[(i + 3) & 3])) return false;
    }
    for (int f = 0; f < 4; ++f) p_.add_candidate(f);
    return true;
  }

  // two pyramids over a triangle
  CORTEN_FN bool from_triangle(const DifferencePoint<V>* s) {
    for (int i = 0; i < 3; ++i) p_.add_vertex(s[i]);
    const Vec3<V> a = p_.point(0), b = p_.point(1), c = p_.point(2);
    p_.set_centre((a + b + c) * V(1.0 / 3.0));
    const Vec3<V> normal = cross(b - a, c - a);
    const V length = sqrt(normal.dot(normal));
    if (length < V(min_value)) return false;
    const int down = add_support(-normal, length), up = add_support(normal, length);
    if (in_triangle(a, b, c, p_.point(up)) || in_triangle(a, b, c, p_.point(down))) return false;

    const int vert[6][3] = {{up, 0, 1},   {up, 2, 0},   {up, 1, 2},
                            {down, 1, 0}, {down, 0, 2}, {down, 2, 1}};
    constexpr int adj[6][3] = {{1, 3, 2}, {2, 4, 0}, {0, 5, 1}, {5, 0, 4}, {3, 1, 5}, {4, 2, 3}};
    for (int f = 0; f < 6; ++f) {
      const int* v = vert[f];
      if (p_.add_face(v[0], v[1], v[2], adj[f][0], adj[f][1], adj[f][2]) < V(origin_on_face))
        return false;
    }
    for (int f = 0; f < 6; ++f) p_.add_candidate(f);
    return true;
  }

  CORTEN_FN static bool in_triangle(const Vec3<V>& a, const Vec3<V>& b, const Vec3<V>& c,
                                    const Vec3<V>& p) {
    const Vec3<V> w = detail::affine_coordinates(a, b, c, p);
    if (w[0] < 0 || w[1] < 0 || w[2] < 0) return false;
    const Vec3<V> away = a * w[0] + b * w[1] + c * w[2] - p;
    return sqrt(away.dot(away)) < V(min_value);
  }

  // Adds three vertices around a segment, a third of a turn apart. n is 2, or 3 on return if the
  // origin is on a face.
  CORTEN_FN bool from_segment(DifferencePoint<V>* s, int& n) {
    for (int i = 0; i < 2; ++i) p_.add_vertex(s[i]);
    const Vec3<V> a = p_.point(0), b = p_.point(1), ab = b - a;
    p_.set_centre((a + b) * V(0.5));
    int least = 0;
    for (int i = 1; i < 3; ++i) {
      if (abs(ab[i]) < abs(ab[least])) least = i;
    }
    Vec3<V> unit = Vec3<V>::Zero();
    unit[least] = V(1);
    Vec3<V> dir = cross(unit, ab);
    const Mat3<V> turn = third_of_a_turn(ab);
    for (int i = 0; i < 3; ++i) {
      add_support(dir, sqrt(dir.dot(dir)));
      dir = turn * dir;
    }
    constexpr int vert[6][3] = {{0, 2, 3}, {0, 4, 2}, {0, 3, 4}, {1, 3, 2}, {1, 2, 4}, {1, 4, 3}};
    constexpr int adj[6][3] = {{1, 3, 2}, {2, 4, 0}, {0, 5, 1}, {5, 0, 4}, {3, 1, 5}, {4, 2, 3}};
    for (int f = 0; f < 6; ++f) {
      const int* v = vert[f];
      if (p_.add_face(v[0], v[1], v[2], adj[f][0], adj[f][1], adj[f][2]) < V(origin_on_face)) {
        restart(s, n, v[0], v[1], v[2]);
        return true;
      }
    }
    if (!pierces(a, b, p_.point(2), p_.point(3), p_.point(4))) return false;
    for (int f = 0; f < 6; ++f) p_.add_candidate(f);
    return true;
  }

  // rotation by 120 degrees about `axis`
  CORTEN_FN static Mat3<V> third_of_a_turn(const Vec3<V>& axis) {
    const V length = sqrt(axis.dot(axis));
    const Vec3<V> u(axis[0] / length, axis[1] / length, axis[2] / length);
    const V s = V(0.86602540378), c = V(-0.5), d = V(1) - c;
    return Mat3<V>(c + u[0] * u[0] * d, u[0] * u[1] * d - u[2] * s, u[0] * u[2] * d + u[1] * s,
                   u[1] * u[0] * d + u[2] * s, c + u[1] * u[1] * d, u[1] * u[2] * d - u[0] * s,
                   u[0] * u[2] * d - u[1] * s, u[1] * u[2] * d + u[0] * s, c + u[2] * u[2] * d);
  }

  // does the line through a and b go through the triangle?
  CORTEN_FN static bool pierces(const Vec3<V>& a, const Vec3<V>& b, const Vec3<V>& t1,
                                const Vec3<V>& t2, const Vec3<V>& t3) {
    const Vec3<V> d = b - a, d1 = t1 - a, d2 = t2 - a, d3 = t3 - a;
    const V v1 = detail::determinant(d1, d2, d), v2 = detail::determinant(d2, d3, d),
            v3 = detail::determinant(d3, d1, d);
    return (v1 >= 0 && v2 >= 0 && v3 >= 0) || (v1 <= 0 && v2 <= 0 && v3 <= 0);
  }

  // Grows until the nearest face is on the surface. `best` is a copy, as its slot may be reused.
  CORTEN_FN EpaResult<V> grow() {
    using Face = typename detail::Polytope<V>::Face;
    const V infinite = std::numeric_limits<V>::max();
    const int steps = iterations_ < most_ ? iterations_ : most_;
    const bool discrete = both_discrete(a_, b_);
    const V tolerance = discrete ? V(discrete_tolerance) : tolerance_;
    Face best{};
    V upper = infinite, upper2 = infinite;
    int k = 0;
    for (; k < steps; ++k) {
      const int f = nearest_face();
      // no candidate below the upper bound is left: the last one stands
      if (p_.face(f).dist2 > upper2) break;
      best = p_.face(f);
      if (best.dist2 <= 0) break;

      const V lower = sqrt(best.dist2);
      const int w = add_support(best.v, lower);
      const V above = best.v.dot(p_.point(w)) / lower;
      if (above < upper) {
        upper = above;
        upper2 = upper * upper;
      }
      if (upper - lower < tolerance) {
        // the first polytope reaches beyond the shapes: rounding, no contact
        if (k == 0 && upper < lower - V(1e-10)) return broken();
        break;
      }
      if (discrete && is_repeated(w)) break;
      if (p_.open_hole(f, p_.point(w)) < 3) return broken();
      if (!p_.has_room()) {
        k = steps;
        break;
      }
      if (!p_.close_hole(w, best.dist2, upper2)) return broken();
      if (p_.candidates() == 0) break;
    }
    EpaResult<V> out = witness(best);
    out.limited = k >= steps;
    return out;
  }

  CORTEN_FN static EpaResult<V> broken() {
    EpaResult<V> out;
    out.broken = true;
    return out;
  }

  // is vertex w made of the same corners as an earlier one?
  CORTEN_FN bool is_repeated(int w) const {
    const DifferencePoint<V>& last = p_.vertex(w);
    for (int i = 0; i < w; ++i) {
      const DifferencePoint<V>& v = p_.vertex(i);
      if (v.corner1 == last.corner1 && v.corner2 == last.corner2) return true;
    }
    return false;
  }

  CORTEN_FN int nearest_face() const {
    int best = p_.candidate(0);
    for (int i = 1; i < p_.candidates(); ++i) {
      if (p_.face(p_.candidate(i)).dist2 < p_.face(best).dist2) best = p_.candidate(i);
    }
    return best;
  }

  // the points of a and b that belong to the projection of the origin onto a face
  template <class Face>
  CORTEN_FN EpaResult<V> witness(const Face& face) const {
    const DifferencePoint<V>*v1 = &p_.vertex(face.vert[0]), *v2 = &p_.vertex(face.vert[1]),
          *v3 = &p_.vertex(face.vert[2]);
    const Vec3<V> w = detail::affine_coordinates(v1->point(), v2->point(), v3->point(), face.v);
    EpaResult<V> out;
    out.found = true;
    out.dist = -sqrt(face.dist2);
    out.x1 = v1->p1 * w[0] + v2->p1 * w[1] + v3->p1 * w[2];
    out.x2 = v1->p2 * w[0] + v2->p2 * w[1] + v3->p2 * w[2];
    for (int i = 0; i < 3; ++i) out.corner[i] = p_.vertex(face.vert[i]);
    return out;
  }

  const A& a_;
  const B& b_;
  V tolerance_;
  int iterations_, most_;
  detail::Polytope<V> p_;
};

namespace detail {

// EPA from the simplex that GJK has left. Not inlined: the polytope takes more stack than all the
// rest of a collider, so it is there only while EPA runs.
template <class V, class A, class B>
[[gnu::noinline]] CORTEN_FN EpaResult<V> run_epa(const A& a, const B& b, const GjkResult<V>& r,
                                                 const Effort<V>& effort) {
  typename PolytopeRoom<V>::template Local<local_iterations + 5> local;
  Epa<V, A, B> epa(a, b, effort.tolerance, effort.iterations, room_of(effort, local));
  return epa.run(r.simplex, r.n);
}

}  // namespace detail

}  // namespace corten
