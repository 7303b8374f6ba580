// SPDX-License-Identifier: Apache-2.0
//
// The adjoint of a step: given the gradient λ' of a cost by the next state, its gradients by state
// and control, A'λ' and B'λ', without A and B. One solve replaces one per column:
//
//   λ'·da' = ζ·da + y·(∂M (a - a') - ∂Δ a'),   N y = h μ,   ζ = M y,   ζ·da = -(H⁻¹ ζ)·∂g/∂θ
//
// where μ is the gradient by the next velocity, which moves the position too, and N = M + Δ the
// integrator's matrix (advance_slope.hpp). Without constraints H is M, and H⁻¹ ζ is y. So solves
// come first, and every element adds its share of the gradient right away (Workspace::at, pulled).
// RK4 has such an adjoint per stage, from the last to the first.
#pragma once

#include <corten/derive/analytic/step_slope.hpp>

#include <algorithm>
#include <vector>

namespace corten::derive::analytic {

// the methods whose adjoint is found directly
template <class M>
bool has_adjoint(const M& m) {
  return m.opt.integrator == static_cast<int>(Integrator::euler) || is_rk4(m) ||
         (m.opt.integrator == static_cast<int>(Integrator::implicitfast) && !has_free_body(m));
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

// y·∂Δ a' for the damping of dofs; y is in `pivots`
template <class M, class D, class T>
void pull_damping(const M& m, const D& d, const Workspace<T>& w, T* out) {
  if (m.opt.disabled(disable_damper)) return;
  for (int i = 0; i < w.nv; ++i) {
    const T bend = damping_bend(dof_damping<T>(m, i), T(d.qvel[i]));
    out[w.velocity + i] -= w.pivots[i] * T(m.opt.timestep) * bend * w.advance[i];
  }
}

// can the slopes of actuators, tendons and fluid, which implicitfast has in its matrix, change?
template <class M>
bool may_bend(const M& m) {
  bool out = m.n.ntendon > 0 || has_fluid(m);
  for (int a = 0; a < m.n.nactuator && !out; ++a) {
    out = !has_constant_slope(m, a) || acts_along_bend(m, a);
  }
  return out;
}

// While it lives, elements add to `out` what they would add to ∂g/∂θ, times -ζ.
template <class T>
class Pulling {
 public:
  Pulling(const Workspace<T>& work, T* out) : w(work) { w.pulled = out; }
  ~Pulling() { w.pulled = nullptr; }
  Pulling(const Pulling&) = delete;
  Pulling& operator=(const Pulling&) = delete;

 private:
  const Workspace<T>& w;
};

// ζ = H⁻¹ ζ
template <class M, class D, class T>
void solve_weight(const M& m, const D& d, const Workspace<T>& w) {
  if (d.nefc == 0) return solve_M(m, d, w.weight);
  factor_hessian(m, d, w);
  solve_hessian_vector(m, w, w.weight);
}

// out -= ζ·∂g/∂θ at the given acceleration, and y·∂M x. Returns false if some derivative remains
// unknown.
template <class M, class D, class E, class T, class S>
bool pull_forces(const M& m, const D& d, const E& dual, const Workspace<T>& w, Local<S>& local,
                 const Field<T>& qacc, const Moved<T>& moved, T* out) {
  begin_pull(m, d, w, qacc, moved);
  if (!add_elements(m, d, dual, w, local)) return false;
  end_pull(m, d, w, qacc, moved, out);
  return true;
}

// Adds the gradient of weight·x, where x is a number per activation in the data with duals, as
// dual_actuators() seeded it.
template <class M, class D, class E, class T, class X>
void pull_activations(const M& m, const D& d, const E& dual, const Workspace<T>& w, const X& x,
                      const T* weight, T* out) {
  using S = typename E::Scalar;
  for (int a = 0; a < m.n.nactuator; ++a) {
    T local[static_cast<std::size_t>(tangent_count<S>)];
    for (int i = m.actuator_actadr[a]; i < m.actuator_actadr[a] + m.actuator_actnum[a]; ++i) {
      for (int k = 0; k < tangent_count<S>; ++k) local[k] = tangent(x[i], k);
      chain_inputs(m, d, dual, w, a, local, weight[i], out);
    }
  }
}

// The factor of the integrator's matrix N.
template <class T>
struct IntegratorFactor {
  Field<T> matrix, pivots;
};

// Finds it, and writes a' to `advance`. `advanced`: the step has been taken, and has left both.
template <class M, class D, class T>
IntegratorFactor<T> factor_for_pull(const M& m, const D& d, const Workspace<T>& w, bool advanced,
                                    Status& status) {
  if (advanced) {
    copy(w.advance, d.work_nv, w.nv);
    status.bits |= d.status & (singular_step | indefinite_step);
    return {d.work_M, d.work_nv.from(w.nv)};
  }
  status.bits |= factor_integrator(m, d, w, is_fast(m), d.work_nv);
  return {w.matrix, d.work_nv};
}

// ζ in `weight` and y in `pivots`, from h μ in `rest`
template <class M, class D, class T>
void pull_integrator(const M& m, const D& d, const Workspace<T>& w, const IntegratorFactor<T>* n) {
  copy(w.weight, w.rest, w.nv);
  if (n == nullptr) return solve_weight(m, d, w);
  copy(w.pivots, w.rest, w.nv);
  tree_solve(m, w.nv, n->matrix, n->pivots, w.pivots);
  if (d.nefc == 0) return copy(w.weight, w.pivots, w.nv);
  tree_multiply(m, w.nv, d.M, w.pivots, w.weight);
  solve_weight(m, d, w);
}

// Gradients by all inputs, in the order of the columns, at the state of d, on which forward() has
// run; `advanced`: the integrator too, and the state has been put back. Returns false if some
// derivative remains unknown.
template <class M, class D, class E, class T, class S>
bool pull_step(const M& m, const D& d, const E& dual, const Workspace<T>& w, Local<S>& local,
               bool advanced, const T* next, T* out, Status& status) {
  if (!keeps_sleep(m, d)) return false;
  const int nv = w.nv;
  const T h = T(m.opt.timestep);
  const bool direct = takes_direct(m, d), fast = is_fast(m);
  const bool damped = fast || corten::detail::damped(m, d);
  // the forces of a dual solver are not those at its acceleration
  const bool same = d.nefc == 0 || m.opt.solver != static_cast<int>(Solver::pgs);
  if (!solver_left_rows(m, d)) refresh_rows(m, d);
  copy(w.advance, d.qacc, nv);
  IntegratorFactor<T> factor;
  if (damped) factor = factor_for_pull(m, d, w, advanced && same, status);
  for (int k = 0; k < w.columns; ++k) out[k] = T(0);
  const Pulling<T> pulling(w, out);
  pull_position(m, d, w, next, out);
  for (int i = 0; i < nv; ++i) out[w.velocity + i] = w.rest[i], w.rest[i] *= h;
  each_still_dof(m, d, [&](int i) {
    out[i] = next[i], out[w.velocity + i] = next[nv + i];
    w.rest[i] = T(0);
  });
  pull_integrator(m, d, w, damped ? &factor : nullptr);
  Moved<T> moved;
  if (damped && !direct) {
    moved = {w.rest, w.pivots};
    for (int i = 0; i < nv; ++i) w.rest[i] = w.advance[i] - d.qacc[i];
  }
  const Field<T> at = direct ? w.advance : Field<T>(d.qacc);
  if (!pull_forces(m, d, dual, w, local, at, moved, out)) return false;
  if (damped) {
    pull_damping(m, d, w, out);
    if (fast && may_bend(m)) {
      fill(w.change, nv * w.width, T(0));
      add_slope_changes(m, d, dual, w, w.change, true);
      for (int i = 0; i < nv; ++i) {
        const T* const row = w.change.data + i * w.width;
        for (int k = 0; k < w.columns; ++k) out[k] -= w.pivots[i] * row[k];
      }
    }
  }
  if (w.na == 0) return true;
  if (m.opt.disabled(disable_actuation)) {
    for (int i = 0; i < w.na; ++i) out[w.activation + i] += next[2 * nv + i];
  } else {
    advance_activations(m, dual, dual.act_dot);
    pull_activations(m, d, dual, w, dual.act, next + 2 * nv, out);
  }
  return true;
}

// ---- RK4 ----------------------------------------------------------------------------------------

// weight of a stage in the step, and the time at which it lies
template <class T>
T rk4_weight(int stage) {
  return stage == 0 || stage == 3 ? T(1) / T(6) : T(1) / T(3);
}
template <class M>
auto rk4_time(const M& m, int stage) {
  using T = typename M::Scalar;
  const T h = T(m.opt.timestep);
  return stage == 0 ? T(0) : stage == 3 ? h : T(T(0.5) * h);
}

// Writes the state of a stage after the first one, from that of the step and the stage before.
template <class M, class D>
void rk4_trial(const M& m, const D& first, const D& before, const D& to, int stage) {
  using T = typename D::Scalar;
  const T step = T(rk4_time(m, stage));
  copy_states(first, to);
  integrate_position(m, to.qpos, before.qvel, step);
  for (int i = 0; i < m.n.nv; ++i) to.qvel[i] = first.qvel[i] + step * before.qacc[i];
  for (int i = 0; i < m.n.na; ++i) to.act[i] = first.act[i] + step * before.act_dot[i];
  to.time = first.time.get() + step;
}

// sums over the stages of velocities, accelerations and rates of activations, times weights
template <class T>
struct StageSums {
  std::vector<T> velocity, acceleration, rate;

  template <class M, class F>
  void add_up(const M& m, F&& stage) {
    velocity.assign(static_cast<std::size_t>(m.n.nv), T(0)), acceleration = velocity;
    rate.assign(static_cast<std::size_t>(m.n.na), T(0));
    for (int s = 0; s < 4; ++s) {
      const auto& d = stage(s);
      const T weight = rk4_weight<T>(s);
      const auto add = [&](std::vector<T>& to, const auto& x) {
        for (std::size_t i = 0; i < to.size(); ++i) {
          const T own = x[static_cast<int>(i)];
          to[i] += s == 0 ? T(own / T(6)) : T(weight * own);
        }
      };
      add(velocity, d.qvel), add(acceleration, d.qacc), add(rate, d.act_dot);
    }
  }
};

// Gradients by acceleration, velocity and rates at each stage, and by the inputs of one.
template <class T>
struct StagePulls {
  StageSums<T> sums;
  std::vector<T> a[4], v[4], rate[4], inputs;

  template <class T2>
  void start(const Workspace<T2>& w, const T* next, const std::vector<T>& by_velocity, const T& h) {
    for (int s = 0; s < 4; ++s) {
      const T weight = rk4_weight<T>(s);
      a[s].resize(static_cast<std::size_t>(w.nv)), v[s].resize(a[s].size());
      rate[s].assign(static_cast<std::size_t>(w.na), T(0));
      for (std::size_t i = 0; i < a[s].size(); ++i) {
        a[s][i] = weight * h * next[w.nv + static_cast<int>(i)];
        v[s][i] = weight * by_velocity[i];
      }
    }
  }
};

// Adds the gradients by position and velocity of q' = q ⊕ h v, given that by q'.
template <class M, class T>
void pull_motion(const M& m, const Field<T>& velocity, const T& h, const T* next, T* by_q,
                 T* by_v) {
  const auto plain = [&](int i) { by_q[i] += next[i], by_v[i] += h * next[i]; };
  int done = 0;
  each_rotation(m, velocity, h, [&](int v, const Mat3<T>& turn, const Mat3<T>& by_phi) {
    while (done < v) plain(done++);
    const Vec3<T> given(next[v], next[v + 1], next[v + 2]);
    const Vec3<T> q = turn.transpose() * given, phi = by_phi.transpose() * given;
    for (int k = 0; k < 3; ++k) by_q[v + k] += q[k], by_v[v + k] += h * phi[k];
    done = v + 3;
  });
  while (done < m.n.nv) plain(done++);
}

// Through the activations after the step, which advance from the first state at the weighted rates:
// adds the gradient by the former to `out`, and that by the rate at each stage.
template <class M, class D, class E, class T>
void pull_rates(const M& m, const D& d, const E& dual, const Workspace<T>& w, StagePulls<T>& s,
                const T* next, T* out) {
  using S = typename E::Scalar;
  const bool off = m.opt.disabled(disable_actuation);
  for (int a = 0; a < m.n.nactuator; ++a) {
    for (int i = m.actuator_actadr[a]; i < m.actuator_actadr[a] + m.actuator_actnum[a]; ++i) {
      const auto at = static_cast<std::size_t>(i);
      S rate = S(s.sums.rate[at]);
      tangent(rate, 1) = T(1);
      if (actuator_disabled(m, a)) rate = S(T(0));
      dual.act[i] = S(d.act[i]);
      tangent(dual.act[i], 0) = T(1);
      const S after = off ? S(dual.act[i]) : next_activation(m, dual, a, i, rate);
      const T given = next[2 * w.nv + i];
      out[w.activation + i] += given * tangent(after, 0);
      for (int k = 0; k < 4; ++k) s.rate[k][at] = rk4_weight<T>(k) * given * tangent(after, 1);
    }
  }
}

// The gradient through one stage, whose gradients by acceleration, velocity and rates are known:
// by its inputs, into `inputs`.
template <class M, class D, class E, class T, class S>
bool pull_stage(const M& m, const D& d, const E& dual, const Workspace<T>& w, Local<S>& local,
                StagePulls<T>& s, int stage) {
  if (!stays_awake(m, d)) return false;
  s.inputs.assign(static_cast<std::size_t>(w.columns), T(0));
  T* const out = s.inputs.data();
  const Pulling<T> pulling(w, out);
  std::copy(s.v[stage].begin(), s.v[stage].end(), out + w.velocity);
  if (!solver_left_rows(m, d)) refresh_rows(m, d);
  for (int i = 0; i < w.nv; ++i) w.weight[i] = s.a[stage][static_cast<std::size_t>(i)];
  solve_weight(m, d, w);
  if (!pull_forces(m, d, dual, w, local, Field<T>(d.qacc), Moved<T>{}, out)) return false;
  if (w.na > 0 && !m.opt.disabled(disable_actuation)) {
    pull_activations(m, d, dual, w, dual.act_dot, s.rate[stage].data(), out);
  }
  return true;
}

// The adjoint of a step of RK4; stage(k) are data on which forward() has run at that stage's state.
template <class M, class F, class E, class T, class S>
bool pull_rk4(const M& m, F&& stage, const E& dual, const Workspace<T>& w, Local<S>& local,
              StagePulls<T>& s, const T* next, T* out) {
  const int nv = w.nv;
  const T h = T(m.opt.timestep);
  s.sums.add_up(m, stage);
  for (int k = 0; k < w.columns; ++k) out[k] = T(0);
  std::vector<T>& by_velocity = s.inputs;  // of the weighted velocity
  by_velocity.assign(static_cast<std::size_t>(w.columns), T(0));
  pull_motion(m, Field<T>{s.sums.velocity.data()}, h, next, out, by_velocity.data());
  s.start(w, next, by_velocity, h);
  for (int i = 0; i < nv; ++i) out[w.velocity + i] = next[nv + i];
  if (w.na > 0) pull_rates(m, stage(0), dual, w, s, next, out);
  for (int k = 3; k >= 0; --k) {
    if (!pull_stage(m, stage(k), dual, w, local, s, k)) return false;
    const T* const by = s.inputs.data();
    for (int i = w.velocity; i < w.columns; ++i) out[i] += by[i];
    if (k == 0) {
      for (int i = 0; i < nv; ++i) out[i] += by[i];
      break;
    }
    const T step = T(rk4_time(m, k));
    const auto before = static_cast<std::size_t>(k - 1);
    copy(w.rest, stage(k - 1).qvel, nv);
    pull_motion(m, w.rest, step, by, out, s.v[before].data());
    for (int i = 0; i < nv; ++i) {
      s.a[before][static_cast<std::size_t>(i)] += step * by[w.velocity + i];
    }
    for (int i = 0; i < w.na; ++i) {
      s.rate[before][static_cast<std::size_t>(i)] += step * by[w.activation + i];
    }
  }
  return true;
}

}  // namespace corten::derive::analytic
