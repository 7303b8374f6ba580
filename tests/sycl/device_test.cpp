// SPDX-License-Identifier: Apache-2.0
//
// Batches on a device against batches on the CPU. Both are compiled here, with the same flags.
#include <corten/sycl.hpp>

#include "../support/model.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

using namespace corten;

namespace {

constexpr const char* pendulum_text = R"(
<mujoco>
  <option timestep="0.004166666666666667"/>
  <default>
    <geom type="capsule" size=".02" fromto="0 0 0 0 0 -1" mass=".1" contype="0" conaffinity="0"/>
  </default>
  <worldbody>
    <body><joint axis="0 1 0"/><geom/>
      <body pos="0 0 -1"><joint axis="0 1 0"/><geom/>
        <body pos="0 0 -1"><joint axis="0 1 0"/><geom/></body></body></body>
  </worldbody>
</mujoco>)";

template <class B>
B made(BatchResult<B> batch) {
  if (!batch) FAIL(batch.error().to_string());
  return *std::move(batch);
}

// rows of states and controls, different in each world
template <class S>
struct Start {
  std::vector<S> states, controls;
  Start(const Model<double>& model, int worlds) {
    for (int i = 0; i < worlds; ++i) {
      Data<S> d(model);
      support::perturb(model, d, std::uint64_t(i + 1), 0.05, 0.2);
      for (auto part : {d.qpos(), d.qvel(), d.act()})
        states.insert(states.end(), part.begin(), part.end());
      controls.insert(controls.end(), d.ctrl().begin(), d.ctrl().end());
    }
  }
};

template <class S, class B>
std::vector<S> states(B& batch) {
  std::vector<S> out(std::size_t(batch.size() * batch.state_size()));
  REQUIRE(batch.read_states(out));
  return out;
}

// takes the same steps on the device and on the CPU; returns the largest difference of the states
template <class S, class L, class Division = DeviceDivision>
double difference(const std::string& name, int steps, int team = 0) {
  const Model<double> wide = support::load(name);
  const Model<S> model = cast<S>(wide);
  const int n = 7;
  const Start<S> start(wide, n);
  DeviceOptions options;
  options.team = team;
  using There = DeviceBatch<S, DefaultPolicies, L, Division>;
  auto device = made(There::create(model, n, {}, options));
  Batch<S> cpu(model, n, {}, 2);
  REQUIRE(device.write_states(start.states));
  REQUIRE(device.write_controls(start.controls));
  REQUIRE(cpu.write_states(start.states));
  REQUIRE(cpu.write_controls(start.controls));
  for (int k = 0; k < steps; ++k) {
    REQUIRE(device.step_all());
    REQUIRE(cpu.step_all());
  }
  REQUIRE(device.all_ok());
  const std::vector<S> a = states<S>(device), b = states<S>(cpu);
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    worst = std::fmax(worst, std::fabs(double(a[i]) - double(b[i])));
  return worst;
}

}  // namespace

TEST_CASE("a device batch equals the CPU batch to the last bit", "[sycl][000-11.1]") {
  for (const char* name : {"contacts", "walker", "actuators", "fluid"}) {
    INFO(name);
    CHECK(difference<double, Contiguous>(name, 60) == 0);
  }
  CHECK(difference<float, Contiguous>("contacts", 60) == 0);
}

TEST_CASE("interleaved worlds have the same bits", "[sycl][000-11.1]") {
  CHECK(difference<double, Strided>("walker", 60) == 0);
  CHECK(difference<double, Strided>("contacts", 20) == 0);
}

TEST_CASE("a work-group solves each world, to the same bits", "[sycl][000-11.1]") {
  for (const char* name : {"walker", "contacts", "terrain"}) {
    INFO(name);
    CHECK(difference<double, Strided, Fused>(name, 20, 4) == 0);
  }
}

TEST_CASE("float on the device against double on the CPU",
          "[sycl][001-10.1][001-10.T9][001-10.T10]") {
  const Model<double> model = support::parse(pendulum_text);
  const Model<float> narrow = cast<float>(model);
  const Start<double> start(model, 4);
  const std::vector<float> single(start.states.begin(), start.states.end());

  for (int steps : {1, 100}) {
    Batch<double> cpu(model, 4);
    Batch<float> cpu_float(narrow, 4);
    auto device = made(DeviceBatch<float>::create(narrow, 4));
    auto device_double = made(DeviceBatch<double>::create(model, 4));
    REQUIRE(cpu.write_states(start.states));
    REQUIRE(cpu_float.write_states(single));
    REQUIRE(device.write_states(single));
    REQUIRE(device_double.write_states(start.states));
    REQUIRE(cpu.step_all(steps));
    REQUIRE(cpu_float.step_all(steps));
    REQUIRE(device.step_all(steps));
    REQUIRE(device_double.step_all(steps));
    const auto a = states<double>(cpu), d = states<double>(device_double);
    const auto b = states<float>(device), c = states<float>(cpu_float);
    double worst = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double bound = steps * (1.2e-7 * std::fabs(a[i]) + 1e-10);
      CHECK(std::fabs(d[i] - a[i]) <= bound);                  // double on the device
      CHECK(std::fabs(double(b[i]) - double(c[i])) <= bound);  // float on both sides
      worst = std::fmax(worst, std::fabs(double(b[i]) - a[i]));
    }
    // every stage runs in float, not only the last: what float loses against double
    INFO("after " << steps << " steps: " << worst);
    CHECK(worst < steps * 2e-6);
  }
}

TEST_CASE("the same inputs give the same bits from run to run", "[sycl][001-10.4][001-10.T11]") {
  const Model<double> model = support::load("contacts");
  const Start<double> start(model, 5);
  std::vector<double> first;
  for (int run = 0; run < 5; ++run) {
    auto device = made(DeviceBatch<double>::create(model, 5));
    REQUIRE(device.write_states(start.states));
    REQUIRE(device.step_all(10));
    const auto now = states<double>(device);
    if (run == 0) first = now;
    CHECK(std::memcmp(now.data(), first.data(), first.size() * sizeof(double)) == 0);
  }
}

TEST_CASE("a failing world on the device touches no other and is not advanced",
          "[sycl][001-10.5][001-10.T12]") {
  const Model<double> model = support::load("walker");
  auto device = made(DeviceBatch<double>::create(model, 3));
  std::vector<double> rows = states<double>(device);
  rows[std::size_t(device.state_size() + 2)] = std::numeric_limits<double>::quiet_NaN();
  REQUIRE(device.write_states(rows));
  REQUIRE(device.step_all(3));
  CHECK(device.status()[0].ok());
  CHECK(device.status()[1].has(bad_qpos));
  CHECK(device.status()[2].ok());
  Data<double> failed, good;
  REQUIRE(device.download(1, failed));
  REQUIRE(device.download(2, good));
  CHECK(failed.time() == 0);
  CHECK(good.time() > 0);
  CHECK(std::isfinite(good.qpos()[2]));
}

TEST_CASE("worlds of a device are reset one by one, by a mask, or all", "[sycl][001-10.6]") {
  const Model<double> model = support::load("walker");
  auto device = made(DeviceBatch<double>::create(model, 4));
  const auto times = [&] {
    std::string out;
    for (int i = 0; i < 4; ++i) {
      Data<double> d;
      REQUIRE(device.download(i, d));
      out += d.time() > 0 ? '1' : '0';
    }
    return out;
  };
  REQUIRE(device.step_all());
  CHECK(device.reset(1));
  CHECK(device.reset(4).error().kind == BatchError::Kind::no_such_world);
  CHECK(times() == "1011");
  const bool marks[] = {false, true, false, true};
  REQUIRE(device.reset_where(marks));
  CHECK(times() == "1010");
  REQUIRE(device.reset());
  CHECK(times() == "0000");
}

TEST_CASE("worlds of a device are put at a keyframe", "[sycl]") {
  const Model<double> model = support::load("actuators");
  REQUIRE(model.n.nkey > 0);
  auto device = made(DeviceBatch<double>::create(model, 3));
  Batch<double> cpu(model, 3);
  const auto same = [&] {
    for (int i = 0; i < 3; ++i) {
      Data<double> there, here;
      REQUIRE(device.download(i, there));
      REQUIRE(cpu.download(i, here));
      CHECK(there.time() == here.time());
      CHECK(std::ranges::equal(there.qpos(), here.qpos()));
      CHECK(std::ranges::equal(there.qvel(), here.qvel()));
      CHECK(std::ranges::equal(there.act(), here.act()));
      CHECK(std::ranges::equal(there.ctrl(), here.ctrl()));
      CHECK(device.status()[std::size_t(i)].bits == cpu.status()[std::size_t(i)].bits);
    }
  };
  std::vector<double> rows = states<double>(device);
  rows[std::size_t(device.state_size())] = std::numeric_limits<double>::quiet_NaN();
  REQUIRE(device.write_states(rows));
  REQUIRE(cpu.write_states(rows));
  REQUIRE(device.step_all(5));
  REQUIRE(cpu.step_all(5));
  CHECK(device.status()[1].has(bad_qpos));

  // one world, which has failed, then all, and on from there
  REQUIRE(device.reset_to("bent", 1));
  REQUIRE(cpu.reset_to("bent", 1));
  CHECK(device.status()[1].ok());
  same();
  Data<double> reset;
  REQUIRE(device.download(1, reset));
  CHECK(reset.time() == model.key_time[0]);
  CHECK(reset.qpos()[0] == model.key_qpos[0]);
  REQUIRE(device.reset_to(0));
  REQUIRE(cpu.reset_to(0));
  same();
  REQUIRE(device.step_all(20));
  REQUIRE(cpu.step_all(20));
  CHECK(device.all_ok());
  same();
  CHECK(device.reset_to("bend").error().kind == BatchError::Kind::no_such_key);
  CHECK(device.reset_to(0, 3).error().kind == BatchError::Kind::no_such_world);
}

TEST_CASE("a device refuses what would not fit its memory", "[sycl][misuse]") {
  Model<double> model = support::load("walker");
  const Model<double> other = support::load("fluid");
  auto device = made(DeviceBatch<double>::create(model, 2));
  const Capacity room = device.worlds().capacity();
  using Kind = BatchError::Kind;
  CHECK(device.upload(0, Data<double>(other)).error().kind == Kind::wrong_size);
  CHECK(device.upload(0, Data<double>(model, {1, 1})).error().kind == Kind::wrong_size);
  CHECK(device.upload(0, Data<double>(model, room)));
  CHECK(device.reset_where(std::vector<bool>(99, true)));
  CHECK(device.world_view(2).error().kind == Kind::no_such_world);
  CHECK(device.step_all(-1).error().kind == Kind::wrong_size);

  // another integrator needs other arrays
  Model<double> implicit = model;
  implicit.opt.integrator = static_cast<int>(Integrator::implicit);
  CHECK(device.upload(0, Data<double>(implicit, room)).error().kind == Kind::wrong_size);
  std::swap(model, implicit);
  Data<double> out;
  CHECK(device.download(0, out).error().kind == Kind::wrong_size);
  std::swap(model, implicit);
  CHECK(device.download(0, out));

  // moved from: the worlds are elsewhere
  auto taken = std::move(device);
  CHECK(device.step_all().value().empty());
  CHECK(device.reset(0).error().kind == Kind::no_such_world);
  CHECK(taken.step_all(3));
  CHECK(taken.all_ok());
}

TEST_CASE("empty batches and models without dofs are fine", "[sycl][001-10.T7][001-10.T8]") {
  const Model<double> model = support::load("walker");
  auto none = made(DeviceBatch<double>::create(model, 0));
  CHECK(none.step_all().value().empty());
  const Model<double> still =
      support::parse("<mujoco><worldbody><geom size=\"1\"/></worldbody></mujoco>");
  auto four = made(DeviceBatch<double>::create(still, 4));
  CHECK(four.step_all().value().size() == 4);
  CHECK(four.all_ok());
}

TEST_CASE("a rollout on the device is the rollout on the CPU", "[sycl][001-10.6]") {
  const Model<double> model = support::load("sensors");
  const int n = 3, steps = 8;
  const Start<double> start(model, n);
  auto device = made(DeviceBatch<double>::create(model, n));
  Batch<double> cpu(model, n);
  const auto count = [&](int width) { return std::size_t(n * steps * width); };
  std::vector<double> controls(count(model.n.nu), 0.1);
  std::vector<double> a(count(device.state_size())), b(a), x(count(model.n.nsensordata)), y(x);
  REQUIRE(device.rollout({steps, start.states, controls, a, x}));
  REQUIRE(cpu.rollout({steps, start.states, controls, b, y}));
  CHECK(a == b);
  CHECK(x == y);
  controls.pop_back();
  const auto refused = device.rollout({steps, {}, controls, {}, {}});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == BatchError::Kind::wrong_size);
}

TEST_CASE("worlds of a device have their own model numbers", "[sycl]") {
  const Model<double> model = support::load("walker");
  auto device = made(DeviceBatch<double>::create(model, 3));
  Batch<double> cpu(model, 3);
  device.vary(&Option<double>::gravity)[1] = cpu.vary(&Option<double>::gravity)[1] = {0, 0, -1.6};
  device.vary(&Model<double>::geom_friction)[0] = cpu.vary(&Model<double>::geom_friction)[0] = 0.2;
  REQUIRE(device.step_all(40));
  REQUIRE(cpu.step_all(40));
  CHECK(states<double>(device) == states<double>(cpu));

  auto reference = device.cpu_reference(1);
  REQUIRE(reference);
  REQUIRE(device.step_all(5));
  REQUIRE(reference->step_all(5));
  CHECK(states<double>(device) == states<double>(*reference));
}

TEST_CASE("capacities are fixed and reported", "[sycl]") {
  const Model<double> model = support::load("contacts");
  auto device = made(DeviceBatch<double>::create(model, 2, {1, 4}));
  CHECK(device.worlds().capacity().contacts == 1);
  REQUIRE(device.step_all(60));
  CHECK(device.status()[0].overflow());
  const auto needed = device.needed();
  REQUIRE(needed);
  CHECK((needed->contacts > 1 || needed->rows > 4));
  auto roomy = made(DeviceBatch<double>::create(model, 2, {200, 800}));
  REQUIRE(roomy.step_all(60));
  CHECK(roomy.all_ok());
}

TEST_CASE("worlds without room get more, and lose nothing", "[sycl]") {
  const Model<double> model = support::load("contacts");
  const int n = 4, steps = 60;
  const Start<double> start(model, n);
  auto device = made(DeviceBatch<double>::create(model, n, {1, 4, true}));
  Batch<double> cpu(model, n, {1, 4, true});
  const auto size = std::size_t(n * steps * cpu.state_size());
  std::vector<double> there(size), here(size);
  REQUIRE(device.rollout({.steps = steps, .initial = start.states, .states = there}));
  REQUIRE(cpu.rollout({.steps = steps, .initial = start.states, .states = here}));
  CHECK(device.all_ok());
  CHECK(device.worlds().capacity().contacts > 1);
  CHECK(there == here);
}

TEST_CASE("every division into kernels gives the same numbers", "[sycl]") {
  const Model<double> model = support::load("walker");
  const Start<double> start(model, 3);
  auto whole = made(DeviceBatch<double, DefaultPolicies, Contiguous, Whole>::create(model, 3));
  auto apart = made(DeviceBatch<double, DefaultPolicies, Contiguous, Apart>::create(model, 3));
  REQUIRE(whole.write_states(start.states));
  REQUIRE(apart.write_states(start.states));
  REQUIRE(whole.step_all(20));
  REQUIRE(apart.step_all(20));
  CHECK(states<double>(whole) == states<double>(apart));
}

TEST_CASE("the checks come in order: integrator, device, memory", "[sycl][001-10.3][001-10.T17]") {
  Model<float> model = cast<float>(support::load("walker"));
  DeviceOptions gpu;
  gpu.kind = DeviceOptions::Kind::gpu;
  const bool there = find_device(gpu.kind).has_value();
  model.opt.integrator = 99;  // there is no such integrator
  CHECK(DeviceBatch<float>::create(model, 1, {}, gpu).error().kind ==
        BatchError::Kind::unsupported_integrator);

  model.opt.integrator = static_cast<int>(Integrator::rk4);
  const auto tried = DeviceBatch<float>::try_create(model, 1, {}, gpu);
  REQUIRE(tried);
  CHECK(tried->has_value() == there);
  if (!there)
    CHECK(DeviceBatch<float>::create(model, 1, {}, gpu).error().kind ==
          BatchError::Kind::not_available);

  const auto huge = DeviceBatch<float>::create(model, 0xFFFFFFFFu);
  REQUIRE_FALSE(huge);
  CHECK(huge.error().kind == BatchError::Kind::batch_too_large);
  CHECK(huge.error().worlds == 0xFFFFFFFFu);
  CHECK(DeviceBatch<float>::create(model, std::numeric_limits<std::uint64_t>::max())
            .error()
            .required == std::numeric_limits<std::uint64_t>::max());
  DeviceOptions small;
  small.memory_limit = 10000;
  const auto refused = DeviceBatch<float>::create(model, 100, {}, small);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().limit == 10000);
  CHECK(refused.error().required > 10000);
}

TEST_CASE("without a device the batch runs on the CPU", "[sycl][000-11.3]") {
  const Model<double> model = support::load("walker");
  DeviceOptions gpu;
  gpu.kind = DeviceOptions::Kind::gpu;
  AutoBatch<double> wanted(model, 3, {}, gpu);
  const bool there = find_device(gpu.kind).has_value();
  CHECK((there || !wanted.worlds().on_device()));
  if (!there) CHECK(wanted.worlds().why_not()->kind == BatchError::Kind::not_available);
  CHECK(wanted.step_all(20));
  CHECK(wanted.all_ok());

  DeviceOptions small;
  small.memory_limit = 1;
  small.kind = DeviceOptions::Kind::cpu;
  DeviceOptions any, this_cpu;
  this_cpu.kind = DeviceOptions::Kind::cpu;
  const auto found = find_device();
  if (found && found->is_cpu()) {
    CHECK_FALSE(AutoBatch<double>(model, 3, {}, any).worlds().on_device());
  }
  AutoBatch<double> cpu(model, 3, {}, small), device(model, 3, {}, this_cpu);
  CHECK_FALSE(cpu.worlds().on_device());
  REQUIRE(cpu.worlds().why_not());
  CHECK(cpu.worlds().why_not()->kind == BatchError::Kind::batch_too_large);
  CHECK(device.worlds().on_device());
  CHECK_FALSE(device.worlds().backend().empty());
  const Start<double> start(model, 3);
  for (AutoBatch<double>* batch : {&cpu, &device}) {
    REQUIRE(batch->write_states(start.states));
    REQUIRE(batch->write_controls(start.controls));
    REQUIRE(batch->step_all(20));
  }
  CHECK(states<double>(cpu) == states<double>(device));
}

TEST_CASE("a batch is tried if there is a device, and only then", "[sycl][001-10.T1][001-10.T2]") {
  const Model<float> model = cast<float>(support::parse(pendulum_text));
  using Kind = DeviceOptions::Kind;
  for (const Kind kind : {Kind::any, Kind::cpu, Kind::gpu}) {
    DeviceOptions options;
    options.kind = kind;
    const auto tried = DeviceBatch<float>::try_create(model, 4, {}, options);
    REQUIRE(tried);
    CHECK(tried->has_value() == find_device(kind).has_value());
  }
}

// T3 and T4 of the criteria are about a struct of parameters for the kernel; here the kernel gets
// the model itself.
TEST_CASE("what goes to a device is plain memory, and the model arrives there as it is",
          "[sycl][001-10.T3][001-10.T4][001-10.T6]") {
  static_assert(std::is_trivially_copyable_v<ModelRef<float, DefaultPolicies>>);
  static_assert(std::is_trivially_copyable_v<DataRef<float>>);
  static_assert(std::is_trivially_copyable_v<RolloutRef<float>>);
  static_assert(sizeof(Status) == 4 && alignof(Status) == 4);
  const Model<float> model = cast<float>(support::parse(pendulum_text));
  CHECK(made(DeviceBatch<float>::create(model, 4)).size() == 4);
  auto device = made(DeviceBatch<float>::create(model, 64));
  CHECK(device.size() == 64);
  CHECK(device.state_size() == 3 + 3);
  REQUIRE(device.step_all());
  CHECK(device.status().size() == 64);
  Data<float> last;
  REQUIRE(device.download(63, last));
  CHECK(std::fabs(last.time() - float(1.0 / 240)) < std::numeric_limits<float>::epsilon());
}

// the criterion refuses RK4 and implicitspringdamper, but the device supports them
TEST_CASE("every integrator runs on the device", "[sycl][001-10.T5]") {
  Model<double> model = support::parse(pendulum_text);
  for (const Integrator integrator : {Integrator::rk4, Integrator::implicitspringdamper}) {
    model.opt.integrator = static_cast<int>(integrator);
    const Start<double> start(model, 2);
    auto device = made(DeviceBatch<double>::create(model, 2));
    Batch<double> cpu(model, 2);
    REQUIRE(device.write_states(start.states));
    REQUIRE(cpu.write_states(start.states));
    REQUIRE(device.step_all(20));
    REQUIRE(cpu.step_all(20));
    CHECK(states<double>(device) == states<double>(cpu));
  }
  DeviceOptions nowhere;  // the integrator is checked before any device
  nowhere.kind = DeviceOptions::Kind::gpu;
  model.opt.integrator = 99;
  const auto refused = DeviceBatch<double>::create(model, 2, {}, nowhere);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == BatchError::Kind::unsupported_integrator);
}

TEST_CASE("a reset world is at rest, and the others are where they were",
          "[sycl][001-10.T13][001-10.T14][001-10.T15]") {
  const Model<double> model = support::parse(pendulum_text);
  const Start<double> start(model, 4);
  auto device = made(DeviceBatch<double>::create(model, 4));
  const auto check = [&](const char* moving) {
    for (int i = 0; i < 4; ++i) {
      Data<double> d;
      REQUIRE(device.download(i, d));
      if (moving[i] == '0') CHECK(d.time() == 0);
      CHECK((d.time() > 0.04) == (moving[i] == '1'));
      for (const double v : d.qvel()) CHECK((v != 0) == (moving[i] == '1'));
    }
  };
  REQUIRE(device.write_states(start.states));
  REQUIRE(device.step_all(10));
  check("1111");
  REQUIRE(device.reset(2));
  check("1101");
  const bool marks[] = {false, true, false, true};
  REQUIRE(device.reset_where(marks));
  check("1000");
  REQUIRE(device.reset());
  check("0000");
}

TEST_CASE("one world alone is stepped as on the CPU", "[sycl][001-10.T16]") {
  const Model<double> model = support::parse(pendulum_text);
  const Start<double> start(model, 1);
  auto device = made(DeviceBatch<double>::create(model, 1));
  REQUIRE(device.write_states(start.states));
  auto cpu = device.cpu_reference();
  REQUIRE(cpu);
  REQUIRE(device.step_all());
  REQUIRE(cpu->step_all());
  const auto a = states<double>(device), b = states<double>(*cpu);
  REQUIRE(a.size() == 6);
  CHECK(a == b);
  CHECK(a != start.states);
}

TEST_CASE("a solver at its limit is reported from the device", "[sycl]") {
  Model<double> model = support::load("walker");
  model.opt.iterations = 1;
  model.opt.enableflags |= enable_strictsolver;
  const Start<double> start(model, 3);
  auto device = made(DeviceBatch<double>::create(model, 3));
  Batch<double> cpu(model, 3);
  REQUIRE(device.write_states(start.states));
  REQUIRE(cpu.write_states(start.states));
  REQUIRE(device.step_all(60));
  REQUIRE(cpu.step_all(60));
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(device.status()[i].has(solver_limit));
    CHECK(device.status()[i].bits == cpu.status()[i].bits);
  }
  CHECK(states<double>(device) == states<double>(cpu));
}
