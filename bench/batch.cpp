// SPDX-License-Identifier: Apache-2.0
//
// bench_batch: many worlds. Measures how much SIMD lanes speed up the smooth part of a step, and
// worlds × threads × lanes against MuJoCo on as many threads, if MuJoCo is found.
//
//   bench_batch [--worlds N] [--threads N] [--steps N] [--rounds N] MODELS...
#include "support/build_info.hpp"
#include "support/clock.hpp"
#include "support/command_line.hpp"
#include "support/corten_engine.hpp"
#include "support/table.hpp"
#include "support/worlds.hpp"

#if CORTEN_BENCH_MUJOCO
#include "support/mujoco_worlds.hpp"
#endif

#include <chrono>
#include <cstdio>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace bench {
namespace {

using corten::Batch;
using corten::LaneBatch;
using corten::Pack;

// lanes of double in the widest register, at least 4
inline constexpr int wide = corten::native_lanes<double> > 4 ? corten::native_lanes<double> : 4;

struct Options {
  int worlds = 64, threads = 0, steps = 500, rounds = 3;
  std::vector<std::string> models;
};

// ---- the smooth part of a step ------------------------------------------------------------------

template <class S>
inline constexpr int lanes_of = 1;
template <class T, int N>
inline constexpr int lanes_of<Pack<T, N>> = N;

// everything except collision, constraints and sensors
template <class M, class D>
void smooth_step(const M& m, const D& d) {
  d.status = 0;
  corten::forward_smooth(m, d);
  corten::euler(m, d);
}

// Fifty steps of free fall from the reference pose, under a control of 0.1. The fastest run counts.
template <class SM, class SD>
class Smooth {
 public:
  explicit Smooth(const corten::Model<double>& model)
      : model_(corten::cast<SM>(model)), data_(model_, corten::Capacity{0, 0}) {}

  void run() {
    data_.reset(model_);
    for (SD& u : data_.ctrl()) u = SD(0.1);
    const auto m = corten::make_ref<corten::DefaultPolicies>(model_);
    const std::uint64_t from = ticks();
    for (int k = 0; k < steps; ++k) smooth_step(m, data_.ref());
    best_ = std::min(best_, ticks() - from);
  }

  // per step and world
  double nanoseconds() const {
    return 1e9 * seconds_per_tick() * static_cast<double>(best_) / (steps * lanes_of<SD>);
  }

 private:
  static constexpr int steps = 50;
  corten::Model<SM> model_;
  corten::Data<SD> data_;
  std::uint64_t best_ = ~std::uint64_t{0};
};

void smooth_row(const std::string& path, const corten::Model<double>& model, Table& table) {
  Smooth<double, double> plain(model);
  Smooth<float, float> single(model);
  Smooth<double, Pack<double, 4>> four(model);
  Smooth<float, Pack<float, 8>> eight(model);
  Smooth<double, Pack<double, wide>> wide_double(model);
  Smooth<float, Pack<float, 2 * wide>> wide_float(model);
  for (int round = 0; round < 200; ++round) {  // take turns, so that all see the same machine
    plain.run();
    single.run();
    four.run();
    eight.run();
    wide_double.run();
    wide_float.run();
  }
  const double base = plain.nanoseconds();
  const auto cell = [&](double ns) {
    return grouped(ns) + " (" + format("%.2f", base / ns) + "×)";
  };
  table.add({short_name(path), grouped(base), cell(single.nanoseconds()), cell(four.nanoseconds()),
             cell(eight.nanoseconds()), cell(wide_double.nanoseconds()),
             cell(wide_float.nanoseconds())});
}

// ---- batches ------------------------------------------------------------------------------------

// Wall and CPU time of one run. On an idle machine wall time counts; on a busy one the CPU time of
// all threads is more meaningful.
struct Time {
  double wall = std::numeric_limits<double>::max(), cpu = wall;
};

template <class Worlds>
void measure(Worlds& worlds, const Episodes& episodes, Time& best) {
  using Clock = std::chrono::steady_clock;
  const double cpu = cpu_seconds();
  const auto from = Clock::now();
  run(worlds, episodes);
  best.wall = std::min(best.wall, std::chrono::duration<double>(Clock::now() - from).count());
  best.cpu = std::min(best.cpu, cpu_seconds() - cpu);
}

// one competitor: a kind of worlds
struct Entry {
  std::string name;
  std::function<void(Time&)> run;
  Time time;
};

template <class Worlds>
Entry entry(const std::string& name, Worlds& worlds, const Episodes& episodes) {
  return {name, [&worlds, &episodes](Time& t) { measure(worlds, episodes, t); }, {}};
}

// largest |Δqpos| between lanes and batch after the first hold
template <class A, class B>
double first_difference(A& a, B& b, const Episodes& episodes, int nq) {
  double most = 0;
  a.start();
  b.start();
  a.hold(0);
  b.hold(0);
  for (int w = 0; w < static_cast<int>(episodes.size()); ++w) {
    for (int i = 0; i < nq; ++i) {
      const double d = std::abs(a.qpos(w, i) - b.qpos(w, i));
      most = d <= most ? most : d;  // keeps NaN
    }
  }
  return most;
}

void batch_rows(const std::string& path, const corten::Model<double>& model, int threads,
                const Options& options, Table& table) {
  Episodes episodes;
  for (int i = 0; i < options.worlds; ++i) {
    episodes.push_back(make_episode(model, options.steps, static_cast<std::uint64_t>(i + 1)));
  }
  const corten::Model<float> small = corten::cast<float>(model);
  CortenWorlds<double, Batch<double>> plain(model, episodes, threads);
  CortenWorlds<double, LaneBatch<double, 4>> four(model, episodes, threads);
  CortenWorlds<double, LaneBatch<double, wide>> widest(model, episodes, threads);
  CortenWorlds<float, LaneBatch<float, 8>> eight(small, episodes, threads);
  std::vector<Entry> entries;
  entries.push_back(entry("batch, double", plain, episodes));
  entries.push_back(entry("4 lanes, double", four, episodes));
  if (wide > 4) entries.push_back(entry(std::to_string(wide) + " lanes, double", widest, episodes));
  entries.push_back(entry("8 lanes, float", eight, episodes));
#if CORTEN_BENCH_MUJOCO
  MujocoWorlds mujoco(path, episodes, threads);
  if (mujoco.loaded()) entries.push_back(entry("MuJoCo", mujoco, episodes));
#endif
  const double off = first_difference(plain, four, episodes, model.n.nq);
  for (int round = 0; round < options.rounds; ++round) {
    for (std::size_t i = 0; i < entries.size(); ++i) {  // who goes first changes every round
      Entry& e = entries[(i + static_cast<std::size_t>(round)) % entries.size()];
      e.run(e.time);
    }
  }

  const Entry& reference = entries.back();
  const double steps = static_cast<double>(options.worlds) * options.steps;
  for (const Entry& e : entries) {
    table.add({short_name(path), std::to_string(threads), e.name, grouped(steps / e.time.wall),
               grouped(steps * threads / e.time.cpu),
               format("%.2f", reference.time.wall / e.time.wall),
               format("%.2f", reference.time.cpu / e.time.cpu),
               e.name == "4 lanes, double" ? format("%.0e", off) : ""});
  }
}

// ---- the program --------------------------------------------------------------------------------

int bench_batch(const Options& options) {
  std::printf("%s\n", corten_build().c_str());
#if CORTEN_BENCH_MUJOCO
  std::printf("%s\n", mujoco_build().c_str());
#endif
  std::printf("%d worlds, episodes of %d steps, best of %d rounds, taking turns\n\n",
              options.worlds, options.steps, options.rounds);
  const std::string lanes = std::to_string(wide), floats = std::to_string(2 * wide);
  Table smooth({"smooth part of a step, ns per world", "double", "float", "Pack<double, 4>",
                "Pack<float, 8>", "Pack<double, " + lanes + ">", "Pack<float, " + floats + ">"});
  Table batches({"model", "threads", "worlds", "steps/s", "steps/s of CPU time", "ratio",
                 "ratio of CPU time", "Δqpos, 10 steps"});
  const int most = options.threads > 0 ? options.threads : corten::default_threads();
  for (const std::string& path : options.models) {
    const auto model = load_model(corten::mjcf::parse_file(path));
    if (!model) {
      std::fprintf(stderr, "%s: %s\n", path.c_str(), model.error().to_string().c_str());
      return 1;
    }
    std::fprintf(stderr, "%s\n", path.c_str());
    smooth_row(path, *model, smooth);
    batch_rows(path, *model, 1, options, batches);
    if (most > 1) batch_rows(path, *model, most, options, batches);
  }
  smooth.print();
  std::printf("\n");
  batches.print();
  std::printf(
      "\nratio: to the last row of the same model and threads; above 1 is faster\n"
      "steps/s of CPU time: what the threads would reach if nothing else ran\n"
      "Δqpos: largest difference between lanes and batch\n");
  return 0;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  constexpr const char* usage =
      "usage: bench_batch [options] MODELS...\n"
      "  --worlds N     worlds in a batch (64)\n"
      "  --threads N    measure N threads as well as one (default: all of OpenMP's)\n"
      "  --steps N      steps per episode (500)\n"
      "  --rounds N     how often everything is run; the best time counts (3)\n";
  bench::Options o;
  const auto code = bench::read_command_line(argc, argv, usage,
                                             {{"--worlds", &o.worlds},
                                              {"--threads", &o.threads},
                                              {"--steps", &o.steps},
                                              {"--rounds", &o.rounds}},
                                             &o.models);
  return code ? *code : bench::bench_batch(o);
}
