// SPDX-License-Identifier: Apache-2.0
//
// A and B of a step of RK4, by the chain rule: the derivative of the acceleration at each of the
// four states, times that of the state by the inputs of the step.
#pragma once

#include <corten/derive/analytic/step_slope.hpp>

#include <algorithm>
#include <initializer_list>
#include <vector>

namespace corten::derive::analytic {

template <class T>
struct Stages {
  std::vector<T> q, v, a;    // derivatives of position, velocity and acceleration of a state
  std::vector<T> act, rate;  // derivatives of activations and of their rates
  std::vector<T> sum_v, sum_a, sum_rate;  // weighted sums
  std::vector<T> qpos, qvel, acts;        // the first state
  std::vector<T> velocity, rates;         // weighted sums of velocities and rates

  void resize(const Sizes& n, int width) {
    const auto assign = [](std::initializer_list<std::vector<T>*> all, int size) {
      for (auto* x : all) x->assign(static_cast<std::size_t>(size), T(0));
    };
    assign({&q, &v, &a, &sum_v, &sum_a}, n.nv * width);
    assign({&act, &rate, &sum_rate}, n.na * width);
    assign({&qpos}, n.nq);
    assign({&qvel, &velocity}, n.nv);
    assign({&acts, &rates}, n.na);
  }
};

namespace detail {

// W columns of K_q q + K_v v + K_act act, where K has `rows` rows
template <int W, class T>
void chain_block(const Workspace<T>& w, const Stages<T>& s, const Field<T>& slope, int rows, T* out,
                 int c) {
  const auto at = [&](const std::vector<T>& x, int j) {
    return Eigen::Map<const Block<T, W>>(x.data() + j * w.width + c);
  };
  for (int i = 0; i < rows; ++i) {
    const T* const k = slope.data + i * w.width;
    Block<T, W> sum = Block<T, W>::Zero();
    for (int j = 0; j < w.nv; ++j) {
      sum += k[j] * at(s.q, j);
      sum += k[w.velocity + j] * at(s.v, j);
    }
    for (int j = 0; j < w.na; ++j) sum += k[w.activation + j] * at(s.act, j);
    block_at<T, W>(out + i * w.width + c) = sum;
  }
}

// derivatives by the inputs of the step of what has the slope K by those of the stage
template <class T>
void chain_rows(const Workspace<T>& w, const Stages<T>& s, const Field<T>& slope, int rows,
                std::vector<T>& out) {
  each_block(w.width, [&](auto count, int c) {
    chain_block<decltype(count)::value>(w, s, slope, rows, out.data(), c);
  });
  for (int i = 0; i < rows; ++i) {
    for (int k = w.control; k < w.columns; ++k) {
      out[static_cast<std::size_t>(i * w.width + k)] += slope[i * w.width + k];
    }
  }
}

// to = I + step · from, the identity beginning at `column`
template <class T>
void move_rows(const Workspace<T>& w, int rows, int column, const T& step,
               const std::vector<T>& from, std::vector<T>& to) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = step * from[i];
  for (int i = 0; i < rows; ++i) to[static_cast<std::size_t>(i * w.width + column + i)] += T(1);
}

// The derivative of the activations after the step, which advance from the first state at the
// weighted rates.
template <class M, class D, class E, class T>
void advance_rates(const M& m, const D& d, const E& dual, const Workspace<T>& w, Stages<T>& s) {
  using S = typename E::Scalar;
  const bool off = m.opt.disabled(disable_actuation);
  for (int a = 0; a < m.n.nactuator; ++a) {
    for (int i = m.actuator_actadr[a]; i < m.actuator_actadr[a] + m.actuator_actnum[a]; ++i) {
      S rate = S(s.rates[static_cast<std::size_t>(i)]);
      tangent(rate, 1) = T(1);
      if (actuator_disabled(m, a)) rate = S(T(0));
      dual.act[i] = S(d.act[i]);
      tangent(dual.act[i], 0) = T(1);
      const S next = off ? S(dual.act[i]) : next_activation(m, dual, a, i, rate);
      T* const row = w.next.data + i * w.width;
      for (int k = 0; k < w.columns; ++k) {
        row[k] = tangent(next, 1) * s.sum_rate[static_cast<std::size_t>(i * w.width + k)];
      }
      row[w.activation + i] += tangent(next, 0);
    }
  }
}

}  // namespace detail

// Calls forward() at each state; it returns a Status. Calls first_stage() when the derivatives of
// the acceleration at the first state are known. Leaves the data at the first state.
template <class M, class D, class E, class T, class S, class F, class G>
Status rk4_slope(const M& m, const D& d, const E& dual, const Workspace<T>& w, Local<S>& local,
                 Stages<T>& s, F&& forward, G&& first_stage, bool& known, Transition<T>& out) {
  const int nv = w.nv, na = w.na;
  const std::size_t size = s.q.size(), acts = s.act.size();
  const T h = T(m.opt.timestep), time = d.time;
  const Field<T> velocity{s.velocity.data()}, rates{s.rates.data()};
  const Field<T> qpos{s.qpos.data()}, qvel{s.qvel.data()}, act{s.acts.data()};
  copy(qpos, d.qpos, m.n.nq), copy(qvel, d.qvel, nv), copy(act, d.act, na);
  const auto weighted = [&](const T& weight) {
    for (std::size_t i = 0; i < size; ++i) s.sum_v[i] += weight * s.v[i];
    for (std::size_t i = 0; i < size; ++i) s.sum_a[i] += weight * s.a[i];
    for (std::size_t i = 0; i < acts; ++i) s.sum_rate[i] += weight * s.rate[i];
    for (int i = 0; i < nv; ++i) velocity[i] += weight * d.qvel[i];
    for (int i = 0; i < na; ++i) rates[i] += weight * d.act_dot[i];
  };
  for (auto* x : {&s.a, &s.rate, &s.sum_v, &s.sum_a, &s.sum_rate}) {
    std::fill(x->begin(), x->end(), T(0));
  }
  fill(velocity, nv, T(0)), fill(rates, na, T(0));
  detail::move_rows(w, nv, 0, T(0), s.a, s.q);
  detail::move_rows(w, nv, w.velocity, T(0), s.a, s.v);
  detail::move_rows(w, na, w.activation, T(0), s.rate, s.act);

  Status status;
  for (int stage = 0; stage < 4; ++stage) {
    if (stage > 0) {
      const T step = stage == 3 ? h : h / T(2);
      copy(w.rest, d.qvel, nv);
      copy(d.qpos, qpos, m.n.nq);
      integrate_position(m, d.qpos, w.rest, step);
      for (int i = 0; i < nv; ++i) d.qvel[i] = qvel[i] + step * d.qacc[i];
      for (int i = 0; i < na; ++i) d.act[i] = act[i] + step * d.act_dot[i];
      d.time = time + step;
      position_rows(m, w, w.rest, step, s.v.data(), s.q.data());
      detail::move_rows(w, nv, w.velocity, step, s.a, s.v);
      detail::move_rows(w, na, w.activation, step, s.rate, s.act);
    }
    // a step looks for bad accelerations at its first state only
    const Status here = forward();
    status.bits |= stage == 0 ? here.bits : here.bits & ~bad_qacc;
    known = !status.overflow() && stays_awake(m, d) && force_slope(m, d, dual, w, local);
    if (!known) return status;
    if (na > 0) activation_rows(m, d, dual, w, dual.act_dot);
    solve_slopes(m, d, w);
    if (stage == 0) first_stage();
    detail::chain_rows(w, s, w.slope, nv, s.a);
    detail::chain_rows(w, s, w.next, na, s.rate);
    weighted(stage == 0 || stage == 3 ? T(1) / T(6) : T(1) / T(3));
  }
  copy(d.qpos, qpos, m.n.nq), copy(d.qvel, qvel, nv), copy(d.act, act, na);
  d.time = time;
  if (na > 0) detail::advance_rates(m, d, dual, w, s);
  for (std::size_t i = 0; i < size; ++i) w.slope[static_cast<int>(i)] = h * s.sum_a[i];
  for (int i = 0; i < nv; ++i) w.row(i)[w.velocity + i] += T(1);
  position_rows(m, w, velocity, h, s.sum_v.data(), w.change.data);
  write_transition(w, out);
  return status;
}

}  // namespace corten::derive::analytic
