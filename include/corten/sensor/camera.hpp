// SPDX-License-Identifier: Apache-2.0
//
// How cameras project, and the sensor that reads where a camera sees a site.
#pragma once

#include <corten/sensor/common.hpp>

namespace corten {

// Focal lengths and principal point in pixels. For an orthographic camera they are half of the
// image in pixels, and `extent` is the height of what it sees.
template <class T>
struct Intrinsics {
  T fx, fy, cx, cy, extent;
};

namespace detail {

// the intrinsics of a camera as if it were a perspective one
template <class M>
CORTEN_FN auto perspective(const M& m, int camera) {
  using T = typename M::Scalar;
  const T width = T(m.cam_resolution[2 * camera]), height = T(m.cam_resolution[2 * camera + 1]);
  const T size0 = m.cam_sensorsize[2 * camera], size1 = m.cam_sensorsize[2 * camera + 1];
  if (value(size0) != 0 && value(size1) != 0) {
    const auto f = m.cam_intrinsic.from(4 * camera);
    return Intrinsics<T>{f[0] / size0 * width, f[1] / size1 * height, f[2] / size0 * width,
                         f[3] / size1 * height, T(0)};
  }
  const T half_angle = m.cam_fovy[camera] * T(3.14159265358979323846 / 360);
  const T focal = T(0.5) / tan(half_angle) * height;
  return Intrinsics<T>{focal, focal, width / T(2), height / T(2), T(0)};
}

}  // namespace detail

// in the scalar of the model
template <class M>
CORTEN_FN auto camera_intrinsics(const M& m, int camera) {
  using T = typename M::Scalar;
  if (static_cast<Projection>(m.cam_projection[camera]) == Projection::perspective) {
    return detail::perspective(m, camera);
  }
  const T half0 = T(m.cam_resolution[2 * camera]) / T(2);
  const T half1 = T(m.cam_resolution[2 * camera + 1]) / T(2);
  return Intrinsics<T>{half0, half1, half0, half1, m.cam_fovy[camera]};
}

// In pixels from the top left corner of the image. As in MuJoCo the principal point is taken to be
// the middle of the image, and every camera to be a perspective one.
struct CamProjection : SensorTraits<SensorType::camprojection> {
  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M& m, const D& d, int i, const O& out) {
    using S = typename D::Scalar;
    const int camera = m.sensor_refid[i];
    const auto k = detail::perspective(m, camera);
    const Vec3<S> away = detail::sensor_object(m, d, i).pos - vec3<S>(d.cam_xpos, camera);
    const Vec3<S> p = mat3<S>(d.cam_xmat, camera).transpose() * away;
    // a site in the plane of the camera is seen nowhere: any large number will do
    const S small = select(p[2] < S(0), S(-min_value), S(min_value));
    const S depth = select(abs(p[2]) < S(min_value), small, p[2]);
    out[0] = S(0.5 * m.cam_resolution[2 * camera]) - S(k.fx) * (p[0] / depth);
    out[1] = S(0.5 * m.cam_resolution[2 * camera + 1]) + S(k.fy) * (p[1] / depth);
  }
};

}  // namespace corten
