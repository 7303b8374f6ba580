// SPDX-License-Identifier: Apache-2.0
//
// One pipeline, two scalars: the same model in double and in float. They start equal and drift
// apart by rounding alone. The model is a chain of a ball joint and two hinges.
#include <corten/corten.hpp>

#include <cmath>
#include <cstdio>

constexpr const char* text = R"(
<mujoco>
  <default>
    <geom type="capsule" size=".03" fromto="0 0 0 .3 0 0" contype="0" conaffinity="0"/>
  </default>
  <worldbody>
    <body>
      <joint type="ball"/>
      <geom/>
      <body pos=".3 0 0">
        <joint axis="0 1 0"/>
        <geom/>
        <body pos=".3 0 0">
          <joint axis="0 0 1"/>
          <geom/>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>)";

int main() {
  const auto model = corten::load_string(text);
  if (!model) {
    std::fprintf(stderr, "%s\n", model.error().to_string().c_str());
    return 1;
  }
  const corten::Model<float> narrow = corten::cast<float>(*model);
  corten::Data<double> wide_data(*model);
  corten::Data<float> narrow_data(narrow);
  std::printf("%zu bytes of data in double, %zu in float\n", wide_data.bytes(),
              narrow_data.bytes());

  double early = 0;
  std::printf("%8s %16s\n", "time", "difference");
  for (int k = 0; k <= 1000; ++k) {
    double worst = 0;
    for (std::size_t i = 0; i < wide_data.qpos().size(); ++i) {
      worst = std::fmax(worst,
                        std::abs(wide_data.qpos()[i] - static_cast<double>(narrow_data.qpos()[i])));
    }
    if (k == 100) early = worst;
    if (k % 100 == 0) std::printf("%8.3f %16.2e\n", wide_data.time(), worst);
    if (!corten::step(*model, wide_data) || !corten::step(narrow, narrow_data)) return 1;
  }
  return early > 0 && early < 1e-4 ? 0 : 1;
}
