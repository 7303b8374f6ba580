// SPDX-License-Identifier: Apache-2.0
//
// Swings up a cart-pole with iLQR (control/ilqr.hpp), using exact derivatives of every step.
#include "control/ilqr.hpp"

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
        <geom type="capsule" fromto="0 0 0 0 0 -.5" size=".02" mass=".1"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="cart" gear="10"/></actuator>
</mujoco>)";

int main() {
  const auto model = corten::load_string(text);
  if (!model) return std::fprintf(stderr, "%s\n", model.error().to_string().c_str()), 1;
  const corten::Data<double> start(*model);  // the pole hangs down
  corten::derive::Linearizer<double> linearize(*model);

  constexpr double upright = 3.14159265358979;
  const control::Cost cost{Eigen::Vector2d(0, upright), Eigen::Vector2d::Zero(),
                           Eigen::Vector4d::Constant(0.005), Eigen::Vector4d(40, 400, 4, 10),
                           0.002};
  constexpr int horizon = 150;
  control::Plan plan(*model, horizon);
  plan.k.setConstant(0.1);  // an arbitrary first change
  plan = control::simulate(*model, cost, plan, start, 1);

  for (int iteration = 1; iteration <= 60; ++iteration) {
    plan = control::iterate(*model, cost, plan, start, linearize);
    if (iteration % 10 == 0) std::printf("iteration %2d: cost %.3f\n", iteration, plan.cost);
  }
  const double angle = (plan.q(1, horizon) - upright) * 180 / upright;
  std::printf("at the end the cart is at %.3f m, the pole %.2f degrees from upright\n",
              plan.q(0, horizon), angle);
  return std::fabs(angle) < 5 ? 0 : 1;
}
