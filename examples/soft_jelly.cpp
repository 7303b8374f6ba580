// SPDX-License-Identifier: Apache-2.0
//
// The foot of a robot presses on a cube of jelly, which gives way and carries it. Writes
// soft_jelly.svg.

#include <corten/corten.hpp>

#include "corten/draw/film.hpp"

#include <cmath>
#include <cstdio>

namespace {

constexpr const char* text = R"(
<mujoco>
  <option timestep="0.004"/>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body pos="0 0 0.31">
      <joint name="lift" type="slide" axis="0 0 1"/>
      <geom type="capsule" fromto="0 0 0 0 0 0.3" size="0.03" mass="0.5"/>
      <geom type="ellipsoid" size="0.09 0.06 0.04" mass="0.3"/>
    </body>
  </worldbody>
  <deformable>
    <softbody name="jelly" pos="0 0 0.13" count="6 6 5" spacing="0.06" young="1e4" poisson="0.45"
              density="1000" viscosity="0.02" substeps="5"/>
  </deformable>
  <actuator>
    <motor joint="lift"/>
  </actuator>
</mujoco>)";

}  // namespace

int main() {
  const auto model = corten::load_string(text);
  if (!model) return std::puts(model.error().to_string().c_str()), 1;
  corten::Data<double> data(*model);
  const auto scenes = cli::film(*model, data, 1.2, 0.3, [](auto& d) {
    d.ctrl()[0] = d.time() < 0.4 ? 0 : -6;  // step on it
  });
  if (!scenes) return std::puts(scenes.error().to_string().c_str()), 1;

  // at rest the jelly bears the weight of the leg and the push of its motor
  const double force = data.ref().qfrc_soft[0], expected = 0.8 * 9.81 + 6;
  std::printf("the jelly bears %.2f N of %.2f N, and gives way by %.1f mm\n", force, expected,
              -1e3 * data.qpos()[0]);
  if (const auto saved = cli::save_film("soft_jelly.svg", *scenes, "A foot on a cube of jelly");
      !saved) {
    return std::puts(saved.error().to_string().c_str()), 1;
  }
  return std::fabs(force - expected) < 0.2 * expected ? 0 : 1;
}
