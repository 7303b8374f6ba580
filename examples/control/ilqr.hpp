// SPDX-License-Identifier: Apache-2.0
//
// iLQR: simulate, linearise every step exactly, solve the linear-quadratic problem backwards in
// time, try the new controls, repeat. States differ in the tangent space of the configuration, so
// free and ball joints are as good as hinges. Activations are not part of the state here.
#pragma once

#include <corten/corten.hpp>
#include <corten/derive.hpp>

#include <Eigen/Dense>

#include <limits>
#include <vector>

namespace control {

using Eigen::MatrixXd, Eigen::VectorXd;

// ½ Σ (δ' W δ + e |u|²) over the steps, and ½ δ' W_end δ at the end, where δ is the state's
// difference from the goal, in positions and velocities
struct Cost {
  VectorXd position, velocity;  // the goal: nq and nv numbers
  VectorXd running, end;        // W and W_end, which are diagonal
  double effort = 0;
};

struct Plan {
  MatrixXd q, v, u, k;      // columns: positions, velocities, controls, changes of the controls
  std::vector<MatrixXd> K;  // feedback on deviations of the state
  double cost = std::numeric_limits<double>::infinity();

  Plan(const corten::Model<double>& model, int horizon)
      : q(model.n.nq, horizon + 1),
        v(model.n.nv, horizon + 1),
        u(MatrixXd::Zero(model.n.nu, horizon)),
        k(u),
        K(static_cast<std::size_t>(horizon), MatrixXd::Zero(model.n.nu, 2 * model.n.nv)) {}
};

using Span = std::span<const double>;
inline Span span(const VectorXd& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }

// x ⊖ y: what leads from y to x
inline VectorXd difference(const corten::Model<double>& model, const VectorXd& q, const VectorXd& v,
                           const VectorXd& q0, const VectorXd& v0) {
  VectorXd out(2 * model.n.nv), dq(model.n.nv);
  VectorXd from = q0, to = q;
  const auto m = corten::make_ref<corten::DefaultPolicies>(model);
  corten::differentiate_position(m, corten::Field<double>{from.data()},
                                 corten::Field<double>{to.data()}, 1.0,
                                 corten::Field<double>{dq.data()});
  out << dq, v - v0;
  return out;
}

// simulates the controls u + α k + K (x ⊖ old x) from the start
inline Plan simulate(const corten::Model<double>& model, const Cost& cost, const Plan& old,
                     corten::Data<double> data, double alpha) {
  const auto m = corten::bind(model).value();
  Plan p = old;
  p.cost = 0;
  const Eigen::Index horizon = p.u.cols();
  for (Eigen::Index i = 0; i <= horizon; ++i) {
    p.q.col(i) = corten::eigen(data.qpos()), p.v.col(i) = corten::eigen(data.qvel());
    const VectorXd miss = difference(model, p.q.col(i), p.v.col(i), cost.position, cost.velocity);
    p.cost += 0.5 * miss.dot((i < horizon ? cost.running : cost.end).cwiseProduct(miss));
    if (i == horizon) break;
    p.u.col(i) += alpha * old.k.col(i);
    if (std::isfinite(old.cost)) {
      p.u.col(i) += old.K[static_cast<std::size_t>(i)] *
                    difference(model, p.q.col(i), p.v.col(i), old.q.col(i), old.v.col(i));
    }
    p.cost += 0.5 * cost.effort * p.u.col(i).squaredNorm();
    corten::eigen(data.ctrl()) = p.u.col(i);
    if (!corten::step(m, data)) p.cost = std::numeric_limits<double>::infinity();
  }
  return p;
}

// k and K of a plan: solves the linear-quadratic problem around it, backwards in time. `data`
// starts at the plan's beginning. `damping` keeps changes of the controls small.
inline void improve(const corten::Model<double>& model, const Cost& cost, Plan& p,
                    corten::derive::Linearizer<double>& linearize, corten::Data<double>& data,
                    double damping = 0) {
  const Eigen::Index nu = p.u.rows(), nv = model.n.nv;
  // gradient and curvature of ½ δ' W δ
  const auto expand = [&](Eigen::Index i, const VectorXd& weight, VectorXd& x, MatrixXd& xx) {
    const VectorXd q = p.q.col(i);
    const auto slope = corten::derive::differentiate_pos_slope<corten::DefaultPolicies>(
        model, span(cost.position), span(q), 1.0);
    MatrixXd J = MatrixXd::Identity(2 * nv, 2 * nv);
    J.topLeftCorner(nv, nv) = slope.second;
    const VectorXd miss = difference(model, q, p.v.col(i), cost.position, cost.velocity);
    x = J.transpose() * weight.cwiseProduct(miss);
    xx = J.transpose() * weight.asDiagonal() * J;
  };
  VectorXd Vx, lx;
  MatrixXd Vxx, lxx;
  expand(p.u.cols(), cost.end, Vx, Vxx);
  for (Eigen::Index i = p.u.cols(); i-- > 0;) {
    corten::eigen(data.qpos()) = p.q.col(i), corten::eigen(data.qvel()) = p.v.col(i);
    corten::eigen(data.ctrl()) = p.u.col(i);
    const auto& t = linearize(model, data);
    const MatrixXd VB = Vxx * t.B;
    const MatrixXd Quu =
        (cost.effort + damping) * MatrixXd::Identity(nu, nu) + t.B.transpose() * VB;
    const MatrixXd Qux = VB.transpose() * t.A;
    const VectorXd Qu = cost.effort * p.u.col(i) + t.B.transpose() * Vx;
    const Eigen::LDLT<MatrixXd> factor(Quu);
    auto& K = p.K[static_cast<std::size_t>(i)];
    p.k.col(i) = -factor.solve(Qu);
    K = -factor.solve(Qux);
    expand(i, cost.running, lx, lxx);
    Vx = (lx + t.A.transpose() * Vx + K.transpose() * Qu).eval();
    Vxx = (lxx + t.A.transpose() * Vxx * t.A + K.transpose() * Qux).eval();
    Vxx = (0.5 * (Vxx + Vxx.transpose())).eval();
  }
}

// One iteration: a better plan from the same start, or the same plan if there is none nearby.
inline Plan iterate(const corten::Model<double>& model, const Cost& cost, Plan plan,
                    const corten::Data<double>& start,
                    corten::derive::Linearizer<double>& linearize, double damping = 0) {
  corten::Data<double> data = start;
  improve(model, cost, plan, linearize, data, damping);
  for (double alpha = 1; alpha > 1e-3; alpha /= 2) {
    Plan next = simulate(model, cost, plan, start, alpha);
    if (next.cost < plan.cost) return next;
  }
  return plan;
}

}  // namespace control
