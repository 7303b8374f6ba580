// SPDX-License-Identifier: Apache-2.0
//
// Actuators by hand: forces whose value can be written down.
#include "../support/model.hpp"

using namespace corten;

namespace {

// a slider of 1 kg with the given actuators
Model<double> slider(const std::string& actuators, const std::string& joint = "") {
  return support::parse(
      "<mujoco><option gravity='0 0 0' timestep='0.002'/><worldbody><body><joint name='x' type='slide' " + joint +
      "/><geom size='0.1' mass='1'/></body></worldbody><actuator>" + actuators + "</actuator></mujoco>");
}

// force of the only actuator at a state and control
double force_at(const Model<double>& model, double q, double v, double u) {
  Data<double> data(model);
  data.qpos()[0] = q;
  data.qvel()[0] = v;
  data.ctrl()[0] = u;
  REQUIRE(forward(model, data).ok());
  return data.ref().actuator_force[0];
}

}  // namespace

TEST_CASE("motor, position and velocity servos", "[actuator][000-12.1][000-12.2][000-12.3][000-12.5]") {
  CHECK(force_at(slider("<motor joint='x'/>"), 0, 0, 5) == 5);
  CHECK(force_at(slider("<position joint='x' kp='100'/>"), 0.5, 0, 1) == Approx(50));
  CHECK(force_at(slider("<position joint='x' kp='100' kv='10'/>"), 0.5, 0.2, 1) == Approx(48));
  CHECK(force_at(slider("<velocity joint='x' kv='10'/>"), 0, 0.2, 1) == Approx(8));
}

TEST_CASE("a servo with a time constant has one exactly filtered activation",
          "[actuator][000-12.4][000-12.10]") {
  const Model<double> plain = slider("<position joint='x' kp='100'/>");
  CHECK(plain.n.na == 0);
  const Model<double> model = slider("<position joint='x' kp='100' timeconst='0.1'/>");
  REQUIRE(model.n.na == 1);
  CHECK(model.actuator_dyntype[0] == static_cast<int>(DynamicsType::filterexact));
  Data<double> data(model);
  data.ctrl()[0] = 1;
  step(model, data);
  CHECK(data.act()[0] == Approx(1 - std::exp(-0.02)).epsilon(1e-14));
  forward(model, data);
  CHECK(data.ref().actuator_force[0] == Approx(100 * (data.act()[0] - data.qpos()[0])));
}

TEST_CASE("gear, control and force ranges", "[actuator][000-5.8][000-5.9][000-5.10]") {
  const Model<double> geared = slider("<motor joint='x' gear='2'/>");
  Data<double> data(geared);
  data.ctrl()[0] = 0.5;
  forward(geared, data);
  CHECK(data.ref().qfrc_actuator[0] == 1.0);

  CHECK(force_at(slider("<motor joint='x' ctrlrange='-1 1' ctrllimited='true'/>"), 0, 0, 5) == 1);
  CHECK(force_at(slider("<motor joint='x' ctrlrange='-1 1' ctrllimited='false'/>"), 0, 0, 5) == 5);
  CHECK(force_at(slider("<motor joint='x' forcerange='-100 0' forcelimited='true'/>"), 0, 0, -500) == -100);
  CHECK(force_at(slider("<motor joint='x' forcerange='-100 0' forcelimited='false'/>"), 0, 0, -500) == -500);
}

TEST_CASE("groups of actuators can be switched off", "[actuator]") {
  Model<double> model = slider("<motor joint='x' group='2'/>");
  CHECK(force_at(model, 0, 0, 3) == 3);
  model.opt.disableactuator = 1 << 2;
  CHECK(force_at(model, 0, 0, 3) == 0);
}
