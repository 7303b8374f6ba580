// SPDX-License-Identifier: Apache-2.0
//
// Forces at contacts beyond those of the rows, sensors that read forces (touch, force and torque,
// limits, actuators), and fluid in the matrix of an integrator. The same derivatives as by dual
// numbers.
#include "both_ways.hpp"

#include <string>

using namespace corten;

namespace {

// A gripper that presses a box onto a floor, with sensors in the wrist and the fingers. A string
// and a motor at a site pull at it. Trees may sleep, but are awake.
std::string gripper(const std::string& option) {
  return R"(<mujoco><option )" + option + R"(><flag sleep="enable"/></option>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 .1" margin=".01" gap=".005"/>
    <site name="hook" pos=".4 0 1"/>
    <body name="arm" pos="0 0 .4">
      <joint name="lift" type="slide" axis="0 0 1" damping="1" range="-.2 .2" limited="true"/>
      <joint axis="0 1 0" damping=".1"/>
      <geom type="capsule" fromto="0 0 0 .05 0 -.1" size=".02" contype="0"/>
      <site name="wrist" pos=".01 .02 -.05" euler="20 30 10"/>
      <body name="palm" pos=".05 0 -.1">
        <joint name="turn" axis="1 .2 0" damping=".1" range="-20 20" limited="true"/>
        <geom name="palm" type="box" size=".06 .06 .02" mass=".4"/>
        <site name="grip" pos="0 .01 -.01" euler="0 10 40"/>
        <site name="pad" type="box" size=".07 .07 .05"/>
        <body name="finger" pos="0 .05 -.05">
          <joint name="bend" axis="1 0 0" damping=".1"/>
          <geom name="finger" type="capsule" fromto="0 0 0 0 .01 -.06" size=".015" mass=".1"/>
          <site name="tip" pos="0 .01 -.06" size=".03"/>
        </body>
      </body>
    </body>
    <body name="box" pos=".05 .02 .1">
      <freejoint/>
      <geom name="box" type="box" size=".1 .1 .1" mass=".5" adhesion="1.5"/>
      <site name="top" pos="0 0 .1" type="box" size=".1 .1 .02"/>
    </body>
  </worldbody>
  <tendon>
    <spatial name="string" limited="true" range="0 .5" stiffness="2"
             actuatorfrclimited="true" actuatorfrcrange="-3 1">
      <site site="hook"/><site site="grip"/>
    </spatial>
  </tendon>
  <actuator>
    <motor name="lift" joint="lift" gear="3"/><position name="bend" joint="bend" kp="3" kv=".1"/>
    <motor site="grip" gear="1 .5 0 0 .1 .2"/><muscle name="pull" tendon="string"
    lengthrange=".2 1"/>
    <adhesion name="stick" body="palm" ctrlrange="0 1" gain="8"/>
  </actuator>
  <sensor>
    <touch site="pad"/><touch site="tip"/><touch site="top" cutoff="100"/>
    <jointlimitpos joint="turn"/><jointlimitvel joint="turn"/><jointlimitfrc joint="turn"/>
    <tendonlimitpos tendon="string"/><tendonlimitvel tendon="string"/>
    <tendonlimitfrc tendon="string"/>
    <tendonactuatorfrc tendon="string"/><actuatorfrc actuator="stick"/>
  </sensor>
</mujoco>)";
}

// the same without adhesion, and with sensors of the wrench in the joints
std::string wrenches(const std::string& option) {
  std::string text = gripper(option);
  const auto replace = [&](const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
  };
  replace(R"(adhesion="1.5")", "");
  replace(R"(<adhesion name="stick" body="palm" ctrlrange="0 1" gain="8"/>)", "");
  replace(R"(<actuatorfrc actuator="stick"/>)",
          R"(<force site="wrist"/><torque site="wrist"/><force site="grip"/><torque site="grip"/>
             <force site="tip"/><torque site="top"/><jointactuatorfrc joint="lift"/>
             <jointactuatorfrc joint="turn"/><torque site="wrist" cutoff=".001"/>)");
  return text;
}

// a fish: a free body with a tail of boxes and ellipsoids, in a current
const std::string fish = R"(
<mujoco>
  <option density="900" viscosity=".3" wind=".3 -.2 .1" gravity="0 0 -1"/>
  <default><geom contype="0"/></default>
  <worldbody>
    <body>
      <freejoint/>
      <geom type="ellipsoid" size=".1 .05 .04" euler="10 20 5" fluidshape="ellipsoid"/>
      <body pos="-.1 0 0">
        <joint axis="0 0 1" damping=".01"/><joint axis="0 1 .2"/>
        <geom type="box" size=".06 .02 .03" pos="-.06 0 0"/>
        <body pos="-.12 0 0">
          <joint type="ball"/>
          <geom type="ellipsoid" size=".05 .01 .04" pos="-.05 0 .01" fluidshape="ellipsoid"
                fluidcoef=".4 .2 1.2 .8 .9"/>
          <geom type="capsule" fromto="0 0 0 -.02 .01 .04" size=".01" fluidshape="ellipsoid"/>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>)";

// balls, a box and a drum that carries one of them along, on belts and a turntable that move
std::string belts(const std::string& option) {
  return R"(
<mujoco>
  <option )" +
         option + R"(/>
  <default><geom condim="6" friction="1 .05 .02"/></default>
  <worldbody>
    <geom type="plane" size="3 3 .1" euler="1 2 0" surfacevel=".4 .2 .5 .1 .3 .6"/>
    <geom type="cylinder" size=".4 .05" pos="1 0 .05" surfacevel="0 0 0 0 0 2"/>
    <body pos="0 0 .1"><freejoint/><geom size=".1" mass="1"/></body>
    <body pos="1.1 .1 .19"><freejoint/><geom size=".1" mass="1" condim="4"/></body>
    <body pos="-1 0 .1">
      <freejoint/>
      <geom type="box" size=".2 .3 .1" mass="1" condim="3" surfacevel=".3 -.2 .1 .2 .1 .4"/>
    </body>
    <body pos="-1 .1 .295">
      <freejoint/><geom size=".1" mass=".5" surfacevel="0 .1 0 .3 0 .2"/>
    </body>
  </worldbody>
</mujoco>)";
}

template <class F>
void check_gripper(F&& text) {
  for (const char* option : {R"(cone="pyramidal")", R"(cone="elliptic" integrator="implicit")",
                             R"(cone="elliptic" integrator="RK4")"}) {
    Model<double> model = support::parse(text(option));
    model.opt.tolerance = 0;
    Data<double> data(model);
    for (std::uint64_t seed = 1; seed < 4; ++seed) {
      support::perturb(model, data, seed, 0.02, 0.3, 1);
      data.xfrc_applied()[6 * 3 + 1] = 0.7, data.xfrc_applied()[6 * 3 + 3] = 0.2;
      for (int k = 0; k < 40; ++k) static_cast<void>(step(model, data));
      INFO(option << ", seed " << seed);
      REQUIRE(data.ref().ncon > 1);
      support::check_both_ways(model, data);
    }
  }
}

}  // namespace

TEST_CASE("adhesion and sensors of forces, both ways", "[derive]") { check_gripper(gripper); }

TEST_CASE("force and torque in joints, both ways", "[derive]") { check_gripper(wrenches); }

TEST_CASE("surfaces that move, both ways", "[derive]") { check_gripper(belts); }

TEST_CASE("fluid under implicit integrators, both ways", "[derive]") {
  Model<double> model = support::parse(fish);
  for (const Integrator integrator :
       {Integrator::euler, Integrator::rk4, Integrator::implicit, Integrator::implicitfast}) {
    model.opt.integrator = static_cast<int>(integrator);
    Data<double> data(model);
    for (std::uint64_t seed = 1; seed < 4; ++seed) {
      support::perturb(model, data, seed, 0.3, 1);
      INFO("integrator " << int(integrator) << ", seed " << seed);
      support::check_both_ways(model, data);
    }
  }
}
