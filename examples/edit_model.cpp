// SPDX-License-Identifier: Apache-2.0
//
// A compiled model is plain arrays: change a mass and see the effect. set_const recomputes the
// constants that depend on masses (weights of constraints, statistics). A mass on a spring swings
// with the period 2π sqrt(m/k).
#include <corten/compile/set_const.hpp>
#include <corten/corten.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>

constexpr const char* text = R"(
<mujoco>
  <option timestep="0.0005" gravity="0 0 0"/>
  <worldbody>
    <body name="weight">
      <joint name="spring" type="slide" axis="1 0 0" stiffness="100"/>
      <geom type="sphere" size=".05" mass="1"/>
    </body>
  </worldbody>
</mujoco>)";

// the time from one upward passage through the middle to the next; 0 if a step fails
double period(const corten::Model<double>& model) {
  corten::Data<double> data(model);
  data.qpos()[0] = 0.1;
  double first = 0, before = data.qpos()[0];
  while (data.time() < 20) {
    if (!corten::step(model, data)) return 0;
    const double now = data.qpos()[0];
    if (before < 0 && now >= 0) {
      const double crossing = data.time() - model.opt.timestep * now / (now - before);
      if (first > 0) return crossing - first;
      first = crossing;
    }
    before = now;
  }
  return 0;
}

int main() {
  auto loaded = corten::load_string(text);
  if (!loaded) {
    std::fprintf(stderr, "%s\n", loaded.error().to_string().c_str());
    return 1;
  }
  corten::Model<double>& model = *loaded;
  const auto& names = model.names.body;
  const auto weight =
      static_cast<std::size_t>(std::find(names.begin(), names.end(), "weight") - names.begin());

  double worst = 0;
  std::printf("%8s %12s %12s %18s\n", "mass", "period", "expected", "dof_invweight0");
  for (const double mass : {0.25, 1.0, 4.0, 16.0}) {
    model.body_mass[weight] = mass;
    corten::set_const(model);
    const double measured = period(model), expected = 2 * 3.14159265358979 * std::sqrt(mass / 100);
    std::printf("%8.2f %12.5f %12.5f %18.4f\n", mass, measured, expected, model.dof_invweight0[0]);
    worst = std::max(worst, std::abs(measured / expected - 1));
  }
  return worst < 1e-3 ? 0 : 1;
}
