// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of springs, dampers, fluid and applied forces.
#pragma once

#include <corten/derive/analytic/body_force.hpp>
#include <corten/integrate/implicit.hpp>
#include <corten/joint/joints.hpp>
#include <corten/stage/passive.hpp>

namespace corten::derive::analytic {

// Is it a hinge or a slide, whose spring, limits and transmission are simple? The user's own
// kinds of one dof may have others.
template <class M>
bool is_plain_joint(const M& m, int j) {
  return joint_is_scalar(m, j) && !is_user(static_cast<JointType>(m.jnt_type[j]));
}

// Copies the coordinates of joint j to the data with duals, with tangents along its dofs.
template <class Kind, class M, class D, class E>
void seed_joint(Kind kind, const M& m, const D& d, const E& dual, int j) {
  using S = typename E::Scalar;
  const int q = m.jnt_qposadr[j], v = m.jnt_dofadr[j];
  static_assert(Kind::nv <= tangent_count<S>);
  for (int k = 0; k < Kind::nq; ++k) dual.qpos[q + k] = S(d.qpos[q + k]);
  for (int k = 0; k < Kind::nv; ++k) {
    dual.work_nv[v + k] = S(0);
    tangent(dual.work_nv[v + k], k) = primal_t<S>(1);
  }
  kind.integrate(m, j, dual.qpos, dual.work_nv, S(1));
}

// springs of ball and free joints, by duals over the motion of the joint
template <class M, class D, class E, class T>
void add_joint_spring(const M& m, const D& d, const E& dual, const Workspace<T>& w, int j) {
  using S = typename E::Scalar;
  M::Policies::Joints::visit(m.jnt_type[j], [&](auto kind) {
    const int v = m.jnt_dofadr[j];
    seed_joint(kind, m, d, dual, j);
    for (int k = 0; k < kind.nv; ++k) dual.qfrc_spring[v + k] = S(T(0));
    kind.spring(m, dual, j);
    for (int i = 0; i < kind.nv; ++i) {
      for (int k = 0; k < kind.nv; ++k) w.at(v + i)[v + k] -= tangent(dual.qfrc_spring[v + i], k);
    }
  });
}

template <class M, class D, class E, class T>
void spring_slopes(const M& m, const D& d, const E& dual, const Workspace<T>& w) {
  for (int j = 0; j < m.n.njnt; ++j) {
    if (value(m.jnt_stiffness[j]) == 0 && value(m.jnt_stiffnesspoly[2 * j]) == 0 &&
        value(m.jnt_stiffnesspoly[2 * j + 1]) == 0) {
      continue;
    }
    const int i = m.jnt_dofadr[j];
    if (is_plain_joint(m, j)) {
      w.at(i)[i] += corten::detail::dof_stiffness(m, d, i);
    } else {
      add_joint_spring(m, d, dual, w, j);
    }
  }
}

// springs and dampers of tendons
template <class M, class D, class T>
void tendon_slopes(const M& m, const D& d, const Workspace<T>& w, bool springs, bool dampers) {
  for (int t = 0; t < m.n.ntendon; ++t) {
    T stiff = T(0), damping = T(0), force = T(0);
    const T x = corten::detail::tendon_stretch(m, d, t);
    if (springs && x != T(0)) {
      force -= x * polynomial<T>(m.tendon_stiffness, m.tendon_stiffnesspoly, t, x);
      stiff = T(m.tendon_stiffness[t]) + x * (T(2) * T(m.tendon_stiffnesspoly[2 * t]) +
                                              T(3) * x * T(m.tendon_stiffnesspoly[2 * t + 1]));
    }
    if (dampers) {
      damping = tendon_damping<T>(m, t).slope(d.ten_velocity[t]);
      force += tendon_damping<T>(m, t).force(d.ten_velocity[t]);
    }
    if (stiff == T(0) && damping == T(0) && force == T(0)) continue;
    const int row = m.ten_J_rowadr[t], end = row + m.ten_J_rownnz[t];
    const Bend<T> bend = w.bends.tendon(t);
    for (int a = row; a < end; ++a) {
      const auto out = w.at(m.ten_J_colind[a]);
      each_stretch(m, d, t, bend,
                   [&](int k, const T& rate) { out[k] += d.ten_J[a] * stiff * rate; });
      for (int b = row; b < end; ++b) {
        out[w.velocity + m.ten_J_colind[b]] += d.ten_J[a] * d.ten_J[b] * damping;
      }
    }
    bend.each_entry([&](int i, int k, const T& entry) { w.at(i)[k] -= force * entry; });
    bend.each(d.qvel, [&](int k, const T&, const T& rate) {
      for (int a = row; a < end; ++a) w.at(m.ten_J_colind[a])[k] += d.ten_J[a] * damping * rate;
    });
  }
}

// The derivative of the force on an ellipsoid by its velocity, in its axes. The slopes of the
// implicit integrators are not quite these: at low speeds they take limits.
template <class S, class M, class T>
Feedback<T> ellipsoid_feedback(const M& m, int g, const corten::detail::LocalWrench<T>& v,
                               const T& scale) {
  corten::detail::LocalWrench<S> u;
  for (int k = 0; k < 3; ++k) {
    u.rotation[k] = S(v.rotation[k]), u.translation[k] = S(v.translation[k]);
    tangent(u.rotation[k], k) = tangent(u.translation[k], 3 + k) = T(1);
  }
  const auto f = corten::detail::ellipsoid_force(corten::detail::fluid_ellipsoid<S>(m, g), u,
                                                 S(m.opt.density));
  Feedback<T> out;
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      out.rr(i, k) = scale * tangent(f.rotation[i], k);
      out.rt(i, k) = scale * tangent(f.rotation[i], 3 + k);
      out.tr(i, k) = scale * tangent(f.translation[i], k);
      out.tt(i, k) = scale * tangent(f.translation[i], 3 + k);
    }
  }
  return out;
}

// In an adjoint: a force `total` of the medium on body b, whose slope by velocity is `local`, in
// axes of its own at `arm`. It moves with the body. Only the wind, at rest in the world, counts
// apart.
template <class T>
void pull_medium(const Workspace<T>& w, int b, const Mat3<T>& axes, const Vec3<T>& arm,
                 const Vec6<T>& total, const Feedback<T>& local, const Vec6<T>& wind) {
  using P = Pulled<T>;
  const Vec6<T> z = vec6<T>(w.motion, b);
  const Vec3<T> spin = z.template head<3>(), move = z.template tail<3>() + cross(spin, arm);
  const Vec6<T> v =
      local.transposed_times(Vec6<T>(axes.transpose() * spin, axes.transpose() * move));
  const Vec3<T> push = axes * Vec3<T>(v.template tail<3>());
  const Vec6<T> drag(axes * Vec3<T>(v.template head<3>()) + cross(arm, push), push);
  take_force(w, b, total);
  P::add(w, b, P::drag, Vec6<T>(-drag));
  P::add(w, b, P::spring, cross_force(wind, drag));
}

// The fluid acts on a body by a force that depends on its velocity relative to the wind and moves
// with the body. So only its slope by velocity is new.
template <class S, class M, class D, class T>
void fluid_slopes(const M& m, const D& d, const Workspace<T>& w) {
  Vec6<T> wind = Vec6<T>::Zero();
  for (int k = 0; k < 3; ++k) wind[3 + k] = T(m.opt.wind[k]);
  const auto wrench = [&](int b, const Mat3<T>& axes, const Vec3<T>& point, const Vec3<T>& torque,
                          const Vec3<T>& force, const Feedback<T>& local) {
    const Vec3<T> arm = point - vec3<T>(d.subtree_com, m.body_rootid[b]), push = axes * force;
    const Vec6<T> total(cross(arm, push) + axes * torque, push);
    if (w.pulled != nullptr) return pull_medium(w, b, axes, arm, total, local, wind);
    const Feedback<T> slope = local.from_local(axes, arm);
    Feedback<T> pose = after_cross(slope, Vec6<T>(vec6<T>(d.cvel, b) - wind));
    pose += carried(total);
    add_force(d, w, b, total, {pose, slope, Feedback<T>::zero()});
  };
  corten::detail::each_in_medium(
      m, d,
      [&](int b) {
        const Mat3<T> axes = mat3<T>(d.ximat, b);
        const Vec3<T> point = vec3<T>(d.xipos, b);
        const auto v = corten::detail::velocity_in_medium(m, d, b, point, axes);
        const auto f = corten::detail::box_drag(corten::detail::BoxDrag<T>::of(m, b), v);
        wrench(b, axes, point, f.rotation, f.translation,
               corten::detail::box_slope(corten::detail::BoxDrag<T>::of(m, b), v));
      },
      [&](int g) {
        const int b = m.geom_bodyid[g];
        const Mat3<T> axes = mat3<T>(d.geom_xmat, g);
        const Vec3<T> point = vec3<T>(d.geom_xpos, g);
        const auto v = corten::detail::velocity_in_medium(m, d, b, point, axes);
        const auto e = corten::detail::fluid_ellipsoid<T>(m, g);
        const auto f = corten::detail::ellipsoid_force(e, v, T(m.opt.density));
        const T scale = T(m.geom_fluid[12 * g]);
        wrench(b, axes, point, scale * f.rotation, scale * f.translation,
               ellipsoid_feedback<S>(m, g, v, scale));
      });
}

// forces of the user, and the compensation of gravity, which point in a constant direction
template <class M, class D, class T>
void applied_slopes(const M& m, const D& d, const Workspace<T>& w, bool compensated) {
  for (int b = 1; b < m.n.nbody; ++b) {
    if (m.body_weldid[b] == 0) continue;
    Vec6<T> wrench = vec6<T>(d.xfrc_applied, b);
    const T share = compensated ? T(T(m.body_gravcomp[b]) * T(m.body_mass[b])) : T(0);
    for (int k = 0; k < 3; ++k) wrench[k] -= share * T(m.opt.gravity[k]);
    bool none = true;
    for (int k = 0; k < 6; ++k) none = none && wrench[k] == T(0);
    if (none) continue;
    add_constant_force(m, d, w, b, vec3<T>(d.xipos, b), Vec3<T>(wrench.template head<3>()),
                       Vec3<T>(wrench.template tail<3>()));
  }
}

// Adds everything that is neither inertia nor actuator nor constraint.
template <class M, class D, class E, class T>
void passive_slopes(const M& m, const D& d, const E& dual, const Workspace<T>& w) {
  const bool springs = !m.opt.disabled(disable_spring), dampers = !m.opt.disabled(disable_damper);
  const bool passive = springs || dampers;
  applied_slopes(m, d, w, passive && m.n.ngravcomp > 0 && !m.opt.disabled(disable_gravity));
  if (!passive) return;
  if (springs) spring_slopes(m, d, dual, w);
  if (dampers) {
    for (int i = 0; i < w.nv; ++i) {
      w.at(i)[w.velocity + i] += dof_damping<T>(m, i).slope(d.qvel[i]);
    }
  }
  tendon_slopes(m, d, w, springs, dampers);
  if (has_fluid(m)) fluid_slopes<typename E::Scalar>(m, d, w);
}

}  // namespace corten::derive::analytic
