// SPDX-License-Identifier: Apache-2.0
//
// bench_integrators: the cost of a step with each integrator, and of finite differences of a step.
// Needs no files and no other library.
#include "support/build_info.hpp"
#include "support/corten_engine.hpp"
#include "support/measure.hpp"
#include "support/models.hpp"
#include "support/table.hpp"

#include <corten/derive/difference.hpp>

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace bench {
namespace {

// ---- measurements -------------------------------------------------------------------------------

corten::Model<double> loaded(const std::string& text) {
  return load_model(corten::mjcf::parse(text)).value();
}

// seconds per step, over an episode
double step_time(corten::Model<double> model, corten::Integrator integrator) {
  model.opt.integrator = static_cast<int>(integrator);
  CortenEngine<> engine(std::move(model));
  const Episode episode = make_episode(engine.model(), 100, 1);
  return measure([&] { run(engine, episode); }, episode.steps).seconds;
}

void compare_integrators() {
  Table table({"model", "dofs", "integrator", "ns/step", "times Euler"});
  const std::pair<const char*, std::string> models[] = {{"chain of 10", chain(10)},
                                                        {"humanoid", humanoid(false)}};
  for (const auto& [name, text] : models) {
    corten::Model<double> model = loaded(text);
    // Euler treats damping implicitly, with a second factorisation; the chain is measured without
    if (text == chain(10)) model.dof_damping.assign(model.dof_damping.size(), 0);
    const double euler = step_time(model, corten::Integrator::euler);
    for (const auto& known : corten::spec::keywords<corten::Integrator>) {
      const double time = step_time(model, static_cast<corten::Integrator>(known.value));
      table.add({name, std::to_string(model.n.nv), std::string(known.word), grouped(1e9 * time),
                 format("%.2f", time / euler)});
    }
  }
  table.print();
}

void time_differences() {
  const corten::Model<double> model = loaded(chain(6));
  corten::Data<double> data(model);
  const double time =
      measure(
          [&] {
            (void)corten::derive::difference<corten::DefaultPolicies>(model, data, 1e-6, true);
          },
          1)
          .seconds;
  std::printf("\ncentred differences of a step, 6 links: %.3f ms\n", 1e3 * time);
}

}  // namespace
}  // namespace bench

int main() {
  std::printf("%s\n%s\n\n", bench::corten_build().c_str(), bench::timer_name().c_str());
  bench::compare_integrators();
  bench::time_differences();
  return 0;
}
