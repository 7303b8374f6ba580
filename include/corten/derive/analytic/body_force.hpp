// SPDX-License-Identifier: Apache-2.0
//
// How forces on bodies enter the recursion of tree_slope.hpp. A force W on body b that depends on
// the pose, the velocity and the acceleration J q̈ of a body o (b itself, or the other body of a
// pair) is described by three maps from a motion of o to a change of W. `pose` holds velocity and
// acceleration constant, in world axes.
#pragma once

#include <corten/derive/analytic/tree_slope.hpp>
#include <corten/tree/jacobian.hpp>

namespace corten::derive::analytic {

template <class T>
struct ForceSlope {
  Feedback<T> pose, velocity, acceleration;
};

// f (x × ·)
template <class T>
Feedback<T> after_cross(const Feedback<T>& f, const Vec6<T>& x) {
  const Mat3<T> turn = skew(Vec3<T>(x.template head<3>())),
                move = skew(Vec3<T>(x.template tail<3>()));
  return {f.rr * turn + f.rt * move, f.rt * turn, f.tr * turn + f.tt * move, f.tt * turn};
}

template <class T>
Feedback<T> minus(const Feedback<T>& a, const Feedback<T>& b) {
  return {a.rr - b.rr, a.rt - b.rt, a.tr - b.tr, a.tt - b.tt};
}

// S ↦ S ×* W: the change of a force that moves with the body
template <class T>
Feedback<T> carried(const Vec6<T>& force) {
  const Mat3<T> torque = skew(Vec3<T>(force.template head<3>())),
                push = skew(Vec3<T>(force.template tail<3>()));
  return {-torque, -push, -push, Mat3<T>::Zero()};
}

// what remains of `pose` once velocity and acceleration are allowed to move with the dof's axis
template <class D, class T>
Feedback<T> along_axes(const D& d, const Workspace<T>& w, int o, const ForceSlope<T>& s) {
  return minus(minus(s.pose, after_cross(s.velocity, vec6<T>(d.cvel, o))),
               after_cross(s.acceleration, vec6<T>(w.push, o)));
}

// Counts an external force on body b, whose slopes are added apart.
template <class T>
void take_force(const Workspace<T>& w, int b, const Vec6<T>& force) {
  if (w.pulled != nullptr) return Pulled<T>::add(w, b, Pulled<T>::force, Vec6<T>(-force));
  store(w.force, b, vec6<T>(w.force, b) - force);
}

// In an adjoint: adds p, v and a, by which ẑ · W changes with pose, velocity and acceleration of o.
template <class D, class T>
void pull_slopes_of(const D& d, const Workspace<T>& w, int o, const Vec6<T>& p, const Vec6<T>& v,
                    const Vec6<T>& a) {
  using P = Pulled<T>;
  P::add(w, o, P::drag, Vec6<T>(-v));
  P::add(w, o, P::push, a);
  P::add(w, o, P::spring,
         p + cross_force(vec6<T>(d.cvel, o), v) + cross_force(vec6<T>(w.push, o), a));
}

// In an adjoint: counts a force on b itself.
template <class T>
void pull_force_of(const Workspace<T>& w, int b, const Vec6<T>& force) {
  using P = Pulled<T>;
  take_force(w, b, force);
  P::add(w, b, P::spring, cross_force(vec6<T>(w.motion, b), force));
}

// The same from the maps of a force on b that depends on o.
template <class D, class T>
void pull_slopes_of(const D& d, const Workspace<T>& w, int b, int o, const ForceSlope<T>& s) {
  const Vec6<T> z = vec6<T>(w.motion, b);
  pull_slopes_of(d, w, o, s.pose.transposed_times(z), s.velocity.transposed_times(z),
                 s.acceleration.transposed_times(z));
}

// a force on b that depends on b
template <class D, class T>
void add_force(const D& d, const Workspace<T>& w, int b, const Vec6<T>& force,
               const ForceSlope<T>& s) {
  if (w.pulled != nullptr) return pull_force_of(w, b, force), pull_slopes_of(d, w, b, b, s);
  touch(w, b);
  take_force(w, b, force);
  add(w.stiffness, b, minus(along_axes(d, w, b, s), carried(force)));
  add(w.resistance, b, s.acceleration);
  minus(Feedback<T>::load(w.damping, b), s.velocity).store_to(w.damping, b);
}

// a force on b that depends on another body o as well; add_force() has counted the force itself
template <class M, class D, class T>
void add_coupling(const M& m, const D& d, const Workspace<T>& w, int b, int o,
                  const ForceSlope<T>& s) {
  if (w.pulled != nullptr) return pull_slopes_of(d, w, b, o, s);
  const Feedback<T> pose = along_axes(d, w, o, s);
  each_chain_dof(m, o, [&](int k) {
    const Vec6<T> axis = vec6<T>(d.cdof, k);
    const Vec6<T> by_q = pose.times(axis) + s.velocity.times(vec6<T>(d.cdof_dot, k)) +
                         s.acceleration.times(vec6<T>(w.turned, k));
    const Vec6<T> by_v = s.velocity.times(axis);
    each_chain_dof(m, b, [&](int i) {
      const Vec6<T> other = vec6<T>(d.cdof, i);
      w.at(i)[k] -= other.dot(by_q);
      w.at(i)[w.velocity + k] -= other.dot(by_v);
    });
  });
}

// a force of constant direction on a point that is fixed in the body
template <class M, class D, class T>
void add_constant_force(const M& m, const D& d, const Workspace<T>& w, int b, const Vec3<T>& point,
                        const Vec3<T>& push, const Vec3<T>& torque) {
  const Vec3<T> arm = point - vec3<T>(d.subtree_com, m.body_rootid[b]);
  const Mat3<T> lever = -skew(push);  // a shift of the point adds shift × push to the torque
  const Mat3<T> zero = Mat3<T>::Zero();
  const ForceSlope<T> s{
      {-(lever * skew(arm)), lever, zero, zero}, Feedback<T>::zero(), Feedback<T>::zero()};
  add_force(d, w, b, Vec6<T>(cross(arm, push) + torque, push), s);
}

}  // namespace corten::derive::analytic
