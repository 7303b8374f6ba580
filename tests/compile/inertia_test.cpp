// SPDX-License-Identifier: Apache-2.0
//
// Mass, centre of mass and principal axes. Golden numbers: MuJoCo 3.12.0.
#include "support.hpp"

using namespace corten;
using compile_test::check;
using compile_test::compile;

// golden arrays
// clang-format off

TEST_CASE("inertial elements", "[compile][inertia]") {
  const Model<double> m = compile(R"(
<mujoco>
  <worldbody>
    <body>
      <freejoint/>
      <inertial pos="0 0.1 0" mass="2" diaginertia="1 2 2.5" euler="10 20 30"/>
      <geom size="0.1"/>
    </body>
    <body><freejoint/><inertial pos="0 0 0" mass="2" fullinertia="2 3 4 0.1 0.2 -0.3"/></body>
    <body><freejoint/><inertial pos="0 0 0" mass="2" fullinertia="2 2 2 0 0 0"/></body>
    <body><freejoint/><inertial pos="0 0 0" mass="2" fullinertia="1 2 2 0 0 0.4"/></body>
    <body><freejoint/><inertial pos="0 0 0" mass="2" fullinertia="1 2 2.9 0 0 0"/></body>
    <body><freejoint/><inertial pos="0 0 0" mass="2" fullinertia="2 2 1 0 1e-13 0"/></body>
  </worldbody>
</mujoco>)");
  check(m, "body_mass", {0, 2, 2, 2, 2, 2, 2});
  check(m, "body_ipos", {0, 0, 0, 0, 0.1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  check(m, "body_iquat",
        {1, 0, 0, 0, 0.943714364147489, 0.12767944069578063, 0.14487812541736914,
         0.2685358227515692, -0.038750571683559776, 0.7337137863688624, -0.13961458265905524,
         0.6638299791327645, 1, 0, 0, 0, 0.2705980500730991, 0.6532814824381896,
         0.2705980500730991, 0.6532814824381896, 0, 0.7071067811865489, 0, 0.7071067811865489, 1,
         0, 0, 0});
  check(m, "body_inertia",
        {0, 0, 0, 1, 2, 2.5, 4.096368079564717, 2.940162942990835, 1.9634689774444483, 2, 2, 2,
         2.4000000000000004, 1.6, 1, 2.9, 2, 1, 2, 2, 1});
}

TEST_CASE("inertia from geoms", "[compile][inertia]") {
  const Model<double> m = compile(R"(
<mujoco>
  <compiler inertiagrouprange="0 2"/>
  <worldbody>
    <body><freejoint/><geom type="box" size="0.1 0.2 0.3" pos="0 0.2 0" euler="0 30 0"/></body>
    <body>
      <freejoint/>
      <geom size="0.1"/>
      <geom type="box" size="0.1 0.2 0.3" pos="0 0.2 0" group="3"/>
      <geom type="box" size="0.1 0.2 0.3" pos="0 0.4 0.1" mass="3" group="2"/>
    </body>
    <body>
      <freejoint/>
      <geom type="box" size="0.1 0.1 0.1" pos="0.2 0 0"/>
      <geom type="box" size="0.1 0.1 0.1" pos="-0.2 0 0"/>
    </body>
    <body>
      <freejoint/>
      <geom type="capsule" size="0.05" fromto="0 0 0 0.3 0.1 0"/>
      <geom type="capsule" size="0.05" fromto="0 0 0 -0.3 0.1 0"/>
      <geom type="cylinder" size="0.05 0.2" density="300" zaxis="1 1 1"/>
      <geom type="ellipsoid" size="0.05 0.1 0.2" mass="0"/>
    </body>
  </worldbody>
</mujoco>)");
  check(m, "body_mass",
        {0, 48.00000000000001, 7.188790204786391, 16.000000000000004, 6.956969480171587});
  check(m, "body_ipos",
        {0, 0, 0, 0, 0.2, 0, 0, 0.16692655729485947, 0.04173163932371487, 0, 0, 0, 0,
         0.04322637680988007, 0});
  check(m, "body_iquat",
        {1, 0, 0, 0, 0.9659258262890683, 0, 0.25881904510252074, 0, 0.5969786592036372,
         0.8022571161762473, 0, 0, 0.5000000000000007, 0.5000000000000007, 0.5000000000000007,
         0.5000000000000007, -0.13352126273395176, 0.6901425668028691, -0.11604623705784561,
         0.7017183058388863});
  check(m, "body_inertia",
        {0, 0, 0, 2.0800000000000005, 1.6000000000000003, 0.8000000000000003, 0.4439238002681997,
         0.36741075775421467, 0.11326820333313067, 0.7466666666666669, 0.7466666666666669,
         0.1066666666666667, 0.225991018010641, 0.21399344388900615, 0.02535676606455007});
  check(m, "body_subtreemass",
        {78.145759684958, 48.00000000000001, 7.188790204786391, 16.000000000000004,
         6.956969480171587});
}

TEST_CASE("shells", "[compile][inertia]") {
  const Model<double> m = compile(R"(
<mujoco>
  <default><geom shellinertia="true" density="10"/></default>
  <worldbody>
    <body><freejoint/><geom type="sphere" size="0.1"/></body>
    <body><freejoint/><geom type="capsule" size="0.1 0.3"/></body>
    <body><freejoint/><geom type="cylinder" size="0.1 0.3"/></body>
    <body><freejoint/><geom type="ellipsoid" size="0.1 0.3 0.2"/></body>
    <body><freejoint/><geom type="box" size="0.1 0.3 0.2"/></body>
    <body><freejoint/><geom type="box" size="0.1 0.3 0.2" mass="2"/></body>
  </worldbody>
</mujoco>)");
  check(m, "body_mass",
        {0, 1.2566370614359172, 5.026548245743669, 4.39822971502571, 4.897193333371731, 8.8, 2});
  check(m, "body_inertia",
        {0, 0, 0, 0.008377580409572783, 0.008377580409572783, 0.008377580409572783,
         0.29112091923265415, 0.29112091923265415, 0.046076692252650306, 0.19006635554218246,
         0.19006635554218246, 0.04084070449666732, 0.18075174882596912, 0.081026809368268,
         0.1406836657633903, 0.5413333333333333, 0.2426666666666667, 0.4213333333333334,
         0.12303030303030303, 0.05515151515151516, 0.09575757575757575});
}

TEST_CASE("bounds, balance and total mass", "[compile][inertia]") {
  const Model<double> m = compile(R"(
<mujoco>
  <compiler boundmass="0.1" boundinertia="0.01" balanceinertia="true" settotalmass="7"/>
  <worldbody>
    <body><freejoint/><geom size="0.01"/></body>
    <body><freejoint/><inertial pos="0 0 0" mass="2" diaginertia="1 2 8"/></body>
  </worldbody>
</mujoco>)");
  check(m, "body_mass", {0, 0.3333333333333333, 6.666666666666666});
  check(m, "body_inertia",
        {0, 0, 0, 0.03333333333333333, 0.03333333333333333, 0.03333333333333333,
         12.222222222222221, 12.222222222222221, 12.222222222222221});
  check(m, "body_subtreemass", {6.999999999999999, 0.3333333333333333, 6.666666666666666});
}

TEST_CASE("inertiafromgeom overrules inertial elements", "[compile][inertia]") {
  const Model<double> m = compile(R"(
<mujoco>
  <compiler inertiafromgeom="true"/>
  <worldbody>
    <body><freejoint/><inertial pos="0 1 0" mass="2" diaginertia="1 1 1"/><geom size="0.1"/></body>
    <body><freejoint/><inertial pos="0 1 0" mass="2" diaginertia="1 1 1"/></body>
  </worldbody>
</mujoco>)");
  check(m, "body_mass", {0, 4.188790204786391, 2});
  check(m, "body_ipos", {0, 0, 0, 0, 0, 0, 0, 1, 0});
  check(m, "body_inertia",
        {0, 0, 0, 0.01675516081914557, 0.01675516081914557, 0.01675516081914557, 1, 1, 1});
}

TEST_CASE("inertiafromgeom may be switched off", "[compile][inertia]") {
  const Model<double> m = compile(R"(
<mujoco>
  <compiler inertiafromgeom="false"/>
  <worldbody><body pos="1 2 3" euler="30 0 0"><geom size="0.1"/></body></worldbody>
</mujoco>)");
  check(m, "body_mass", {0, 0});
  check(m, "body_ipos", {0, 0, 0, 1, 2, 3});
  check(m, "body_iquat", {1, 0, 0, 0, 0.9659258262890683, 0.25881904510252074, 0, 0});
}
