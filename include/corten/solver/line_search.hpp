// SPDX-License-Identifier: Apache-2.0
//
// Exact line search for the primal solvers. Along a direction the cost is convex and, except for
// elliptic cones, piecewise quadratic, so its derivative is increasing and piecewise linear.
// Newton's method therefore hits the root as soon as it is on the right piece; a bracket with
// bisection keeps it from cycling between pieces.
#pragma once

#include <corten/solver/problem.hpp>

namespace corten {

template <class T>
struct LinePoint {
  T alpha, slope, curvature;
};

namespace detail {

// adds the derivatives of a friction row's cost
template <class T, class L, bool E>
CORTEN_FN void friction_derivatives(const Problem<T, L, E>& p, int r, LinePoint<T>& at) {
  const T x = p.Jaref[r] + at.alpha * p.Jv[r], f = p.floss[r], bound = f / p.D[r];
  if (value(x) <= value(T(-bound))) {
    at.slope -= f * p.Jv[r];
  } else if (value(x) >= value(bound)) {
    at.slope += f * p.Jv[r];
  } else {
    at.slope += p.D[r] * x * p.Jv[r];
    at.curvature += p.D[r] * p.Jv[r] * p.Jv[r];
  }
}

// An elliptic cone on the line: U + alpha V are the scaled residuals of its rows (cone.hpp). They
// are computed once per search, since a search looks at many points.
template <class T, class L>
struct ConeLine {
  T mu;
  Field<T, L> U, V;
};
template <class T, class L, bool E>
CORTEN_FN ConeLine<T, L> cone_line(const Problem<T, L, E>& p, int r) {
  return {p.mu[p.id[r]], p.row_work.from(p.nefc + r), p.row_work.from(2 * p.nefc + r)};
}
template <class T, class L, bool E>
CORTEN_FN void prepare_cone(const Problem<T, L, E>& p, int r, int dim) {
  const int c = p.id[r];
  for (int k = 0; k < dim; ++k) {
    const T factor = k == 0 ? p.mu[c] : p.friction[5 * c + k - 1];
    p.row_work[p.nefc + r + k] = factor * p.Jaref[r + k];
    p.row_work[2 * p.nefc + r + k] = factor * p.Jv[r + k];
  }
}
template <class T, class L, bool E, class G>
CORTEN_FN void prepare_cones(const Problem<T, L, E>& p, const G& team) {
  each_block(
      p, p.ne + p.nf, [&](int r, int dim) { prepare_cone(p, r, dim); }, team);
}

// Adds the derivatives of an elliptic cone's cost. Where the cost is ½ k (N - μ T)², and V is the
// rate of U along the line, T' = U·V / T and T'' = (V·V - T'²) / T.
template <int Known, class T, class L, bool E>
CORTEN_FN void cone_derivatives(const Problem<T, L, E>& p, int r, int rows, LinePoint<T>& at) {
  const int dim = Known > 0 ? Known : rows;
  const ConeLine<T, L> line = cone_line(p, r);
  T UU = T(0), UV = T(0), VV = T(0);
  for (int k = 1; k < dim; ++k) {
    const T V = line.V[k], U = line.U[k] + at.alpha * V;
    UU += U * U;
    UV += U * V;
    VV += V * V;
  }
  const T mu = line.mu, N = line.U[0] + at.alpha * line.V[0], size = safe_sqrt(UU);
  const ConstraintState zone = zone_of(value(mu), value(N), value(size));
  if (zone == ConstraintState::quadratic) {
    for (int k = 0; k < dim; ++k) {
      at.slope += p.row_work[r + k] * (p.Jaref[r + k] + at.alpha * p.Jv[r + k]);
      at.curvature += p.row_work[r + k] * p.Jv[r + k];
    }
  } else if (zone == ConstraintState::cone) {
    const T stiffness = stiffness_of(mu, T(p.D[r])), inverse = T(1) / size;
    const T rate = UV * inverse, bend = max(T(VV - rate * rate), T(0)) * inverse;
    const T gap = N - mu * size, drift = line.V[0] - mu * rate;
    at.slope += stiffness * gap * drift;
    at.curvature += stiffness * (drift * drift - gap * mu * bend);
  }
}

// derivatives of the cost at qacc + alpha search; quad1 and quad2 are those of the inertial cost at
// alpha = 0
template <class T, class L, bool E, class G>
CORTEN_FN LinePoint<T> line_eval(const Problem<T, L, E>& p, const T& quad1, const T& quad2,
                                 const T& alpha, const G& team) {
  LinePoint<T> at{alpha, T(quad1 + alpha * quad2), quad2};
  for (int r = 0; r < p.ne; ++r) {
    at.slope += p.row_work[r] * (p.Jaref[r] + alpha * p.Jv[r]);
    at.curvature += p.row_work[r] * p.Jv[r];
  }
  for (int r = p.ne; r < p.ne + p.nf; ++r) friction_derivatives(p, r, at);
  const int first = p.ne + p.nf;
  T sums[2] = {at.slope, at.curvature};
  const auto push = [&p, first, alpha](int i, T* term) {  // of a row that pushes one way
    const T v = p.Jv[first + i], x = p.Jaref[first + i] + alpha * v;
    const T weight = value(x) < 0 ? p.row_work[first + i] : T(0);
    term[0] = weight * x;
    term[1] = weight * v;
  };
  if (!E || !p.elliptic) {
    sum_up(team, p.z, p.nefc - first, sums, push);
    at.slope = sums[0], at.curvature = sums[1];
  }
  for (int r = first; E && p.elliptic && r < p.nefc; ++r) {
    const int dim = cone_dim(p, r);
    if (dim > 0) {
      with_known_dim(dim, [&](auto known) { cone_derivatives<known()>(p, r, dim, at); });
      r += dim - 1;
    } else {
      push(r - first, sums);
      at.slope += sums[0], at.curvature += sums[1];
    }
  }
  if (!(value(at.curvature) > value_t<T>(min_value))) at.curvature = T(min_value);
  return at;
}

// ½ D x² at a + step minus its value at a. For a small step, subtracting the two values would
// cancel most digits, so this function and those below compute the change from the step itself.
template <class T>
CORTEN_FN T square_change(const T& D, const T& a, const T& step) {
  return D * step * (a + T(0.5) * step);
}

// the cost of a friction row
template <class T>
CORTEN_FN T friction_cost(const T& x, const T& f, const T& D) {
  const T bound = f / D;
  if (value(x) <= value(T(-bound))) return f * (-x - T(0.5) * bound);
  if (value(x) >= value(bound)) return f * (x - T(0.5) * bound);
  return T(0.5) * D * x * x;
}

// the change of a friction row's cost, within a piece or from one piece to another
template <class T>
CORTEN_FN T friction_cost_change(const T& a, const T& step, const T& f, const T& D) {
  const auto bound = value(T(f / D)), x = value(a), y = value(T(a + step));
  if (x <= -bound && y <= -bound) return -f * step;
  if (x >= bound && y >= bound) return f * step;
  if (x > -bound && x < bound && y > -bound && y < bound) return square_change(D, a, step);
  return friction_cost(T(a + step), f, D) - friction_cost(a, f, D);
}

// the cost of a cone in a zone, at residuals Jaref + alpha Jv
template <class T, class L, bool E>
CORTEN_FN T cost_in_zone(const Problem<T, L, E>& p, int r, int dim, ConstraintState zone,
                         const T& alpha, const T& gap) {
  T sum = T(0);
  if (zone == ConstraintState::quadratic) {
    for (int k = r; k < r + dim; ++k) {
      const T x = p.Jaref[k] + alpha * p.Jv[k];
      sum += T(0.5) * p.D[k] * x * x;
    }
  } else if (zone == ConstraintState::cone) {
    sum = T(0.5) * stiffness_of(T(p.mu[p.id[r]]), T(p.D[r])) * gap * gap;
  }
  return sum;
}

// The cost of a cone at alpha minus its cost at 0. Within a zone both costs are squares of nearly
// equal numbers, so the squares are subtracted as (b - a)(b + a).
template <int Known, class T, class L, bool E>
CORTEN_FN T cone_cost_change(const Problem<T, L, E>& p, int r, int rows, const T& alpha) {
  const int dim = Known > 0 ? Known : rows;
  const ConeLine<T, L> line = cone_line(p, r);
  T start = T(0), end = T(0), stretch = T(0);  // T² at 0 and at alpha, and the difference
  for (int k = 1; k < dim; ++k) {
    const T U = line.U[k], step = alpha * line.V[k], to = U + step;
    start += U * U;
    end += to * to;
    stretch += step * (U + to);
  }
  const T mu = line.mu, N = line.U[0], M = N + alpha * line.V[0];
  const T size = safe_sqrt(start), grown = safe_sqrt(end);
  const ConstraintState before = zone_of(value(mu), value(N), value(size));
  const ConstraintState after = zone_of(value(mu), value(M), value(grown));
  if (before != after) {
    return cost_in_zone(p, r, dim, after, alpha, T(M - mu * grown)) -
           cost_in_zone(p, r, dim, before, T(0), T(N - mu * size));
  }
  T change = T(0);
  if (after == ConstraintState::quadratic) {
    for (int k = r; k < r + dim; ++k) {
      change += square_change(T(p.D[k]), T(p.Jaref[k]), T(alpha * p.Jv[k]));
    }
  } else if (after == ConstraintState::cone) {
    const T moved = alpha * line.V[0] - mu * stretch / (size + grown);
    change = square_change(stiffness_of(mu, T(p.D[r])), T(N - mu * size), moved);
  }
  return change;
}

// The cost of a row that pushes one way. If it pushes at both ends, its change is that of a square;
// otherwise the square of one end is all there is.
template <class T>
CORTEN_FN T push_cost_change(const T& D, const T& a, const T& step) {
  const T b = a + step, x = value(a) < 0 ? a : T(0), y = value(b) < 0 ? b : T(0);
  const bool both = value(a) < 0 && value(b) < 0;
  return square_change(D, x, both ? step : T(y - x));
}

// The cost at alpha minus the cost at 0. The difference is summed row by row so that small
// improvements are not lost in large costs.
template <class T, class L, bool E, class G>
CORTEN_FN T line_cost(const Problem<T, L, E>& p, const T& quad1, const T& quad2, const T& alpha,
                      const G& team) {
  T cost[1] = {alpha * (quad1 + T(0.5) * alpha * quad2)};
  int r = 0;
  for (; r < p.ne; ++r) cost[0] += square_change(T(p.D[r]), T(p.Jaref[r]), T(alpha * p.Jv[r]));
  for (; r < p.ne + p.nf; ++r) {
    cost[0] += friction_cost_change(T(p.Jaref[r]), T(alpha * p.Jv[r]), T(p.floss[r]), T(p.D[r]));
  }
  const auto push = [&p, r, alpha](int i, T* term) {
    term[0] = push_cost_change(T(p.D[r + i]), T(p.Jaref[r + i]), T(alpha * p.Jv[r + i]));
  };
  if (!E || !p.elliptic) {
    sum_up(team, p.z, p.nefc - r, cost, push);
    return cost[0];
  }
  for (int i = 0; r + i < p.nefc;) {
    const int dim = cone_dim(p, r + i);
    T term[1];
    if (dim > 0) {
      term[0] = with_known_dim(
          dim, [&](auto known) { return cone_cost_change<known()>(p, r + i, dim, alpha); });
    } else {
      push(i, term);
    }
    cost[0] += term[0];
    i += dim > 0 ? dim : 1;
  }
  return cost[0];
}

}  // namespace detail

template <class M, class T, class L, bool E, class G = Alone>
CORTEN_FN T line_search_along(const M& m, const Problem<T, L, E>& p, const T& scale, T& improvement,
                              const G& team = {});

// Returns the step along p.search that minimises the cost, or 0 if no step improves it, and stores
// the decrease in `improvement`. Leaves Mv = M search and Jv = J search in p for move_along().
template <class M, class T, class L, bool E, class G = Alone>
CORTEN_FN T line_search(const M& m, const Problem<T, L, E>& p, const T& scale, T& improvement,
                        const G& team = {}) {
  tree_multiply(team, p, p.nv, p.M, p.search, p.Mv);
  return line_search_along(m, p, scale, improvement, team);
}

// the same with Mv as it is
template <class M, class T, class L, bool E, class G>
CORTEN_FN T line_search_along(const M& m, const Problem<T, L, E>& p, const T& scale, T& improvement,
                              const G& team) {
  const int nv = p.nv;
  improvement = T(0);
  const T length = sqrt(dot(p.search, p.search, nv));
  if (value(length) < value_t<T>(min_value)) return T(0);
  const T tolerance = convert<T>(m.opt.tolerance) * convert<T>(m.opt.ls_tolerance) * length / scale;

  multiply(team, p.J, p.nefc, p.search, p.Jv);
  each(team, p.nefc, [&](int r) { p.row_work[r] = p.D[r] * p.Jv[r]; });
  if (E && p.elliptic) detail::prepare_cones(p, team);
  const T quad1 = dot(p.search, p.Ma, nv) - dot(p.search, p.qfrc_smooth, nv);
  const T quad2 = dot(p.search, p.Mv, nv);

  // Newton's method from 0. Points with negative slope bound the step from below, points with
  // positive slope from above.
  LinePoint<T> at = detail::line_eval(p, quad1, quad2, T(0), team);
  if (!(value(at.slope) < 0)) return T(0);
  T low = T(0), high = T(-1), best = T(0);
  for (int i = 0; i < m.opt.ls_iterations; ++i) {
    T next = at.alpha - at.slope / at.curvature;
    const bool outside =
        !(value(next) > value(low)) || (value(high) > 0 && !(value(next) < value(high)));
    if (outside && value(high) > 0) next = T(0.5) * (low + high);
    if (value(next) == value(at.alpha)) break;
    at = detail::line_eval(p, quad1, quad2, next, team);
    best = next;
    if (abs(value(at.slope)) < value(tolerance) || value(at.slope) == 0) break;
    (value(at.slope) < 0 ? low : high) = next;
  }

  const T change = detail::line_cost(p, quad1, quad2, best, team);
  if (!(value(change) < 0)) return T(0);
  improvement = -change;
  return best;
}

// ---- the frame of a primal solver ---------------------------------------------------------------

// Ma, Jaref, forces and states at the acceleration p.qacc
template <class T, class L, bool E, class G = Alone>
CORTEN_FN void evaluate_start(const Problem<T, L, E>& p, const G& team = {}) {
  if (p.evaluated) return;
  tree_multiply(team, p, p.nv, p.M, p.qacc, p.Ma);
  residuals(p, p.qacc, team);
  update_rows(p, team);
}

// moves p.qacc by alpha along p.search, together with the products Ma and Jaref that depend on it
template <class T, class L, bool E, class G = Alone>
CORTEN_FN void move_along(const Problem<T, L, E>& p, const T& alpha, const G& team = {}) {
  axpy(team, alpha, p.search, p.qacc, p.nv);
  axpy(team, alpha, p.Mv, p.Ma, p.nv);
  axpy(team, alpha, p.Jv, p.Jaref, p.nefc);
}

// is the improvement of the last step or the gradient p.grad smaller than the tolerance?
template <class M, class T, class L, bool E>
CORTEN_FN bool has_converged(const M& m, const Problem<T, L, E>& p, const T& scale,
                             const T& improvement) {
  const T tolerance = convert<T>(m.opt.tolerance),
          gradient = scale * sqrt(dot(p.grad, p.grad, p.nv));
  return value(T(scale * improvement)) < value(tolerance) || value(gradient) < value(tolerance);
}

}  // namespace corten
