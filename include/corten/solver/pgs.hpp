// SPDX-License-Identifier: Apache-2.0
//
// Projected Gauss-Seidel on the dual problem. Each visit minimises the cost over one force, or
// over the forces of one elliptic cone, within their constraints. The order of visits is shuffled
// with a fixed stream of PCG32 numbers (O'Neill 2014). The iterates are extrapolated with Nesterov
// momentum, which restarts when a sweep moves against the extrapolation (O'Donoghue and Candès
// 2015).
#pragma once

#include <corten/solver/dual_problem.hpp>

#include <cstdint>

namespace corten {

namespace detail {

// PCG32 with a fixed seed, so every solve uses the same order
struct Shuffler {
  std::uint64_t state = 0;

  CORTEN_FN Shuffler() { next(); }

  CORTEN_FN std::uint32_t next() {
    const std::uint64_t old = state;
    state = old * 6364136223846793005ULL + 1ULL;
    const auto mixed = static_cast<std::uint32_t>(((old >> 18u) ^ old) >> 27u);
    const auto turn = static_cast<std::uint32_t>(old >> 59u);
    return (mixed >> turn) | (mixed << ((32u - turn) & 31u));
  }

  // Fisher-Yates
  template <class I>
  CORTEN_FN void shuffle(const I& order, int n) {
    for (int i = n - 1; i > 0; --i) {
      const int j = static_cast<int>(next() % static_cast<std::uint32_t>(i + 1));
      const int kept = order[i];
      order[i] = order[j];
      order[j] = kept;
    }
  }
};

// projects the force of row r onto its interval
template <class T, class L, bool E>
CORTEN_FN T project(const Problem<T, L, E>& p, int r, const T& force) {
  if (r < p.ne) return force;
  return r < p.ne + p.nf ? clamp(force, T(-p.floss[r]), T(p.floss[r])) : max(force, T(0));
}

// Projects the forces of a contact onto its cone: without a normal force all are zero, otherwise
// friction lies inside the ellipsoid.
template <class T, class L, bool E>
CORTEN_FN void project_cone(const Problem<T, L, E>& p, int r, int dim) {
  if (value(p.force[r]) < 0) {
    fill(p.force.from(r), dim, T(0));
    return;
  }
  const ConeScale<T> scale = cone_scale(p, r, dim);
  Vec<T, 6> f = cone_rows<T>(p.force, r, dim);
  project_ellipsoid(dim - 1, scale.factor.data() + 1, T(f[0]), true, f.data() + 1);
  for (int k = 1; k < dim; ++k) p.force[r + k] = f[k];
}

// What visits look up: residuals AR f + b, and the diagonal of AR. A visit has to wait for the one
// before it, so what counts is the time from a change of a force to the next residual. Where AR is
// stored, the residuals of all rows follow each change, instead of a sum over all forces in each
// visit, and as in MuJoCo a visit multiplies by the inverse of the diagonal. The residual of the
// row that comes next is computed first and needs no way through memory. Residuals are computed
// anew before each sweep, so rounding does not add up.
template <class T, class L, bool E, class G>
struct DualVisits {
  const Problem<T, L, E>& p;
  Field<T, L> b;
  const G& team;
  int next_row = -1;  // whose residual is `ahead`
  T ahead = T(0);

  CORTEN_FN Field<T, L> inverse() const { return p.Jaref; }
  CORTEN_FN Field<T, L> kept() const { return p.Jv; }  // residuals, or the diagonal if compressed

  CORTEN_FN void begin() const {
    each(team, p.nefc, [&](int r) {
      const T entry = dual_entry(p, r, r);
      inverse()[r] = T(1) / entry;
      if (p.J.compressed) kept()[r] = entry;
    });
  }
  CORTEN_FN void begin_sweep() const {
    if (p.J.compressed) return make_z(p);  // by one thread alone
    if constexpr (!G::many) multiply(p.AR, p.nefc, p.nefc, p.force, kept());
    each(team, p.nefc,
         [&](int r) { kept()[r] = G::many ? dual_residual(p, b, r) : b[r] + kept()[r]; });
  }
  CORTEN_FN T residual(int r) const {
    if (r == next_row) return ahead;
    return p.J.compressed ? dual_residual(p, b, r) : T(kept()[r]);
  }
  CORTEN_FN T diagonal(int r) const { return p.J.compressed ? T(kept()[r]) : dual_entry(p, r, r); }

  // The force of row r becomes `next`; all threads know what it was. The row to come is that of the
  // next visit, or -1.
  CORTEN_FN void move(int r, const T& old, const T& next, int to_come) {
    team.wait();
    if (team.leads()) p.force[r] = next;
    if (p.J.compressed) return force_moved(p, r, old);
    const auto row = p.AR.from(r * p.nefc);
    const T step = next - old;
    next_row = to_come;
    if (to_come >= 0) ahead = kept()[to_come] + step * row[to_come];
    axpy(team, step, row, kept(), p.nefc);
  }
};

// minimises over the force of one row; returns the decrease of the cost
template <class T, class L, bool E, class G>
[[gnu::always_inline]] CORTEN_FN T visit_row(DualVisits<T, L, E, G>& visits, int r, int to_come) {
  const Problem<T, L, E>& p = visits.p;
  const T residual = visits.residual(r), old = p.force[r];
  const T next = project(p, r, T(old - residual * visits.inverse()[r]));
  const T change = cost_change(T(next - old), visits.diagonal(r), residual);
  visits.next_row = -1;
  if (value(change) > value_t<T>(1e-10)) return T(0);
  visits.move(r, old, next, to_come);
  return -change;
}

// Minimises over the normal force alone if there was none, otherwise over the scale of all forces
// together: a ray from the origin stays inside the cone.
template <class T>
CORTEN_FN void normal_or_ray(int dim, const T* A, const T* residual, Vec<T, 6>& f) {
  if (value(f[0]) < value_t<T>(min_value)) {
    f[0] = max(T(f[0] - residual[0] / A[0]), T(0));
    for (int k = 1; k < dim; ++k) f[k] = T(0);
    return;
  }
  T curvature = T(0), slope = T(0);
  for (int i = 0; i < dim; ++i) {
    slope += f[i] * residual[i];
    for (int k = 0; k < dim; ++k) curvature += f[i] * A[i * dim + k] * f[k];
  }
  if (!(value(curvature) >= value_t<T>(min_value))) return;
  const T x = max(T(-slope / curvature), T(-1));
  for (int k = 0; k < dim; ++k) f[k] += x * f[k];
}

// Minimises over the normal force or the ray of a contact, then over its friction. Returns the
// decrease of the cost.
template <class T, class L, bool E, class G>
CORTEN_FN T visit_cone(DualVisits<T, L, E, G>& visits, int r, int dim) {
  const Problem<T, L, E>& p = visits.p;
  const ConeScale<T> scale = cone_scale(p, r, dim);
  T A[36] = {}, residual[6] = {}, old[6] = {};
  for (int i = 0; i < dim; ++i) {
    residual[i] = visits.residual(r + i);
    old[i] = p.force[r + i];
    for (int k = 0; k < dim; ++k) A[i * dim + k] = dual_entry(p, r + i, r + k);
  }
  Vec<T, 6> f = cone_rows<T>(p.force, r, dim);
  normal_or_ray(dim, A, residual, f);

  // friction; q.b is the residual for zero friction and the new normal force
  FrictionProblem<T> q;
  q.n = dim - 1;
  for (int i = 1; i < dim; ++i) {
    q.d[i - 1] = scale.factor[i];
    q.b[i - 1] = residual[i] + A[i * dim] * (f[0] - old[0]);
    for (int k = 1; k < dim; ++k) {
      q.A[(i - 1) * q.n + k - 1] = A[i * dim + k];
      q.b[i - 1] -= A[i * dim + k] * old[k];
    }
  }
  if (value(f[0]) < value_t<T>(min_value)) {
    for (int k = 1; k < dim; ++k) f[k] = T(0);
  } else {
    solve_friction(q, T(f[0]), f.data() + 1);
  }
  const T change = block_change(dim, A, residual, old, f.data());
  for (int k = 0; k < dim; ++k) visits.move(r + k, old[k], f[k], -1);
  return -change;
}

// Extrapolates the forces along their last change and projects them back onto their constraints.
// `start` receives the forces that the sweep starts from.
template <class T, class L, bool E, class B, class G>
CORTEN_FN void extrapolate(const Problem<T, L, E>& p, int momentum, const B& previous,
                           const B& start, const G& team) {
  const T beta = momentum > 1 ? T(momentum - 1) / T(momentum + 2) : T(0);
  each(team, p.nefc, [&](int r) {
    const T f = p.force[r];
    if (momentum > 1) p.force[r] = f + beta * (f - previous[r]);
    previous[r] = f;
  });
  const auto restrain = [&](int r, int dim) {
    if (dim > 0) {
      project_cone(p, r, dim);
    } else {
      p.force[r] = project(p, r, T(p.force[r]));
    }
  };
  if (momentum > 1) each_block(p, 0, restrain, team);
  copy(team, start, p.force, p.nefc);
}

// Lists in p.order the first row of each block that is visited at once: a cone or a single row.
// Returns the number of blocks.
template <class T, class L, bool E, class G>
CORTEN_FN int list_blocks(const Problem<T, L, E>& p, const G& team) {
  int count = 0;
  for (int r = 0; r < p.nefc; ++count) {
    if (team.leads()) p.order[count] = r;
    const int dim = cone_dim(p, r);
    r += dim > 0 ? dim : 1;
  }
  return count;
}

}  // namespace detail

// Improves p.force, which holds the warm start. finish_dual() computes p.qacc and p.qfrc_constraint
// from it.
template <class M, class T, class L, bool E, class G = Alone>
CORTEN_ENTRY Ending pgs(const M& m, const Problem<T, L, E>& p, const G& team = {}) {
  const int n = p.nefc;
  const T scale = detail::dual_scale<T>(m);
  const auto b = p.row_work, previous = p.row_work.from(n), start = p.row_work.from(2 * n);
  detail::make_AR(p, team);
  detail::make_b(p, b, team);
  detail::DualVisits<T, L, E, G> visits{p, b, team};
  visits.begin();

  const int blocks = detail::list_blocks(p, team);
  copy(team, previous, p.force, n);
  detail::Shuffler shuffler;
  int sweeps = 0, momentum = 0;
  bool converged = false;
  while (sweeps < m.opt.iterations) {
    detail::extrapolate(p, momentum, previous, start, team);
    visits.begin_sweep();
    once(team, [&] { shuffler.shuffle(p.order, blocks); });
    T improvement = T(0);
    for (int k = 0; k < blocks; ++k) {
      const int r = p.order[k], dim = cone_dim(p, r);
      const int next = k + 1 < blocks ? int(p.order[k + 1]) : -1;
      improvement +=
          dim > 0 ? detail::visit_cone(visits, r, dim) : detail::visit_row(visits, r, next);
    }
    team.wait();

    // restart the momentum when the sweep moves against it
    T against = T(0);
    for (int r = 0; r < n; ++r) against += (p.force[r] - start[r]) * (start[r] - previous[r]);
    momentum = sweeps > 0 && value(against) < 0 ? 0 : momentum + 1;
    ++sweeps;
    const bool done = value(T(improvement * scale)) < value(convert<T>(m.opt.tolerance));
    converged = done || !(value(improvement) > 0);
    if (done) break;
  }
  once(team, [&] { detail::dual_states(p); });
  return {sweeps, converged};
}

}  // namespace corten
