// SPDX-License-Identifier: Apache-2.0
//
// Newton's method on the primal problem. With pyramidal cones the cost is piecewise quadratic, so
// the method terminates after a few steps, as soon as it has found which rows push. Elliptic cones
// take a few more steps.
#pragma once

#include <corten/solver/hessian.hpp>
#include <corten/solver/line_search.hpp>

namespace corten {

namespace detail {

// gradient M a - qfrc_smooth - J' force
template <class T, class L, bool E, class G = Alone>
CORTEN_FN void gradient(const Problem<T, L, E>& p, const G& team = {}) {
  map_forces(p, team);
  each(team, p.nv, [&](int i) { p.grad[i] = p.Ma[i] - p.qfrc_smooth[i] - p.qfrc_constraint[i]; });
}

}  // namespace detail

// Improves p.qacc. `scale` converts costs and gradients to the units of the tolerance.
template <class M, class T, class L, bool E, class G = Alone>
CORTEN_ENTRY Ending newton(const M& m, const Problem<T, L, E>& p, const T& scale,
                           const G& team = {}) {
  const int nv = p.nv;
  const T tolerance = convert<T>(m.opt.tolerance);
  evaluate_start(p, team);
  detail::gradient(p, team);

  // The duality gap bounds the remaining cost, the gradient bounds the error of the forces: stop
  // here if the start is good enough in both.
  const bool small_gradient = value(T(scale * sqrt(dot(p.grad, p.grad, nv)))) < value(tolerance);
  if (small_gradient) {
    once(team, [&] {
      copy(p.work, p.grad, nv);
      tree_solve(p, nv, p.qLD, p.qLDiagInv, p.work);
    });
    const T gap = T(0.5) * scale * dot(p.grad, p.work, nv);
    if (max(value(gap), value_t<T>(0)) < value(tolerance)) return {0, true};
  }

  int iterations = 0;
  bool factored = false;
  while (iterations < m.opt.iterations) {
    if (!factored) factor_hessian(p, team);
    solve_hessian(p, p.grad, p.Mgrad, team);
    const T decrement = max(T(T(0.5) * scale * dot(p.grad, p.Mgrad, nv)), T(0));
    const bool settled = iterations > 0 || small_gradient;
    if (settled && value(decrement) < value(tolerance)) return {iterations, true};
    each(team, nv, [&](int i) { p.search[i] = -p.Mgrad[i]; });

    T improvement;
    const T alpha = line_search(m, p, scale, improvement, team);
    if (value(alpha) == 0) return {iterations, true};
    move_along(p, alpha, team);

    copy(team, p.old_state, p.state, p.nefc);
    update_rows(p, team);
    detail::gradient(p, team);
    ++iterations;

    if (has_converged(m, p, scale, improvement)) return {iterations, true};
    factored = change_hessian(p, team);
  }
  return {iterations, false};
}

}  // namespace corten
