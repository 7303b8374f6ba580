// SPDX-License-Identifier: Apache-2.0
#include <corten/batch.hpp>

#include "../support/model.hpp"

#include <limits>

using namespace corten;

TEST_CASE("a rollout from matrices to matrices is the same as steps", "[batch]") {
  const Model<double> model = support::load("sensors");
  const int n = 3, steps = 12;
  Batch<double> batch(model, n), reference(model, n);
  const auto count = [](int a, int b, int c) {
    return std::size_t(a) * std::size_t(b) * std::size_t(c);
  };
  std::vector<double> initial(count(n, 1, batch.state_size())),
      controls(count(n, steps, model.n.nu));
  std::vector<double> states(count(n, steps, batch.state_size()));
  std::vector<double> sensors(count(n, steps, model.n.nsensordata));
  for (int i = 0; i < n; ++i)
    support::perturb(model, reference[i], std::uint64_t(i + 5), 0.05, 0.2, 0);
  REQUIRE(reference.read_states(initial));
  support::Random random(3);
  for (double& u : controls) u = random();

  // the earlier states of the worlds do not matter
  REQUIRE(batch.step_all(5));
  const auto done = batch.rollout({steps, initial, controls, states, sensors});
  REQUIRE(done);
  CHECK(batch.all_ok());

  bool same = true;
  for (int i = 0; i < n; ++i) {
    Data<double>& d = reference[i];
    for (int k = 0; k < steps; ++k) {
      const int row = i * steps + k;
      for (int u = 0; u < model.n.nu; ++u)
        d.ctrl()[std::size_t(u)] = controls[std::size_t(row * model.n.nu + u)];
      REQUIRE(step(model, d).ok());
      for (int q = 0; q < model.n.nq; ++q) {
        same =
            same && states[std::size_t(row * batch.state_size() + q)] == d.qpos()[std::size_t(q)];
      }
      for (int s = 0; s < model.n.nsensordata; ++s) {
        same = same && sensors[std::size_t(row * model.n.nsensordata + s)] ==
                           d.sensordata()[std::size_t(s)];
      }
    }
  }
  CHECK(same);
}

TEST_CASE("a rollout goes on without the world that failed", "[batch][000-10.3]") {
  const Model<double> model = support::load("walker");
  Batch<double> batch(model, 2);
  const int steps = 4, nu = model.n.nu, ns = batch.state_size();
  batch[1].qvel()[0] = std::numeric_limits<double>::infinity();
  std::vector<double> controls(std::size_t(2 * steps * nu), 0.1),
      states(std::size_t(2 * steps * ns));
  controls[std::size_t(nu)] = std::numeric_limits<double>::quiet_NaN();  // world 0, its second step
  REQUIRE(batch.rollout({steps, {}, controls, states, {}}));
  CHECK(batch.status()[0].bits == bad_ctrl);  // replaced by zeros, and the world went on
  CHECK(batch[0].time() > 3.5 * model.opt.timestep);
  CHECK(batch.status()[1].has(bad_qvel));
  CHECK(states[std::size_t((steps + 3) * ns)] == batch[1].qpos()[0]);
}

TEST_CASE("a matrix of the wrong size is refused", "[batch]") {
  const Model<double> model = support::load("walker");
  Batch<double> batch(model, 2);
  std::vector<double> wrong(7);
  const auto refused = batch.rollout({3, {}, wrong, {}, {}});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().element == "rollout.controls");
  CHECK(batch[0].time() == 0);
  CHECK_FALSE(batch.rollout({3, {}, {}, wrong, {}}));
  CHECK_FALSE(batch.rollout({-1, {}, {}, {}, {}}));
}

TEST_CASE("a rollout by functions sees every step of every world", "[batch]") {
  const Model<double> model = support::load("fluid");
  Batch<double> batch(model, 2);
  std::vector<double> seen(20);
  const auto done = batch.rollout(
      10, [](int world, int k, std::span<double> ctrl) { ctrl[0] = 0.1 * world + 0.01 * k; },
      [&](int world, int k, const Data<double>& d) {
        seen[std::size_t(10 * world + k)] = d.qpos()[7];
      });
  REQUIRE(done);
  CHECK(batch.all_ok());
  CHECK(seen[9] != seen[19]);
  CHECK(seen[19] == batch[1].qpos()[7]);
}
