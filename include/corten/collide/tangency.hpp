// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of a contact that an iteration found on plain values.
//
// The iteration leaves a point on each surface and a normal n. What matters of each surface is the
// feature that the point lies on: a face, a mantle, a rim, an edge, a corner. To second order it is
//
//     p(u) = c + Σ u_i e_i - ½ Σ u_i² k_i        (at most two parameters u)
//
// with c, e, k moving along with the geom. While the geoms move, the contact stays where
//
//     n · ∂p1/∂u_i = 0,   n · ∂p2/∂u_i = 0,   t_k · (p2 - p1) = 0
//
// for the two tangents t_k: n is normal to both features and the points lie opposite each other. It
// is a square system for u1, u2 and the turn w of the normal, n + w_0 t_0 + w_1 t_1; the implicit
// function theorem gives their derivatives from those of c and e. It stays regular when the
// surfaces just touch, where the gradient of the distance is of no use. Where it is singular (face
// on face, equal points) the undetermined motions get derivative zero.
//
// First derivatives are exact for the limit that the iteration approaches; derivatives of
// derivatives (nested duals) leave out third-order terms.
//
// Differences of results do not always show this limit. Where curved shapes overlap (without a
// core, see convex.hpp), EPA stops at a polytope whose distance is within ccd_tolerance of theirs;
// its normal is off by the root of that, and differences are those of its faces. In a heap of
// cylinders, capsules, boxes and an ellipsoid that overlap by centimetres, derivatives of distances
// and normals differ from differences by up to 6e-2 and by as much as their size at the default
// tolerance of 1e-6, by 5e-5 and 3 at 1e-9, by 8e-7 and 0.2 at 1e-12, where nearly all normals
// agree to 1e-4.
#pragma once

#include <corten/collide/shape.hpp>

#include <limits>

namespace corten::detail {

// x without its value: what a dual adds to a plain number
template <class S>
CORTEN_FN S tangent_part(const S& x) {
  return x - S(value(x));
}

// plain numbers as constants, whose derivatives are zero
template <class S>
CORTEN_FN Vec3<S> constant(const Vec3<value_t<S>>& v) {
  return Vec3<S>(S(v[0]), S(v[1]), S(v[2]));
}

template <class S>
struct Feature {
  Vec3<S> c;        // the point, world
  Vec3<S> e[2];     // directions along the feature, world
  Vec3<S> k[2];     // how it bends away: -∂²p/∂u², world
  int n = 0;        // parameters
  S radius = S(0);  // layer around the feature (spheres and capsules)
};

// Finds the feature of a geom at a point of its surface, and expresses it in S.
template <class S>
class FeatureFinder {
  using V = value_t<S>;

 public:
  // `p` is the point on the feature itself, in the frame of the geom; within `tolerance` a point
  // counts as on a feature
  CORTEN_FN FeatureFinder(GeomType type, const Shape<S>& shape, const Vec3<V>& p, V tolerance)
      : shape_(shape), p_(p), tolerance_(tolerance) {
    for (int i = 0; i < 3; ++i) f_.c[i] = S(p[i]);
    switch (type) {
      case GeomType::sphere: f_.c.setZero(), f_.radius = shape.size[0]; break;
      case GeomType::capsule: capsule(); break;
      case GeomType::cylinder: cylinder(); break;
      case GeomType::ellipsoid: ellipsoid(); break;
      case GeomType::mesh: mesh(); break;
      default: box();
    }
    f_.c = shape.to_world(f_.c);
    for (int i = 0; i < f_.n; ++i) {
      f_.e[i] = shape.turn(f_.e[i]);
      f_.k[i] = shape.turn(f_.k[i]);
    }
  }

  CORTEN_FN const Feature<S>& feature() const { return f_; }

 private:
  CORTEN_FN void add(const Vec3<S>& e, const Vec3<S>& k) {
    f_.e[f_.n] = e;
    f_.k[f_.n++] = k;
  }

  // Is coordinate i at the end ±size? Then it moves with the size, else it may slide along the
  // axis.
  CORTEN_FN bool at_end(int i, const S& size) {
    if (value(size) - abs(p_[i]) < tolerance_) {
      f_.c[i] = p_[i] > 0 ? size : S(-size);
      return true;
    }
    Vec3<S> axis = Vec3<S>::Zero();
    axis[i] = S(1);
    add(axis, Vec3<S>::Zero());
    return false;
  }

  CORTEN_FN void capsule() {
    f_.c[0] = f_.c[1] = S(0);
    f_.radius = shape_.size[0];
    at_end(2, shape_.size[1]);
  }

  // A side, an edge or a corner: where one, two or three planes of the hull meet in p. The nearest
  // plane counts in any case.
  CORTEN_FN void mesh() {
    if (shape_.mesh.graph == nullptr) return;
    const int count = shape_.mesh.graph[1];
    Vec3<V> normal[2], n;
    V least = std::numeric_limits<V>::max();
    for (int i = 0; i < count; ++i) {
      const V away = abs(hull_plane(i, n));
      if (away < least) least = away, normal[0] = n;
    }
    // of the planes through p, the one most inclined to the first, and one inclined to both
    V edge = V(1e-3), corner = V(1e-3);
    for (int i = 0; i < count; ++i) {
      if (!(abs(hull_plane(i, n)) < tolerance_)) continue;
      const Vec3<V> along = cross(normal[0], n);
      const V sine = sqrt(along.dot(along));
      if (sine > edge) edge = sine, normal[1] = n;
    }
    if (!(edge > V(1e-3))) {
      const Mat3<V> frame = make_frame(normal[0]);
      for (int k = 1; k < 3; ++k) add_straight(frame.row(k));
      return;
    }
    const Vec3<V> along = cross(normal[0], normal[1]);
    for (int i = 0; i < count; ++i) {
      if (abs(hull_plane(i, n)) < tolerance_) corner = max(corner, abs(along.dot(n)) / edge);
    }
    if (!(corner > V(1e-3))) add_straight(along);
  }

  CORTEN_FN void add_straight(const Vec3<V>& e) {
    add(Vec3<S>(S(e[0]), S(e[1]), S(e[2])), Vec3<S>::Zero());
  }

  // normal of a triangle of the hull, and the height of p above it
  CORTEN_FN V hull_plane(int i, Vec3<V>& normal) const {
    const int* graph = shape_.mesh.graph;
    const int* id = graph + 2 + 3 * graph[0] + 3 * graph[1] + 3 * i;
    const Vec3<V> a = shape_.mesh.template vertex<V>(id[0]);
    normal =
        cross(shape_.mesh.template vertex<V>(id[1]) - a, shape_.mesh.template vertex<V>(id[2]) - a);
    normalize(normal);
    return normal.dot(p_ - a);
  }

  CORTEN_FN void box() {
    // a point that is inside by rounding is on its nearest face
    int nearest = 0;
    for (int i = 1; i < 3; ++i) {
      if (value(shape_.size[i]) - abs(p_[i]) < value(shape_.size[nearest]) - abs(p_[nearest]))
        nearest = i;
    }
    for (int i = 0; i < 3; ++i) {
      if (i == nearest) {
        f_.c[i] = p_[i] > 0 ? shape_.size[i] : S(-shape_.size[i]);
      } else {
        at_end(i, shape_.size[i]);
      }
    }
  }

  CORTEN_FN void cylinder() {
    const V across = sqrt(p_[0] * p_[0] + p_[1] * p_[1]), radius = value(shape_.size[0]);
    const bool side = radius - across < tolerance_ && across > 0;
    const bool cap = at_end(2, shape_.size[1]);
    if (!side && cap) {
      for (int i = 0; i < 2; ++i) {
        Vec3<S> axis = Vec3<S>::Zero();
        axis[i] = S(1);
        add(axis, Vec3<S>::Zero());
      }
    } else if (across > 0) {
      const Vec3<S> q(S(p_[0] / across), S(p_[1] / across), S(0)), t(-q[1], q[0], S(0));
      f_.c[0] = shape_.size[0] * q[0];
      f_.c[1] = shape_.size[0] * q[1];
      add(shape_.size[0] * t, shape_.size[0] * q);
    }
  }

  // p = s ∘ (q + u0 t0 + u1 t1)/|…| with q on the unit sphere
  CORTEN_FN void ellipsoid() {
    Vec3<V> q;
    for (int i = 0; i < 3; ++i) q[i] = p_[i] / value(shape_.size[i]);
    const Mat3<V> frame = make_frame(q);
    Vec3<S> along[3];
    for (int r = 0; r < 3; ++r) {
      for (int i = 0; i < 3; ++i) along[r][i] = shape_.size[i] * S(frame(r, i));
    }
    f_.c = along[0];
    add(along[1], along[0]);
    add(along[2], along[0]);
  }

  const Shape<S>& shape_;
  Vec3<V> p_;
  V tolerance_;
  Feature<S> f_;
};

// Solves a x = b for n <= 6 by elimination with full pivoting; a is plain, b carries derivatives.
// Unknowns without a usable pivot are zero.
template <class S>
CORTEN_FN void solve_small(value_t<S> (&a)[6][6], S (&b)[6], int n, S (&x)[6]) {
  using V = value_t<S>;
  int row[6] = {0, 1, 2, 3, 4, 5}, col[6] = {0, 1, 2, 3, 4, 5};
  V largest(0);
  int rank = 0;
  for (; rank < n; ++rank) {
    int r = rank, c = rank;
    for (int i = rank; i < n; ++i) {
      for (int j = rank; j < n; ++j) {
        if (abs(a[row[i]][col[j]]) > abs(a[row[r]][col[c]])) r = i, c = j;
      }
    }
    const int tr = row[r], tc = col[c];
    row[r] = row[rank], row[rank] = tr;
    col[c] = col[rank], col[rank] = tc;
    const V pivot = a[tr][tc];
    largest = max(largest, abs(pivot));
    if (abs(pivot) <= V(1e-9) * largest) break;
    for (int i = rank + 1; i < n; ++i) {
      const V factor = a[row[i]][tc] / pivot;
      for (int j = rank + 1; j < n; ++j) a[row[i]][col[j]] -= factor * a[tr][col[j]];
      b[row[i]] -= S(factor) * b[tr];
    }
  }
  for (int i = 0; i < n; ++i) x[i] = S(0);
  for (int i = rank - 1; i >= 0; --i) {
    S sum = b[row[i]];
    for (int j = i + 1; j < rank; ++j) sum -= S(a[row[i]][col[j]]) * x[col[j]];
    x[col[i]] = sum / S(a[row[i]][col[i]]);
  }
}

// A contact between two features: how its distance, place and normal move.
template <class S>
class Tangency {
  using V = value_t<S>;

 public:
  // two features, and the frame of the contact (rows: normal and tangents)
  CORTEN_FN Tangency(const Feature<S>& f1, const Feature<S>& f2, const Mat3<V>& frame)
      : f1_(f1), f2_(f2) {
    for (int i = 0; i < 3; ++i) {
      n_[i] = S(frame(0, i));
      t_[0][i] = S(frame(1, i));
      t_[1][i] = S(frame(2, i));
    }
    solve();
  }

  // the derivatives of each, to be added to its plain value
  CORTEN_FN S dist() const {
    return tangent_part(S(n_.dot(f2_.c - f1_.c) - f1_.radius - f2_.radius));
  }
  CORTEN_FN Vec3<S> normal() const { return t_[0] * x_[m_ - 2] + t_[1] * x_[m_ - 1]; }
  CORTEN_FN Vec3<S> pos() const {
    const Vec3<S> n = n_ + normal();
    Vec3<S> p = f1_.c + n * f1_.radius + f2_.c - n * f2_.radius;
    for (int i = 0; i < f1_.n; ++i) p += f1_.e[i] * x_[i];
    for (int i = 0; i < f2_.n; ++i) p += f2_.e[i] * x_[f1_.n + i];
    for (int i = 0; i < 3; ++i) p[i] = tangent_part(S(S(0.5) * p[i]));
    return p;
  }

 private:
  CORTEN_FN void solve() {
    m_ = f1_.n + f2_.n + 2;
    V a[6][6] = {};
    S b[6];
    const Vec3<S> apart = f2_.c - f1_.c;
    const V dist = value(n_.dot(apart));
    for (int i = 0; i < m_ - 2; ++i) {
      const bool one = i < f1_.n;
      const Vec3<S>& e = one ? f1_.e[i] : f2_.e[i - f1_.n];
      const Vec3<S>& k = one ? f1_.k[i] : f2_.k[i - f1_.n];
      // the tangency of this parameter: n · e(u), turned by w
      a[i][i] = -value(n_.dot(k));
      b[i] = -tangent_part(n_.dot(e));
      for (int j = 0; j < 2; ++j) {
        const V along = value(t_[j].dot(e));
        a[i][m_ - 2 + j] = along;
        a[m_ - 2 + j][i] = one ? -along : along;
      }
    }
    for (int j = 0; j < 2; ++j) {
      a[m_ - 2 + j][m_ - 2 + j] = -dist;
      b[m_ - 2 + j] = -tangent_part(t_[j].dot(apart));
    }
    solve_small(a, b, m_, x_);
  }

  Feature<S> f1_, f2_;
  Vec3<S> n_, t_[2];
  int m_ = 2;
  S x_[6];
};

}  // namespace corten::detail
