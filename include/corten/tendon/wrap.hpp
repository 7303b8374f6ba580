// SPDX-License-Identifier: Apache-2.0
//
// A string between two points in space, around a sphere or an infinite cylinder.
#pragma once

#include <corten/tendon/circle.hpp>

namespace corten {

// The obstacle: a geom's frame (its z axis is that of the cylinder) and radius. If `sided`, `side`
// is a point that says on which side to pass or, if it is inside the obstacle, to pass through the
// inside.
template <class S>
struct Obstacle {
  Vec3<S> pos;
  Mat3<S> frame;
  S radius;
  bool sphere;
  bool sided;
  Vec3<S> side;
};

// The part of the path that lies on the obstacle. Where `holds` is false, both points are the far
// end.
template <class S>
struct Bend {
  mask_t<S> holds;
  Vec3<S> first, last;
  S length;
};

namespace detail {

// A unit vector normal to p and q. If they are parallel it is along the cross product of `unit`,
// which is p / |p|, and the vector of ones with a zero where p is largest, as in MuJoCo.
template <class S>
CORTEN_FN Vec3<S> common_normal(const Vec3<S>& p, const Vec3<S>& q, const Vec3<S>& unit) {
  Vec3<S> normal = cross(p, q);
  const auto parallel = normalize(normal) < S(min_value);
  if (!any(parallel)) return normal;

  const S x = abs(unit[0]), y = abs(unit[1]), z = abs(unit[2]);
  const auto is_z = z > x && z > y, is_y = y > x && y > z;
  Vec3<S> other(select(is_z || is_y, S(1), S(0)), select(is_y, S(0), S(1)),
                select(is_z, S(0), S(1)));
  other = cross(unit, other);
  normalize(other);
  return choose(parallel, other, normal);
}

// where the string, projected onto the plane of the two axes, touches the circle
template <class S>
CORTEN_FN CirclePath<S> touch_circle(const Obstacle<S>& o, const Vec3<S>& x_axis,
                                     const Vec3<S>& y_axis, const Vec2<S>& a, const Vec2<S>& b) {
  using V = value_t<S>;
  if (!o.sided) return wrap_outside<S>(a, b, o.radius, nullptr);

  const Vec3<V> side = values(o.frame.transpose() * (o.side - o.pos));
  const auto inside = norm(side) < value(o.radius);
  if (all(inside)) return wrap_inside(a, b, o.radius);
  Vec2<V> flat(side.dot(values(x_axis)), side.dot(values(y_axis)));
  normalize(flat);
  flat *= value(o.radius);
  const CirclePath<S> around = wrap_outside(a, b, o.radius, &flat);
  if (!any(inside)) return around;

  // some lanes pass inside, others outside
  const CirclePath<S> through = wrap_inside(a, b, o.radius);
  return {(inside && through.holds) || (!inside && around.holds),
          choose(inside, through.first, around.first), choose(inside, through.last, around.last),
          select(inside, through.arc, around.arc)};
}

}  // namespace detail

template <class S>
CORTEN_ENTRY Bend<S> wrap(const Vec3<S>& from, const Vec3<S>& to, const Obstacle<S>& o) {
  Bend<S> out{{}, to, to, S(0)};
  const Vec3<S> p = o.frame.transpose() * (from - o.pos);
  const Vec3<S> q = o.frame.transpose() * (to - o.pos);
  const auto apart = !(norm(p) < S(min_value) || norm(q) < S(min_value));

  // the plane of the circle
  Vec3<S> x_axis(S(1), S(0), S(0)), y_axis(S(0), S(1), S(0));
  if (o.sphere) {
    x_axis = p;
    normalize(x_axis);
    y_axis = cross(detail::common_normal(p, q, x_axis), x_axis);
    normalize(y_axis);
  }
  const Vec2<S> a(S(p.dot(x_axis)), S(p.dot(y_axis))), b(S(q.dot(x_axis)), S(q.dot(y_axis)));
  const CirclePath<S> touch = detail::touch_circle(o, x_axis, y_axis, a, b);
  out.holds = apart && touch.holds;
  if (!any(out.holds)) return out;

  Vec3<S> first = x_axis * touch.first[0] + y_axis * touch.first[1];
  Vec3<S> last = x_axis * touch.last[0] + y_axis * touch.last[1];
  S length = touch.arc;
  if (!o.sphere) {
    // a helix: the height grows evenly along the whole path
    const S before = norm(Vec2<S>(a - touch.first)), after = norm(Vec2<S>(b - touch.last));
    const S whole = before + touch.arc + after, rise = q[2] - p[2];
    const S safe = select(out.holds, whole, S(1));
    first[2] = p[2] + rise * before / safe;
    last[2] = p[2] + rise * (before + touch.arc) / safe;
    length = norm(Vec2<S>(touch.arc, S(last[2] - first[2])));
  }
  out.first = detail::choose(out.holds, o.frame * first + o.pos, to);
  out.last = detail::choose(out.holds, o.frame * last + o.pos, to);
  out.length = select(out.holds, length, S(0));
  return out;
}

}  // namespace corten
