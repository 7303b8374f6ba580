// SPDX-License-Identifier: Apache-2.0
//
// Model-predictive control: a cart balances its pole although something pushes it every second. At
// each step the controller plans half a second ahead by one round of iLQR (control/ilqr.hpp),
// starting from the last plan, and applies the first control of the new one.
#include "control/ilqr.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

constexpr const char* text = R"(
<mujoco>
  <option timestep=".02"/>
  <worldbody>
    <body>
      <joint name="cart" type="slide" axis="1 0 0" damping=".1"/>
      <geom type="box" size=".1 .05 .05" mass="1"/>
      <body>
        <joint name="pole" axis="0 1 0" damping=".01"/>
        <geom type="capsule" fromto="0 0 0 0 0 .5" size=".02" mass=".1"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="cart" gear="10"/></actuator>
</mujoco>)";

constexpr int horizon = 25;

// the plan of one step later: everything moves up, and the last control is repeated
void shift(control::Plan& plan) {
  plan.u.leftCols(horizon - 1) = plan.u.rightCols(horizon - 1).eval();
  plan.k.setZero();
  for (auto& gain : plan.K) gain.setZero();
}

// one round of iLQR from the state of the data
void replan(const corten::Model<double>& model, const control::Cost& cost, control::Plan& plan,
            corten::derive::Linearizer<double>& linearize, const corten::Data<double>& data) {
  plan = control::simulate(model, cost, plan, data, 0);
  plan = control::iterate(model, cost, plan, data, linearize);
}

int main() {
  const auto model = corten::load_string(text);
  if (!model) return std::puts(model.error().to_string().c_str()), 1;
  corten::Data<double> world(*model);
  corten::derive::Linearizer<double> linearize(*model);
  const control::Cost cost{Eigen::Vector2d::Zero(), Eigen::Vector2d::Zero(),
                           Eigen::Vector4d::Constant(0.1), Eigen::Vector4d(10, 100, 1, 5), 0.01};
  control::Plan plan(*model, horizon);

  double worst = 0;
  for (int k = 0; k < 250; ++k) {
    if (k % 50 == 0) world.qvel()[1] += 1.5;  // a push
    replan(*model, cost, plan, linearize, world);
    world.ctrl()[0] = plan.u(0, 0);
    if (!corten::step(*model, world)) return 1;
    shift(plan);
    worst = std::max(worst, std::abs(world.qpos()[1]));
    if (k % 25 == 24) {
      std::printf("%.1f s: cart at %6.3f m, pole at %6.3f rad\n", world.time(), world.qpos()[0],
                  world.qpos()[1]);
    }
  }
  std::printf("the pole leaned by %.3f rad at most\n", worst);
  return worst < 0.5 && std::abs(world.qpos()[1]) < 0.05 ? 0 : 1;
}
