// SPDX-License-Identifier: Apache-2.0
//
// The linearisation of a step by finite differences: the reference that exact derivatives are checked
// against, and what MuJoCo does. Steps in position are taken along the tangent space of the configuration.
#pragma once

#include <corten/pipeline/step.hpp>

#include <vector>

namespace corten::derive {

// δx' = A δx + B δu and δy = C δx + D δu; all matrices are row-major
template <class T>
struct Transition {
  int nx = 0, nu = 0, ns = 0;  // 2 nv + na, nu, nsensordata
  std::vector<T> A;            // nx × nx
  std::vector<T> B;            // nx × nu
  std::vector<T> C;            // ns × nx
  std::vector<T> D;            // ns × nu
  Status status;

  void resize(const Sizes& n) {
    nx = 2 * n.nv + n.na;
    nu = n.nu;
    ns = n.nsensordata;
    const auto size = [](int rows, int cols) { return static_cast<std::size_t>(rows * cols); };
    A.assign(size(nx, nx), T(0));
    B.assign(size(nx, nu), T(0));
    C.assign(size(ns, nx), T(0));
    D.assign(size(ns, nu), T(0));
  }
};

namespace detail {

// move input `column` of (position, velocity, activation, control) by h
template <class M, class R, class T>
void nudge(const M& m, const R& d, int column, const T& h, std::vector<T>& direction) {
  const Sizes& n = m.n;
  int i = column;
  if (i < n.nv) {
    direction.assign(static_cast<std::size_t>(n.nv), T(0));
    direction[static_cast<std::size_t>(i)] = T(1);
    integrate_position(m, d.qpos, Field<T>{direction.data()}, h);
  } else if ((i -= n.nv) < n.nv) {
    d.qvel[i] += h;
  } else if ((i -= n.nv) < n.na) {
    d.act[i] += h;
  } else {
    d.ctrl[i - n.na] += h;
  }
}

}  // namespace detail

// Forward differences with step h, or centred ones with steps ±h.
template <class S, class T>
Transition<T> difference(const Model<S>& model, const Data<T>& data, const T& h, bool centered) {
  Transition<T> out;
  out.resize(model.n);
  const auto m = make_ref<DefaultPolicies>(model);
  const Sizes& n = model.n;
  Data<T> plus = data, minus = data;
  std::vector<T> direction, dq(static_cast<std::size_t>(n.nv));
  const auto run = [&](Data<T>& to, int column, const T& by) {
    to = data;
    if (column >= 0) detail::nudge(m, to.ref(), column, by, direction);
    out.status.bits |= step(model, to).bits;
  };
  const auto put = [&](std::vector<T>& X, std::vector<T>& U, int row, int column, const T& value) {
    if (column < out.nx) {
      X[static_cast<std::size_t>(row * out.nx + column)] = value;
    } else {
      U[static_cast<std::size_t>(row * out.nu + column - out.nx)] = value;
    }
  };

  if (!centered) run(minus, -1, T(0));
  const T width = centered ? T(2) * h : h;
  for (int c = 0; c < out.nx + out.nu; ++c) {
    run(plus, c, h);
    if (centered) run(minus, c, T(-h));
    const auto &a = plus.ref(), &b = minus.ref();
    differentiate_position(m, b.qpos, a.qpos, width, Field<T>{dq.data()});
    for (int i = 0; i < n.nv; ++i) put(out.A, out.B, i, c, dq[static_cast<std::size_t>(i)]);
    for (int i = 0; i < n.nv; ++i) put(out.A, out.B, n.nv + i, c, (a.qvel[i] - b.qvel[i]) / width);
    for (int i = 0; i < n.na; ++i) put(out.A, out.B, 2 * n.nv + i, c, (a.act[i] - b.act[i]) / width);
    for (int i = 0; i < n.nsensordata; ++i) {
      put(out.C, out.D, i, c, (a.sensordata[i] - b.sensordata[i]) / width);
    }
  }
  return out;
}

}  // namespace corten::derive
