// SPDX-License-Identifier: Apache-2.0
//
// A gripper closes on a soft cube and lifts it: friction carries the cube, which bulges. Writes
// soft_gripper.svg.

#include <corten/asset/file.hpp>
#include <corten/corten.hpp>

#include "corten/draw/picture.hpp"

#include <cmath>
#include <cstdio>
#include <vector>

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
  const auto m = corten::bind(*model).value();
  corten::Data<double> data(*model);
  std::vector<cli::Scene> scenes;
  while (data.time() < 2) {
    if (data.time() >= 0.5 * static_cast<double>(scenes.size())) {
      scenes.push_back(cli::scene(*model, data));
    }
    data.ctrl()[0] = data.time() < 0.6 ? 0.03 : 0.2;
    data.ctrl()[1] = data.ctrl()[2] = 15;
    if (const auto status = corten::step(m, data); !status) {
      return std::printf("%s\n", status.to_string().c_str()), 1;
    }
  }
  scenes.push_back(cli::scene(*model, data));

  double lowest = 1;
  for (std::size_t z = 2; z < data.soft_pos().size(); z += 3) {
    lowest = std::min(lowest, data.soft_pos()[z]);
  }
  std::printf("the cube is held %.1f mm above the floor\n", 1e3 * lowest);
  if (const auto saved = corten::save_file("soft_gripper.svg",
                                           cli::picture_svg(scenes, "A gripper lifts a soft cube"));
      !saved) {
    return std::puts(saved.error().to_string().c_str()), 1;
  }
  return lowest > 0.05 ? 0 : 1;
}
