// SPDX-License-Identifier: Apache-2.0
//
// RK4 against known results: the exact motion of a pendulum, energies, rotations, and what a step
// leaves behind.
#include "../support/model.hpp"

#include <cmath>

using namespace corten;

namespace {

Model<double> with(Model<double> model, Integrator integrator, double timestep) {
  model.opt.integrator = static_cast<int>(integrator);
  model.opt.timestep = timestep;
  return model;
}

// a pendulum without friction, w² = 9.81 / 1.01
Model<double> pendulum(Integrator integrator, double timestep) {
  return with(
      support::parse(
          "<mujoco><option><flag energy='enable'/></option><worldbody><body><joint axis='0 1 0'/>"
          "<inertial pos='0 0 -1' mass='1' diaginertia='0.01 0.01 0.01'/></body></worldbody>"
          "</mujoco>"),
      integrator, timestep);
}

Data<double> swing(const Model<double>& model, int steps, double start = 0.5) {
  Data<double> data(model);
  data.qpos()[0] = start;
  for (int i = 0; i < steps; ++i) REQUIRE(step(model, data).ok());
  REQUIRE(forward(model, data).ok());
  return data;
}

// The angle at time t of a pendulum released at rest: 2 asin(k sn(w t + K, k)) with k = sin(start /
// 2), computed with the arithmetic-geometric mean (Abramowitz and Stegun 1964, 16.4 and 17.6).
double exact_angle(double t, double start) {
  double a[12] = {1}, c[12] = {std::sin(start / 2)}, b = std::cos(start / 2);
  int n = 0;
  for (; n < 11 && std::fabs(c[n]) > 1e-16; ++n) {
    a[n + 1] = (a[n] + b) / 2;
    c[n + 1] = (a[n] - b) / 2;
    b = std::sqrt(a[n] * b);
  }
  double phi = std::ldexp(a[n], n) * (std::sqrt(9.81 / 1.01) * t + pi / (2 * a[n]));
  for (; n > 0; --n) phi = (phi + std::asin(c[n] / a[n] * std::sin(phi))) / 2;
  return 2 * std::asin(c[0] * std::sin(phi));
}

double angle_after(const Model<double>& model, int steps) {
  const Data<double> data = swing(model, steps);
  return data.qpos()[0];
}

double error_after_a_second(Integrator integrator, double timestep) {
  const int steps = static_cast<int>(std::lround(1 / timestep));
  return std::fabs(angle_after(pendulum(integrator, timestep), steps) - exact_angle(1, 0.5));
}

// relative change of the energy within a second
double drift(double timestep) {
  const Model<double> model = pendulum(Integrator::rk4, timestep);
  const Data<double> first = swing(model, 0);
  const Data<double> last = swing(model, static_cast<int>(std::lround(1 / timestep)));
  const double before = first.energy()[0] + first.energy()[1];
  return std::fabs((last.energy()[0] + last.energy()[1] - before) / before);
}

template <class A, class B>
bool same_bits(const A& a, const B& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace

TEST_CASE("RK4 and Euler against the exact pendulum", "[integrate][000-8.1][000-8.2][000-8.3]") {
  CHECK(near_relative(exact_angle(0, 0.5), 0.5, 1e-14));
  const double rk4 = error_after_a_second(Integrator::rk4, 0.01);
  const double euler = error_after_a_second(Integrator::euler, 0.01);
  CHECK(rk4 < 1e-6);
  CHECK(euler > 1e-4);
  // after a second it is near the turning point, where the next order is still visible
  CHECK(near(rk4 / error_after_a_second(Integrator::rk4, 0.005), 16, 4));
  const double ratio = euler / error_after_a_second(Integrator::euler, 0.005);
  CHECK(ratio > 1.8);
  CHECK(ratio < 4.2);

  // they agree for a tiny timestep, and not for larger ones
  const double fine = std::fabs(angle_after(pendulum(Integrator::rk4, 1e-5), 10) -
                                angle_after(pendulum(Integrator::euler, 1e-5), 10));
  CHECK(fine < 1e-8);
  CHECK(fine > 0);
}

TEST_CASE("energy of a pendulum under RK4", "[integrate][000-8.4]") {
  CHECK(drift(0.001) < 1e-10);
  const double ratio = drift(0.002) / drift(0.001);
  CHECK(ratio > 28);
  CHECK(ratio < 70);
}

TEST_CASE("a ball falls on a floor under RK4", "[integrate][000-8.5]") {
  const Model<double> model = support::parse(
      "<mujoco><option integrator='RK4'><flag energy='enable'/></option><worldbody><geom "
      "type='plane' size='1 1 1'/>"
      "<body pos='0 0 1'><freejoint/><geom size='0.1' mass='1'/></body></worldbody></mujoco>");
  Data<double> data(model);
  int touching = 0;
  double lowest = 1, most = 0;
  for (int i = 0; i < 2000; ++i) {
    REQUIRE(step(model, data).ok());
    touching += data.ncon();
    lowest = std::min(lowest, data.qpos()[2]);
    most = std::max(most, data.energy()[0] + data.energy()[1]);
  }
  CHECK(touching > 100);
  CHECK(lowest > 0.05);
  CHECK(most <= 9.81 * (1 + 1e-9));
  CHECK(near(data.qpos()[2], 0.1, 0.002));
  for (const double v : data.qvel()) CHECK(std::fabs(v) < 1e-6);
}

TEST_CASE("a free rotation under RK4", "[integrate][000-8.6]") {
  const Model<double> model = support::parse(
      "<mujoco><option integrator='RK4' gravity='0 0 0' "
      "timestep='0.01'/><worldbody><body><freejoint/>"
      "<geom size='0.1'/></body></worldbody></mujoco>");
  Data<double> data(model);
  const Vec3<double> w(1, -2, 0.5);
  for (int k = 0; k < 3; ++k) data.qvel()[std::size_t(3 + k)] = w[k];
  const auto q = data.qpos();
  for (int i = 0; i < 100; ++i) {
    REQUIRE(step(model, data).ok());
    const double norm = std::sqrt(q[3] * q[3] + q[4] * q[4] + q[5] * q[5] + q[6] * q[6]);
    CHECK(std::fabs(norm - 1) < 1e-10);
  }
  const double angle = w.norm() * 1.0;  // after a second
  CHECK(std::fabs(q[3] - std::cos(angle / 2)) < 1e-6);
  for (int k = 0; k < 3; ++k) {
    CHECK(std::fabs(q[std::size_t(4 + k)] - std::sin(angle / 2) * w[k] / w.norm()) < 1e-6);
  }
}

TEST_CASE("readings of an RK4 step are those of its first state", "[integrate][sensor][000-8.9]") {
  for (const char* name : {"sensors", "touch", "sensor_kinds"}) {
    const Model<double> model = with(support::load(name), Integrator::rk4, 0.002);
    Data<double> stepped(model);
    support::perturb(model, stepped, 5, 0.01, 0.3);
    for (int i = 0; i < 5; ++i) {
      Data<double> evaluated = stepped;
      REQUIRE(forward(model, evaluated).ok());
      REQUIRE(step(model, stepped).ok());
      CHECK(same_bits(stepped.sensordata(), evaluated.sensordata()));
      CHECK_FALSE(same_bits(stepped.qacc(), evaluated.qacc()));  // that of the last trial state
    }
  }
}

TEST_CASE("an RK4 step evaluates four states; the last one starts the next solve",
          "[integrate][000-8.10]") {
  const Model<double> model = with(support::load("contacts"), Integrator::rk4, 0.002);
  const auto m = make_ref<DefaultPolicies>(model);
  Data<double> data(model);
  support::perturb(model, data, 5, 0.01, 0.1);
  for (int i = 0; i < 20; ++i) REQUIRE(step(model, data).ok());
  REQUIRE(data.ncon() > 0);
  Data<double> by_hand = data, unused = data;
  const auto kept = data.ref().qacc_warmstart;
  const auto start = [&](const Data<double>& from) {
    return std::vector<double>(from.ref().qacc_warmstart.data,
                               from.ref().qacc_warmstart.data + model.n.nv);
  };

  // evaluations leave the solver's warm start alone, whatever they compute
  const std::vector<double> before = start(data);
  REQUIRE(forward(model, by_hand).ok());
  CHECK(start(by_hand) == before);
  CHECK(kept[0] == before[0]);
  int evaluations = 1;
  std::vector<double> last;
  rk4(m, by_hand.ref(), [&](const auto& a, const auto& d) {
    ++evaluations;
    const bool ok = !forward(a, d, false).overflow();
    CHECK(start(by_hand) == before);
    last.assign(d.qacc.data, d.qacc.data + model.n.nv);
    return ok;
  });
  CHECK(evaluations == 4);
  CHECK(start(by_hand) == last);

  // a step does exactly that
  REQUIRE(step(model, data).ok());
  CHECK(start(data) == last);
  CHECK(same_bits(data.qpos(), by_hand.qpos()));
  CHECK_FALSE(same_bits(data.qpos(), unused.qpos()));
}
