// SPDX-License-Identifier: Apache-2.0
//
// Muscles by hand: curves and activations that can be computed by hand.
#include <corten/actuator/muscle.hpp>

#include "../support/model.hpp"

#include <cmath>

using namespace corten;

namespace {

// a slider of 1 kg with actuators, at h = 1 ms
Model<double> slider(const std::string& actuators, const std::string& option = "") {
  return support::parse(
      "<mujoco><option gravity='0 0 0' timestep='0.001' " + option +
      "/><worldbody><body><joint name='x' type='slide'/><geom size='0.1' mass='1'/></body>"
      "</worldbody><tendon><fixed name='t'><joint joint='x' coef='2'/></fixed></tendon><actuator>" +
      actuators + "</actuator></mujoco>");
}

// steps until the activation of a muscle at control u passes `level`
int steps_to(const Model<double>& model, double act, double u, double level) {
  Data<double> data(model);
  data.act()[0] = act;
  data.ctrl()[0] = u;
  int n = 0;
  for (; n < 1000 && (act < level) == (data.act()[0] < level); ++n) REQUIRE(step(model, data).ok());
  return n;
}

const char* const plain = "<muscle joint='x' lengthrange='-1 1'/>";

}  // namespace

TEST_CASE("activation follows the control, up faster than down",
          "[actuator][000-5.1][000-5.2][000-5.7]") {
  CHECK(slider(std::string(plain) + "<motor joint='x'/>" + plain).n.na == 2);
  const Model<double> model = slider(plain);
  CHECK(model.n.na == 1);
  Data<double> data(model);
  data.ctrl()[0] = 1;
  for (int i = 0; i < 100; ++i) REQUIRE(step(model, data).ok());
  CHECK(data.act()[0] >= 0.95);
  data.act()[0] = 1;
  data.ctrl()[0] = 0;
  for (int i = 0; i < 200; ++i) REQUIRE(step(model, data).ok());
  CHECK(data.act()[0] <= 0.1);
  CHECK(steps_to(model, 0, 1, 0.9) < steps_to(model, 1, 0, 0.1));
}

TEST_CASE("curves of force over length and velocity", "[actuator][000-5.3][000-5.4][000-5.5]") {
  const auto length = [](double x) { return detail::muscle_length_curve(x, 0.5, 1.6); };
  CHECK(length(1) == 1);
  for (double x : {0.5, 1.6, 0.3, 2.0}) CHECK(length(x) == 0);
  CHECK(near(length(0.75), 0.5, 1e-12));
  CHECK(near(length(1.3), 0.5, 1e-12));
  const auto velocity = [](double x) { return detail::muscle_velocity_curve(x, 1.2); };
  CHECK(velocity(0) == 1);
  CHECK(velocity(-1) == 0);
  CHECK(velocity(-2) == 0);
  CHECK(velocity(0.2) == 1.2);
  CHECK(velocity(3) == 1.2);
  const auto passive = [](double x) { return detail::muscle_passive_curve(x, 1.6, 1.3); };
  CHECK(passive(0.8) == 0);
  CHECK(near(passive(1.3), 0.65, 1e-12));
  CHECK(near(passive(1.6), 1.95, 1e-12));
  // the slope is the derivative of the curve
  for (double x : {-1.5, -0.4, 0.1, 0.5}) {
    const double h = 1e-6, slope = (velocity(x + h) - velocity(x - h)) / (2 * h);
    CHECK(near(detail::muscle_velocity_slope(x, 1.2), slope, 1e-8));
  }
}

TEST_CASE("the peak force pulls through the transmission",
          "[actuator][000-5.6][000-5.13][000-5.14]") {
  // length 1 is where (length - low) / optimum + range[0] is 1
  const Model<double> model =
      slider("<muscle tendon='t' force='100' range='0.5 1.5' lengthrange='-1 1'/>");
  Data<double> data(model);
  data.act()[0] = 1;
  REQUIRE(forward(model, data).ok());
  CHECK(near(data.ref().actuator_force[0], -100, 1e-12));
  CHECK(near(data.ref().qfrc_actuator[0], -200, 1e-12));
  CHECK(near_relative(model.actuator_acc0[0], 2, 1e-10));  // |gear coef| / mass
  const Model<double> hinge = support::parse(
      "<mujoco><worldbody><body><joint name='x' axis='0 1 0'/><inertial pos='0.5 0 0' mass='2' "
      "diaginertia='0.1 0.2 0.3'/></body></worldbody><actuator>"
      "<muscle joint='x' gear='-3' lengthrange='-1 1'/></actuator></mujoco>");
  CHECK(near_relative(hinge.actuator_acc0[0], 3 / (0.2 + 2 * 0.25), 1e-10));  // |gear| / inertia

  // without a force, scale / acc0; the parameters stay as they are
  const Model<double> scaled = slider(
      "<muscle tendon='t' gear='0.25' scale='200' range='0.5 1.5' lengthrange='-0.25 0.25'/>");
  CHECK(near_relative(scaled.actuator_acc0[0], 0.5, 1e-10));
  CHECK(scaled.actuator_gainprm[2] == -1);
  Data<double> other(scaled);
  other.act()[0] = 1;
  REQUIRE(forward(scaled, other).ok());
  CHECK(near(other.ref().actuator_force[0], -400, 1e-12));
}

TEST_CASE("the force of a muscle is gain times activation plus bias, by formula",
          "[actuator][000-12.9]") {
  // on the branches where length is above and velocity below rest, then the reverse
  const Model<double> model =
      slider("<muscle joint='x' force='100' range='0.5 1.5' lengthrange='-1 1'/>");
  const auto force = [&](double q, double v) {
    Data<double> data(model);
    data.qpos()[0] = q;
    data.qvel()[0] = v;
    data.act()[0] = 0.7;
    REQUIRE(forward(model, data).ok());
    return data.ref().actuator_force[0];
  };
  const auto square = [](double x) { return x * x; };
  // optimal length 2; L = 0.5 + (q + 1) / 2, V = v / (2 · 1.5)
  const double long_length = 0.5 + (0.2 + 1) / 2, shortening = -0.3 / 3;
  const double fl = 1 - 0.5 * square((long_length - 1) / 0.3), fv = square(shortening + 1);
  const double fp = 1.3 * 0.5 * square((long_length - 1) / 0.3);
  CHECK(near_relative(force(0.2, -0.3), -100 * fl * fv * 0.7 - 100 * fp, 1e-15));

  const double short_length = 0.5 + (-0.4 + 1) / 2, lengthening = 0.3 / 3;
  const double low = 1 - 0.5 * square((1 - short_length) / 0.25);
  const double fast = 1.2 - square(0.2 - lengthening) / 0.2;
  CHECK(near_relative(force(-0.4, 0.3), -100 * low * fast * 0.7, 1e-15));
}

TEST_CASE("attributes of a muscle are its parameters", "[actuator][000-5.12][001-8.5]") {
  const Model<double> model = slider(
      "<muscle joint='x' lengthrange='-1 1' timeconst='0.02 0.03' range='0.6 1.2' force='7' "
      "scale='8' lmin='0.4' "
      "lmax='1.7' vmax='2' fpmax='1.1' fvmax='1.3'/>"
      "<muscle joint='x' lengthrange='-1 1' fpmax='0.6' fvmax='1.4'/>"
      "<general joint='x' lengthrange='-1 1' dyntype='muscle' gaintype='muscle' biastype='muscle' "
      "gainprm='0.75 1.05 -1 200 0.5 1.6 1.5 0.6 1.4' dynprm='0.01 0.04 0'/>");
  const double expected[] = {0.6, 1.2, 7, 8, 0.4, 1.7, 2, 1.1, 1.3};
  for (std::size_t k = 0; k < 9; ++k) {
    CHECK(model.actuator_gainprm[k] == expected[k]);
    CHECK(model.actuator_biasprm[k] == expected[k]);
    CHECK(model.actuator_gainprm[10 + k] == model.actuator_gainprm[20 + k]);
    CHECK(model.actuator_biasprm[10 + k] == model.actuator_biasprm[20 + k]);
  }
  CHECK(model.actuator_dynprm[0] == 0.02);
  CHECK(model.actuator_dynprm[1] == 0.03);
}

TEST_CASE("a muscle under RK4 combines four rates", "[actuator][000-5.15]") {
  const Model<double> model = slider(plain, "integrator='RK4'");
  Data<double> data(model);
  data.ctrl()[0] = 1;
  REQUIRE(step(model, data).ok());
  const double prm[] = {0.01, 0.04, 0}, h = 0.001;
  const auto rate = [&](double act) { return MuscleActuator::rate(1.0, act, prm, 0); };
  const double a = rate(0), b = rate(h / 2 * a), c = rate(h / 2 * b), d = rate(h * c);
  CHECK(near_relative(data.act()[0], h / 6 * (a + 2 * b + 2 * c + d), 1e-12));
}

TEST_CASE("a muscle's activation is clamped where a range asks for it", "[actuator][003-34.4]") {
  const Model<double> model = slider(
      "<general joint='x' lengthrange='-1 1' dyntype='muscle' actrange='-0.5 0.3' dynprm='0.01 "
      "0.04'/>");
  Data<double> data(model);
  data.ctrl()[0] = 1;
  for (int i = 0; i < 100; ++i) REQUIRE(step(model, data).ok());
  CHECK(data.act()[0] == 0.3);
}

// The activation has no range of its own; its dynamics alone keep it there, whatever the control.
TEST_CASE("a muscle's activation stays between none and all", "[actuator][003-34.3]") {
  const Model<double> model = slider(plain);
  CHECK(model.actuator_actlimited[0] == 0);
  Data<double> data(model);
  support::Random random(3);
  for (int i = 0; i < 2000; ++i) {
    data.ctrl()[0] = i < 200 ? 5 : (i < 400 ? -5 : 3 * random());
    REQUIRE(step(model, data).ok());
    CHECK((data.act()[0] >= 0 && data.act()[0] <= 1));
  }
}
