// SPDX-License-Identifier: Apache-2.0
//
// Shows a loop of its own in the browser: a controller keeps an inverted pendulum upright while
// somebody pulls at it, with Ctrl and the mouse. With any argument it opens the browser and runs
// until Ctrl-C; without, it runs for half a second.
#include <corten/corten.hpp>
#include <corten/view.hpp>

#include <cstdio>

constexpr const char* cart = R"(
<mujoco model="cart">
  <worldbody>
    <geom type="plane" size="3 3 .1"/>
    <body name="cart" pos="0 0 .2">
      <joint name="slide" type="slide" axis="1 0 0" damping="1"/>
      <geom type="box" size=".15 .1 .06" mass="1" rgba=".7 .35 .15 1"/>
      <body name="pole">
        <joint name="hinge" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 .06 0 0 .8" size=".02" mass=".2"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor name="push" joint="slide" ctrlrange="-30 30"/></actuator>
</mujoco>)";

int main(int argc, char**) {
  const bool watched = argc > 1;
  const auto model = corten::load_string(cart);
  if (!model) return std::puts(model.error().to_string().c_str()), 1;
  corten::Data<double> data(*model);
  data.qpos()[1] = 0.2;

  corten::Viewer viewer(*model, {.browser = watched});  // prints an address, and opens it
  while (viewer.show(data) && (watched || data.time() < 0.5)) {
    const double x = data.qpos()[0], angle = data.qpos()[1], v = data.qvel()[0], w = data.qvel()[1];
    data.ctrl()[0] = 60 * angle + 12 * w + 3 * x + 5 * v;
    if (!corten::step(*model, data)) return 1;
  }
  std::printf("the pole leans by %.3f rad after %.2f s\n", data.qpos()[1], data.time());
}
