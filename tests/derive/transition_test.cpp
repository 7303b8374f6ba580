// SPDX-License-Identifier: Apache-2.0
#include <corten/derive.hpp>

#include "../support/model.hpp"

using namespace corten;

namespace {

double worst_difference(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double worst = 0, scale = 1;
  for (double x : b) scale = std::max(scale, std::fabs(x));
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::fabs(a[i] - b[i]));
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

      const auto exact = derive::transition(model, data);
      const auto difference = derive::transition(model, data, {derive::Method::centered, 1e-6});
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
    const auto t = derive::transition(model, data, {method, 1e-6});
    for (std::size_t i = 0; i < 6; ++i) {
      const double inertia = i < 3 ? 2 : 0.4 * 2 * 0.1 * 0.1;
      CHECK(near(t.C[6 + i], inertia * data.qvel()[i], 1e-7));
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
      const auto reference = derive::transition(exact, data);
      const auto polished = derive::transition(model, data, {.polish = true});
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
    if (steps == 101) continue;

    // rows and columns of the stack: it stays, and keeps its velocity or loses it
    const int nx = exact.nx, nv = model.n.nv, first = model.tree_dofadr[1], count = 12;
    for (int i = first; i < first + count; ++i) {
      for (int j = 0; j < nx; ++j) {
        CHECK(near(exact.A[std::size_t(i * nx + j)], i == j, 1e-12));
        const double kept = steps == 23 ? 0 : nv + i == j;
        CHECK(exact.A[std::size_t((nv + i) * nx + j)] == kept);
      }
    }
  }
}
