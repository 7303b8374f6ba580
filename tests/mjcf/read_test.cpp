// SPDX-License-Identifier: Apache-2.0
#include <corten/mjcf/read.hpp>
#include <corten/mjcf/read_global.hpp>
#include <corten/mjcf/xml_check.hpp>
#include <corten/spec/resolve.hpp>

#include <string>

#include "../support/catch.hpp"

using namespace corten;
using spec::Leading;
using spec::Numbers;

namespace {

Spec read(std::string_view text, const mjcf::ReadOptions& options = {}) {
  auto out = mjcf::parse(text, options);
  if (!out) FAIL(out.error().to_string());
  return std::move(out).value();
}

// the text in <mujoco><worldbody>
Spec read_world(const std::string& text) {
  return read("<mujoco><worldbody>" + text + "</worldbody></mujoco>");
}

}  // namespace

TEST_CASE("an empty model", "[mjcf]") {
  const Spec s = read("<mujoco/>");
  CHECK(s.model_name == "MuJoCo Model");
  CHECK(s.defaults.size() == 1);
  CHECK(s.world.name == "world");
  CHECK(s.world.bodies.empty());
  CHECK(s.warnings.empty());
  CHECK(read("<mujoco model='ant'></mujoco>").model_name == "ant");
}

TEST_CASE("compiler, option, size, statistic", "[mjcf]") {
  const Spec s = read(R"(
    <mujoco>
      <compiler angle="radian" eulerseq="zyX" inertiafromgeom="auto" inertiagrouprange="0 3"
                coordinate="local" settotalmass="14" fusestatic="false" meshdir="m"/>
      <option timestep="0.01" integrator="RK4" o_solref="0.1"/>
      <option timestep="0.02" gravity="0 0 -1" solver="PGS" actuatorgroupdisable="1 30">
        <!-- <flags solver="RK4"/> -->
        <flag contact="disable" energy="enable"/>
      </option>
      <option o_solref="0.3 0.4" actuatorgroupdisable="2"/>
      <option o_solref="0.5"><flag gravity="disable"/></option>
      <size njmax="1000" nkey="5" nuser_geom="1"/>
      <size memory="10M"/>
      <statistic extent="2" center="1 2 3"/>
      <visual><map znear="0.1"/><rgba haze="1 1 1 1"/></visual>
    </mujoco>)");
  CHECK(s.compiler.angle == spec::Angle::radian);
  CHECK(s.compiler.eulerseq == "zyX");
  CHECK(s.compiler.inertiafromgeom == spec::Tristate::automatic);
  CHECK(s.compiler.inertiagrouprange == std::array<int, 2>{0, 3});
  CHECK_FALSE(s.compiler.autolimits.has_value());
  CHECK(s.option.timestep == 0.02);
  CHECK(s.option.integrator == Integrator::rk4);
  CHECK(s.option.solver == Solver::pgs);
  CHECK(s.option.gravity == Numbers<3>{0, 0, -1});
  CHECK(s.option.o_solref == Leading<2>{0.5, 0.4});
  CHECK(s.option.actuatorgroupdisable->size() == 3);
  CHECK(s.option.flag.disableflags() == (disable_contact | disable_gravity));
  CHECK(s.option.flag.enableflags() == enable_energy);
  CHECK(s.size.nkey == 5);
  CHECK(mjcf::parse_memory(*s.size.memory) == 10u << 20);
  CHECK(s.statistic.center == Numbers<3>{1, 2, 3});
  REQUIRE(s.visual.entries.size() == 2);
  CHECK(s.visual.entries[0].element == "map");
  CHECK(s.visual.entries[0].attribute == "znear");
  CHECK(s.visual.entries[0].value == "0.1");
}

TEST_CASE("memory sizes", "[mjcf]") {
  CHECK(mjcf::parse_memory("100") == 100u);
  CHECK(mjcf::parse_memory(" 2k ") == 2048u);
  CHECK(mjcf::parse_memory("1E") == std::uint64_t{1} << 60);
  for (const char* bad : {"", "K", "-5", "1.5M", "1KK", "1X", "100E", "1 M"}) {
    INFO(bad);
    CHECK_FALSE(mjcf::parse_memory(bad).has_value());
  }
}

TEST_CASE("bodies own their children in document order", "[mjcf]") {
  const Spec s = read_world(R"(
    <geom name="floor" type="plane" size="1 1 .1"/>
    <body name="a" pos="0 0 1" euler="0 90 0" childclass="main" gravcomp="1" sleep="never">
      <geom size="0.1" fromto="0 0 0 0 0 1" type="capsule" friction="0.5"/>
      <joint name="hip" type="ball" range="0 1" stiffness="1 2"/>
      <body name="b"><freejoint name="f" align="true"/></body>
      <site name="s" size=".01"/>
      <geom name="g2" size="1 2 3" type="box"/>
      <inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/>
      <body name="c" mocap="true"/>
      <camera name="cam" fovy="60" mode="trackcom"/>
      <light directional="true" dir="0 0 -1"/>
    </body>
    <body/>)");
  REQUIRE(s.world.bodies.size() == 2);
  CHECK(s.world.geoms[0].type == GeomType::plane);
  const spec::Body& a = s.world.bodies[0];
  CHECK(a.path == "mujoco/worldbody/body 'a'");
  CHECK(a.where.line == 3);
  CHECK(a.where.column == 6);
  CHECK(a.orientation.euler == Numbers<3>{0, 90, 0});
  CHECK(a.childclass == "main");
  CHECK(a.sleep == spec::SleepPolicy::never);
  REQUIRE(a.geoms.size() == 2);
  CHECK(a.geoms[0].size == Leading<3>{0.1});
  CHECK(a.geoms[0].friction == Leading<3>{0.5});
  CHECK(a.geoms[0].fromto == Numbers<6>{0, 0, 0, 0, 0, 1});
  CHECK(a.geoms[1].path == "mujoco/worldbody/body 'a'/geom 'g2'");
  REQUIRE(a.joints.size() == 1);
  CHECK(a.joints[0].type == JointType::ball);
  CHECK(a.joints[0].stiffness == Leading<3>{1, 2});
  REQUIRE(a.inertial.has_value());
  CHECK(a.inertial->mass == 2.0);
  REQUIRE(a.bodies.size() == 2);
  CHECK(a.bodies[0].joints[0].is_freejoint);
  CHECK(a.bodies[0].joints[0].type == JointType::free);
  CHECK(a.bodies[0].joints[0].align == spec::Tristate::yes);
  CHECK(a.bodies[1].mocap == true);
  CHECK(a.cameras[0].mode == spec::TrackMode::trackcom);
  CHECK(a.lights[0].type == spec::LightType::directional);
}

TEST_CASE("an empty list of numbers is the same as none", "[mjcf]") {
  const Spec s = read_world("<body pos=''><geom size='.1' rgba=' '/></body>");
  CHECK_FALSE(s.world.bodies[0].pos.has_value());
  CHECK_FALSE(s.world.bodies[0].geoms[0].rgba.has_value());
}

TEST_CASE("several sections of a kind add up", "[mjcf]") {
  const Spec s = read(
      "<mujoco><worldbody><body name='a'/></worldbody><worldbody><body name='b'/></worldbody>"
      "</mujoco>");
  CHECK(s.world.bodies.size() == 2);
}

TEST_CASE("default classes are read first, nested ones after their parent", "[mjcf]") {
  const Spec s = read(R"(
    <mujoco>
      <worldbody>
        <geom name="x" class="b" density="1000"/>
      </worldbody>
      <default>
        <default class="a">
          <default class="b"><geom density="5" friction="7"/></default>
          <geom size="0.1"/>
        </default>
        <geom friction="1 2 3" rgba="1 0 0 1"/>
        <motor gear="3"/>
        <position kv="1"/>
        <sensor noise="0.5"/>
        <tendon width="0.1" springlength="2"/>
      </default>
      <default class="main"><geom friction="9"/></default>
    </mujoco>)");
  REQUIRE(s.defaults.size() == 3);
  CHECK(s.defaults[0].geom.friction == Leading<3>{9, 2, 3});
  CHECK(s.defaults[1].name == "a");
  CHECK(s.defaults[1].geom.friction == Leading<3>{1, 2, 3});
  CHECK(s.defaults[1].geom.size == Leading<3>{0.1});
  CHECK(s.defaults[2].parent == 1);
  CHECK(s.defaults[0].tendon.springlength == Numbers<2>{2, 2});
  CHECK(s.defaults[2].sensor.noise == 0.5);
  // motor, then position: unit gain, then a servo with that gain
  const spec::Actuator& actuator = s.defaults[2].actuator;
  CHECK(actuator.gear == Leading<6>{3});
  CHECK(actuator.biastype == BiasType::affine);
  CHECK(actuator.biasprm[1] == -1);
  CHECK(actuator.biasprm[2] == -1);

  const auto geom = spec::resolve(s, s.world.geoms[0]);
  REQUIRE(geom.ok());
  CHECK(geom->density == 1000.0);
  CHECK(geom->friction == Leading<3>{7, 2, 3});
  CHECK(geom->size == Leading<3>{0.1});
  CHECK(geom->name == "x");
}

TEST_CASE("contact, tendon, actuator", "[mjcf]") {
  const Spec s = read(R"(
    <mujoco>
      <contact>
        <pair name="p" geom1="a" geom2="b" condim="6" friction="1 2 3 4 5"/>
        <exclude body1="x" body2="y"/>
      </contact>
      <tendon>
        <fixed name="t" range="0 1" springlength="0.5">
          <joint joint="j1" coef="0.5"/>
          <joint joint="j2" coef="-1"/>
        </fixed>
      </tendon>
      <actuator>
        <motor name="m" joint="j1" gear="1 2" ctrlrange="-1 1" ctrllimited="true"/>
        <position tendon="t" kp="10" kv="1" inheritrange="1"/>
        <velocity jointinparent="j1" kv="2"/>
        <general site="s" refsite="r" dyntype="filter" gainprm="1 2 3" biastype="affine"/>
        <general cranksite="s" slidersite="r" cranklength="1"/>
        <general body="x"/>
      </actuator>
    </mujoco>)");
  CHECK(s.pairs[0].geom1 == "a");
  CHECK(s.pairs[0].friction.count == 5);
  CHECK(s.excludes[0].body2 == "y");
  REQUIRE(s.tendons[0].entries.size() == 2);
  CHECK(s.tendons[0].entries[1].joint == "j2");
  CHECK(s.tendons[0].entries[1].coef == -1);
  CHECK(s.tendons[0].springlength == Numbers<2>{0.5, 0.5});
  REQUIRE(s.actuators.size() == 6);
  CHECK(s.actuators[0].kind == spec::Actuator::Kind::motor);
  CHECK(s.actuators[0].gear == Leading<6>{1, 2});
  CHECK(s.actuators[1].kp == 10.0);
  CHECK(s.actuators[2].jointinparent == "j1");
  CHECK(s.actuators[3].dyntype == DynamicsType::filter);
  CHECK(s.actuators[3].gainprm.count == 3);
  CHECK(spec::transmission(s.actuators[5]).type == TransmissionType::body);
}

TEST_CASE("sensors", "[mjcf]") {
  const Spec s = read(R"(
    <mujoco>
      <sensor>
        <jointpos joint="j" noise="0.1" cutoff="2" user="1 2"/>
        <accelerometer name="imu" site="s"/>
        <framepos objtype="xbody" objname="b" reftype="site" refname="s"/>
        <framelinacc objtype="geom" objname="g"/>
        <framequat site="s"/>
        <subtreecom body="b"/>
        <clock/>
        <distance geom1="g" body2="b"/>
        <insidesite site="s" objtype="body" objname="b"/>
        <camprojection site="s" camera="c"/>
        <user dim="3" objtype="tendon" objname="t" needstage="vel" datatype="axis"/>
      </sensor>
    </mujoco>)");
  REQUIRE(s.sensors.size() == 11);
  CHECK(s.sensors[0].type == SensorType::jointpos);
  CHECK(s.sensors[0].objtype == ObjectType::joint);
  CHECK(s.sensors[0].objname == "j");
  CHECK(s.sensors[0].user->size() == 2);
  CHECK(s.sensors[1].objtype == ObjectType::site);
  CHECK(s.sensors[2].objtype == ObjectType::xbody);
  CHECK(s.sensors[2].reftype == ObjectType::site);
  CHECK(s.sensors[2].refname == "s");
  CHECK(s.sensors[4].objtype == ObjectType::site);
  CHECK(s.sensors[4].objname == "s");
  CHECK(s.sensors[6].objtype == ObjectType::unknown);
  CHECK(s.sensors[7].objtype == ObjectType::geom);
  CHECK(s.sensors[7].reftype == ObjectType::body);
  CHECK(s.sensors[8].reftype == ObjectType::site);
  CHECK(s.sensors[9].reftype == ObjectType::camera);
  CHECK(s.sensors[10].objtype == ObjectType::tendon);
  CHECK(s.sensors[10].needstage == Stage::velocity);
}

TEST_CASE("assets, custom data, keyframes", "[mjcf]") {
  const Spec s = read(R"(
    <mujoco>
      <asset>
        <texture name="grid" type="2d" builtin="checker" width="10" height="10" file="a.png"/>
        <material name="mat" texture="grid" rgba="1 1 1 1"/>
      </asset>
      <custom>
        <numeric name="n" data="1 2" size="4"/>
        <numeric name="zero" size="2"/>
        <text name="t" data="hello"/>
        <tuple name="u"><element objtype="body" objname="b" prm="2"/></tuple>
      </custom>
      <keyframe>
        <key name="home" time="1" qpos="1 2 3" ctrl="0"/>
        <key/>
      </keyframe>
    </mujoco>)");
  CHECK(s.textures[0].type == spec::TextureType::flat);
  CHECK(s.materials[0].texture == "grid");
  CHECK(*s.numerics[0].data == std::vector<double>{1, 2, 0, 0});
  CHECK(s.numerics[1].data->size() == 2);
  CHECK(s.texts[0].data == "hello");
  CHECK(s.tuples[0].entries[0].objtype == ObjectType::body);
  CHECK(s.tuples[0].entries[0].prm == 2);
  CHECK(s.keys[0].qpos->size() == 3);
  CHECK_FALSE(s.keys[1].qpos.has_value());
}

TEST_CASE("text between elements is a warning", "[mjcf]") {
  const Spec s = read("<mujoco>\n stray\n <worldbody/></mujoco>", {.file = "t.xml"});
  REQUIRE(s.warnings.size() == 1);
  CHECK(s.warnings[0].to_string() == "t.xml:2:2: mujoco: text between elements is ignored");
}

TEST_CASE("the deepest tree that is allowed", "[mjcf]") {
  std::string open, close;
  for (std::size_t i = 0; i + 2 < mjcf::max_xml_depth; ++i) {
    open += "<body>";
    close += "</body>";
  }
  const Spec s = read_world(open + close);
  CHECK(s.world.bodies.size() == 1);
}
