// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of sensors that read forces of contacts: touch, and the force and torque between a
// body and its parent.
//
// A component of the latter is S · F, where F is the force that all bodies below take, inertial
// minus external, and S is a motion axis at the site: it moves with the body as if a joint had it.
// So its derivatives are those of the force of a dof (tree_slope.hpp), with external forces of
// contacts and of the user only: passive forces and actuators act within the body, as in MuJoCo.
#pragma once

#include <corten/derive/analytic/contact_slope.hpp>

namespace corten::derive::analytic {

// is body c below b, or b itself?
template <class M>
bool is_below(const M& m, int b, int c) {
  while (c > b) c = m.body_parentid[c];
  return c == b;
}

// The derivative of one number by positions, velocities and accelerations, one entry per dof each.
template <class T>
struct NumberSlope {
  T *by_q, *by_v, *by_a;
};

// Adds a number that changes by p, v and a with pose, velocity and acceleration J q̈ of body o.
template <class M, class D, class T>
void chain_body(const M& m, const D& d, const Workspace<T>& w, int o, const Vec6<T>& p,
                const Vec6<T>& v, const Vec6<T>& a, const NumberSlope<T>& out) {
  const Vec6<T> speed = vec6<T>(d.cvel, o), push = vec6<T>(w.push, o);
  each_chain_dof(m, o, [&](int k) {
    const Vec6<T> axis = vec6<T>(d.cdof, k);
    out.by_q[k] += p.dot(axis) + v.dot(vec6<T>(d.cdof_dot, k) - cross_motion(speed, axis)) +
                   a.dot(vec6<T>(w.turned, k) - cross_motion(push, axis));
    out.by_v[k] += v.dot(axis);
    out.by_a[k] += a.dot(axis);
  });
}

// Adds the change of the normal force of a contact, of which `hit` carries tangents of side o.
template <class M, class D, class T, class S>
void add_normal_slope(const M& m, const D& d, const Workspace<T>& w, int o,
                      const ContactForce<T>& f, const ContactMotion<T>& at, const Hit<S>& hit,
                      const NumberSlope<T>& out) {
  const Mat3<S> frame = make_frame(hit.normal, hit.tangent);
  Vec6<T> p, v = Vec6<T>::Zero(), a = v;
  for (int n = 0; n < 6; ++n) p[n] = ContactChange<T>(f, at, o, hit, frame, n).force[0];
  for (int k = 0; k < f.dim; ++k) {
    const Vec6<T> along = at.unit(o, k) * T(-at.sign(o) * f.curvature[0][k]);
    a += along;
    v += along * f.damping[k];
  }
  chain_body(m, d, w, at.body[o], p, v, a, out);
}

// S · F of the bodies below b
template <class M, class D, class T>
class AxisForce {
 public:
  AxisForce(const M& model, const D& data, const Workspace<T>& work, int body, const Vec6<T>& axis,
            const NumberSlope<T>& to)
      : m(model), d(data), w(work), b(body), S(axis), out(to) {}

  T value = T(0);

  // Inertial forces. inertial_forces() and gather() must have run.
  void add_inertia() {
    const auto add = [&](int k, int c, bool carries) {
      const Inertia<T> inertia = vec<T, 10>(d.crb, c);
      const Feedback<T> damping = Feedback<T>::load(w.damping, c);
      const Vec6<T> axis = vec6<T>(d.cdof, k), moved = multiply(inertia, axis);
      Vec6<T> by_q =
          multiply(inertia, vec6<T>(w.fallen, k)) + damping.times(vec6<T>(d.cdof_dot, k));
      if (!carries) by_q += cross_force(axis, vec6<T>(w.force, c));
      out.by_q[k] += S.dot(by_q);
      out.by_v[k] += S.dot(multiply(inertia, vec6<T>(w.rate, k)) + damping.times(axis));
      out.by_a[k] += S.dot(moved);
    };
    value += S.dot(vec6<T>(w.force, b));
    each_chain_dof(m, b, [&](int k) { add(k, b, true); });
    for (int c = b + 1; c < m.n.nbody && m.body_parentid[c] >= b; ++c) {
      for (int k = m.body_dofadr[c]; k < m.body_dofadr[c] + m.body_dofnum[c]; ++k) {
        add(k, c, false);
      }
    }
  }

  // forces of the user, of constant direction
  void add_applied() {
    for (int c = b; c < m.n.nbody && (c == b || m.body_parentid[c] >= b); ++c) {
      const Vec6<T> given = vec6<T>(d.xfrc_applied, c);
      const Vec3<T> push = given.template head<3>();
      const Vec3<T> arm = vec3<T>(d.xipos, c) - vec3<T>(d.subtree_com, m.body_rootid[c]);
      add_wrench(Vec6<T>(cross(arm, push) + given.template tail<3>(), push));
      const Vec3<T> turn = S.template head<3>();
      each_chain_dof(m, c, [&](int k) {
        const Vec6<T> axis = vec6<T>(d.cdof, k);
        const Vec3<T> shift =
            axis.template tail<3>() + cross(Vec3<T>(axis.template head<3>()), arm);
        out.by_q[k] -= turn.dot(cross(shift, push));
      });
    }
  }

  // a contact, of which `hit` carries tangents of side o
  template <class H>
  void add_contact(int o, const ContactForce<T>& f, const ContactMotion<T>& at, const H& hit) {
    ForceSlope<T> slopes[2];
    const bool here[2] = {is_below(m, b, at.body[0]), is_below(m, b, at.body[1])};
    if (!here[0] && !here[1]) return;
    contact_pose(f, at, o, hit, slopes);
    for (int s = 0; s < 2; ++s) {
      if (!here[s]) continue;
      if (s == o) add_wrench(contact_wrench(f, at, s));
      add_curvature(f, at, s, o, slopes[s]);
      chain_body(m, d, w, at.body[o], Vec6<T>(-slopes[s].pose.transposed_times(S)),
                 Vec6<T>(-slopes[s].velocity.transposed_times(S)),
                 Vec6<T>(-slopes[s].acceleration.transposed_times(S)), out);
    }
  }

 private:
  // an external force, past which the axis moves
  void add_wrench(const Vec6<T>& force) {
    value -= S.dot(force);
    each_chain_dof(m, b, [&](int k) {
      out.by_q[k] += S.dot(cross_force(Vec6<T>(vec6<T>(d.cdof, k)), force));
    });
  }

  const M& m;
  const D& d;
  const Workspace<T>& w;
  int b;
  Vec6<T> S;
  NumberSlope<T> out;
};

}  // namespace corten::derive::analytic
