// SPDX-License-Identifier: Apache-2.0
//
// Adhesion: a body is pulled towards what it touches, with the force shared over its contacts.
// Numbers from MuJoCo 3.12.0.
#include "../support/model.hpp"

#include <string>

using namespace corten;

namespace {

// a free body with this geom at a height above the floor
Model<double> over_floor(double height, const std::string& geom, const std::string& gear = "") {
  return support::parse(
      "<mujoco><worldbody><geom type='plane' size='0 0 1'/><body name='box' pos='0 0 " +
      std::to_string(height) + "'><freejoint/><geom " + geom +
      "/></body></worldbody><actuator><adhesion body='box' gain='100' ctrlrange='0 1' " + gear +
      "/></actuator></mujoco>");
}

Data<double> pulled(const Model<double>& model, double control) {
  Data<double> data(model);
  data.ctrl()[0] = control;
  REQUIRE(forward(model, data).ok());
  CHECK(data.ref().actuator_length[0] == 0);
  return data;
}

// how deep a ball sinks into the floor when it comes to rest
double depth(double control) {
  const Model<double> model = over_floor(0.1, "size='0.1' mass='1'");
  Data<double> data(model);
  data.ctrl()[0] = control;
  for (int i = 0; i < 1000; ++i) REQUIRE(step(model, data).ok());
  return 0.1 - data.qpos()[2];
}

}  // namespace

TEST_CASE("adhesion needs contact", "[actuator][003-36.1][003-36.2][003-36.7][003-36.8]") {
  const Model<double> far = over_floor(0.5, "size='0.1'");
  CHECK(far.actuator_trntype[0] == int(TransmissionType::body));
  CHECK(far.actuator_trnid[0] == 1);
  CHECK(far.actuator_gainprm[0] == 100);
  const Data<double> none = pulled(far, 1), touching = pulled(over_floor(0.099, "size='0.1'"), 1);
  REQUIRE(none.ncon() == 0);
  REQUIRE(touching.ncon() == 1);
  for (int i = 0; i < 6; ++i) {
    CHECK(none.ref().actuator_moment[i] == 0);
    CHECK(none.ref().qfrc_actuator[i] == 0);
  }
  CHECK(near(touching.ref().actuator_moment[2], -1, 1e-12));
}

TEST_CASE("adhesion pulls towards the floor", "[actuator][003-36.3]") {
  CHECK(near(pulled(over_floor(0.099, "size='0.1'"), 1).ref().qfrc_actuator[2], -100, 1e-12));
  CHECK(depth(0) > 0);
  CHECK(depth(1) > 2 * depth(0));
}

TEST_CASE("adhesion through one contact and through four is MuJoCo's",
          "[actuator][conformance][003-36.4][003-36.5]") {
  const Model<double> arm = support::parse(R"(
<mujoco>
  <worldbody>
    <geom type="plane" size="0 0 1"/>
    <body pos="0 0 0.4">
      <joint axis="0 1 0"/>
      <geom type="capsule" size="0.03" fromto="0 0 0 0.3 0 0" contype="0" conaffinity="0"/>
      <body name="tip" pos="0.3 0 0"><joint axis="0 1 0"/><geom size="0.1" pos="0.1 0 0"/></body>
    </body>
  </worldbody>
  <actuator><adhesion body="tip" gain="100" ctrlrange="0 1"/></actuator>
</mujoco>)");
  Data<double> data(arm);
  data.qpos()[0] = 0.8;
  data.qpos()[1] = 0.3;
  data.ctrl()[0] = 0.6;
  REQUIRE(forward(arm, data).ok());
  REQUIRE(data.ncon() == 1);
  CHECK(near_relative(data.ref().qfrc_actuator[0], 15.262297496802441, 1e-10));
  CHECK(near_relative(data.ref().qfrc_actuator[1], 2.7215767285534627, 1e-10));
  // minus the force along the normal, the first row of a contact without friction
  Model<double> smooth = arm;
  for (int& dim : smooth.geom_condim) dim = 1;
  REQUIRE(forward(smooth, data).ok());
  REQUIRE(data.nefc() == 1);
  for (int i = 0; i < 2; ++i) {
    CHECK(near_relative(data.ref().qfrc_actuator[i], -60 * data.ref().efc_J[i], 1e-10));
  }

  const Model<double> box = over_floor(0.099, "type='box' size='0.2 0.15 0.1' pos='0.02 0.01 0'");
  Data<double> four(box);
  four.qpos()[3] = 0.9;
  four.qpos()[6] = 0.3;
  four.ctrl()[0] = 0.6;
  REQUIRE(forward(box, four).ok());
  REQUIRE(four.ncon() == 4);
  const double expected[] = {0, 0, -60, -0.6, 1.2, 0};
  for (int i = 0; i < 6; ++i) CHECK(near(four.ref().qfrc_actuator[i], expected[i], 1e-10));

  // the moment is minus the mean of the four rows along the normals
  Model<double> slippery = box;
  for (int& dim : slippery.geom_condim) dim = 1;
  four.qpos()[2] = 0.09;
  four.qpos()[4] = 0.01;  // all at different depths
  REQUIRE(forward(slippery, four).ok());
  REQUIRE(four.nefc() == 4);
  REQUIRE(four.ref().moment_rownnz[0] == 6);
  for (int i = 0; i < 6; ++i) {
    double mean = 0;
    for (int c = 0; c < 4; ++c) mean += four.ref().efc_J[6 * c + four.ref().moment_colind[i]] / 4;
    CHECK(near(four.ref().actuator_moment[i], -mean, 1e-12));
  }
}

// In MuJoCo the moment of adhesion ignores the gear. Here the gear is accepted and multiplies the
// gain, so that the moment stays MuJoCo's and the pull is still doubled.
TEST_CASE("a gear multiplies the pull of adhesion", "[actuator][003-36.9]") {
  const Data<double> one = pulled(over_floor(0.099, "size='0.1'"), 0.5);
  const Data<double> two = pulled(over_floor(0.099, "size='0.1'", "gear='2'"), 0.5);
  CHECK(near(one.ref().qfrc_actuator[2], -50, 1e-12));
  for (int i = 0; i < 6; ++i)
    CHECK(near(two.ref().qfrc_actuator[i], 2 * one.ref().qfrc_actuator[i], 1e-12));
}
