// SPDX-License-Identifier: Apache-2.0
//
// One experiment, three places to run it: threads, the lanes of SIMD registers, and a SYCL device
// where there is one. The code is the same, since all of them are a Batch. Sixty-four pendulums
// start at different angles, and each has its own damping.
#include <corten/batch.hpp>
#include <corten/corten.hpp>
#include <corten/sycl.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

constexpr const char* text = R"(
<mujoco>
  <worldbody>
    <body><joint axis="0 1 0" damping=".01"/>
      <geom type="capsule" fromto="0 0 0 0 0 -1" size=".02" mass="1"/></body>
  </worldbody>
</mujoco>)";

// what the model needs and no more: less to compile
struct Few : corten::Policies<corten::Joints<corten::Hinge>, corten::Geoms<corten::Capsule>,
                              corten::Sensors<>> {};

constexpr int pendulums = 64;

// the states after a second, one row of qpos and qvel per world
template <class B>
std::vector<double> swing(const char* name, B batch) {
  const std::span<double> damping = batch.vary(&corten::Model<double>::dof_damping);
  std::vector<double> states(pendulums * 2);
  for (std::size_t i = 0; i < pendulums; ++i) {
    damping[i] = 0.001 * static_cast<double>(i);
    states[2 * i] = 0.02 * static_cast<double>(i);
  }
  const bool done = batch.write_states(states) && batch.step_all(500) && batch.read_states(states);
  std::printf("%-8s %s, last angle %.12f\n", name, done && batch.all_ok() ? "done" : "failed",
              states[2 * pendulums - 2]);
  return states;
}

int main() {
  const auto model = corten::load_string(text);
  if (!model) return std::puts(model.error().to_string().c_str()), 1;

  const auto threads = swing("threads", corten::Batch<double, Few>(*model, pendulums));
  const auto lanes = swing("lanes", corten::LaneBatch<double, 4, Few>(*model, pendulums));
  const auto anywhere = swing("device", corten::AutoBatch<double, Few>(*model, pendulums));

  double worst = 0;
  for (std::size_t i = 0; i < threads.size(); ++i) {
    worst = std::max({worst, std::abs(lanes[i] - threads[i]), std::abs(anywhere[i] - threads[i])});
  }
  std::printf("largest difference %.1e\n", worst);
  return worst < 1e-12 ? 0 : 1;
}
