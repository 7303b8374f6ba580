// SPDX-License-Identifier: Apache-2.0
//
// Velocities and accelerations of bodies, geoms, sites and cameras, forces on bodies, and
// differences and steps of configurations. Functions that take spans return bad_argument if one has
// the wrong size.
#pragma once

#include <corten/integrate/advance.hpp>
#include <corten/query/views.hpp>
#include <corten/sensor/common.hpp>
#include <corten/stage/rne_post.hpp>

namespace corten {

namespace detail {

// transforms (rotation, translation) from world axes to those of a frame
template <class S>
CORTEN_FN Vec6<S> in_axes(const Mat3<S>& axes, const Vec6<S>& v) {
  return Vec6<S>(axes.transpose() * v.template head<3>(), axes.transpose() * v.template tail<3>());
}

// an error if the data belongs to another model or there is no such object with a frame
template <class SM, class S>
Result<void> check_object(const Model<SM>& model, const Data<S>& data, ObjectType type, int id) {
  const FramedObjects those = framed_objects(model.n, type);
  return check_id(model, data, those.word, id, those.count);
}

}  // namespace detail

// ---- on views -----------------------------------------------------------------------------------

// Velocity (rotation, translation) of an object, in world axes or with `local` in its own. The
// object is a body (its centre of mass and principal axes), xbody (the frame of the body), geom,
// site or camera. Call it after forward_velocity.
template <class M, class D>
CORTEN_FN auto object_velocity(const M& m, const D& d, ObjectType type, int id,
                               bool local = false) {
  const auto frame = detail::sensed_frame(m, d, static_cast<int>(type), id);
  const auto v = point_velocity(m, d, frame.body, frame.pos);
  return local ? detail::in_axes(frame.mat, v) : v;
}

// Acceleration (rotation, translation) of an object, gravity included: at rest it is +g upwards. It
// is zero for a body that cannot move. Call it after forward and rne_post.
template <class M, class D>
CORTEN_FN auto object_acceleration(const M& m, const D& d, ObjectType type, int id,
                                   bool local = false) {
  const auto frame = detail::sensed_frame(m, d, static_cast<int>(type), id);
  const auto a = detail::sensed_acceleration(m, d, frame);
  return local ? detail::in_axes(frame.mat, a) : a;
}

// ---- on a Model and a Data ----------------------------------------------------------------------

template <class SM, class S>
Result<Vec6<S>> object_velocity(const Model<SM>& model, const Data<S>& data, ObjectType type,
                                int id, bool local = false) {
  if (auto known = detail::check_object(model, data, type, id); !known) return known.error();
  return object_velocity(make_ref<DefaultPolicies>(model), data.ref(), type, id, local);
}

// runs rne_post itself, so forward is enough
template <class SM, class S>
Result<Vec6<S>> object_acceleration(const Model<SM>& model, Data<S>& data, ObjectType type, int id,
                                    bool local = false) {
  if (auto known = detail::check_object(model, data, type, id); !known) return known.error();
  const auto m = make_ref<DefaultPolicies>(model);
  rne_post(m, data.ref());
  return object_acceleration(m, data.ref(), type, id, local);
}

// qfrc += J' (force, torque), for a force and torque at a point of a body
template <class SM, class S>
Status apply_ft(const Model<SM>& model, const Data<S>& data, const Vec3<S>& force,
                const Vec3<S>& torque, const Vec3<S>& point, int body, Out<S> qfrc) {
  const Status known = detail::check_id(model, data, body, model.n.nbody);
  if (!known) return known;
  if (!detail::has_size(qfrc, model.n.nv)) return Status{bad_argument};
  apply_force(make_ref<DefaultPolicies>(model), data.ref(), body, point, force, torque,
              detail::field_of(qfrc));
  return {};
}

// qvel = (qpos2 - qpos1) / dt, on the manifold of each joint; bad_argument if dt is 0 or no number
template <class SM, class S>
Status differentiate_pos(const Model<SM>& model, std::span<S> qvel,
                         const std::type_identity_t<S>& dt, In<S> qpos1, In<S> qpos2) {
  const Sizes& n = model.n;
  if (!detail::has_size(qvel, n.nv) || !detail::has_size(qpos1, n.nq) ||
      !detail::has_size(qpos2, n.nq) || detail::is_bad(value(dt)) || value(dt) == 0) {
    return Status{bad_argument};
  }
  differentiate_position(make_ref<DefaultPolicies>(model), detail::field_of(qpos1),
                         detail::field_of(qpos2), dt, detail::field_of(qvel));
  return {};
}

// moves qpos by qvel dt, on the manifold of each joint; bad_argument if dt is no number
template <class SM, class S>
Status integrate_pos(const Model<SM>& model, std::span<S> qpos, In<S> qvel,
                     const std::type_identity_t<S>& dt) {
  if (!detail::has_size(qpos, model.n.nq) || !detail::has_size(qvel, model.n.nv) ||
      detail::is_bad(value(dt))) {
    return Status{bad_argument};
  }
  integrate_position(make_ref<DefaultPolicies>(model), detail::field_of(qpos),
                     detail::field_of(qvel), dt);
  return {};
}

}  // namespace corten
