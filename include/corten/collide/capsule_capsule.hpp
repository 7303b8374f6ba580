// SPDX-License-Identifier: Apache-2.0
//
// Two capsules. In general their segments have one pair of nearest points, and the contact is that
// of two balls there. Parallel segments have a whole stretch of nearest points; its ends are the
// two contacts.
#pragma once

#include <corten/collide/sphere_sphere.hpp>

namespace corten {

struct CapsuleCapsule {
  static constexpr GeomType first = GeomType::capsule, second = GeomType::capsule;
  static constexpr int max_hits = 2;

  template <class S>
  CORTEN_FN static int collide(const Shape<S>& a, const Shape<S>& b, const S& margin,
                               Hit<S>* hits) {
    const Segments<S> s(a, b);
    return s.parallel() ? parallel(s, a, b, margin, hits) : crossed(s, a, b, margin, hits);
  }

 private:
  // Half axes p and q, and the normal equations of | (a + x p) - (b + y q) |² in x and y:
  //   aa x + ab y = u,   ab x + bb y = v
  template <class S>
  struct Segments {
    Vec3<S> p, q;
    S aa, ab, bb, u, v, det;

    CORTEN_FN Segments(const Shape<S>& a, const Shape<S>& b)
        : p(a.axis(2) * a.size[1]), q(b.axis(2) * b.size[1]) {
      const Vec3<S> apart = a.pos - b.pos;
      aa = p.dot(p);
      ab = -p.dot(q);
      bb = q.dot(q);
      u = -p.dot(apart);
      v = q.dot(apart);
      det = aa * bb - ab * ab;
    }

    // In double precision the bound is MuJoCo's. In single precision the determinant of parallel
    // axes is rounding noise far above it, so there the bound is relative.
    CORTEN_FN bool parallel() const {
      using V = value_t<S>;
      const V noise = sizeof(V) < sizeof(double) ? V(1e-6) * value(S(aa * bb)) : V(0);
      return abs(value(det)) < max(V(min_value), noise);
    }
  };

  template <class S>
  [[gnu::always_inline]] CORTEN_FN static int at(const Segments<S>& s, const S& x, const S& y,
                                                 const Shape<S>& a, const Shape<S>& b,
                                                 const S& margin, Hit<S>* hits) {
    return ball_ball(a.pos + s.p * x, a.size[0], b.pos + s.q * y, b.size[0], margin, a.axis(2),
                     b.axis(2), hits);
  }

  // Minimises over the square |x|, |y| <= 1: clips one parameter, solves for the other, clips that
  // and solves for the first again. Which sides are clipped is unpredictable, so everything is
  // computed and then selected, without branches.
  template <class S>
  CORTEN_FN static int crossed(const Segments<S>& s, const Shape<S>& a, const Shape<S>& b,
                               const S& margin, Hit<S>* hits) {
    const S one(1), low(-1);
    S x = (s.bb * s.u - s.ab * s.v) / s.det;
    S y = (s.aa * s.v - s.ab * s.u) / s.det;
    const S x_clipped = clamp(x, low, one);
    y = select(x == x_clipped, y, S((s.v - x_clipped * s.ab) / s.bb));
    const S y_clipped = clamp(y, low, one);
    x = select(y == y_clipped, x_clipped, clamp(S((s.u - y_clipped * s.ab) / s.aa), low, one));
    return at(s, x, y_clipped, a, b, margin, hits);
  }

  // each end of a against b, then each end of b against a, until there are two contacts
  template <class S>
  CORTEN_FN static int parallel(const Segments<S>& s, const Shape<S>& a, const Shape<S>& b,
                                const S& margin, Hit<S>* hits) {
    int n = 0;
    for (int side = 1; side >= -1; side -= 2) {
      const S y = clamp(S((s.v - S(side) * s.ab) / s.bb), S(-1), S(1));
      n += at(s, S(side), y, a, b, margin, hits + n);
    }
    for (int side = 1; side >= -1 && n < 2; side -= 2) {
      const S x = clamp(S((s.u - S(side) * s.ab) / s.aa), S(-1), S(1));
      n += at(s, x, S(side), a, b, margin, hits + n);
    }
    return n;
  }
};

}  // namespace corten
