// SPDX-License-Identifier: Apache-2.0
#include <corten/scalar/dual.hpp>

#include "../support/model.hpp"

#include <limits>
#include <type_traits>

using namespace corten;

// Names of a second family of integrators, which must not exist: lookup from inside corten finds
// these declarations instead.
struct IntegrationMethod {};
struct ExplicitEuler {};
struct SemiImplicitEuler {};
struct VelocityVerlet {};
struct RungeKutta4 {};
namespace corten::probe {
static_assert(std::is_same_v<IntegrationMethod, ::IntegrationMethod>);
static_assert(std::is_same_v<ExplicitEuler, ::ExplicitEuler>);
static_assert(std::is_same_v<SemiImplicitEuler, ::SemiImplicitEuler>);
static_assert(std::is_same_v<VelocityVerlet, ::VelocityVerlet>);
static_assert(std::is_same_v<RungeKutta4, ::RungeKutta4>);
}  // namespace corten::probe

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

// The same with hinges only. RK4 averages rates of a quaternion in frames that differ between the
// trial states (as in MuJoCo), so for quaternions it is of second order only.
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

// distance of the state after 0.1 s from a reference with a tiny timestep
double error_at(Integrator integrator, double timestep) {
  Model<double> model = support::parse(hinges);
  model.opt.integrator = static_cast<int>(Integrator::rk4);
  model.opt.timestep = 1e-4;
  Data<double> reference(model);
  support::perturb(model, reference, 2, 0.3, 2.0);
  Data<double> data = reference;
  for (int i = 0; i < 1000; ++i) REQUIRE(step(model, reference).ok());

  model.opt.integrator = static_cast<int>(integrator);
  model.opt.timestep = timestep;
  const int steps = int(std::lround(0.1 / timestep));
  for (int i = 0; i < steps; ++i) REQUIRE(step(model, data).ok());
  double worst = 0;
  for (int i = 0; i < model.n.nq; ++i) {
    worst =
        std::max(worst, std::fabs(data.qpos()[std::size_t(i)] - reference.qpos()[std::size_t(i)]));
  }
  return worst;
}

}  // namespace

TEST_CASE("integrators have their order", "[integrate]") {
  const double euler = error_at(Integrator::euler, 2e-3) / error_at(Integrator::euler, 1e-3);
  const double rk4 = error_at(Integrator::rk4, 1e-2) / error_at(Integrator::rk4, 5e-3);
  CHECK(near(euler, 2.0, 0.3));
  CHECK(near(rk4, 16.0, 4.0));
}

TEST_CASE("quaternions stay unit", "[integrate]") {
  for (const Integrator integrator : {Integrator::euler, Integrator::rk4}) {
    Model<double> model = support::parse(pendulum);
    model.opt.integrator = static_cast<int>(integrator);
    Data<double> data(model);
    support::perturb(model, data, 4, 1.0, 5.0);
    for (int i = 0; i < 2000; ++i) REQUIRE(step(model, data).ok());
    const auto q = data.qpos();
    CHECK(near(q[1] * q[1] + q[2] * q[2] + q[3] * q[3] + q[4] * q[4], 1.0, 1e-12));
  }
}

TEST_CASE("implicit damping is stable where explicit damping is not", "[integrate]") {
  Model<double> model = support::parse(
      "<mujoco><option timestep='0.01' gravity='0 0 0'/><worldbody><body><joint axis='0 1 0' "
      "damping='50'/>"
      "<geom type='sphere' size='0.1' pos='0.1 0 0'/></body></worldbody></mujoco>");
  Data<double> implicit(model);
  implicit.qvel()[0] = 1;
  for (int i = 0; i < 100; ++i) REQUIRE(step(model, implicit).ok());
  CHECK(std::fabs(implicit.qvel()[0]) < 1e-3);
  model.opt.disableflags |= disable_eulerdamp | disable_autoreset;
  Data<double> explicit_(model);
  explicit_.qvel()[0] = 1;
  for (int i = 0; i < 5; ++i) REQUIRE(step(model, explicit_).ok());
  CHECK(std::fabs(explicit_.qvel()[0]) > 1);
}

TEST_CASE("activations: filters settle, integrators accumulate, ranges hold",
          "[integrate][actuator]") {
  const Model<double> model = support::load("actuators");
  Data<double> data(model);
  for (double& u : data.ctrl()) u = 1;
  for (int i = 0; i < 1500; ++i) REQUIRE(step(model, data).ok());
  const auto act = data.act();
  CHECK(near(act[0], 1.0, 1e-6));   // position servo with a filter
  CHECK(act[1] == 0.5);             // integrator, clamped to its range
  CHECK(near(act[2], 1.0, 1e-6));   // filter
  CHECK(near(act[3], 1.0, 1e-12));  // exact filter
}

TEST_CASE("one enumeration names the integrators, and a step follows each",
          "[integrate][000-7.1][000-7.3][000-C1.1][000-C1.2][000-C1.3][000-C1.4]") {
  static_assert(std::is_enum_v<corten::Integrator>);
  const std::pair<const char*, Integrator> names[] = {
      {"Euler", Integrator::euler},
      {"RK4", Integrator::rk4},
      {"implicit", Integrator::implicit},
      {"implicitfast", Integrator::implicitfast},
      {"implicitspringdamper", Integrator::implicitspringdamper}};
  const auto text = [](const std::string& name) {
    return "<mujoco><option integrator='" + name +
           "'/><worldbody><body><joint axis='0 1 0' stiffness='30' damping='0.5'/><geom size='0.1' "
           "pos='0.3 0 0'/>"
           "<body pos='0.5 0 0'><joint name='b' axis='0 0 1'/><geom size='0.1' pos='0.2 0 "
           "0.1'/></body></body>"
           "</worldbody><actuator><velocity joint='b' kv='2'/></actuator></mujoco>";
  };

  // none is an alias of another: each leads to a different velocity
  std::vector<double> velocities;
  for (const auto& [name, method] : names) {
    const Model<double> model = support::parse(text(name));
    CHECK(model.opt.integrator == static_cast<int>(method));
    CHECK(DefaultIntegrators::has(method));
    Data<double> data(model);
    data.qpos()[0] = 0.4;
    data.qvel()[0] = data.qvel()[1] = 3;
    REQUIRE(step(model, data).ok());
    const double sum = data.qvel()[0] + data.qvel()[1];
    for (const double v : velocities) CHECK(std::fabs(v - sum) > 1e-9);
    velocities.push_back(sum);
  }
  for (const char* name : {"midpoint", "verlet", "ExplicitEuler", "ImplicitSpringDamper"}) {
    CHECK_FALSE(load_string(text(name)).ok());
  }

  // one option selects the integrator, and it does not belong to a solver
  int fields = 0;
#define COUNT(type, name, ...) \
  fields += std::string_view(#name).find("integrat") != std::string_view::npos;
  CORTEN_MODEL_OPTIONS(COUNT)
#undef COUNT
  CHECK(fields == 1);
}

TEST_CASE("implicit integrators fill their matrix anew in each step", "[integrate][000-1.2]") {
  for (const Integrator integrator : {Integrator::euler, Integrator::implicit,
                                      Integrator::implicitfast, Integrator::implicitspringdamper}) {
    Model<double> model = support::parse(pendulum);
    model.dof_damping.assign(model.dof_damping.size(), 0.1);
    model.opt.integrator = static_cast<int>(integrator);
    Data<double> clean(model);
    support::perturb(model, clean, 7, 0.3, 1.0);
    Data<double> soiled = clean;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (int i = 0; i < 10; ++i) {
      auto& d = soiled.ref();
      const int slopes = d.n.nslope * model.n.nM;
      for (const auto& field : {d.deriv_lower, d.deriv_upper, d.work_U}) fill(field, slopes, nan);
      fill(d.work_M, model.n.nM, nan);
      fill(d.work_nv, 2 * model.n.nv, nan);
      const double* const place = d.work_M.data;
      REQUIRE(step(model, clean).ok());
      REQUIRE(step(model, soiled).ok());
      CHECK(soiled.ref().work_M.data == place);  // the same memory in every step
      CHECK(std::equal(clean.qpos().begin(), clean.qpos().end(), soiled.qpos().begin()));
      CHECK(std::equal(clean.qvel().begin(), clean.qvel().end(), soiled.qvel().begin()));
    }
    // a copy was factored: M is still the inertia and qLD its factor
    const Data<double> after = clean;
    const auto m = make_ref<DefaultPolicies>(model);
    factor(m, clean.ref());
    for (int k = 0; k < model.n.nM; ++k) CHECK(clean.ref().qLD[k] == after.ref().qLD[k]);
  }
}
