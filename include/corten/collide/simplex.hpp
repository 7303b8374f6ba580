// SPDX-License-Identifier: Apache-2.0
//
// The point of a simplex that is nearest to the origin, as weights of its corners: the signed
// volumes method of Montanari, Petrinic and Barbieri, "Improving the GJK Algorithm for Faster and
// More Reliable Distance Queries Between Convex Objects" (ACM TOG 36(3), 2017). Weights of corners
// that do not take part are exactly zero. Terms are summed in MuJoCo's order, because in symmetric
// poses the corners that stay depend on whether a zero is exact.
#pragma once

#include <corten/collide/shape.hpp>

#include <limits>

namespace corten::detail {

// both positive or both negative
template <class V>
CORTEN_FN bool same_sign(V a, V b) {
  return (a > 0 && b > 0) || (a < 0 && b < 0);
}

// a · (b × c)
template <class V>
CORTEN_FN V determinant(const Vec3<V>& a, const Vec3<V>& b, const Vec3<V>& c) {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
         a[2] * (b[0] * c[1] - b[1] * c[0]);
}

// The projection of the origin onto the plane through p with normal n. Returns 1, or -1 if the
// normal vanishes, or 0 if another should be tried.
template <class V>
CORTEN_FN int project_by_normal(const Vec3<V>& n, const Vec3<V>& p, bool last, Vec3<V>& out) {
  const V nv = n.dot(p), nn = n.dot(n);
  if (nn == 0) return -1;
  if (!last && !(nv != 0 && nn > V(min_value))) return 0;
  out = n * (nv / nn);
  return 1;
}

// by the normals at a and c
template <class V>
[[gnu::noinline]] CORTEN_FN bool project_by_others(const Vec3<V>& a, const Vec3<V>& b,
                                                   const Vec3<V>& c, Vec3<V>& out) {
  const Vec3<V> ab = b - a, ac = c - a, bc = c - b;
  int found = project_by_normal<V>(cross(ab, ac), a, false, out);
  if (found == 0) found = project_by_normal<V>(cross(ac, bc), c, true, out);
  return found > 0;
}

// The projection of the origin onto the plane of a, b, c; false if they are collinear. Normals from
// different corners differ by rounding; the first usable one is taken, nearly always that of b.
template <class V>
[[gnu::always_inline]] CORTEN_FN bool project_on_plane(const Vec3<V>& a, const Vec3<V>& b,
                                                       const Vec3<V>& c, Vec3<V>& out) {
  const Vec3<V> ab = b - a, bc = c - b;
  const int found = project_by_normal<V>(cross(bc, ab), b, false, out);
  return found == 0 ? project_by_others(a, b, c, out) : found > 0;
}

// A triangle projected along the coordinate axis that leaves the largest area.
template <class V>
struct TriangleView {
  int x = 0, y = 1;  // the coordinates that are left
  V area = V(0);     // twice the signed area

  CORTEN_FN TriangleView(const Vec3<V>& a, const Vec3<V>& b, const Vec3<V>& c) {
    const V yz = minor(a, b, c, 1, 2), xz = minor(a, b, c, 0, 2), xy = minor(a, b, c, 0, 1);
    if (abs(yz) >= abs(xz) && abs(yz) >= abs(xy)) {
      x = 1, y = 2, area = yz;
    } else if (abs(xz) >= abs(xy)) {
      x = 0, y = 2, area = xz;
    } else {
      x = 0, y = 1, area = xy;
    }
  }

  // twice the signed area of p, b, c in this view
  CORTEN_FN V area_with(const Vec3<V>& p, const Vec3<V>& b, const Vec3<V>& c) const {
    return p[x] * b[y] + p[y] * c[x] + b[x] * c[y] - p[x] * c[y] - p[y] * b[x] - c[x] * b[y];
  }

 private:
  CORTEN_FN static V minor(const Vec3<V>& a, const Vec3<V>& b, const Vec3<V>& c, int i, int j) {
    return b[i] * c[j] - b[j] * c[i] - a[i] * c[j] + a[j] * c[i] + a[i] * b[j] - a[j] * b[i];
  }
};

// affine coordinates of p, a point of the plane of a, b, c
template <class V>
CORTEN_FN Vec3<V> affine_coordinates(const Vec3<V>& a, const Vec3<V>& b, const Vec3<V>& c,
                                     const Vec3<V>& p) {
  const TriangleView<V> view(a, b, c);
  return {view.area_with(p, b, c) / view.area, view.area_with(p, c, a) / view.area,
          view.area_with(p, a, b) / view.area};
}

// weights of the point of a segment nearest to the origin
template <class V>
CORTEN_FN void segment_weights(const Vec3<V>& a, const Vec3<V>& b, V* out) {
  const Vec3<V> ab = b - a;
  const Vec3<V> p = b + ab * (-(b.dot(ab) / ab.dot(ab)));
  int k = 0;
  for (int i = 1; i < 3; ++i) {
    if (abs(a[i] - b[i]) >= abs(a[k] - b[k])) k = i;
  }
  const V length = a[k] - b[k], from_b = p[k] - b[k], from_a = a[k] - p[k];
  const bool inside = same_sign(length, from_b) && same_sign(length, from_a);
  out[0] = inside ? from_b / length : V(0);
  out[1] = inside ? from_a / length : V(1);
}

// weights of the point of a triangle nearest to the origin
template <class V>
CORTEN_FN void triangle_weights(const Vec3<V>& a, const Vec3<V>& b, const Vec3<V>& c, V* out) {
  Vec3<V> p;
  if (!project_on_plane(a, b, c, p)) {
    segment_weights(a, b, out);
    out[2] = V(0);
    return;
  }
  const TriangleView<V> view(a, b, c);
  const V area[3] = {view.area_with(p, b, c), view.area_with(p, c, a), view.area_with(p, a, b)};
  bool towards[3];
  for (int i = 0; i < 3; ++i) towards[i] = same_sign(view.area, area[i]);
  if (towards[0] && towards[1] && towards[2]) {
    for (int i = 0; i < 3; ++i) out[i] = area[i] / view.area;
    return;
  }
  // outside: the nearest of the edges that the projection is beyond
  const Vec3<V>* corner[3] = {&a, &b, &c};
  V best = std::numeric_limits<V>::max();
  for (int i = 0; i < 3; ++i) {
    if (towards[i]) continue;
    const int j = i == 0 ? 1 : 0, k = i == 2 ? 1 : 2;
    V w[2];
    segment_weights(*corner[j], *corner[k], w);
    const Vec3<V> x = *corner[j] * w[0] + *corner[k] * w[1];
    const V dist2 = x.dot(x);
    if (dist2 >= best) continue;
    best = dist2;
    out[i] = V(0);
    out[j] = w[0];
    out[k] = w[1];
  }
}

// weights of the point of a tetrahedron nearest to the origin
template <class V>
CORTEN_FN void tetrahedron_weights(const Vec3<V>* s, V* out) {
  const V volume[4] = {-determinant(s[1], s[2], s[3]), determinant(s[0], s[2], s[3]),
                       -determinant(s[0], s[1], s[3]), determinant(s[0], s[1], s[2])};
  const V total = volume[0] + volume[1] + volume[2] + volume[3];
  bool towards[4], inside = true;
  for (int i = 0; i < 4; ++i) {
    towards[i] = same_sign(total, volume[i]);
    inside = inside && towards[i];
  }
  if (inside) {
    for (int i = 0; i < 4; ++i) out[i] = volume[i] / total;
    return;
  }
  V best = std::numeric_limits<V>::max();
  for (int i = 0; i < 4; ++i) {
    if (towards[i]) continue;
    const int j = i == 0 ? 1 : 0, k = i <= 1 ? 2 : 1, l = i == 3 ? 2 : 3;
    V w[3];
    triangle_weights(s[j], s[k], s[l], w);
    const Vec3<V> x = s[j] * w[0] + s[k] * w[1] + s[l] * w[2];
    const V dist2 = x.dot(x);
    if (dist2 >= best) continue;
    best = dist2;
    out[i] = V(0);
    out[j] = w[0];
    out[k] = w[1];
    out[l] = w[2];
  }
}

// weights of the point of a simplex with n corners nearest to the origin; the rest are zero
template <class V>
CORTEN_FN void simplex_weights(const Vec3<V>* s, int n, V* out) {
  for (int i = 0; i < 4; ++i) out[i] = V(0);
  switch (n) {
    case 4: tetrahedron_weights(s, out); break;
    case 3: triangle_weights(s[0], s[1], s[2], out); break;
    case 2: segment_weights(s[0], s[1], out); break;
    default: out[0] = V(1);
  }
}

}  // namespace corten::detail
