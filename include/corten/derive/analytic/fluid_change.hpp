// SPDX-License-Identifier: Apache-2.0
//
// How the fluid's part of the matrix of an implicit integrator changes: the derivative of Δ a' at
// constant a', where Δ = -h D and D is the derivative of the fluid's forces by velocity.
//
// On a body that moves by p = J a', D a' is the force W = B(v) p, with B the derivative of the
// fluid's force. W moves with the body, and changes with its velocity v by V = ∂(B p)/∂v. By the
// rules of tree_slope.hpp, with Θ as there for p, and the wind at rest in the world,
//
//   ∂W/∂q_k = S_k ×* W + V (Ψ_k - wind × S_k) + B Θ_k,     ∂W/∂v_k = V S_k
#pragma once

#include <corten/derive/analytic/body_force.hpp>
#include <corten/integrate/smooth_slope.hpp>

namespace corten::derive::analytic {

template <class T>
struct FluidChange {
  Vec6<T> force;                       // W
  Feedback<T> by_velocity, by_motion;  // V and B
};

// W and its slopes of something with orientation `axes` at a point of body b. slope(v) is B in its
// axes, and accepts dual numbers.
template <class S, class M, class D, class T, class F>
FluidChange<T> fluid_change(const M& m, const D& d, const Workspace<T>& w, int b,
                            const Mat3<T>& axes, const Vec3<T>& point, F&& slope) {
  const auto v = corten::detail::velocity_in_medium(m, d, b, point, axes);
  const Vec3<T> arm = point - vec3<T>(d.subtree_com, m.body_rootid[b]);
  const Vec6<T> p = vec6<T>(w.push, b);
  const Vec3<T> spin = p.template head<3>(), turn = axes.transpose() * spin,
                move = axes.transpose() * Vec3<T>(p.template tail<3>() + cross(spin, arm));
  corten::detail::LocalWrench<S> u;
  for (int k = 0; k < 3; ++k) {
    u.rotation[k] = S(v.rotation[k]), u.translation[k] = S(v.translation[k]);
    tangent(u.rotation[k], k) = tangent(u.translation[k], 3 + k) = T(1);
  }
  const Feedback<S> B = slope(u);
  Feedback<T> by_v, value;
  Vec3<T> torque = Vec3<T>::Zero(), push = torque;
  for (int i = 0; i < 3; ++i) {
    S r = S(T(0)), t = S(T(0));
    for (int k = 0; k < 3; ++k) {
      r += B.rr(i, k) * S(turn[k]) + B.rt(i, k) * S(move[k]);
      t += B.tr(i, k) * S(turn[k]) + B.tt(i, k) * S(move[k]);
      value.rr(i, k) = primal(B.rr(i, k)), value.rt(i, k) = primal(B.rt(i, k));
      value.tr(i, k) = primal(B.tr(i, k)), value.tt(i, k) = primal(B.tt(i, k));
    }
    torque[i] = primal(r), push[i] = primal(t);
    for (int n = 0; n < 3; ++n) {
      by_v.rr(i, n) = tangent(r, n), by_v.rt(i, n) = tangent(r, 3 + n);
      by_v.tr(i, n) = tangent(t, n), by_v.tt(i, n) = tangent(t, 3 + n);
    }
  }
  const Vec3<T> force = axes * push;
  return {Vec6<T>(axes * torque + cross(arm, force), force), by_v.from_local(axes, arm),
          value.from_local(axes, arm)};
}

// Adds -h times the derivative of the force of body b to the rows of its dofs.
template <class M, class D, class T>
void add_fluid_change(const M& m, const D& d, const Workspace<T>& w, int b, const FluidChange<T>& f,
                      const Field<T>& change) {
  const T h = T(m.opt.timestep);
  Vec6<T> wind = Vec6<T>::Zero();
  for (int k = 0; k < 3; ++k) wind[3 + k] = T(m.opt.wind[k]);
  each_chain_dof(m, b, [&](int k) {
    const Vec6<T> axis = vec6<T>(d.cdof, k);
    const Vec6<T> by_q =
        f.by_velocity.times(Vec6<T>(vec6<T>(d.cdof_dot, k) - cross_motion(wind, axis))) +
        f.by_motion.times(vec6<T>(w.turned, k));
    const Vec6<T> carried = cross_force(axis, f.force), by_v = f.by_velocity.times(axis);
    each_chain_dof(m, b, [&](int i) {
      // axes after k move with it, as the force does
      const Vec6<T> other = vec6<T>(d.cdof, i);
      T* const row = change.data + i * w.width;
      row[k] -= h * (other.dot(by_q) + (i < w.group[k] ? other.dot(carried) : T(0)));
      row[w.velocity + k] -= h * other.dot(by_v);
    });
  });
}

// Adds ∂Δ a' of the fluid. `symmetric` as in implicitfast. Overwrites push and turned.
template <class S, class M, class D, class T>
void add_fluid_changes(const M& m, const D& d, const Workspace<T>& w, const Field<T>& change,
                       bool symmetric) {
  const bool passive = !m.opt.disabled(disable_spring) || !m.opt.disabled(disable_damper);
  if (!passive || !has_fluid(m)) return;
  spread_push(m, d, w, w.advance);
  corten::detail::each_in_medium(
      m, d,
      [&](int b) {
        const auto slope = [&](const corten::detail::LocalWrench<S>& v) {
          return corten::detail::box_slope(corten::detail::BoxDrag<S>::of(m, b), v);
        };
        const auto f = fluid_change<S>(m, d, w, b, mat3<T>(d.ximat, b), vec3<T>(d.xipos, b), slope);
        add_fluid_change(m, d, w, b, f, change);
      },
      [&](int g) {
        const auto slope = [&](const corten::detail::LocalWrench<S>& v) {
          const auto e = corten::detail::fluid_ellipsoid<S>(m, g);
          const Feedback<S> out = corten::detail::ellipsoid_slope(e, v, S(m.opt.density));
          return symmetric ? out.symmetric() : out;
        };
        const int b = m.geom_bodyid[g];
        const auto f =
            fluid_change<S>(m, d, w, b, mat3<T>(d.geom_xmat, g), vec3<T>(d.geom_xpos, g), slope);
        add_fluid_change(m, d, w, b, f, change);
      });
}

}  // namespace corten::derive::analytic
