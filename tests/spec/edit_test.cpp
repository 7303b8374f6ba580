// SPDX-License-Identifier: Apache-2.0
//
// Specs that are built and edited in code.
#include <corten/compile/compile.hpp>
#include <corten/mjcf/read.hpp>
#include <corten/spec/edit.hpp>

#include "../support/catch.hpp"

#include <string>
#include <vector>

using namespace corten;

namespace {

// a body with a joint, a geom of class `thick`, a motor, a sensor and a keyframe
Spec finger() {
  Spec out;
  out.model_name = "finger";
  out.compiler.angle = spec::Angle::radian;
  out.add_default("thick").geom.size = {0.3};
  out.defaults[0].geom.size = {0.1};
  spec::add(out.materials, "skin");
  spec::Body& tip = spec::add(out.world.bodies, "tip");
  tip.pos = {0, 0, 1};
  spec::add(tip.joints, "bend").range = {-1, 1};
  spec::Geom& pad = spec::add(tip.geoms, "pad");
  pad.class_name = "thick";
  pad.material = "skin";
  spec::add(tip.geoms, "nail").pos = {0, 0, 0.2};
  spec::add(tip.sites, "touch");
  spec::add(out.actuators, "pull").joint = "bend";
  spec::Sensor& angle = spec::add(out.sensors, "angle");
  angle.type = SensorType::jointpos;
  angle.objtype = ObjectType::joint;
  angle.objname = "bend";
  spec::Key& key = spec::add(out.keys, "bent");
  key.qpos = {0.7};
  key.ctrl = {2};
  return out;
}

Spec hand() {
  Spec out;
  spec::Body& palm = spec::add(out.world.bodies, "palm");
  spec::add(palm.joints, "wrist");
  spec::add(palm.geoms).size = {0.5};
  return out;
}

Model<double> compiled(const Spec& spec) {
  auto model = compile(spec);
  if (!model) FAIL(model.error().to_string());
  return *std::move(model);
}

void attached(const Result<void>& done) {
  if (!done) FAIL(done.error().to_string());
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("elements are found by kind and name", "[spec][edit]") {
  Spec s = finger();
  CHECK(spec::find<spec::Body>(s, "world") == &s.world);
  REQUIRE(spec::find<spec::Geom>(s, "nail") != nullptr);
  CHECK(spec::find<spec::Geom>(s, "nail") == &s.world.bodies[0].geoms[1]);
  CHECK(spec::find<spec::Geom>(s, "bend") == nullptr);
  CHECK(spec::find<spec::Actuator>(s, "pull")->joint == "bend");
  CHECK(spec::find<spec::Default>(s, "thick")->parent == 0);
  CHECK(spec::find<spec::Key>(std::as_const(s), "bent")->qpos->size() == 1);
}

TEST_CASE("a copy of a spec is independent", "[spec][edit]") {
  const Spec before = finger();
  Spec after = before;
  spec::find<spec::Geom>(after, "pad")->size = {1};
  spec::add(after.world.bodies[0].bodies, "more").pos = {1, 2, 3};
  CHECK(spec::find<spec::Geom>(before, "pad")->size.count == 0);
  CHECK(compiled(before).n.nbody == 2);
  CHECK(compiled(after).n.nbody == 3);
}

TEST_CASE("a part is attached several times, with all that belongs to it", "[spec][edit]") {
  Spec s = hand();
  const Spec part = finger();
  spec::Body& palm = *spec::find<spec::Body>(s, "palm");
  const int turned = spec::add_frame(palm, "side");
  palm.frames[static_cast<std::size_t>(turned)].pos = {1, 0, 0};
  attached(spec::attach(s, "palm", part, {.body = "tip", .prefix = "a_"}));
  attached(spec::attach(s, "side", part, {.body = "tip", .prefix = "b_", .suffix = "_x"}));
  const Model<double> m = compiled(s);
  CHECK(m.names.body == Words{"world", "palm", "a_tip", "b_tip_x"});
  CHECK(m.names.jnt == Words{"wrist", "a_bend", "b_bend_x"});
  CHECK(m.names.actuator == Words{"a_pull", "b_pull_x"});
  CHECK(m.names.sensor == Words{"a_angle", "b_angle_x"});
  CHECK(m.names.key == Words{"a_bent", "b_bent_x"});
  CHECK(m.body_pos[3 * 3] == 1);
  CHECK(m.body_pos[3 * 3 + 2] == 1);
  // its classes and its angle unit stay its own
  CHECK(m.geom_size[3] == 0.3);
  CHECK(m.geom_size[6] == 0.1);
  CHECK(m.jnt_range[2] == -1);
  // keyframes have the numbers of the part, and the reference pose elsewhere
  CHECK(m.key_qpos[1] == 0.7);
  CHECK(m.key_qpos[2] == 0);
  CHECK(m.key_qpos[5] == 0.7);
  CHECK(m.key_ctrl[0] == 2);
  CHECK(m.key_ctrl[3] == 2);
}

TEST_CASE("parts of the same spec, frames and whole models", "[spec][edit]") {
  Spec s = hand();
  attached(spec::attach(s, "world", finger(), {.prefix = "w_"}));
  attached(spec::attach(s, "w_tip", s, {.body = "w_tip", .prefix = "n_"}));
  Model<double> m = compiled(s);
  CHECK(m.names.body == Words{"world", "palm", "w_tip", "n_w_tip"});
  CHECK(m.names.actuator == Words{"w_pull", "n_w_pull"});
  CHECK(m.body_parentid[3] == 2);

  // at a site, whose pose it adopts
  spec::Site& at = spec::add(spec::find<spec::Body>(s, "palm")->sites, "at");
  at.pos = {0, 5, 0};
  attached(spec::attach(s, "at", finger(), {.body = "tip", .prefix = "s_"}));
  m = compiled(s);
  CHECK(m.names.body[2] == "s_tip");
  CHECK(m.body_pos[7] == 5);
  CHECK(m.body_pos[8] == 1);
}

TEST_CASE("attaching to or from missing elements is an error", "[spec][edit]") {
  Spec s = hand();
  const Spec part = finger();
  CHECK(spec::attach(s, "nowhere", part, {.body = "tip"}).error().message ==
        "there is no body, frame or site 'nowhere'");
  CHECK(spec::attach(s, "palm", part, {.body = "toe"}).error().message ==
        "unknown body 'toe' in model 'finger'");
  CHECK(spec::attach(s, "palm", part, {.frame = "f"}).error().message ==
        "unknown frame 'f' in model 'finger'");
  attached(spec::attach(s, "palm", part, {.body = "tip"}));
  attached(spec::attach(s, "palm", part, {.body = "tip"}));
  const auto twice = compile(s);
  REQUIRE_FALSE(twice.ok());
  CHECK(twice.error().message == "repeated name 'tip' in body");
}

TEST_CASE("options of an attached model", "[spec][edit]") {
  Spec part = finger();
  part.option.timestep = 0.001;
  part.option.iterations = 7;
  part.option.gravity = {0, 0, -1};
  part.option.flag.contact = spec::Switch::disable;
  const auto with = [&](spec::Conflict conflict, Optional<double> timestep) {
    Spec s = hand();
    s.compiler.conflict = conflict;
    s.option.timestep = timestep;
    const auto done = spec::attach(s, "palm", part, {.body = "tip"});
    if (!done) return Result<Spec>(done.error());
    return Result<Spec>(s);
  };
  const Spec kept = with(spec::Conflict::warning, 0.01).value();
  CHECK(kept.option.timestep == 0.01);
  CHECK_FALSE(kept.option.gravity.has_value());
  CHECK(kept.warnings.size() == 3);
  const Spec merged = with(spec::Conflict::merge, 0.01).value();
  CHECK(merged.option.timestep == 0.001);
  CHECK(merged.option.iterations == 7);
  CHECK(merged.option.gravity == spec::Numbers<3>{0, 0, -1});
  CHECK(merged.option.flag.contact == spec::Switch::disable);
  CHECK(with(spec::Conflict::error, std::nullopt).ok());
  const auto refused = with(spec::Conflict::error, 0.01);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().message == "the attached model 'finger' differs in timestep");
}

TEST_CASE("removing a body removes what refers to it", "[spec][edit]") {
  Spec s = hand();
  attached(spec::attach(s, "palm", finger(), {.body = "tip", .prefix = "a_"}));
  attached(spec::attach(s, "palm", finger(), {.body = "tip", .prefix = "b_"}));
  attached(spec::remove<spec::Body>(s, "a_tip"));
  const Model<double> m = compiled(s);
  CHECK(m.names.body == Words{"world", "palm", "b_tip"});
  CHECK(m.names.actuator == Words{"b_pull"});
  CHECK(m.names.sensor == Words{"b_angle"});
  CHECK(m.key_qpos.back() == 0.7);
  CHECK(spec::remove<spec::Body>(s, "a_tip").error().message == "there is no 'a_tip' to remove");
}

TEST_CASE("removing frames, classes and single elements", "[spec][edit]") {
  Spec s = finger();
  spec::Body& tip = *spec::find<spec::Body>(s, "tip");
  const int outer = spec::add_frame(tip, "outer"), inner = spec::add_frame(tip, "inner", outer);
  const int other = spec::add_frame(tip, "other");
  spec::add(tip.geoms, "in").frame = inner;
  spec::add(tip.sites, "beside").frame = other;
  attached(spec::remove<spec::Frame>(s, "outer"));
  REQUIRE(tip.frames.size() == 1);
  CHECK(tip.frames[0].name == "other");
  CHECK(spec::find<spec::Geom>(s, "in") == nullptr);
  CHECK(spec::find<spec::Site>(s, "beside")->frame == 0);

  s.add_default("thicker", 1);
  s.add_default("thin");
  attached(spec::remove<spec::Default>(s, "thick"));
  REQUIRE(s.defaults.size() == 2);
  CHECK(s.defaults[1].name == "thin");
  CHECK(spec::remove<spec::Default>(s, "main").error().message ==
        "the class main cannot be removed");
  const auto classless = compile(s);
  REQUIRE_FALSE(classless.ok());
  CHECK(classless.error().message == "unknown default class 'thick'");

  attached(spec::remove<spec::Geom>(s, "pad"));
  attached(spec::remove<spec::Sensor>(s, "angle"));
  CHECK(compiled(s).n.nsensor == 0);
  attached(spec::remove<spec::Joint>(s, "bend"));
  const auto loose = compile(s);
  REQUIRE_FALSE(loose.ok());
  CHECK(loose.error().message.find("unknown") == 0);
}

TEST_CASE("an element in a frame that its body does not have", "[spec][edit]") {
  Spec s = hand();
  s.world.bodies[0].geoms[0].frame = 3;
  CHECK(compile(s).error().message == "its frame is not one of its body");
  s.world.bodies[0].geoms[0].frame = 0;
  s.world.bodies[0].frames.emplace_back().frame = 0;
  CHECK(compile(s).error().message == "its parent frame must come before it");
}

TEST_CASE("keyframes have what their actuators and joints have, one or many numbers", "[spec]") {
  // four activations: of the filter, the integral of the pid, current and friction of the motor
  const auto arm = mjcf::parse(R"(
<mujoco model="arm">
  <worldbody><body name="b">
    <freejoint name="f"/><geom size="0.1"/>
    <body name="c" pos="0 0 1"><joint name="r" type="ball"/><geom size="0.1"/>
      <body><joint name="h"/><geom size="0.1" pos="0 0 1"/></body></body>
  </body></worldbody>
  <actuator>
    <general joint="h" dyntype="filter"/>
    <pid joint="h" kp="2" ki="3" input="pos vel ff"/>
    <dcmotor joint="h" motorconst="1" resistance="2" inductance="0.1" lugre="1 1 1 1 1"/>
    <dcmotor joint="h" motorconst="1" resistance="2" input="none"/>
    <orientation joint="r" kp="1" input="quat"/>
    <motor joint="h"/>
  </actuator>
  <keyframe>
    <key name="k" qpos="1 2 3 1 0 0 0 0 1 0 0 0.5" qvel="1 2 3 4 5 6 7 8 9 10" act="11 12 13 14"
    ctrl="1 2 3 4 5 6 7 8 9 10"/></keyframe>
</mujoco>)");
  if (!arm) FAIL(arm.error().to_string());
  const Model<double> alone = compiled(*arm);
  REQUIRE(alone.n.nu == 10);
  REQUIRE(alone.n.na == 4);
  Spec s;
  attached(spec::attach(s, "world", *arm, {.body = "b", .prefix = "x_"}));
  const Model<double> m = compiled(s);
  REQUIRE(m.n.nkey == 1);
  CHECK(m.key_qpos == alone.key_qpos);
  CHECK(m.key_qvel == alone.key_qvel);
  CHECK(m.key_act == alone.key_act);
  CHECK(m.key_ctrl == alone.key_ctrl);

  Spec wrong = *arm;
  wrong.keys[0].ctrl = {1, 2, 3, 4, 5, 6};
  CHECK(spec::attach(s, "world", wrong, {.body = "b", .prefix = "y_"}).error().message ==
        "ctrl has 6 values, expected 10");
  wrong.actuators[1].input = "pos speed";
  CHECK(spec::attach(s, "world", wrong, {.body = "b", .prefix = "y_"}).error().message ==
        "'speed' is not an input");
}
