// SPDX-License-Identifier: Apache-2.0
//
// The linearisation of a step. With state x = (position, velocity, activation) and control u,
//
//     δx' = A δx + B δu,      δy = C δx + D δu,
//
// where x' is the next state and y the sensor readings at x. Positions vary in the tangent space of
// the configuration: at x for the columns, at the next configuration for the rows, as in MuJoCo's
// mjd_transitionFD.
#pragma once

#include <corten/core/status.hpp>
#include <corten/model/model.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace corten::derive {

// Is there a sensor of kinetic energy? It is read with the position stages but depends on
// velocities, so velocity columns, which reuse those stages, have to read it again.
template <class M>
bool reads_kinetic_energy(const M& m) {
  for (int i = 0; i < m.n.nsensor; ++i) {
    if (m.sensor_type[i] == static_cast<int>(SensorType::e_kinetic)) return true;
  }
  return false;
}

// The number that a column varies, columns being in the order position, velocity, activation,
// control. Null for a position, which varies in the tangent space of the configuration.
template <class M, class D>
typename D::Scalar* input_at(const M& m, const D& d, int column) {
  const Sizes& n = m.n;
  if ((column -= n.nv) < 0) return nullptr;
  if (column < n.nv) return &d.qvel[column];
  if ((column -= n.nv) < n.na) return &d.act[column];
  return &d.ctrl[column - n.na];
}

// The matrices of a linearised step, all row-major.
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

  bool fits(const Sizes& n) const {
    const auto count = [](int rows, int cols) { return static_cast<std::size_t>(rows * cols); };
    return nx == 2 * n.nv + n.na && nu == n.nu && ns == n.nsensordata &&
           A.size() == count(nx, nx) && B.size() == count(nx, nu) && C.size() == count(ns, nx) &&
           D.size() == count(ns, nu);
  }

  // sets an entry of two matrices side by side: state columns, then control columns
  void put(std::vector<T>& by_state, std::vector<T>& by_control, int row, int column,
           const T& value) {
    if (column < nx) {
      by_state[static_cast<std::size_t>(row * nx + column)] = value;
    } else {
      by_control[static_cast<std::size_t>(row * nu + column - nx)] = value;
    }
  }
};

// The gradient of a cost by the inputs of a step.
template <class T>
struct Gradient {
  int nx = 0, nu = 0;
  std::vector<T> inputs;  // by the state, then by the control
  Status status;

  std::span<const T> state() const { return {inputs.data(), static_cast<std::size_t>(nx)}; }
  std::span<const T> control() const { return {inputs.data() + nx, static_cast<std::size_t>(nu)}; }

  void resize(const Sizes& n) {
    nx = 2 * n.nv + n.na;
    nu = n.nu;
    inputs.assign(static_cast<std::size_t>(nx + nu), T(0));
  }

  // A'λ and B'λ
  void multiply(const Transition<T>& t, const T* next) {
    status = t.status;
    for (int i = 0; i < nx; ++i) {
      const T* const a = t.A.data() + i * nx;
      const T* const b = t.B.data() + i * nu;
      for (int k = 0; k < nx; ++k) inputs[static_cast<std::size_t>(k)] += next[i] * a[k];
      for (int k = 0; k < nu; ++k) inputs[static_cast<std::size_t>(nx + k)] += next[i] * b[k];
    }
  }
};

}  // namespace corten::derive
