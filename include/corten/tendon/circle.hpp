// SPDX-License-Identifier: Apache-2.0
//
// A string between two points of a plane, and a circle about the origin that it may touch: wrapped
// around the outside, or led through the inside. Choices are made on values; only the chosen path
// is computed with derivatives. MuJoCo documentation, Computation, "Spatial tendons".
#pragma once

#include <type_traits>

#include <corten/math/vector.hpp>

#include <limits>

namespace corten {

template <class S>
using Vec2 = Vec<S, 2>;

// where a string touches a circle: along the arc between two points
template <class S>
struct CirclePath {
  mask_t<S> holds;  // does it touch at all?
  Vec2<S> first, last;
  S arc;
};

namespace detail {

template <class C, class S, int N>
CORTEN_FN Vec<S, N> choose(const C& c, const Vec<S, N>& a, const Vec<S, N>& b) {
  Vec<S, N> out;
  for (int i = 0; i < N; ++i) out[i] = select(c, a[i], b[i]);
  return out;
}

// do the segments ab and cd cross?
template <class V>
CORTEN_FN mask_t<V> segments_cross(const Vec2<V>& a, const Vec2<V>& b, const Vec2<V>& c,
                                   const Vec2<V>& d) {
  const V det = (d[1] - c[1]) * (b[0] - a[0]) - (d[0] - c[0]) * (b[1] - a[1]);
  const auto usable = abs(det) >= V(min_value);
  const V safe = select(usable, det, V(1));
  const V s = ((d[0] - c[0]) * (a[1] - c[1]) - (d[1] - c[1]) * (a[0] - c[0])) / safe;
  const V t = ((b[0] - a[0]) * (a[1] - c[1]) - (b[1] - a[1]) * (a[0] - c[0])) / safe;
  return usable && s >= V(0) && s <= V(1) && t >= V(0) && t <= V(1);
}

// The two tangents from a point to the circle, and where they touch it.
template <class S>
struct Tangents {
  Vec2<S> p;
  S radius, length2, root;

  CORTEN_FN Tangents(const Vec2<S>& point, const S& r)
      : p(point),
        radius(r),
        length2(p[0] * p[0] + p[1] * p[1]),
        root(safe_sqrt(S(length2 - r * r))) {}

  // turn +1 or -1 is the side of the circle, seen from the point
  CORTEN_FN Vec2<S> touch(const S& turn) const {
    const S radius2 = radius * radius;
    return Vec2<S>(S((p[0] * radius2 + turn * radius * p[1] * root) / length2),
                   S((p[1] * radius2 - turn * radius * p[0] * root) / length2));
  }
};

// How good it is to go around on one side: the nearer to the wanted side, or the shorter, the
// better. Paths whose ends cross are ruled out.
template <class V>
CORTEN_FN V goodness(const Vec2<V>& a, const Vec2<V>& b, const Vec2<V>& first, const Vec2<V>& last,
                     const Vec2<V>* side) {
  V good;
  if (side != nullptr) {
    Vec2<V> middle(first[0] + last[0], first[1] + last[1]);
    normalize(middle);
    good = middle[0] * (*side)[0] + middle[1] * (*side)[1];
  } else {
    const V x = first[0] - last[0], y = first[1] - last[1];
    good = -(x * x + y * y);
  }
  return select(segments_cross(a, first, b, last), V(-10000), good);
}

// Is the straight path from a to b barred, by the circle or because it passes on the wrong side of
// it? Not if an end is inside: then there is no tangent.
template <class V>
CORTEN_FN mask_t<V> way_is_barred(const Vec2<V>& a, const Vec2<V>& b, const V& radius,
                                  const Vec2<V>* side) {
  const V radius2 = radius * radius;
  const Vec2<V> along(b[0] - a[0], b[1] - a[1]);
  const V span2 = along[0] * along[0] + along[1] * along[1];
  const auto possible =
      !(a[0] * a[0] + a[1] * a[1] < radius2 || b[0] * b[0] + b[1] * b[1] < radius2 ||
        radius < V(min_value) || span2 < V(min_value));
  const V safe = select(possible, span2, V(1));
  const V s = clamp(V(-(along[0] * a[0] + along[1] * a[1]) / safe), V(0), V(1));
  const Vec2<V> nearest(s * along[0] + a[0], s * along[1] + a[1]);
  auto clear = nearest[0] * nearest[0] + nearest[1] * nearest[1] > radius2;
  if (side != nullptr) {
    clear = clear && (*side)[0] * nearest[0] + (*side)[1] * nearest[1] >= V(0);
  }
  return possible && !clear;
}

}  // namespace detail

// Around the outside: the shorter way, or past `side` if there is one.
template <class S>
CORTEN_FN CirclePath<S> wrap_outside(const Vec2<S>& a, const Vec2<S>& b, const S& radius,
                                     const Vec2<value_t<S>>* side) {
  using V = value_t<S>;
  CirclePath<S> out{{}, a, b, S(0)};
  const Vec2<V> va = values(a), vb = values(b);
  const V r = value(radius);
  out.holds = detail::way_is_barred(va, vb, r, side);
  if (!any(out.holds)) return out;

  // one way or the other
  const detail::Tangents<V> ta(va, r), tb(vb, r);
  const Vec2<V> left1 = ta.touch(V(1)), left2 = tb.touch(V(-1));
  const Vec2<V> right1 = ta.touch(V(-1)), right2 = tb.touch(V(1));
  const V left = detail::goodness(va, vb, left1, left2, side);
  const V right = detail::goodness(va, vb, right1, right2, side);
  const auto on_left = left > right;
  const V turn = select(on_left, V(1), V(-1));
  out.holds = out.holds && select(on_left, left, right) != V(-10000);  // not crossed
  if constexpr (!std::is_same_v<S, V>) {
    out.first = detail::Tangents<S>(a, radius).touch(S(turn));
    out.last = detail::Tangents<S>(b, radius).touch(S(-turn));
  } else {
    out.first = detail::choose(on_left, left1, right1);
    out.last = detail::choose(on_left, left2, right2);
  }

  // the angle in the sense of the turn, between 0 and 2 pi
  const S cross = out.first[1] * out.last[0] - out.first[0] * out.last[1];
  const S dot = out.first[0] * out.last[0] + out.first[1] * out.last[1];
  const S angle = atan2(S(S(turn) * cross), dot);
  out.arc = radius * select(angle < S(0), S(angle + S(6.28318530717958647692)), angle);
  return out;
}

namespace detail {

// A string from outside bends at the circle by the same angle on both sides where
//   asin(A sin x) + asin(B sin x) - 2 x + G = 0
// These are the left-hand side and its derivative with respect to x, which is between -2 and 0.
template <class S>
CORTEN_FN S bend_balance(const S& A, const S& B, const S& G, const S& x) {
  const S s = sin(x);
  return asin(S(A * s)) + asin(S(B * s)) - S(2) * x + G;
}
template <class S>
CORTEN_FN S bend_slope(const S& A, const S& B, const S& x) {
  S s, c;
  sincos(x, s, c);
  const auto part = [&](const S& k) { return k * c / safe_sqrt(S(S(1) - k * k * s * s)); };
  return part(A) + part(B) - S(2);
}

// Finds the root by Newton's method from x = pi/2. The function is decreasing and concave, so the
// iterates come down to the root and never pass it. Returns whether there is a root.
template <class V>
CORTEN_FN mask_t<V> solve_bend(const V& A, const V& B, const V& G, V& x) {
  x = V(1.57079632679489661923);
  V f = bend_balance(A, B, G, x);
  const auto found = f <= V(0);
  for (int k = 0; k < 20; ++k) {
    const auto active = f < V(-1e-6);
    if (!any(active)) break;
    x = select(active, V(x - f / bend_slope(A, B, x)), x);
    f = bend_balance(A, B, G, x);
  }
  return found;
}

// Finds the same root in z = sin x, as MuJoCo does, with its start, its tolerance and its ways to
// fail, because the remaining error shows in the digits. In single precision z near 1 is too coarse
// for that.
template <class V>
CORTEN_FN mask_t<V> solve_bend_as_mujoco(const V& A, const V& B, const V& G, V& x) {
  constexpr int most = 20;
  const V tolerance = V(1e-6);
  const auto balance = [&](const V& z) {
    return asin(V(A * z)) + asin(V(B * z)) - V(2) * asin(z) + G;
  };
  const auto cosine = [](const V& s) {
    return sqrt(max(V(min_value * min_value), V(V(1) - s * s)));
  };
  V z = V(1 - 1e-7), f = balance(z);
  auto good = f <= V(0), active = good && abs(f) > tolerance;
  for (int k = 0; k < most && any(active); ++k) {
    const V slope = A / cosine(V(z * A)) + B / cosine(V(z * B)) - V(2) / cosine(z);
    auto usable = slope <= V(-min_value);
    const V next = z - f / select(usable, slope, V(-1));
    usable = usable && next <= z;
    z = select(active && usable, next, z);
    f = balance(z);
    usable = usable && f <= tolerance && active;
    good = good && (usable || !active);
    active = usable && abs(f) > tolerance;
    if (k + 1 == most) good = good && !usable;
  }
  x = asin(z);
  return good;
}

}  // namespace detail

// Through the inside: the string is pulled to the circle from outside and touches it in one point.
// If that point cannot be found, it is the one below the middle of the ends.
template <class S>
CORTEN_FN CirclePath<S> wrap_inside(const Vec2<S>& a, const Vec2<S>& b, const S& radius) {
  using V = value_t<S>;
  CirclePath<S> out{{}, a, b, S(0)};
  const S la = norm(a), lb = norm(b);
  const Vec2<V> va = values(a), vb = values(b);
  const V r = value(radius), na = value(la), nb = value(lb);
  const Vec2<V> along(vb[0] - va[0], vb[1] - va[1]);
  const V span2 = along[0] * along[0] + along[1] * along[1];

  // an end inside, or a straight path through the circle: nothing to bend
  const V s = -(along[0] * va[0] + along[1] * va[1]) / select(span2 > V(min_value), span2, V(1));
  const Vec2<V> nearest(va[0] + s * along[0], va[1] + s * along[1]);
  const auto meets = span2 > V(min_value) && s > V(0) && s < V(1) && norm(nearest) <= r;
  const V cosine = (na * na + nb * nb - span2) / select(na * nb > V(0), V(V(2) * na * nb), V(1));
  out.holds = na > r && nb > r && r >= V(min_value) && na >= V(min_value) && nb >= V(min_value) &&
              !meets && cosine >= V(-1 + min_value);
  if (!any(out.holds)) return out;

  // below the middle
  Vec2<S> middle(S(S(0.5) * (a[0] + b[0])), S(S(0.5) * (a[1] + b[1])));
  normalize(middle);
  out.first = Vec2<S>(S(radius * middle[0]), S(radius * middle[1]));

  // Where the string balances. Derivatives are those of the root (implicit function theorem, two
  // steps for second derivatives); its value is left as Newton's method found it.
  const S cross = a[0] * b[1] - a[1] * b[0];
  const S A = radius / select(la > radius, la, S(radius + S(1)));
  const S B = radius / select(lb > radius, lb, S(radius + S(1)));
  const S G = atan2(abs(cross), S(a[0] * b[0] + a[1] * b[1]));
  V root;
  mask_t<S> found;
  if constexpr (std::numeric_limits<V>::digits < 32) {
    found = detail::solve_bend(value(A), value(B), value(G), root);
  } else {
    found = detail::solve_bend_as_mujoco(value(A), value(B), value(G), root);
  }
  found = found && cosine <= V(1 - min_value);
  S x = S(root);
  if constexpr (!std::is_same_v<S, V>) {
    for (int k = 0; k < 2; ++k) {
      const S f = detail::bend_balance(A, B, G, x);
      x -= (f - S(value(f))) / detail::bend_slope(A, B, x);
    }
  }
  const auto ahead = cross > S(0);
  Vec2<S> from = detail::choose(ahead, a, b);
  normalize(from);
  S sine, cosine_turn;
  sincos(S(x - asin(S(select(ahead, A, B) * sin(x)))), sine, cosine_turn);
  const Vec2<S> point(S(radius * (cosine_turn * from[0] - sine * from[1])),
                      S(radius * (sine * from[0] + cosine_turn * from[1])));
  out.first = detail::choose(found, point, out.first);
  out.last = out.first;
  return out;
}

}  // namespace corten
