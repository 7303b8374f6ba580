// SPDX-License-Identifier: Apache-2.0
//
// A program outside the corten project: one second of a pendulum.
#include <corten/corten.hpp>

#include <cstdio>

int main() {
  const auto model = corten::load_string(R"(
    <mujoco>
      <worldbody>
        <body>
          <joint axis="0 1 0"/>
          <geom type="capsule" fromto="0 0 0 .5 0 0" size=".02"/>
        </body>
      </worldbody>
    </mujoco>)");
  if (!model) {
    std::fprintf(stderr, "%s\n", model.error().to_string().c_str());
    return 1;
  }
  corten::Data<double> data(*model);
  while (data.time() < 1) {
    if (!corten::step(*model, data)) return 1;
  }
  std::printf("corten %d.%d: the pendulum is at %.3f rad after %.3f s\n", CORTEN_VERSION_MAJOR,
              CORTEN_VERSION_MINOR, data.qpos()[0], data.time());
  return data.qpos()[0] > 0 ? 0 : 1;
}
