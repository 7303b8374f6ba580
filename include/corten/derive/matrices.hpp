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

#include <Eigen/Core>

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

// Row-major, so that a row of A follows the order in which columns are found, and data() has
// MuJoCo's layout.
template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// The matrices of a linearised step. C and D have no rows unless they were asked for.
template <class T>
struct Transition {
  int nx = 0, nu = 0, ns = 0;  // 2 nv + na, nu, rows of C and D: nsensordata or 0
  Matrix<T> A;                 // nx × nx
  Matrix<T> B;                 // nx × nu
  Matrix<T> C;                 // ns × nx
  Matrix<T> D;                 // ns × nu
  Status status;

  void resize(const Sizes& n, bool sensors = true) {
    nx = 2 * n.nv + n.na;
    nu = n.nu;
    ns = sensors ? n.nsensordata : 0;
    A.setZero(nx, nx), B.setZero(nx, nu);
    C.setZero(ns, nx), D.setZero(ns, nu);
  }

  bool fits(const Sizes& n) const {
    const auto is = [](const Matrix<T>& m, int rows, int cols) {
      return m.rows() == rows && m.cols() == cols;
    };
    return nx == 2 * n.nv + n.na && nu == n.nu && (ns == n.nsensordata || ns == 0) &&
           is(A, nx, nx) && is(B, nx, nu) && is(C, ns, nx) && is(D, ns, nu);
  }

  // sets an entry of two matrices side by side: state columns, then control columns
  void put(Matrix<T>& by_state, Matrix<T>& by_control, int row, int column, const T& value) {
    (column < nx ? by_state(row, column) : by_control(row, column - nx)) = value;
  }
};

// The gradient of a cost by the inputs of a step.
template <class T>
struct Gradient {
  int nx = 0, nu = 0;
  std::vector<T> inputs;      // by the state, then by the control
  std::vector<T> parameters;  // by numbers of the model, where these were asked for
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
