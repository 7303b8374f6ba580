// SPDX-License-Identifier: Apache-2.0
//
// Actuators by hand: forces that can be computed by hand.
#include "../support/model.hpp"

using namespace corten;

namespace {

// a slider of 1 kg with the given actuators
Model<double> slider(const std::string& actuators, const std::string& joint = "") {
  return support::parse(
      "<mujoco><option gravity='0 0 0' timestep='0.002'/><worldbody><body><joint name='x' "
      "type='slide' " +
      joint + "/><geom size='0.1' mass='1'/></body></worldbody><actuator>" + actuators +
      "</actuator></mujoco>");
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

TEST_CASE("motor, position and velocity servos",
          "[actuator][000-12.1][000-12.2][000-12.3][000-12.5]") {
  CHECK(force_at(slider("<motor joint='x'/>"), 0, 0, 5) == 5);
  CHECK(near(force_at(slider("<position joint='x' kp='100'/>"), 0.5, 0, 1), 50, 1e-12));
  CHECK(near(force_at(slider("<position joint='x' kp='100' kv='10'/>"), 0.5, 0.2, 1), 48, 1e-12));
  CHECK(near(force_at(slider("<velocity joint='x' kv='10'/>"), 0, 0.2, 1), 8, 1e-12));
}

TEST_CASE("a servo with a time constant has one exactly filtered activation",
          "[actuator][000-12.4][000-12.10][000-12.14]") {
  const Model<double> plain = slider("<position joint='x' kp='100'/><velocity joint='x'/>");
  CHECK(plain.n.na == 0);
  for (const int type : plain.actuator_dyntype) CHECK(type == static_cast<int>(DynamicsType::none));
  const Model<double> slow = slider("<cylinder joint='x' timeconst='0.5'/>");
  CHECK(slow.n.na == 1);
  CHECK(slow.actuator_dynprm[0] == 0.5);
  const Model<double> model = slider("<position joint='x' kp='100' timeconst='0.1'/>");
  REQUIRE(model.n.na == 1);
  CHECK(model.actuator_dyntype[0] == static_cast<int>(DynamicsType::filterexact));
  Data<double> data(model);
  data.ctrl()[0] = 1;
  REQUIRE(step(model, data).ok());
  CHECK(near_relative(data.act()[0], 1 - std::exp(-0.02), 1e-14));
  REQUIRE(forward(model, data).ok());
  CHECK(near(data.ref().actuator_force[0], 100 * (data.act()[0] - data.qpos()[0]), 1e-12));
}

TEST_CASE("gear, control and force ranges", "[actuator][000-5.8][000-5.9][000-5.10]") {
  const Model<double> geared = slider("<motor joint='x' gear='2'/>");
  Data<double> data(geared);
  data.ctrl()[0] = 0.5;
  REQUIRE(forward(geared, data).ok());
  CHECK(data.ref().qfrc_actuator[0] == 1.0);

  // an activation acts in place of the control, and follows it step by step
  for (const char* type : {"filter", "integrator"}) {
    const Model<double> slow =
        slider("<general joint='x' gear='2' dynprm='0.1' dyntype='" + std::string(type) + "'/>");
    Data<double> one(slow);
    one.act()[0] = 0.3;
    one.ctrl()[0] = 0.5;
    REQUIRE(step(slow, one).ok());
    CHECK(one.ref().qfrc_actuator[0] == 0.6);
    const double rate = type[0] == 'f' ? (0.5 - 0.3) / 0.1 : 0.5;
    CHECK(near(one.act()[0], 0.3 + 0.002 * rate, 1e-15));
  }

  CHECK(force_at(slider("<motor joint='x' ctrlrange='-1 1' ctrllimited='true'/>"), 0, 0, 5) == 1);
  CHECK(force_at(slider("<motor joint='x' ctrlrange='-1 1' ctrllimited='false'/>"), 0, 0, 5) == 5);
  CHECK(force_at(slider("<motor joint='x' forcerange='-100 0' forcelimited='true'/>"), 0, 0,
                 -500) == -100);
  CHECK(force_at(slider("<motor joint='x' forcerange='-100 0' forcelimited='false'/>"), 0, 0,
                 -500) == -500);
}

TEST_CASE("groups of actuators can be switched off", "[actuator]") {
  Model<double> model = slider("<motor joint='x' group='2'/>");
  CHECK(force_at(model, 0, 0, 3) == 3);
  model.opt.disableactuator = 1 << 2;
  CHECK(force_at(model, 0, 0, 3) == 0);
}

TEST_CASE("dampers, cylinders and adhesion",
          "[actuator][000-12.6][000-12.7][000-12.8][000-12.11]") {
  CHECK(near(force_at(slider("<damper joint='x' kv='5' ctrlrange='0 1'/>"), 0, 2, 0.8), -8, 1e-12));
  const Model<double> cylinder = slider("<cylinder joint='x' area='0.01' bias='0 0 -100'/>");
  CHECK(cylinder.actuator_dyntype[0] == static_cast<int>(DynamicsType::filter));
  CHECK(cylinder.actuator_dynprm[0] == 1);
  Data<double> data(cylinder);
  data.act()[0] = 500000;
  data.qvel()[0] = 0.1;
  REQUIRE(forward(cylinder, data).ok());
  CHECK(near(data.ref().actuator_force[0], 4990, 1e-12));

  const Model<double> sticky = support::parse(
      "<mujoco><worldbody><body name='b'><freejoint/><geom size='0.1'/></body></worldbody>"
      "<actuator><adhesion body='b' gain='50' ctrlrange='0 1'/><adhesion body='b' gain='50' "
      "ctrlrange='0 1' gear='2'/>"
      "</actuator></mujoco>");
  Data<double> stuck(sticky);
  stuck.ctrl()[0] = stuck.ctrl()[1] = 1;
  REQUIRE(forward(sticky, stuck).ok());
  CHECK(stuck.ref().actuator_force[0] == 50);
  CHECK(stuck.ref().actuator_force[1] == 100);  // gear is an extension
}

TEST_CASE("a velocity servo has a gain of 1 unless it gives one", "[actuator][000-12.12]") {
  const Model<double> model = slider("<velocity joint='x'/>");
  CHECK(model.actuator_gainprm[0] == 1);
  CHECK(model.actuator_biasprm[2] == -1);
  CHECK(near(force_at(model, 0, 0.2, 1), 0.8, 1e-12));
  CHECK(force_at(slider("<velocity joint='x' kv='0'/>"), 0, 0.2, 1) == 0);  // given is kept
}

TEST_CASE("dampers and adhesion have bounded controls or are refused", "[actuator][000-12.13]") {
  const auto text = [](const std::string& actuator) {
    return "<mujoco><worldbody><body name='b'><joint name='x' type='slide'/><geom size='0.1' "
           "mass='1'/></body>"
           "</worldbody><actuator>" +
           actuator + "</actuator></mujoco>";
  };
  const std::string damper = "<damper joint='x' kv='5' ", adhesion = "<adhesion body='b' ";
  for (const std::string& kind : {damper, adhesion}) {
    const Model<double> model = support::parse(text(kind + "ctrlrange='0 2'/>"));
    CHECK(model.actuator_ctrllimited[0] == 1);
    CHECK(model.actuator_ctrlrange[0] == 0);
    CHECK(model.actuator_ctrlrange[1] == 2);
    Data<double> data(model);
    data.ctrl()[0] = 100;
    data.qvel()[0] = 1;
    REQUIRE(forward(model, data).ok());
    CHECK(std::fabs(data.ref().actuator_force[0]) <= 10);

    // a missing range and one below zero are errors, as in MuJoCo
    CHECK_FALSE(load_string(text(kind + "/>")).ok());
    CHECK_FALSE(load_string(text(kind + "ctrlrange='-1 1'/>")).ok());
  }
}

TEST_CASE("general actuators", "[actuator][001-8.1][001-8.3][001-8.4][001-8.12]") {
  CHECK(
      near(force_at(slider("<general joint='x' gaintype='affine' gainprm='0 0 -5' biastype='none' "
                           "ctrllimited='true' "
                           "ctrlrange='0 1'/>"),
                    0, 2, 0.5),
           -5, 1e-12));
  const Model<double> bare = slider("<general joint='x'/>");
  CHECK(bare.actuator_dynprm[0] == 1);
  CHECK(force_at(bare, 0, 0, 3) == 3);

  // the same servo written in two ways
  const Model<double> pair = slider(
      "<general joint='x' gainprm='100' biastype='affine' biasprm='0 -100 -10' "
      "dyntype='filterexact' dynprm='0.01'/>"
      "<position joint='x' kp='100' kv='10' timeconst='0.01'/>");
  Data<double> data(pair);
  data.ctrl()[0] = data.ctrl()[1] = 0.7;
  for (int i = 0; i < 20; ++i) REQUIRE(step(pair, data).ok());
  CHECK(data.act()[0] == data.act()[1]);
  CHECK(data.ref().actuator_force[0] == data.ref().actuator_force[1]);

  const char* const kinds[] = {"none", "integrator", "filter", "filterexact", "muscle"};
  for (int k = 0; k < 5; ++k) {
    const Model<double> model =
        slider("<general joint='x' dynprm='0.5' dyntype='" + std::string(kinds[k]) + "'/>");
    REQUIRE(model.n.na == (k > 0 ? 1 : 0));
    if (k == 0) continue;
    Data<double> one(model);
    one.ctrl()[0] = 0.6;
    one.act()[0] = 0.2;
    REQUIRE(forward(model, one).ok());
    const double muscle = 0.4 / (0.5 * (0.5 + 1.5 * 0.2));
    CHECK(near(one.ref().act_dot[0], k == 1 ? 0.6 : (k == 4 ? muscle : 0.8), 1e-12));
  }
}

TEST_CASE("parameters of general actuators", "[actuator][001-8.2][001-8.7][001-8.8][001-8.13]") {
  const Model<double> filter = slider("<general joint='x' dyntype='filter' dynprm='0.05'/>");
  CHECK(filter.actuator_dyntype[0] == int(DynamicsType::filter));
  CHECK(filter.n.na == 1);
  const Model<double> bare = slider("<general joint='x' dyntype='filter'/>");
  const Model<double> gain = slider("<general joint='x' gainprm='50'/>");
  const Model<double> ten = slider("<general joint='x' gainprm='1 2 3 4 5 6 7 8 9 10'/>");
  for (std::size_t k = 0; k < 10; ++k) {
    CHECK(filter.actuator_dynprm[k] == (k == 0 ? 0.05 : 0));
    CHECK(bare.actuator_dynprm[k] == (k == 0 ? 1 : 0));
    CHECK(gain.actuator_gainprm[k] == (k == 0 ? 50 : 0));
    CHECK(ten.actuator_gainprm[k] == double(k + 1));
  }
}

TEST_CASE("classes of general actuators", "[actuator][001-8.6][003-34.9]") {
  const Model<double> model = support::parse(
      "<mujoco><default><default class='c'><general gaintype='affine' gainprm='0 0 -10' "
      "dyntype='integrator' "
      "actlimited='true' actrange='-1 2' actearly='true'/></default></default>"
      "<worldbody><body><joint name='x' type='slide'/><geom size='0.1' "
      "mass='1'/></body></worldbody><actuator>"
      "<general joint='x' class='c'/><general joint='x' class='c' gaintype='fixed' gainprm='3' "
      "dyntype='filter' "
      "actlimited='false' actrange='0 1' actearly='false'/></actuator></mujoco>");
  const int types[] = {int(GainType::affine), int(GainType::fixed)};
  for (std::size_t a = 0; a < 2; ++a) {
    CHECK(model.actuator_gaintype[a] == types[a]);
    CHECK(model.actuator_gainprm[10 * a] == (a == 0 ? 0 : 3));
    CHECK(model.actuator_gainprm[10 * a + 2] ==
          -10);  // leading numbers are replaced, the rest comes from the class
    CHECK(model.actuator_dyntype[a] ==
          int(a == 0 ? DynamicsType::integrator : DynamicsType::filter));
    CHECK(bool(model.actuator_actlimited[a]) == (a == 0));
    CHECK(bool(model.actuator_actearly[a]) == (a == 0));
    CHECK(model.actuator_actrange[2 * a] == (a == 0 ? -1 : 0));
    CHECK(model.actuator_actrange[2 * a + 1] == (a == 0 ? 2 : 1));
  }
}

// A shortcut cannot set types: this is an error, and for a lenient reader a warning that they are
// ignored.
TEST_CASE("types on shortcuts change nothing", "[actuator][001-8.11]") {
  const auto text = [](const std::string& more) {
    return "<mujoco><worldbody><body><joint name='x'/><geom "
           "size='0.1'/></body></worldbody><actuator>"
           "<motor joint='x' " +
           more + "/><position joint='x' kp='5' " + more + "/></actuator></mujoco>";
  };
  const std::string types = "gaintype='affine' biastype='affine' dyntype='filter' gainprm='7 8 9'";
  CHECK_FALSE(mjcf::parse(text(types)).ok());
  const auto spec = mjcf::parse(text(types), {.lenient = true});
  REQUIRE(spec.ok());
  CHECK(spec->warnings.size() == 8);
  const Model<double> plain = support::parse(text("")), same = support::checked(compile(*spec));
  CHECK(same.n.na == 0);
  CHECK(same.actuator_gaintype == plain.actuator_gaintype);
  CHECK(same.actuator_biastype == plain.actuator_biastype);
  CHECK(same.actuator_gainprm == plain.actuator_gainprm);
  CHECK(same.actuator_biasprm == plain.actuator_biasprm);
}

TEST_CASE("limits of activations, and forces from the next one",
          "[actuator][003-34.1][003-34.2][003-34.5][003-34.6][003-34.7]") {
  const Model<double> model = slider(
      "<general joint='x' dyntype='integrator' actrange='-1 1'/>"
      "<general joint='x' dyntype='integrator'/>"
      "<general joint='x' dyntype='integrator' actearly='true'/>"
      "<general joint='x' dyntype='integrator' actrange='-0.001 0.001' actearly='true'/>");
  Data<double> data(model);
  for (double& u : data.ctrl()) u = 1;
  REQUIRE(forward(model, data).ok());
  CHECK(data.ref().actuator_force[1] == 0);
  CHECK(near(data.ref().actuator_force[2], 0.002, 1e-12));  // one timestep ahead
  CHECK(data.ref().actuator_force[3] == 0.001);             // clamped
  for (int i = 0; i < 1000; ++i) REQUIRE(step(model, data).ok());
  CHECK(data.act()[0] == 1);
  CHECK(near(data.act()[1], 2, 1e-12));

  Model<double> exact = slider("<position joint='x' kp='1' timeconst='0.1'/>");
  exact.actuator_actlimited[0] = 1;
  exact.actuator_actrange[1] = 0.01;
  Data<double> clamped(exact);
  clamped.ctrl()[0] = 1;
  REQUIRE(step(exact, clamped).ok());
  CHECK(clamped.act()[0] == 0.01);  // 1 - exp(-0.02) is larger
}

TEST_CASE("pid servos: inputs, integral, slew", "[actuator]") {
  const Model<double> model = slider("<pid joint='x' kp='10' kv='2' input='pos vel ff'/>");
  REQUIRE(model.n.nu == 3);
  Data<double> data(model);
  data.qpos()[0] = 0.1;
  data.qvel()[0] = 0.2;
  for (int k = 0; k < 3; ++k) data.ctrl()[std::size_t(k)] = 1 + k;
  REQUIRE(forward(model, data).ok());
  CHECK(near(data.ref().actuator_force[0], 10 * (1 - 0.1) + 2 * (2 - 0.2) + 3, 1e-12));

  // both states at once; MuJoCo has code for this but does not compile it
  const Model<double> both =
      slider("<pid joint='x' kp='10' ki='5' imax='0.001' slewmax='3' input='pos'/>");
  REQUIRE(both.n.na == 2);
  Data<double> slow(both);
  slow.ctrl()[0] = 1;
  REQUIRE(step(both, slow).ok());
  CHECK(near(slow.act()[0], 3 * 0.002, 1e-12));
  CHECK(near(slow.act()[1], 3 * 0.002 * 0.002, 1e-12));
  for (int i = 0; i < 400; ++i) {
    slow.qpos()[0] = slow.qvel()[0] = 0;
    REQUIRE(step(both, slow).ok());
  }
  CHECK(near(slow.act()[0], 1, 1e-12));
  CHECK(slow.act()[1] < 0.001 + 0.002 * 1);  // the integral stops at imax
}

TEST_CASE("controls that act late", "[actuator]") {
  const Model<double> model = slider("<motor joint='x' nsample='4' delay='0.006'/>");
  CHECK(model.n.nhistory == 10);
  Data<double> data(model);
  for (int k = 0; k < 8; ++k) {
    data.ctrl()[0] = k + 1;
    REQUIRE(step(model, data).ok());
    CHECK(data.ref().actuator_force[0] == (k < 3 ? 0 : k - 2));
  }
  data.reset(model);
  CHECK(near(data.ref().history[5], -0.002, 1e-12));
}
