// SPDX-License-Identifier: Apache-2.0
#include <corten/scalar/dual.hpp>

#include "../support/model.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

using namespace corten;

TEST_CASE("a bad state is reported, and reset unless that is disabled", "[pipeline]") {
  Model<double> model = support::load("walker");
  Data<double> data(model);
  for (int i = 0; i < 5; ++i) REQUIRE(step(model, data).ok());
  data.qpos()[3] = std::numeric_limits<double>::quiet_NaN();
  const Status status = step(model, data);
  CHECK(status.has(bad_qpos));
  CHECK(std::isfinite(data.qpos()[3]));
  CHECK(near(data.time(), model.opt.timestep, 1e-12));

  data.qvel()[1] = 1e11;
  CHECK(step(model, data).has(bad_qvel));
  CHECK(step(model, data).ok());

  model.opt.disableflags |= disable_autoreset;
  data.qpos()[3] = std::numeric_limits<double>::infinity();
  CHECK(step(model, data).has(bad_qpos));
  CHECK_FALSE(std::isfinite(data.qpos()[3]));
}

TEST_CASE("two halves make a step, bit for bit", "[pipeline]") {
  for (const char* name : {"contacts", "walker", "actuators", "implicit", "sensor_history"}) {
    INFO(name);
    Model<double> model = support::load(name);
    if (is_rk4(model)) model.opt.integrator = static_cast<int>(Integrator::euler);
    const auto bound = bind(model).value();
    Data<double> whole(model), halves(model), views(model);
    halves.grow(model, {1, 1});  // the first half makes room
    for (int i = 0; i < 50; ++i) {
      REQUIRE(step1(model, halves).ok());
      REQUIRE(step1(bound, views).ok());
      for (std::size_t u = 0; u < whole.ctrl().size(); ++u) {
        whole.ctrl()[u] = halves.ctrl()[u] = views.ctrl()[u] = std::sin(0.1 * i + double(u));
      }
      REQUIRE(step2(model, halves).ok());
      REQUIRE(step2(bound, views).ok());
      REQUIRE(step(model, whole).ok());
    }
    const auto same = [&](auto of) {
      const auto a = of(whole), b = of(halves), c = of(views);
      return std::ranges::equal(a, b) && std::ranges::equal(a, c);
    };
    CHECK(same([](const Data<double>& d) { return d.qpos(); }));
    CHECK(same([](const Data<double>& d) { return d.qvel(); }));
    CHECK(same([](const Data<double>& d) { return d.act(); }));
    CHECK(same([](const Data<double>& d) { return d.sensordata(); }));
    CHECK(whole.time() == halves.time());
  }
}

TEST_CASE("between the halves, the state is known and the controls are free", "[pipeline]") {
  Model<double> model = support::load("walker"), euler = model;
  model.opt.integrator = static_cast<int>(Integrator::rk4);
  euler.opt.integrator = static_cast<int>(Integrator::euler);
  Data<double> data(model), other(euler);
  support::perturb(model, data, 3, 0.01, 0.1);
  support::perturb(model, other, 3, 0.01, 0.1);
  REQUIRE(step1(model, data).ok());
  REQUIRE(forward(euler, other).ok());
  CHECK(std::ranges::equal(data.xpos(), other.xpos()));
  CHECK(data.ncon() == other.ncon());
  CHECK(data.time() == 0);
  REQUIRE(step2(model, data).ok());  // as in MuJoCo, by Euler's method
  REQUIRE(step(euler, other).ok());
  CHECK(std::ranges::equal(data.qpos(), other.qpos()));
  CHECK(std::ranges::equal(data.qvel(), other.qvel()));

  // warnings count steps, not halves
  data.qpos()[3] = std::numeric_limits<double>::quiet_NaN();
  CHECK(step1(model, data).has(bad_qpos));
  CHECK(step2(model, data).has(bad_qpos));
  CHECK(data.ref().warning[0] == 1);
}

TEST_CASE("a first half that fails leaves the second nothing to do", "[pipeline][misuse]") {
  Model<double> model = support::load("contacts");
  const Model<double> small = support::load("fluid");
  Data<double> data(model), fixed(model, {3, 10});
  CHECK(step1(small, data).bits == wrong_model);
  CHECK(step2(small, data).bits == wrong_model);
  CHECK(step1(model, fixed).has(contacts_full));
  CHECK(step2(model, fixed).has(contacts_full));
  CHECK(fixed.time() == 0);
  model.opt.timestep = 0;
  CHECK(step1(model, data).bits == bad_timestep);
  CHECK(step2(model, data).bits == bad_timestep);
  CHECK(data.time() == 0);
  CHECK(data.qpos()[2] == model.qpos0[2]);
}

TEST_CASE("bad controls are reported and act as zero", "[pipeline]") {
  const Model<double> model = support::load("fluid");
  Data<double> good(model), bad(model);
  bad.ctrl()[0] = std::numeric_limits<double>::quiet_NaN();
  REQUIRE(step(model, good).ok());
  CHECK(step(model, bad).has(bad_ctrl));
  CHECK(good.qvel()[6] == bad.qvel()[6]);
}

TEST_CASE("a kind that the policies do not list stops the step", "[pipeline]") {
  Model<double> model = support::load("fluid");
  model.jnt_type[1] = 17;
  Data<double> data(model);
  CHECK(step(model, data).has(not_covered));
  CHECK(data.time() == 0);
}

TEST_CASE("two runs give the same bits", "[pipeline]") {
  for (const char* name : {"contacts", "walker", "actuators"}) {
    const Model<double> model = support::load(name);
    Data<double> a(model), b(model);
    support::perturb(model, a, 3, 0.01, 0.1);
    support::perturb(model, b, 3, 0.01, 0.1);
    for (int i = 0; i < 200; ++i) {
      REQUIRE(step(model, a).ok());
      REQUIRE(step(model, b).ok());
    }
    for (int i = 0; i < model.n.nq; ++i)
      CHECK(a.qpos()[std::size_t(i)] == b.qpos()[std::size_t(i)]);
  }
}

TEST_CASE("a strided layout computes the same as a contiguous one", "[pipeline]") {
  // the same numbers, three apart, as a device sees one world among others
  const Model<double> model = support::load("walker");
  const auto m = bind<>(model).value();
  Data<double> data(model);
  support::perturb(model, data, 5);
  const DataSizes& n = data.ref().n;

  DataRef<double, Strided> strided;
  strided.n = n;
  std::vector<std::vector<std::byte>> memory;  // aligned for any number
  const auto place = [&](auto& field, int count) {
    using T = typename std::remove_reference_t<decltype(field)>::Value;
    memory.emplace_back(std::size_t(3 * count + 1) * sizeof(T));
    field.data = reinterpret_cast<T*>(memory.back().data());
    field.layout.step = 3;
  };
#define X(type, name, rows, width, meaning) place(strided.name, (rows) * (width));
  CORTEN_DATA_FIELDS(X)
#undef X
  Data<double> cells(model);
#define X(type, name, meaning) strided.name.data = cells.ref().name.data;
  CORTEN_DATA_CELLS(X)
#undef X
  reset_state(m, strided);
  copy(strided.qpos, data.ref().qpos, n.nq);
  copy(strided.qvel, data.ref().qvel, n.nv);
  copy(strided.ctrl, data.ref().ctrl, n.nu);
  for (int i = 0; i < 20; ++i) {
    REQUIRE(step(m, data.ref()).ok());
    REQUIRE(step(m, strided).ok());
  }
  for (int i = 0; i < n.nq; ++i) CHECK(near(strided.qpos[i], data.ref().qpos[i], 1e-12));
}
