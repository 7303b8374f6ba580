// SPDX-License-Identifier: Apache-2.0
//
// Exact line search for the primal solvers. Along a direction the cost is convex and piecewise quadratic,
// so its derivative is a rising broken line: Newton's method lands on the root as soon as it is on the
// right piece, and a bracket with bisection keeps it from cycling between two pieces.
#pragma once

#include <corten/solver/problem.hpp>

namespace corten {

template <class T>
struct LinePoint {
  T alpha, slope, curvature;
};

namespace detail {

// derivatives of the cost at qacc + alpha search; quad1 and quad2 are those of the inertial part
template <class T, class L>
CORTEN_FN LinePoint<T> line_eval(const Problem<T, L>& p, const T& quad1, const T& quad2, const T& alpha) {
  T slope = quad1 + alpha * quad2, curvature = quad2;
  for (int r = 0; r < p.nf; ++r) {
    const T x = p.Jaref[r] + alpha * p.Jv[r], f = p.floss[r], bound = f / p.D[r];
    if (value(x) <= value(T(-bound))) {
      slope -= f * p.Jv[r];
    } else if (value(x) >= value(bound)) {
      slope += f * p.Jv[r];
    } else {
      slope += p.D[r] * x * p.Jv[r];
      curvature += p.D[r] * p.Jv[r] * p.Jv[r];
    }
  }
  for (int r = p.nf; r < p.nefc; ++r) {
    const T x = p.Jaref[r] + alpha * p.Jv[r];
    const T weight = value(x) < 0 ? p.row_work[r] : T(0);
    slope += weight * x;
    curvature += weight * p.Jv[r];
  }
  return {alpha, slope, value(curvature) > value_t<T>(min_value) ? curvature : T(min_value)};
}

// cost of a friction row
template <class T>
CORTEN_FN T friction_cost(const T& x, const T& f, const T& D) {
  const T bound = f / D;
  if (value(x) <= value(T(-bound))) return f * (-x - T(0.5) * bound);
  if (value(x) >= value(bound)) return f * (x - T(0.5) * bound);
  return T(0.5) * D * x * x;
}

// cost at alpha minus cost at 0, row by row, so that small improvements are not lost in large costs
template <class T, class L>
CORTEN_FN T line_cost(const Problem<T, L>& p, const T& quad1, const T& quad2, const T& alpha) {
  T cost = alpha * (quad1 + T(0.5) * alpha * quad2);
  for (int r = 0; r < p.nefc; ++r) {
    const T a = p.Jaref[r], b = a + alpha * p.Jv[r];
    if (r < p.nf) {
      cost += friction_cost(b, p.floss[r], p.D[r]) - friction_cost(a, p.floss[r], p.D[r]);
    } else {
      const T x = min(a, T(0)), y = min(b, T(0));
      cost += T(0.5) * p.D[r] * (y - x) * (y + x);
    }
  }
  return cost;
}

}  // namespace detail

// The step along p.search that minimises the cost, 0 if none improves it; improvement gets the decrease.
// Mv = M search and Jv = J search are left for the caller to advance its products.
template <class M, class T, class L>
CORTEN_FN T line_search(const M& m, const Problem<T, L>& p, const T& scale, T& improvement) {
  const int nv = p.nv;
  improvement = T(0);
  const T length = sqrt(dot(p.search, p.search, nv));
  if (value(length) < value_t<T>(min_value)) return T(0);
  const T tolerance = T(m.opt.tolerance) * T(m.opt.ls_tolerance) * length / scale;

  tree_multiply(m, nv, p.M, p.search, p.Mv);
  multiply(p.J, p.nefc, nv, p.search, p.Jv);
  for (int r = 0; r < p.nefc; ++r) p.row_work[r] = p.D[r] * p.Jv[r];
  const T quad1 = dot(p.search, p.Ma, nv) - dot(p.search, p.qfrc_smooth, nv);
  const T quad2 = dot(p.search, p.Mv, nv);

  // Newton from 0; points with negative slope bound the step from below, positive ones from above
  LinePoint<T> at = detail::line_eval(p, quad1, quad2, T(0));
  if (!(value(at.slope) < 0)) return T(0);
  T low = T(0), high = T(-1), best = T(0);
  for (int i = 0; i < m.opt.ls_iterations; ++i) {
    T next = at.alpha - at.slope / at.curvature;
    const bool outside = !(value(next) > value(low)) || (value(high) > 0 && !(value(next) < value(high)));
    if (outside && value(high) > 0) next = T(0.5) * (low + high);
    if (value(next) == value(at.alpha)) break;
    at = detail::line_eval(p, quad1, quad2, next);
    best = next;
    if (abs(value(at.slope)) < value(tolerance) || value(at.slope) == 0) break;
    (value(at.slope) < 0 ? low : high) = next;
  }

  const T change = detail::line_cost(p, quad1, quad2, best);
  if (!(value(change) < 0)) return T(0);
  improvement = -change;
  return best;
}

}  // namespace corten
