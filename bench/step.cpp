// SPDX-License-Identifier: Apache-2.0
//
// bench_step: corten alone. Small embedded models, each in several scalars, integrators and
// solvers; needs no files and no other library.
//
//   bench_step [--steps N] [--filter TEXT] [--json FILE]
#include "support/build_info.hpp"
#include "support/command_line.hpp"
#include "support/corten_engine.hpp"
#include "support/measure.hpp"
#include "support/models.hpp"
#include "support/table.hpp"

#include <corten/io/json.hpp>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

namespace bench {
namespace {

struct Options {
  int steps = 200;
  std::string filter, json;
};

struct Row {
  std::string name, precision;
  int nv = 0;
  double timestep = 0, contacts = 0, iterations = 0;  // means per step
  Measurement time;
  bool valid = true;
};

template <class S>
struct ScalarName;
template <>
struct ScalarName<float> {
  static constexpr const char* name = "float";
  static constexpr double tolerance = 1e-3;
};
template <>
struct ScalarName<double> {
  static constexpr const char* name = "double";
  static constexpr double tolerance = 0;
};
template <class T, int N>
struct ScalarName<Dual<T, N>> {
  static constexpr const char* name = "Dual<double, 8>";
  static constexpr double tolerance = 1e-9;
};

// ---- a measurement ------------------------------------------------------------------------------

// Before timing: do the first steps agree with double, and is the state good to the end? Only the
// first steps are compared, since rounding grows with every contact.
template <class SM, class SD>
bool check(CortenEngine<SM, SD>& engine, CortenEngine<>& reference, const Episode& episode) {
  Episode first = episode;
  first.steps = 10;
  run(engine, first);
  run(reference, first);
  double most = 0;
  for (std::size_t i = 0; i < first.qpos.size(); ++i) {
    const double x = static_cast<double>(corten::value(engine.data().qpos()[i]));
    const double d = std::abs(x - reference.data().qpos()[i]);
    most = d <= most ? most : d;  // keeps NaN
  }
  run(engine, episode);
  constexpr int bad = corten::bad_qpos | corten::bad_qvel | corten::bad_qacc;
  return most <= ScalarName<SD>::tolerance && (engine.status().bits & bad) == 0;
}

template <class SM, class SD>
Row measure_model(const corten::Model<double>& model, const std::string& name,
                  const Options& options) {
  CortenEngine<SM, SD> engine(corten::cast<SM>(model));
  CortenEngine<> reference(model);
  const Episode episode = make_episode(model, options.steps, 1);
  Row row;
  row.name = name;
  row.precision = ScalarName<SD>::name;
  row.nv = model.n.nv;
  row.timestep = model.opt.timestep;
  row.valid = check(engine, reference, episode);
  run(engine, episode, [&](int) {
    row.contacts += static_cast<double>(engine.contacts()) / options.steps;
    row.iterations += static_cast<double>(engine.iterations()) / options.steps;
  });
  row.time = measure([&] { run(engine, episode); }, options.steps);
  return row;
}

// ---- all of them --------------------------------------------------------------------------------

// one model with one choice of options, in every scalar
void add_rows(const corten::Model<double>& model, const std::string& name, const Options& options,
              std::vector<Row>& rows) {
  const auto add = [&](auto model_scalar, auto data_scalar) {
    using SM = decltype(model_scalar);
    using SD = decltype(data_scalar);
    const std::string full = name + ", " + ScalarName<SD>::name;
    if (full.find(options.filter) == std::string::npos) return;
    std::fprintf(stderr, "%s\n", full.c_str());
    rows.push_back(measure_model<SM, SD>(model, name, options));
  };
  add(float{}, float{});
  add(double{}, double{});
  add(double{}, Dual<double, 8>{});
}

bool add_models(const Options& options, std::vector<Row>& rows) {
  using corten::Integrator;
  using corten::Solver;
  for (const NamedModel& source : models()) {
    auto model = load_model(corten::mjcf::parse(source.text));
    if (!model) {
      std::fprintf(stderr, "bench_step: %s: %s\n", source.name, model.error().to_string().c_str());
      return false;
    }
    for (Integrator integrator : {Integrator::euler, Integrator::rk4}) {
      for (Solver solver : {Solver::newton, Solver::pgs}) {
        if (!source.constrained && solver == Solver::pgs) continue;
        model->opt.integrator = static_cast<int>(integrator);
        model->opt.solver = static_cast<int>(solver);
        std::string name = std::string(source.name) + ", " + integrator_name(*model);
        if (source.constrained) name += std::string(", ") + solver_name(*model);
        add_rows(*model, name, options, rows);
      }
    }
  }
  return true;
}

// ---- output -------------------------------------------------------------------------------------

void print_rows(const std::vector<Row>& rows) {
  Table table({"model", "precision", "nv", "timestep", "contacts", "iterations", "ns/step",
               "steps/s", "err%"});
  for (const Row& r : rows) {
    table.add({r.name, r.precision, std::to_string(r.nv), format("%g", r.timestep),
               format("%.1f", r.contacts), format("%.1f", r.iterations),
               grouped(1e9 * r.time.seconds), grouped(1 / r.time.seconds),
               format("%.1f", 100 * r.time.error)});
  }
  table.print();
}

bool write_json(const std::vector<Row>& rows, const Options& options) {
  corten::io::JsonWriter out;
  out.begin_object().key("corten").string(corten_build()).key("timer").string(timer_name());
  out.key("steps").number(options.steps).key("rows").begin_array();
  for (const Row& r : rows) {
    out.begin_object().key("model").string(r.name).key("precision").string(r.precision);
    out.key("nv").number(r.nv).key("timestep").number(r.timestep);
    out.key("contacts").number(r.contacts).key("iterations").number(r.iterations);
    out.key("ns_per_step").number(1e9 * r.time.seconds).key("error").number(r.time.error);
    out.key("valid").number(r.valid ? 1 : 0).end_object();
  }
  out.end_array().end_object();
  std::ofstream file(options.json);
  file << out.text() << "\n";
  return file.good();
}

int bench_step(const Options& options) {
  std::printf("%s\n%s; episodes of %d steps, the best of %d epochs; one thread\n\n",
              corten_build().c_str(), timer_name().c_str(), options.steps, epochs);
  std::fflush(stdout);
  std::vector<Row> rows;
  if (!add_models(options, rows)) return 1;
  print_rows(rows);
  if (!options.json.empty() && !write_json(rows, options)) {
    std::fprintf(stderr, "bench_step: cannot write '%s'\n", options.json.c_str());
    return 1;
  }
  int failed = 0;
  for (const Row& r : rows) {
    if (r.valid) continue;
    std::fprintf(stderr, "bench_step: wrong result: %s, %s\n", r.name.c_str(), r.precision.c_str());
    ++failed;
  }
  return failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  constexpr const char* usage =
      "usage: bench_step [--steps N] [--filter TEXT] [--json FILE]\n"
      "  --steps N      steps per episode, at least 10 (200)\n"
      "  --filter TEXT  only rows with TEXT in their name, e.g. \"figure, RK4\" or \", double\"\n"
      "  --json FILE    also write the table as JSON\n";
  bench::Options o;
  const auto code = bench::read_command_line(
      argc, argv, usage, {{"--steps", &o.steps, 10}, {"--filter", &o.filter}, {"--json", &o.json}});
  return code ? *code : bench::bench_step(o);
}
