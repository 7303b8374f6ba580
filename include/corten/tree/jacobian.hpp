// SPDX-License-Identifier: Apache-2.0
//
// The motion of a point fixed in a body, dof by dof, and what follows from it: forces on dofs, and
// velocities.
#pragma once

#include <corten/math/field.hpp>
#include <corten/math/spatial.hpp>

namespace corten {

// the last dof that moves a body, or -1
template <class M>
CORTEN_FN int last_dof(const M& m, int body) {
  const int weld = m.body_weldid[body];
  return m.body_dofnum[weld] > 0 ? m.body_dofadr[weld] + m.body_dofnum[weld] - 1 : -1;
}

// calls f(dof) for each dof that moves a body, the last one first
template <class M, class F>
CORTEN_FN void each_chain_dof(const M& m, int body, F&& f) {
  for (int i = last_dof(m, body); i >= 0; i = m.dof_parentid[i]) f(i);
}

// calls f(dof, translation, rotation) for each dof that moves the body, from the body towards the
// root
template <class M, class D, class S, class F>
CORTEN_FN void each_dof(const M& m, const D& d, int body, const Vec3<S>& point, F&& f) {
  const Vec3<S> offset = point - vec3<S>(d.subtree_com, m.body_rootid[body]);
  each_chain_dof(m, body, [&](int i) {
    const Vec6<S> axis = vec6<S>(d.cdof, i);
    const Vec3<S> turn = axis.template head<3>();
    f(i, axis.template tail<3>() + cross(turn, offset), turn);
  });
}

// Calls f(dof, second) for each dof that moves one body relative to the other; `second` says
// whether the dof is on the second body's side. Both paths lead to the root, and where they meet
// the motions cancel.
template <class M, class F>
CORTEN_FN void each_relative_dof(const M& m, int body1, int body2, F&& f) {
  int i1 = last_dof(m, body1), i2 = last_dof(m, body2);
  while (i1 != i2) {
    if (i1 > i2) {
      f(i1, false);
      i1 = m.dof_parentid[i1];
    } else {
      f(i2, true);
      i2 = m.dof_parentid[i2];
    }
  }
}

// Calls f(dof, first, second) for each dof that moves one body or the other or both, the last one
// first; `first` and `second` say which.
template <class M, class F>
CORTEN_FN void each_joint_dof(const M& m, int body1, int body2, F&& f) {
  int i1 = last_dof(m, body1), i2 = last_dof(m, body2);
  while (i1 >= 0 || i2 >= 0) {
    const int i = i1 > i2 ? i1 : i2, next = m.dof_parentid[i];
    const bool first = i1 == i, second = i2 == i;
    f(i, first, second);
    if (first) i1 = next;
    if (second) i2 = next;
  }
}

// Time derivative of a dof's motion axis. The axes of a ball joint, and of a free joint's rotation,
// are fixed in the body that they move, so they turn with that body's velocity.
template <class M, class D>
CORTEN_FN auto axis_rate(const M& m, const D& d, int dof) {
  using S = typename D::Scalar;
  const int j = m.dof_jntid[dof];
  Vec6<S> rate = vec6<S>(d.cdof_dot, dof);
  M::Policies::Joints::visit(m.jnt_type[j], [&](auto kind) {
    int fixed = 0;
    if constexpr (requires { kind.fixed_axes; }) fixed = kind.fixed_axes;
    const bool turns = kind.nv - fixed > 1 && dof >= m.jnt_dofadr[j] + fixed;
    if (turns) rate = cross_motion(vec6<S>(d.cvel, m.dof_bodyid[dof]), vec6<S>(d.cdof, dof));
  });
  return rate;
}

// qfrc += J' (force, torque), with the force acting at `point` of `body`
template <class M, class D, class S, class Q>
CORTEN_FN void apply_force(const M& m, const D& d, int body, const Vec3<S>& point,
                           const Vec3<S>& force, const Vec3<S>& torque, const Q& qfrc) {
  each_dof(m, d, body, point, [&](int i, const Vec3<S>& translation, const Vec3<S>& rotation) {
    qfrc[i] += translation.dot(force) + rotation.dot(torque);
  });
}

// velocity (rotation, translation) at `point` of `body`, in world axes
template <class M, class D, class S>
CORTEN_FN Vec6<S> point_velocity(const M& m, const D& d, int body, const Vec3<S>& point) {
  const Vec6<S> v = vec6<S>(d.cvel, body);
  const Vec3<S> offset = point - vec3<S>(d.subtree_com, m.body_rootid[body]);
  const Vec3<S> turn = v.template head<3>();
  return Vec6<S>(turn, v.template tail<3>() + cross(turn, offset));
}

// Calls f(dof, second, translation, rotation) for each dof that moves body2 relative to body1, in
// the order of each_relative_dof: how the dof moves point2 of body2 if `second`, else point1 of
// body1. `axes` are the motion axes, or their rates.
template <class M, class D, class A, class S, class F>
CORTEN_FN void each_relative_motion(const M& m, const D& d, const A& axes, int body1, int body2,
                                    const Vec3<S>& point1, const Vec3<S>& point2, F&& f) {
  const Vec3<S> offset1 = point1 - vec3<S>(d.subtree_com, m.body_rootid[body1]);
  const Vec3<S> offset2 = point2 - vec3<S>(d.subtree_com, m.body_rootid[body2]);
  each_relative_dof(m, body1, body2, [&](int i, bool second) {
    const Vec6<S> axis = vec6<S>(axes, i);
    const Vec3<S> turn = axis.template head<3>();
    const Vec3<S> shift = axis.template tail<3>() + cross(turn, second ? offset2 : offset1);
    f(i, second, shift, turn);
  });
}

}  // namespace corten
