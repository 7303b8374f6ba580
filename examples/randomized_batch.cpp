// SPDX-License-Identifier: Apache-2.0
//
// Domain randomisation: a thousand cart-poles, each with its own masses, friction and gravity, all
// balanced by the same feedback. The share that stays upright shows how robust the feedback is.
#include <corten/batch.hpp>
#include <corten/corten.hpp>

#include <cmath>
#include <cstdio>
#include <random>
#include <span>

constexpr const char* cartpole = R"(
<mujoco>
  <option timestep=".01"/>
  <worldbody>
    <body name="cart">
      <joint name="x" type="slide" axis="1 0 0" damping=".1"/>
      <geom type="box" size=".2 .1 .1" mass="1"/>
      <body name="pole"><joint axis="0 1 0" damping=".001"/>
        <geom type="capsule" size=".03" fromto="0 0 0 0 0 1" mass=".2" contype="0"/></body></body>
  </worldbody>
  <actuator><motor joint="x"/></actuator>
</mujoco>)";

int main() {
  const auto model = corten::load_string(cartpole);
  if (!model) return std::puts(model.error().to_string().c_str()), 1;

  constexpr int worlds = 1000;
  corten::Batch<double> batch(*model, worlds);
  std::mt19937 random(1);
  const auto between = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  // edited copies, so that what depends on a mass is recomputed; the batch keeps only the
  // differences
  for (int i = 0; i < worlds; ++i) {
    corten::Model<double> own = *model;
    for (double& mass : own.body_mass) mass *= between(0.5, 2);
    for (double& damping : own.dof_damping) damping *= between(0, 3);
    own.opt.gravity[2] *= between(0.8, 1.2);
    corten::set_const(own);
    if (const auto done = batch.set_model(i, own); !done) {
      return std::puts(done.error().to_string().c_str()), 1;
    }
    batch[i].qpos()[1] = between(-0.2, 0.2);
  }

  // the policy sees the state of its world and sets its controls, on the thread that steps it
  const auto policy = [](int, int, const corten::Data<double>& d, std::span<double> ctrl) {
    const double x = d.qpos()[0], angle = d.qpos()[1], v = d.qvel()[0], w = d.qvel()[1];
    ctrl[0] = 40 * angle + 8 * w + 1.5 * x + 3 * v;
  };
  const auto done = batch.rollout(500, policy);
  if (!done) return std::puts(done.error().to_string().c_str()), 1;
  int upright = 0;
  for (const corten::Data<double>& d : batch) upright += std::fabs(d.qpos()[1]) < 0.1 ? 1 : 0;
  std::printf("%d of %d poles are upright after 5 s\n", upright, worlds);
  return batch.all_ok() && upright > worlds / 2 ? 0 : 1;
}
