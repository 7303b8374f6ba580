// SPDX-License-Identifier: Apache-2.0
//
// A rope falls across the edge of a box: friction holds one half, the other half hangs. Writes
// soft_rope.svg.

#include <corten/asset/file.hpp>
#include <corten/corten.hpp>

#include "corten/draw/picture.hpp"

#include <cmath>
#include <cstdio>
#include <vector>

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
  const auto m = corten::bind(*model).value();
  corten::Data<double> data(*model);
  std::vector<cli::Scene> scenes;
  while (data.time() < 4) {
    if (data.time() >= 0.4 * static_cast<double>(scenes.size())) {
      scenes.push_back(cli::scene(*model, data));
    }
    if (const auto status = corten::step(m, data); !status) {
      return std::printf("%s\n", status.to_string().c_str()), 1;
    }
  }
  scenes.push_back(cli::scene(*model, data));

  const double held = data.soft_pos()[2], end = data.soft_pos()[3 * 20 + 2];
  std::printf("one end lies at a height of %.3f m, the other one hangs at %.3f m\n", held, end);
  if (const auto saved =
          corten::save_file("soft_rope.svg", cli::picture_svg(scenes, "A rope over an edge"));
      !saved) {
    return std::puts(saved.error().to_string().c_str()), 1;
  }
  return held > 0.5 && end < 0.4 ? 0 : 1;
}
