// SPDX-License-Identifier: Apache-2.0
//
// Exact derivatives of a step: the same functions with a dual scalar. A two-link leg stands on a
// floor; how do its joint angles after one step depend on the motors? Duals answer in one pass;
// central differences need four steps, and a choice of epsilon.
#include <corten/corten.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>

constexpr const char* text = R"(
<mujoco>
  <worldbody>
    <geom type="plane" size="1 1 .1"/>
    <body name="hip" pos="0 0 .5">
      <joint name="height" type="slide" axis="0 0 1"/>
      <joint name="hip" axis="0 1 0" damping=".1"/>
      <geom type="capsule" fromto="0 0 0 .15 0 -.2" size=".04"/>
      <body name="shin" pos=".15 0 -.2">
        <joint name="knee" axis="0 1 0" damping=".1"/>
        <geom type="capsule" fromto="0 0 0 -.15 0 -.2" size=".04"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="hip" gear="30"/>
    <motor joint="knee" gear="30"/>
  </actuator>
</mujoco>)";

// eight directions at a time; this model needs two
using Dual = corten::Dual<double, 8>;

int main() {
  const auto loaded = corten::load_string(text);
  if (!loaded) {
    std::fprintf(stderr, "%s\n", loaded.error().to_string().c_str());
    return 1;
  }
  const auto& model = *loaded;

  // let it fall onto its foot first, so that the derivative goes through a contact
  corten::Data<double> start(model);
  corten::Status status;
  for (int k = 0; k < 400 && status.ok(); ++k) status = corten::step(model, start);
  if (!status) return std::puts(status.to_string().c_str()), 1;
  std::printf("%d contact(s) at t = %.3f s\n", start.ncon(), start.time());

  // the same state in duals, with one direction per control
  corten::Data<Dual> dual(model);
  std::copy(start.qpos().begin(), start.qpos().end(), dual.qpos().begin());
  std::copy(start.qvel().begin(), start.qvel().end(), dual.qvel().begin());
  for (int u = 0; u < model.n.nu; ++u) dual.ctrl()[static_cast<std::size_t>(u)] = Dual(0.0, u);
  if (!corten::step(model, dual)) return 1;

  double worst = 0;
  std::printf("%-28s %14s %14s\n", "d(next qpos)/d(ctrl)", "dual", "differences");
  for (std::size_t u = 0; u < start.ctrl().size(); ++u) {
    constexpr double eps = 1e-4;
    corten::Data<double> plus = start, minus = start;
    plus.ctrl()[u] += eps;
    minus.ctrl()[u] -= eps;
    if (!corten::step(model, plus) || !corten::step(model, minus)) return 1;
    for (std::size_t i = 0; i < start.qpos().size(); ++i) {
      const double exact = dual.qpos()[i].v[u],
                   near = (plus.qpos()[i] - minus.qpos()[i]) / (2 * eps);
      std::printf("d qpos[%zu] / d ctrl[%zu] %20.10f %14.10f\n", i, u, exact, near);
      worst = std::max(worst, std::abs(exact - near));
    }
  }
  std::printf("largest difference %.1e\n", worst);
  return worst < 1e-7 && start.ncon() > 0 ? 0 : 1;
}
