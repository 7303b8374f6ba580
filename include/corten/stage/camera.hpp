// SPDX-License-Identifier: Apache-2.0
//
// Cameras and lights in the world: fixed to their body, following its position or its subtree's
// centre of mass with the orientation they had at qpos0, or looking at another body. A camera looks
// along its -z axis, and y is up. Writes cam_x* light_x*; needs kinematics and com.
#pragma once

#include <corten/core/enums.hpp>
#include <corten/core/plain.hpp>
#include <corten/math/vector.hpp>
#include <corten/stage/kinematics.hpp>

namespace corten {

// Camera i as if it were fixed to its body.
template <class M, class D>
CORTEN_FN void place_camera(const M& m, const D& d, int i) {
  detail::local_to_world(m, d, m.cam_bodyid[i], static_cast<int>(SameFrame::none), m.cam_pos,
                         m.cam_quat, d.cam_xpos, d.cam_xmat, i);
}

// Light i as if it were fixed to its body.
template <class M, class D>
CORTEN_FN void place_light(const M& m, const D& d, int i) {
  using S = typename D::Scalar;
  const int body = m.light_bodyid[i];
  Vec3<S> dir = rotate(quat<S>(d.xquat, body), vec3<S>(m.light_dir, i));
  normalize(dir);
  store(d.light_xpos, i, vec3<S>(d.xpos, body) + mat3<S>(d.xmat, body) * vec3<S>(m.light_pos, i));
  store(d.light_xdir, i, dir);
}

namespace detail {

inline constexpr bool tracks(TrackMode mode) {
  return mode == TrackMode::track || mode == TrackMode::trackcom;
}
inline constexpr bool targets(TrackMode mode) {
  return mode == TrackMode::targetbody || mode == TrackMode::targetbodycom;
}

// the point of a body that a camera or light follows or looks at
template <class M, class D>
CORTEN_FN auto tracked_point(const M&, const D& d, TrackMode mode, int body) {
  using S = typename D::Scalar;
  const bool com = mode == TrackMode::trackcom || mode == TrackMode::targetbodycom;
  return com ? vec3<S>(d.subtree_com, body) : vec3<S>(d.xpos, body);
}

// the frame whose z axis is along `z` and whose x axis is horizontal
template <class S>
CORTEN_FN Mat3<S> level_frame(Vec3<S> z) {
  normalize(z);
  Vec3<S> x = cross(Vec3<S>(S(0), S(0), S(1)), z);
  normalize(x);
  Vec3<S> y = cross(z, x);
  normalize(y);
  return Mat3<S>::from_columns(x, y, z);
}

template <class M, class D>
CORTEN_FN void follow_camera(const M& m, const D& d, int i) {
  using S = typename D::Scalar;
  const auto mode = static_cast<TrackMode>(m.cam_mode[i]);
  const int body = m.cam_bodyid[i], target = m.cam_targetbodyid[i];
  if (tracks(mode)) {
    const Vec3<S> offset =
        mode == TrackMode::track ? vec3<S>(m.cam_pos0, i) : vec3<S>(m.cam_poscom0, i);
    store(d.cam_xpos, i, tracked_point(m, d, mode, body) + offset);
    store(d.cam_xmat, i, mat3<S>(m.cam_mat0, i));
  } else if (targets(mode) && target >= 0) {
    const Vec3<S> away = vec3<S>(d.cam_xpos, i) - tracked_point(m, d, mode, target);
    store(d.cam_xmat, i, level_frame(away));
  }
}

template <class M, class D>
CORTEN_FN void follow_light(const M& m, const D& d, int i) {
  using S = typename D::Scalar;
  const auto mode = static_cast<TrackMode>(m.light_mode[i]);
  const int body = m.light_bodyid[i], target = m.light_targetbodyid[i];
  if (tracks(mode)) {
    const Vec3<S> offset =
        mode == TrackMode::track ? vec3<S>(m.light_pos0, i) : vec3<S>(m.light_poscom0, i);
    store(d.light_xpos, i, tracked_point(m, d, mode, body) + offset);
    store(d.light_xdir, i, vec3<S>(m.light_dir0, i));
  } else if (targets(mode) && target >= 0) {
    Vec3<S> dir = tracked_point(m, d, mode, target) - vec3<S>(d.light_xpos, i);
    normalize(dir);
    store(d.light_xdir, i, dir);
  }
}

}  // namespace detail

template <class M, class D>
CORTEN_ENTRY void camera(const M& m, const D& d) {
  for (int i = 0; i < m.n.ncam; ++i) {
    place_camera(m, d, i);
    detail::follow_camera(m, d, i);
  }
  for (int i = 0; i < m.n.nlight; ++i) {
    place_light(m, d, i);
    detail::follow_light(m, d, i);
  }
}
CORTEN_PLAIN(camera)

}  // namespace corten
