// SPDX-License-Identifier: Apache-2.0
//
// Contact pairs, tendons, sensors, keyframes, custom numbers. Golden numbers: MuJoCo 3.12.0.
#include "support.hpp"

#include <memory>

using namespace corten;
using compile_test::check;
using compile_test::compile;
using compile_test::error_of;

// golden arrays
// clang-format off

TEST_CASE("contact parameters, pairs and exclusions", "[compile][contact]") {
  const Model<double> m = compile(R"(
<mujoco>
  <default>
    <pair friction="2 2 0.1" solref="0.03"/><geom margin="0.01" gap="0.02" solmix="2"/>
  </default>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1" friction="0.5" priority="2" condim="6"
      contype="3"/>
    <body name="a" user="7">
      <freejoint/>
      <geom name="ga" size="0.1" contype="2" conaffinity="4" condim="4" solref="-100 -2"
        solimp="0.5 0.6 0.1 0.2 3" user="1 2 3" group="4" friction="1 2 3"/>
      <geom name="ga2" size="0.2" margin="0.1"/>
    </body>
    <body name="b" gravcomp="1.5">
      <freejoint/><geom name="gb" size="0.1" solmix="0"/>
      <body name="c" gravcomp="0.1"><joint/><geom name="gc" size="0.1"/></body>
    </body>
  </worldbody>
  <contact>
    <pair name="p2" geom1="gc" geom2="gb"/>
    <pair name="p1" geom1="gb" geom2="ga" condim="1" gap="0.1" margin="0.2" solimp="0.1 0.2"
      solreffriction="0.1 0.2" friction="3 4 5 6 7"/>
    <pair name="p3" geom1="ga2" geom2="gb"/>
    <pair name="p0" geom1="ga" geom2="floor"/>
    <exclude name="x2" body1="c" body2="a"/>
    <exclude name="x1" body1="world" body2="c"/>
  </contact>
</mujoco>)");
  check(m, "body_gravcomp", {0, 0, 1.5, 0.1});
  check(m, "body_margin", {0.03, 0.12000000000000001, 0.03, 0.03});
  check(m, "body_contype", {3, 3, 1, 1});
  check(m, "body_conaffinity", {1, 5, 1, 1});
  check(m, "body_user", {0, 7, 0, 0});
  check(m, "geom_contype", {3, 2, 1, 1, 1});
  check(m, "geom_conaffinity", {1, 4, 1, 1, 1});
  check(m, "geom_condim", {6, 4, 3, 3, 3});
  check(m, "geom_priority", {2, 0, 0, 0, 0});
  check(m, "geom_group", {0, 4, 0, 0, 0});
  check(m, "geom_friction",
        {0.5, 0.005, 0.0001, 1, 2, 3, 1, 0.005, 0.0001, 1, 0.005, 0.0001, 1, 0.005, 0.0001});
  check(m, "geom_solmix", {2, 2, 2, 0, 2});
  check(m, "geom_solref", {0.02, 1, -100, -2, 0.02, 1, 0.02, 1, 0.02, 1});
  check(m, "geom_solimp",
        {0.9, 0.95, 0.001, 0.5, 2, 0.5, 0.6, 0.1, 0.2, 3, 0.9, 0.95, 0.001, 0.5, 2, 0.9, 0.95,
         0.001, 0.5, 2, 0.9, 0.95, 0.001, 0.5, 2});
  check(m, "geom_margin", {0.01, 0.01, 0.1, 0.01, 0.01});
  check(m, "geom_gap", {0.02, 0.02, 0.02, 0.02, 0.02});
  check(m, "geom_user", {0, 0, 0, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  check(m, "pair_dim", {3, 1, 3, 3});
  check(m, "pair_geom1", {0, 1, 2, 3});
  check(m, "pair_geom2", {1, 3, 3, 4});
  check(m, "pair_signature", {1, 65538, 65538, 131075});
  check(m, "pair_solref", {0.03, 1, 0.03, 1, 0.03, 1, 0.03, 1});
  check(m, "pair_solreffriction", {0, 0, 0.1, 0.2, 0, 0, 0, 0});
  check(m, "pair_solimp",
        {0.9, 0.95, 0.001, 0.5, 2, 0.1, 0.2, 0.001, 0.5, 2, 0.9, 0.95, 0.001, 0.5, 2, 0.9, 0.95,
         0.001, 0.5, 2});
  check(m, "pair_margin", {0, 0.2, 0, 0});
  check(m, "pair_gap", {0, 0.1, 0, 0});
  check(m, "pair_adhesion", {0, 0, 0, 0});
  check(m, "pair_friction",
        {2, 2, 0.1, 0.0001, 0.0001, 3, 4, 5, 6, 7, 2, 2, 0.1, 0.0001, 0.0001, 2, 2, 0.1, 0.0001,
         0.0001});
  check(m, "exclude_signature", {3, 65539});
  CHECK(m.names.pair == std::vector<std::string>{"p0", "p1", "p3", "p2"});
  CHECK(m.names.exclude == std::vector<std::string>{"x1", "x2"});
  CHECK(m.n.ngravcomp == 2);
}

TEST_CASE("fixed tendons", "[compile][tendon]") {
  const Model<double> m = compile(R"(
<mujoco>
  <default><tendon stiffness="2" damping="0.1 0.2 0.3"/></default>
  <worldbody>
    <body>
      <joint name="j1" ref="20" springref="40"/><geom size="0.1" pos="0.2 0 0"/>
      <body pos="0.3 0 0">
        <joint name="j2" axis="0 1 0"/><joint name="j3" type="slide" springref="0.3"/>
        <geom size="0.1" pos="0.1 0.1 0"/>
      </body>
    </body>
    <body><joint name="j4" axis="0 1 0"/><geom size="0.1" pos="0.1 0.1 0"/></body>
  </worldbody>
  <tendon>
    <fixed name="t1" range="-1 2" group="2" user="1">
      <joint joint="j3" coef="2"/><joint joint="j1" coef="-1.5"/>
    </fixed>
    <fixed name="t2" limited="false" range="-1 2" frictionloss="0.3" springlength="1" armature="0.2"
      margin="0.1" solreflimit="0.1" solimplimit="0.1 0.2 0.3" solreffriction="0.2 0.3"
      solimpfriction="0.4 0.5">
      <joint joint="j2" coef="1"/>
    </fixed>
    <fixed name="t3" stiffness="0" damping="0" springlength="1 2" actuatorfrcrange="-1 1"
      actuatorfrclimited="true">
      <joint joint="j4" coef="1"/><joint joint="j1" coef="1"/>
    </fixed>
    <fixed name="t4" actuatorfrcrange="-1 1"><joint joint="j4" coef="1"/></fixed>
  </tendon>
  <actuator><motor tendon="t2" gear="3" armature="0.1" damping="0.2"/></actuator>
</mujoco>)");
  check(m, "tendon_adr", {0, 2, 3, 5});
  check(m, "tendon_num", {2, 1, 2, 1});
  check(m, "tendon_actuatorid", {-1, 0, -1, -1});
  check(m, "tendon_group", {2, 0, 0, 0});
  check(m, "tendon_limited", {1, 0, 0, 0});
  check(m, "tendon_range", {-1, 2, -1, 2, 0, 0, 0, 0});
  check(m, "tendon_actfrclimited", {0, 0, 1, 0});
  check(m, "tendon_actfrcrange", {0, 0, 0, 0, -1, 1, -1, 1});
  check(m, "tendon_margin", {0, 0.1, 0, 0});
  check(m, "tendon_stiffness", {2, 2, 0, 2});
  check(m, "tendon_stiffnesspoly", {0, 0, 0, 0, 0, 0, 0, 0});
  check(m, "tendon_damping", {0.1, 0.1, 0, 0.1});
  check(m, "tendon_dampingpoly", {0.2, 0.3, 0.2, 0.3, 0.2, 0.3, 0.2, 0.3});
  check(m, "tendon_armature", {0, 0.2, 0, 0});
  check(m, "tendon_frictionloss", {0, 0.3, 0, 0});
  check(m, "tendon_lengthspring", {-0.44719755119659765, -0.44719755119659765, 1, 1, 1, 2, 0, 0});
  check(m, "tendon_length0", {-0.5235987755982988, 0, 0.3490658503988659, 0});
  check(m, "tendon_invweight0",
        {3.454729059285862, 0.8954514248821512, 18.14741815071414, 17.052315331274496});
  check(m, "tendon_user", {1, 0, 0, 0});
  check(m, "tendon_solref_lim", {0.02, 1, 0.1, 1, 0.02, 1, 0.02, 1});
  check(m, "tendon_solimp_lim",
        {0.9, 0.95, 0.001, 0.5, 2, 0.1, 0.2, 0.3, 0.5, 2, 0.9, 0.95, 0.001, 0.5, 2, 0.9, 0.95,
         0.001, 0.5, 2});
  check(m, "tendon_solref_fri", {0.02, 1, 0.2, 0.3, 0.02, 1, 0.02, 1});
  check(m, "tendon_solimp_fri",
        {0.9, 0.95, 0.001, 0.5, 2, 0.4, 0.5, 0.001, 0.5, 2, 0.9, 0.95, 0.001, 0.5, 2, 0.9, 0.95,
         0.001, 0.5, 2});
  check(m, "wrap_type", {1, 1, 1, 1, 1, 1});
  check(m, "wrap_objid", {2, 0, 1, 3, 0, 3});
  check(m, "wrap_prm", {2, -1.5, 1, 1, 1, 1});
  check(m, "ten_J_rownnz", {2, 1, 2, 1});
  check(m, "ten_J_rowadr", {0, 2, 3, 5});
  check(m, "ten_J_colind", {0, 2, 1, 0, 3, 3});
  check(m, "tendon_treenum", {1, 1, 2, 1});
  check(m, "tendon_treeid", {0, -1, 0, -1, 1, 0, 1, -1});
  check(m, "dof_M0",
        {0.9131562646434336, 0.058643062867009516, 4.188790204786391, 0.05864306286700949});
  check(m, "dof_invweight0",
        {1.0951028194396464, 0.8954514248821512, 0.2476869288866645, 17.052315331274496});
}

TEST_CASE("sensors", "[compile][sensor]") {
  const Model<double> m = compile(R"(
<mujoco>
  <worldbody>
    <body name="a">
      <joint name="j"/><geom name="g" size="0.1" pos="0.2 0 0"/><site name="s" pos="0.1 0.2 0.3"/>
      <body pos="0 0 0.1"><joint name="b" type="ball"/><geom size="0.1" pos="0.1 0.1 0"/></body>
    </body>
  </worldbody>
  <tendon><fixed name="t"><joint joint="j" coef="2"/></fixed></tendon>
  <actuator><motor name="m" joint="j"/></actuator>
  <sensor>
    <jointpos name="jp" joint="j" noise="0.1" cutoff="2" user="1"/><jointvel joint="j"/>
    <framepos objtype="body" objname="a"/>
    <framepos objtype="xbody" objname="a" reftype="site" refname="s"/>
    <framequat objtype="geom" objname="g"/>
    <accelerometer site="s"/><gyro site="s"/><touch site="s" cutoff="3"/><velocimeter site="s"/>
    <tendonpos tendon="t"/><tendonvel tendon="t"/>
    <actuatorpos actuator="m"/><actuatorvel actuator="m"/><actuatorfrc actuator="m"/>
    <ballquat joint="b"/><ballangvel joint="b"/>
    <framexaxis objtype="site" objname="s"/><frameyaxis objtype="site" objname="s"/>
    <framezaxis objtype="site" objname="s" reftype="body" refname="a"/>
    <framelinvel objtype="site" objname="s"/><frameangvel objtype="site" objname="s"/>
    <subtreecom body="a"/><clock name="c"/>
  </sensor>
</mujoco>)");
  check(m, "sensor_type",
        {9, 10, 26, 26, 27, 1, 3, 0, 2, 11, 12, 13, 14, 15, 18, 19, 28, 29, 30, 31, 32, 35, 45});
  check(m, "sensor_datatype",
        {0, 0, 0, 0, 3, 0, 0, 1, 0, 0, 0, 0, 0, 0, 3, 0, 2, 2, 2, 0, 0, 0, 0});
  check(m, "sensor_needstage",
        {1, 2, 1, 1, 1, 3, 2, 3, 2, 1, 2, 1, 2, 3, 1, 2, 1, 1, 1, 2, 2, 1, 1});
  check(m, "sensor_objtype",
        {3, 3, 1, 2, 5, 6, 6, 6, 6, 18, 18, 19, 19, 19, 3, 3, 6, 6, 6, 6, 6, 1, 0});
  check(m, "sensor_objid", {0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1, -1});
  check(m, "sensor_reftype",
        {0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0});
  check(m, "sensor_refid",
        {-1, -1, -1, 0, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1, -1, -1, -1, -1});
  check(m, "sensor_dim", {1, 1, 3, 3, 4, 3, 3, 1, 3, 1, 1, 1, 1, 1, 4, 3, 3, 3, 3, 3, 3, 3, 1});
  check(m, "sensor_adr",
        {0, 1, 2, 5, 8, 12, 15, 18, 19, 22, 23, 24, 25, 26, 27, 31, 34, 37, 40, 43, 46, 49, 52});
  check(m, "sensor_cutoff", {2, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  check(m, "sensor_noise",
        {0.1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  check(m, "sensor_user", {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  check(m, "sensor_historyadr",
        {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
         -1});
  check(m, "sensor_intprm",
        {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
         0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
         0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  CHECK(m.n.nsensordata == 53);
}

TEST_CASE("keyframes and custom numbers", "[compile][key]") {
  const Model<double> m = compile(R"(
<mujoco>
  <size nkey="4" nuserdata="5"/>
  <worldbody>
    <body pos="1 2 3"><freejoint/><geom size="0.1"/></body>
    <body><joint name="j" ref="0.5"/><geom size="0.1"/></body>
    <body mocap="true" pos="1 0 0" quat="1 1 0 0"/>
  </worldbody>
  <actuator><general joint="j" dyntype="filter"/></actuator>
  <custom><numeric name="n1" data="1 2 3"/><numeric name="n2" size="4" data="5"/></custom>
  <keyframe>
    <key name="whole" time="2" qpos="1 2 3 2 0 0 0 0.1" qvel="1 2 3 4 5 6 7" act="0.5" ctrl="0.7"
      mpos="1 2 3" mquat="0 2 0 0"/>
    <key/>
    <key name="fast" qvel="0 0 0 0 0 0 9"/>
  </keyframe>
</mujoco>)");
  check(m, "key_time", {2, 0, 0, 0});
  check(m, "key_qpos",
        {1, 2, 3, 1, 0, 0, 0, 0.1, 1, 2, 3, 1, 0, 0, 0, 0.008726646259971648, 1, 2, 3, 1, 0, 0,
         0, 0.008726646259971648, 1, 2, 3, 1, 0, 0, 0, 0.008726646259971648});
  check(m, "key_qvel",
        {1, 2, 3, 4, 5, 6, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0});
  check(m, "key_act", {0.5, 0, 0, 0});
  check(m, "key_ctrl", {0.7, 0, 0, 0});
  check(m, "key_mpos", {1, 2, 3, 1, 0, 0, 1, 0, 0, 1, 0, 0});
  check(m, "key_mquat",
        {0, 1, 0, 0, 0.7071067811865475, 0.7071067811865475, 0, 0, 0.7071067811865475,
         0.7071067811865475, 0, 0, 0.7071067811865475, 0.7071067811865475, 0, 0});
  check(m, "numeric_adr", {0, 3});
  check(m, "numeric_size", {3, 4});
  check(m, "numeric_data", {1, 2, 3, 5, 0, 0, 0});
  CHECK(m.names.key == std::vector<std::string>{"whole", "", "fast", ""});
  CHECK(m.names.numeric == std::vector<std::string>{"n1", "n2"});
  CHECK(m.n.nuserdata == 5);
}

TEST_CASE("keyframes that are too short are completed from what is written", "[compile][key]") {
  const Model<double> m = compile(R"(
<mujoco>
  <default><default class="f"><joint type="free"/></default></default>
  <worldbody>
    <body><joint name="j" ref="30"/><joint type="slide" ref="0.5"/><geom size="0.1"/></body>
    <body pos="4 5 6" quat="2 0 2 0"><joint class="f"/><geom size="0.1"/></body>
    <body pos="1 2 3"><freejoint/><geom size="0.1"/></body>
    <body mocap="true" pos="1 1 1" euler="0 0 90"/>
    <body mocap="true" pos="2 2 2" quat="0 2 0 0"/>
  </worldbody>
  <actuator><motor joint="j"/><general joint="j" dyntype="filter"/>
    <position joint="j" timeconst="0.1"/></actuator>
  <keyframe>
    <key qpos="7" qvel="1 2" act="0.5" ctrl="0.7" mpos="1 2 3 4" mquat="1"/>
  </keyframe>
</mujoco>)");
  check(m, "key_qpos",
        {7, 0.5, 4, 5, 6, 0.7071067811865475, 0, 0.7071067811865475, 0, 0, 0, 0, 1, 0, 0, 0});
  check(m, "key_qvel", {1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  check(m, "key_act", {0.5, 0});
  check(m, "key_ctrl", {0.7, 0, 0});
  check(m, "key_mpos", {1, 2, 3, 2, 2, 2});
  check(m, "key_mquat", {1, 0, 0, 0, 0, 1, 0, 0});
}

TEST_CASE("a pair may take what it does not give from its geoms", "[compile][contact][002-3.11]") {
  const std::string geoms = R"(<mujoco><worldbody>
    <geom name="a" size="0.1" condim="4" friction="0.3 0.02 0.003" solref="0.05 0.5" solmix="3"
      margin="0.01"/>
    <body><freejoint/>
      <geom name="b" size="0.1" friction="0.7 0.01 0.002" solimp="0.5 0.6 0.01 0.4 1" gap="0.02"
      adhesion="2"/></body>
  </worldbody><contact>)";
  const auto pairs = [&](const char* text) {
    return compile(geoms + text + "</contact></mujoco>");
  };
  const Model<double> m = pairs(R"(<pair geom1="a" geom2="b" combine="true"/>)");
  check(m, "pair_dim", {4});
  check(m, "pair_friction", {0.7, 0.7, 0.02, 0.003, 0.003});
  check(m, "pair_solref", {0.0425, 0.625});
  check(m, "pair_solimp", {0.8, 0.8625, 0.00325, 0.475, 1.75});
  check(m, "pair_margin", {0.01});
  check(m, "pair_gap", {0.02});
  check(m, "pair_adhesion", {2});

  // given values stay, and without `combine` the rest is fixed
  const Model<double> some = pairs(
      R"(<pair geom1="a" geom2="b" combine="true" condim="1" friction="0.1" solref="0.2"
               gap="0"/>)");
  check(some, "pair_dim", {1});
  check(some, "pair_friction", {0.1, 0.7, 0.02, 0.003, 0.003});
  check(some, "pair_solref", {0.2, 0.625});
  check(some, "pair_gap", {0});
  check(pairs(R"(<pair geom1="a" geom2="b"/>)"), "pair_friction", {1, 1, 0.005, 0.0001, 0.0001});
}

TEST_CASE("of repeated pairs each counts, unless one replaces the others",
          "[compile][contact][002-3.16]") {
  const std::string geoms = R"(<mujoco><worldbody><geom name="a" size="0.1"/>
    <body><freejoint/><geom name="b" size="0.1"/></body></worldbody><contact>
    <pair geom1="a" geom2="b" condim="1"/><pair geom1="b" geom2="a" condim="6"/>)";
  const Model<double> both = compile(geoms + "</contact></mujoco>");
  check(both, "pair_dim", {1, 6});  // as in MuJoCo
  CHECK(both.n.ncandidate == 2);
  const Model<double> last =
      compile(geoms + R"(<pair geom1="b" geom2="a" condim="4" replace="true"/>
                         </contact></mujoco>)");
  check(last, "pair_dim", {4});
  CHECK(last.n.ncandidate == 1);
}

TEST_CASE("an sdf without data touches nothing", "[compile][001-6b.2][001-6b.3][001-6b.4]") {
  const std::string world = R"(<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/>
    <geom name="none" type="sdf"/>
    <body pos="0 0 0.1"><freejoint/>
      <geom name="box" type="sdf" size="0.2 0.3 0.6" material="m"/></body>
    <body pos="0 0 0.2"><freejoint/><geom size="0.1"/></body></worldbody>
    <asset><material name="m"/></asset>)";
  const Model<double> m =
      compile(world + R"(<contact><pair geom1="floor" geom2="box"/></contact></mujoco>)");
  check(m, "geom_type", {0, 8, 8, 2});
  check(m, "geom_dataid", {-1, -1, -1, -1});
  check(m, "geom_sdf", {-1, -1, -1, -1});
  CHECK(m.n.nsdf == 0);
  check(m, "geom_rbound", {0, 0, 0.7, 0.1});
  check(m, "body_mass", {0, 288, 4.188790204786391});
  CHECK(std::vector<double>(m.geom_aabb.begin() + 12, m.geom_aabb.begin() + 18) ==
        std::vector<double>{0, 0, 0, 0.2, 0.3, 0.6});
  CHECK(m.n.ncandidate == 1);  // floor and sphere

  const Error site = error_of("<mujoco><worldbody><site type='sdf'/></worldbody></mujoco>");
  CHECK(site.message.find("sdf") != std::string::npos);
}

TEST_CASE("an sdf with a mesh is that mesh, and has a grid",
          "[compile][001-6b.1][001-6b.3][001-6b.4]") {
  const auto text = [](const std::string& type) {
    return R"(<mujoco>
      <asset><mesh name="t" vertex="0 0 0 1 0 0 0 1 0 0 0 1" scale="0.3 0.2 0.1"/></asset>
      <worldbody><geom type=")" + type + R"(" mesh="t" pos="0 0 1"/><body pos="0 0 2"><freejoint/>
      <geom type=")" + type + R"(" mesh="t" euler="10 20 30" density="500"
        surfacevel="1 2 3 4 5 6"/></body>
      </worldbody></mujoco>)";
  };
  const Model<double> m = compile(text("sdf")), mesh = compile(text("mesh"));
  CHECK(m.geom_dataid == mesh.geom_dataid);
  CHECK(m.geom_size == mesh.geom_size);
  CHECK(m.geom_pos == mesh.geom_pos);
  CHECK(m.geom_quat == mesh.geom_quat);
  CHECK(m.geom_aabb == mesh.geom_aabb);
  CHECK(m.geom_rbound == mesh.geom_rbound);
  CHECK(m.geom_surfacevel == mesh.geom_surfacevel);
  CHECK(m.body_inertia == mesh.body_inertia);
  CHECK(m.mesh_graph == mesh.mesh_graph);
  check(m, "geom_sdf", {0, 0});  // one grid for both
  CHECK(m.n.nsdf == 1);
  REQUIRE(m.sdf_data.size() == std::size_t(m.sdf_size[0] * m.sdf_size[1] * m.sdf_size[2]));
  CHECK(*std::min_element(m.sdf_data.begin(), m.sdf_data.end()) < -0.01f);
  CHECK(m.n.ncandidate == 1);
}

TEST_CASE("grids that are given in code", "[compile][001-6b.1][001-6b.3][001-6b.4][001-6b.9]") {
  CHECK(Model<double>().n.nsdf == 0);
  CHECK(Model<double>().sdf_data.empty());
  CHECK(Model<double>().geom_sdf.empty());
  auto grid = std::make_shared<corten::asset::SdfGrid>();
  grid->cell = 0.5;
  for (int& n : grid->n) n = 3;
  grid->origin[0] = -0.25;
  grid->origin[1] = grid->origin[2] = -0.5;
  grid->data.assign(27, 1.0f);
  Spec spec = compile_test::parse(R"(<mujoco><worldbody>
    <geom type="sdf"/><body><freejoint/><geom type="sdf"/></body>
    </worldbody></mujoco>)");
  corten::spec::Geom& first = spec.world.geoms[0];
  first.grid = spec.world.bodies[0].geoms[0].grid = grid;
  const Model<double> m = *corten::compile(spec);
  check(m, "geom_sdf", {0, 0});
  check(m, "sdf_size", {3, 3, 3});
  check(m, "sdf_cell", {0.5});
  // the grid need not be centred
  CHECK(near(m.geom_rbound[0], std::sqrt(0.75 * 0.75 + 0.25 + 0.25), 1e-12));
  CHECK(std::vector<double>(m.geom_aabb.begin(), m.geom_aabb.begin() + 6) ==
        std::vector<double>{0.25, 0, 0, 0.5, 0.5, 0.5});
  CHECK(m.n.ncandidate == 1);
  first.type = corten::GeomType::box;
  CHECK(corten::compile(spec).error().message == "grid needs type=\"sdf\" and no mesh");
  first.type = corten::GeomType::sdf;
  grid->cell = 0;
  CHECK(corten::compile(spec).error().message == "the cell size of a grid must be positive");
}
