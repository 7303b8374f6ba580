// SPDX-License-Identifier: Apache-2.0
//
// The adjoint of a step: given the gradient λ' of a cost by the next state, its gradients by state
// and control, A'λ' and B'λ', without A and B. One solve replaces one per column:
//
//   λ'·da' = ζ·da + y·(∂M (a - a') - ∂Δ a'),   N y = h μ,   ζ = M y,   ζ·da = -(H⁻¹ ζ)·∂g/∂θ
//
// where μ is the gradient by the next velocity, which moves the position too, and N = M + Δ the
// integrator's matrix (advance_slope.hpp). Without constraints H is M, and H⁻¹ ζ is y.
#pragma once

#include <corten/derive/analytic/step_slope.hpp>

namespace corten::derive::analytic {

// the methods whose adjoint is found directly
template <class M>
bool has_adjoint(const M& m) {
  return m.opt.integrator == static_cast<int>(Integrator::euler) ||
         (m.opt.integrator == static_cast<int>(Integrator::implicitfast) && !has_free_body(m));
}

// μ in `rest`; writes λ' pulled back through the position to out[0 … nv)
template <class M, class D, class T>
void pull_position(const M& m, const D& d, const Workspace<T>& w, const T* next, T* out) {
  const T h = T(m.opt.timestep);
  const Field<T> velocity = w.pivots;
  for (int i = 0; i < w.nv; ++i) {
    velocity[i] = d.qvel[i] + h * w.advance[i];
    out[i] = next[i];
    w.rest[i] = next[w.nv + i] + h * next[i];
  }
  each_rotation(m, velocity, h, [&](int v, const Mat3<T>& by_q, const Mat3<T>& by_phi) {
    const Vec3<T> given(next[v], next[v + 1], next[v + 2]);
    const Vec3<T> q = by_q.transpose() * given, phi = by_phi.transpose() * given;
    for (int k = 0; k < 3; ++k) out[v + k] = q[k], w.rest[v + k] = next[w.nv + v + k] + h * phi[k];
  });
}

// out[0 … nv) -= ∂/∂q of y' M x at constant x and y. With p the motion of bodies at velocity x or
// y, h = I p their momenta, summed over the bodies that dof k moves, and Θ_k = p × S_k as in
// tree_slope.hpp, this is Θ_k(x) · h(y) + Θ_k(y) · h(x): all else cancels.
template <class M, class D, class T>
void pull_inertia(const M& m, const D& d, const Workspace<T>& w, const Field<T>& x,
                  const Field<T>& y, T* out) {
  const Field<T>&p = w.push, &q = w.motion, &of_x = w.force, &of_y = w.acceleration;
  store(p, 0, Vec6<T>::Zero()), store(q, 0, Vec6<T>::Zero());
  for (int b = 1; b < m.n.nbody; ++b) {
    Vec6<T> with_x = vec6<T>(p, m.body_parentid[b]), with_y = vec6<T>(q, m.body_parentid[b]);
    each_group(m, b, [&](int first, int count) {
      Vec6<T> dx = Vec6<T>::Zero(), dy = dx;
      for (int k = first; k < first + count; ++k) {
        const Vec6<T> axis = vec6<T>(d.cdof, k);
        store(w.turned, k, cross_motion(with_x, axis));
        store(w.lag, k, cross_motion(with_y, axis));
        dx += axis * x[k], dy += axis * y[k];
      }
      with_x += dx, with_y += dy;
    });
    const Inertia<T> inertia = vec<T, 10>(d.cinert, b);
    store(p, b, with_x), store(q, b, with_y);
    store(of_x, b, multiply(inertia, with_x)), store(of_y, b, multiply(inertia, with_y));
  }
  for (int b = m.n.nbody - 1; b > 0; --b) {
    const int parent = m.body_parentid[b];
    if (parent == 0) continue;
    store(of_x, parent, vec6<T>(of_x, parent) + vec6<T>(of_x, b));
    store(of_y, parent, vec6<T>(of_y, parent) + vec6<T>(of_y, b));
  }
  for (int i = 0; i < w.nv; ++i) {
    const int b = m.dof_bodyid[i];
    out[i] -= vec6<T>(w.turned, i).dot(vec6<T>(of_y, b)) + vec6<T>(w.lag, i).dot(vec6<T>(of_x, b));
  }
}

// y·(∂M (a' - a) + ∂Δ a') for the inertia, unless pull_tree() had a', and for the damping of dofs;
// y is in `pivots`
template <class M, class D, class T>
void pull_matrix(const M& m, const D& d, const Workspace<T>& w, bool direct, T* out) {
  if (!direct) {
    for (int i = 0; i < w.nv; ++i) w.rest[i] = w.advance[i] - d.qacc[i];
    pull_inertia(m, d, w, w.rest, w.pivots, out);
  }
  if (m.opt.disabled(disable_damper)) return;
  for (int i = 0; i < w.nv; ++i) {
    const T bend = damping_bend(dof_damping<T>(m, i), T(d.qvel[i]));
    out[w.velocity + i] -= w.pivots[i] * T(m.opt.timestep) * bend * w.advance[i];
  }
}

// can the slopes of actuators, tendons and fluid, which implicitfast has in its matrix, change?
template <class M>
bool may_bend(const M& m) {
  bool out = m.n.ntendon > 0 || has_fluid(m);
  for (int a = 0; a < m.n.nactuator && !out; ++a) {
    out = !has_constant_slope(m, a) || acts_along_bend(m, a);
  }
  return out;
}

// Gradients by all inputs, in the order of the columns, from what element_slopes() left. With
// `direct`, a' was known to it, and N is factored already. Returns bits of the status.
template <class M, class D, class E, class T>
int pull_slopes(const M& m, const D& d, const E& dual, const Workspace<T>& w, bool direct,
                const T* next, T* out) {
  const int nv = w.nv;
  const T h = T(m.opt.timestep);
  const bool fast = is_fast(m), damped = fast || corten::detail::damped(m, d);
  int bits = 0;
  if (!direct) {
    copy(w.advance, d.qacc, nv);
    if (damped) bits = factor_integrator(m, d, w, fast, d.work_nv);
  }
  for (int k = 0; k < w.columns; ++k) out[k] = T(0);
  pull_position(m, d, w, next, out);
  for (int i = 0; i < nv; ++i) out[w.velocity + i] = w.rest[i], w.rest[i] *= h;
  each_still_dof(m, d, [&](int i) {
    out[i] = next[i], out[w.velocity + i] = next[nv + i];
    w.rest[i] = T(0);
  });
  if (damped) {
    // y in `pivots`, ζ = N y - Δ y in `rest`
    copy(w.pivots, w.rest, nv);
    tree_solve(m, nv, w.matrix, d.work_nv, w.pivots);
    if (d.nefc == 0) {
      copy(w.rest, w.pivots, nv);
    } else if (fast) {
      tree_multiply(m, nv, w.upper, w.pivots, w.entry);
      for (int i = 0; i < nv; ++i) w.rest[i] -= w.entry[i];
    } else {
      for (int i = 0; i < nv; ++i) w.rest[i] -= w.upper[i] * w.pivots[i];
    }
  }
  if (d.nefc > 0) {
    sum_resistance(m, w);
    factor_hessian(m, d, w, w.held);
    solve_hessian_vector(m, w, w.rest);
  } else if (!damped) {
    solve_M(m, d, w.rest);
  }
  const auto subtract = [&](const Field<T>& weight, const Field<T>& rows, int columns) {
    for (int i = 0; i < nv; ++i) {
      const T* const row = rows.data + i * w.width;
      for (int k = 0; k < columns; ++k) out[k] -= weight[i] * row[k];
    }
  };
  subtract(w.rest, w.slope, w.columns);
  pull_tree(m, d, w, w.rest, out);
  if (damped) {
    pull_matrix(m, d, w, direct, out);
    if (fast && may_bend(m)) {
      fill(w.change, nv * w.width, T(0));
      add_slope_changes(m, d, dual, w, w.change, true);
      subtract(w.pivots, w.change, w.columns);
    }
  }
  if (w.na == 0) return bits;
  next_activations(m, d, dual, w);
  for (int i = 0; i < w.na; ++i) {
    const T* const row = w.next.data + i * w.width;
    for (int k = 0; k < w.columns; ++k) out[k] += next[2 * nv + i] * row[k];
  }
  return bits;
}

// The same at the state of d, on which forward() has run. Returns false if some derivative remains
// unknown.
template <class M, class D, class E, class T, class S>
bool pull_step(const M& m, const D& d, const E& dual, const Workspace<T>& w, Local<S>& local,
               const T* next, T* out, Status& status) {
  if (!keeps_sleep(m, d)) return false;
  const bool direct = takes_direct(m, d);
  if (direct) status.bits |= factor_integrator(m, d, w, is_fast(m), d.work_nv);
  if (!element_slopes(m, d, dual, w, local, direct, solver_left_rows(m, d))) return false;
  status.bits |= pull_slopes(m, d, dual, w, direct, next, out);
  return true;
}

}  // namespace corten::derive::analytic
