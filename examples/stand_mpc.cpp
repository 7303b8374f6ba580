// SPDX-License-Identifier: Apache-2.0
//
// A humanoid (28 dofs, 22 motors) keeps standing although it is pushed: model-predictive control by
// iLQR (control/ilqr.hpp). Every few steps the plan of the last time is shifted and improved by one
// iteration, with exact derivatives of every step through its contacts, and then followed with its
// feedback. Prints how many plans per second that is.
//
//     example_stand_mpc [SECONDS [HORIZON]]
#include "control/ilqr.hpp"
#include "corten/humanoid.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>

constexpr int apart = 4;  // steps between plans

// moves a plan forward by a few steps; the last controls are repeated
void shift(control::Plan& plan) {
  const Eigen::Index last = plan.u.cols() - 1;
  for (Eigen::Index i = 0; i <= last; ++i) {
    const Eigen::Index from = std::min(i + apart, last);
    plan.u.col(i) = plan.u.col(from);
    plan.k.col(i).setZero();
  }
  plan.cost = std::numeric_limits<double>::infinity();  // its feedback belongs to other states
}

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 0.02;
  const int horizon = argc > 2 ? std::atoi(argv[2]) : argc > 1 ? 50 : 8;
  const auto loaded = corten::load_string(cli::humanoid_mjcf);
  if (!loaded) return std::puts(loaded.error().to_string().c_str()), 1;
  const corten::Model<double>& model = *loaded;
  const int nv = model.n.nv, torso = 1;
  corten::Data<double> data(model);
  const auto m = corten::bind(model).value();

  control::Cost cost;
  cost.position = corten::eigen(data.qpos()), cost.velocity = Eigen::VectorXd::Zero(nv);
  cost.running.resize(2 * nv);
  cost.running << Eigen::VectorXd::Constant(nv, 1), Eigen::VectorXd::Constant(nv, 0.01);
  cost.running.head(6) << 5, 5, 50, 20, 20, 5;  // where the trunk is, and that it is upright
  cost.running.segment(nv, 6).setConstant(0.5);
  cost.end = 10 * cost.running;
  cost.effort = 0.02;

  control::Plan plan(model, horizon);
  corten::derive::Linearizer<double> linearize(model);
  const double height = data.qpos()[2], h = model.opt.timestep;
  double planning = 0;
  int plans = 0;
  for (int k = 0; k * h < seconds; ++k) {
    if (k % apart == 0) {
      const auto begin = std::chrono::steady_clock::now();
      shift(plan);
      plan = control::simulate(model, cost, plan, data, 0);
      plan = control::iterate(model, cost, plan, data, linearize, 1e-3);
      planning += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      ++plans;
    }
    const int i = k % apart;
    const Eigen::VectorXd off =
        control::difference(model, corten::eigen(data.qpos()), corten::eigen(data.qvel()),
                            plan.q.col(i), plan.v.col(i));
    corten::eigen(data.ctrl()) = plan.u.col(i) + plan.K[std::size_t(i)] * off;
    // a push of 60 N for a fifth of every second, from alternating sides
    const double t = k * h - int(k * h);
    data.ref().xfrc_applied[6 * torso + 1] = t > 0.3 && t < 0.5 ? (int(k * h) % 2 ? -60 : 60) : 0;
    if (!corten::step(m, data)) return std::puts("a step failed"), 1;
  }
  std::printf("after %g s the pelvis is at %.3f m (%.3f m at first), %d contacts\n", data.time(),
              data.qpos()[2], height, data.ncon());
  std::printf("%d plans of %d steps, %.1f plans per second\n", plans, horizon, plans / planning);
  return data.qpos()[2] > 0.8 * height ? 0 : 1;
}
