// SPDX-License-Identifier: Apache-2.0
//
// Inverse dynamics: which torques make a double pendulum follow a given motion? The torques are
// computed from positions, velocities and accelerations along the motion, then applied open loop.
#include <corten/corten.hpp>

#include <cmath>
#include <cstdio>

constexpr const char* pendulum = R"(
<mujoco>
  <option timestep=".0005" integrator="RK4"/>
  <default><geom type="capsule" size=".02" density="2000"/></default>
  <worldbody>
    <body><joint axis="0 1 0" damping=".1"/><geom fromto="0 0 0 0 0 -.5"/>
      <body pos="0 0 -.5">
        <joint axis="0 1 0" damping=".1"/><geom fromto="0 0 0 0 0 -.5"/>
      </body>
    </body>
  </worldbody>
</mujoco>)";

// a joint angle that starts at rest, and its first two derivatives
struct Motion {
  double angle, velocity, acceleration;
};
Motion motion(int joint, double t) {
  const double size = joint == 0 ? 1.0 : -0.7, w = joint == 0 ? 3.0 : 5.0;
  return {size * (1 - std::cos(w * t)), size * w * std::sin(w * t), size * w * w * std::cos(w * t)};
}

int main() {
  const auto model = corten::load_string(pendulum);
  if (!model) return std::puts(model.error().to_string().c_str()), 1;
  const auto m = corten::bind(*model).value();
  corten::Data<double> wanted(*model), data(*model);
  double worst = 0;
  while (data.time() < 2) {
    for (std::size_t j = 0; j < 2; ++j) {
      const Motion now = motion(int(j), data.time());
      wanted.qpos()[j] = now.angle;
      wanted.qvel()[j] = now.velocity;
      wanted.qacc()[j] = now.acceleration;
    }
    if (!corten::inverse(m, wanted)) return 1;
    for (int i = 0; i < 2; ++i) data.ref().qfrc_applied[i] = wanted.ref().qfrc_inverse[i];
    if (!corten::step(m, data)) return 1;
    worst = std::fmax(worst, std::fabs(data.qpos()[1] - motion(1, data.time()).angle));
  }
  std::printf("torques %.3f and %.3f N m at the end; largest deviation %.1e rad\n",
              data.qfrc_applied()[0], data.qfrc_applied()[1], worst);
  return worst < 1e-2 ? 0 : 1;
}
