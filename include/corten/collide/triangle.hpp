// SPDX-License-Identifier: Apache-2.0
//
// Triangles with a layer around them, as flexes are made of, against spheres, capsules and boxes.
// As in MuJoCo, corners of one are tested against the surface of the other; edges are not tested
// against edges.
#pragma once

#include <corten/collide/shape.hpp>

namespace corten {

template <class S>
struct Triangle {
  Vec3<S> corner[3];
  S radius;
};

namespace detail {

// the point of the segment from u to v in the plane that is nearest to p; returns the distance
template <class S>
CORTEN_FN S nearest_on_segment(const S (&p)[2], const S (&u)[2], const S (&v)[2], S (&out)[2]) {
  const S along[2] = {v[0] - u[0], v[1] - u[1]}, to[2] = {p[0] - u[0], p[1] - u[1]};
  const S length2 = along[0] * along[0] + along[1] * along[1];
  const S share =
      clamp(S((along[0] * to[0] + along[1] * to[1]) / max(S(min_value), length2)), S(0), S(1));
  S away = S(0);
  for (int k = 0; k < 2; ++k) {
    out[k] = value(share) < 1 ? S(u[k] + along[k] * share) : v[k];
    away += (out[k] - p[k]) * (out[k] - p[k]);
  }
  return safe_sqrt(away);
}

// the sign of the area of a triangle in the plane
template <class S>
CORTEN_FN int side_of(const S (&p)[2], const S (&a)[2], const S (&b)[2]) {
  const auto area = value(S((p[0] - b[0]) * (a[1] - b[1]) - (a[0] - b[0]) * (p[1] - b[1])));
  return area > 0 ? 1 : area < 0 ? -1 : 0;
}

// the point of a triangle that is nearest to a point at `p` relative to its first corner; `away` is
// the height of the point above the plane
template <class S>
CORTEN_FN Vec3<S> nearest_on_triangle(const Triangle<S>& t, const Vec3<S>& p, const Vec3<S>& n,
                                      const S& away) {
  const Vec3<S> A = t.corner[1] - t.corner[0], B = t.corner[2] - t.corner[0];
  const Vec3<S> foot = p - n * away;
  Vec3<S> x = A, y = cross(n, A);
  const S length = normalize(x);
  normalize(y);
  const S o[2] = {S(0), S(0)}, a[2] = {length, S(0)}, b[2] = {x.dot(B), y.dot(B)};
  const S q[2] = {x.dot(foot), y.dot(foot)};
  const int side1 = side_of(q, o, a), side2 = side_of(q, a, b), side3 = side_of(q, b, o);
  if (side1 == side2 && side2 == side3) return foot;
  S at[3][2];
  const S d0 = nearest_on_segment(q, o, a, at[0]), d1 = nearest_on_segment(q, a, b, at[1]),
          d2 = nearest_on_segment(q, b, o, at[2]);
  const bool first = value(d0) < value(d1) && value(d0) < value(d2);
  const int best = first ? 0 : value(d1) < value(d2) ? 1 : 2;
  return x * at[best][0] + y * at[best][1];
}

}  // namespace detail

// one hit at most
template <class S>
CORTEN_FN int sphere_triangle(const Vec3<S>& centre, const S& radius, const Triangle<S>& t,
                              const S& margin, Hit<S>* hits) {
  const auto reach = value(S(margin + radius + t.radius));
  const Vec3<S> p = centre - t.corner[0];
  Vec3<S> n = cross(t.corner[1] - t.corner[0], t.corner[2] - t.corner[0]);
  normalize(n);
  const S away = n.dot(p);
  if (abs(value(away)) > reach) return 0;
  Vec3<S> normal = detail::nearest_on_triangle(t, p, n, away) - p;
  const S dist = normalize(normal);
  if (value(dist) > reach) return 0;
  hits[0].dist = dist - radius - t.radius;
  hits[0].pos = centre + normal * S(radius + hits[0].dist / S(2));
  hits[0].normal = normal;
  hits[0].tangent.setZero();
  return 1;
}

// five hits at most: the ends of the capsule, and the corners of the triangle beside its axis
template <class S>
CORTEN_FN int capsule_triangle(const Shape<S>& capsule, const Triangle<S>& t, const S& margin,
                               Hit<S>* hits) {
  const S radius = capsule.size[0], half = capsule.size[1];
  const Vec3<S> low = capsule.pos - capsule.axis(2) * half;
  const Vec3<S> high = capsule.pos + capsule.axis(2) * half;
  int count = sphere_triangle(low, radius, t, margin, hits);
  count += sphere_triangle(high, radius, t, margin, hits + count);
  const Vec3<S> axis = high - low;
  for (int i = 0; i < 3; ++i) {
    const S share = axis.dot(t.corner[i] - low) / (S(4) * half * half);
    if (value(share) <= value_t<S>(min_value) || value(share) >= value_t<S>(1 - min_value))
      continue;
    const Vec3<S> nearest = low + axis * share;
    Vec3<S> normal = t.corner[i] - nearest;
    const S dist = normalize(normal);
    if (value(dist) > value(S(radius + t.radius + margin))) continue;
    Hit<S>& hit = hits[count++];
    hit.dist = dist - radius - t.radius;
    hit.normal = normal;
    hit.pos = (nearest + t.corner[i] + normal * S(radius - t.radius)) * S(0.5);
    hit.tangent.setZero();
  }
  return count;
}

// eleven hits at most: corners of the triangle in or near the box, and corners of the box near the
// triangle
template <class S>
CORTEN_FN int box_triangle(const Shape<S>& box, const Triangle<S>& t, const S& margin,
                           Hit<S>* hits) {
  int count = 0;
  for (int i = 0; i < 3; ++i) {
    const Vec3<S> local = box.to_local(t.corner[i]);
    S most = abs(local[0]) - box.size[0];
    int axis = 0;
    for (int k = 1; k < 3; ++k) {
      const S outside = abs(local[k]) - box.size[k];
      if (value(outside) > value(most)) most = outside, axis = k;
    }
    // outside along the axis where it is most outside means outside
    if (value(S(most - t.radius)) > value(margin)) continue;
    Vec3<S> face = Vec3<S>::Zero();
    face[axis] = S(value(local[axis]) > 0 ? 1 : -1);
    Hit<S>& hit = hits[count++];
    hit.normal = box.turn(face);
    hit.dist = most - t.radius;
    hit.pos = t.corner[i] - hit.normal * S(t.radius + hit.dist * S(0.5));
    hit.tangent.setZero();
  }
  for (int i = 0; i < 8; ++i) {
    Vec3<S> corner;
    for (int k = 0; k < 3; ++k) corner[k] = (i >> k & 1) != 0 ? box.size[k] : S(-box.size[k]);
    count += sphere_triangle(box.to_world(corner), S(0), t, margin, hits + count);
  }
  return count;
}

}  // namespace corten
