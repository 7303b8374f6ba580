// SPDX-License-Identifier: Apache-2.0
//
// Newton's method on the primal problem. With pyramidal cones the cost is piecewise quadratic, so
// the method terminates after a few steps, as soon as it has found which rows push. Elliptic cones
// take a few more steps.
#pragma once

#include <corten/solver/line_search.hpp>

namespace corten {

namespace detail {

// how many columns of a run are not right of the diagonal of row i
CORTEN_FN int up_to(int i, int first, int length) {
  return i - first < length ? i - first + 1 : length;
}

// H += weight · J_r' J_r, lower triangle
template <class T, class L, bool E>
CORTEN_FN void add_outer(const Problem<T, L, E>& p, int r, const T& weight) {
  each_entry(p.J, r, [&](int i, const T& entry) {
    const T scaled = weight * entry;
    if (value(scaled) == 0) return;
    const auto to = p.H.from(i * p.nv);
    each_run(p.J, r, [&](int first, const auto& row, int length) {
      if (first <= i) axpy(scaled, row, to.from(first), up_to(i, first, length));
    });
  });
}

// H += J_c' C J_c for the rows of a cone in the `cone` zone, where C is the Hessian of its cost
template <class T, class L, bool E>
CORTEN_FN void add_cone(const Problem<T, L, E>& p, int r, int dim) {
  const ConeScale<T> scale = cone_scale(p, r, dim);
  const ConePoint<T> at = cone_point(scale, cone_rows<T>(p.Jaref, r, dim));
  const T stiffness = cone_stiffness(scale, T(p.D[r]));
  for (int k = 0; k < dim; ++k) {
    each_run(p.J, r,
             [&](int first, const auto&, int length) { fill(p.work.from(first), length, T(0)); });
    for (int l = 0; l < dim; ++l) {
      row_axpy(cone_curvature(scale, at, stiffness, k, l), p.J, r + l, p.work);
    }
    each_entry(p.J, r + k, [&](int i, const T& entry) {
      if (value(entry) == 0) return;
      const auto to = p.H.from(i * p.nv);
      each_run(p.J, r, [&](int first, const auto&, int length) {
        if (first <= i) axpy(entry, p.work.from(first), to.from(first), up_to(i, first, length));
      });
    });
  }
}

// Assembles H = M + Σ D_r J_r' J_r over the rows on their quadratic piece, plus the contributions
// of cones in the `cone` zone, and replaces it by its Cholesky factor.
template <class T, class L, bool E>
CORTEN_FN void factor_hessian(const Problem<T, L, E>& p) {
  for (int i = 0; i < p.nv; ++i) {
    fill(p.H.from(i * p.nv), i + 1, T(0));
    const int row = p.M_rowadr[i];
    for (int k = row; k < row + p.M_rownnz[i]; ++k) p.H[i * p.nv + p.M_colind[k]] = p.M[k];
  }
  for (int r = 0; r < p.nefc; ++r) {
    if (p.state[r] == static_cast<int>(ConstraintState::quadratic)) add_outer(p, r, T(p.D[r]));
    if (E && p.state[r] == static_cast<int>(ConstraintState::cone)) {
      const int dim = cone_dim(p, r);
      add_cone(p, r, dim);
      r += dim - 1;
    }
  }
  cholesky(p.H, p.nv);
}

// gradient M a - qfrc_smooth - J' force
template <class T, class L, bool E>
CORTEN_FN void gradient(const Problem<T, L, E>& p) {
  map_forces(p);
  for (int i = 0; i < p.nv; ++i) p.grad[i] = p.Ma[i] - p.qfrc_smooth[i] - p.qfrc_constraint[i];
}

// Did the Hessian change? It does if a row entered or left its quadratic piece, and always if a
// cone is in the `cone` zone.
template <class T, class L, bool E>
CORTEN_FN bool pieces_changed(const Problem<T, L, E>& p) {
  const int quadratic = static_cast<int>(ConstraintState::quadratic);
  const int cone = static_cast<int>(ConstraintState::cone);
  for (int r = 0; r < p.nefc; ++r) {
    if (E && (p.state[r] == cone || p.old_state[r] == cone)) return true;
    if ((p.state[r] == quadratic) != (p.old_state[r] == quadratic)) return true;
  }
  return false;
}

}  // namespace detail

// Improves p.qacc. `scale` converts costs and gradients to the units of the tolerance.
template <class M, class T, class L, bool E>
CORTEN_FN Ending newton(const M& m, const Problem<T, L, E>& p, const T& scale) {
  const int nv = p.nv;
  const T tolerance = convert<T>(m.opt.tolerance);
  evaluate_start(p);
  detail::gradient(p);

  // The duality gap bounds the remaining cost, the gradient bounds the error of the forces: stop
  // here if the start is good enough in both.
  const bool small_gradient = value(T(scale * sqrt(dot(p.grad, p.grad, nv)))) < value(tolerance);
  if (small_gradient) {
    copy(p.work, p.grad, nv);
    tree_solve(p, nv, p.qLD, p.qLDiagInv, p.work);
    const T gap = T(0.5) * scale * dot(p.grad, p.work, nv);
    if (max(value(gap), value_t<T>(0)) < value(tolerance)) return {0, true};
  }

  detail::factor_hessian(p);
  int iterations = 0;
  while (iterations < m.opt.iterations) {
    copy(p.Mgrad, p.grad, nv);
    cholesky_solve(p.H, nv, p.Mgrad);
    const T decrement = max(T(T(0.5) * scale * dot(p.grad, p.Mgrad, nv)), T(0));
    const bool settled = iterations > 0 || small_gradient;
    if (settled && value(decrement) < value(tolerance)) return {iterations, true};
    for (int i = 0; i < nv; ++i) p.search[i] = -p.Mgrad[i];

    T improvement;
    const T alpha = line_search(m, p, scale, improvement);
    if (value(alpha) == 0) return {iterations, true};
    move_along(p, alpha);

    copy(p.old_state, p.state, p.nefc);
    update_rows(p);
    detail::gradient(p);
    ++iterations;

    if (has_converged(m, p, scale, improvement)) return {iterations, true};
    if (detail::pieces_changed(p)) detail::factor_hessian(p);
  }
  return {iterations, false};
}

}  // namespace corten
