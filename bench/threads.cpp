// SPDX-License-Identifier: Apache-2.0
//
// bench_threads: how the steps per second of a batch grow with its threads. A humanoid of 30 dofs
// collapses on a floor, in 1 to 1024 worlds on 1, 2, 4 and 8 threads. Needs no files, but OpenMP
// for more than one thread.
//
//   bench_threads [--steps N] [--rounds N]
#include "support/build_info.hpp"
#include "support/clock.hpp"
#include "support/command_line.hpp"
#include "support/corten_engine.hpp"
#include "support/models.hpp"
#include "support/table.hpp"
#include "support/worlds.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <string>
#include <thread>
#include <vector>

namespace bench {
namespace {

constexpr int thread_counts[] = {1, 2, 4, 8};

struct Options {
  int steps = 100, rounds = 5;
};

// a batch on some threads, and the best time of its rounds
struct Entry {
  CortenWorlds<double, corten::Batch<double>> worlds;
  double wall = std::numeric_limits<double>::max(), cpu = wall;

  void round(const Episodes& episodes) {
    using Clock = std::chrono::steady_clock;
    const double used = cpu_seconds();
    const auto from = Clock::now();
    run(worlds, episodes);
    wall = std::min(wall, std::chrono::duration<double>(Clock::now() - from).count());
    cpu = std::min(cpu, cpu_seconds() - used);
  }
};

// Threads take turns, so that all see the same machine. The share is relative to that many times
// the rate of one thread: by the clock, and by the CPU time that the same steps take, which other
// programs hardly disturb.
void measure(const corten::Model<double>& model, int count, const Options& options, Table& table) {
  Episodes episodes;
  for (int i = 0; i < count; ++i) {
    episodes.push_back(make_episode(model, options.steps, static_cast<std::uint64_t>(i + 1)));
  }
  std::vector<Entry> entries;
  for (const int threads : thread_counts) entries.push_back({{model, episodes, threads}});
  for (int round = 0; round < options.rounds; ++round) {
    for (Entry& e : entries) e.round(episodes);
  }
  const double steps = static_cast<double>(count) * options.steps;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const Entry& e = entries[k];
    const int threads = std::min(thread_counts[k], count);
    table.add({std::to_string(count), std::to_string(thread_counts[k]), grouped(steps / e.wall),
               format("%.2f", entries[0].wall / (e.wall * threads)),
               format("%.2f", entries[0].cpu / e.cpu)});
  }
}

int bench_threads(const Options& options) {
  std::printf("%s\n", corten_build().c_str());
  const auto model = load_model(corten::mjcf::parse(humanoid(true))).value();
  std::printf(
      "humanoid of %d dofs on a floor, episodes of %d steps, best of %d rounds; %u cores\n\n",
      model.n.nv, options.steps, options.rounds, std::thread::hardware_concurrency());
  Table table({"worlds", "threads", "steps/s", "share of linear", "of CPU time"});
  for (const int count : {1, 16, 64, 256, 1024}) measure(model, count, options, table);
  table.print();
  std::printf("\nmore threads than worlds or cores cannot help\n");
  return 0;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  constexpr const char* usage =
      "usage: bench_threads [options]\n"
      "  --steps N     steps per episode (100)\n"
      "  --rounds N    how often everything is run; the best time counts (5)\n";
  bench::Options o;
  const auto code =
      bench::read_command_line(argc, argv, usage, {{"--steps", &o.steps}, {"--rounds", &o.rounds}});
  return code ? *code : bench::bench_threads(o);
}
