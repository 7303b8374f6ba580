// SPDX-License-Identifier: Apache-2.0
//
// Readings of every kind of sensor against MuJoCo 3.12.0 (golden/sensors.json, golden/touch.json),
// and the rules around them: stages, cutoff, computation on demand.
#include <corten/scalar/dual.hpp>
#include <corten/version.hpp>

#include "../support/golden.hpp"

#include <type_traits>

using namespace corten;
using D4 = Dual8;

namespace {

// a ball on a hinge with its site upside down, and another ball that lies on the floor
const char* const pendulum = R"(
<mujoco>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <site name="fixed"/>
    <body pos="0 0 2">
      <joint name="hinge" axis="0 1 0"/>
      <geom size="0.1" pos="0 0 -1" mass="1"/>
      <site name="tip" pos="0 0 -1" euler="180 0 0"/>
    </body>
    <body pos="1 0 0.0999">
      <freejoint/>
      <geom size="0.1" mass="1"/>
      <site name="pad" size="0.02" pos="0 0 -0.1"/>
      <site name="top" size="0.02" pos="0 0 0.1"/>
    </body>
  </worldbody>
  <sensor>SENSORS</sensor>
</mujoco>)";

Model<double> pendulum_with(const std::string& sensors) {
  std::string text = pendulum;
  text.replace(text.find("SENSORS"), 7, sensors);
  return support::parse(text);
}

double largest(const Field<double>& f, int n) {
  double out = 0;
  for (int i = 0; i < n; ++i) out = std::max(out, std::fabs(f[i]));
  return out;
}

// every entry of the golden file
template <class S>
void check_readings(const std::string& name, double tolerance) {
  const auto check = [&](const std::string& where, const std::string& field, double error) {
    INFO(where << ' ' << field << " error " << error);
    CHECK(error < tolerance);
  };
  golden::compare<S>(name, check);
}

}  // namespace

TEMPLATE_TEST_CASE("readings agree with MuJoCo", "[sensor][000-6.3]", float, double, D4) {
  check_readings<TestType>("sensors", std::is_same_v<TestType, float> ? 1e-5 : 1e-12);
}

// contact forces magnify the rounding of positions by their stiffness
TEMPLATE_TEST_CASE("readings in contact agree with MuJoCo", "[sensor][000-6.3]", float, double,
                   D4) {
  check_readings<TestType>("touch", std::is_same_v<TestType, float> ? 2e-2 : 1e-10);
}

// every kind of sensor, cameras and lights; in float contact forces have only a few digits
TEMPLATE_TEST_CASE("all kinds of sensors agree with MuJoCo", "[sensor][000-6.3]", float, double,
                   D4) {
  check_readings<TestType>("sensor_kinds", std::is_same_v<TestType, float> ? 2e-2 : 1e-9);
}

TEMPLATE_TEST_CASE("rays and distances of meshes and height fields agree with MuJoCo", "[sensor]",
                   float, double, D4) {
  check_readings<TestType>("sensor_assets", std::is_same_v<TestType, float> ? 1e-4 : 1e-9);
}

// MuJoCo rotates the tangents of a mesh back and forth in single precision
TEMPLATE_TEST_CASE("meshes feel what they touch as in MuJoCo", "[sensor]", float, double, D4) {
  check_readings<TestType>("sensor_tactile", std::is_same_v<TestType, float> ? 1e-4 : 1e-6);
}

// delayed and periodic sensors, and their histories
TEMPLATE_TEST_CASE("sensors with a history agree with MuJoCo", "[sensor]", float, double, D4) {
  check_readings<TestType>("sensor_history", std::is_same_v<TestType, float> ? 1e-2 : 1e-9);
}

TEST_CASE("a delayed sensor reads the past", "[sensor]") {
  const Model<double> model = pendulum_with(
      "<clock nsample='4' delay='0.006'/><clock nsample='2' interval='0.008'/>"
      "<jointpos joint='hinge' nsample='3' delay='0.004'/>");
  CHECK(model.n.nhistory == 10 + 6 + 8);
  Data<double> data(model);
  data.qpos()[0] = 0.5;
  std::vector<double> angles;
  for (int k = 0; k < 12; ++k) {
    angles.push_back(data.qpos()[0]);
    REQUIRE(step(model, data).ok());
    const double time = 0.002 * k;
    CHECK(near(data.sensordata()[0], k < 3 ? 0 : time - 0.006, 1e-12));
    CHECK(near(data.sensordata()[1], 0.008 * (k / 4), 1e-12));
    CHECK(data.sensordata()[2] == (k < 2 ? 0 : angles[std::size_t(k - 2)]));
  }
  data.reset(model);
  CHECK(near(data.ref().history[2], -0.008, 1e-12));
}

TEST_CASE("a resting accelerometer reads gravity in its own axes", "[sensor]") {
  const Model<double> model =
      pendulum_with("<accelerometer site='tip'/><accelerometer site='fixed'/>");
  Data<double> data(model);
  REQUIRE(forward(model, data).ok());
  CHECK(near(data.sensordata()[2], -9.81, 1e-12));  // upside down
  CHECK(std::fabs(data.sensordata()[0]) < 1e-12);

  // on a static body it reads zero, as in MuJoCo
  for (std::size_t k = 3; k < 6; ++k) CHECK(data.sensordata()[k] == 0);
}

TEST_CASE("touch feels the weight of a resting body in its zone only", "[sensor][000-6.8]") {
  const Model<double> model = pendulum_with(
      "<touch site='pad'/><touch site='top'/><touch site='pad' cutoff='3'/><touch site='tip'/>");
  Data<double> data(model);
  for (int i = 0; i < 1000; ++i) REQUIRE(step(model, data).ok());
  REQUIRE(forward(model, data).ok());
  CHECK(near_relative(data.sensordata()[0], 9.81, 1e-6));
  CHECK(data.sensordata()[2] == 3);

  // The ray upwards from the floor is not followed, because the force on the body comes from below.
  CHECK(data.sensordata()[1] == 0);
  CHECK(data.sensordata()[3] == 0);
}

TEST_CASE("cutoff clamps real readings on both sides", "[sensor]") {
  const Model<double> model = pendulum_with(
      "<jointpos joint='hinge' cutoff='0.2'/><jointpos joint='hinge'/>"
      "<framezaxis objtype='site' objname='tip'/>");
  Data<double> data(model);
  for (double q : {-0.5, -0.1, 0.1, 0.5}) {
    data.qpos()[0] = q;
    REQUIRE(forward(model, data).ok());
    CHECK(data.sensordata()[0] == std::clamp(q, -0.2, 0.2));
    CHECK(data.sensordata()[1] == q);
  }
}

TEST_CASE("cutoff leaves directions alone", "[sensor]") {
  Model<double> model = pendulum_with(
      "<framezaxis objtype='site' objname='tip'/><framequat objtype='site' objname='tip'/>");
  Data<double> data(model);
  REQUIRE(forward(model, data).ok());
  const std::vector<double> free(data.sensordata().begin(), data.sensordata().end());
  model.sensor_cutoff.assign(2, 0.1);
  REQUIRE(forward(model, data).ok());
  for (std::size_t k = 0; k < free.size(); ++k) CHECK(data.sensordata()[k] == free[k]);
}

TEST_CASE("body accelerations and forces are computed only if a sensor needs them", "[sensor]") {
  for (const bool needed : {false, true}) {
    const Model<double> model =
        pendulum_with(needed ? "<accelerometer site='tip'/>" : "<gyro site='tip'/>");
    Data<double> data(model);
    REQUIRE(forward(model, data).ok());
    const auto& d = data.ref();
    CHECK((largest(d.cacc, 6 * model.n.nbody) > 0) == needed);
    CHECK((largest(d.cfrc_int, 6 * model.n.nbody) > 0) == needed);
    CHECK((largest(d.cfrc_ext, 6 * model.n.nbody) > 0) == needed);
    CHECK(largest(d.subtree_linvel, 3 * model.n.nbody) == 0);
  }
}

TEST_CASE("momenta of subtrees are computed only if a sensor needs them", "[sensor]") {
  const Model<double> model = pendulum_with("<subtreelinvel body='world'/>");
  Data<double> data(model);
  data.qvel()[1] = 2;  // the lone ball; both weigh the same
  REQUIRE(forward(model, data).ok());
  CHECK(near(data.sensordata()[0], 1, 1e-12));
  CHECK(largest(data.ref().cacc, 6 * model.n.nbody) == 0);
}

TEST_CASE("options of sensors reach the model", "[sensor][000-6.1][000-6.2][000-6.7]") {
  const Model<double> plain = pendulum_with("<jointpos joint='hinge'/>");
  CHECK(plain.n.nsensor == 1);
  CHECK(plain.n.nsensordata == 1);
  CHECK(plain.sensor_type[0] == int(SensorType::jointpos));
  CHECK(plain.sensor_objid[0] == 0);
  CHECK(plain.opt.magnetic[1] == -0.5);
  CHECK(plain.opt.wind[0] == 0);

  const Model<double> model = support::parse(R"(
<mujoco>
  <option magnetic="1 2 3" wind="4 5 6" density="7" viscosity="8"/>
  <worldbody><site name="s" euler="0 0 90"/></worldbody>
  <sensor><magnetometer site="s"/></sensor>
</mujoco>)");
  CHECK(model.opt.wind[2] == 6);
  CHECK(model.opt.density == 7);
  CHECK(model.opt.viscosity == 8);
  Data<double> data(model);
  const auto m = bind(model).value();
  forward_position(m, data.ref());
  sensor_position(m, data.ref());
  CHECK(near(data.sensordata()[0], 2, 1e-12));
  CHECK(near(data.sensordata()[1], -1, 1e-12));
  CHECK(near(data.sensordata()[2], 3, 1e-12));
}

namespace {

const char* const limited = R"(
<mujoco>
  <option gravity="0 0 0"/>
  <worldbody>
    <body><joint name="j" axis="0 1 0" range="-20 20"/><geom size="0.1" pos="0 0 -1"/></body>
    <body pos="1 0 0"><joint name="k" type="slide"/><geom size="0.1"/></body>
  </worldbody>
  <tendon>
    <fixed name="t" range="-0.1 0.1"><joint joint="k" coef="2"/></fixed>
    <fixed name="loose"><joint joint="k" coef="2"/></fixed>
  </tendon>
  <sensor>SENSORS</sensor>
</mujoco>)";

std::string limited_with(const std::string& sensors) {
  std::string text = limited;
  return text.replace(text.find("SENSORS"), 7, sensors);
}

}  // namespace

TEST_CASE("sensors of limits",
          "[sensor][001-7.1][001-7.2][001-7.3][001-7.4][001-7.6][001-7.7][001-7.9][001-7.10]"
          "[001-7.11][001-7.12]") {
  const Model<double> one = support::parse(limited_with("<jointlimitfrc joint='j'/>"));
  CHECK(one.n.nsensor == 1);
  CHECK(one.n.nsensordata == 1);
  CHECK(one.sensor_type[0] == int(SensorType::jointlimitfrc));
  CHECK(one.sensor_needstage[0] == int(Stage::acceleration));
  CHECK(one.sensor_dim[0] == 1);

  const Model<double> model = support::parse(limited_with(
      "<jointlimitfrc joint='j'/><jointlimitfrc joint='j'/><jointlimitfrc joint='j' cutoff='0.5'/>"
      "<tendonlimitfrc tendon='t'/><jointlimitpos joint='j'/><jointlimitvel joint='j'/>"
      "<tendonlimitpos tendon='t'/><tendonlimitvel tendon='t'/>"));
  Data<double> data(model);
  const auto read = [&](double angle, double slide) {
    data.qpos()[0] = angle;
    data.qpos()[1] = slide;
    REQUIRE(forward(model, data).ok());
    return std::vector<double>(data.sensordata().begin(), data.sensordata().end());
  };
  data.qvel()[0] = 0.1;
  const double range = 20 * 3.14159265358979 / 180;
  for (const double side : {-1.0, 1.0}) {
    auto r = read(side * (range + 0.01), side * 0.06);
    CHECK(r[0] > 1);
    CHECK(r[1] == r[0]);
    CHECK(r[2] == 0.5);
    CHECK(r[3] > 1);
    CHECK(near(r[4], -0.01, 1e-12));
    CHECK(near(r[5], -side * 0.1, 1e-12));
    CHECK(near(r[6], -0.02, 1e-12));
    CHECK(r[7] == 0);

    // within the range the reading returns to zero
    r = read(side * (range - 0.01), side * 0.04);
    for (const double x : r) CHECK(x == 0);
  }
}

TEST_CASE("a sensor of a missing limit", "[sensor][001-7.5][000-6.11]") {
  const std::string text = limited_with(
      "<jointlimitfrc joint='k'/><tendonlimitfrc tendon='loose'/><tendonlimitpos tendon='loose'/>");
  const auto strict = load_string(text);
  REQUIRE_FALSE(strict.ok());
  CHECK(strict.error().message == "jointlimitfrc needs a joint with limits");

  mjcf::ReadOptions options;
  options.lenient = true;
  const Model<double> model = support::checked(compile(mjcf::parse(text, options).value()));
  Data<double> data(model);
  data.qpos()[1] = 5;
  REQUIRE(forward(model, data).ok());
  for (const double x : data.sensordata()) CHECK(x == 0);
}

namespace {

// a slider with a site, a tendon and an actuator on it
std::string slider_with(const std::string& sensors) {
  return "<mujoco><worldbody><body pos='0 0 1'><joint name='hinge1' type='slide' axis='1 0 "
         "0'/><geom size='0.1'/>"
         "<site name='s' pos='0 0.1 0'/></body></worldbody><tendon><fixed name='t'><joint "
         "joint='hinge1' coef='3'/>"
         "</fixed></tendon><actuator><motor name='m' joint='hinge1' gear='2'/></actuator><sensor>" +
         sensors + "</sensor></mujoco>";
}

}  // namespace

TEST_CASE("sensors of actuators read what the transmission has computed", "[sensor][000-6.6]") {
  const Model<double> model =
      support::parse(slider_with("<actuatorpos actuator='m'/><actuatorvel actuator='m'/>"));
  Data<double> data(model);
  data.qpos()[0] = 0.5;
  data.qvel()[0] = 0.25;
  REQUIRE(forward(model, data).ok());
  CHECK(data.sensordata()[0] == 1);
  CHECK(data.sensordata()[1] == 0.5);
  const auto m = bind(model).value();
  data.ref().actuator_length[0] = 7;
  data.ref().actuator_velocity[0] = 8;
  sensor_position(m, data.ref());
  sensor_velocity(m, data.ref());
  CHECK(data.sensordata()[0] == 7);
  CHECK(data.sensordata()[1] == 8);
}

TEST_CASE("from MJCF to readings", "[sensor][000-6.10]") {
  const Model<double> model = support::parse(slider_with(
      "<jointpos joint='hinge1'/><framepos objtype='site' objname='s'/><magnetometer site='s'/>"
      "<tendonpos tendon='t'/><actuatorpos actuator='m'/><framepos site='s'/>"));
  CHECK(model.n.nsensor == 6);
  CHECK(model.n.nsensordata == 12);
  Data<double> data(model);
  data.qpos()[0] = 0.5;
  REQUIRE(forward(model, data).ok());
  const double expected[] = {0.5, 0.5, 0.1, 1, 0, -0.5, 0, 1.5, 1, 0.5, 0.1, 1};
  for (std::size_t k = 0; k < 12; ++k) CHECK(std::fabs(data.sensordata()[k] - expected[k]) < 1e-12);

  // sensors that cannot be read are refused, never skipped
  for (const char* bad :
       {"<jointpos joint='none'/>", "<jointpos/>", "<framepos objtype='site' objname='none'/>",
        "<magnetometer site='none'/>", "<tendonpos tendon='none'/>",
        "<actuatorpos actuator='none'/>", "<plugin plugin='x'/>", "<unheardof site='s'/>"}) {
    INFO(bad);
    CHECK_FALSE(load_string(slider_with(bad)).ok());
  }
}

TEST_CASE("disabled sensors keep their readings", "[sensor]") {
  Model<double> model =
      pendulum_with("<jointpos joint='hinge'/><accelerometer site='tip'/><clock/>");
  model.opt.disableflags |= disable_sensor;
  Data<double> data(model);
  for (double& x : data.sensordata()) x = 7;
  REQUIRE(forward(model, data).ok());
  for (double x : data.sensordata()) CHECK(x == 7);
  CHECK(largest(data.ref().cacc, 6 * model.n.nbody) == 0);
}

TEST_CASE("each stage writes the sensors that the model gives it", "[sensor][000-6.4]") {
  const Model<double> model = pendulum_with(
      "<jointpos joint='hinge'/><jointvel joint='hinge'/><accelerometer site='tip'/><clock/>");
  Data<double> data(model);
  data.time() = 2;
  data.qpos()[0] = 0.5;
  data.qvel()[0] = -0.25;
  REQUIRE(forward(model, data).ok());
  const std::vector<double> all(data.sensordata().begin(), data.sensordata().end());
  CHECK(all[0] == 0.5);
  CHECK(all[1] == -0.25);
  CHECK(all[5] == 2);

  const auto m = bind(model).value();
  const auto read = [&](auto stage) {
    for (double& x : data.sensordata()) x = 7;
    stage(m, data.ref());
    std::string written;
    for (std::size_t k = 0; k < all.size(); ++k) {
      const double x = data.sensordata()[k];
      CHECK((x == 7 || x == all[k]));
      written += x == 7 ? '.' : 'x';
    }
    return written;
  };
  CHECK(read([](const auto& a, const auto& b) { sensor_position(a, b); }) == "x....x");
  CHECK(read([](const auto& a, const auto& b) { sensor_velocity(a, b); }) == ".x....");
  CHECK(read([](const auto& a, const auto& b) { sensor_acceleration(a, b); }) == "..xxx.");
}
