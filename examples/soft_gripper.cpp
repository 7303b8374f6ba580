// SPDX-License-Identifier: Apache-2.0
//
// A gripper closes on a soft cube and lifts it: friction carries the cube, which bulges. Writes
// soft_gripper.svg.

#include <corten/corten.hpp>

#include "corten/draw/film.hpp"

#include <cmath>
#include <cstdio>

namespace {

constexpr const char* text = R"(
<mujoco>
  <option timestep="0.004"/>
  <default><geom friction="1.2"/><joint type="slide" damping="10"/></default>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body pos="0 0 0.36">
      <joint name="lift" axis="0 0 1"/>
      <geom type="box" size="0.16 0.04 0.02" mass="0.5" contype="0" conaffinity="0"/>
      <body pos="-0.15 0 -0.18">
        <joint name="left" axis="1 0 0"/>
        <geom type="box" size="0.01 0.06 0.16" mass="0.2"/>
      </body>
      <body pos="0.15 0 -0.18">
        <joint name="right" axis="-1 0 0"/>
        <geom type="box" size="0.01 0.06 0.16" mass="0.2"/>
      </body>
    </body>
  </worldbody>
  <deformable>
    <softbody name="cube" pos="0 0 0.107" count="5 5 5" spacing="0.05" young="3e4" density="200"
              friction="1.2" viscosity="0.02" substeps="5" repeat="2"/>
  </deformable>
  <actuator>
    <position joint="lift" kp="500" kv="50" ctrlrange="0 1"/>
    <motor joint="left"/>
    <motor joint="right"/>
  </actuator>
</mujoco>)";

}  // namespace

int main() {
  const auto model = corten::load_string(text);
  if (!model) return std::puts(model.error().to_string().c_str()), 1;
  corten::Data<double> data(*model);
  const auto scenes = cli::film(*model, data, 2, 0.5, [](auto& d) {
    d.ctrl()[0] = d.time() < 0.6 ? 0.03 : 0.2;
    d.ctrl()[1] = d.ctrl()[2] = 15;
  });
  if (!scenes) return std::puts(scenes.error().to_string().c_str()), 1;

  double lowest = 1;
  for (std::size_t z = 2; z < data.soft_pos().size(); z += 3) {
    lowest = std::min(lowest, data.soft_pos()[z]);
  }
  std::printf("the cube is held %.1f mm above the floor\n", 1e3 * lowest);
  if (const auto saved = cli::save_film("soft_gripper.svg", *scenes, "A gripper lifts a soft cube");
      !saved) {
    return std::puts(saved.error().to_string().c_str()), 1;
  }
  return lowest > 0.05 ? 0 : 1;
}
