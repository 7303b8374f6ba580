// SPDX-License-Identifier: Apache-2.0
//
// Joints, dofs and trees. Golden numbers: MuJoCo 3.12.0.
#include "support.hpp"

using namespace corten;
using compile_test::check;
using compile_test::compile;

// golden arrays
// clang-format off

TEST_CASE("joints with every attribute", "[compile][joint]") {
  const Model<double> m = compile(R"(
<mujoco>
  <default><joint damping="0.3" armature="0.01"/></default>
  <worldbody>
    <body>
      <joint name="h" ref="30" springref="10" range="-45 60" stiffness="3 2 1" damping="1 0.1 0.2"
        frictionloss="0.2" margin="0.1" user="1 2" group="2" solreflimit="0.01"
        solimplimit="0.8 0.9" solreffriction="0.03 0.9" solimpfriction="0.7"
        actuatorfrcrange="-3 4" actuatorgravcomp="true"/>
      <geom type="box" size="0.1 0.2 0.3" pos="0.3 0 0"/>
      <body pos="0 0 1">
        <joint type="slide" axis="0 3 4" ref="0.2" springref="0.1" range="-1 2" pos="0.1 0 0"/>
        <joint type="slide" limited="false" range="-1 2"/>
        <joint type="ball" range="0 80" stiffness="2"/>
        <geom size="0.2"/>
      </body>
      <body pos="0 1 1"><joint springdamper="0.1 1.5"/><geom size="0.2" pos="0.1 0 0"/></body>
    </body>
    <body><freejoint name="f" group="3"/><geom size="0.1"/></body>
  </worldbody>
</mujoco>)");
  check(m, "qpos0", {0.5235987755982988, 0.2, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0});
  check(m, "qpos_spring", {0.17453292519943295, 0.1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0});
  check(m, "jnt_type", {3, 2, 2, 1, 3, 0});
  check(m, "jnt_qposadr", {0, 1, 2, 3, 7, 8});
  check(m, "jnt_dofadr", {0, 1, 2, 3, 6, 7});
  check(m, "jnt_bodyid", {1, 2, 2, 2, 3, 4});
  check(m, "jnt_group", {2, 0, 0, 0, 0, 3});
  check(m, "jnt_limited", {1, 1, 0, 1, 0, 0});
  check(m, "jnt_range",
        {-0.7853981633974483, 1.0471975511965976, -1, 2, -1, 2, 0, 1.3962634015954636, 0, 0, 0, 0});
  check(m, "jnt_actfrclimited", {1, 0, 0, 0, 0, 0});
  check(m, "jnt_actfrcrange", {-3, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  check(m, "jnt_actgravcomp", {1, 0, 0, 0, 0, 0});
  check(m, "jnt_pos", {0, 0, 0, 0.1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  check(m, "jnt_axis", {0, 0, 1, 0, 0.6, 0.8, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1});
  check(m, "jnt_margin", {0.1, 0, 0, 0, 0, 0});
  check(m, "jnt_solref", {0.01, 1, 0.02, 1, 0.02, 1, 0.02, 1, 0.02, 1, 0.02, 1});
  check(m, "jnt_solimp",
        {0.8, 0.9, 0.001, 0.5, 2, 0.9, 0.95, 0.001, 0.5, 2, 0.9, 0.95, 0.001, 0.5, 2, 0.9, 0.95,
         0.001, 0.5, 2, 0.9, 0.95, 0.001, 0.5, 2, 0.9, 0.95, 0.001, 0.5, 2});
  check(m, "jnt_stiffness", {3, 0, 0, 2, 38.31381483727603, 0});
  check(m, "jnt_stiffnesspoly", {2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  check(m, "jnt_user", {1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  check(m, "dof_damping", {1, 0.3, 0.3, 0.3, 0.3, 0.3, 17.24121667677422, 0, 0, 0, 0, 0, 0});
  check(m, "dof_dampingpoly",
        {0.1, 0.2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  check(m, "dof_armature", {0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 0, 0, 0, 0, 0, 0});
  check(m, "dof_frictionloss", {0.2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  check(m, "dof_solref",
        {0.03, 0.9, 0.02, 1, 0.02, 1, 0.02, 1, 0.02, 1, 0.02, 1, 0.02, 1, 0.02, 1, 0.02, 1, 0.02,
         1, 0.02, 1, 0.02, 1, 0.02, 1});
  check(m, "dof_solimp",
        {0.7, 0.95, 0.001, 0.5, 2, 0.9, 0.95, 0.001, 0.5, 2, 0.9, 0.95, 0.001, 0.5, 2, 0.9, 0.95,
         0.001, 0.5, 2, 0.9, 0.95, 0.001, 0.5, 2, 0.9, 0.95, 0.001, 0.5, 2, 0.9, 0.95, 0.001,
         0.5, 2, 0.9, 0.95, 0.001, 0.5, 2, 0.9, 0.95, 0.001, 0.5, 2, 0.9, 0.95, 0.001, 0.5, 2,
         0.9, 0.95, 0.001, 0.5, 2, 0.9, 0.95, 0.001, 0.5, 2, 0.9, 0.95, 0.001, 0.5, 2});
}

TEST_CASE("bodies, dofs and kinematic trees are numbered depth first", "[compile][numbering]") {
  const Model<double> m = compile(R"(
<mujoco>
  <worldbody>
    <body name="a">
      <joint name="a1"/><geom name="ga" size="0.1"/>
      <body name="b">
        <geom size="0.1"/>
        <body name="c"><joint type="ball"/><joint type="slide"/><geom size="0.1"/></body>
      </body>
      <body name="d"><joint/><geom size="0.1"/></body>
    </body>
    <body name="static">
      <geom size="0.1"/>
      <body name="e"><joint type="slide"/><geom size="0.1"/></body>
    </body>
    <body name="mocap" mocap="true">
      <geom size="0.1"/><body name="on_mocap"><geom size="0.1"/></body>
    </body>
  </worldbody>
</mujoco>)");
  check(m, "body_parentid", {0, 0, 1, 2, 1, 0, 5, 0, 7});
  check(m, "body_rootid", {0, 1, 1, 1, 1, 5, 5, 7, 7});
  check(m, "body_weldid", {0, 1, 1, 3, 4, 0, 6, 7, 7});
  check(m, "body_mocapid", {-1, -1, -1, -1, -1, -1, -1, 0, -1});
  check(m, "body_jntnum", {0, 1, 0, 2, 1, 0, 1, 0, 0});
  check(m, "body_jntadr", {-1, 0, -1, 1, 3, -1, 4, -1, -1});
  check(m, "body_dofnum", {0, 1, 0, 4, 1, 0, 1, 0, 0});
  check(m, "body_dofadr", {-1, 0, -1, 1, 5, -1, 6, -1, -1});
  check(m, "body_treeid", {-1, 0, 0, 0, 0, -1, 1, -1, -1});
  check(m, "body_geomnum", {0, 1, 1, 1, 1, 1, 1, 1, 1});
  check(m, "body_geomadr", {-1, 0, 1, 2, 3, 4, 5, 6, 7});
  check(m, "dof_bodyid", {1, 3, 3, 3, 3, 4, 6});
  check(m, "dof_jntid", {0, 1, 1, 1, 2, 3, 4});
  check(m, "dof_parentid", {-1, 0, 1, 2, 3, 0, -1});
  check(m, "dof_treeid", {0, 0, 0, 0, 0, 0, 1});
  check(m, "dof_Madr", {0, 1, 3, 6, 10, 15, 17});
  check(m, "tree_bodyadr", {1, 6});
  check(m, "tree_bodynum", {4, 1});
  check(m, "tree_dofadr", {0, 6});
  check(m, "tree_dofnum", {6, 1});
  check(m, "tree_sleep_policy", {2, 2});
  const std::vector<std::string> bodies{"world",  "a", "b",     "c",       "d",
                                        "static", "e", "mocap", "on_mocap"};
  CHECK(m.names.body == bodies);
  CHECK(m.names.jnt[0] == "a1");
  CHECK(m.names.geom[0] == "ga");
  CHECK(m.n.ntree == 2);
}

TEST_CASE("bodies with a diagonal inertia", "[compile][numbering]") {
  const Model<double> m = compile(R"(
<mujoco>
  <worldbody>
    <body><joint type="slide" axis="1 0 0"/><joint type="slide"/><geom size="0.1"/></body>
    <body><joint type="slide"/><joint axis="0 0 1"/><geom size="0.1"/></body>
    <body><joint axis="0 0 1"/><joint type="slide"/><geom size="0.1"/></body>
    <body><freejoint/><geom type="ellipsoid" size="0.1 0.2 0.3"/></body>
    <body><freejoint/><geom size="0.1" pos="0 0.1 0"/></body>
    <body><joint axis="1 1 0"/><geom size="0.1"/></body>
    <body><joint pos="0 0 1"/><geom size="0.1"/></body>
    <body simple="false"><joint/><geom size="0.1"/></body>
    <body><geom size="0.1"/><body><joint/><geom size="0.1"/></body></body>
    <body><joint/><geom size="0.1"/><body><joint/><geom size="0.1"/></body></body>
  </worldbody>
</mujoco>)");
  check(m, "body_simple", {1, 2, 1, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0});
  check(m, "dof_simplenum",
        {4, 3, 2, 1, 0, 0, 6, 5, 4, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0});
  check(m, "dof_invweight0",
        {0.23873241463784298, 0.23873241463784298, 0.23873241463784298, 59.683103659460734,
         59.683103659460734, 0.23873241463784298, 0.039788735772973836, 0.039788735772973836,
         0.039788735772973836, 2.4995487857381, 2.4995487857381, 2.4995487857381,
         0.6366197723675812, 0.6366197723675812, 0.6366197723675812, 59.68310365946073,
         59.68310365946073, 59.68310365946073, 59.68310365946075, 59.683103659460734,
         59.683103659460734, 59.683103659460734, 59.683103659460734, 119.36620731892147});
  check(m, "body_invweight0",
        {0, 0, 0.23873241463784298, 0, 0.07957747154594766, 19.89436788648691,
         0.07957747154594766, 19.89436788648691, 0.039788735772973836, 2.4995487857381,
         0.23873241463784298, 59.68310365946073, 0, 19.89436788648691, 0, 19.89436788648691, 0,
         19.89436788648691, 0, 0, 0, 19.89436788648691, 0, 19.89436788648691, 0,
         19.89436788648691});
}

TEST_CASE("sleep policies", "[compile][sleep]") {
  const Model<double> m = compile(R"(
<mujoco>
  <worldbody>
    <body sleep="never"><freejoint/><geom size="0.1"/></body>
    <body sleep="allowed"><freejoint/><geom size="0.1"/></body>
    <body sleep="init"><freejoint/><geom size="0.1"/></body>
    <body><joint name="j1"/><geom size="0.1"/></body>
    <body><joint name="j2"/><geom size="0.1"/></body>
    <body><joint name="j3"/><geom size="0.1"/></body>
    <body><joint name="j4"/><geom size="0.1"/></body>
    <body><joint name="j5"/><geom size="0.1"/></body>
    <body><joint name="j6"/><geom size="0.1"/></body>
  </worldbody>
  <tendon>
    <fixed stiffness="1"><joint joint="j2" coef="1"/><joint joint="j3" coef="1"/></fixed>
    <fixed><joint joint="j4" coef="1"/><joint joint="j5" coef="1"/></fixed>
  </tendon>
  <actuator><motor joint="j1"/></actuator>
</mujoco>)");
  check(m, "tree_sleep_policy", {3, 4, 5, 1, 1, 1, 2, 2, 2});
  check(m, "tendon_treenum", {2, 2});
  check(m, "tendon_treeid", {4, 5, 6, 7});
}
