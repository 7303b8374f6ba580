// SPDX-License-Identifier: Apache-2.0
//
// A gripper closes on a soft ball and lifts it: friction carries the ball, which bulges. Writes
// soft_gripper.svg.

#include <corten/corten.hpp>

#include "corten/draw/film.hpp"

#include <algorithm>
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
        <joint name="left" axis="1 0 0"/><geom type="box" size="0.01 0.06 0.16" mass="0.2"/>
      </body>
      <body pos="0.15 0 -0.18">
        <joint name="right" axis="-1 0 0"/><geom type="box" size="0.01 0.06 0.16" mass="0.2"/>
      </body>
    </body>
  </worldbody>
  <deformable>
    <softbody name="ball" pos="0 0 0.107" count="5 5 5" spacing="0.05" young="3e4" density="200"
              friction="1.2" viscosity="0.02" substeps="5" repeat="2"/>
  </deformable>
  <actuator>
    <position joint="lift" kp="500" kv="50" ctrlrange="0 1"/>
    <motor joint="left"/><motor joint="right"/>
  </actuator>
</mujoco>)";

// the soft cube of the model becomes a ball: each shell of its vertices a sphere
corten::Result<corten::Model<double>> with_ball() {
  auto spec = corten::mjcf::parse(text).value();
  const auto cube = corten::compile(spec).value();
  corten::spec::Soft& ball = spec.softs[0];
  ball.vertex = cube.softvert_pos;
  for (double* p = ball.vertex->begin(); p != ball.vertex->end(); p += 3) {
    p[2] -= (*ball.pos)[2];
    const double shell = std::max({std::fabs(p[0]), std::fabs(p[1]), std::fabs(p[2])});
    const double scale = shell / std::max(std::hypot(p[0], p[1], p[2]), 1e-9);
    for (int k = 0; k < 3; ++k) p[k] *= scale;
  }
  ball.element = cube.softelem_vert;
  ball.count = {}, ball.spacing = {};
  return corten::compile(spec);
}

}  // namespace

int main() {
  const auto model = with_ball();
  if (!model) return std::puts(model.error().to_string().c_str()), 1;
  corten::Data<double> data(*model);
  const auto scenes = cli::film(*model, data, 2, 0.5, [](auto& d) {
    d.ctrl()[0] = d.time() < 0.6 ? 0.03 : 0.2;
    d.ctrl()[1] = d.ctrl()[2] = 15;
  });
  if (!scenes) return std::puts(scenes.error().to_string().c_str()), 1;

  double lowest = 1;
  const auto x = data.soft_pos();
  for (std::size_t z = 2; z < x.size(); z += 3) lowest = std::min(lowest, x[z]);
  std::printf("the ball is held %.1f mm above the floor\n", 1e3 * lowest);
  const auto saved = cli::save_film("soft_gripper.svg", *scenes, "A gripper lifts a soft ball");
  if (!saved) return std::puts(saved.error().to_string().c_str()), 1;
  return lowest > 0.05 ? 0 : 1;
}
