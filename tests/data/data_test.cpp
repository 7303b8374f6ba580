// SPDX-License-Identifier: Apache-2.0
#include <corten/scalar/dual.hpp>

#include "../support/model.hpp"

#include <type_traits>

using namespace corten;

TEST_CASE("views are trivially copyable", "[data]") {
  CHECK(std::is_trivially_copyable_v<DataRef<double>>);
  CHECK(std::is_trivially_copyable_v<DataRef<Dual<float, 4>, Strided>>);
  CHECK(std::is_trivially_copyable_v<ModelRef<double, DefaultPolicies>>);
}

TEMPLATE_TEST_CASE("data starts at the reference pose", "[data]", float, double,
                   (Dual<double, 2>)) {
  const Model<double> model = support::load("flags");
  Data<TestType> data(model);
  data.qvel()[0] = TestType(3);
  data.ref().mocap_pos[0] = TestType(9);
  data.time() = TestType(1);
  data.reset(model);
  CHECK(data.qvel()[0] == TestType(0));
  CHECK(data.time() == TestType(0));
  CHECK(data.ref().mocap_pos[2] == TestType(0.6));
  for (int i = 0; i < model.n.nq; ++i) {
    CHECK(value(data.qpos()[std::size_t(i)]) == value_t<TestType>(model.qpos0[std::size_t(i)]));
  }
}

TEST_CASE("keyframes", "[data]") {
  const Model<double> model = support::load("actuators");
  Data<double> data(model);
  REQUIRE(data.reset(model, 0));
  CHECK(data.time() == 0.5);
  CHECK(data.qpos()[1] == -0.4);
  CHECK(data.act()[3] == 0.4);
  CHECK(data.ctrl()[13] == 0.9);
  CHECK_FALSE(data.reset(model, 1));
  CHECK_FALSE(data.reset(model, -1));
}

TEST_CASE("copies are deep and moves keep the memory", "[data]") {
  const Model<double> model = support::load("walker");
  Data<double> a(model);
  support::perturb(model, a, 1);
  for (int i = 0; i < 5; ++i) REQUIRE(step(model, a).ok());
  Data<double> b = a;
  REQUIRE(step(model, a).ok());
  CHECK(a.time() > b.time());
  REQUIRE(step(model, b).ok());
  for (int i = 0; i < model.n.nq; ++i) CHECK(a.qpos()[std::size_t(i)] == b.qpos()[std::size_t(i)]);
  const double* memory = a.qpos().data();
  const Data<double> c = std::move(a);
  CHECK(c.qpos().data() == memory);
}

TEST_CASE("data grows when contacts do not fit, and loses nothing", "[data]") {
  const Model<double> model = support::load("contacts");
  const auto bound = bind(model).value();
  Data<double> roomy(model, {200, 2000}), tight(model), stepped_bound(model), fixed(model, {3, 10});
  tight.grow(model, {1, 1});
  stepped_bound.grow(bound, {1, 1});
  for (int i = 0; i < 20; ++i) {
    REQUIRE(step(model, roomy).ok());
    REQUIRE(step(model, tight).ok());
    REQUIRE(step(bound, stepped_bound).ok());
  }
  CHECK(tight.ref().n.nconmax >= tight.ncon());
  for (int i = 0; i < model.n.nq; ++i) {
    CHECK(roomy.qpos()[std::size_t(i)] == tight.qpos()[std::size_t(i)]);
    CHECK(roomy.qpos()[std::size_t(i)] == stepped_bound.qpos()[std::size_t(i)]);
  }

  // a fixed capacity reports what it would need and leaves the state alone
  const Status status = step(model, fixed);
  CHECK(status.has(contacts_full));
  CHECK(fixed.time() == 0);
  CHECK(fixed.needed().contacts > 3);
  CHECK(fixed.qpos()[2] == model.qpos0[2]);
}

TEST_CASE("an overflow inside RK4 leaves the state alone", "[data]") {
  Model<double> model = support::load("contacts");
  model.opt.integrator = static_cast<int>(Integrator::rk4);
  Data<double> roomy(model, {200, 2000});
  for (int i = 0; i < 10; ++i) REQUIRE(step(model, roomy).ok());

  // as many rows as the first evaluation needs: a trial state may need more
  Data<double> tight(model, {200, 2000});
  tight.grow(model, {200, 1});
  const double before = tight.qpos()[2];
  CHECK(step(model, tight).ok() == false);
  CHECK(tight.qpos()[2] == before);
  CHECK(tight.time() == 0);
}

TEST_CASE("a model casts to other scalars and back", "[model]") {
  const Model<double> model = support::load("joints");
  const Model<float> single = cast<float>(model);
  const Model<Dual<double, 3>> dual = cast<Dual<double, 3>>(model);
  const Model<double> back = cast<double>(dual);
  CHECK(back.body_mass == model.body_mass);
  CHECK(back.jnt_type == model.jnt_type);
  CHECK(back.opt.gravity == model.opt.gravity);
  CHECK(back.names.body == model.names.body);
  CHECK(single.body_mass[1] == float(model.body_mass[1]));
  CHECK(single.opt.timestep == float(model.opt.timestep));
}
