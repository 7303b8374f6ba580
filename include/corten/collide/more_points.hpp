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

// The number of points, the first one at `point` included. collide(a, b, pos) collides the turned
// shapes: it returns whether they touch, and where. keep(k, i) stores what it found in turn i as
// point k.
template <class V, class Collide, class Keep>
CORTEN_FN int more_points(const ConvexShape<V>& a, const ConvexShape<V>& b, const Vec3<V>& point,
                          const Vec3<V>& normal, const Collide& collide, const Keep& keep) {
  const V same = V(1e-3) * min(a.bounding_radius(), b.bounding_radius());
  const Mat3<V> frame = make_frame(normal);
  Vec3<V> found[5] = {point};
  int n = 1;
  ConvexShape<V> turned_a = a, turned_b = b;
  for (int i = 0; i < 4; ++i) {
    turned_a.shape = a.shape;
    turned_b.shape = b.shape;
    turn_apart(turned_a.shape, turned_b.shape, point, frame, i);
    if (!collide(turned_a, turned_b, found[n])) continue;
    bool distinct = true;
    for (int k = 0; k < n && distinct; ++k) {
      const Vec3<V> away = found[k] - found[n];
      distinct = !(sqrt(away.dot(away)) <= same);
    }
    if (distinct) keep(n++, i);
  }
  return n;
}

}  // namespace corten::detail
