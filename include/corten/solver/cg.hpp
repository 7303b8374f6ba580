// SPDX-License-Identifier: Apache-2.0
//
// Conjugate gradients on the primal problem, preconditioned by the inverse of the inertia matrix.
// Search directions follow Hager and Zhang (2005), including their lower bound on β, which keeps
// every direction a descent direction.
#pragma once

#include <corten/solver/newton.hpp>

namespace corten {

namespace detail {

// grad = the gradient, Mgrad = M⁻¹ grad
template <class T, class L, bool E>
CORTEN_FN void preconditioned_gradient(const Problem<T, L, E>& p) {
  gradient(p);
  copy(p.Mgrad, p.grad, p.nv);
  tree_solve(p, p.nv, p.qLD, p.qLDiagInv, p.Mgrad);
}

// β: how much of the previous direction to keep. `old` holds the previous gradient, followed by
// M⁻¹ times it.
template <class T, class L, bool E, class B>
CORTEN_FN T conjugacy(const Problem<T, L, E>& p, const B& old) {
  const int nv = p.nv;
  T sums[3] = {T(0), T(0), T(0)};
  sum_up(nv, sums, [&p, &old, nv](int i, T* term) {
    const T y = p.grad[i] - old[i], My = p.Mgrad[i] - old[nv + i];
    term[0] = p.search[i] * y;
    term[1] = y * My;
    term[2] = y * p.Mgrad[i];
  });
  const T dy = sums[0], yMy = sums[1], yMg = sums[2];
  if (value(dy) < value_t<T>(min_value)) return T(0);
  const T beta = (yMg - T(2) * (yMy / dy) * dot(p.search, p.grad, nv)) / dy;
  const T length = sqrt(dot(p.search, p.search, nv)), slope = sqrt(dot(p.grad, p.grad, nv));
  return max(beta, T(T(-1) / max(T(min_value), T(length * min(T(0.01), slope)))));
}

}  // namespace detail

// Improves p.qacc. `scale` converts costs and gradients to the units of the tolerance.
template <class M, class T, class L, bool E>
CORTEN_ENTRY Ending cg(const M& m, const Problem<T, L, E>& p, const T& scale) {
  const int nv = p.nv;
  const T tolerance = convert<T>(m.opt.tolerance);
  const auto old = p.old;
  evaluate_start(p);
  detail::preconditioned_gradient(p);

  // The duality gap bounds the remaining cost: stop here if the start is good enough.
  const T gap = T(0.5) * scale * dot(p.grad, p.Mgrad, nv);
  if (max(value(gap), value_t<T>(0)) < value(tolerance)) return {0, true};
  for (int i = 0; i < nv; ++i) p.search[i] = -p.Mgrad[i];

  int iterations = 0;
  while (iterations < m.opt.iterations) {
    T improvement;
    const T alpha = line_search(m, p, scale, improvement);
    if (value(alpha) == 0) return {iterations, true};
    move_along(p, alpha);
    copy(old, p.grad, nv);
    copy(old.from(nv), p.Mgrad, nv);
    update_rows(p);
    detail::preconditioned_gradient(p);
    ++iterations;

    if (has_converged(m, p, scale, improvement)) return {iterations, true};
    const T beta = detail::conjugacy(p, old);
    for (int i = 0; i < nv; ++i) p.search[i] = beta * p.search[i] - p.Mgrad[i];
  }
  return {iterations, false};
}

}  // namespace corten
