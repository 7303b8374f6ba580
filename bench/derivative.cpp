// SPDX-License-Identifier: Apache-2.0
//
// bench_derivative: A and B of a step, by corten's exact derivatives and by MuJoCo's differences
// (mjd_transitionFD), at the same states of the same models. The exact derivatives are found in up
// to three ways: analytically, by dual numbers, and as the adjoint, which applies A and B to a
// vector without forming them. Their cost is also given in steps of the same model. MuJoCo refuses
// RK4, so every model is integrated with Euler. The states lie along an episode with random
// controls, so contacts and limits are active.
//
// Errors of the exact derivatives are given against differences of polished steps, extrapolated
// from two widths (Richardson), at states where these two do not disagree, which means a kink.
//
//     bench_derivative [--growth] [--rollouts] MODELS...
//
// --growth adds chains of 30, 100 and 300 links, --rollouts the gradient of 1,000 steps.
#include "support/build_info.hpp"
#include "support/clock.hpp"
#include "support/command_line.hpp"
#include "support/corten_engine.hpp"
#include "support/mujoco_engine.hpp"
#include "support/table.hpp"

#include "support/scale_models.hpp"

#include <corten/derive/rollout.hpp>
#include <corten/derive/transition.hpp>

#include <algorithm>
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
  double rows = 0;                                    // constraint rows, mean over the states
  bool analytic = false;                              // or else dual
  double exact = 0, dual = 0, adjoint = 0, step = 0;  // seconds
  double centered = 0, forward = 0;                   // of MuJoCo's differences
  // largest, relative to the largest entry of the matrix; median over the states
  double difference = 0;
  double error = 0;  // of exact derivatives against Richardson differences; negative: only kinks
};

struct Matrices {
  std::vector<double> A, B;
  explicit Matrices(const mjModel& m) {
    const auto nx = static_cast<std::size_t>(2 * m.nv + m.na), nu = static_cast<std::size_t>(m.nu);
    A.resize(nx * nx), B.resize(nx * nu);
  }
};

double largest_difference(const corten::derive::Matrix<double>& matrix,
                          const std::vector<double>& b) {
  const double* const a = matrix.data();
  double most = 0, scale = 1e-12;
  for (std::size_t i = 0; i < b.size(); ++i) {
    most = std::max(most, std::abs(a[i] - b[i]));
    scale = std::max(scale, std::abs(b[i]));
  }
  return most / scale;
}

// (4 D(h/2) - D(h)) / 3 for polished steps, and whether the two agree
bool richardson(const corten::Model<double>& model, const corten::Data<double>& data, double h,
                corten::derive::Matrix<double>& out) {
  using corten::derive::Method;
  const auto wide = corten::derive::transition(model, data, {Method::centered, h, true});
  const auto narrow = corten::derive::transition(model, data, {Method::centered, h / 2, true});
  out = (4 * narrow.A - wide.A) / 3;
  const double scale = narrow.A.cwiseAbs().maxCoeff();
  return (wide.A - narrow.A).cwiseAbs().maxCoeff() < 1e-4 * scale;
}

// the error of A, or -1 at a kink
double error_of(const corten::Model<double>& model, const corten::Data<double>& data) {
  corten::derive::Matrix<double> reference;
  if (!richardson(model, data, 2e-5, reference)) return -1;
  const auto exact = corten::derive::transition(model, data, {.polish = true});
  return (exact.A - reference).cwiseAbs().maxCoeff() / reference.cwiseAbs().maxCoeff();
}

// Reading the clock takes up to a microsecond, so short functions are called several times.
template <class F>
double best_seconds(F&& f) {
  double best = std::numeric_limits<double>::max();
  int calls = 1;
  for (int i = 0; i <= rounds; ++i) {
    const double from = cpu_seconds();
    for (int k = 0; k < calls; ++k) f();
    const double each = (cpu_seconds() - from) / calls;
    if (i == 0) calls = std::clamp(static_cast<int>(1e-4 / each), 1, 64);
    if (i > 0) best = std::min(best, each);
  }
  return best;
}

Result run(const std::string& path, corten::Model<double> model, MujocoEngine& mujoco) {
  model.opt.integrator = static_cast<int>(corten::Integrator::euler);
  const_cast<mjModel&>(mujoco.model()).opt.integrator = mjINT_EULER;
  const mjModel& m = mujoco.model();
  const Episode e = make_episode(model, settle + states * apart, 1);
  CortenEngine<> engine(std::move(model));
  corten::derive::Linearizer<double> linearizer(engine.model()), duals(engine.model());
  linearizer.sensors = duals.sensors = duals.analytically = false;
  Matrices fd(m);
  Result out;
  out.analytic = linearizer.is_analytic(corten::make_ref<corten::DefaultPolicies>(engine.model()));
  out.name = short_name(path);
  out.nx = static_cast<int>(2 * m.nv + m.na);
  out.nu = static_cast<int>(m.nu);
  std::vector<double> differences, errors, row;
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
      const auto& model_of = engine.model();
      const auto bound = corten::bind(model_of).value();
      const auto& data = engine.data();
      const corten::derive::Transition<double>& t = linearizer(bound, data);
      const std::vector<double> next(static_cast<std::size_t>(out.nx), 1.0);
      const auto add = [&](double& to, auto&& f) { to += best_seconds(f) / states; };
      add(out.exact, [&] { linearizer(bound, data); });
      add(out.dual, [&] { duals(bound, data); });
      add(out.adjoint, [&] { linearizer.pullback(bound, data, next.data()); });
      const auto differences_of = [&](mjtByte centered) {
        return [&, centered] {
          mjd_transitionFD(&m, &mujoco.data(), 1e-6, centered, fd.A.data(), fd.B.data(), nullptr,
                           nullptr);
        };
      };
      add(out.forward, differences_of(0));
      add(out.centered, differences_of(1));
      corten::Data<double> copy = data;
      add(out.step, [&] {
        corten::copy_states(data.ref(), copy.ref());
        static_cast<void>(corten::step(bound, copy));
      });
      out.rows += static_cast<double>(mujoco.data().nefc) / states;
      if (const double x = error_of(model_of, data); x >= 0) errors.push_back(x);
      differences.push_back(std::max(largest_difference(t.A, fd.A), largest_difference(t.B, fd.B)));
    }
    mujoco.step();
  }
  std::sort(differences.begin(), differences.end());
  out.difference = differences[differences.size() / 2];
  std::sort(errors.begin(), errors.end());
  out.error = errors.empty() ? -1 : errors[errors.size() / 2];
  return out;
}

// time of A and B of chains, and the exponent by which it grows
void print_growth() {
  Table table({"chain", "exact", "steps", "exponent"});
  double last = 0;
  int before = 0;
  for (const int links : {30, 100, 300}) {
    const auto model = load_model(corten::mjcf::parse(chain(links))).value();
    corten::Data<double> data(model);
    const auto m = corten::bind(model).value();
    for (int i = 0; i < 50; ++i) static_cast<void>(corten::step(m, data));
    corten::derive::Linearizer<double> linearizer(model);
    linearizer(m, data);
    const double time = best_seconds([&] { linearizer(m, data); });
    corten::Data<double> copy = data;
    const double step = best_seconds([&] {
      corten::copy_states(data.ref(), copy.ref());
      static_cast<void>(corten::step(m, copy));
    });
    table.add({std::to_string(links), grouped(1e6 * time), format("%.1f", time / step),
               before == 0
                   ? ""
                   : format("%.2f", std::log(time / last) / std::log(double(links) / before))});
    last = time, before = links;
  }
  std::printf("\n");
  table.print();
}

// the gradient of a rollout by all its controls, in rollouts
void print_rollout(const std::string& name, const corten::Model<double>& model) {
  constexpr int steps = 1000;
  const corten::Data<double> start(model);
  corten::derive::Rollout<double> rollout(model, steps);
  const auto controls = corten::derive::Matrix<double>::Zero(steps, model.n.nu).eval();
  const auto cost = [&](int k, const corten::Data<double>& d, double* by_state, double*) {
    if (k < steps) return 0.0;
    if (by_state != nullptr) by_state[2] += 1;
    return d.qpos()[2];
  };
  const auto m = corten::bind(model).value();
  corten::Data<double> data = start;
  const double plain = best_seconds([&] {
    corten::copy_states(start.ref(), data.ref());
    for (int k = 0; k < steps; ++k) static_cast<void>(corten::step(m, data));
  });
  const double gradient = best_seconds([&] { rollout(start, controls, cost); });
  std::printf("%s: the gradient of %d steps takes %.2f rollouts\n", name.c_str(), steps,
              gradient / plain);
}

int main_of(const std::vector<std::string>& paths, bool growth, bool rollouts) {
  std::printf("%s\n%s\n", corten_build().c_str(), mujoco_build().c_str());
  std::printf(
      "exact derivatives against mjd_transitionFD (1e-6), A and B, Euler, %d states per episode, "
      "best CPU time of %d; one thread, double; µs\n\n",
      states, rounds);
  Table table({"model", "nx", "nu", "rows", "way", "exact", "steps", "dual", "adjoint", "steps",
               "FD centred", "forward", "ratio", "Δ A, B", "error"});
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
    if (rollouts && model->n.nq > 2) print_rollout(short_name(path), *model);
    const Result r = run(path, std::move(model).value(), *mujoco);
    table.add({r.name, std::to_string(r.nx), std::to_string(r.nu), format("%.1f", r.rows),
               r.analytic ? "analytic" : "dual", format("%.1f", 1e6 * r.exact),
               format("%.1f", r.exact / r.step), grouped(1e6 * r.dual),
               format("%.1f", 1e6 * r.adjoint), format("%.1f", r.adjoint / r.step),
               grouped(1e6 * r.centered), grouped(1e6 * r.forward),
               format("%.1f", r.centered / r.exact), format("%.0e", r.difference),
               r.error < 0 ? "kinks" : format("%.0e", r.error)});
    logs += std::log(r.centered / r.exact);
    ++count;
  }
  table.print();
  if (count > 0)
    std::printf("\ngeometric mean of the ratios to centred differences %.2f over %d models\n",
                std::exp(logs / count), count);
  if (growth) print_growth();
  return count > 0 ? 0 : 1;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  std::vector<std::string> models;
  bool growth = false, rollouts = false;
  const auto code = bench::read_command_line(
      argc, argv, "usage: bench_derivative [--growth] [--rollouts] MODELS...\n",
      {{"--growth", &growth}, {"--rollouts", &rollouts}}, &models);
  return code ? *code : bench::main_of(models, growth, rollouts);
}
