// SPDX-License-Identifier: Apache-2.0
//
// A rope falls across the edge of a box: friction holds one half, the other half hangs. Writes
// soft_rope.svg.

#include <corten/corten.hpp>

#include "corten/draw/film.hpp"

#include <cmath>
#include <cstdio>

namespace {

constexpr const char* text = R"(
<mujoco>
  <option timestep="0.01"/>
  <worldbody>
    <geom type="plane" size="2 2 1"/>
    <geom type="box" size="0.3 0.2 0.25" pos="0 0 0.25"/>
  </worldbody>
  <deformable>
    <chain name="rope" pos="0.2 0 0.6" count="21" spacing="0.03" material="rope" radius="0.01"
           damping="2"/>
  </deformable>
</mujoco>)";

}  // namespace

int main() {
  const auto model = corten::load_string(text);
  if (!model) return std::puts(model.error().to_string().c_str()), 1;
  corten::Data<double> data(*model);
  const auto scenes = cli::film(*model, data, 4, 0.4);
  if (!scenes) return std::puts(scenes.error().to_string().c_str()), 1;

  const double held = data.soft_pos()[2], end = data.soft_pos()[3 * 20 + 2];
  std::printf("one end lies at a height of %.3f m, the other one hangs at %.3f m\n", held, end);
  if (const auto saved = cli::save_film("soft_rope.svg", *scenes, "A rope over an edge"); !saved) {
    return std::puts(saved.error().to_string().c_str()), 1;
  }
  return held > 0.5 && end < 0.4 ? 0 : 1;
}
