// SPDX-License-Identifier: Apache-2.0
//
// A ball falls on a plane.
#include <corten/corten.hpp>

#include <cstdio>

int main() {
  const auto model = corten::load_string(R"(
    <mujoco>
      <worldbody>
        <geom type="plane" size="1 1 1"/>
        <body pos="0 0 0.2"><freejoint/><geom size="0.1"/></body>
      </worldbody>
    </mujoco>)");
  if (!model) {
    std::puts(model.error().to_string().c_str());
    return 1;
  }

  corten::Data<double> data(*model);
  for (int i = 0; i < 500; ++i) {
    if (!corten::step(*model, data)) return 1;
  }
  const double height = data.qpos()[2];
  std::printf("corten %d: height %.3f, %d contact\n", CORTEN_VERSION, height, data.ncon());
  return data.ncon() == 1 && height > 0.09 && height < 0.11 ? 0 : 1;
}
