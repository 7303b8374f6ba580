// SPDX-License-Identifier: Apache-2.0
//
// What a kind of sensor is, and what several kinds are made of. A kind is a type with
//
//   type, name          its SensorType and its word in MJCF
//   stage               after which part of forward it can be read
//   dim                 how many numbers it gives
//   data                what they are: cutoff clamps real ones on both sides, positive ones above
//   needs_rne_post      does it read cacc or cfrc_*? (rne_post runs only if some sensor does)
//   evaluate(m, d, i, out)   writes the numbers of sensor i to out[0] … out[dim - 1]
#pragma once

#include <corten/core/enums.hpp>
#include <corten/core/field.hpp>
#include <corten/math/quat.hpp>
#include <corten/stage/jacobian.hpp>

#include <concepts>

namespace corten {

template <class K>
concept SensorPolicy = requires {
  { K::type } -> std::convertible_to<SensorType>;
  { K::name } -> std::convertible_to<const char*>;
  { K::stage } -> std::convertible_to<Stage>;
  { K::dim } -> std::convertible_to<int>;
  { K::data } -> std::convertible_to<SensorData>;
  { K::needs_rne_post } -> std::convertible_to<bool>;
};

// the constants of a kind; the kind derives from this and adds name and evaluate
template <SensorType Type, Stage When, int Dim, SensorData Data = SensorData::real>
struct SensorTraits {
  static constexpr SensorType type = Type;
  static constexpr Stage stage = When;
  static constexpr int dim = Dim;
  static constexpr SensorData data = Data;
  static constexpr bool needs_rne_post = false;
};

namespace detail {

// a frame that sensors can be attached to or read in, and the body that carries it
template <class S>
struct SensedFrame {
  Vec3<S> pos;
  Mat3<S> mat;
  int body;
};

// body is the inertial frame, xbody the frame of the body itself
template <class M, class D>
CORTEN_FN auto sensed_frame(const M& m, const D& d, int object, int id) {
  using S = typename D::Scalar;
  const auto type = static_cast<ObjectType>(object);
  if (type == ObjectType::site) {
    return SensedFrame<S>{vec3<S>(d.site_xpos, id), mat3<S>(d.site_xmat, id), m.site_bodyid[id]};
  }
  if (type == ObjectType::geom) {
    return SensedFrame<S>{vec3<S>(d.geom_xpos, id), mat3<S>(d.geom_xmat, id), m.geom_bodyid[id]};
  }
  if (type == ObjectType::body) {
    return SensedFrame<S>{vec3<S>(d.xipos, id), mat3<S>(d.ximat, id), id};
  }
  return SensedFrame<S>{vec3<S>(d.xpos, id), mat3<S>(d.xmat, id), id};
}

// its orientation as a quaternion: that of the body times the local one
template <class M, class D>
CORTEN_FN auto sensed_quat(const M& m, const D& d, int object, int id) {
  using S = typename D::Scalar;
  const auto type = static_cast<ObjectType>(object);
  if (type == ObjectType::site) {
    return multiply(quat<S>(d.xquat, m.site_bodyid[id]), quat<S>(m.site_quat, id));
  }
  if (type == ObjectType::geom) {
    return multiply(quat<S>(d.xquat, m.geom_bodyid[id]), quat<S>(m.geom_quat, id));
  }
  if (type == ObjectType::body) {
    return multiply(quat<S>(d.xquat, id), quat<S>(m.body_iquat, id));
  }
  return quat<S>(d.xquat, id);
}

// its velocity (rotation, translation) in world axes
template <class M, class D, class S>
CORTEN_FN Vec6<S> sensed_velocity(const M& m, const D& d, const SensedFrame<S>& frame) {
  return point_velocity(m, d, frame.body, frame.pos);
}

}  // namespace detail

}  // namespace corten
