// SPDX-License-Identifier: Apache-2.0
//
// MuJoCo and corten side by side: MuJoCo loads a cart and pole and lets it swing for a while.
// corten takes over model and state, linearises the next step exactly and simulates a second. Then
// MuJoCo gets the state back, as a program that shows it in MuJoCo's viewer would do every frame.
#include <corten/mujoco.hpp>

#include <corten/derive.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

constexpr const char* cartpole = R"(
<mujoco model="cartpole">
  <worldbody>
    <body name="cart">
      <joint name="slide" type="slide" axis="1 0 0" damping=".5"/>
      <geom type="box" size=".1 .05 .05"/>
      <body name="pole">
        <joint name="hinge" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 .1 0 .6" size=".02"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="slide" gear="10"/></actuator>
</mujoco>)";

int main() {
  char error[500] = "";
  mjSpec* spec = mj_parseXMLString(cartpole, nullptr, error, sizeof error);
  if (spec == nullptr) return std::puts(error), 1;
  mjModel* theirs = mj_compile(spec, nullptr);
  mjData* shown = mj_makeData(theirs);
  for (int k = 0; k < 200; ++k) mj_step(theirs, shown);

  // the same model and the same state
  const auto model = corten::from_mujoco(theirs);
  if (!model) return std::puts(model.error().to_string().c_str()), 1;
  corten::Data<double> data(*model);
  if (!corten::from_mujoco(theirs, shown, data)) return 1;

  // B = d(next state)/d(controls): exact here, by differences there
  const auto exact = corten::derive::transition(*model, data);
  std::vector<double> near(static_cast<std::size_t>(exact.B.size()));
  mjd_transitionFD(theirs, shown, 1e-6, 1, nullptr, near.data(), nullptr, nullptr);
  double worst = 0;
  for (std::size_t i = 0; i < near.size(); ++i) {
    std::printf("B[%zu] %18.12f %18.12f\n", i, exact.B.data()[i], near[i]);
    worst = std::max(worst, std::abs(exact.B.data()[i] - near[i]));
  }

  // a second of corten's steps, then back: mj_forward computes what a viewer draws
  for (int k = 0; k < 500; ++k) {
    if (!corten::step(*model, data)) return 1;
  }
  if (!corten::to_mujoco(theirs, data, shown)) return 1;
  mj_forward(theirs, shown);
  std::printf("t = %.3f s, cart at %.4f m, pole at %.4f rad\n", shown->time, shown->qpos[0],
              shown->qpos[1]);
  const bool same = shown->xpos[3] == shown->qpos[0];  // the cart slides along x

  mj_deleteData(shown);
  mj_deleteModel(theirs);
  mj_deleteSpec(spec);
  return same && worst < 1e-8 ? 0 : 1;
}
