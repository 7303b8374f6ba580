// SPDX-License-Identifier: Apache-2.0
//
// Constants computed from other fields: inverse weights, statistics, options. Golden numbers:
// MuJoCo 3.12.0.
#include "support.hpp"

using namespace corten;
using compile_test::check;
using compile_test::compile;

// golden arrays
// clang-format off

TEST_CASE("inverse weights, lengths and statistics", "[compile][set_const]") {
  const Model<double> m = compile(R"(
<mujoco>
  <worldbody>
    <geom type="plane" size="2 1 1"/>
    <body name="arm" pos="0 0 1">
      <joint axis="0 1 0" armature="0.01"/>
      <geom type="capsule" size="0.05" fromto="0 0 0 0.4 0 0"/>
      <body pos="0.4 0 0" euler="0 20 0">
        <joint type="ball"/><joint type="slide" axis="1 0 0"/>
        <geom type="box" size="0.1 0.05 0.02" pos="0.1 0 0"/>
        <site pos="0.2 0 0.5"/>
      </body>
      <body pos="0 0 0.3"><geom size="0.05"/></body>
    </body>
    <body pos="1 1 1"><freejoint/><geom type="ellipsoid" size="0.1 0.2 0.3" pos="0 0.1 0"/></body>
    <body pos="-1 1 1"><joint type="slide" armature="1"/><geom size="0.1"/></body>
  </worldbody>
</mujoco>)");
  check(m, "dof_M0",
        {0.47241474488347557, 0.0007733333333333333, 0.010773333333333319, 0.011333333333333334,
         0.8000000000000003, 25.132741228718345, 25.132741228718345, 25.132741228718345,
         0.9047786842338609, 0.5026548245743669, 0.5026548245743674, 5.188790204786391});
  check(m, "dof_invweight0",
        {3.3047243002568782, 507.2197108283572, 507.2197108283572, 507.2197108283572,
         1.311852689120387, 0.05815276766819257, 0.05815276766819257, 0.05815276766819257,
         2.4995487857381, 2.4995487857381, 2.4995487857381, 0.23873241463784298});
  check(m, "dof_length",
        {0.25, 0.11357816691600547, 0.11357816691600547, 0.11357816691600547, 1, 1, 1, 1, 0.3,
         0.3, 0.3, 1});
  check(m, "body_invweight0",
        {0, 0, 0.04406299067009171, 1.1015747667522928, 1.0305038367288037, 499.9687795493608,
         0.09914172900770636, 1.1015747667522928, 0.039788735772973836, 2.4995487857381,
         0.23873241463784298, 0});
  check(m, "body_subtreemass",
        {34.31032163829113, 4.988790204786392, 0.8000000000000002, 0.5235987755982989,
         25.132741228718345, 4.188790204786391});
  CHECK(near_relative(m.stat.meaninertia, 6.982699747433958, 1e-10));
  CHECK(near_relative(m.stat.meanmass, 6.862064327658226, 1e-10));
  CHECK(near_relative(m.stat.meansize, 0.16271563338320108, 1e-10));
  CHECK(near_relative(m.stat.extent, 2.4000000000000004, 1e-10));
  CHECK(near_relative(m.stat.center[0], 0.09999999999999998, 1e-10));
  CHECK(near_relative(m.stat.center[1], 0.5750000000000001, 1e-10));
  CHECK(near_relative(m.stat.center[2], 0.6007211408639103, 1e-10));
}

TEST_CASE("options", "[compile][option]") {
  const Model<double> m = compile(R"(
<mujoco model="named">
  <option timestep="0.003" impratio="2" tolerance="1e-7" ls_tolerance="0.02" gravity="1 2 3"
    noslip_tolerance="1e-5" ccd_tolerance="1e-7" sleep_tolerance="0.1" wind="1 0 0"
    magnetic="1 1 1" density="2" viscosity="3" o_margin="1" o_solref="0.1" o_solimp="0.1 0.2"
    o_friction="1 2" integrator="RK4" solver="PGS" jacobian="sparse" iterations="7"
    ls_iterations="8" ccd_iterations="9" sdf_iterations="3" sdf_initpoints="4"
    actuatorgroupdisable="1 3">
    <flag contact="disable" energy="enable" eulerdamp="disable" fwdinv="enable" island="disable"/>
  </option>
</mujoco>)");
  CHECK(m.names.model == "named");
  CHECK(m.opt.ccd_iterations == 9);
  CHECK(m.opt.ccd_tolerance == 1e-07);
  CHECK(m.opt.cone == 0);
  CHECK(m.opt.density == 2);
  CHECK(m.opt.disableactuator == 10);
  CHECK(m.opt.disableflags == 294928);
  CHECK(m.opt.enableflags == 6);
  CHECK(m.opt.gravity[0] == 1);
  CHECK(m.opt.gravity[1] == 2);
  CHECK(m.opt.gravity[2] == 3);
  CHECK(m.opt.impratio == 2);
  CHECK(m.opt.integrator == 1);
  CHECK(m.opt.iterations == 7);
  CHECK(m.opt.jacobian == 1);
  CHECK(m.opt.ls_iterations == 8);
  CHECK(m.opt.ls_tolerance == 0.02);
  CHECK(m.opt.magnetic[0] == 1);
  CHECK(m.opt.magnetic[1] == 1);
  CHECK(m.opt.magnetic[2] == 1);
  CHECK(m.opt.noslip_iterations == 0);
  CHECK(m.opt.noslip_tolerance == 1e-05);
  CHECK(m.opt.o_friction[0] == 1);
  CHECK(m.opt.o_friction[1] == 2);
  CHECK(m.opt.o_friction[2] == 0.005);
  CHECK(m.opt.o_friction[3] == 0.0001);
  CHECK(m.opt.o_friction[4] == 0.0001);
  CHECK(m.opt.o_margin == 1);
  CHECK(m.opt.o_solimp[0] == 0.1);
  CHECK(m.opt.o_solimp[1] == 0.2);
  CHECK(m.opt.o_solimp[2] == 0.001);
  CHECK(m.opt.o_solimp[3] == 0.5);
  CHECK(m.opt.o_solimp[4] == 2);
  CHECK(m.opt.o_solref[0] == 0.1);
  CHECK(m.opt.o_solref[1] == 1);
  CHECK(m.opt.sdf_initpoints == 4);
  CHECK(m.opt.sdf_iterations == 3);
  CHECK(m.opt.sleep_tolerance == 0.1);
  CHECK(m.opt.solver == 0);
  CHECK(m.opt.timestep == 0.003);
  CHECK(m.opt.tolerance == 1e-07);
  CHECK(m.opt.viscosity == 3);
  CHECK(m.opt.wind[0] == 1);
  CHECK(m.opt.wind[1] == 0);
  CHECK(m.opt.wind[2] == 0);
}

TEST_CASE("statistics given by the author", "[compile][option]") {
  const Model<double> m = compile(R"(
<mujoco>
  <statistic meaninertia="3" meanmass="4" meansize="5" extent="6" center="1 2 3"/>
  <worldbody><body><freejoint/><geom size="0.1"/></body></worldbody>
</mujoco>)");
  CHECK(near_relative(m.stat.meaninertia, 3, 1e-10));
  CHECK(near_relative(m.stat.meanmass, 4, 1e-10));
  CHECK(near_relative(m.stat.meansize, 5, 1e-10));
  CHECK(near_relative(m.stat.extent, 6, 1e-10));
  CHECK(near_relative(m.stat.center[0], 1, 1e-10));
  CHECK(near_relative(m.stat.center[1], 2, 1e-10));
  CHECK(near_relative(m.stat.center[2], 3, 1e-10));
}

TEST_CASE("an empty model", "[compile]") {
  const Model<double> m = compile(R"(<mujoco/>)");
  check(m, "body_parentid", {0});
  check(m, "body_quat", {1, 0, 0, 0});
  check(m, "body_sameframe", {1});
  check(m, "body_simple", {1});
  CHECK(near_relative(m.stat.meaninertia, 1, 1e-10));
  CHECK(near_relative(m.stat.meanmass, 1, 1e-10));
  CHECK(near_relative(m.stat.meansize, 0.2, 1e-10));
  CHECK(near_relative(m.stat.extent, 2, 1e-10));
  CHECK(near(m.stat.center[0], 0, 1e-10));
  CHECK(near(m.stat.center[1], 0, 1e-10));
  CHECK(near(m.stat.center[2], 0, 1e-10));
}
