// SPDX-License-Identifier: Apache-2.0
#include <corten/derive.hpp>

#include "../support/model.hpp"

using namespace corten;

namespace {

template <class A>
double worst_difference(const A& a, const A& b) {
  REQUIRE(a.size() == b.size());
  const auto size = static_cast<std::ptrdiff_t>(a.size());
  double worst = 0, scale = 1;
  for (std::ptrdiff_t i = 0; i < size; ++i) {
    scale = std::max(scale, std::fabs(b.data()[i]));
    worst = std::max(worst, std::fabs(a.data()[i] - b.data()[i]));
  }
  return worst / scale;
}

Model<double> accurate(const char* name) {
  Model<double> model = support::load(name);
  model.opt.solver = static_cast<int>(Solver::newton);
  model.opt.tolerance = 0;
  model.opt.iterations = 30;
  return model;
}

}  // namespace

TEST_CASE("exact transition matrices agree with centred differences", "[derive]") {
  for (const char* name : {"joints", "actuators", "servos", "motors", "walker", "fluid", "flags"}) {
    for (const Integrator integrator :
         {Integrator::euler, Integrator::rk4, Integrator::implicit, Integrator::implicitfast}) {
      Model<double> model = accurate(name);
      model.opt.integrator = static_cast<int>(integrator);
      Data<double> data(model);
      support::perturb(model, data, 31, 0.05, 0.3);
      // a muscle at rest has a kink: its time constants for activation and deactivation differ
      if (std::string_view(name) == "motors") {
        for (double& u : data.ctrl()) u = std::fabs(u);
      }
      for (int i = 0; i < 25; ++i) REQUIRE(step(model, data).ok());

      const auto exact = derive::transition(model, data, {.sensors = true});
      const auto difference =
          derive::transition(model, data, {.method = derive::Method::centered, .sensors = true});
      CHECK(exact.status.ok());
      INFO(name << " with " << data.nefc() << " rows");
      CHECK(worst_difference(exact.A, difference.A) < 1e-6);
      CHECK(worst_difference(exact.B, difference.B) < 1e-6);
      CHECK(worst_difference(exact.C, difference.C) < 1e-5);
      CHECK(worst_difference(exact.D, difference.D) < 1e-5);
    }
  }
}

TEST_CASE("a linearizer can be used again and leaves the data alone", "[derive]") {
  const Model<double> model = accurate("walker");
  Data<double> data(model);
  support::perturb(model, data, 4, 0.05, 0.3);
  derive::Linearizer<double> linearizer(model);
  for (int i = 0; i < 3; ++i) {
    REQUIRE(step(model, data).ok());
    const Data<double> before = data;
    const auto again = linearizer(model, data);
    CHECK(again.A == derive::transition(model, data).A);
    CHECK(before.qpos()[3] == data.qpos()[3]);
  }
}

// The implicit function theorem holds at the solution, so a strict caller must be told if the
// solver did not reach it.
TEST_CASE("a linearisation says that its solver ran out of iterations", "[derive]") {
  Model<double> model = accurate("walker");
  model.opt.enableflags |= enable_strictsolver;
  model.opt.tolerance = 1e-8;
  Data<double> data(model);
  support::perturb(model, data, 4, 0.05, 0.3);
  for (int i = 0; i < 40; ++i) REQUIRE(step(model, data).ok());
  for (double& a : std::span(data.ref().qacc_warmstart.data, std::size_t(model.n.nv))) a = 0;
  using derive::Method;
  for (const Method method : {Method::exact, Method::centered}) {
    model.opt.iterations = 100;
    CHECK(derive::transition(model, data, {method}).status.ok());
    model.opt.iterations = 1;
    CHECK(derive::transition(model, data, {method}).status.has(solver_limit));
  }
}

// The energy is computed with the positions, which columns of velocity skip from the second chunk
// on.
TEST_CASE("the kinetic energy is differentiated by velocities", "[derive]") {
  const Model<double> model = support::parse(R"(<mujoco>
    <worldbody><body><freejoint/><geom size="0.1" mass="2"/></body></worldbody>
    <sensor><e_kinetic/></sensor></mujoco>)");
  Data<double> data(model);
  for (std::size_t i = 0; i < 6; ++i) data.qvel()[i] = 1 + double(i);
  for (const auto method : {derive::Method::exact, derive::Method::centered}) {
    const auto t = derive::transition(model, data, {.method = method, .sensors = true});
    for (int i = 0; i < 6; ++i) {
      const double inertia = i < 3 ? 2 : 0.4 * 2 * 0.1 * 0.1;
      CHECK(near(t.C(0, 6 + i), inertia * data.qvel()[std::size_t(i)], 1e-7));
    }
  }
}

// All solvers minimise the same cost, so at the solution the derivatives are those of Newton's
// method without a tolerance, whatever the model asks for.
TEST_CASE("polished derivatives are those of the exact solution", "[derive]") {
  double rough = 0;  // the largest error without polishing
  for (const Solver solver : {Solver::newton, Solver::cg, Solver::pgs}) {
    for (const Cone cone : {Cone::pyramidal, Cone::elliptic}) {
      Model<double> model = support::load("walker"), exact = accurate("walker");
      model.opt.solver = static_cast<int>(solver);
      model.opt.cone = exact.opt.cone = static_cast<int>(cone);
      model.opt.integrator = exact.opt.integrator = static_cast<int>(Integrator::euler);
      model.opt.tolerance = 1e-4;
      Data<double> data(model);
      support::perturb(model, data, 31, 0.05, 0.3);
      for (int i = 0; i < 60; ++i) REQUIRE(step(model, data).ok());
      REQUIRE(data.nefc() > 0);
      data.ref().qacc_warmstart[0] += 10;  // the solver has something to do

      const Data<double> before = data;
      const auto reference = derive::transition(exact, data, {.sensors = true});
      const auto polished = derive::transition(model, data, {.polish = true, .sensors = true});
      rough = std::max(rough, worst_difference(derive::transition(model, data).A, reference.A));
      CHECK(polished.status.ok());
      CHECK(worst_difference(polished.A, reference.A) < 1e-9);
      CHECK(worst_difference(polished.B, reference.B) < 1e-9);
      CHECK(worst_difference(polished.C, reference.C) < 1e-9);

      // differences, in which half of a hybrid consists
      for (const derive::Method method : {derive::Method::centered, derive::Method::hybrid}) {
        const auto near = derive::transition(model, data, {.method = method, .polish = true});
        CHECK(worst_difference(near.A, reference.A) < 1e-6);
      }
      CHECK(data.qpos()[2] == before.qpos()[2]);
      CHECK(data.ref().qacc_warmstart[0] == before.ref().qacc_warmstart[0]);
    }
  }
  CHECK(rough > 1e-6);
}

// Trees 1 and 2, a stack, fall asleep in step 9 and wake in step 102, when a ball hits them.
TEST_CASE("derivatives while trees sleep, fall asleep and wake", "[derive][sleep]") {
  const int steps = GENERATE(23, 60, 101);
  for (const Integrator integrator : {Integrator::euler, Integrator::implicitfast}) {
    Model<double> model = accurate("sleep");
    model.opt.integrator = static_cast<int>(integrator);
    Data<double> data(model);
    REQUIRE(data.reset(model, "roll").ok());
    const auto stack_sleeps = [&] { return data.ref().tree_asleep[1] >= 0; };
    int taken = 0;
    for (bool slept = false; taken < 400; ++taken) {  // integrators differ by a few steps
      slept = slept || stack_sleeps();
      Data<double> next = data;
      REQUIRE(step(model, next).ok());
      const bool falls = !stack_sleeps() && next.ref().tree_asleep[1] >= 0;
      const bool wakes = stack_sleeps() && next.ref().tree_asleep[1] < 0;
      if (steps == 23 ? falls : steps == 101 ? wakes : slept && taken >= steps) break;
      data = next;
    }
    REQUIRE(taken < 400);
    INFO("after " << taken << " steps, integrator " << int(integrator));
    const auto before = data.ref().tree_asleep[1];
    const auto exact = derive::transition(model, data);
    const auto difference = derive::transition(model, data, {derive::Method::centered, 1e-6});
    CHECK(exact.status.ok());
    CHECK(data.ref().tree_asleep[1] == before);
    CHECK(worst_difference(exact.A, difference.A) < 1e-5);
    CHECK(worst_difference(exact.B, difference.B) < 1e-6);
    // analytic while the stack sleeps, and by dual numbers, adjoint included
    const auto dual = derive::transition(model, data, {.method = derive::Method::dual});
    CHECK(worst_difference(exact.A, dual.A) < 1e-10);
    CHECK(worst_difference(exact.B, dual.B) < 1e-10);
    const Eigen::VectorXd after = Eigen::VectorXd::LinSpaced(dual.nx, -1, 1);
    const auto pulled = derive::pullback(model, data, {after.data(), std::size_t(dual.nx)});
    const Eigen::VectorXd by_state = dual.A.transpose() * after;
    const Eigen::VectorXd found = Eigen::VectorXd::Map(pulled.state().data(), dual.nx);
    CHECK(worst_difference(found, by_state) < 1e-10);
    if (steps == 101) continue;

    // rows and columns of the stack: it stays, and keeps its velocity or loses it
    const int nx = exact.nx, nv = model.n.nv, first = model.tree_dofadr[1], count = 12;
    for (int i = first; i < first + count; ++i) {
      for (int j = 0; j < nx; ++j) {
        CHECK(near(exact.A(i, j), i == j, 1e-12));
        const double kept = steps == 23 ? 0 : nv + i == j;
        CHECK(exact.A(nv + i, j) == kept);
      }
    }
  }
}

namespace {

// every kind that has analytic derivatives of its own: all joints, springs of balls and free
// joints, limits, friction loss, equalities, fixed tendons, actuators on joints, balls, sites and
// tendons with and without activation, compensated gravity, contacts with the floor and with each
// other
const char* const every_kind = R"(<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <geom type="plane" size="3 3 .1" friction="1 .01 .001" condim="6"/>
    <body name="trunk" pos="0 0 .28" gravcomp=".3">
      <joint name="root" type="free" stiffness="3"/>
      <geom type="box" size=".2 .1 .05" mass="3" condim="4"/>
      <site name="thrust" pos=".1 .05 0" euler="20 30 0"/>
      <body name="leg" pos=".2 .1 0">
        <joint name="hip" type="ball" range="0 .3" limited="true" stiffness="2" damping=".1"/>
        <geom type="capsule" fromto="0 0 0 0 .05 -.2" size=".04" mass=".5"/>
        <body name="foot" pos="0 .05 -.2">
          <joint name="knee" axis="0 1 .2" range="-.1 .1" limited="true" damping=".2"
            actuatorgravcomp="true"
            stiffness="1" frictionloss=".05" armature=".01"/>
          <joint name="ankle" axis="1 0 0" damping=".1"/>
          <geom name="sole" type="sphere" pos=".05 0 -.03" size=".06" mass=".2"/>
        </body>
      </body>
      <body name="arm" pos="-.2 0 .05">
        <joint name="rail" type="slide" axis="1 0 .3" frictionloss=".1" stiffness="20"/>
        <joint name="turn" axis="0 1 0" damping=".1"/>
        <geom type="capsule" fromto="0 0 0 -.2 0 -.1" size=".04" mass=".4"/>
        <site name="hand" pos="-.2 0 -.1"/>
        <camera name="eye" pos="0 .1 .2" euler="40 10 0" resolution="64 48"/>
      </body>
    </body>
    <body name="ball" pos="-.42 .02 .1">
      <joint name="float" type="free"/>
      <geom type="sphere" size=".1" mass=".3"/>
      <site name="grip" pos=".08 0 .05"/>
    </body>
  </worldbody>
  <contact><exclude body1="leg" body2="foot"/></contact>
  <tendon>
    <fixed name="coupled" limited="true" range="-.02 .02" stiffness="5" damping=".3"
      frictionloss=".02"><joint joint="knee" coef="1"/><joint joint="turn" coef="-.5"/></fixed>
  </tendon>
  <equality>
    <connect site1="hand" site2="grip" solref=".05 1"/>
    <weld body1="arm" body2="ball" solref=".1 1" torquescale=".5" active="true"/>
    <joint joint1="ankle" joint2="turn" polycoef="0 .5 .3 -.2 .1" solref=".1 1"/>
  </equality>
  <actuator>
    <position name="servo" joint="knee" kp="3" kv=".2" forcerange="-1 1"/>
    <general joint="turn" gaintype="affine" gainprm="1 .2 .1" biastype="affine"
      biasprm=".1 -1 -.1"/>
    <general name="filtered" tendon="coupled" dyntype="filter" dynprm=".05" gainprm="2"/>
    <motor site="thrust" gear="0 .1 1 .2 0 .1"/>
    <motor joint="hip" gear=".1 .2 .3"/>
    <intvelocity joint="rail" kp="4" actrange="-1 1"/>
    <motor joint="ankle" delay=".006" nsample="4"/>
  </actuator>
  <sensor>
    <accelerometer site="hand"/><gyro site="thrust"/><velocimeter site="grip" cutoff=".01"/>
    <magnetometer site="thrust"/>
    <framepos objtype="site" objname="hand" reftype="site" refname="thrust"/>
    <framequat objtype="xbody" objname="foot" reftype="body" refname="ball"/>
    <framelinvel objtype="geom" objname="sole" reftype="xbody" refname="arm"/>
    <frameangvel objtype="body" objname="foot"/>
    <framelinacc objtype="xbody" objname="ball"/><frameangacc objtype="site" objname="hand"/>
    <framexaxis objtype="camera" objname="eye" reftype="site" refname="grip"/>
    <camprojection site="hand" camera="eye"/>
    <jointpos joint="knee"/><jointvel joint="turn"/><ballquat joint="hip"/><ballangvel joint="hip"/>
    <tendonpos tendon="coupled"/><tendonvel tendon="coupled"/>
    <actuatorpos actuator="servo"/><actuatorvel actuator="filtered"/>
    <actuatorfrc actuator="servo"/><actuatorfrc actuator="filtered"/>
    <subtreecom body="leg"/><subtreelinvel body="trunk"/><subtreeangmom body="trunk"/>
    <subtreeangmom body="leg"/><clock/>
  </sensor></mujoco>)";

// the largest difference between what both ways find, over what the matrices hold
double analytic_error(const Model<double>& model, const Data<double>& data) {
  derive::Linearizer<double> linearizer(model);
  linearizer.sensors =
      model.n.nsensor > 0 && derive::analytic::covers_sensors(make_ref<DefaultPolicies>(model));
  REQUIRE(linearizer.is_analytic(make_ref<DefaultPolicies>(model)));
  const derive::Transition<double> analytic = linearizer(model, data);
  const auto dual = derive::transition(
      model, data, {.method = derive::Method::dual, .sensors = linearizer.sensors});
  CHECK(analytic.status.bits == dual.status.bits);

  std::vector<double> next(std::size_t(dual.nx));
  for (std::size_t i = 0; i < next.size(); ++i) next[i] = std::sin(1.0 + double(i));
  derive::Gradient<double> product;
  product.resize(model.n);
  product.multiply(dual, next.data());
  const auto& pulled = linearizer.pullback(model, data, next.data());
  return std::max({worst_difference(analytic.A, dual.A), worst_difference(analytic.B, dual.B),
                   worst_difference(analytic.C, dual.C), worst_difference(analytic.D, dual.D),
                   worst_difference(pulled.inputs, product.inputs)});
}

}  // namespace

// A body that turns about its centre of mass cannot yield to a push, so R is as small as it may be,
// and does not follow the impedance. Both ends of the box push against each other.
TEST_CASE("the hardest rows stay as hard as they are", "[derive]") {
  Model<double> model = support::parse(R"(<mujoco><worldbody>
    <geom type="plane" size="1 1 .1"/>
    <body pos="0 0 .0997"><joint axis="0 1 0"/><geom type="box" size=".2 .1 .1" mass="1"/></body>
    </worldbody></mujoco>)");
  for (const Cone cone : {Cone::pyramidal, Cone::elliptic}) {
    model.opt.cone = static_cast<int>(cone);
    Data<double> data(model);
    data.qpos()[0] = 3e-4;
    REQUIRE(forward(model, data).ok());
    REQUIRE(data.ncon() == 4);
    CHECK(data.ref().efc_R[0] < 1e-14);
    CHECK(analytic_error(model, data) < 1e-10);
  }
}

// Both ways differentiate the same formulas, so they differ by rounding alone. Contact stiffness of
// 1e5 and more multiplies it.
TEST_CASE("analytic derivatives are those of dual numbers", "[derive]") {
  const auto states = [](Model<double> model, const char* name, Integrator integrator) {
    model.opt.integrator = static_cast<int>(integrator);
    for (const Cone cone : {Cone::pyramidal, Cone::elliptic}) {
      model.opt.cone = static_cast<int>(cone);
      Data<double> data(model);
      support::perturb(model, data, 7, 0.05, 0.5);
      if (model.n.nbody > 1) data.ref().xfrc_applied[6 + 1] = 0.3;
      if (model.n.nbody > 1) data.ref().xfrc_applied[6 + 3] = 0.1;
      for (int i = 0; i < 2; ++i) {
        for (int k = 0; k < 20; ++k) REQUIRE(step(model, data).ok());
        INFO(name << ", integrator " << int(integrator) << ", " << data.nefc() << " rows");
        CHECK(analytic_error(model, data) < 1e-10);
      }
    }
  };
  const Model<double> own = support::parse(every_kind);
  states(own, "every kind", Integrator::euler);
  REQUIRE(derive::analytic::covers_sensors(make_ref<DefaultPolicies>(own)));
  states(own, "every kind", Integrator::implicit);
  states(own, "every kind", Integrator::implicitfast);
  states(own, "every kind", Integrator::rk4);
  for (const char* name : {"joints", "walker", "activation"}) {
    const Model<double> model = support::load(name);
    states(model, name, Integrator::implicitfast);
    states(model, name, Integrator::rk4);
  }
  states(support::load("fluid"), "fluid", Integrator::euler);
  states(support::load("transmissions"), "transmissions", Integrator::euler);
}

TEST_CASE("what analytic derivatives do not cover is found by dual numbers", "[derive]") {
  for (const char* name : {"tendons", "walker"}) {
    Model<double> model = support::load(name);
    model.opt.noslip_iterations = 3;
    Data<double> data(model);
    support::perturb(model, data, 3, 0.02, 0.1);
    const derive::Linearizer<double> linearizer(model);
    INFO(name);
    CHECK(!linearizer.is_analytic(make_ref<DefaultPolicies>(model)));
    CHECK(derive::transition(model, data).A ==
          derive::transition(model, data, {.method = derive::Method::dual}).A);
  }
}
