// SPDX-License-Identifier: Apache-2.0
//
// Sensors by name: a box falls on a floor. In the air its accelerometer reads nothing; at rest it
// reads gravity, and the touch sensor reads the box's weight.
#include <corten/corten.hpp>

#include <cmath>
#include <cstdio>

constexpr const char* text = R"(
<mujoco>
  <worldbody>
    <geom type="plane" size="1 1 .1"/>
    <body name="box" pos="0 0 .3">
      <freejoint/>
      <geom type="box" size=".1 .1 .1" mass="2"/>
      <site name="centre"/>
      <site name="underside" type="box" pos="0 0 -.1" size=".11 .11 .02"/>
    </body>
  </worldbody>
  <sensor>
    <framepos name="position" objtype="body" objname="box"/>
    <accelerometer name="acceleration" site="centre"/>
    <touch name="weight" site="underside"/>
  </sensor>
</mujoco>)";

int main() {
  const auto model = corten::load_string(text);
  if (!model) {
    std::fprintf(stderr, "%s\n", model.error().to_string().c_str());
    return 1;
  }
  corten::Data<double> data(*model);
  const auto read = [&](const char* name) { return data.sensor(*model, name).value(); };
  std::printf("%8s %10s %14s %10s\n", "time", "height", "acceleration", "touch");
  for (int k = 0; k < 1000; ++k) {
    if (const corten::Status status = corten::step(*model, data); !status) {
      return std::puts(status.to_string().c_str()), 1;
    }
    if (k % 100 != 0) continue;
    std::printf("%8.3f %10.4f %14.4f %10.4f\n", data.time(), read("position")[2],
                read("acceleration")[2], read("weight")[0]);
  }
  const double weight = read("weight")[0], expected = 2 * 9.81;
  std::printf("weight: %.4f N measured, %.4f N expected\n", weight, expected);
  return std::abs(weight - expected) < 0.01 * expected ? 0 : 1;
}
