// SPDX-License-Identifier: Apache-2.0
//
// Derivatives through the constraint solver (implicit_diff.hpp) in the implicit metric of flexes.
// The Hessian M + K + J'DJ couples all trees of a flex, so it is not factored: conjugate gradients
// solve for each tangent.
#pragma once

#include <corten/solver/flex_metric.hpp>
#include <corten/solver/implicit_diff.hpp>

namespace corten {

// computes d.qacc, d.efc_force and d.qfrc_constraint with their tangents from the values in p
template <class M, class D, class T, class L, bool E>
CORTEN_FN void flex_metric_diff(const M& m, const D& d, const Problem<T, L, E>& p) {
  using S = typename D::Scalar;
  const int nv = m.n.nv;
  residuals(p, p.qacc);
  update_rows(p);
  for (int i = 0; i < nv; ++i) d.qacc[i] = S(p.qacc[i]);
  detail::forces_at_qacc(m, d, p);
  const auto g = d.work_nv;
  multiply_M(m, d, d.qacc, g);
  add_stiffness_product(m, d, step_scale<S>(m), d.qacc, d.metric_wide, d.metric_wide_nodes, g);
  for (int i = 0; i < nv; ++i) {
    g[i] -= d.qfrc_smooth[i] + d.metric_shift[i] + d.qfrc_constraint[i];
  }
  const auto r = d.metric_vec, x = d.metric_vec.from(4 * nv);
  const auto apply = [&](const auto& from, const auto& to) {
    detail::metric_product(m, d, p, from, to);
    for (int k = 0; k < p.nefc; ++k) {
      if (p.state[k] != static_cast<int>(ConstraintState::quadratic)) continue;
      row_axpy(T(p.D[k] * row_dot(p.J, k, from)), p.J, k, to);
    }
  };
  for (int k = 0; k < tangent_count<S>; ++k) {
    for (int i = 0; i < nv; ++i) r[i] = -tangent(g[i], k);
    detail::conjugate_solve(m, d, p, r, x, T(1e-14), 10 * nv, apply);
    for (int i = 0; i < nv; ++i) tangent(d.qacc[i], k) = x[i];
  }
  detail::forces_at_qacc(m, d, p);
}

}  // namespace corten
