// SPDX-License-Identifier: Apache-2.0
//
// Rows of moments that change with the pose: spatial tendons, sites seen from another site,
// slider-cranks. The same derivatives as by dual numbers, with every integrator, and the same
// adjoint.
#include "both_ways.hpp"

#include <string>

using namespace corten;

namespace {

// A two-link arm with a ball at its end and a weight; strings with springs, dampers, limits,
// friction, a coupling, muscles and servos run along it.
const std::string strings = R"(
<mujoco>
  <worldbody>
    <site name="w0" pos="-.2 .05 .9"/><site name="w1" pos=".1 -.3 1.2"/>
    <body pos="0 0 1">
      <joint axis="0 1 0"/><joint axis="1 0 0"/>
      <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03" mass="1" contype="0"/>
      <geom name="knob" size=".07" mass=".1" contype="0"/>
      <site name="u0" pos=".1 .04 .05" euler="10 20 30"/><site name="u1" pos=".25 -.03 .04"/>
      <site name="side" pos="0 0 .2"/><site name="core" pos=".01 0 0"/>
      <body pos=".3 0 0">
        <joint axis="0 1 0" armature=".01"/>
        <geom name="elbow" type="cylinder" size=".05 .04" euler="90 5 0" mass="1" contype="0"/>
        <site name="l0" pos=".12 .02 .06" euler="20 0 10"/>
        <body pos=".3 0 0">
          <joint type="ball"/>
          <geom type="box" size=".1 .08 .06" pos=".03 0 0" mass="1" contype="0"/>
          <site name="h0" pos=".06 .02 .03" euler="30 -10 20"/>
        </body>
      </body>
    </body>
    <body pos="-.3 0 .8">
      <joint type="slide" axis="0 0 1"/><joint type="slide" axis="1 0 0"/>
      <geom size=".05" mass="1" contype="0"/><site name="k0"/>
    </body>
  </worldbody>
  <tendon>
    <spatial name="spring" stiffness="5 2 1" damping=".3 .2 .1" springlength=".2 .3">
      <site site="w0"/><site site="u0"/><site site="l0"/><site site="h0"/>
    </spatial>
    <spatial name="limit" range="0 .4" limited="true" frictionloss=".2">
      <site site="w0"/><geom geom="knob" sidesite="side"/><site site="l0"/>
    </spatial>
    <spatial name="inside" stiffness="40" range="0 .3" limited="true">
      <site site="w1"/><geom geom="knob" sidesite="core"/><site site="l0"/>
    </spatial>
    <spatial name="around" stiffness="4" damping=".2">
      <site site="u1"/><geom geom="elbow"/><site site="h0"/>
    </spatial>
    <spatial name="hoist" stiffness="3" springlength=".5">
      <pulley divisor="2"/><site site="w0"/><site site="k0"/>
      <pulley divisor="1"/><site site="w1"/><site site="l0"/>
    </spatial>
  </tendon>
  <equality><tendon tendon1="hoist" tendon2="around" polycoef=".1 .7 0 0 0"/></equality>
  <actuator>
    <muscle tendon="spring" lengthrange=".4 1.5"/>
    <position name="hoist" tendon="hoist" kp="10" kv=".3" gear="2"/>
    <general tendon="around" gaintype="affine" gainprm="2 .3 .2" biastype="affine"
             biasprm=".1 -3 -.2"/>
    <motor cranksite="l0" slidersite="w1" cranklength="2" gear="1.5"/>
    <position cranksite="h0" slidersite="u0" cranklength="3" kp="3" kv=".4"/>
    <motor site="h0" refsite="w0" gear="1 .5 -.3 .2 .4 .1"/>
    <position site="h0" refsite="k0" kp="5" kv="1" gear=".2 1 0 0 0 .3"/>
  </actuator>
  <sensor>
    <tendonpos tendon="around"/><tendonpos tendon="inside"/><tendonlimitfrc tendon="inside"/>
    <tendonvel tendon="around"/><actuatorvel actuator="hoist"/>
  </sensor>
</mujoco>)";

}  // namespace

TEST_CASE("derivatives along paths and between sites, both ways", "[derive]") {
  Model<double> model = support::parse(strings);
  for (const Integrator integrator :
       {Integrator::euler, Integrator::rk4, Integrator::implicit, Integrator::implicitfast}) {
    model.opt.integrator = static_cast<int>(integrator);
    Data<double> data(model);
    for (std::uint64_t seed = 1; seed < 4; ++seed) {
      support::perturb(model, data, seed, 0.2, 0.8);
      for (double& u : data.ctrl()) u = 0.3 * static_cast<double>(seed);
      INFO("integrator " << int(integrator) << ", seed " << seed);
      support::check_both_ways(model, data);
    }
  }
}

// The point where a string touches the inside of an obstacle is found to 1e-6, so that the length
// does not quite change by the row of the path. Here the stiff string is all there is, and its
// length is read.
TEST_CASE("derivatives along a path through the inside of an obstacle", "[derive]") {
  const Model<double> model = support::parse(R"(
    <mujoco>
      <option gravity="0 0 0"/>
      <worldbody>
        <geom name="ring" size=".1" contype="0"/><site name="inner"/>
        <site name="from" pos="-.3 .02 .2"/>
        <body pos=".3 0 .2">
          <joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/>
          <joint axis="0 1 0" pos="0 0 .1"/>
          <geom size=".05" mass="1" contype="0"/><site name="to" pos="0 .03 0"/>
        </body>
      </worldbody>
      <tendon>
        <spatial name="string" stiffness="2000" damping="3" springlength=".2">
          <site site="from"/><geom geom="ring" sidesite="inner"/><site site="to"/>
        </spatial>
      </tendon>
      <sensor><tendonpos tendon="string"/></sensor>
    </mujoco>)");
  Data<double> data(model);
  for (std::uint64_t seed = 1; seed < 4; ++seed) {
    support::perturb(model, data, seed, 0.02, 0.3);
    REQUIRE(forward(model, data).ok());
    INFO("seed " << seed);
    CHECK(data.ref().ten_wrapnum[0] > 2);
    support::check_both_ways(model, data);
  }
}

// Inertia along a path changes with the pose by its own rules; so does the matrix of a lone free
// body. These go by dual numbers.
TEST_CASE("paths whose derivatives are not found analytically", "[derive]") {
  Model<double> model = support::parse(strings);
  derive::Linearizer<double> linearizer(model);
  model.tendon_armature[0] = 0.1;
  CHECK_FALSE(linearizer.is_analytic(make_ref<DefaultPolicies>(model)));
}
