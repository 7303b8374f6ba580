// SPDX-License-Identifier: Apache-2.0
#include <corten/scalar/dual.hpp>

#include "../support/model.hpp"

#include <algorithm>
#include <type_traits>

using namespace corten;

TEST_CASE("views are trivially copyable", "[data]") {
  CHECK(std::is_trivially_copyable_v<DataRef<double>>);
  CHECK(std::is_trivially_copyable_v<DataRef<Dual<float, 4>, Strided>>);
  CHECK(std::is_trivially_copyable_v<ModelRef<double, DefaultPolicies>>);
}

TEST_CASE("data starts at the reference pose", "[data]") {
  const Model<double> model = support::load("flags");
  Data<double> data(model);
  data.qvel()[0] = 3;
  data.ref().mocap_pos[0] = 9;
  data.time() = 1;
  data.reset(model);
  CHECK(data.qvel()[0] == 0);
  CHECK(data.time() == 0);
  CHECK(data.ref().mocap_pos[2] == 0.6);
  CHECK(std::ranges::equal(data.qpos(), model.qpos0));
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

TEST_CASE("keyframes by name", "[data]") {
  Model<double> model = support::load("actuators");
  model.names.key[0] = "home";
  Data<double> by_id(model), by_name(model);
  by_name.qvel()[0] = 7;
  REQUIRE(by_id.reset(model, 0));
  REQUIRE(by_name.reset(model, "home"));
  CHECK(std::ranges::equal(by_name.memory(), by_id.memory()));
  const Result<void> done = by_name.reset(model, std::string("hone"));
  REQUIRE_FALSE(done.ok());
  CHECK(done.error().to_string() == "there is no key 'hone' (did you mean 'home'?)");
  CHECK(std::ranges::equal(by_name.memory(), by_id.memory()));
}

namespace {

constexpr const char* pushed = R"(<mujoco>
  <option gravity="0 0 0"/>
  <worldbody>
    <body name="sled" pos="0 0 1">
      <freejoint/>
      <geom size="0.1" mass="2"/>
      <body name="arm" pos="1 0 0"><joint axis="0 0 1"/><geom size="0.1" pos="0.5 0 0"/></body>
    </body>
  </worldbody>
  <sensor>
    <clock name="now"/>
    <framepos name="there" objtype="xbody" objname="arm"/>
    <framelinvel name="moves" objtype="xbody" objname="arm"/>
    <frameangvel name="turns" objtype="xbody" objname="arm"/>
    <framequat name="faces" objtype="xbody" objname="arm"/>
  </sensor>
</mujoco>)";

}  // namespace

TEST_CASE("sensors and bodies by name", "[data]") {
  const Model<double> model = load_string(pushed).value();
  Data<double> data(model);
  data.time() = 3;
  for (int i = 0; i < model.n.nv; ++i) data.qvel()[std::size_t(i)] = 0.3 * i - 0.5;
  data.qpos()[7] = 0.4;
  REQUIRE(forward(model, data).ok());
  const Data<double>& looked = data;
  const auto arm = looked.body(model, "arm").value();
  const auto reads = [&](const char* name, const auto& expected) {
    const std::span<const double> reading = data.sensor(model, name).value();
    REQUIRE(reading.size() == std::size_t(expected.size()));
    for (std::size_t i = 0; i < reading.size(); ++i) {
      CHECK(std::fabs(value(reading[i]) - value(expected[Eigen::Index(i)])) < 1e-14);
    }
  };
  CHECK(arm.id() == 2);
  CHECK(value(data.sensor(model, 0).value()[0]) == 3);
  reads("there", arm.pos());
  reads("moves", arm.velocity());
  reads("turns", arm.angular_velocity());
  reads("faces", arm.quat());
  CHECK(value(arm.mat()(0, 0)) == value(data.ref().xmat[18]));
  CHECK(value(arm.com()[0]) == value(data.ref().xipos[6]));

  // the view outlives growth
  auto sled = data.body(model, std::string("sled")).value();
  data.grow(model, {50, 200});
  sled.force() = Vec3<double>(0, 0, 3);
  sled.torque()[1] = 0.5;
  CHECK(value(data.xfrc_applied()[8]) == 3);
  CHECK(value(data.xfrc_applied()[10]) == 0.5);
  CHECK(value(looked.body(model, 1).value().force()[2]) == 3);

  CHECK(data.sensor(model, "when").error().to_string() ==
        "there is no sensor 'when' (there are 'now', 'there', 'moves', 'turns', 'faces')");
  CHECK(data.sensor(model, 5).error().to_string() ==
        "there is no sensor 5 (ids count from 0 to 4)");
  CHECK_FALSE(data.body(model, -1).ok());
  CHECK_FALSE(data.body(model, "").ok());
  const Model<double> other = load_string("<mujoco/>").value();
  CHECK(data.body(other, 0).error().message.starts_with("wrong_model"));
  CHECK_FALSE(data.sensor(other, 0).ok());
}

TEST_CASE("spans are Eigen's vectors", "[data]") {
  const Model<double> model = load_string(pushed).value();
  Data<double> data(model);
  const Data<double>& looked = data;
  eigen(data.qvel()) = Eigen::VectorXd::LinSpaced(model.n.nv, 1, model.n.nv);
  CHECK(data.qvel()[6] == 7);
  CHECK(eigen(looked.qvel()).sum() == 28);
  eigen<6>(data.xfrc_applied()).col(2).setConstant(4);
  CHECK(data.xfrc_applied()[11] == 0);
  CHECK(data.xfrc_applied()[12] == 4);
  CHECK(eigen<6>(looked.xfrc_applied()).cols() == model.n.nbody);
  const Data<double> empty;
  CHECK(eigen(empty.qpos()).size() == 0);
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

  // a fixed capacity reports what it needs and leaves the state alone
  const Status status = step(model, fixed);
  CHECK(status.has(contacts_full));
  CHECK(fixed.time() == 0);
  CHECK(fixed.needed().contacts > 3);
  CHECK(fixed.qpos()[2] == model.qpos0[2]);
}

TEST_CASE("the memory of compressed rows grows, and is proportional to their entries", "[data]") {
  const auto pile = [](int bodies) {
    std::string text =
        "<mujoco><option jacobian='sparse'/><worldbody><geom type='plane' "
        "size='9 9 1'/>";
    for (int i = 0; i < bodies; ++i) {
      text += "<body pos='" + std::to_string(0.19 * (i % 10)) + " 0 " +
              std::to_string(0.09 + 0.19 * (i / 10)) + "'><freejoint/><geom size='0.1'/></body>";
    }
    return support::parse(text + "</worldbody></mujoco>");
  };
  Model<double> model = pile(20);
  for (const Solver solver : {Solver::newton, Solver::pgs}) {
    model.opt.solver = int(solver);
    Data<double> roomy(model), tight(model);
    const Capacity small{.contacts = 100, .rows = 500, .entries = 40, .weighted = 40, .hessian = 8};
    Data<double> fixed(model, small);
    tight.grow(model, small);
    for (int i = 0; i < 20; ++i) {
      REQUIRE(step(model, roomy).ok());
      REQUIRE(step(model, tight).ok());
    }
    CHECK(tight.ref().n.njnz >= tight.ref().nJ);
    for (std::size_t i = 0; i < tight.qpos().size(); ++i) CHECK(roomy.qpos()[i] == tight.qpos()[i]);

    const Status status = step(model, fixed);
    CHECK(status.has(rows_full));
    CHECK(fixed.time() == 0);
    CHECK(fixed.needed().entries > 40);
  }

  // a pile of twice the size has twice the contacts
  const auto bytes = [&](int bodies) {
    const Model<double> large = pile(bodies);
    Data<double> data(large);
    REQUIRE(forward(large, data).ok());
    CHECK(data.ncon() >= 2 * bodies - 20);
    return double(data.bytes());
  };
  const double half = bytes(100);
  CHECK(half < 100 * 16e3);  // dense rows alone would take 720 · 600 numbers, 35 kB per body
  CHECK(bytes(200) < 2.1 * half);
}

TEST_CASE("an overflow inside RK4 leaves the state alone", "[data]") {
  Model<double> model = support::load("contacts");
  model.opt.integrator = static_cast<int>(Integrator::rk4);
  Data<double> roomy(model, {200, 2000});
  for (int i = 0; i < 10; ++i) REQUIRE(step(model, roomy).ok());

  // as many rows as the first evaluation needs; a trial state may need more
  Data<double> tight(model, {200, 2000});
  tight.grow(model, {200, 1});
  const double before = tight.qpos()[2];
  CHECK(step(model, tight).ok() == false);
  CHECK(tight.qpos()[2] == before);
  CHECK(tight.time() == 0);
}
