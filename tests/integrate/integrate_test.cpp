// SPDX-License-Identifier: Apache-2.0
#include <corten/scalar/dual.hpp>

#include "../support/model.hpp"

using namespace corten;

namespace {

const char* const pendulum = R"(
<mujoco>
  <worldbody>
    <body pos="0 0 1">
      <joint name="a" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03"/>
      <body pos="0.3 0 0">
        <joint name="b" type="ball"/>
        <geom type="box" size="0.1 0.05 0.02" pos="0.1 0 0"/>
      </body>
    </body>
  </worldbody>
</mujoco>)";

// The same with hinges only: averaged rates of a quaternion are taken in frames that differ between the
// trial states (as in MuJoCo), so that RK4 is of second order in rotations by quaternion.
const char* const hinges = R"(
<mujoco>
  <worldbody>
    <body pos="0 0 1">
      <joint name="a" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03"/>
      <body pos="0.3 0 0">
        <joint name="b" axis="0 1 1"/>
        <geom type="box" size="0.1 0.05 0.02" pos="0.1 0 0"/>
      </body>
    </body>
  </worldbody>
</mujoco>)";

// distance of the end state after 0.1 s from a reference with a tiny timestep
double error_at(Integrator integrator, double timestep) {
  Model<double> model = support::parse(hinges);
  model.opt.integrator = static_cast<int>(Integrator::rk4);
  model.opt.timestep = 1e-4;
  Data<double> reference(model);
  support::perturb(model, reference, 2, 0.3, 2.0);
  Data<double> data = reference;
  for (int i = 0; i < 1000; ++i) step(model, reference);

  model.opt.integrator = static_cast<int>(integrator);
  model.opt.timestep = timestep;
  const int steps = int(std::lround(0.1 / timestep));
  for (int i = 0; i < steps; ++i) step(model, data);
  double worst = 0;
  for (int i = 0; i < model.n.nq; ++i) {
    worst = std::max(worst, std::fabs(data.qpos()[std::size_t(i)] - reference.qpos()[std::size_t(i)]));
  }
  return worst;
}

}  // namespace

TEST_CASE("integrators have their order", "[integrate]") {
  const double euler = error_at(Integrator::euler, 2e-3) / error_at(Integrator::euler, 1e-3);
  const double rk4 = error_at(Integrator::rk4, 1e-2) / error_at(Integrator::rk4, 5e-3);
  CHECK(euler == Approx(2.0).margin(0.3));
  CHECK(rk4 == Approx(16.0).margin(4.0));
}

TEST_CASE("quaternions stay unit", "[integrate]") {
  for (const Integrator integrator : {Integrator::euler, Integrator::rk4}) {
    Model<double> model = support::parse(pendulum);
    model.opt.integrator = static_cast<int>(integrator);
    Data<double> data(model);
    support::perturb(model, data, 4, 1.0, 5.0);
    for (int i = 0; i < 2000; ++i) REQUIRE(step(model, data).ok());
    const auto q = data.qpos();
    CHECK(q[1] * q[1] + q[2] * q[2] + q[3] * q[3] + q[4] * q[4] == Approx(1.0).margin(1e-12));
  }
}

TEST_CASE("implicit damping is stable where explicit damping is not", "[integrate]") {
  Model<double> model = support::parse(
      "<mujoco><option timestep='0.01' gravity='0 0 0'/><worldbody><body><joint axis='0 1 0' damping='50'/>"
      "<geom type='sphere' size='0.1' pos='0.1 0 0'/></body></worldbody></mujoco>");
  Data<double> implicit(model);
  implicit.qvel()[0] = 1;
  for (int i = 0; i < 100; ++i) step(model, implicit);
  CHECK(std::fabs(implicit.qvel()[0]) < 1e-3);
  model.opt.disableflags |= disable_eulerdamp | disable_autoreset;
  Data<double> explicit_(model);
  explicit_.qvel()[0] = 1;
  for (int i = 0; i < 5; ++i) step(model, explicit_);
  CHECK(std::fabs(explicit_.qvel()[0]) > 1);
}

TEST_CASE("activations: filters settle, integrators accumulate, ranges hold", "[integrate][actuator]") {
  const Model<double> model = support::load("actuators");
  Data<double> data(model);
  for (double& u : data.ctrl()) u = 1;
  for (int i = 0; i < 1500; ++i) REQUIRE(step(model, data).ok());
  const auto act = data.act();
  CHECK(act[0] == Approx(1.0).margin(1e-6));   // position servo with a filter
  CHECK(act[1] == 0.5);                        // integrator, clamped to its range
  CHECK(act[2] == Approx(1.0).margin(1e-6));   // filter
  CHECK(act[3] == Approx(1.0).margin(1e-12));  // exact filter
}
