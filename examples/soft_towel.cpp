// SPDX-License-Identifier: Apache-2.0
//
// A towel falls onto a ball, slides into place and hangs still. Writes soft_towel.svg: the fall in
// six instants.

#include <corten/corten.hpp>

#include "corten/draw/film.hpp"

#include <cmath>
#include <cstdio>

namespace {

constexpr const char* text = R"(
<mujoco>
  <option timestep="0.005"/>
  <worldbody>
    <geom type="plane" size="2 2 1"/>
    <geom type="sphere" size="0.25" pos="0 0 0.4"/>
  </worldbody>
  <deformable>
    <cloth name="towel" pos="0 0 0.8" count="17 13" spacing="0.05" material="cotton" damping="2"
           substeps="5"/>
  </deformable>
</mujoco>)";

}  // namespace

int main() {
  const auto model = corten::load_string(text);
  if (!model) return std::puts(model.error().to_string().c_str()), 1;
  corten::Data<double> data(*model);
  const auto scenes = cli::film(*model, data, 2, 0.4);
  if (!scenes) return std::puts(scenes.error().to_string().c_str()), 1;

  // what holds the towel, and how still it is
  corten::Vec3<double> force = corten::Vec3<double>::Zero();
  for (int i = 0; i < data.ref().nscon; ++i) {
    force += corten::soft_contact(*model, data, i).value().force;
  }
  double speed = 0;
  for (const double v : data.soft_vel()) speed = std::max(speed, std::fabs(v));
  std::printf("%d of %d vertices touch something and bear %.2f N; the fastest moves at %.1g m/s\n",
              int(data.ref().nscon), model->n.nsoftvert, force[2], speed);
  if (const auto saved = cli::save_film("soft_towel.svg", *scenes, "A towel"); !saved) {
    return std::puts(saved.error().to_string().c_str()), 1;
  }
  return force[2] > 0 && speed < 0.2 ? 0 : 1;
}
