// SPDX-License-Identifier: Apache-2.0
//
// bench_derivative: A, B, C, D of a step, by corten's exact derivatives and by MuJoCo's centred
// differences (mjd_transitionFD), at the same states of the same models. MuJoCo refuses RK4, so
// every model is integrated with Euler. The states lie along an episode with random controls, so
// contacts and limits are active.
//
//     bench_derivative MODELS...
#include "support/build_info.hpp"
#include "support/clock.hpp"
#include "support/command_line.hpp"
#include "support/corten_engine.hpp"
#include "support/mujoco_engine.hpp"
#include "support/table.hpp"

#include <corten/derive/transition.hpp>

#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

namespace bench {
namespace {

constexpr int settle = 200, states = 8, apart = 25, rounds = 5;

struct Result {
  std::string name;
  int nx = 0, nu = 0;
  double rows = 0;                // constraint rows, mean over the states
  double corten = 0, mujoco = 0;  // seconds
  // largest, relative to the largest entry of the matrix; median over the states
  double difference = 0;
};

struct Matrices {
  std::vector<double> A, B, C, D;
  explicit Matrices(const mjModel& m) {
    const auto nx = static_cast<std::size_t>(2 * m.nv + m.na), nu = static_cast<std::size_t>(m.nu),
               ns = static_cast<std::size_t>(m.nsensordata);
    A.resize(nx * nx), B.resize(nx * nu), C.resize(ns * nx), D.resize(ns * nu);
  }
};

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0, scale = 1e-12;
  for (std::size_t i = 0; i < b.size(); ++i) {
    most = std::max(most, std::abs(a[i] - b[i]));
    scale = std::max(scale, std::abs(b[i]));
  }
  return most / scale;
}

template <class F>
double best_seconds(F&& f) {
  double best = std::numeric_limits<double>::max();
  for (int i = 0; i < rounds; ++i) {
    const double from = cpu_seconds();
    f();
    best = std::min(best, cpu_seconds() - from);
  }
  return best;
}

Result run(const std::string& path, corten::Model<double> model, MujocoEngine& mujoco) {
  model.opt.integrator = static_cast<int>(corten::Integrator::euler);
  const_cast<mjModel&>(mujoco.model()).opt.integrator = mjINT_EULER;
  const mjModel& m = mujoco.model();
  const Episode e = make_episode(model, settle + states * apart, 1);
  CortenEngine<> engine(std::move(model));
  corten::derive::Linearizer<double> linearizer(engine.model());
  Matrices fd(m);
  Result out;
  out.name = short_name(path);
  out.nx = static_cast<int>(2 * m.nv + m.na);
  out.nu = static_cast<int>(m.nu);
  std::vector<double> differences, row;
  mujoco.start(e);
  engine.start(e);
  for (int k = 0; k < e.steps; ++k) {
    mujoco.control(e.controls(k));
    if (k >= settle && (k - settle) % apart == 0) {
      row.clear();
      mujoco.record(row);
      engine.place(row.data());
      engine.control(e.controls(k));
      mj_forward(&m, &mujoco.data());
      const corten::derive::Transition<double>& t = linearizer(engine.model(), engine.data());
      out.corten += best_seconds([&] { linearizer(engine.model(), engine.data()); }) / states;
      out.mujoco += best_seconds([&] {
                      mjd_transitionFD(&m, &mujoco.data(), 1e-6, 1, fd.A.data(), fd.B.data(),
                                       m.nsensordata ? fd.C.data() : nullptr,
                                       m.nsensordata ? fd.D.data() : nullptr);
                    }) /
                    states;
      out.rows += static_cast<double>(mujoco.data().nefc) / states;
      differences.push_back(std::max(largest_difference(t.A, fd.A), largest_difference(t.B, fd.B)));
    }
    mujoco.step();
  }
  std::sort(differences.begin(), differences.end());
  out.difference = differences[differences.size() / 2];
  return out;
}

int main_of(const std::vector<std::string>& paths) {
  std::printf("%s\n%s\n", corten_build().c_str(), mujoco_build().c_str());
  std::printf(
      "exact derivatives against mjd_transitionFD (centred, 1e-6), Euler, %d states per episode, "
      "best CPU "
      "time of %d; one thread, double\n\n",
      states, rounds);
  Table table({"model", "nx", "nu", "rows", "corten µs", "MuJoCo µs", "ratio", "Δ A, B"});
  double logs = 0;
  int count = 0;
  for (const std::string& path : paths) {
    std::string why;
    auto model = load_model(corten::mjcf::parse_file(path));
    const auto mujoco = MujocoEngine::load(path, why);
    if (!model || !mujoco) {
      std::fprintf(stderr, "%s: skipped: %s\n", path.c_str(),
                   model ? why.c_str() : model.error().to_string().c_str());
      continue;
    }
    const Result r = run(path, std::move(model).value(), *mujoco);
    table.add({r.name, std::to_string(r.nx), std::to_string(r.nu), format("%.1f", r.rows),
               grouped(1e6 * r.corten), grouped(1e6 * r.mujoco),
               format("%.2f", r.mujoco / r.corten), format("%.0e", r.difference)});
    logs += std::log(r.mujoco / r.corten);
    ++count;
  }
  table.print();
  if (count > 0)
    std::printf("\ngeometric mean of the ratios %.2f over %d models\n", std::exp(logs / count),
                count);
  return count > 0 ? 0 : 1;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  std::vector<std::string> models;
  const auto code =
      bench::read_command_line(argc, argv, "usage: bench_derivative MODELS...\n", {}, &models);
  return code ? *code : bench::main_of(models);
}
