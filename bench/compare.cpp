// SPDX-License-Identifier: Apache-2.0
//
// bench_compare: the same models, states and controls through corten and MuJoCo in one process.
// support/comparison.hpp has the method, README.md the numbers.
#include "support/build_info.hpp"
#include "support/command_line.hpp"
#include "support/comparison.hpp"
#include "support/stage_report.hpp"
#include "support/table.hpp"

#include <corten/io/json.hpp>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

namespace bench {
namespace {

struct Entry {
  Comparison result;
  std::string file, solver, integrator;
  int nv = 0;
  double timestep = 0;
  std::optional<StageReport> stages;
};

// the geometric mean and the smallest ratio
struct Summary {
  double mean = 0;
  const Entry* slowest = nullptr;
};

Summary summarize(const std::vector<Entry>& entries) {
  Summary s;
  double logs = 0;
  for (const Entry& e : entries) {
    logs += std::log(e.result.ratio());
    if (s.slowest == nullptr || e.result.ratio() < s.slowest->result.ratio()) s.slowest = &e;
  }
  s.mean = std::exp(logs / static_cast<double>(entries.size()));
  return s;
}

std::string method(const Options& o) {
  std::string text =
      std::to_string(o.episodes) + " episodes of " + std::to_string(o.steps) + " steps";
  text += o.replay ? ", each step from MuJoCo's state" : ", each engine on its own trajectory";
  text += "; best CPU time of " + std::to_string(o.rounds) + " rounds, engines taking turns";
  if (!o.opt.empty()) text += "; " + o.opt;
  return text + "; one thread, double precision";
}

// ---- output -------------------------------------------------------------------------------------

std::string both(double a, double b) { return format("%.1f", a) + " / " + format("%.1f", b); }

void print_results(const std::vector<Entry>& entries, const Options& options) {
  Table table({"model", "nv", "timestep", "integrator", "solver", "corten steps/s",
               "MuJoCo steps/s", "ratio", "contacts", "iterations", "Δ 1 step", "Δ any step",
               "Δ " + std::to_string(options.steps) + " steps"});
  for (const Entry& e : entries) {
    const Comparison& c = e.result;
    table.add({c.name, std::to_string(e.nv), format("%g", e.timestep), e.integrator, e.solver,
               grouped(1 / c.corten.seconds), grouped(1 / c.mujoco.seconds),
               format("%.2f", c.ratio()), both(c.corten.contacts, c.mujoco.contacts),
               both(c.corten.iterations, c.mujoco.iterations), format("%.0e", c.differences.first),
               format("%.0e", c.differences.any), format("%.0e", c.differences.last)});
  }
  table.print();
  const Summary s = summarize(entries);
  std::printf("\ngeometric mean of the ratios %.3f over %zu models, smallest %.3f (%s)\n", s.mean,
              entries.size(), s.slowest->result.ratio(), s.slowest->result.name.c_str());
  std::printf(
      "contacts and iterations: corten / MuJoCo, means per step; Δ: largest difference of qpos\n");
}

void write_run(corten::io::JsonWriter& out, const char* key, const Run& run) {
  out.key(key).begin_object();
  out.key("steps_per_second").number(1 / run.seconds);
  out.key("contacts").number(run.contacts);
  out.key("iterations").number(run.iterations);
  out.end_object();
}

void write_stages(corten::io::JsonWriter& out, const StageReport& report) {
  out.key("stages_ns").begin_object();
  for (std::size_t i = 0; i < stage_count; ++i) out.key(stage_names[i]).number(report.corten[i]);
  out.end_object();
  out.key("groups_ns").begin_array();
  for (const auto& g : report.groups) {
    out.begin_object().key("group").string(g.name);
    out.key("corten").number(g.corten).key("mujoco").number(g.mujoco).end_object();
  }
  out.end_array();
}

void write_entry(corten::io::JsonWriter& out, const Entry& e) {
  out.begin_object();
  out.key("model").string(e.result.name).key("file").string(e.file);
  out.key("nv").number(e.nv).key("timestep").number(e.timestep);
  out.key("integrator").string(e.integrator).key("solver").string(e.solver);
  out.key("ratio").number(e.result.ratio());
  write_run(out, "corten", e.result.corten);
  write_run(out, "mujoco", e.result.mujoco);
  out.key("difference_first").number(e.result.differences.first);
  out.key("difference_any").number(e.result.differences.any);
  out.key("difference_last").number(e.result.differences.last);
  out.key("status").number(e.result.status);
  if (e.stages) write_stages(out, *e.stages);
  out.end_object();
}

bool write_json(const std::vector<Entry>& entries, const Options& options) {
  corten::io::JsonWriter out;
  const Summary s = summarize(entries);
  out.begin_object();
  out.key("corten").string(corten_build()).key("mujoco").string(mujoco_build());
  out.key("method").string(method(options)).key("precision").string("double");
  out.key("steps").number(options.steps).key("episodes").number(options.episodes);
  out.key("rounds").number(options.rounds).key("replay").number(options.replay ? 1 : 0);
  out.key("geometric_mean").number(s.mean).key("smallest").number(s.slowest->result.ratio());
  out.key("models").begin_array();
  for (const Entry& e : entries) write_entry(out, e);
  out.end_array().end_object();
  std::ofstream file(options.json);
  file << out.text() << "\n";
  return file.good();
}

// ---- the models ---------------------------------------------------------------------------------

std::optional<Entry> run_model(const std::string& path, const Options& options) {
  std::string why;
  const std::unique_ptr<Contest> contest = Contest::load(path, options, why);
  if (!contest) {
    std::fprintf(stderr, "%s: skipped: %s\n", path.c_str(), why.c_str());
    return {};
  }
  std::fprintf(stderr, "%s\n", path.c_str());
  Entry e;
  const auto& model = contest->model();
  e.result = contest->run();
  e.result.name = short_name(path);
  e.file = path;
  e.nv = model.n.nv;
  e.timestep = model.opt.timestep;
  e.solver = solver_name(model);
  e.integrator = integrator_name(model);
  if (e.result.status != 0) {
    std::fprintf(stderr, "%s: corten reported status %d\n", path.c_str(), e.result.status);
  }
  if (options.stages) {
    if (same_as_step(contest->corten(), contest->episodes()[0])) {
      e.stages = measure_stages(*contest, options.rounds);
    } else {
      std::fprintf(stderr, "%s: the staged step differs from corten::step: no stages\n",
                   path.c_str());
    }
  }
  return e;
}

int compare(const Options& options) {
  std::printf("%s\n%s\n%s\n\n", corten_build().c_str(), mujoco_build().c_str(),
              method(options).c_str());
  std::fflush(stdout);
  std::vector<Entry> entries;
  for (const std::string& path : options.models) {
    if (std::optional<Entry> e = run_model(path, options)) entries.push_back(std::move(*e));
  }
  if (entries.empty()) {
    std::fprintf(stderr, "bench_compare: no model could be run\n");
    return 1;
  }
  for (const Entry& e : entries) {
    if (e.stages) print_stages(e.result.name, *e.stages);
  }
  print_results(entries, options);
  if (!options.json.empty() && !write_json(entries, options)) {
    std::fprintf(stderr, "bench_compare: cannot write '%s'\n", options.json.c_str());
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  constexpr const char* usage =
      "usage: bench_compare [options] MODELS...\n"
      "\n"
      "MODELS are MJCF files, or directories of *.xml files.\n"
      "\n"
      "  --steps N      steps per episode (1000)\n"
      "  --episodes N   episodes, each with its own start and controls (3)\n"
      "  --rounds N     how often all episodes are run; the best time of each counts (5)\n"
      "  --replay       start every step from MuJoCo's state: the same work even if\n"
      "                 trajectories diverge\n"
      "  --stages       also print where the time goes\n"
      "  --opt K=V,...  options for both engines: integrator=RK4,disable=contact+constraint\n"
      "  --json FILE    also write everything as JSON\n";
  bench::Options o;
  const auto code = bench::read_command_line(argc, argv, usage,
                                             {{"--steps", &o.steps},
                                              {"--episodes", &o.episodes},
                                              {"--rounds", &o.rounds},
                                              {"--replay", &o.replay},
                                              {"--stages", &o.stages},
                                              {"--opt", &o.opt},
                                              {"--json", &o.json}},
                                             &o.models);
  return code ? *code : bench::compare(o);
}
