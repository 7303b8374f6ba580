// SPDX-License-Identifier: Apache-2.0
//
// Rangefinder: what is hit by the ray along the z axis of a site, or by the rays of all pixels of a
// camera, row by row from the top. Each ray reads the numbers that the bits of sensor_intprm ask
// for (RayData): distance (-1: no hit), direction, origin, point, normal, depth along the camera's
// axis. Geoms of the site's or camera's own body are invisible.
#pragma once

#include <corten/collide/ray.hpp>
#include <corten/sensor/camera.hpp>

namespace corten {

namespace detail {

template <class S>
struct Ray {
  Vec3<S> origin, direction;
};

// the ray of a pixel; its direction is a unit vector
template <class M, class D, class T>
CORTEN_FN auto pixel_ray(const M& m, const D& d, int camera, const Intrinsics<T>& k, int column,
                         int row) {
  using S = typename D::Scalar;
  const Vec3<S> pos = vec3<S>(d.cam_xpos, camera);
  const Mat3<S> mat = mat3<S>(d.cam_xmat, camera);
  const S x = (S(column + 0.5) - S(k.cx)) / S(k.fx), y = (S(k.cy) - S(row + 0.5)) / S(k.fy);
  if (static_cast<Projection>(m.cam_projection[camera]) == Projection::perspective) {
    Vec3<S> direction = mat * Vec3<S>(x, y, S(-1));
    normalize(direction);
    return Ray<S>{pos, direction};
  }
  const S half = S(k.extent) / S(2);
  return Ray<S>{pos + mat * Vec3<S>(x * half, y * half, S(0)), -mat.col(2)};
}

}  // namespace detail

struct Rangefinder : SensorTraits<SensorType::rangefinder> {
  static constexpr bool by_world = true;

  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M& m, const D& d, int i, const O& out) {
    using S = typename D::Scalar;
    const int id = m.sensor_objid[i], bits = m.sensor_intprm[3 * i];
    // the ray of a site is that of a camera with a single pixel, except for its depth
    const bool site = static_cast<ObjectType>(m.sensor_objtype[i]) == ObjectType::site;
    const int rows = site ? 1 : m.cam_resolution[2 * id + 1];
    const int columns = site ? 1 : m.cam_resolution[2 * id];
    RayFilter filter;
    filter.exclude_body = site ? m.site_bodyid[id] : m.cam_bodyid[id];
    int at = 0;
    for (int row = 0; row < rows; ++row) {
      for (int column = 0; column < columns; ++column) {
        detail::Ray<S> ray;
        if (site) {
          const auto frame = detail::sensor_object(m, d, i);
          ray = {frame.pos, frame.mat.col(2)};
        } else {
          ray = detail::pixel_ray(m, d, id, camera_intrinsics(m, id), column, row);
        }
        const auto hit = cast_ray(m, d, ray.origin, ray.direction, filter);
        S depth = hit.dist;
        if (!site) {
          const Vec3<S> pos = vec3<S>(d.cam_xpos, id), axis = mat3<S>(d.cam_xmat, id).col(2);
          depth = -axis.dot(Vec3<S>(ray.origin + ray.direction * hit.dist - pos));
        }
        at += report(bits, ray, hit, depth, out.from(at));
      }
    }
  }

 private:
  // the numbers of one ray; returns how many
  template <class S, class O>
  CORTEN_FN static int report(int bits, const detail::Ray<S>& ray, const RayHit<S>& hit,
                              const S& depth, const O& out) {
    const bool met = hit.geom >= 0;
    int at = 0;
    const auto wanted = [&](RayData data) { return (bits >> static_cast<int>(data) & 1) != 0; };
    const auto vector = [&](RayData data, const Vec3<S>& v) {
      if (!wanted(data)) return;
      store(out.from(at), 0, v);
      at += 3;
    };
    const Vec3<S> none = Vec3<S>::Zero();
    if (wanted(RayData::dist)) out[at++] = hit.dist;
    vector(RayData::dir, met ? ray.direction : none);
    vector(RayData::origin, ray.origin);
    vector(RayData::point, met ? ray.origin + ray.direction * hit.dist : none);
    vector(RayData::normal, hit.normal);
    if (wanted(RayData::depth)) out[at++] = met ? depth : S(-1);
    return at;
  }
};

}  // namespace corten
