// SPDX-License-Identifier: Apache-2.0
//
// Transmissions by hand: slider-cranks, sites and their references, adhesion.
#include "../support/model.hpp"

#include <cmath>

using namespace corten;

namespace {

// a hinge about y with an arm of 0.5 m along x and a site at its end; a second hinge further out
Model<double> arm(const std::string& actuators, const std::string& sensors = "") {
  return support::parse(
      "<mujoco><compiler angle='radian'/><option gravity='0 0 0'/><worldbody>"
      "<site name='ref' pos='0.1 0.2 0.3' euler='0 0 0.5'/><site name='base'/>"
      "<body><joint axis='0 1 0'/><geom type='capsule' size='0.03' fromto='0 0 0 0.5 0 0'/>"
      "<site name='end' pos='0.5 0 0'/><site name='near' pos='0.1 0 0'/><site name='turned' "
      "pos='0.5 0 0' euler='0.3 0.2 0.1'/>"
      "<body pos='0.5 0 0'><joint axis='0 0 1'/><geom type='capsule' size='0.03' fromto='0 0 0 0.3 "
      "0 0'/>"
      "<site name='tip' pos='0.3 0 0'/></body></body></worldbody><actuator>" +
      actuators + "</actuator><sensor>" + sensors + "</sensor></mujoco>");
}

Data<double> at(const Model<double>& model, double q0, double q1, double v0 = 0, double v1 = 0) {
  Data<double> data(model);
  data.qpos()[0] = q0;
  data.qpos()[1] = q1;
  data.qvel()[0] = v0;
  data.qvel()[1] = v1;
  data.ctrl()[0] = 2;
  REQUIRE(forward(model, data).ok());
  return data;
}

// the velocity of the actuator is the rate of its length, and its power equals that of the joints
void check_rates(const Model<double>& model, double q0, double q1) {
  const double v0 = 0.7, v1 = -0.4, h = 1e-6;
  const Data<double> data = at(model, q0, q1, v0, v1);
  const double rate = (at(model, q0 + h * v0, q1 + h * v1).ref().actuator_length[0] -
                       at(model, q0 - h * v0, q1 - h * v1).ref().actuator_length[0]) /
                      (2 * h);
  const auto& d = data.ref();
  CHECK(near(d.actuator_velocity[0], rate, 1e-8));
  CHECK(near(d.actuator_force[0] * d.actuator_velocity[0],
             d.qfrc_actuator[0] * v0 + d.qfrc_actuator[1] * v1, 1e-12));
}

}  // namespace

TEST_CASE("a wrench at a site", "[actuator][002-5.1][002-5.2][002-5.3][002-5.4][002-5.5]") {
  const Data<double> push = at(arm("<motor site='end' gear='0 0 1'/>"), 0.4, 0, 1);
  CHECK(push.ref().actuator_length[0] == 0);
  for (const double angle : {-1.0, 0.0, 2.0}) {
    const Data<double> pose = at(arm("<motor site='turned' gear='1 2 3 4 5 6'/>"), angle, 0.3, 1);
    CHECK(pose.ref().actuator_length[0] == 0);
    CHECK(pose.ref().actuator_velocity[0] == pose.ref().qfrc_actuator[0] / 2);  // the moment, both
  }
  CHECK(near(push.ref().actuator_velocity[0], -0.5, 1e-12));
  CHECK(near(push.ref().qfrc_actuator[0], -1.0, 1e-12));
  const Data<double> twist = at(arm("<motor site='end' gear='0 0 0 0 3 0'/>"), 0.4, 0);
  CHECK(near(twist.ref().qfrc_actuator[0], 6, 1e-12));
  const Data<double> both = at(arm("<motor site='turned' gear='1 2 3 4 5 6'/>"), 0.4, 0);
  const Data<double> one = at(arm("<motor site='turned' gear='1 2 3'/>"), 0.4, 0);
  const Data<double> other = at(arm("<motor site='turned' gear='0 0 0 4 5 6'/>"), 0.4, 0);
  CHECK(near(both.ref().qfrc_actuator[0], one.ref().qfrc_actuator[0] + other.ref().qfrc_actuator[0],
             1e-12));
}

TEST_CASE("a site relative to another", "[actuator][002-5.6][002-5.7][002-5.8][002-5.9]") {
  // along the axes of the reference
  const Data<double> data = at(arm("<motor site='end' refsite='ref' gear='1 2 3'/>"), 0.2, 0);
  const double x = 0.5 * std::cos(0.2) - 0.1, y = -0.2, z = -0.5 * std::sin(0.2) - 0.3;
  const double c = std::cos(0.5), s = std::sin(0.5);
  CHECK(near(data.ref().actuator_length[0], (c * x + s * y) + 2 * (c * y - s * x) + 3 * z, 1e-12));

  // a quarter turn about y
  const Model<double> turning = arm("<motor site='end' refsite='base' gear='0 0 0 0 2 0'/>");
  CHECK(near(at(turning, std::acos(0), 0).ref().actuator_length[0], 2 * std::acos(0), 1e-12));

  for (const char* gear : {"1 0 0", "0.3 1 2", "0 0 0 0 1 0", "1 0.2 0 0 0.3 0"}) {
    check_rates(arm(std::string("<motor site='end' refsite='base' gear='") + gear + "'/>"), 0.3,
                -0.2);
  }
  check_rates(arm("<motor site='end' refsite='ref' gear='1 2 3'/>"), 0.3, -0.2);
}

TEST_CASE("only dofs that move one site relative to the other move the actuator",
          "[actuator][002-5.10][002-5.11]") {
  const Data<double> fixed =
      at(arm("<motor site='end' refsite='near' gear='1 2 3 4 5 6'/>"), 0.3, 0.2, 1, 1);
  CHECK(fixed.ref().actuator_velocity[0] == 0);
  CHECK(fixed.ref().qfrc_actuator[0] == 0);
  CHECK(fixed.ref().qfrc_actuator[1] == 0);
  const Data<double> moving =
      at(arm("<motor site='tip' refsite='near' gear='0 1 0'/>"), 0.3, 0.2, 1, 1);
  CHECK(moving.ref().qfrc_actuator[0] == 0);
  CHECK(near(moving.ref().qfrc_actuator[1], 2 * 0.3 * std::cos(0.2), 1e-12));
}

TEST_CASE("sensors of actuators on sites", "[actuator][sensor][002-5.16][002-5.17][002-5.18]") {
  const Model<double> model =
      arm("<motor name='m' site='end' refsite='ref' gear='1 2 3'/>",
          "<actuatorpos actuator='m'/><actuatorvel actuator='m'/><actuatorfrc actuator='m'/>");
  const Data<double> data = at(model, 0.3, 0.1, 0.5, 0.2);
  CHECK(data.sensordata()[0] == data.ref().actuator_length[0]);
  CHECK(data.sensordata()[1] == data.ref().actuator_velocity[0]);
  CHECK(data.sensordata()[2] == 2);

  // whatever produces the force
  const char* const kinds[] = {"position kp='3' kv='2'", "velocity kv='2'",
                               "damper ctrlrange='0 3'", "cylinder",
                               "general biastype='affine' biasprm='1 2 3'"};
  for (const std::string kind : kinds) {
    const Data<double> other =
        at(arm("<" + kind + " name='m' site='end' refsite='ref' gear='1 2 3'/>",
               "<actuatorpos actuator='m'/><actuatorvel actuator='m'/><actuatorfrc actuator='m'/>"),
           0.3, 0.1, 0.5, 0.2);
    CHECK(other.sensordata()[0] == other.ref().actuator_length[0]);
    CHECK(other.sensordata()[1] == other.ref().actuator_velocity[0]);
    CHECK(other.sensordata()[2] == other.ref().actuator_force[0]);
  }
}

TEST_CASE("gears, gains and biases on sites", "[actuator][002-5.13][002-5.14]") {
  const Model<double> padded = arm("<motor site='end' gear='50'/>");
  for (std::size_t k = 0; k < 6; ++k) CHECK(padded.actuator_gear[k] == (k == 0 ? 50 : 0));
  CHECK_FALSE(load_string("<mujoco><worldbody><site name='s'/></worldbody><actuator>"
                          "<motor site='s' gear='1 2 3 4 5 6 7'/></actuator></mujoco>")
                  .ok());

  // force = kp (2 - length) - kv velocity; a muscle pulls
  const Data<double> servo =
      at(arm("<position site='end' refsite='base' gear='0 0 1' kp='3' kv='2'/>"), 0.3, 0, 0.5);
  CHECK(near(servo.ref().actuator_force[0],
             3 * (2 - servo.ref().actuator_length[0]) - 2 * servo.ref().actuator_velocity[0],
             1e-12));
  const Model<double> muscle =
      arm("<general site='end' refsite='ref' dyntype='muscle' gaintype='muscle' biastype='muscle' "
          "dynprm='0.01 0.04' gainprm='0.75 1.05 -1 200 0.5 1.6 1.5 1.3 1.2' lengthrange='0.1 1' "
          "gear='1 1 1'/>");
  Data<double> pulled = at(muscle, 0.3, 0);
  pulled.act()[0] = 1;
  REQUIRE(forward(muscle, pulled).ok());
  CHECK(pulled.ref().actuator_force[0] < 0);
  CHECK(near(pulled.ref().qfrc_actuator[0],
             pulled.ref().actuator_force[0] * pulled.ref().actuator_moment[0], 1e-12));
}

TEST_CASE("the acceleration by a unit force of a muscle on a site is |M⁻¹ moment|",
          "[actuator][002-5.15]") {
  const auto muscle = [](const std::string& force) {
    return arm(
        "<general site='tip' refsite='ref' gear='1 2 3' lengthrange='-2 -1' "
        "dyntype='muscle' gaintype='muscle' biastype='muscle' dynprm='0.01 0.04' "
        "gainprm='0.75 1.05 " +
        force + " 50 0.5 1.6 1.5 1.3 1.2'/>");
  };
  const Model<double> model = muscle("-1"), given = muscle("7");
  Data<double> data = at(model, 0, 0), other = at(given, 0, 0);  // as compiled
  data.act()[0] = other.act()[0] = 1;
  REQUIRE(forward(model, data).ok());
  REQUIRE(forward(given, other).ok());
  const double force = other.ref().actuator_force[0];
  CHECK(force < 0);
  double a[2];  // M⁻¹ times the joint forces per unit of the muscle's force
  for (int i = 0; i < 2; ++i) a[i] = other.ref().qfrc_actuator[i] / force;
  CHECK(a[0] * a[1] != 0);
  solve_M(make_ref<DefaultPolicies>(given), other.ref(), Field<double>{a});
  const double acceleration = std::hypot(a[0], a[1]);
  CHECK(near_relative(model.actuator_acc0[0], acceleration, 1e-12));
  CHECK(near_relative(acceleration, 21.961356323355233, 1e-12));  // MuJoCo 3.12.0

  // the peak force is the one that accelerates by `scale`
  CHECK(near_relative(data.ref().actuator_force[0] / force, 50 / acceleration / 7, 1e-12));
}

TEST_CASE("a slider-crank", "[actuator]") {
  // the slider runs along z, below the circle of the crank in the plane y = 0
  const auto crank = [](double rod) {
    return support::parse(
        "<mujoco><option gravity='0 0 0'/><worldbody><site name='rail' pos='0 0 -1'/><body><joint "
        "axis='0 1 0'/>"
        "<joint axis='0 0 1' type='slide'/><geom size='0.1' mass='1'/><site name='pin' pos='0.2 0 "
        "0'/></body>"
        "</worldbody><actuator><motor cranksite='pin' slidersite='rail' cranklength='" +
        std::to_string(rod) + "' gear='3'/></actuator></mujoco>");
  };
  const double angle = 0.4, x = 0.2 * std::cos(angle), z = 1 - 0.2 * std::sin(angle);
  CHECK(near(at(crank(0.5), angle, 0).ref().actuator_length[0], 3 * (z - std::sqrt(0.25 - x * x)),
             1e-12));
  // a rod that is too short: the nearest point
  CHECK(near(at(crank(0.1), angle, 0).ref().actuator_length[0], 3 * z, 1e-12));
  check_rates(crank(0.5), angle, 0.1);
  check_rates(crank(0.1), angle, 0.1);
}

// An orientation servo has three outputs. MuJoCo 3.12 then takes the rod of the actuator two places
// further on.
TEST_CASE("a slider-crank has its own rod behind an orientation servo", "[actuator]") {
  const Model<double> model = support::parse(R"(<mujoco><worldbody>
    <site name="rail"/>
    <body><joint type="slide" axis="1 0 0"/><joint type="slide"/><geom size="0.1"/>
      <site name="pin"/></body>
    <body><joint name="ball" type="ball"/><geom size="0.1"/></body></worldbody><actuator>
    <orientation joint="ball" kp="1"/>
    <motor cranksite="pin" slidersite="rail" cranklength="0.5"/>
    <motor cranksite="pin" slidersite="rail" cranklength="1.3"/></actuator></mujoco>)");
  Data<double> data(model);
  data.qpos()[0] = 0.3, data.qpos()[1] = 2;
  REQUIRE(forward(model, data).ok());
  CHECK(near(data.ref().actuator_length[3], 2 - 0.4, 1e-12));
  CHECK(near(data.ref().actuator_length[4], 2 - std::sqrt(1.6), 1e-12));
}

TEST_CASE("adhesion pulls along the mean of the normals", "[actuator]") {
  // a ball that touches the floor, one that hovers in the gap, one that is too far
  const auto pulled = [](double height) {
    const Model<double> model = support::parse(
        "<mujoco><option gravity='0 0 0'/><worldbody><geom type='plane' size='0 0 1'/><body "
        "name='b' pos='0 0 0.1'>"
        "<freejoint/><geom size='0.1' gap='0.02'/><geom size='0.1' pos='1 0 0' "
        "gap='0.02'/></body></worldbody>"
        "<actuator><general body='b' gainprm='3'/></actuator></mujoco>");
    Data<double> data(model);
    data.qpos()[2] += height;
    data.ctrl()[0] = 2;
    REQUIRE(forward(model, data).ok());
    CHECK(data.ref().actuator_length[0] == 0);
    return data;
  };
  for (const double height : {-0.001, 0.01}) {
    const Data<double> data = pulled(height);
    CHECK(near(data.ref().qfrc_actuator[2], -6, 1e-12));
    CHECK(near(data.ref().qfrc_actuator[4], 3, 1e-12));
    CHECK((data.nefc() > 0) == (height < 0));
  }
  for (int i = 0; i < 6; ++i) CHECK(pulled(0.05).ref().qfrc_actuator[i] == 0);
}

TEST_CASE("transmissions to missing targets", "[actuator][002-5.19][002-5.20]") {
  for (const char* bad : {"<motor site='nowhere'/>", "<motor site='end' refsite='nowhere'/>",
                          "<motor cranksite='end' slidersite='nowhere' cranklength='1'/>",
                          "<general body='nowhere'/>"}) {
    const auto model = load_string(
        "<mujoco><worldbody><body><joint/><geom size='1'/><site name='end'/></body>"
        "</worldbody><actuator>" +
        std::string(bad) + "</actuator></mujoco>");
    REQUIRE_FALSE(model.ok());
    CHECK(model.error().to_string().find("'nowhere'") != std::string::npos);
  }
}

// MuJoCo takes the last of joint, tendon, slider-crank, site and body.
TEST_CASE("an actuator with two targets", "[actuator]") {
  const auto type_of = [](const std::string& two) {
    const Model<double> model = support::parse(
        "<mujoco><worldbody><body name='b'><joint name='j'/><geom size='1'/><site name='s'/></body>"
        "</worldbody><tendon><fixed name='t'><joint joint='j' coef='1'/></fixed></tendon><actuator>"
        "<general " +
        two + "/></actuator></mujoco>");
    return static_cast<TransmissionType>(model.actuator_trntype[0]);
  };
  CHECK(type_of("site='s' joint='j'") == TransmissionType::site);
  CHECK(type_of("tendon='t' joint='j'") == TransmissionType::tendon);
  CHECK(type_of("site='s' body='b'") == TransmissionType::body);
}
