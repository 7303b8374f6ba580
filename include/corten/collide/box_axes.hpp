// SPDX-License-Identifier: Apache-2.0
//
// The separating axis test of two boxes, on plain values. Fifteen directions can separate them: the
// three face normals of each, and the nine cross products of their edges. The one with the largest
// separation (least penetration) decides what kind of contact there is. In a close race faces win:
// they give several points, which hold a resting box better than one.
#pragma once

#include <corten/collide/shape.hpp>

#include <cstddef>

namespace corten {

// Tolerances against rounding, as MuJoCo sets them for single and double precision.
template <class V>
struct BoxTolerance {
  static constexpr bool single = sizeof(V) < sizeof(double);
  static constexpr double separation = single ? 1e-6 : 1e-13;  // of separations, relative to sizes
  static constexpr double parallel = single ? 1e-7 : 1e-16;    // sin² of parallel edges
  static constexpr double sign = single ? 1e-5 : 1e-9;         // axis components without a sign
  static constexpr double duplicate = single ? 1e-10 : 1e-14;  // of equal points, squared
};

// Kind of the best axis: a face of the first box, a face of the second, an edge of each.
struct BoxAxis {
  enum class Kind { none, first, second, edges };
  Kind kind = Kind::none;
  int i = 0;  // axis of the face, or of the edge of the first box
  int j = 0;  // edges: axis of the edge of the second box
};

// Two boxes in the frame of the first: the columns of rot are the axes of the second box, and pos
// is its centre. back is the centre of the first box in the frame of the second.
template <class S>
struct BoxPair {
  Mat3<S> rot;
  Vec3<S> pos, back;
  Vec3<S> size1, size2;

  CORTEN_FN BoxPair(const Shape<S>& a, const Shape<S>& b)
      : rot(Mat3<S>::from_columns(a.turn_back(b.axis(0)), a.turn_back(b.axis(1)),
                                  a.turn_back(b.axis(2)))),
        pos(a.to_local(b.pos)),
        back(b.to_local(a.pos)),
        size1(a.size),
        size2(b.size) {}

  // the cross product of edge i of the first box and edge j of the second, in the first frame
  CORTEN_FN Vec3<S> edge_axis(int i, int j) const {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    Vec3<S> axis;
    axis[i] = S(0);
    axis[i1] = -rot(i2, j);
    axis[i2] = rot(i1, j);
    return axis;
  }
};

namespace detail {

template <class S>
class BoxAxisSearch {
  using V = value_t<S>;

 public:
  CORTEN_FN BoxAxisSearch(const BoxPair<S>& pair, const S& margin) : p_(pair) {
    slack_ = value(margin) +
             V(BoxTolerance<V>::separation) * value(S(pair.size1.sum() + pair.size2.sum()));
  }

  // separations up to this count as touching
  CORTEN_FN V slack() const { return slack_; }

  CORTEN_FN BoxAxis run() {
    for (int i = 0; i < 3; ++i) {
      V radius(0);
      for (int k = 0; k < 3; ++k) radius += abs(rot(i, k)) * value(p_.size2[k]);
      const V sep = abs(value(p_.pos[i])) - value(p_.size1[i]) - radius;
      if (!offer(sep, {BoxAxis::Kind::first, i, 0})) return {};
    }
    for (int j = 0; j < 3; ++j) {
      V radius(0);
      for (int k = 0; k < 3; ++k) radius += abs(rot(k, j)) * value(p_.size1[k]);
      const V sep = abs(value(p_.back[j])) - value(p_.size2[j]) - radius;
      if (!offer(sep, {BoxAxis::Kind::second, j, 0})) return {};
    }
    face_ = best_;
    face_sep_ = best_sep_;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        if (!try_edges(i, j)) return {};
      }
    }
    if (best_.kind == BoxAxis::Kind::edges && face_is_as_good()) return face_;
    return best_;
  }

 private:
  CORTEN_FN V rot(int i, int j) const { return value(p_.rot(i, j)); }

  // false: the boxes are apart
  CORTEN_FN bool offer(V sep, const BoxAxis& axis) {
    if (sep > slack_) return false;
    if (sep > best_sep_) {
      best_sep_ = sep;
      best_ = axis;
    }
    return true;
  }

  CORTEN_FN bool try_edges(int i, int j) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
    V a1 = -rot(i2, j), a2 = rot(i1, j);
    const V norm2 = a1 * a1 + a2 * a2;
    if (norm2 < V(BoxTolerance<V>::parallel)) return true;
    const V inverse = V(1) / sqrt(norm2);
    a1 *= inverse;
    a2 *= inverse;
    const V radius1 = value(p_.size1[i1]) * abs(a1) + value(p_.size1[i2]) * abs(a2);
    const V b1 = a1 * rot(i1, j1) + a2 * rot(i2, j1), b2 = a1 * rot(i1, j2) + a2 * rot(i2, j2);
    const V radius2 = value(p_.size2[j1]) * abs(b1) + value(p_.size2[j2]) * abs(b2);
    const V sep = abs(a1 * value(p_.pos[i1]) + a2 * value(p_.pos[i2])) - radius1 - radius2;
    if (sep > slack_) return false;
    // edges must be better than what was found before by more than rounding
    if (sep - V(1e-6) * abs(sep) > best_sep_ && sep > face_sep_) {
      best_sep_ = sep;
      best_ = {BoxAxis::Kind::edges, i, j};
    }
    return true;
  }

  // An edge axis within some eight degrees of the best face normal stands for the same contact; the
  // face is taken unless the edges are better by five per cent, so that a resting stack does not
  // flip between the two.
  CORTEN_FN bool face_is_as_good() const {
    Vec3<V> axis;
    axis[best_.i] = V(0);
    axis[(best_.i + 1) % 3] = -rot((best_.i + 2) % 3, best_.j);
    axis[(best_.i + 2) % 3] = rot((best_.i + 1) % 3, best_.j);
    normalize(axis);
    V along = axis[face_.i];
    if (face_.kind == BoxAxis::Kind::second) {
      along = axis[0] * rot(0, face_.i) + axis[1] * rot(1, face_.i) + axis[2] * rot(2, face_.i);
    }
    return abs(along) > V(0.99) && best_sep_ < face_sep_ + V(0.05) * abs(face_sep_) + V(min_value);
  }

  const BoxPair<S>& p_;
  V slack_;
  BoxAxis best_, face_;
  V best_sep_ = V(-1e10), face_sep_ = V(-1e10);
};

}  // namespace detail

}  // namespace corten
