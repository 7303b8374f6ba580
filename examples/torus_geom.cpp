// SPDX-License-Identifier: Apache-2.0
//
// A custom geom kind, kinds/torus.hpp, with its two colliders: a tilted ring is dropped on a floor
// and comes to lie flat, and a ball that falls into it stays in its middle.
#include <corten/corten.hpp>

#include "kinds/torus.hpp"

#include <cmath>
#include <cstdio>

// only what this program needs; corten::DefaultGeoms::with<Torus> has all kinds and this one
struct MyPolicies
    : corten::Policies<corten::Joints<corten::Free>,
                       corten::Geoms<corten::Plane, corten::Sphere, Torus>,
                       corten::Colliders<corten::PlaneSphere, PlaneTorus, SphereTorus>> {};

constexpr const char* toys = R"(
<mujoco>
  <worldbody>
    <geom type="plane" size="2 2 .1"/>
    <body name="ring" pos="0 0 .3" euler="20 10 0">
      <freejoint/>
      <geom type="torus" size=".2 .05"/>
    </body>
    <body name="ball" pos=".05 0 .8">
      <freejoint/>
      <geom size=".06"/>
    </body>
  </worldbody>
</mujoco>)";

int main() {
  const auto model = corten::load_string<MyPolicies>(toys);
  if (!model) return std::puts(model.error().to_string().c_str()), 1;
  corten::Data<double> data(*model);
  std::printf("the ring weighs %.3f kg\n%8s %12s %12s %10s\n", model->body_mass[1], "time", "ring",
              "ball", "contacts");
  for (int k = 0; k <= 2000; ++k) {
    if (k % 250 == 0) {
      std::printf("%8.2f %12.4f %12.4f %10d\n", data.time(), data.qpos()[2], data.qpos()[9],
                  data.ncon());
    }
    if (!corten::step<MyPolicies>(*model, data)) return 1;
  }

  // ring and ball rest on the floor, the ball inside the ring
  const double dx = data.qpos()[7] - data.qpos()[0], dy = data.qpos()[8] - data.qpos()[1];
  const bool at_rest =
      std::abs(data.qpos()[2] - 0.05) < 1e-3 && std::abs(data.qpos()[9] - 0.06) < 1e-3;
  return at_rest && std::sqrt(dx * dx + dy * dy) < 0.15 ? 0 : 1;
}
