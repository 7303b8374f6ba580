// SPDX-License-Identifier: Apache-2.0
#include <corten/batch.hpp>

#include "../support/model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

using namespace corten;

namespace {

// Fills everything that packs compute with NaN, in each world. A stage that reads a field of the
// world which its overload for lanes has not taken from the block now reads NaN. State and inputs
// that only the world's own solver and the user look at stay.
struct Poison {
  static constexpr int lanes = by_world;

  template <class M, class D>
  static void run(const M&, const D&) {}
  template <class M, class Block>
  static void run(const M&, const Lane<Block>& lane) {
    using S = lane_t<Block>;
    const auto& world = lane.world;
    const DataSizes& n = world.n;
    const S nan(std::numeric_limits<double>::quiet_NaN());
#define X(type, name, rows, width, meaning) \
  if constexpr (std::is_same_v<type, S>) fill(world.name, (rows) * (width), nan);
    CORTEN_DATA_LANE_FIELDS(X)
#undef X
#define X(type, name, rows, width, meaning) \
  lane.take(lane.block.name, world.name, (rows) * (width));
    CORTEN_STATE_TABLE(X, X, CORTEN_DATA_NONE)
#undef X
    fill(world.qpos, n.nq, nan);
    fill(world.qvel, n.nv, nan);
    fill(world.act, n.na, nan);
  }
};

// Restores the state, from which a world that is stepped alone starts.
struct Antidote {
  static constexpr int lanes = by_world;

  template <class M, class D>
  static void run(const M&, const D&) {}
  template <class M, class Block>
  static void run(const M&, const Lane<Block>& lane) {
    lane.take(lane.block.qpos, lane.world.qpos, lane.world.n.nq);
    lane.take(lane.block.qvel, lane.world.qvel, lane.world.n.nv);
    lane.take(lane.block.act, lane.world.act, lane.world.n.na);
  }
};

// A stage of one world reads from the packs exactly what its overload for lanes takes, no more.
template <class Pipeline, class... Stage>
struct Poisoning {
  using type = Pipeline;
};
template <class Pipeline, class First, class... Rest>
struct Poisoning<Pipeline, First, Rest...>
    : Poisoning<typename Pipeline::template replace<First, Poison, First, Antidote>, Rest...> {};
struct Poisoned
    : Policies<Poisoning<DefaultPipeline, stages::Collision, stages::Constraint,
                         stages::Transmission, stages::Passive, stages::Reference, stages::Solve,
                         stages::SoftDetection, stages::SoftDynamics>::type> {};

// Two lanes fit a register on every 64-bit machine.
using Pairs = LaneBatch<double, 2, Poisoned>;

template <class B>
void scatter(const Model<double>& model, B& batch) {
  for (int i = 0; i < batch.size(); ++i) {
    support::perturb(model, batch[i], std::uint64_t(i + 1), 0.05, 0.2);
    for (double& x : batch[i].xfrc_applied()) x = i == 1 ? 0.1 : 0;
    const auto& d = batch[i].ref();
    for (int k = 0; k < d.n.nuserdata; ++k) d.userdata[k] = i + k;
  }
}

// largest difference of any field that a world exposes, relative to the largest number of the field
// (or 1)
double difference(const Data<double>& a, const Data<double>& b) {
  if (a.ncon() != b.ncon() || a.nefc() != b.nefc()) return std::numeric_limits<double>::infinity();
  double worst = std::fabs(a.time() - b.time());
  const DataSizes n = sizes_in_use(a.ref());
  const auto compare = [&](const auto& x, const auto& y, int count) {
    double scale = 1, most = 0;
    for (int i = 0; i < count; ++i) {
      scale = std::max(scale, std::fabs(double(x[i])));
      const double off = std::fabs(double(x[i]) - double(y[i]));
      most = off <= most ? most : std::isnan(off) ? std::numeric_limits<double>::infinity() : off;
    }
    worst = std::max(worst, most / scale);
  };
  // tendon paths have fewer points than there is room for
#define X(type, name, rows, width, meaning)                \
  if (!std::string_view(#name).starts_with("wrap_")) {     \
    compare(a.ref().name, b.ref().name, (rows) * (width)); \
  }
  CORTEN_DATA_SHOWN_FIELDS(X)
#undef X
  const int last = n.ntendon - 1;
  const int points = last < 0 ? 0 : a.ref().ten_wrapadr[last] + a.ref().ten_wrapnum[last];
  compare(a.ref().wrap_obj, b.ref().wrap_obj, points);
  compare(a.ref().wrap_xpos, b.ref().wrap_xpos, 3 * points);
  return worst;
}

}  // namespace

TEST_CASE("lanes have the results of a batch to rounding", "[batch][lanes]") {
  const std::string name =
      GENERATE("actuators", "servos", "motors", "contacts", "flags", "fluid", "joints", "sensors",
               "sensor_history", "sensor_kinds", "sensor_assets", "sensor_tactile", "tendons",
               "tendon_frames", "touch", "activation", "coupled", "transmissions", "walker",
               "equality", "cones", "implicit", "soft");
  Model<double> model = support::load(name);
  model.opt.enableflags |= enable_energy;
  const int worlds = 5;  // the last block has only one
  for (Integrator integrator : {Integrator::euler, Integrator::rk4, Integrator::implicit,
                                Integrator::implicitfast, Integrator::implicitspringdamper}) {
    // too stiff for the others
    const bool stiff = integrator == Integrator::implicit || integrator == Integrator::implicitfast;
    if (name == "implicit" && !stiff) continue;
    model.opt.integrator = static_cast<int>(integrator);
    Batch<double> batch(model, worlds);
    Pairs lanes(model, worlds, {}, 2);
    scatter(model, batch);
    scatter(model, lanes);
    REQUIRE(batch.step_all(7));
    REQUIRE(lanes.step_all(7));
    REQUIRE(batch.step_all());
    REQUIRE(lanes.step_all());
    CHECK(lanes.all_ok());
    for (int i = 0; i < worlds; ++i) {
      INFO(name << ", integrator " << int(integrator) << ", world " << i);
      CHECK(difference(batch[i], lanes[i]) < 1e-8);
    }
  }
}

TEST_CASE("forward and inverse dynamics are compared in worlds of lanes too", "[batch][lanes]") {
  Model<double> model = support::load("contacts");
  model.opt.enableflags |= enable_fwdinv;
  Pairs lanes(model, 3);
  Batch<double> batch(model, 3);
  scatter(model, lanes);
  scatter(model, batch);
  REQUIRE(lanes.step_all(5));
  REQUIRE(batch.step_all(5));
  for (int i = 0; i < 3; ++i) CHECK(difference(batch[i], lanes[i]) < 1e-12);
  CHECK(lanes[1].ref().solver_fwdinv[0] > 0);
}

TEST_CASE("a lane does not depend on its neighbours or on threads", "[batch][lanes]") {
  const Model<double> model = support::load("walker");
  Pairs one(model, 4, {}, 1), other(model, 4, {}, 3);
  scatter(model, one);
  const int order[] = {3, 0, 2, 1};
  for (int i = 0; i < 4; ++i) other[i] = one[order[i]];
  REQUIRE(one.step_all(30));
  REQUIRE(other.step_all(30));
  for (int i = 0; i < 4; ++i) {
    for (int q = 0; q < model.n.nq; ++q) {
      CHECK(other[i].qpos()[std::size_t(q)] == one[order[i]].qpos()[std::size_t(q)]);
    }
  }
}

TEST_CASE("a failing lane touches no other", "[batch][lanes]") {
  const Model<double> model = support::load("walker");
  Pairs batch(model, 4), healthy(model, 4);
  scatter(model, batch);
  scatter(model, healthy);
  batch[1].qpos()[2] = std::numeric_limits<double>::quiet_NaN();
  batch[2].ctrl()[0] = std::numeric_limits<double>::quiet_NaN();
  REQUIRE(batch.step_all(10));
  REQUIRE(healthy.step_all(10));
  CHECK(batch.status()[0].ok());
  CHECK(batch.status()[1].has(bad_qpos));
  CHECK(batch.status()[2].has(bad_ctrl));
  for (int i : {0, 3}) CHECK(batch[i].qpos()[2] == healthy[i].qpos()[2]);
}

TEST_CASE("worlds in lanes grow when contacts do not fit, or say so", "[batch][lanes]") {
  const Model<double> model = support::load("contacts");
  Pairs roomy(model, 3), growing(model, 3), fixed(model, 3, Capacity{1, 4});
  scatter(model, roomy);
  scatter(model, growing);
  REQUIRE(fixed.step_all());
  CHECK(fixed.status()[0].overflow());
  CHECK(fixed[0].time() == 0);
  for (int i = 0; i < 3; ++i) growing[i].grow(model, Capacity{1, 4});
  REQUIRE(roomy.step_all(5));
  REQUIRE(growing.step_all(5));
  CHECK(growing.all_ok());
  for (int i = 0; i < 3; ++i) CHECK(difference(roomy[i], growing[i]) < 1e-8);
}

TEST_CASE("a rollout in lanes sees every step", "[batch][lanes]") {
  const Model<double> model = support::load("fluid");
  Pairs lanes(model, 3);
  Batch<double> batch(model, 3);
  std::vector<double> a(30), b(30);
  // feedback: the state of the world is that of the last step
  const auto control = [](int world, int k, const Data<double>& d, std::span<double> ctrl) {
    ctrl[0] = 0.1 * world + 0.01 * k - 5 * d.qvel()[6] + d.xpos()[5];
  };
  const auto into = [](std::vector<double>& seen) {
    return [&seen](int world, int k, const Data<double>& d) {
      seen[std::size_t(10 * world + k)] = d.ref().xpos[4] + d.qpos()[7];
    };
  };
  REQUIRE(lanes.rollout(10, control, into(a)));
  REQUIRE(batch.rollout(10, control, into(b)));
  for (std::size_t i = 0; i < a.size(); ++i) CHECK(near_relative(a[i], b[i], 1e-10));

  // without a record, and against steps that are taken one by one
  Batch<double> short_one(model, 1);
  REQUIRE(short_one.rollout(10, control));
  Data<double> alone(model);
  for (int k = 0; k < 10; ++k) {
    control(0, k, alone, alone.ctrl());
    REQUIRE(step(model, alone).ok());
  }
  CHECK(short_one[0].qpos()[7] == alone.qpos()[7]);
  CHECK(batch[0].qpos()[7] == alone.qpos()[7]);
}

TEST_CASE("rollouts of matrices in lanes", "[batch][lanes]") {
  const Model<double> model = support::load("walker");
  const int worlds = 3, steps = 4, n = model.n.nq + model.n.nv + model.n.na;
  Pairs lanes(model, worlds);
  Batch<double> batch(model, worlds);
  scatter(model, batch);
  std::vector<double> initial(std::size_t(worlds * n)),
      controls(std::size_t(worlds * steps * model.n.nu));
  std::vector<double> a(std::size_t(worlds * steps * n)), b(a.size());
  REQUIRE(batch.read_states(initial));
  initial[std::size_t(n + 2)] = std::numeric_limits<double>::quiet_NaN();  // world 1 never moves
  for (std::size_t i = 0; i < controls.size(); ++i) controls[i] = 0.01 * double(i % 7);
  Rollout<double> r{steps, initial, controls, a, {}};
  REQUIRE(lanes.rollout(r));
  r.states = b;
  REQUIRE(batch.rollout(r));
  for (int i = 0; i < worlds; ++i)
    CHECK(lanes.status()[std::size_t(i)].bits == batch.status()[std::size_t(i)].bits);
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(b[i])) {
      CHECK(std::isnan(a[i]));
    } else {
      CHECK(near_relative(a[i], b[i], 1e-9, 1));
    }
  }
  r.states = std::span<double>(a).first(3);
  CHECK_FALSE(lanes.rollout(r));
}

TEST_CASE("worlds with numbers of their own are stepped alone", "[batch][lanes]") {
  const Model<double> model = support::load("walker");
  Pairs lanes(model, 3);
  Batch<double> batch(model, 3);
  lanes.vary(&Option<double>::gravity)[1] = {0, 0, -1.6};
  batch.vary(&Option<double>::gravity)[1] = {0, 0, -1.6};
  REQUIRE(lanes.step_all(5));
  REQUIRE(batch.step_all(5));
  for (int i = 0; i < 3; ++i) CHECK(lanes[i].qpos()[2] == batch[i].qpos()[2]);
}

TEST_CASE("a world whose solver ran out of iterations says so and goes on, in lanes too",
          "[batch][lanes]") {
  Model<double> model = support::load("walker");
  model.opt.iterations = 1;
  Model<double> strict = model;
  strict.opt.enableflags |= enable_strictsolver;
  Batch<double> plain(model, 3), batch(strict, 3);
  Pairs lanes(strict, 3);
  scatter(model, plain);
  scatter(model, batch);
  scatter(model, lanes);
  REQUIRE(plain.step_all(60));
  REQUIRE(batch.step_all(60));
  REQUIRE(lanes.step_all(60));
  CHECK(plain.all_ok());
  for (int i = 0; i < 3; ++i) {
    CHECK(batch.status()[std::size_t(i)].has(solver_limit));
    CHECK(lanes.status()[std::size_t(i)].bits == batch.status()[std::size_t(i)].bits);
    const auto a = batch[i].qpos(), b = plain[i].qpos();
    CHECK(std::equal(a.begin(), a.end(), b.begin()));
    CHECK(lanes[i].time() == plain[i].time());
  }
}
