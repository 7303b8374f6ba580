// SPDX-License-Identifier: Apache-2.0
//
// The state as a vector, keyframes and resets, what a step counts, and states of edited models.
#include <corten/compile/recompile.hpp>
#include <corten/data/state.hpp>
#include <corten/spec/edit.hpp>

#include "../support/golden.hpp"

#include <algorithm>
#include <limits>
#include <utility>

using namespace corten;

namespace {

using Numbers = std::vector<double>;

Numbers state_of(const Data<double>& data, int bits) {
  Numbers out(static_cast<std::size_t>(state_size(data, bits)));
  REQUIRE(get_state(data, out, bits));
  return out;
}

void move(const Model<double>& model, Data<double>& data, int steps) {
  for (int i = 0; i < steps; ++i) {
    for (double& u : data.ctrl()) u = 0.1 * std::sin(data.time() * 20);
    REQUIRE(step(model, data).ok());
  }
}

}  // namespace

TEST_CASE("parts of the state are MuJoCo's, in size and order", "[data][state]") {
  const io::Json golden = golden::load_golden("support");
  const Model<double> model = support::load("implicit");
  Data<double> data(model);
  if (const auto done = io::read_state(*golden.find("pre"), data); !done)
    FAIL(done.error().to_string());

  Numbers sizes, expected;
  golden::flatten(*golden.find("sizes"), sizes);
  golden::flatten(*golden.find("state"), expected);
  REQUIRE(sizes.size() == 14);
  for (int i = 0; i < 14; ++i)
    CHECK(state_size(data, 1 << i) == int(sizes[static_cast<std::size_t>(i)]));
  CHECK(state_of(data, state_integration) == expected);
  // MuJoCo's parts, and those of sleep and soft bodies, which this model does not have
  CHECK(state_plugin == 1 << 13);
  CHECK(state_size(data, state_tree_asleep | state_soft | state_soft_force) == 0);

  // parts of the vector, and wrong sizes
  Numbers some(static_cast<std::size_t>(state_size(data, state_qvel | state_ctrl)));
  CHECK(extract_state(data, expected, state_integration, some, state_qvel | state_ctrl));
  CHECK(some == state_of(data, state_qvel | state_ctrl));
  CHECK_FALSE(extract_state(data, some, state_qvel | state_ctrl, some, state_qpos));
  CHECK_FALSE(get_state(data, some, state_qvel));
  CHECK_FALSE(set_state(data, some, state_qvel));
}

TEST_CASE("a simulation resumes to the last bit", "[data][state]") {
  for (const char* name : {"implicit", "contacts", "actuators"}) {
    const Model<double> model = support::load(name);
    Data<double> data(model);
    support::perturb(model, data, 3);
    move(model, data, 30);
    const Numbers saved = state_of(data, state_integration);
    move(model, data, 30);
    const Numbers end = state_of(data, state_integration);

    Data<double> other(model);
    support::perturb(model, other, 9);
    move(model, other, 10);
    REQUIRE(set_state(other, saved, state_integration));
    move(model, other, 30);
    INFO(name);
    CHECK(state_of(other, state_integration) == end);

    Data<double> third(model);
    REQUIRE(copy_state(data, third, state_integration).ok());
    CHECK(state_of(third, state_integration) == end);
  }
}

TEST_CASE("a keyframe is the state that was written", "[data][state][004-14.1]") {
  const Model<double> model = support::parse(R"(
<mujoco><worldbody>
  <body name="hand" mocap="true"/>
  <body><joint name="j" axis="0 1 0"/><geom size="0.1"/>
    <body pos="1 0 0"><joint type="ball"/><geom size="0.1"/></body></body>
</worldbody>
<actuator><motor joint="j"/><general joint="j" dyntype="integrator"/></actuator>
<keyframe><key name="rest"/>
  <key name="moving" time="2.5" qpos="0.1 0 0 1 0" qvel="1 -2 3 -4" act="0.3"
  ctrl="0.7 -0.2" mpos="1 2 3" mquat="0 1 0 0"/></keyframe></mujoco>)");
  Data<double> data(model);
  support::perturb(model, data, 5, 0.3, 2);
  move(model, data, 10);
  REQUIRE(data.reset(model, 1));
  const int all = state_full_physics | state_ctrl | state_mocap_pos | state_mocap_quat;
  CHECK(state_of(data, all) ==
        Numbers{2.5, 0.1, 0, 0, 1, 0, 1, -2, 3, -4, 0.3, 0.7, -0.2, 1, 2, 3, 0, 1, 0, 0});
  REQUIRE(data.reset(model, 0));
  CHECK(state_of(data, all) == Numbers{0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0});
}

TEST_CASE("keyframes and resets", "[data][state][004-14.1]") {
  Model<double> model = support::load("implicit");
  Data<double> data(model);
  REQUIRE(data.reset(model, 0));
  CHECK(data.time() == 1.5);
  CHECK(data.qvel()[1] == -0.3);
  CHECK(data.act()[1] == 0.2);
  CHECK(data.ctrl()[4] == 0.5);
  CHECK(data.ref().mocap_pos[2] == 0.6);
  CHECK(near(data.ref().mocap_quat[0], 1 / std::sqrt(1.14), 1e-12));
  CHECK_FALSE(data.reset(model, 1));

  // the other way round
  move(model, data, 3);
  const int kept = state_full_physics | state_ctrl | state_mocap_pos | state_mocap_quat;
  const Numbers moved = state_of(data, kept);
  REQUIRE(data.store_key(model, 0));
  CHECK_FALSE(data.store_key(model, 1));
  Data<double> again(model);
  REQUIRE(again.reset(model, 0));
  CHECK(state_of(again, kept) == moved);

  data.qfrc_applied()[0] = 2, data.xfrc_applied()[7] = 3;
  data.reset_keep_forces(model);
  CHECK(data.time() == 0);
  CHECK(data.qvel()[1] == 0);
  CHECK(data.qfrc_applied()[0] == 2);
  CHECK(data.xfrc_applied()[7] == 3);
  data.reset(model);
  CHECK(data.qfrc_applied()[0] == 0);
}

TEST_CASE("mocap bodies are put where the user wants them", "[data][state][004-14.2]") {
  const Model<double> model = support::parse(R"(
<mujoco><worldbody>
  <body name="hand" mocap="true" pos="0 0 1"><geom size="0.1" mass="5"/></body>
  <body name="ball" pos="0 0 0.5"><freejoint/><geom size="0.1"/></body>
</worldbody></mujoco>)");
  Data<double> data(model), apart(model);
  CHECK(model.n.nv == 6);
  data.ref().mocap_pos[2] = 0.65;
  REQUIRE(forward(model, data).ok());
  REQUIRE(forward(model, apart).ok());
  CHECK(data.xpos()[5] == 0.65);
  CHECK(data.ncon() == 1);
  CHECK(apart.ncon() == 0);
  REQUIRE(step(model, data).ok());
  CHECK(data.ref().mocap_pos[2] == 0.65);
}

TEST_CASE("the mass of a mocap body is nowhere in the dynamics", "[data][state][004-14.3]") {
  const auto hand = [](const std::string& mass) {
    return support::parse(R"(
<mujoco><worldbody>
  <body name="hand" mocap="true" pos="0 0 0.65"><geom size="0.1" pos="0.02 0 0" mass=")" +
                          mass + R"("/>
    <body pos="0.2 0 0"><joint axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.02"/></body>
    <body pos="-0.2 0 0"><joint type="ball"/>
      <geom type="box" size="0.1 0.02 0.03" pos="-0.1 0 0"/></body>
  </body>
  <body name="ball" pos="0.05 0 0.5"><freejoint/><geom size="0.1"/></body>
</worldbody></mujoco>)");
  };
  const Model<double> light = hand("0.001"), heavy = hand("1000");
  REQUIRE(light.body_mass[1] == 0.001);
  REQUIRE(heavy.body_mass[1] == 1000);
  Data<double> a(light), b(heavy);
  int touches = 0;
  for (int i = 0; i < 50; ++i) {
    a.ref().mocap_pos[0] = b.ref().mocap_pos[0] = 1e-3 * i;
    REQUIRE(step(light, a).ok());
    REQUIRE(step(heavy, b).ok());
    touches += a.ncon();
    // equal up to rounding: spatial quantities are about the centre of mass of the tree
    for (int k = 0; k < light.n.nM; ++k) CHECK(near(a.ref().M[k], b.ref().M[k], 1e-12));
    for (int k = 0; k < light.n.nv; ++k) {
      CHECK(near(a.ref().qfrc_bias[k], b.ref().qfrc_bias[k], 1e-11));
      CHECK(near_relative(a.ref().qacc[k], b.ref().qacc[k], 1e-9, 1));
    }
  }
  CHECK(touches > 5);
}

TEST_CASE("steps count their warnings", "[data][state]") {
  const Model<double> model = support::load("implicit");
  Data<double> data(model);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (int i = 0; i < 3; ++i) {
    data.ctrl()[0] = nan;
    CHECK(step(model, data).has(bad_ctrl));
  }
  data.ctrl()[0] = 0;
  data.qvel()[2] = nan;
  CHECK(step(model, data).has(bad_qvel));
  CHECK(data.time() == model.opt.timestep);  // the simulation restarted
  CHECK(step(model, data).ok());
  CHECK(data.ref().warning[3] == 3);
  CHECK(data.ref().warning[1] == 1);
  CHECK(data.ref().warning[0] == 0);
  data.reset(model);
  CHECK(data.ref().warning[3] == 0);
}

namespace {

constexpr const char* family = R"(
<mujoco>
  <size nuserdata="1"/>
  <worldbody>
    <body name="first"><freejoint/><geom size="0.1"/></body>
    <body name="second" pos="0 1 0"><joint name="turn"/><joint axis="0 1 0"/><geom size="0.1"/>
      <body pos="0 0 1"><joint type="ball"/><geom size="0.1"/></body></body>
    <body name="third" pos="0 2 0"><joint name="lift" type="slide"/><geom size="0.1"/></body>
    <body name="mark" mocap="true"/>
  </worldbody>
  <equality><joint name="tie" joint1="turn" joint2="lift" active="false"/></equality>
  <actuator>
    <general name="slow" joint="lift" dyntype="filter" dynprm="0.1"/>
    <motor joint="turn"/>
  </actuator>
</mujoco>)";

double at(std::span<const double> x, int i) { return x[std::size_t(i)]; }

}  // namespace

TEST_CASE("an edited spec is compiled again and the state goes on", "[data][state]") {
  Spec spec = mjcf::parse(family).value();
  Model<double> model = compile(spec).value();
  Data<double> data(model);
  data.time() = 4;
  for (auto x : {data.qpos(), data.qvel(), data.act(), data.ctrl(), data.xfrc_applied()}) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = 0.1 + 0.01 * double(i);
  }
  const Data<double> before = data;
  const auto of = [](const Model<double>& m, const Data<double>& d, const char* joint) {
    const auto j = std::size_t(m.joint(joint).value());
    return std::pair(at(d.qpos(), m.jnt_qposadr[j]), at(d.qvel(), m.jnt_dofadr[j]));
  };
  const auto turn = of(model, before, "turn"), lift = of(model, before, "lift");
  data.ref().mocap_pos[1] = 7;
  data.ref().eq_active[0] = 1;
  eigen(std::span(data.ref().userdata.data, 1)).setConstant(9);

  // the same spec: the same state to the last bit
  const Numbers whole = state_of(data, state_integration);
  REQUIRE(recompile(spec, model, data));
  CHECK(state_of(data, state_integration) == whole);

  // the first body leaves, another takes the place of the second, and an actuator is new
  REQUIRE(spec::remove<spec::Body>(spec, "first"));
  spec::Body& fresh = spec::add(spec.world.bodies, "fresh");
  spec::add(fresh.joints, "swing");
  spec::add(fresh.geoms, "bob").size = {0.1};
  std::swap(spec.world.bodies[0], spec.world.bodies.back());
  spec::Actuator& motor = spec::add(spec.actuators, "late");
  motor.joint = "swing";
  REQUIRE(recompile(spec, model, data));
  CHECK(data.fits(model));
  CHECK(data.time() == 4);
  CHECK(of(model, data, "turn") == turn);
  CHECK(of(model, data, "lift") == lift);
  CHECK(of(model, data, "swing") == std::pair(0.0, 0.0));
  // unnamed ones by their places: the second joint of the second body, the ball joint of its child
  for (int k = 0; k < 5; ++k) CHECK(at(data.qpos(), 3 + k) == at(before.qpos(), 8 + k));
  for (int k = 0; k < 4; ++k) CHECK(at(data.qvel(), 3 + k) == at(before.qvel(), 7 + k));
  CHECK(data.act()[0] == before.act()[0]);
  CHECK(std::ranges::equal(data.ctrl().first(2), before.ctrl()));
  CHECK(data.ctrl()[2] == 0);
  const int third = model.body("third").value();
  CHECK(at(data.xfrc_applied(), 6 * third) == at(before.xfrc_applied(), 6 * 4));
  CHECK(data.ref().mocap_pos[1] == 7);
  CHECK(data.ref().eq_active[0] == 1);
  CHECK(state_of(data, state_integration).back() == 9);
  CHECK(step(model, data).ok());

  // an error leaves everything as it was
  const double now = data.time();
  spec::add(spec.actuators, "broken").joint = "nothing";
  CHECK_FALSE(recompile(spec, model, data));
  CHECK(data.fits(model));
  CHECK(data.time() == now);
  CHECK(carry_state(model, data, model, data).ok());
  Data<double> other;
  CHECK(carry_state(model, other, model, data).bits == wrong_model);
  CHECK(carry_state(model, data, model, other).bits == wrong_model);
  CHECK_FALSE(recompile(mjcf::parse(family).value(), model, other));
}

TEST_CASE("a joint of another type starts anew", "[data][state]") {
  Spec spec = mjcf::parse(family).value();
  const Model<double> model = compile(spec).value();
  for (spec::Body& body : spec.world.bodies) {
    for (spec::Joint& joint : body.joints) {
      if (joint.name == "lift") joint.type = JointType::hinge;
    }
  }
  const Model<double> edited = compile(spec).value();
  Data<double> data(model);
  Data<float> next(edited);
  eigen(data.qvel()).setOnes();
  REQUIRE(carry_state(model, data, edited, next));
  CHECK(next.qvel()[std::size_t(edited.n.nv - 1)] == 0);
  CHECK(next.qvel()[0] == 1);
}

TEST_CASE("a model is loaded together with its spec", "[data][state]") {
  const std::string path = std::string(CORTEN_TEST_DIR) + "/models/walker.xml";
  const Loaded loaded = load_with_spec(path).value();
  CHECK(to_bytes(loaded.model) == to_bytes(load(path).value()));
  CHECK(to_bytes(compile(loaded.spec).value()) == to_bytes(loaded.model));
  CHECK_FALSE(load_with_spec("no/such/file.xml").ok());
}
