// SPDX-License-Identifier: Apache-2.0
//
// Inverse dynamics: the force that the acceleration in qacc requires, in a given state. For the
// acceleration that forward() found, this is the sum of what was applied: qfrc_applied,
// J' xfrc_applied and qfrc_actuator. See "Inverse dynamics" in the chapter Computation of MuJoCo's
// documentation.
#pragma once

#include <corten/integrate/integrate.hpp>
#include <corten/pipeline/forward.hpp>
#include <corten/solver/inverse.hpp>
#include <corten/tree/inertia_products.hpp>

namespace corten {

namespace detail {

// Turns the change of velocity over a timestep, (v' - v) / h, into the acceleration in continuous
// time from which the integrator produces it: qacc = M⁻¹ A qacc, where A is the integrator's
// matrix.
template <class M, class D>
CORTEN_FN void continuous_acceleration(const M& m, const D& d) {
  using S = typename D::Scalar;
  const int nv = m.n.nv;
  const S h = S(m.opt.timestep);
  const auto method = static_cast<Integrator>(m.opt.integrator);
  const auto force = d.work_nv.from(nv);
  if (method == Integrator::euler) {
    if (!damped(m, d)) return;
    multiply_M(m, d, d.qacc, force);
    for (int i = 0; i < nv; ++i) {
      force[i] += h * dof_damping<S>(m, i).slope(d.qvel[i]) * d.qacc[i];
    }
  } else if (method == Integrator::implicit) {
    implicit_matrix(m, d);
    tree_multiply(tree_rows(m), nv, d.work_M, d.work_U, d.qacc, force);
  } else if (method == Integrator::implicitfast) {
    implicitfast_matrix(m, d);
    tree_multiply(m, nv, d.work_M, d.qacc, force);
    each_free_body(m, d, [&](int body, int v) {
      const auto matrix = free_matrix(m, d, body);
      Vec6<S> a;
      for (int i = 0; i < 6; ++i) a[i] = d.qacc[v + i];
      for (int i = 0; i < 6; ++i) {
        S sum = S(0);
        for (int j = 0; j < 6; ++j) sum += matrix(i, j) * a[j];
        force[v + i] = sum;
      }
    });
  } else {
    spring_damper_matrix(m, d, [](int, const S&) {});
    tree_multiply(m, nv, d.work_M, d.qacc, force);
    for (int i = 0; i < nv; ++i) force[i] += h * dof_stiffness(m, d, i) * d.qvel[i];
  }
  copy(d.qacc, force, nv);
  solve_M(m, d, d.qacc);
}

// qfrc_inverse = M qacc + qfrc_bias - qfrc_passive - constraint forces
template <class M, class D, class Q>
CORTEN_FN void sum_inverse(const M& m, const D& d, const Q& constraint) {
  using S = typename D::Scalar;
  multiply_M(m, d, d.qacc, d.qfrc_inverse);
  if (m.n.nflex > 0 && has_flex_metric(m)) {
    build_flex_metric(m, d);
    add_stiffness_product(m, d, step_scale<S>(m), d.qacc, d.metric_wide, d.metric_wide_nodes,
                          d.qfrc_inverse);
    for (int i = 0; i < m.n.nv; ++i) d.qfrc_inverse[i] -= d.metric_shift[i];
  }
  for (int i = 0; i < m.n.nv; ++i) {
    d.qfrc_inverse[i] += d.qfrc_bias[i] - d.qfrc_passive[i] - S(constraint[i]);
  }
}

}  // namespace detail

// Computes qfrc_inverse, efc_force and qfrc_constraint from qpos, qvel and qacc. With the flag
// invdiscrete, qacc is read as a change of velocity over one timestep; RK4 has no such inverse
// (bad_argument).
template <class SM, class P, class D>
CORTEN_ENTRY Status inverse(const ModelRef<SM, P>& m, const D& d) {
  const bool discrete = m.opt.enabled(enable_invdiscrete);
  if (discrete && is_rk4(m)) return d.status = bad_argument, Status{bad_argument};
  if (discrete && !has_scratch(m, d)) return d.status = no_scratch, Status{no_scratch};
  d.status = 0;
  forward_position(m, d);
  if (Status{d.status}.overflow()) return Status{d.status};
  read_position(m, d);
  forward_velocity(m, d);
  read_velocity(m, d);

  const auto given = d.rk_state;
  copy(given, d.qacc, m.n.nv);
  if (discrete) detail::continuous_acceleration(m, d);
  inverse_constraint(m, d);
  read_acceleration(m, d);
  detail::sum_inverse(m, d, d.qfrc_constraint);
  copy(d.qacc, given, m.n.nv);
  return Status{d.status};
}

// Measures how far forward and inverse dynamics disagree at the acceleration that forward() found:
// solver_fwdinv becomes the norms of the differences in constraint forces and in applied forces.
// Besides that only qfrc_inverse is written. Call it after forward().
template <class M, class D>
CORTEN_FN void compare_inverse(const M& m, const D& d) {
  using S = typename D::Scalar;
  const int nv = m.n.nv;
  d.solver_fwdinv[0] = d.solver_fwdinv[1] = S(0);
  if (d.nefc == 0) return;

  const auto constraint = inverse_constraint_forces(m, d);
  S difference = S(0);
  for (int i = 0; i < nv; ++i) {
    const S x = d.qfrc_constraint[i] - S(constraint[i]);
    difference += x * x;
  }
  d.solver_fwdinv[0] = safe_sqrt(difference);

  const auto applied = d.work_nv;
  for (int i = 0; i < nv; ++i) {
    applied[i] = d.qfrc_smooth[i] - d.qfrc_passive[i] + d.qfrc_bias[i];
  }
  detail::sum_inverse(m, d, constraint);
  difference = S(0);
  for (int i = 0; i < nv; ++i) {
    const S x = applied[i] - d.qfrc_inverse[i];
    difference += x * x;
  }
  d.solver_fwdinv[1] = safe_sqrt(difference);
}

}  // namespace corten
