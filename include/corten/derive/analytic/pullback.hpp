// SPDX-License-Identifier: Apache-2.0
//
// The adjoint of a step: given the gradient λ' of a cost by the next state, its gradients by state
// and control, A'λ' and B'λ', without A and B. One solve replaces one per column:
//
//   λ'·da' = ζ·da + y·(∂M (a - a') - ∂Δ a'),   N y = h μ,   ζ = M y,   ζ·da = -(H⁻¹ ζ)·∂g/∂θ
//
// where μ is the gradient by the next velocity, which moves the position too, and N = M + Δ the
// integrator's matrix (advance_slope.hpp).
#pragma once

#include <corten/derive/analytic/step_slope.hpp>

namespace corten::derive::analytic {

// the methods whose adjoint is found directly
template <class M>
bool has_adjoint(const M& m) {
  return m.opt.integrator == static_cast<int>(Integrator::euler);
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

// Gradients by all inputs, in the order of the columns, from `slope` = ∂g/∂θ.
template <class M, class D, class E, class T>
void pull_step(const M& m, const D& d, const E& dual, const Workspace<T>& w, const T* next,
               T* out) {
  const int nv = w.nv;
  const T h = T(m.opt.timestep);
  const bool damped = corten::detail::damped(m, d);
  copy(w.advance, d.qacc, nv);
  const auto damping = w.upper;
  if (damped) {
    copy(w.matrix, d.M, m.n.nM);
    for (int i = 0; i < nv; ++i) {
      damping[i] = h * dof_damping<T>(m, i).slope(d.qvel[i]);
      w.matrix[m.M_rowadr[i] + m.M_rownnz[i] - 1] += damping[i];
    }
    corten::detail::total_force(m, d, w.advance);
    tree_factor(m, nv, w.matrix, d.work_nv, Pivots::any_sign);
    tree_solve(m, nv, w.matrix, d.work_nv, w.advance);
  }
  for (int k = 0; k < w.columns; ++k) out[k] = T(0);
  pull_position(m, d, w, next, out);
  for (int i = 0; i < nv; ++i) out[w.velocity + i] = w.rest[i], w.rest[i] *= h;
  if (damped) {
    // y in `pivots`, ζ in `rest`
    copy(w.pivots, w.rest, nv);
    tree_solve(m, nv, w.matrix, d.work_nv, w.pivots);
    for (int i = 0; i < nv; ++i) w.rest[i] -= damping[i] * w.pivots[i];
  }
  if (d.nefc == 0) {
    solve_M(m, d, w.rest);
  } else {
    factor_hessian(m, d, make_problem(m, d), w);
    solve_hessian_vector(w, w.rest);
  }
  for (int i = 0; i < nv; ++i) {
    const T* const row = w.row(i);
    for (int k = 0; k < w.columns; ++k) out[k] -= w.rest[i] * row[k];
  }
  if (damped) {
    begin_change(m, d, w);
    for (int i = 0; i < nv; ++i) {
      const T* const row = w.change.data + i * w.width;
      for (int k = 0; k < w.activation; ++k) out[k] -= w.pivots[i] * row[k];
    }
  }
  if (w.na == 0) return;
  next_activations(m, d, dual, w);
  for (int i = 0; i < w.na; ++i) {
    const T* const row = w.next.data + i * w.width;
    for (int k = 0; k < w.columns; ++k) out[k] += next[2 * nv + i] * row[k];
  }
}

}  // namespace corten::derive::analytic
