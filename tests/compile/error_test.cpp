// SPDX-License-Identifier: Apache-2.0
//
// Specs that do not compile: each error says where and why.
#include "support.hpp"

using namespace corten;
using compile_test::error_of;

namespace {

struct Case {
  int line;  // counted from the line after the opening of the text
  const char* message;
  const char* text;
};

void check_cases(std::initializer_list<Case> cases) {
  for (const Case& c : cases) {
    INFO(c.text);
    const Error error = error_of(c.text);
    INFO(error.to_string());
    CHECK(error.where.line == c.line + 1);
    CHECK(error.message.find(c.message) != std::string::npos);
    CHECK(error.element.rfind("mujoco", 0) == 0);
  }
}

}  // namespace

TEST_CASE("errors of geoms and sites", "[compile][error]") {
  check_cases({
      {2, "size 0 must be positive", R"(
<mujoco><worldbody>
  <geom name="g"/>
</worldbody></mujoco>)"},
      {3, "size 1 must be positive", R"(
<mujoco><worldbody>
  <geom size="1"/>
  <geom type="capsule" size="0.1"/>
</worldbody></mujoco>)"},
      {2, "size 2", R"(
<mujoco><worldbody>
  <geom type="plane" size="1 1"/>
</worldbody></mujoco>)"},
      {2, "fromto", R"(
<mujoco><worldbody>
  <geom type="sphere" size="0.1" fromto="0 0 0 1 0 0"/>
</worldbody></mujoco>)"},
      {2, "too close", R"(
<mujoco><worldbody>
  <geom type="capsule" size="0.1" fromto="1 0 0 1 0 0"/>
</worldbody></mujoco>)"},
      {3, "static bodies", R"(
<mujoco><worldbody><body><freejoint/>
  <geom size="0.1"/>
  <geom type="plane" size="1 1 1"/>
</body></worldbody></mujoco>)"},
      {2, "negative", R"(
<mujoco><worldbody><body><freejoint/>
  <geom size="0.1" mass="-1"/>
</body></worldbody></mujoco>)"},
      {2, "negative", R"(
<mujoco><worldbody><body><freejoint/>
  <geom size="0.1" density="-1"/>
</body></worldbody></mujoco>)"},
      {2, "axisangle", R"(
<mujoco><worldbody>
  <geom size="0.1" axisangle="0 0 0 10"/>
</worldbody></mujoco>)"},
      {2, "parallel", R"(
<mujoco><worldbody>
  <geom size="0.1" xyaxes="1 0 0 2 0 0"/>
</worldbody></mujoco>)"},
      {2, "zaxis", R"(
<mujoco><worldbody>
  <site zaxis="0 0 0"/>
</worldbody></mujoco>)"},
      {2, "site cannot be a plane", R"(
<mujoco><worldbody>
  <site type="plane"/>
</worldbody></mujoco>)"},
      {3, "nuser_geom is 1", R"(
<mujoco><size nuser_geom="1"/>
  <worldbody>
    <geom size="0.1" user="1 2"/>
</worldbody></mujoco>)"},
  });
}

TEST_CASE("errors of bodies and joints", "[compile][error]") {
  check_cases({
      {1, "mass and inertia of moving bodies", R"(
<mujoco><worldbody><body name="b"><joint/></body></worldbody></mujoco>)"},
      {2, "mass and inertia of moving bodies", R"(
<mujoco><worldbody>
  <body><joint/><geom size="0.1" mass="0"/></body>
</worldbody></mujoco>)"},
      {3, "cannot be negative", R"(
<mujoco><worldbody>
  <body><joint/>
    <inertial pos="0 0 0" mass="-1" diaginertia="1 1 1"/></body>
</worldbody></mujoco>)"},
      {3, "A + B >= C", R"(
<mujoco><worldbody>
  <body><joint/>
    <inertial pos="0 0 0" mass="1" diaginertia="1 1 3"/></body>
</worldbody></mujoco>)"},
      {3, "positive eigenvalues", R"(
<mujoco><worldbody>
  <body><joint/>
    <inertial pos="0 0 0" mass="1" fullinertia="1 1 1 2 0 0"/></body>
</worldbody></mujoco>)"},
      {3, "by itself", R"(
<mujoco><worldbody>
  <body><geom size="0.1"/>
    <freejoint/><joint/></body>
</worldbody></mujoco>)"},
      {3, "top level", R"(
<mujoco><worldbody>
  <body><geom size="0.1"/><body>
    <freejoint/><geom size="0.1"/></body></body>
</worldbody></mujoco>)"},
      {3, "followed by a rotation", R"(
<mujoco><worldbody>
  <body><geom size="0.1"/><joint type="ball"/>
    <joint type="hinge"/></body>
</worldbody></mujoco>)"},
      {2, "more than 6 dofs", R"(
<mujoco><worldbody>
  <body><geom size="0.1"/><joint/><joint/><joint/><joint/><joint/><joint/><joint/></body>
</worldbody></mujoco>)"},
      {2, "axis is too short", R"(
<mujoco><worldbody><body><geom size="0.1"/>
  <joint axis="0 0 0"/>
</body></worldbody></mujoco>)"},
      {2, "range[0] must be smaller", R"(
<mujoco><worldbody><body><geom size="0.1"/>
  <joint limited="true"/>
</body></worldbody></mujoco>)"},
      {2, "range[0] of a ball joint", R"(
<mujoco><worldbody><body><geom size="0.1"/>
  <joint type="ball" range="1 2"/>
</body></worldbody></mujoco>)"},
      {3, "has range but not limited", R"(
<mujoco><compiler autolimits="false"/>
  <worldbody><body><geom size="0.1"/>
    <joint range="-1 1"/>
</body></worldbody></mujoco>)"},
      {2, "actuatorfrcrange", R"(
<mujoco><worldbody><body><geom size="0.1"/>
  <joint actuatorfrclimited="true"/>
</body></worldbody></mujoco>)"},
      {2, "springdamper", R"(
<mujoco><worldbody><body><geom size="0.1"/>
  <joint springdamper="1 0"/>
</body></worldbody></mujoco>)"},
      {2, "mocap", R"(
<mujoco><worldbody>
  <body mocap="true"><joint/><geom size="0.1"/></body>
</worldbody></mujoco>)"},
      {3, "movable root", R"(
<mujoco><worldbody><body>
  <joint/><geom size="0.1"/>
    <body sleep="never"><joint/><geom size="0.1"/></body>
</body></worldbody></mujoco>)"},
  });
}

TEST_CASE("unknown references", "[compile][error][000-6.12][001-7.8]") {
  const std::string head = R"(
<mujoco><worldbody><body name="arm"><joint name="elbow"/><geom name="tip" size="0.1"/></body>
</worldbody>
)";
  const auto check = [&](const std::string& rest, const char* message, const char* remedy) {
    INFO(rest);
    const Error error = error_of(head + rest + "</mujoco>");
    CHECK(error.where.line == 4);
    CHECK(error.message == message);
    CHECK(error.remedy == remedy);
  };
  check("<actuator><motor joint='elbo'/></actuator>", "unknown joint 'elbo'",
        "did you mean 'elbow'?");
  check("<actuator><motor tendon='t'/></actuator>", "unknown tendon 't'", "");
  check("<actuator><motor site='s'/></actuator>", "unknown site 's'", "");
  check("<tendon><fixed><joint joint='elbows' coef='1'/></fixed></tendon>",
        "unknown joint 'elbows'", "did you mean 'elbow'?");
  check("<sensor><jointpos joint='x'/></sensor>", "unknown joint 'x'", "");
  check("<sensor><framepos objtype='body' objname='arms'/></sensor>", "unknown body 'arms'",
        "did you mean 'arm'?");
  check("<sensor><framepos objtype='body' objname='arm' reftype='geom' refname='top'/></sensor>",
        "unknown geom 'top'", "did you mean 'tip'?");
  check("<sensor><jointlimitfrc joint='elbo'/></sensor>", "unknown joint 'elbo'",
        "did you mean 'elbow'?");
  check("<sensor><tendonlimitfrc tendon='x'/></sensor>", "unknown tendon 'x'", "");
  check("<sensor><rangefinder camera='c'/></sensor>", "unknown camera 'c'", "");
  check("<sensor><contact subtree1='arms'/></sensor>", "unknown xbody 'arms'",
        "did you mean 'arm'?");
  check("<contact><pair geom1='tip' geom2='tap'/></contact>", "unknown geom 'tap' in geom2",
        "did you mean 'tip'?");
  check("<contact><exclude body1='arm' body2='leg'/></contact>", "unknown body 'leg' in body2", "");
  check("<custom><tuple name='t'><element objtype='body' objname='hand'/></tuple></custom>",
        "unknown object 'hand'", "");
}

TEST_CASE("errors of actuators, tendons, sensors and keys", "[compile][error]") {
  const std::string head = R"(
<mujoco><worldbody><body name="b"><joint name="j"/><geom size="0.1"/><site name="s"/>
  <body><joint name="ball" type="ball"/><geom size="0.1"/></body></body></worldbody>
)";
  const auto check = [&](const std::string& rest, const char* message) {
    INFO(rest);
    const Error error = error_of(head + rest + "</mujoco>");
    INFO(error.to_string());
    CHECK(error.where.line == 4);
    CHECK(error.message.find(message) != std::string::npos);
  };
  check("<actuator><motor/></actuator>", "target is missing");
  check("<actuator><motor joint='j' ctrllimited='true'/></actuator>", "ctrlrange[0]");
  check("<actuator><motor joint='j' forcerange='2 1' forcelimited='true'/></actuator>",
        "forcerange[0]");
  check("<actuator><general joint='j' actrange='0 1'/></actuator>", "dyntype is none");
  check("<actuator><general joint='j' actdim='1'/></actuator>", "actdim is 1");
  check("<actuator><general joint='j' dyntype='filter' actdim='0'/></actuator>", "actdim is 0");
  check("<actuator><position joint='j' inheritrange='1'/></actuator>", "no range");
  check("<actuator><position joint='ball' inheritrange='1'/></actuator>", "hinge or slide");
  check("<actuator><motor site='s' damping='1'/></actuator>", "joint or tendon");
  const auto actuator = [&](const char* element, const char* message) {
    check("<actuator><" + std::string(element) + "/></actuator>", message);
  };
  actuator("motor joint='j' delay='0.1'", "needs a history");
  actuator("motor joint='j' nsample='-1'", "negative");
  actuator("motor joint='j' nsample='20000000'", "16777216");
  actuator("muscle joint='j' range='1 0.5' lengthrange='0 1'", "range[0] < range[1]");
  actuator("muscle joint='j' lmin='1.1' lengthrange='0 1'", "lmin < 1 < lmax");
  actuator("muscle joint='j' vmax='0' lengthrange='0 1'", "positive scale");
  actuator("general joint='j' biastype='muscle' lengthrange='0 1'", "range[0] < range[1]");
  actuator("dcmotor joint='j' motorconst='1' resistance='1' controller='1'", "controller gains");
  actuator("dcmotor joint='j' motorconst='1' resistance='1' controller='1 1' input='vel'",
           "integral gain");
  actuator("dcmotor joint='j' motorconst='1' resistance='1' input='ff pos'", "order");
  actuator("dcmotor joint='j' motorconst='1' resistance='1' input='foo'", "'foo' is not an input");
  actuator("dcmotor joint='j' motorconst='1' resistance='1' input='none' nsample='3'",
           "needs an input");
  actuator("general joint='j' dyntype='dcmotor'", "actearly");
  actuator("general joint='j' dyntype='dcmotor' actearly='true'", "actdim 1");
  actuator("general joint='j' gaintype='dcmotor'", "actdim 1");
  actuator("pid joint='j' ki='1' input='vel'", "need the input pos");
  actuator("pid joint='j' ki='-1'", "positive ki or slewmax");
  actuator("pid joint='j' input='voltage'", "only the inputs pos, vel, ff");
  actuator("general joint='j' dyntype='pid'", "needs gaintype pid");
  actuator("general joint='j' gaintype='pid'", "needs biastype affine");
  actuator("general joint='j' input='pos'", "input is only for");
  actuator("orientation joint='j'", "needs a ball joint");
  actuator("orientation site='s'", "needs refsite");
  actuator("orientation joint='ball' forcerange='-1 1'", "start at 0");
  actuator("orientation joint='ball' input='ff'", "expmap or quat");
  actuator("general joint='ball' gaintype='so3'", "must both be so3");
  actuator("damper joint='j' kv='1'", "ctrlrange[0]");
  actuator("adhesion body='b'", "ctrlrange[0]");
  check("<tendon><fixed/></tendon>", "path is empty");
  check("<tendon><fixed limited='true'><joint joint='j' coef='1'/></fixed></tendon>", "range[0]");
  check("<tendon><fixed springlength='2 1'><joint joint='j' coef='1'/></fixed></tendon>",
        "springlength");
  check("<sensor><jointpos joint='ball'/></sensor>", "slide or hinge");
  check("<sensor><ballquat joint='j'/></sensor>", "ball joint");
  check("<sensor><gyro site='s' noise='-1'/></sensor>", "noise");
  check("<sensor><gyro site='s' cutoff='-1'/></sensor>", "cutoff");
  check("<sensor><framexaxis objtype='site' objname='s' cutoff='1'/></sensor>", "axis");
  check("<sensor><jointlimitpos joint='j'/></sensor>", "needs a joint with limits");
  check(
      "<tendon><fixed name='t'><joint joint='j' coef='1'/></fixed></tendon>"
      "<sensor><tendonlimitvel tendon='t'/></sensor>",
      "needs a tendon with limits");
  check("<sensor><rangefinder site='s' data='dist far'/></sensor>", "unknown data 'far'");
  check("<sensor><rangefinder site='s' data='point dist'/></sensor>", "not in order");
  check("<sensor><contact data='force force'/></sensor>", "not in order");
  check("<sensor><contact num='0'/></sensor>", "num must be positive");
  check("<sensor><contact num='2000000000'/></sensor>", "number of values");
  check("<sensor><distance body1='b' body2='b'/></sensor>", "twice to the same");
  check("<sensor><user dim='2' datatype='axis'/></sensor>", "dim 3");
  check("<sensor><user dim='3' datatype='quaternion'/></sensor>", "dim 4");
  check("<sensor><user dim='-3'/></sensor>", "number of values");
  check("<sensor><user dim='1' objtype='dof' objname='b'/></sensor>", "this type of object");
  check("<sensor><gyro site='s' delay='0.1'/></sensor>", "a delay needs a history");
  check("<sensor><gyro site='s' nsample='-1'/></sensor>", "nsample cannot be negative");
  check("<sensor><gyro site='s' nsample='20000000'/></sensor>", "nsample is above");
  check("<sensor><gyro site='s' interval='-1'/></sensor>", "period");
  check("<sensor><gyro site='s' interval='1 1'/></sensor>", "phase");
  check("<sensor><gyro site='s' interval='1 -1'/></sensor>", "shorter than its period");
  check("<worldbody><camera fovy='180'/></worldbody>", "fovy");
  check("<worldbody><camera focal='1 1'/></worldbody>", "sensorsize");
  check("<worldbody><camera focal='1 1' sensorsize='1 1' resolution='0 1'/></worldbody>",
        "resolution");
  check("<worldbody><camera output='rgb heat'/></worldbody>", "unknown output 'heat'");
  check("<worldbody><camera target='x'/></worldbody>", "unknown target body 'x'");
  check("<worldbody><light dir='0 0 0'/></worldbody>", "dir is too short");
  check("<worldbody><light softness='2'/></worldbody>", "softness");
  check(
      "<worldbody><camera name='c' resolution='0 0'/></worldbody>"
      "<sensor><camprojection site='s' camera='c'/></sensor>",
      "resolution");
  check("<keyframe><key qpos='1 2 3 4 5 6'/></keyframe>", "qpos has 6 values, expected 5");
  check("<keyframe><key qvel='1 2 3 4 5'/></keyframe>", "qvel has 5 values, expected 4");
  check("<keyframe><key ctrl='1'/></keyframe>", "ctrl has 1 values, expected 0");
}

TEST_CASE("equality constraints must refer to existing objects", "[compile][error]") {
  const auto check = [&](const std::string& constraint, const char* message) {
    INFO(constraint);
    const Error error = error_of(R"(
<mujoco><worldbody><body name="b"><joint name="j"/><joint name="ball" type="ball"/>
  <geom name="g" size="0.1"/><site name="s"/></body></worldbody>
<tendon><fixed name="t"><joint joint="j" coef="1"/></fixed></tendon>
<equality>)" + constraint + "</equality></mujoco>");
    INFO(error.to_string());
    CHECK(error.where.line == 5);
    CHECK(error.message.find(message) != std::string::npos);
  };
  check("<connect body1='c' anchor='0 0 0'/>", "unknown body 'c'");
  check("<weld body1='b' body2='c'/>", "unknown body 'c'");
  check("<weld body1='b' body2='b'/>", "body 'b' is constrained to itself");
  check("<weld body1='world'/>", "body 'world' is constrained to itself");
  check("<connect site1='s' site2='r'/>", "unknown site 'r'");
  check("<joint joint1='k'/>", "unknown joint 'k'");
  check("<joint joint1='j' joint2='ball'/>", "only slide and hinge joints");
  check("<tendon tendon1='u'/>", "unknown tendon 'u'");
  check("<tendon tendon1='t' tendon2='u'/>", "unknown tendon 'u'");
  check("<distance geom1='g' geom2='h'/>", "unknown geom 'h'");
  check("<distance geom1='g' geom2='g'/>", "geom 'g' is constrained to itself");
}

TEST_CASE("errors of a spec that was built in code", "[compile][error]") {
  Spec spec;
  spec::Body body;
  body.name = "b";

  SECTION("repeated names") {
    spec.world.bodies = {body, body};
    CHECK(corten::compile(spec).error().message == "repeated name 'b' in body");
  }
  SECTION("a second world") {
    body.name = "world";
    spec.world.bodies = {body};
    CHECK(corten::compile(spec).error().message == "repeated name 'world' in body");
  }
  SECTION("unknown class") {
    body.childclass = "none";
    spec.world.bodies = {body};
    CHECK(corten::compile(spec).error().message == "unknown default class 'none'");
  }
  SECTION("mesh") {
    spec::Geom geom;
    geom.type = GeomType::mesh;
    spec.world.geoms = {geom};
    CHECK(corten::compile(spec).error().message == "mesh is missing");
  }
  SECTION("the world moves") {
    spec.world.joints.emplace_back();
    CHECK(corten::compile(spec).error().message == "the world cannot have joints");
  }
  SECTION("the world weighs") {
    spec.world.inertial.emplace();
    CHECK_FALSE(corten::compile(spec).ok());
  }
  SECTION("zero quaternion") {
    body.orientation.quat = spec::Numbers<4>{0, 0, 0, 0};
    spec.world.bodies = {body};
    CHECK(corten::compile(spec).error().message == "quat is zero");
  }
  SECTION("bad condim") {
    spec::Geom geom;
    geom.size = {0.1};
    geom.condim = 2;
    spec.world.geoms = {geom};
    CHECK(corten::compile(spec).error().message == "condim is 2");
  }
  SECTION("more numbers than their size") {
    spec::Numeric numeric;
    numeric.size = 1;
    numeric.data = {1, 2};
    spec.numerics = {numeric};
    CHECK(corten::compile(spec).error().message == "size is smaller than the data");
  }
  SECTION("an incomplete inertial") {
    body.inertial.emplace();
    spec.world.bodies = {body};
    CHECK(corten::compile(spec).error().message == "pos and mass must be given");
  }
}

TEST_CASE("all errors are reported at once, in the order of the text", "[compile][error]") {
  const Error error = error_of(R"(<mujoco>
  <asset><material name="m"/></asset>
  <worldbody>
    <geom name="floor" type="plane" size="1 1"/>
    <body name="a" zaxis="0 0 0">
      <joint name="j" axis="0 0 0"/>
      <geom name="ball" type="sphere" size="0"/>
      <geom name="box" type="box" size="1 1 1" axisangle="0 0 0 1"/>
      <site name="s" type="plane"/>
    </body>
    <body><joint name="k" range="3 2" limited="true"/><geom size="1"/><camera fovy="200"/></body>
  </worldbody>
  <contact><pair geom1="ball" geom2="flor"/><exclude body1="a" body2="c"/></contact>
  <tendon>
    <spatial name="t"><site site="s"/><geom geom="ball"/><site site="r"/></spatial>
    <fixed><joint joint="l" coef="1"/></fixed>
  </tendon>
  <equality><joint joint1="j" joint2="i"/></equality>
  <actuator>
    <motor joint="jj"/>
    <motor joint="j" nsample="-1"/>
    <pid name="p" joint="j" input="vel pos"/>
    <motor joint="k" ctrllimited="true"/>
  </actuator>
  <sensor><jointpos joint="x"/><jointlimitpos joint="k"/><actuatorfrc actuator="p"/></sensor>
  <custom><tuple name="u"><element objtype="body" objname="b" prm="0"/></tuple></custom>
  <keyframe><key qpos="1 2 3" qvel="1 2 3"/></keyframe>
</mujoco>)");
  std::vector<std::pair<int, std::string>> found{{error.where.line, error.message}};
  for (const Error& e : error.also) found.emplace_back(e.where.line, e.message);
  const std::vector<std::pair<int, std::string>> expected{{4, "size 2"},
                                                          {5, "zaxis is too short"},
                                                          {6, "axis is too short"},
                                                          {7, "size 0"},
                                                          {8, "axisangle"},
                                                          {9, "a site cannot be a plane"},
                                                          {11, "range[0]"},
                                                          {11, "fovy"},
                                                          {13, "unknown geom 'flor'"},
                                                          {13, "unknown body 'c'"},
                                                          {15, "unknown site 'r'"},
                                                          {16, "unknown joint 'l'"},
                                                          {18, "unknown joint 'i'"},
                                                          {20, "unknown joint 'jj'"},
                                                          {21, "nsample cannot be negative"},
                                                          {22, "inputs must be distinct"},
                                                          {23, "ctrlrange[0]"},
                                                          {25, "unknown joint 'x'"},
                                                          {26, "unknown object 'b'"},
                                                          {27, "qpos has 3 values, expected 2"},
                                                          {27, "qvel has 3 values, expected 2"}};
  INFO(error.to_string());
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    INFO(i << ": " << found[i].second);
    CHECK(found[i].first == expected[i].first);
    CHECK(found[i].second.find(expected[i].second) != std::string::npos);
  }
}
