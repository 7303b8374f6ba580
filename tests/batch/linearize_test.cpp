// SPDX-License-Identifier: Apache-2.0
#include <corten/batch.hpp>
#include <corten/batch/linearize.hpp>

#include "../support/model.hpp"

using namespace corten;

TEST_CASE("derivatives of many worlds are those of each, for any number of threads", "[batch]") {
  const Model<double> model = support::load("walker");
  Batch<double> batch(model, 7);
  for (int i = 0; i < batch.size(); ++i) {
    support::perturb(model, batch[i], std::uint64_t(i + 1), 0.05, 0.2);
  }
  REQUIRE(batch.step_all(20));
  std::vector<derive::Transition<double>> found(7);
  const auto nx = std::size_t(2 * model.n.nv + model.n.na), all = nx + std::size_t(model.n.nu);
  std::vector<double> next(7 * nx), gradients(7 * all);
  for (std::size_t i = 0; i < next.size(); ++i) next[i] = std::sin(double(i));
  std::vector<Status> status(7);
  for (const int threads : {1, 2, 3}) {
    BatchLinearizer<double> linearize(model, threads);
    linearize(batch, found);
    linearize.pullback(batch, next, gradients, status);
    derive::Linearizer<double> alone(model);
    for (int i = 0; i < 7; ++i) {
      const auto k = std::size_t(i);
      CHECK(found[k].status.ok());
      CHECK(found[k].A == alone(model, batch[i]).A);
      CHECK(found[k].B == alone(model, batch[i]).B);
      const auto& g = alone.pullback(model, batch[i], next.data() + k * nx);
      CHECK(status[k].ok());
      CHECK(std::equal(g.inputs.begin(), g.inputs.end(),
                       gradients.begin() + std::ptrdiff_t(k * all)));
    }
    linearize.pullback(batch, std::span(next).first(nx), gradients, status);
    CHECK(status[0].ok());
    CHECK(status[1].has(bad_argument));
  }
}
