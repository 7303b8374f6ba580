// SPDX-License-Identifier: Apache-2.0
//
// A and B of a step, analytically: by recursions over the tree, local dual numbers where elements
// touch one or two bodies, and one factorisation for all columns.
#pragma once

#include <corten/derive/analytic/actuator_slope.hpp>
#include <corten/derive/analytic/advance_slope.hpp>
#include <corten/derive/analytic/contact_slope.hpp>
#include <corten/derive/analytic/coverage.hpp>
#include <corten/derive/analytic/force_slope.hpp>
#include <corten/derive/analytic/hessian.hpp>
#include <corten/derive/analytic/row_slope.hpp>
#include <corten/derive/analytic/sensor_slope.hpp>
#include <corten/derive/matrices.hpp>

#include <vector>

namespace corten::derive::analytic {

// Scratch of local duals.
template <class S>
struct Local {
  std::vector<Hit<S>> hits;
  FreePair<S> pair;
};

// Are all trees awake, and will they still be after the step?
template <class M, class D>
bool stays_awake(const M& m, const D& d) {
  if (!m.opt.enabled(enable_sleep)) return true;
  for (int t = 0; t < d.n.nsleep; ++t) {
    if (d.tree_asleep[t] >= -2) return false;  // -1 falls asleep
  }
  return true;
}

// Does every tree stay as awake or asleep as it is? One that sleeps keeps its state, and touches
// nothing that moves, so it has no part in the derivatives of the others: what is computed for it
// as if it were awake is replaced (each_still_dof). One that falls asleep is left to dual numbers,
// and so are activations, which may look at trees that sleep.
template <class M, class D>
bool keeps_sleep(const M& m, const D& d) {
  if (!m.opt.enabled(enable_sleep)) return true;
  for (int t = 0; t < d.n.nsleep; ++t) {
    if (d.tree_asleep[t] == -1 || d.tree_asleep[t] == -2) return false;
  }
  return d.nasleep == 0 || m.n.na == 0;
}

// f(i) for each dof that sleeps
template <class M, class D, class F>
void each_still_dof(const M& m, const D& d, F&& f) {
  each_sleeper(m, d, [&](int t) {
    for (int i = m.tree_dofadr[t]; i < m.tree_dofadr[t] + m.tree_dofnum[t]; ++i) f(i);
  });
}

// Has a solver of the primal problem, in this forward pass, left all rows at its acceleration? A
// solver of the dual problem leaves other forces than those at its acceleration, and one that takes
// islands apart leaves residuals of their starts.
template <class M, class D>
bool solver_left_rows(const M& m, const D& d) {
  return m.opt.solver != static_cast<int>(Solver::pgs) && d.nisland == 1 && d.nidof == d.n.nv;
}

// Puts all rows at the acceleration of d.
template <class M, class D>
void refresh_rows(const M& m, const D& d) {
  if (d.nefc == 0) return;
  const auto p = make_problem(m, d);
  residuals(p, p.qacc);
  update_rows(p);
  map_forces(p);
}

// all forces but those of inertia
template <class M, class D, class E, class T, class S>
bool add_elements(const M& m, const D& d, const E& dual, const Workspace<T>& w, Local<S>& local) {
  w.bends.find(m, d, dual, w.group, w.group_end);
  passive_slopes(m, d, dual, w);
  actuator_slopes(m, d, dual, w);
  if (d.nefc > 0 && !row_slopes(m, d, dual, w, local.pair)) return false;
  if (d.ncon == 0 || (d.nefc == 0 && !has_adhesion(m))) return true;
  return contact_slopes(m, d, dual, make_problem(m, d), w, local.hits.data());
}

// Computes ∂g/∂θ at the state of d, on which forward() has run, as if all trees were awake, except
// for the forces on bodies, of which it leaves force, damping, stiffness and resistance; `dual` is
// scratch. `direct`: at the acceleration in `advance` instead of that of d. `left`: the rows are at
// the acceleration of d. Returns false if the derivatives of some row remain unknown.
template <class M, class D, class E, class T, class S>
bool element_slopes(const M& m, const D& d, const E& dual, const Workspace<T>& w, Local<S>& local,
                    bool direct = false, bool left = false) {
  if (!left) refresh_rows(m, d);
  fill(w.slope, w.nv * w.width, T(0));
  spread_motion(m, d, w, direct ? w.advance : Field<T>(d.qacc));
  inertial_forces(m, d, w);
  return add_elements(m, d, dual, w, local);
}

// the whole of ∂g/∂θ
template <class M, class D, class E, class T, class S>
bool force_slope(const M& m, const D& d, const E& dual, const Workspace<T>& w, Local<S>& local,
                 bool direct = false, bool left = false) {
  if (!element_slopes(m, d, dual, w, local, direct, left)) return false;
  gather(m, w);
  for (int i = 0; i < w.nv; ++i) project(m, d, w, i);
  return true;
}

// Replaces ∂g/∂θ in `slope` by da/dθ = -H⁻¹ ∂g/∂θ.
template <class M, class D, class T>
void solve_slopes(const M& m, const D& d, const Workspace<T>& w) {
  for (int i = 0; i < w.nv * w.width; ++i) w.slope[i] = -w.slope[i];
  const bool deep = DeepTree<T>::suits(m);
  if (deep) w.deep.factor(m, d, nullptr);
  if (d.nefc == 0) {
    if (deep) return w.deep.solve(m, w.slope.data, w.width);
    return tree_columns(m, w.nv, d.qLD, d.qLDiagInv, w.slope, w.width);
  }
  if (deep && w.deep.solve_hessian(m, d, make_problem(m, d), w.slope.data, w.width)) return;
  factor_hessian(m, d, w);
  solve_hessian(m, w, w.slope);
}

// Writes A and B, given the derivatives of the next velocity (`slope`) and position (`change`).
template <class T>
void write_transition(const Workspace<T>& w, Transition<T>& out) {
  const int nv = w.nv, nx = out.nx, nu = out.nu;
  const auto write = [&](int first, int count, const Field<T>& from) {
    for (int i = 0; i < count; ++i) {
      const T* const row = from.data + i * w.width;
      T* const a = out.A.data() + (first + i) * nx;
      T* const b = out.B.data() + (first + i) * nu;
      for (int k = 0; k < nx; ++k) a[k] = row[k];
      for (int k = 0; k < nu; ++k) b[k] = row[nx + k];
    }
  };
  write(0, nv, w.change);
  write(nv, nv, w.slope);
  write(2 * nv, w.na, w.next);
}

// The same, given the derivatives of the acceleration that the integrator uses (`slope`) and the
// next velocity (`rest`). Large matrices do not fit into the cache, so each row is written only
// once.
template <class M, class D, class T>
void write_step(const M& m, const D& d, const Workspace<T>& w, const T& h, Transition<T>& out) {
  const int nv = w.nv, nx = out.nx, nu = out.nu;
  // three pieces of memory that do not overlap, which saves small models the time to find that out
  const auto rows = [&](const T* __restrict from, int count, T* __restrict velocity,
                        T* __restrict position) {
    for (int k = 0; k < count; ++k) {
      const T x = h * from[k];
      velocity[k] = x, position[k] = h * x;
    }
  };
  for (int i = 0; i < nv; ++i) {
    T *const position = out.A.data() + i * nx, *const velocity = position + nv * nx;
    rows(w.row(i), nx, velocity, position);
    rows(w.row(i) + nx, nu, out.B.data() + (nv + i) * nu, out.B.data() + i * nu);
    velocity[nv + i] += T(1), position[nv + i] += h, position[i] += T(1);
  }
  each_rotation(m, w.rest, h, [&](int v, const Mat3<T>& by_q, const Mat3<T>& by_phi) {
    const auto turn = [&](T* position, int count, bool by_state) {
      const T* const velocity = position + nv * count;
      for (int c = 0; c < count; ++c) {
        const Vec3<T> rate(velocity[c], velocity[count + c], velocity[2 * count + c]);
        Vec3<T> change = h * (by_phi * rate);
        if (by_state && c >= v && c < v + 3) change += by_q.col(c - v);
        for (int k = 0; k < 3; ++k) position[k * count + c] = change[k];
      }
    };
    turn(out.A.data() + v * nx, nx, true);
    turn(out.B.data() + v * nu, nu, false);
  });
  for (int i = 0; i < w.na; ++i) {
    const T* const row = w.next.data + i * w.width;
    for (int k = 0; k < nx; ++k) out.A(2 * nv + i, k) = row[k];
    for (int k = 0; k < nu; ++k) out.B(2 * nv + i, k) = row[nx + k];
  }
  each_still_dof(m, d, [&](int i) {
    for (const int k : {i, nv + i}) {
      out.A.row(k).setZero(), out.B.row(k).setZero();
      out.A.col(k).setZero();
    }
    out.A(i, i) = out.A(nv + i, nv + i) = T(1);
  });
}

// A and B, and with `reading` C and D, of a step that evaluates the forces once, on whose data
// forward() has run. Returns false if some derivative remains unknown.
template <class M, class D, class E, class T, class S>
bool step_slope(const M& m, const D& d, const E& dual, const Workspace<T>& w, Local<S>& local,
                bool reading, Transition<T>& out, Status& status) {
  if (reading ? !stays_awake(m, d) : !keeps_sleep(m, d)) return false;
  const T h = T(m.opt.timestep);
  const bool direct = !reading && takes_direct(m, d);
  if (direct) status.bits |= factor_integrator(m, d, w, is_fast(m), w.pivots);
  if (!force_slope(m, d, dual, w, local, direct, solver_left_rows(m, d))) return false;
  if (!direct) solve_slopes(m, d, w);
  if (reading) sensor_slopes(m, d, dual, w, local.hits.data(), out);
  status.bits |= integrator_slope(m, d, dual, w, direct);
  if (w.na > 0) next_activations(m, d, dual, w);
  for (int i = 0; i < w.nv; ++i) w.rest[i] = d.qvel[i] + h * w.advance[i];
  write_step(m, d, w, h, out);
  return true;
}

}  // namespace corten::derive::analytic
