// SPDX-License-Identifier: Apache-2.0
//
// What a batch does when its device fails, with a device that fails on request (fake/sycl).
#include <corten/sycl.hpp>

#include "../support/model.hpp"

#include <algorithm>

using namespace corten;
using sycl::Failure;
using sycl::fake;

namespace {

struct Few : Policies<Joints<Hinge>, Geoms<Plane, Sphere>, Sensors<>, Solvers<Solver::newton>,
                      Integrators<Integrator::euler>> {};
using AsOne = DeviceBatch<double, Few>;
using Divided = DeviceBatch<double, Few, Strided, Fused>;

constexpr const char* text = R"(
<mujoco>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body pos="0 0 .5"><joint axis="0 1 0"/><geom size=".1" pos=".3 0 0"/></body>
  </worldbody>
</mujoco>)";

// one thread solves a world: the fake has no work-groups
DeviceOptions alone() {
  DeviceOptions out;
  out.team = 1;
  return out;
}

struct Broken {
  const char* name;
  Failure failure;
  BatchError::Kind kind;
};
constexpr Broken ways[] = {{"refused", Failure::refuses, BatchError::Kind::kernel_compilation},
                           {"refused later", Failure::later, BatchError::Kind::kernel_compilation},
                           {"not run", Failure::silent, BatchError::Kind::kernel_compilation},
                           {"not copied", Failure::copy, BatchError::Kind::device_lost},
                           {"no memory", Failure::memory, BatchError::Kind::batch_too_large}};

// what batch has after some steps
template <class B>
std::vector<double> states(B& batch) {
  std::vector<double> out(std::size_t(batch.size() * batch.state_size()));
  REQUIRE(batch.read_states(out));
  return out;
}

// fails in this way, after some launches, until the end of the block
struct Fails {
  explicit Fails(Failure failure, int after = 0) {
    fake.failure = failure;
    fake.after = after;
  }
  ~Fails() { fake.failure = Failure::none; }
};

}  // namespace

TEST_CASE("the kernels of a device are launched", "[sycl][000-11.1]") {
  const Model<double> model = support::parse(text);
  Batch<double, Few> cpu(model, 3);
  REQUIRE(cpu.step_all(100));
  auto device = Divided::create(model, 3, {}, alone());
  REQUIRE(device);
  fake.launches = 0;
  REQUIRE(device->step_all(100));
  CHECK(fake.launches > 1000);
  CHECK(states(*device) == states(cpu));
}

TEMPLATE_TEST_CASE("a device that fails at the start is an error, wherever it fails", "[sycl]",
                   AsOne, Divided) {
  const Model<double> model = support::parse(text);
  fake.launches = 0;
  REQUIRE(TestType::create(model, 2, {}, alone()));
  const int launches = fake.launches;
  for (const Broken& way : ways) {
    INFO(way.name);
    const bool kernels = way.failure != Failure::copy && way.failure != Failure::memory;
    for (int after = 0; after < (kernels ? launches : 3); ++after) {
      INFO("after " << after);
      const Fails failing(way.failure, after);
      const auto made = TestType::create(model, 2, {}, alone());
      REQUIRE_FALSE(made);
      CHECK(made.error().kind == way.kind);
      CHECK_FALSE(made.error().to_string().empty());
    }
    const auto tried = [&] {
      const Fails failing(way.failure);
      return TestType::try_create(model, 2, {}, alone());
    }();
    CHECK_FALSE((tried.ok() && tried->has_value()));
  }
}

TEST_CASE("a batch goes on with threads if its device fails", "[sycl][000-11.3]") {
  const Model<double> model = support::parse(text);
  Batch<double, Few> cpu(model, 3), longer(model, 3);
  REQUIRE(cpu.step_all(50));
  REQUIRE(longer.step_all(60));
  {
    AutoBatch<double, Few> batch(model, 3, {}, alone());
    CHECK(batch.worlds().on_device());
    REQUIRE(batch.step_all(50));
    CHECK(states(batch) == states(cpu));
  }
  for (const Broken& way : ways) {
    INFO(way.name);
    // at the start
    {
      const Fails failing(way.failure);
      AutoBatch<double, Few> batch(model, 3, {}, alone());
      REQUIRE_FALSE(batch.worlds().on_device());
      CHECK(batch.worlds().why_not()->kind == way.kind);
      REQUIRE(batch.step_all(50));
      CHECK(states(batch) == states(cpu));
    }
    // in the middle: an error, then the reference pose
    if (way.failure == Failure::memory) continue;
    AutoBatch<double, Few> batch(model, 3, {}, alone());
    REQUIRE(batch.step_all(10));
    {
      const Fails failing(way.failure, 1);
      const auto failed = batch.step_all(20);
      REQUIRE_FALSE(failed);
      CHECK((failed.error().kind == way.kind ||
             failed.error().kind == BatchError::Kind::buffer_readback));
    }
    REQUIRE_FALSE(batch.worlds().on_device());
    CHECK(batch.worlds().why_not().has_value());
    REQUIRE(batch.step_all(60));
    CHECK(states(batch) == states(longer));
    CHECK(batch.all_ok());
  }
}

TEST_CASE("a device that is this CPU is used on request only", "[sycl]") {
  const Model<double> model = support::parse(text);
  DeviceOptions this_cpu;
  this_cpu.kind = DeviceOptions::Kind::cpu;
  fake.gpu = false;
  CHECK_FALSE(AutoBatch<double, Few>(model, 2).worlds().on_device());
  CHECK(AutoBatch<double, Few>(model, 2, {}, this_cpu).worlds().on_device());
  fake.gpu = true;
}
