// SPDX-License-Identifier: Apache-2.0
//
// Further contact points of two convex shapes. An iterative collider finds one point, but where
// flat or straight parts touch, one point does not keep a body from tilting. So both shapes are
// turned against each other about the first point by a milliradian, to and fro about both tangents,
// and collided again. What they then touch in is a further point, unless it is one of those found
// before. This is MuJoCo's multiccd. GJK with EPA (convex.hpp) and the portal method
// (mpr_contact.hpp) share it.
#pragma once

#include <corten/collide/convex_shape.hpp>
#include <corten/math/quat.hpp>

namespace corten::detail {

// turns a shape about a point
template <class V>
CORTEN_FN void turn_about(Shape<V>& shape, const Vec3<V>& point, const Mat3<V>& rot) {
  const Vec3<V> arm = point - shape.pos;
  shape.pos -= rot * arm - arm;
  for (Vec3<V>& axis : shape.axes) axis = rot * axis;
}

// the turn number i of four of two shapes against each other, about a contact and its frame
template <class S>
CORTEN_FN void turn_apart(Shape<S>& a, Shape<S>& b, const Vec3<S>& point, const Mat3<S>& frame,
                          int i) {
  const Vec3<S> axis = frame.row(1 + i / 2);
  const S angle = S(value_t<S>(i % 2 == 0 ? -1e-3 : 1e-3));
  turn_about(a, point, to_matrix(axis_angle(axis, angle)));
  turn_about(b, point, to_matrix(axis_angle(axis, S(-angle))));
}

// the place of a shape, without its form
template <class V>
struct Placing {
  Vec3<V> pos, axes[3];

  CORTEN_FN explicit Placing(const Shape<V>& shape) : pos(shape.pos) {
    for (int k = 0; k < 3; ++k) axes[k] = shape.axes[k];
  }
  CORTEN_FN void restore(Shape<V>& shape) const {
    shape.pos = pos;
    for (int k = 0; k < 3; ++k) shape.axes[k] = axes[k];
  }
};

// The number of points. collide(a, b, turn, k, pos) collides the shapes, as they are if `turn` is
// -1, else turned: it returns whether they touch, and where; it may note what it found as point k.
// more(normal) says after the first point whether further ones are wanted, and gives the normal.
// keep(k, turn) keeps a further point. There is one call of each, since compilers for devices
// inline them all. The shapes are left as they were.
template <class V, class Collide, class More, class Keep>
CORTEN_FN int contact_points(ConvexShape<V>& a, ConvexShape<V>& b, const Collide& collide,
                             const More& more, const Keep& keep) {
  const Placing<V> place_a(a.shape), place_b(b.shape);
  const V same = V(1e-3) * min(a.bounding_radius(), b.bounding_radius());
  Mat3<V> frame;
  Vec3<V> found[5];
  int n = 0;
  for (int turn = -1; turn < 4; ++turn) {
    if (turn >= 0) turn_apart(a.shape, b.shape, found[0], frame, turn);
    const bool touch = collide(a, b, turn, n, found[n]);
    place_a.restore(a.shape);
    place_b.restore(b.shape);
    if (turn < 0) {
      Vec3<V> normal;
      if (!touch) return 0;
      n = 1;
      if (!more(normal)) return n;
      frame = make_frame(normal);
      continue;
    }
    bool distinct = touch;
    for (int k = 0; k < n && distinct; ++k) {
      const Vec3<V> away = found[k] - found[n];
      distinct = !(sqrt(away.dot(away)) <= same);
    }
    if (distinct) keep(n++, turn);
  }
  return n;
}

}  // namespace corten::detail
