// SPDX-License-Identifier: Apache-2.0
//
// Ray casting: which geom of a model a ray from a point hits first.
//
//   RayHit<double> hit = cast_ray(m, d, point, direction, {.exclude_body = 3});
//   if (hit.geom >= 0) …  point + hit.dist * direction, hit.normal
//
// Needs kinematics. The direction need not have unit length: the distance is in multiples of it.
// Fully transparent geoms are invisible. Values decide which geom is hit; distance and normal carry
// derivatives.
#pragma once

#include <corten/core/enums.hpp>
#include <corten/geom/geoms.hpp>
#include <corten/math/field.hpp>
#include <corten/math/vector.hpp>

namespace corten {

// which geoms a ray can hit
struct RayFilter {
  unsigned groups = ~0u;  // bit k: geoms of group k; groups below 0 count as 0, above 5 as 5
  bool fixed = true;      // also geoms that are fixed to the world
  int exclude_body = -1;  // geoms of this body are invisible
};

template <class S>
struct RayHit {
  S dist = S(-1);  // -1: no hit
  int geom = -1;
  Vec3<S> normal = Vec3<S>::Zero();  // outwards
};

namespace detail {

// the plain numbers of item i of a field
template <class T, int W, class S, class L>
CORTEN_FN Vec<T, W> plain(const Field<S, L>& f, int i) {
  Vec<T, W> out;
  for (int k = 0; k < W; ++k) out[k] = static_cast<T>(value(f[W * i + k]));
  return out;
}

// item i of a field in T: its plain numbers if T carries no derivatives
template <class T, int W, class S, class L>
CORTEN_FN Vec<T, W> numbers(const Field<S, L>& f, int i) {
  if constexpr (is_dual<T>) {
    return vec<T, W>(f, i);
  } else {
    return plain<T, W>(f, i);
  }
}

// calls f(kind) for a geom type, a kind of the policies or else one of the library's own
template <class M, class F>
CORTEN_FN void with_geom_kind(const M&, int type, F&& f) {
  if (!M::Policies::Geoms::visit(type, f)) DefaultGeoms::visit(type, f);
}

template <class M>
CORTEN_FN bool ray_sees(const M& m, int g, const RayFilter& filter) {
  const int body = m.geom_bodyid[g], material = m.geom_matid[g];
  if (body == filter.exclude_body) return false;
  const auto alpha =
      material < 0 ? value(m.geom_rgba[4 * g + 3]) : value(m.mat_rgba[4 * material + 3]);
  if (alpha == 0 || (!filter.fixed && m.body_weldid[body] == 0)) return false;
  const int group = m.geom_group[g] < 0 ? 0 : (m.geom_group[g] > 5 ? 5 : m.geom_group[g]);
  return (filter.groups >> group & 1u) != 0;
}

// A ray in the frame of a geom, and that geom, in the scalar T.
template <class T>
struct LocalRay {
  Vec3<T> point, direction, size;
  Vec<T, 9> mat;  // row-major, geom to world

  template <class M, class D>
  CORTEN_FN LocalRay(const M& m, const D& d, int g, const Vec3<T>& from, const Vec3<T>& along)
      : size(numbers<T, 3>(m.geom_size, g)), mat(numbers<T, 9>(d.geom_xmat, g)) {
    const Vec3<T> away = from - numbers<T, 3>(d.geom_xpos, g);
    for (int k = 0; k < 3; ++k) {
      point[k] = mat[k] * away[0] + mat[3 + k] * away[1] + mat[6 + k] * away[2];
      direction[k] = mat[k] * along[0] + mat[3 + k] * along[1] + mat[6 + k] * along[2];
    }
  }

  CORTEN_FN Vec3<T> to_world(const Vec3<T>& v) const {
    Vec3<T> out;
    for (int k = 0; k < 3; ++k) {
      out[k] = mat[3 * k] * v[0] + mat[3 * k + 1] * v[1] + mat[3 * k + 2] * v[2];
    }
    return out;
  }
};

}  // namespace detail

// The distance along a ray to geom g, or -1 if it misses; the normal there, if `normal` is given.
// Ignores filters.
template <class T, class M, class D>
CORTEN_FN T ray_geom(const M& m, const D& d, int g, const Vec3<T>& point, const Vec3<T>& direction,
                     Vec3<T>* normal = nullptr) {
  const detail::LocalRay<T> ray(m, d, g, point, direction);
  T t = T(-1);
  detail::with_geom_kind(m, m.geom_type[g], [&](auto kind) {
    if constexpr (requires { kind.ray_in(m, g, ray.point, ray.direction, normal); }) {
      t = kind.ray_in(m, g, ray.point, ray.direction, normal);
      if (normal != nullptr && value(t) >= 0) *normal = ray.to_world(*normal);
    } else if constexpr (requires { kind.ray(ray.size, ray.point, ray.direction); }) {
      t = kind.ray(ray.size, ray.point, ray.direction);
      if (normal == nullptr || value(t) < 0) return;
      if constexpr (requires { kind.surface_normal(ray.size, ray.point); }) {
        *normal = ray.to_world(kind.surface_normal(ray.size, ray.point + ray.direction * t));
      }
    }
  });
  return t;
}

template <class M, class D>
CORTEN_FN auto cast_ray(const M& m, const D& d, const Vec3<typename D::Scalar>& point,
                        const Vec3<typename D::Scalar>& direction, const RayFilter& filter = {}) {
  using S = typename D::Scalar;
  using V = value_t<S>;
  RayHit<S> hit;
  Vec3<V> from, along;
  for (int k = 0; k < 3; ++k) {
    from[k] = value(point[k]);
    along[k] = value(direction[k]);
  }
  V nearest(-1);
  for (int g = 0; g < m.n.ngeom; ++g) {
    if (!detail::ray_sees(m, g, filter)) continue;
    const V t = ray_geom<V>(m, d, g, from, along);
    if (t < 0 || (hit.geom >= 0 && t >= nearest)) continue;
    nearest = t;
    hit.geom = g;
  }
  if (hit.geom >= 0) hit.dist = ray_geom<S>(m, d, hit.geom, point, direction, &hit.normal);
  return hit;
}

}  // namespace corten
