// SPDX-License-Identifier: Apache-2.0
//
// bench_soft [STEPS]: a cloth of 10,000 vertices falls onto a sphere. Prints the time per
// constraint and sweep, the numbers that a sweep moves beside what memory delivers, and whether the
// cloth is still in one piece after STEPS steps (100), and at rest. It takes 8 substeps to come to
// rest: with one sweep in each of 4, the edges of so fine a cloth stay too far from their lengths,
// and its hem flutters for ever. 4 are enough for a quarter of the vertices.
#include <corten/corten.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

namespace {

double cpu_seconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

// bytes per second that a copy of 200 MB reads and writes
double bandwidth() {
  std::vector<double> from(12500000, 1.0), to(from.size());
  const double start = cpu_seconds();
  for (int i = 0; i < 5; ++i) {
    std::copy(from.begin(), from.end(), to.begin());
    from[static_cast<std::size_t>(i)] = to[7];
  }
  return 5 * 16.0 * static_cast<double>(from.size()) / (cpu_seconds() - start);
}

// positions, inverse masses, λ, rest, factor, type and vertices of one constraint
double bytes_per_constraint(const corten::Model<double>& model) {
  double sum = 0;
  for (int c = 0; c < model.n.nsoftcon; ++c) {
    int vertices = 0;
    for (int k = 0; k < 4; ++k) vertices += model.softcon_vert[std::size_t(4 * c + k)] >= 0;
    sum += vertices * (3 * 8 * 3 + 8) + 4 * 8 + 5 * 4;
  }
  return sum / model.n.nsoftcon;
}

}  // namespace

int main(int argc, char** argv) {
  const int steps = argc > 1 ? std::atoi(argv[1]) : 100;
  const auto model = corten::load_string(R"(<mujoco><option timestep="0.005"/>
    <worldbody><geom type="sphere" size="0.3" pos="0 0 0.5"/></worldbody>
    <deformable><cloth pos="0 0 0.82" count="100 100" spacing="0.01" material="cotton"
      friction="0.8" substeps="8" damping="1"/></deformable></mujoco>)");
  if (!model) return std::puts(model.error().to_string().c_str()), 1;
  const auto m = corten::bind(*model).value();
  corten::Data<double> data(*model);

  corten::detail::start_soft(m, data.ref(), 0);  // sweeps alone, at rest
  const int sweeps = 20;
  const double start = cpu_seconds();
  for (int i = 0; i < sweeps; ++i) corten::detail::sweep(m, data.ref(), 0, 1e-3);
  const double each = (cpu_seconds() - start) / sweeps / model->n.nsoftcon;
  const double bytes = bytes_per_constraint(*model);
  std::printf("%d constraints: %.1f ns each per sweep, %.1f GB/s of %.1f GB/s\n", model->n.nsoftcon,
              1e9 * each, 1e-9 * bytes / each, 1e-9 * bandwidth());

  const double begun = cpu_seconds();
  for (int i = 0; i < steps; ++i) {
    if (const auto status = corten::step(m, data); !status) {
      return std::printf("step %d: %s\n", i, status.to_string().c_str()), 1;
    }
  }
  double speed = 0, lowest = 1;
  for (const double v : data.soft_vel()) speed = std::max(speed, std::fabs(v));
  for (std::size_t v = 2; v < 30000; v += 3) lowest = std::min(lowest, data.soft_pos()[v]);
  std::printf(
      "%d steps of 8 substeps: %.1f ms per step; %d contacts, fastest %.2g m/s, lowest "
      "vertex at %.2f m\n",
      steps, 1e3 * (cpu_seconds() - begun) / steps, int(data.ref().nscon), speed, lowest);
}
