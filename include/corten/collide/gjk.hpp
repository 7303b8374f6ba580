// SPDX-License-Identifier: Apache-2.0
//
// GJK: how far two convex shapes are apart, or a simplex of their difference that contains the
// origin. Works on plain values and on any two types with support() and centre()
// (convex_shape.hpp).
//
// Two shapes touch if the set of differences a - b of their points contains the origin; otherwise
// the distance of that set from the origin is their distance. GJK walks towards the origin: x is
// the point of the current simplex nearest to it, and the support point in direction -x either
// improves the simplex or proves that x is as near as it gets (Gilbert, Johnson, Keerthi 1988).
// Starting point, stopping rules and the switch to a pure intersection test are those of MuJoCo's
// native collider: curved shapes are resolved only to within the tolerance, so where the iteration
// stops is part of the result.
#pragma once

#include <corten/collide/convex_shape.hpp>
#include <corten/collide/simplex.hpp>

namespace corten {

template <class V>
struct GjkResult {
  V dist = std::numeric_limits<V>::max();  // distance; 0: touching; max: not within the cutoff
  Vec3<V> x1, x2;                          // nearest points, if dist is a distance
  bool separated = false;                  // proven to be apart
  int n = 0;                               // corners of the last simplex
  DifferencePoint<V> simplex[4];
};

template <class V, class A, class B>
class Gjk {
 public:
  // `cutoff` > 0: find distances up to it; 0: only find out whether the shapes touch
  CORTEN_FN Gjk(const A& a, const B& b, V tolerance, int iterations, V cutoff)
      : a_(a), b_(b), tolerance_(tolerance), iterations_(iterations), cutoff_(cutoff) {}

  // did it run out of iterations?
  CORTEN_FN bool limited() const { return k_ >= iterations_; }

  CORTEN_FN GjkResult<V> run() {
    // shapes with corners only need no tolerance: the search ends by itself
    const bool discrete = both_discrete(a_, b_);
    const V small = discrete ? V(0) : V(0.5) * tolerance_ * tolerance_;
    const V near = discrete ? V(min_value) : tolerance_;
    bool try_intersect = cutoff_ <= 0;
    r_.x1 = a_.centre();
    r_.x2 = b_.centre();
    x_ = r_.x1 - r_.x2;
    V length = sqrt(x_.dot(x_)), before = V(0);
    int n = 0;
    for (; k_ < iterations_; ++k_) {
      // near enough to touch, or no progress
      if (length < near || abs(before - length) < V(min_value)) break;
      s_[n] = towards_origin(length);
      const Vec3<V> w = s_[n].point();

      // the duality gap of Frank and Wolfe bounds what can still be gained
      if (x_.dot(x_ - w) < small) break;
      // lower / length is a lower bound of the distance
      const V lower = x_.dot(w);
      if (lower > 0 && (cutoff_ <= 0 || lower >= cutoff_ * length)) return apart();

      if (n == 3 && try_intersect) {
        const int found = intersect();
        if (found >= 0) return found == 0 ? apart() : touching();
        try_intersect = false;
      }
      n = reduce(n + 1);
      if (n == 0) return apart();
      before = length;
      length = sqrt(x_.dot(x_));
      if (n == 4) break;
    }
    return finish(n, length);
  }

 private:
  // the support point in direction -x
  CORTEN_FN DifferencePoint<V> towards_origin(V length) const {
    return difference_support<V>(a_, b_, -(x_ * (V(1) / length)));
  }

  CORTEN_FN GjkResult<V> apart() {
    r_.separated = true;
    return r_;
  }

  CORTEN_FN GjkResult<V> touching() {
    r_.dist = V(0);
    r_.n = 4;
    for (int i = 0; i < 4; ++i) r_.simplex[i] = s_[i];
    return r_;
  }

  // drops the corners that do not contribute to the nearest point, and moves x there
  CORTEN_FN int reduce(int n) {
    Vec3<V> w[4];
    for (int i = 0; i < n; ++i) w[i] = s_[i].point();
    V all[4];
    detail::simplex_weights(w, n, all);
    int kept = 0;
    for (int i = 0; i < n; ++i) {
      if (all[i] == 0) continue;
      s_[kept] = s_[i];
      weight_[kept++] = all[i];
    }
    x_.setZero();
    for (int i = 0; i < kept; ++i) {
      const Vec3<V> term = s_[i].point() * weight_[i];
      x_ = i == 0 ? term : x_ + term;
    }
    return kept;
  }

  // nearest points from the weights, and a last check whether x proves separation
  CORTEN_FN GjkResult<V> finish(int n, V length) {
    for (int i = 0; i < n; ++i) {
      const Vec3<V> t1 = s_[i].p1 * weight_[i], t2 = s_[i].p2 * weight_[i];
      r_.x1 = i == 0 ? t1 : r_.x1 + t1;
      r_.x2 = i == 0 ? t2 : r_.x2 + t2;
      r_.simplex[i] = s_[i];
    }
    r_.separated = length > 0 && x_.dot(towards_origin(length).point()) > 0;
    r_.n = n;
    r_.dist = n == 4 && !r_.separated ? V(0) : length;
    return r_;
  }

  // distance of the origin from a face of the tetrahedron, and its normal; max without a normal
  CORTEN_FN V face_distance(const int* order, int i, int j, int k, Vec3<V>& normal) const {
    const Vec3<V> p = s_[order[i]].point();
    normal = cross(s_[order[k]].point() - p, s_[order[j]].point() - p);
    const V length2 = normal.dot(normal);
    if (!(length2 > V(min_value * min_value) && length2 < V(1e20))) {
      return std::numeric_limits<V>::max();
    }
    normal *= V(1) / sqrt(length2);
    return normal.dot(p);
  }

  // Replaces corners of the tetrahedron, always opposite the face that the origin is farthest
  // outside of, until it contains the origin. 1: it does, and s_ is that tetrahedron; 0: a face
  // proves that the shapes are apart; -1: undecided, and the simplex is left as it was.
  CORTEN_FN int intersect() {
    const DifferencePoint<V> kept[4] = {s_[0], s_[1], s_[2], s_[3]};
    int order[4] = {0, 1, 2, 3};
    constexpr int face[4][3] = {{2, 1, 3}, {0, 2, 3}, {1, 0, 3}, {0, 1, 2}};
    for (; k_ < iterations_; ++k_) {
      V dist[4];
      Vec3<V> normal[4];
      bool flat = false;
      for (int i = 0; i < 4; ++i) {
        dist[i] = face_distance(order, face[i][0], face[i][1], face[i][2], normal[i]);
        flat = flat || dist[i] == 0;
      }
      if (flat) break;
      const int i = dist[0] < dist[1] ? 0 : 1, j = dist[2] < dist[3] ? 2 : 3;
      const int worst = dist[i] < dist[j] ? i : j;
      if (dist[worst] > 0) {
        const DifferencePoint<V> inside[4] = {s_[order[0]], s_[order[1]], s_[order[2]],
                                              s_[order[3]]};
        for (int q = 0; q < 4; ++q) s_[q] = inside[q];
        return 1;
      }
      s_[order[worst]] = difference_support<V>(a_, b_, normal[worst]);
      if (normal[worst].dot(s_[order[worst]].point()) < 0) return 0;
      // swap two corners, so that the tetrahedron keeps its orientation
      const int p = (worst + 1) & 3, q = (worst + 2) & 3;
      const int t = order[p];
      order[p] = order[q];
      order[q] = t;
    }
    for (int q = 0; q < 4; ++q) s_[q] = kept[q];
    return -1;
  }

  const A& a_;
  const B& b_;
  V tolerance_;
  int iterations_;
  V cutoff_;
  int k_ = 0;
  Vec3<V> x_;
  V weight_[4];
  DifferencePoint<V> s_[4];
  GjkResult<V> r_;
};

}  // namespace corten
