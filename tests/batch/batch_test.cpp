// SPDX-License-Identifier: Apache-2.0
#include <corten/batch.hpp>
#include <corten/batch/island_threads.hpp>
#include <corten/sycl/auto_batch.hpp>

#include "../support/model.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>

using namespace corten;

namespace {

// world i starts at the state of seed i + 1
void scatter(const Model<double>& model, Batch<double>& batch) {
  for (int i = 0; i < batch.size(); ++i) {
    support::perturb(model, batch[i], std::uint64_t(i + 1), 0.05, 0.2);
  }
}

std::uint64_t hash(std::span<const double> numbers, std::uint64_t start = 0xCBF29CE484222325ULL) {
  for (double x : numbers) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &x, sizeof bits);
    start = (start ^ bits) * 0x100000001B3ULL;
  }
  return start;
}

std::vector<double> states(const Batch<double>& batch) {
  std::vector<double> out(std::size_t(batch.size() * batch.state_size()));
  REQUIRE(batch.read_states(out));
  return out;
}

bool identical(const Data<double>& a, const Data<double>& b) {
  return a.bytes() == b.bytes() &&
         std::memcmp(a.memory().data(), b.memory().data(), a.bytes()) == 0;
}

}  // namespace

TEST_CASE("a batch is bit-identical to stepping one by one, in all fields",
          "[batch][000-10.1][001-9.1]") {
  const Model<double> model = support::load(GENERATE("contacts", "soft"));
  for (int threads : {1, 2, 3}) {
    Batch<double> batch(model, 5, {}, threads);
    scatter(model, batch);
    std::vector<Data<double>> single(batch.begin(), batch.end());
    for (int k = 0; k < 20; ++k) REQUIRE(batch.step_all());
    CHECK(batch.all_ok());
    for (int i = 0; i < batch.size(); ++i) {
      for (int k = 0; k < 20; ++k) REQUIRE(step(model, single[std::size_t(i)]).ok());
      CHECK(identical(batch[i], single[std::size_t(i)]));
    }
  }
}

TEST_CASE("the number of threads and the order of the worlds do not matter", "[batch][000-10.1]") {
  const Model<double> model = support::load("contacts");
  const int n = 11;
  std::vector<std::uint64_t> hashes;
  for (int threads : {1, 2, 3, 8}) {
    Batch<double> batch(model, n, {}, threads);
    scatter(model, batch);
    REQUIRE(batch.step_all(30));
    hashes.push_back(hash(states(batch)));
  }
  for (std::uint64_t h : hashes) CHECK(h == hashes[0]);

  std::vector<int> order(std::size_t(n), 0);
  std::iota(order.begin(), order.end(), 0);
  std::rotate(order.begin(), order.begin() + 4, order.end());
  std::swap(order[1], order[7]);
  Batch<double> batch(model, n), shuffled(model, n, {}, 3);
  scatter(model, batch);
  for (int i = 0; i < n; ++i) shuffled[i] = batch[order[std::size_t(i)]];
  REQUIRE(batch.step_all(30));
  REQUIRE(shuffled.step_all(30));
  for (int i = 0; i < n; ++i) CHECK(identical(shuffled[i], batch[order[std::size_t(i)]]));
}

// shipping/allocations.cpp checks that this allocates nothing
TEST_CASE("states, controls and sensors are row-major matrices", "[batch][000-10.2][000-10.5]") {
  const Model<double> model = support::load("actuators");
  Batch<double> batch(model, 3), copy(model, 3);
  scatter(model, batch);
  std::vector<double> matrix = states(batch);
  // one world after the other: qpos, qvel, act
  std::vector<double> expected;
  for (const Data<double>& world : batch) {
    for (const auto& part : {world.qpos(), world.qvel(), world.act()}) {
      expected.insert(expected.end(), part.begin(), part.end());
    }
  }
  CHECK(matrix == expected);
  CHECK(copy.write_states(matrix));
  CHECK(states(copy) == expected);
  const Model<double> sensing = support::load("sensors");
  Batch<double> sensed(sensing, 3);
  scatter(sensing, sensed);
  REQUIRE(sensed.step_all());
  std::vector<double> readings(std::size_t(3 * sensing.n.nsensordata)), read;
  REQUIRE(!readings.empty());
  CHECK(sensed.read_sensors(readings));
  for (const Data<double>& world : sensed) {
    read.insert(read.end(), world.sensordata().begin(), world.sensordata().end());
  }
  CHECK(readings == read);

  std::vector<double> controls(std::size_t(3 * model.n.nu));
  std::iota(controls.begin(), controls.end(), 0.0);
  CHECK(copy.write_controls(controls));
  CHECK(copy[2].ctrl()[1] == 2 * model.n.nu + 1);
  matrix.pop_back();
  CHECK_FALSE(copy.write_states(matrix));
  CHECK_FALSE(copy.read_sensors(matrix));
}

#if !__has_include(<sycl/sycl.hpp>)
TEST_CASE("where there are no devices at all, a batch that looks for one is on the CPU",
          "[batch][000-11.3]") {
  const Model<double> model = support::load("walker");
  AutoBatch<double> automatic(model, 3);
  CHECK_FALSE(automatic.worlds().on_device());
  REQUIRE(automatic.worlds().why_not());
  CHECK(automatic.worlds().why_not()->kind == BatchError::Kind::not_available);
  CHECK(automatic.size() == 3);
  Batch<double> batch(model, 3);
  scatter(model, batch);
  REQUIRE(automatic.write_states(states(batch)));
  REQUIRE(automatic.step_all(20));
  CHECK(automatic.all_ok());

  Batch<double> plain(model, 3);
  REQUIRE(plain.write_states(states(batch)));
  REQUIRE(plain.step_all(20));
  std::vector<double> got(states(plain).size());
  REQUIRE(automatic.read_states(got));
  CHECK(got == states(plain));
}
#endif

TEST_CASE("a failing world touches no other, stays as it is and fails again",
          "[batch][000-10.3][001-9.2][001-9.3]") {
  const Model<double> model = support::load("walker");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Batch<double> batch(model, 4), healthy(model, 4);
  batch[1].qpos()[2] = nan;
  batch[3].qfrc_applied()[0] = nan;
  REQUIRE(batch.step_all(10));
  REQUIRE(healthy.step_all(10));
  CHECK(batch.status()[0].ok());
  CHECK(batch.status()[1].has(bad_qpos));
  CHECK_FALSE(std::isfinite(batch[1].qpos()[2]));
  CHECK(identical(batch[0], healthy[0]));
  CHECK(identical(batch[2], healthy[2]));

  // the acceleration is bad, and must not enter the state
  CHECK(batch.status()[3].has(bad_qacc));
  CHECK(batch[3].time() == 0);
  CHECK(std::isfinite(batch[3].qpos()[0]));
  CHECK(batch[3].qvel()[0] == 0);
  REQUIRE(batch.step_all());
  CHECK(batch.status()[1].has(bad_qpos));
  CHECK(batch.status()[3].has(bad_qacc));
}

TEST_CASE("worlds are put at a keyframe, one or all", "[batch]") {
  Model<double> model = support::load("actuators");
  model.names.key[0] = "home";
  Data<double> home(model);
  REQUIRE(home.reset(model, 0));
  Batch<double> batch(model, 3);
  const auto at_home = [&] {
    std::vector<bool> out;
    for (const Data<double>& world : batch) {
      out.push_back(std::ranges::equal(world.qpos(), home.qpos()) && world.time() == 0.5 &&
                    std::ranges::equal(world.ctrl(), home.ctrl()));
    }
    return out;
  };
  batch[1].qpos()[0] = std::nan("");
  REQUIRE(batch.step_all());
  REQUIRE(batch.reset_to("home", 1));
  CHECK(batch.status()[1].ok());
  CHECK(at_home() == std::vector<bool>{false, true, false});
  REQUIRE(batch.reset_to(0));
  CHECK(at_home() == std::vector<bool>{true, true, true});
  CHECK(batch.reset_to("hone").error().to_string() ==
        "there is no key 'hone' (did you mean 'home'?)");
  CHECK(batch.reset_to(1).error().kind == BatchError::Kind::no_such_key);
  CHECK(batch.reset_to(0, 3).error().kind == BatchError::Kind::no_such_world);
}

TEST_CASE("worlds are reset one by one, by a mask, or all", "[batch][000-10.6][001-9.4]") {
  const Model<double> model = support::load("walker");
  Batch<double> batch(model, 3);
  const auto restart = [&] {
    REQUIRE(batch.reset());
    batch[0].xfrc_applied()[6] = 1;
    REQUIRE(batch.step_all());
  };
  const auto times = [&] {
    return std::vector<bool>{batch[0].time() > 0, batch[1].time() > 0, batch[2].time() > 0};
  };

  restart();
  CHECK(batch.reset(1));
  CHECK(times() == std::vector<bool>{true, false, true});
  CHECK(batch.reset(3).error().kind == BatchError::Kind::no_such_world);
  CHECK_FALSE(batch.reset(-1));

  restart();
  const std::vector<bool> both{true, false, true};  // any range of marks works
  const bool first[] = {true}, longer[] = {false, false, true, true, true};
  const Data<double> untouched = batch[1];
  REQUIRE(batch.reset_where(both));
  CHECK(times() == std::vector<bool>{false, true, false});
  CHECK(identical(batch[1], untouched));
  CHECK(identical(batch[0], Batch<double>(model, 1)[0]));
  restart();
  REQUIRE(batch.reset_where(first));
  CHECK(times() == std::vector<bool>{false, true, true});
  REQUIRE(batch.reset_where(longer));
  CHECK(times() == std::vector<bool>{false, true, false});

  restart();
  CHECK(batch.reset_keep_forces(0));
  CHECK(batch[0].time() == 0);
  CHECK(batch[0].xfrc_applied()[6] == 1);
  CHECK_FALSE(batch.reset_keep_forces(5));
}

// a batch in lanes and one on threads are different types, and a batch refuses a temporary model
static_assert(!std::is_convertible_v<LaneBatch<double>&, Batch<double>&>);
static_assert(!std::is_constructible_v<Batch<double>, Model<double>, int>);
static_assert(std::is_constructible_v<Batch<double>, Model<double>&, int>);

TEST_CASE("nothing is reached out of range", "[batch][001-9.8]") {
  const Model<double> model = support::load("walker");
  Batch<double> batch(model, 2), none(model, 0);
  CHECK(batch.world(1) == &batch[1]);
  CHECK(batch.world(2) == nullptr);
  CHECK(batch.world(-1) == nullptr);
  CHECK(none.empty());
  CHECK(none.step_all()->empty());
  REQUIRE(none.reset());
  CHECK(none.all_ok());
}

TEST_CASE("a world that needs more room grows and loses nothing", "[batch]") {
  const Model<double> model = support::load("contacts");
  Batch<double> growing(model, 2), fixed(model, 2, {1, 4});
  scatter(model, growing);
  Data<double> roomy(model);
  support::perturb(model, roomy, 2, 0.05, 0.2);
  REQUIRE(growing.step_all(50));
  for (int k = 0; k < 50; ++k) REQUIRE(step(model, roomy).ok());
  REQUIRE(roomy.ncon() > 8);
  CHECK(growing.all_ok());
  for (std::size_t i = 0; i < roomy.qpos().size(); ++i)
    CHECK(growing[1].qpos()[i] == roomy.qpos()[i]);
  CHECK(growing.bytes(1).value() < roomy.bytes() + 2000);

  REQUIRE(fixed.step_all(50));
  CHECK(fixed.status()[0].overflow());
  CHECK(fixed[0].needed().contacts > 1);
}

// a ball hits a stack, which sleeps in some worlds and not in others
TEST_CASE("each world of a batch sleeps by itself", "[batch][sleep]") {
  const Model<double> model = support::load("sleep");
  Batch<double> batch(model, 3, {}, 2);
  LaneBatch<double, 2> lanes(model, 3, {}, 2);
  REQUIRE(batch.reset_to("roll"));
  REQUIRE(lanes.reset_to("roll"));
  for (int i = 0; i < 3; ++i) {
    batch[i].qvel()[13] = lanes[i].qvel()[13] = 2.5 - i;
  }
  std::vector<Data<double>> single(batch.begin(), batch.end());
  REQUIRE(batch.step_all(130));
  REQUIRE(lanes.step_all(130));
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 130; ++k) REQUIRE(step(model, single[std::size_t(i)]).ok());
    CHECK(identical(batch[i], single[std::size_t(i)]));
    CHECK(identical(lanes[i], single[std::size_t(i)]));
  }
  CHECK(batch[0].ref().ntree_awake > batch[2].ref().ntree_awake);
}

// ---- more than one thread within a world --------------------------------------------------------

namespace {

using Threaded = Policies<DefaultPipeline::replace<stages::Solve, IslandThreads>>;
static_assert(Threaded::Pipeline::has<IslandThreads>);

// towers of boxes, each an island; the higher ones have a sparse Hessian
Model<double> towers(const std::string& options) {
  std::string text =
      "<mujoco><option " + options + "/><worldbody><geom type='plane' size='0 0 1'/>";
  for (int i = 0; i < 20; ++i) {
    const std::string pos = std::to_string(0.1 * (i % 5)) + " " + std::to_string(0.3 * (i / 5));
    text += "<body pos='" + pos + " " + std::to_string(0.05 + 0.099 * (i % 5)) +
            "'><freejoint/><geom type='box' size='.1 .1 .05'/></body>";
  }
  return support::parse(text + "</worldbody></mujoco>");
}

// what the solver writes
std::vector<double> solution(const Data<double>& data) {
  const auto& d = data.ref();
  std::vector<double> out = {double(d.solver_niter), double(d.nisland)};
  for (int i = 0; i < d.n.nv; ++i) out.insert(out.end(), {d.qacc[i], d.qfrc_constraint[i]});
  for (int r = 0; r < d.nefc; ++r) out.insert(out.end(), {d.efc_force[r], double(d.efc_state[r])});
  return out;
}

}  // namespace

TEST_CASE("islands on threads have the same bits for any number of threads", "[batch][solver]") {
  const std::string options =
      GENERATE("solver='Newton'", "solver='CG' cone='elliptic'", "jacobian='dense'");
  const Model<double> model = towers(options);
  const auto m = bind(model).value();
  Data<double> data(model);
  for (int k = 0; k < 5; ++k) REQUIRE(step(m, data).ok());
  REQUIRE(forward(m, data).ok());
  const std::vector<double> expected = solution(data);
  REQUIRE(data.ref().nisland > 1);
  REQUIRE(data.ref().nefc >= detail::IslandsOnThreads::least_rows);
  const int usual = default_threads();
  for (int threads : {1, 2, 4}) {
    set_default_threads(threads);
    std::fill(data.qacc().begin(), data.qacc().end(), 0.0);
    IslandThreads::run(m, data.ref());
    CHECK(solution(data) == expected);
  }
  set_default_threads(usual);
}
