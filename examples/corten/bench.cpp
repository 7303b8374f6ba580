// SPDX-License-Identifier: Apache-2.0
//
// corten bench: how fast a model steps, and where the time goes.
#include "args.hpp"
#include "controls.hpp"
#include "model_file.hpp"
#include "progress.hpp"
#include "summary.hpp"

#include <corten/io/options.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

namespace cli {

namespace {

using Model = corten::Model<double>;
using Data = corten::Data<double>;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

struct StageTime {
  const char* name;
  double seconds = 0;
};

// The time of each stage of the default pipeline. A pass of stages on a second Data, at the states
// of the run, leaves the run as it is, and what a step takes beyond one pass is the integrator's.
class StageTimer {
 public:
  explicit StageTimer(const Model& model) : m_(corten::bind(model).value()), probe_(model) {}

  void pass(const Data& data) {
    if (!corten::copy_state(data, probe_, corten::state_integration)) return;
    if (!corten::forward(m_, probe_)) return;  // makes room for contacts and rows
    if (!corten::copy_state(data, probe_, corten::state_integration)) return;
    const auto& d = probe_.ref();
    d.status = 0;
    next_ = 0;
    using Pipeline = corten::DefaultPipeline;
    each(Pipeline::position{}, d);
    each(Pipeline::velocity{}, d);
    each(Pipeline::acceleration{}, d);
    ++passes_;
  }

  // seconds per pass, the longest first
  std::vector<StageTime> times() const {
    std::vector<StageTime> out = times_;
    for (StageTime& t : out) t.seconds /= std::max(1, passes_);
    std::stable_sort(out.begin(), out.end(),
                     [](const auto& a, const auto& b) { return a.seconds > b.seconds; });
    return out;
  }

 private:
  template <class... S, class D>
  void each(corten::Stages<S...>, const D& d) {
    (timed<S>(d), ...);
  }
  template <class Stage, class D>
  void timed(const D& d) {
    if (next_ == times_.size()) times_.push_back({Stage::name});
    const auto begin = Clock::now();
    Stage::run(m_, d);
    times_[next_++].seconds += seconds_since(begin);
  }

  corten::ModelRef<double, corten::DefaultPolicies> m_;
  Data probe_;
  std::vector<StageTime> times_;
  std::size_t next_ = 0;
  int passes_ = 0;
};

struct Measured {
  double seconds = 0;  // per step: the best round, of the wall clock
  double load = 0, compile = 0;
  double contacts = 0, rows = 0, iterations = 0;  // per step
  std::size_t bytes = 0;                          // of the data after the run
  std::vector<StageTime> stages;
  corten::Status status;
};

// Runs an episode a few times. All rounds take the same steps, so the fastest is the one that other
// programs disturbed least.
Measured measure(const Model& model, const ControlSettings& control, int steps, int rounds,
                 Progress& progress) {
  Measured out;
  Data data(model);
  const auto m = corten::bind(model).value();
  const auto episode = [&](auto&& after) {
    data.reset(model);
    Controller<double> controller(control, model, data, false);
    double stepping = 0;
    for (int k = 0; k < steps; ++k) {
      controller(data, k);
      const auto begin = Clock::now();
      const corten::Status status = corten::step(m, data);
      stepping += seconds_since(begin);
      out.status.bits |= status.bits;
      after(k);
    }
    return stepping / steps;
  };

  StageTimer timer(model);
  const int every = std::max(1, steps / 100);
  progress.begin("warming up");
  episode([&](int k) {
    out.contacts += static_cast<double>(data.ncon()) / steps;
    out.rows += static_cast<double>(data.nefc()) / steps;
    out.iterations += static_cast<double>(int(data.ref().solver_niter)) / steps;
    if (k % every == 0) timer.pass(data);
  });
  for (int round = 0; round < rounds; ++round) {
    const double mean = episode([&](int k) {
      progress.update((round + static_cast<double>(k) / steps) / rounds,
                      "round " + std::to_string(round + 1));
    });
    out.seconds = round == 0 ? mean : std::min(out.seconds, mean);
  }
  out.stages = timer.times();
  out.bytes = data.bytes() + sizeof data;
  return out;
}

std::string microseconds(double seconds) { return format("%.2f µs", 1e6 * seconds); }

void report(const Model& model, const Measured& r) {
  Table t;
  if (r.load > 0) t.row("load", format("%.1f ms", 1e3 * r.load));
  t.row("speed", grouped(1 / r.seconds) + " steps/s",
        format("%.0f × real time", model.opt.timestep / r.seconds));
  t.row("a step", microseconds(r.seconds));
  t.row("contacts", format("%.1f mean", r.contacts));
  t.row("constraint rows", format("%.1f mean", r.rows));
  t.row("solver iterations", format("%.1f mean", r.iterations));
  t.row("model", grouped(static_cast<double>(corten::to_bytes(model).size())) + " bytes");
  t.row("data", grouped(static_cast<double>(r.bytes)) + " bytes");
  std::string text = t.text() + "\n";

  double sum = 0;
  for (const StageTime& s : r.stages) sum += s.seconds;
  Table stages;
  stages.row("stage", "time", "share");
  for (const StageTime& s : r.stages) {
    stages.row(s.name, microseconds(s.seconds), format("%.1f %%", 100 * s.seconds / sum));
  }
  text += stages.text();
  text += "\nThe stages of one pass take " + microseconds(sum) + "; the rest of a step, " +
          microseconds(std::max(0.0, r.seconds - sum)) +
          ", is integration, sensors and, with RK4, three more passes.\n";
  std::fputs(text.c_str(), stdout);
}

constexpr OptionInfo options[] = {
    {"--steps", "N", "steps per round (default 1000)"},
    {"--rounds", "N", "rounds, of which the fastest counts (default 3)"},
    {"--ctrl", "KIND", "controls, as of simulate (default noise)", "hold zero sin noise"},
    {"--opt", "K=V,...", "change options: solver=PGS,integrator=RK4,..."},
};

corten::Result<int> read_count(const Args& args, const char* name, const char* fallback) {
  const auto n = corten::io::to_number<int>(args.get(name, fallback));
  if (!n || *n < 1) {
    return usage_error(std::string(name) + " needs a whole number above 0, not '" + args.get(name) +
                       "'");
  }
  return *n;
}

int run(std::span<char* const> argv) {
  const auto args = parse_args(argv, options);
  if (!args) return complain(args.error(), bad_usage);
  if (args->files.size() != 1) {
    return complain(usage_error("bench needs one model file"), bad_usage);
  }
  const auto steps = read_count(*args, "--steps", "1000");
  if (!steps) return complain(steps.error(), bad_usage);
  const auto rounds = read_count(*args, "--rounds", "3");
  if (!rounds) return complain(rounds.error(), bad_usage);
  const auto control = ControlSettings::parse(args->get("--ctrl", "noise"));
  if (!control) return complain(control.error(), bad_usage);

  Progress progress(stderr, true);
  progress.begin("loading " + args->files[0]);
  const auto begin = Clock::now();
  auto file = read_model(args->files[0]);
  const double load = seconds_since(begin);
  progress.clear();
  if (!file) return complain(file.error(), failure);
  const auto opt = corten::io::with_options(file->model.opt, args->get("--opt"));
  if (!opt) return complain(opt.error(), bad_usage);
  file->model.opt = *opt;

  Measured result = measure(file->model, *control, *steps, *rounds, progress);
  progress.clear();
  result.load = load;
  report(file->model, result);
  if (!result.status) warn(corten::Error("steps reported " + result.status.to_string()));
  return success;
}

constexpr Example examples[] = {
    {"corten bench robot.xml", "three rounds of a thousand steps under noise"},
    {"corten bench robot.xml --ctrl hold --opt solver=CG", "at rest, with another solver"},
};

}  // namespace

const Command bench_command = {
    .name = "bench",
    .arguments = "MODEL.xml",
    .summary = "measure how fast a model steps, and where the time goes",
    .description =
        "Steps a model on one thread from its reference pose, a few times over, and reports the "
        "fastest round, the time of each stage and the memory. The stages are timed on a copy, at "
        "a hundred states of the run. Only builds of type Release say how fast corten is.",
    .options = options,
    .examples = examples,
    .choices = "",
    .run = run};

}  // namespace cli
