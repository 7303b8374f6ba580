// SPDX-License-Identifier: Apache-2.0
#include <corten/batch.hpp>

#include "../support/model.hpp"

#include <limits>
#include <memory>

using namespace corten;

namespace {

void scatter(const Model<double>& model, Batch<double>& batch) {
  for (int i = 0; i < batch.size(); ++i) support::perturb(model, batch[i], std::uint64_t(i + 1), 0.05, 0.2);
}

}  // namespace

TEST_CASE("a batch is bit-identical to stepping one by one", "[batch][000-10.1]") {
  const Model<double> model = support::load("contacts");
  for (int threads : {1, 2, 3}) {
    Batch<double> batch(model, 5, {}, threads);
    scatter(model, batch);
    std::vector<Data<double>> single;
    for (int i = 0; i < batch.size(); ++i) single.push_back(batch[i]);
    for (int k = 0; k < 20; ++k) batch.step_all();
    CHECK(batch.all_ok());
    for (int i = 0; i < batch.size(); ++i) {
      for (int k = 0; k < 20; ++k) step(model, single[std::size_t(i)]);
      for (int q = 0; q < model.n.nq; ++q) {
        CHECK(batch[i].qpos()[std::size_t(q)] == single[std::size_t(i)].qpos()[std::size_t(q)]);
      }
    }
  }
}

TEST_CASE("states are one row-major matrix", "[batch][000-10.2]") {
  const Model<double> model = support::load("actuators");
  Batch<double> batch(model, 3), copy(model, 3);
  scatter(model, batch);
  std::vector<double> states(std::size_t(3 * batch.state_size()));
  batch.read_states(states);
  CHECK(states[std::size_t(batch.state_size() + 1)] == batch[1].qpos()[1]);
  CHECK(states[std::size_t(2 * batch.state_size() + model.n.nq)] == batch[2].qvel()[0]);
  copy.write_states(states);
  CHECK(copy[2].qvel()[3] == batch[2].qvel()[3]);
}

TEST_CASE("a failing world touches no other and is not reset by itself", "[batch][000-10.3]") {
  const Model<double> model = support::load("walker");
  Batch<double> batch(model, 3), healthy(model, 3);
  batch[1].qpos()[2] = std::numeric_limits<double>::quiet_NaN();
  batch.step_all(10);
  healthy.step_all(10);
  CHECK(batch.status()[0].ok());
  CHECK(batch.status()[1].has(bad_qpos));
  CHECK_FALSE(std::isfinite(batch[1].qpos()[2]));
  CHECK(batch[2].qpos()[2] == healthy[2].qpos()[2]);

  const auto marked = std::make_unique<bool[]>(3);
  marked[1] = true;
  batch.reset_where({marked.get(), 3});
  CHECK(batch[1].time() == 0);
  CHECK(batch[0].time() > 0);
  CHECK(batch.status()[1].ok());
}

TEST_CASE("a rollout sees every step of every world", "[batch]") {
  const Model<double> model = support::load("fluid");
  Batch<double> batch(model, 2);
  std::vector<double> seen(20);
  batch.rollout(
      10, [](int world, int k, std::span<double> ctrl) { ctrl[0] = 0.1 * world + 0.01 * k; },
      [&](int world, int k, const Data<double>& d) { seen[std::size_t(10 * world + k)] = d.qpos()[7]; });
  CHECK(batch.all_ok());
  CHECK(seen[9] != seen[19]);
  CHECK(seen[19] == batch[1].qpos()[7]);
}
