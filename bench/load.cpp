// SPDX-License-Identifier: Apache-2.0
//
// bench_load MODELS...: milliseconds from a file to a model, in both engines. MuJoCo caches the
// meshes it has compiled and may use several threads, so it is measured both with its cache cleared
// before each load, as in a program that has just started, and with a warm cache. For both engines
// the files are in the system's cache. Wall time, the best of the rounds, the engines taking turns.
#include "support/build_info.hpp"
#include "support/command_line.hpp"
#include "support/mujoco_engine.hpp"
#include "support/table.hpp"

#include <corten/load.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace bench {
namespace {

constexpr double never = 1e30;

template <class F>
void keep_best(double& best, F&& work) {
  using Clock = std::chrono::steady_clock;
  const auto from = Clock::now();
  work();
  best = std::min(best, 1e3 * std::chrono::duration<double>(Clock::now() - from).count());
}

void forget_assets() {
#if mjVERSION_HEADER >= 3012000
  mj_clearCache(mj_getCache());
#endif
}

// false if the model is refused
bool load_mujoco(const std::string& path) {
  char error[500] = "";
  mjModel* m = mj_loadXML(path.c_str(), nullptr, error, sizeof error);
  if (m == nullptr) std::fprintf(stderr, "%s: skipped: %s\n", path.c_str(), error);
  mj_deleteModel(m);
  return m != nullptr;
}

int main_of(const std::vector<std::string>& paths, int rounds) {
  std::printf("%s\n%s\nwall time, best of %d rounds\n\n", corten_build().c_str(),
              mujoco_build().c_str(), rounds);
  Table table({"model", "meshes", "corten ms", "MuJoCo ms", "ratio", "warm cache, ms", "ratio"});
  double logs = 0;
  int count = 0;
  for (const std::string& path : paths) {
    const auto model = corten::load(path);
    if (!model) {
      std::fprintf(stderr, "%s: skipped: %s\n", path.c_str(), model.error().to_string().c_str());
      continue;
    }
    if (!load_mujoco(path)) continue;
    double ours = never, cold = never, warm = never;
    for (int r = 0; r < rounds; ++r) {
      keep_best(ours, [&] { static_cast<void>(corten::load(path)); });
      forget_assets();
      keep_best(cold, [&] { load_mujoco(path); });
      keep_best(warm, [&] { load_mujoco(path); });
    }
    table.add({short_name(path), std::to_string(model->n.nmesh), format("%.2f", ours),
               format("%.2f", cold), format("%.2f", cold / ours), format("%.2f", warm),
               format("%.2f", warm / ours)});
    logs += std::log(cold / ours);
    ++count;
  }
  table.print();
  if (count == 0) return 1;
  std::printf("\ngeometric mean of the first ratios %.2f over %d models\n", std::exp(logs / count),
              count);
  return 0;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  std::vector<std::string> models;
  int rounds = 10;
  const auto code = bench::read_command_line(
      argc, argv, "usage: bench_load [--rounds N] MODELS...\n", {{"--rounds", &rounds}}, &models);
  return code ? *code : bench::main_of(models, rounds);
}
