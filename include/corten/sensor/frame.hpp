// SPDX-License-Identifier: Apache-2.0
//
// Sensors of frames: where the frame of a body, geom, site or camera is, how it is oriented and how
// it moves, in the world or as seen from another frame (sensor_reftype, sensor_refid).
#pragma once

#include <corten/sensor/common.hpp>

namespace corten {

namespace detail {

// Velocity of the object, (rotation, translation). Seen from a frame that turns with w, a point at
// r from its origin moves with v - v_ref - w × r.
template <class M, class D>
CORTEN_FN auto relative_velocity(const M& m, const D& d, int i) {
  using S = typename D::Scalar;
  const SensedFrame<S> object = sensor_object(m, d, i);
  Vec6<S> v = sensed_velocity(m, d, object);
  if (m.sensor_refid[i] < 0) return v;

  const SensedFrame<S> reference = sensor_reference(m, d, i);
  const Vec6<S> u = sensed_velocity(m, d, reference);
  v -= u;
  const Vec3<S> carried = cross(u.template head<3>(), object.pos - reference.pos);
  return Vec6<S>(reference.mat.transpose() * v.template head<3>(),
                 reference.mat.transpose() * (v.template tail<3>() - carried));
}

}  // namespace detail

struct FramePos : SensorTraits<SensorType::framepos> {
  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M& m, const D& d, int i, const O& out) {
    using S = typename D::Scalar;
    Vec3<S> pos = detail::sensor_object(m, d, i).pos;
    if (m.sensor_refid[i] >= 0) {
      const auto reference = detail::sensor_reference(m, d, i);
      pos = reference.mat.transpose() * (pos - reference.pos);
    }
    store(out, 0, pos);
  }
};

struct FrameQuat : SensorTraits<SensorType::framequat> {
  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M& m, const D& d, int i, const O& out) {
    using S = typename D::Scalar;
    Quat<S> q = detail::sensed_quat(m, d, m.sensor_objtype[i], m.sensor_objid[i]);
    if (m.sensor_refid[i] >= 0) {
      const Quat<S> r = detail::sensed_quat(m, d, m.sensor_reftype[i], m.sensor_refid[i]);
      q = multiply(conjugate(r), q);
    }
    store(out, 0, q);
  }
};

// an axis of the frame
template <SensorType Type, int Axis>
struct FrameAxis : SensorTraits<Type> {
  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M& m, const D& d, int i, const O& out) {
    using S = typename D::Scalar;
    Vec3<S> axis = detail::sensor_object(m, d, i).mat.col(Axis);
    if (m.sensor_refid[i] >= 0) {
      axis = detail::sensor_reference(m, d, i).mat.transpose() * axis;
    }
    store(out, 0, axis);
  }
};

using FrameXAxis = FrameAxis<SensorType::framexaxis, 0>;
using FrameYAxis = FrameAxis<SensorType::frameyaxis, 1>;
using FrameZAxis = FrameAxis<SensorType::framezaxis, 2>;

template <SensorType Type, detail::Half Which>
struct FrameVelocity : SensorTraits<Type> {
  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M& m, const D& d, int i, const O& out) {
    store(out, 0, detail::half<Which>(detail::relative_velocity(m, d, i)));
  }
};

using FrameLinVel = FrameVelocity<SensorType::framelinvel, detail::Half::translation>;
using FrameAngVel = FrameVelocity<SensorType::frameangvel, detail::Half::rotation>;

// in the world, gravity included
template <SensorType Type, detail::Half Which>
struct FrameAcceleration : SensorTraits<Type> {
  static constexpr bool needs_rne_post = true;

  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M& m, const D& d, int i, const O& out) {
    const auto a = detail::sensed_acceleration(m, d, detail::sensor_object(m, d, i));
    store(out, 0, detail::half<Which>(a));
  }
};

using FrameLinAcc = FrameAcceleration<SensorType::framelinacc, detail::Half::translation>;
using FrameAngAcc = FrameAcceleration<SensorType::frameangacc, detail::Half::rotation>;

}  // namespace corten
