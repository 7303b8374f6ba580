// SPDX-License-Identifier: Apache-2.0
//
// A and B of a step of RK4, by the chain rule: the derivative of the acceleration at each of the
// four states, times that of the state by the inputs of the step.
#pragma once

#include <corten/derive/analytic/step_slope.hpp>

#include <algorithm>
#include <vector>

namespace corten::derive::analytic {

template <class T>
struct Stages {
  std::vector<T> q, v, a;       // derivatives of position, velocity and acceleration of a state
  std::vector<T> sum_v, sum_a;  // weighted sums of the latter two
  std::vector<T> qpos, qvel, velocity;  // the first state, and the weighted sum of velocities

  void resize(const Sizes& n, int width) {
    const auto size = static_cast<std::size_t>(n.nv * width);
    for (auto* x : {&q, &v, &a, &sum_v, &sum_a}) x->assign(size, T(0));
    qpos.assign(static_cast<std::size_t>(n.nq), T(0));
    for (auto* x : {&qvel, &velocity}) x->assign(static_cast<std::size_t>(n.nv), T(0));
  }
};

namespace detail {

// W columns of a = K_q q + K_v v + K_u, where K is `slope`
template <int W, class T>
void chain_block(const Workspace<T>& w, const Stages<T>& s, T* out, int c) {
  for (int i = 0; i < w.nv; ++i) {
    const T* const k = w.row(i);
    Block<T, W> sum = Block<T, W>::Zero();
    for (int j = 0; j < w.nv; ++j) {
      sum += k[j] * Eigen::Map<const Block<T, W>>(s.q.data() + j * w.width + c);
      sum += k[w.velocity + j] * Eigen::Map<const Block<T, W>>(s.v.data() + j * w.width + c);
    }
    block_at<T, W>(out + i * w.width + c) = sum;
  }
}

}  // namespace detail

template <class T>
void chain_stage(const Workspace<T>& w, Stages<T>& s) {
  detail::each_block(w.width, [&](auto count, int c) {
    detail::chain_block<decltype(count)::value>(w, s, s.a.data(), c);
  });
  for (int i = 0; i < w.nv; ++i) {
    for (int k = w.control; k < w.columns; ++k) {
      s.a[static_cast<std::size_t>(i * w.width + k)] += w.row(i)[k];
    }
  }
}

// Calls forward() at each state; it returns a Status. Leaves the data at the first state.
template <class M, class D, class E, class T, class S, class F>
Status rk4_slope(const M& m, const D& d, const E& dual, const Workspace<T>& w, Local<S>& local,
                 Stages<T>& s, F&& forward, bool& known, Transition<T>& out) {
  const int nv = w.nv;
  const std::size_t size = s.q.size();
  const T h = T(m.opt.timestep), time = d.time;
  for (int i = 0; i < m.n.nq; ++i) s.qpos[static_cast<std::size_t>(i)] = d.qpos[i];
  for (int i = 0; i < nv; ++i) s.qvel[static_cast<std::size_t>(i)] = d.qvel[i];
  const Field<T> velocity{s.velocity.data()}, first{s.qvel.data()};
  const auto weighted = [&](const T& weight) {
    for (std::size_t i = 0; i < size; ++i) s.sum_v[i] += weight * s.v[i];
    for (std::size_t i = 0; i < size; ++i) s.sum_a[i] += weight * s.a[i];
    for (int i = 0; i < nv; ++i) velocity[i] += weight * d.qvel[i];
  };
  for (auto* x : {&s.q, &s.v, &s.sum_v, &s.sum_a}) std::fill(x->begin(), x->end(), T(0));
  fill(velocity, nv, T(0));
  for (int i = 0; i < nv; ++i) s.q[static_cast<std::size_t>(i * w.width + i)] = T(1);
  for (int i = 0; i < nv; ++i) s.v[static_cast<std::size_t>(i * w.width + w.velocity + i)] = T(1);

  Status status;
  for (int stage = 0; stage < 4; ++stage) {
    if (stage > 0) {
      const T step = stage == 3 ? h : h / T(2);
      copy(w.rest, d.qvel, nv);
      copy(d.qpos, Field<T>{s.qpos.data()}, m.n.nq);
      integrate_position(m, d.qpos, w.rest, step);
      for (int i = 0; i < nv; ++i) d.qvel[i] = first[i] + step * d.qacc[i];
      d.time = time + step;
      position_rows(m, w, w.rest, step, s.v.data(), s.q.data());
      for (std::size_t i = 0; i < size; ++i) s.v[i] = step * s.a[i];
      for (int i = 0; i < nv; ++i)
        s.v[static_cast<std::size_t>(i * w.width + w.velocity + i)] += T(1);
    }
    status.bits |= forward().bits;
    known = !status.overflow() && force_slope(m, d, dual, w, local);
    if (!known) return status;
    solve_slopes(m, d, w);
    chain_stage(w, s);
    weighted(stage == 0 || stage == 3 ? T(1) / T(6) : T(1) / T(3));
  }
  copy(d.qpos, Field<T>{s.qpos.data()}, m.n.nq);
  copy(d.qvel, first, nv);
  d.time = time;
  for (std::size_t i = 0; i < size; ++i) w.slope[static_cast<int>(i)] = h * s.sum_a[i];
  for (int i = 0; i < nv; ++i) w.row(i)[w.velocity + i] += T(1);
  position_rows(m, w, velocity, h, s.sum_v.data(), w.change.data);
  write_transition(w, out);
  return status;
}

}  // namespace corten::derive::analytic
