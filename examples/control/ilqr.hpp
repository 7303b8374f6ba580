// SPDX-License-Identifier: Apache-2.0
//
// iLQR for models whose positions have no quaternions: simulate, linearise every step exactly,
// solve the linear-quadratic problem backwards in time, try the new controls, repeat.
#pragma once

#include <corten/corten.hpp>
#include <corten/derive.hpp>

#include <Eigen/Dense>

#include <limits>

namespace control {

using Eigen::MatrixXd, Eigen::VectorXd;

// ½ Σ (r |x - goal|² + e |u|²) over the steps, and ½ (x - goal)' W (x - goal) at the end
struct Cost {
  VectorXd goal, end;  // W is diagonal
  double running = 0, effort = 0;
};

struct Plan {
  MatrixXd x, u, k;         // columns: states, controls, changes of the controls
  std::vector<MatrixXd> K;  // feedback on deviations of the state
  double cost = 0;
};

inline VectorXd state(const corten::Data<double>& d) {
  VectorXd x(static_cast<Eigen::Index>(d.qpos().size() + d.qvel().size()));
  std::copy(d.qvel().begin(), d.qvel().end(),
            std::copy(d.qpos().begin(), d.qpos().end(), x.begin()));
  return x;
}

// simulates the controls u + α k + K (x - old x) from the start
inline Plan simulate(const corten::Model<double>& model, const Cost& cost, const Plan& old,
                     corten::Data<double> data, double alpha) {
  Plan p = old;
  p.cost = 0;
  for (Eigen::Index i = 0; i < p.u.cols(); ++i) {
    p.x.col(i) = state(data);
    const auto index = static_cast<std::size_t>(i);
    p.u.col(i) = old.u.col(i) + alpha * old.k.col(i) + old.K[index] * (p.x.col(i) - old.x.col(i));
    p.cost += 0.5 * cost.effort * p.u.col(i).squaredNorm() +
              0.5 * cost.running * (p.x.col(i) - cost.goal).squaredNorm();
    std::copy(p.u.col(i).begin(), p.u.col(i).end(), data.ctrl().begin());
    if (!corten::step(model, data)) p.cost = std::numeric_limits<double>::infinity();
  }
  p.x.rightCols(1) = state(data);
  const VectorXd miss = p.x.rightCols(1) - cost.goal;
  p.cost += 0.5 * miss.dot(cost.end.cwiseProduct(miss));
  return p;
}

// k and K of a plan: solves the linear-quadratic problem around it, backwards in time
inline void improve(const corten::Model<double>& model, const Cost& cost, Plan& p,
                    corten::derive::Linearizer<double>& linearize, corten::Data<double>& data) {
  const Eigen::Index nx = p.x.rows(), nu = p.u.rows();
  VectorXd Vx = cost.end.cwiseProduct(p.x.rightCols(1) - cost.goal);
  MatrixXd Vxx = cost.end.asDiagonal();
  for (Eigen::Index i = p.u.cols(); i-- > 0;) {
    const double* x = p.x.col(i).data();
    std::copy_n(x, nx / 2, data.qpos().begin());
    std::copy_n(x + nx / 2, nx / 2, data.qvel().begin());
    std::copy(p.u.col(i).begin(), p.u.col(i).end(), data.ctrl().begin());
    const auto& t = linearize(model, data);
    const auto &A = t.A, &B = t.B;
    const MatrixXd Quu = cost.effort * MatrixXd::Identity(nu, nu) + B.transpose() * Vxx * B;
    const MatrixXd Qux = B.transpose() * Vxx * A;
    const VectorXd Qu = cost.effort * p.u.col(i) + B.transpose() * Vx;
    auto& K = p.K[static_cast<std::size_t>(i)];
    p.k.col(i) = -Quu.ldlt().solve(Qu);
    K = -Quu.ldlt().solve(Qux);
    Vx = (cost.running * (p.x.col(i) - cost.goal) + A.transpose() * Vx + K.transpose() * Qu).eval();
    Vxx =
        (cost.running * MatrixXd::Identity(nx, nx) + A.transpose() * Vxx * A + K.transpose() * Qux)
            .eval();
  }
}

}  // namespace control
