// SPDX-License-Identifier: Apache-2.0
//
// What a sensor kind is, and what several kinds share. A kind is a type with
//
//   type, name          its SensorType and its word in MJCF
//   stage               after which part of forward it can be read
//                       (none: the model says, in sensor_needstage)
//   dim                 how many numbers it reads (0: the model says, in sensor_dim)
//   data                what they are: cutoff clamps real ones on both sides, positive ones above
//   has_cutoff          is it clamped at all?
//   needs_rne_post      does it read cacc or cfrc_*? (rne_post runs only if some sensor does)
//   needs_subtree_velocity   does it read subtree_linvel or subtree_angmom? (likewise)
//   by_world            does it branch on numbers, or read contacts or rows? In lanes such a sensor
//                       is read world by world
//   evaluate(m, d, i, out)   writes the numbers of sensor i to out[0] … out[dim - 1]
//
// SensorTraits has all of them except evaluate.
#pragma once

#include <corten/core/policy.hpp>
#include <corten/core/sensors.hpp>
#include <corten/math/field.hpp>
#include <corten/math/quat.hpp>
#include <corten/tree/jacobian.hpp>

#include <concepts>

namespace corten {

// what a kind must have
namespace sensor_policy {

CORTEN_POLICY_NAMES(evaluate)

CORTEN_POLICY_CONSTANT("sensor", "sensor/common.hpp", SensorType, type)
CORTEN_POLICY_CONSTANT("sensor", "sensor/common.hpp", const char*, name)
CORTEN_POLICY_CONSTANT("sensor", "sensor/common.hpp", Stage, stage)
CORTEN_POLICY_CONSTANT("sensor", "sensor/common.hpp", int, dim)
CORTEN_POLICY_CONSTANT("sensor", "sensor/common.hpp", SensorData, data)
CORTEN_POLICY_CONSTANT("sensor", "sensor/common.hpp", bool, has_cutoff)
CORTEN_POLICY_CONSTANT("sensor", "sensor/common.hpp", bool, needs_rne_post)
CORTEN_POLICY_CONSTANT("sensor", "sensor/common.hpp", bool, needs_subtree_velocity)
CORTEN_POLICY_CONSTANT("sensor", "sensor/common.hpp", bool, by_world)
CORTEN_POLICY_FUNCTION("sensor", "sensor/common.hpp", evaluate, "(m, d, i, out)")
CORTEN_POLICY_NUMBER("sensor", "sensor/common.hpp", type)

struct Rules : detail::Rules<type, name, stage, dim, data, has_cutoff, needs_rne_post,
                             needs_subtree_velocity, by_world, evaluate> {};

}  // namespace sensor_policy

template <class K>
concept SensorPolicy = sensor_policy::Rules::obeyed<K>;

// The constants of a kind, those of its row in core/sensors.hpp. The kind derives from this and
// adds evaluate.
template <SensorType Type, Stage When = sensor_row(Type).stage, int Dim = sensor_row(Type).dim,
          SensorData Data = sensor_row(Type).data>
struct SensorTraits {
  static constexpr SensorType type = Type;
  static constexpr const char* name = sensor_row(Type).name;
  static constexpr Stage stage = When;
  static constexpr int dim = Dim;
  static constexpr SensorData data = Data;
  static constexpr bool has_cutoff = true;
  static constexpr bool needs_rne_post = false;
  static constexpr bool needs_subtree_velocity = false;
  static constexpr bool by_world = When == Stage::acceleration;
};

namespace detail {

// half of a spatial vector, which is (rotation, translation) or (torque, force)
enum class Half { rotation, translation };

template <Half Which, class S>
CORTEN_FN Vec3<S> half(const Vec6<S>& v) {
  if constexpr (Which == Half::rotation) {
    return v.template head<3>();
  } else {
    return v.template tail<3>();
  }
}

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
  if (type == ObjectType::camera) {
    return SensedFrame<S>{vec3<S>(d.cam_xpos, id), mat3<S>(d.cam_xmat, id), m.cam_bodyid[id]};
  }
  return SensedFrame<S>{vec3<S>(d.xpos, id), mat3<S>(d.xmat, id), id};
}

// Its orientation as a quaternion: that of the body times the local one. As in MuJoCo this holds
// even for a camera that tracks or looks at a body, although its matrix is another.
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
  if (type == ObjectType::camera) {
    return multiply(quat<S>(d.xquat, m.cam_bodyid[id]), quat<S>(m.cam_quat, id));
  }
  return quat<S>(d.xquat, id);
}

// its velocity (rotation, translation) in world axes
template <class M, class D, class S>
CORTEN_FN Vec6<S> sensed_velocity(const M& m, const D& d, const SensedFrame<S>& frame) {
  return point_velocity(m, d, frame.body, frame.pos);
}

// Its acceleration (rotation, translation) in world axes, gravity included: at rest it is +g
// upwards. The spatial acceleration of a body (cacc) is the rate of a velocity field at a point
// fixed in space; the frame moves through that field, which adds w × v. On a body that cannot move
// it is zero, as in MuJoCo.
template <class M, class D, class S>
CORTEN_FN Vec6<S> sensed_acceleration(const M& m, const D& d, const SensedFrame<S>& frame) {
  if (m.body_dofnum[m.body_weldid[frame.body]] == 0) return Vec6<S>::Zero();
  const Vec6<S> v = sensed_velocity(m, d, frame);
  const Vec6<S> a = vec6<S>(d.cacc, frame.body);
  const Vec3<S> turn = v.template head<3>(), shift = v.template tail<3>();
  const Vec3<S> offset = frame.pos - vec3<S>(d.subtree_com, m.body_rootid[frame.body]);
  const Vec3<S> spin = a.template head<3>();
  return Vec6<S>(spin, a.template tail<3>() + (cross(spin, offset) + cross(turn, shift)));
}

// the frames of the object and of the reference of sensor i
template <class M, class D>
CORTEN_FN auto sensor_object(const M& m, const D& d, int i) {
  return sensed_frame(m, d, m.sensor_objtype[i], m.sensor_objid[i]);
}
template <class M, class D>
CORTEN_FN auto sensor_reference(const M& m, const D& d, int i) {
  return sensed_frame(m, d, m.sensor_reftype[i], m.sensor_refid[i]);
}

}  // namespace detail

}  // namespace corten
