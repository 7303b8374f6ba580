// SPDX-License-Identifier: Apache-2.0
//
// CG and PGS on contacts, and the report of a solver that runs out of iterations.
#include "scenes.hpp"

#include <algorithm>

using namespace scenes;

namespace {

// the solver alone, on the rows left by a forward
Ending solve_alone(const Model<double>& model, const Data<double>& data) {
  const auto m = make_ref<DefaultPolicies>(model);
  const auto p = make_problem(m, data.ref());
  copy(p.qacc, p.qacc_smooth, p.nv);
  return cg(m, p, 1 / (model.stat.meaninertia * p.nv));
}

}  // namespace

// ---- CG beside PGS ------------------------------------------------------------------------------

TEST_CASE("CG converges to the forces of PGS", "[solver][000-3.1][000-3.2][000-3.3][000-3.4]") {
  for (const Cone cone : cones) {
    INFO(int(cone));
    const Data<double> rest = run(scene(ball, Solver::cg, cone), 1000);
    const Data<double> rest_pgs = run(scene(ball, Solver::pgs, cone), 1000);
    const double normal = contact_force(rest.ref(), 0)[0];
    CHECK(std::fabs(normal - contact_force(rest_pgs.ref(), 0)[0]) <= 1e-4 * normal);
    CHECK(std::fabs(normal - 9.81) <= 1e-4 * 9.81);

    const Data<double> boxes = run(scene(stack(3), Solver::cg, cone), 500);
    const Data<double> boxes_pgs = run(scene(stack(3), Solver::pgs, cone), 500);
    const auto force = constraint_force(boxes), force_pgs = constraint_force(boxes_pgs);
    CHECK(difference(force, force_pgs) <= 1e-3 * norm(force_pgs));
    CHECK(std::fabs(force[2] + force[8] + force[14] - 3 * 9.81) <= 1e-3 * 3 * 9.81);

    const Data<double> slides = run(scene(slope, Solver::cg, cone), 200);
    const Data<double> slides_pgs = run(scene(slope, Solver::pgs, cone), 200);
    CHECK(difference(slides.qvel(), slides_pgs.qvel()) <= 1e-3 * norm(slides_pgs.qvel()));
    CHECK(norm(slides.qvel().first(3)) > 0.5);
  }
}

TEST_CASE("without contacts there is nothing to solve", "[solver][000-3.5][002-2.18]") {
  for (const Solver solver : solvers) {
    const Model<double> model = scene(
        "<body><freejoint/><geom size='0.05'/></body><body pos='1 0 0'><joint/>"
        "<geom size='0.1' pos='0.1 0 0'/></body>",
        solver);
    Data<double> data(model);
    data.ref().solver_niter = 7;
    REQUIRE(forward(model, data).ok());
    const auto& d = data.ref();
    CHECK(d.ncon == 0);
    CHECK(d.nefc == 0);
    CHECK(d.solver_niter == 0);
    for (int i = 0; i < model.n.nv; ++i) {
      CHECK(d.qacc[i] == d.qacc_smooth[i]);
      CHECK(d.qfrc_constraint[i] == 0);
    }
    const Ending ending = solve_alone(model, data);
    CHECK(ending.iterations == 0);
    CHECK(ending.converged);
  }
}

// the inverse of the inertia leads CG straight to the solution of a single row
TEST_CASE("CG solves one row in one iteration", "[solver][000-3.6]") {
  Model<double> model = scene(ball, Solver::cg);
  for (int& dim : model.geom_condim) dim = 1;
  Data<double> data(model);
  REQUIRE(forward(model, data).ok());
  const auto& d = data.ref();
  REQUIRE(d.nefc == 1);
  CHECK(d.solver_niter == 1);
  const double free = dot(d.efc_J, d.qacc_smooth, model.n.nv);
  const double A = 1 / model.body_mass[1], force = (d.efc_aref[0] - free) / (A + 1 / d.efc_D[0]);
  CHECK(std::fabs(d.efc_force[0] - force) <= 1e-12 * force);

  // from its own solution it has nothing left to do
  REQUIRE(forward(model, data).ok());
  CHECK(d.solver_niter == 1);
  copy(d.qacc_warmstart, d.qacc, model.n.nv);
  REQUIRE(forward(model, data).ok());
  CHECK(d.solver_niter == 0);
}

TEST_CASE("a warm start saves CG a third of its iterations", "[solver][000-3.9]") {
  Model<double> model = scene(stack(3), Solver::cg);
  model.opt.iterations = 1000;
  const auto iterations = [](const Model<double>& m, int& first) {
    Data<double> data(m);
    for (int i = 0; i < m.n.nv; ++i) data.qvel()[std::size_t(i)] = 0.1 * (7 * i % 5 - 2);
    double sum = 0;
    for (int frame = 1; frame <= 100; ++frame) {
      REQUIRE(step(m, data).ok());
      REQUIRE(data.ncon() >= 2);
      if (frame == 1) first = data.ref().solver_niter;
      if (frame >= 10) sum += data.ref().solver_niter;
    }
    return sum / 91;  // the mean of frames 10 to 100
  };
  int first = 0, first_cold = 0;
  const double warm = iterations(model, first);
  model.opt.disableflags |= disable_warmstart;
  const double cold = iterations(model, first_cold);
  CHECK(warm <= 0.7 * first);
  CHECK(warm <= 0.7 * cold);
}

TEST_CASE("the solver of a file is the solver of its model", "[solver][000-3.10]") {
  const auto solver_of = [](const std::string& option) {
    return Solver{support::parse("<mujoco>" + option + "</mujoco>").opt.solver};
  };
  CHECK(solver_of("<option solver='CG'/>") == Solver::cg);
  CHECK(solver_of("<option solver='PGS'/>") == Solver::pgs);
  CHECK(solver_of("<option solver='Newton'/>") == Solver::newton);
  CHECK(solver_of("") == Solver::newton);
}

TEST_CASE("all solvers work on the same rows, and PGS is MuJoCo's", "[solver][000-3.11]") {
  const Model<double> newton = scene(mixed, Solver::newton, Cone::elliptic);
  Data<double> a(newton);
  set_velocity(a, {0.3, 0.1, -0.2, 1, 2, 3});
  REQUIRE(forward(newton, a).ok());
  for (const Solver solver : {Solver::cg, Solver::pgs}) {
    const Model<double> other = scene(mixed, solver, Cone::elliptic);
    Data<double> b(other);
    set_velocity(b, {0.3, 0.1, -0.2, 1, 2, 3});
    REQUIRE(forward(other, b).ok());
    const auto &x = a.ref(), &y = b.ref();
    REQUIRE(x.nefc == y.nefc);
    CHECK(numbers(x.efc_J, x.nefc * newton.n.nv) == numbers(y.efc_J, x.nefc * newton.n.nv));
    CHECK(numbers(x.efc_aref, x.nefc) == numbers(y.efc_aref, x.nefc));
    CHECK(numbers(x.efc_D, x.nefc) == numbers(y.efc_D, x.nefc));
  }

  // MuJoCo 3.12.0 after 21 sweeps from a cold start
  Model<double> model = scene(ball, Solver::pgs);
  model.opt.iterations = 100;
  Data<double> data(model);
  REQUIRE(forward(model, data).ok());
  const double expected[] = {2.265719493849093, 2.2657367928556664, 2.2661349864264024,
                             2.266115029614333};
  CHECK(data.ref().solver_niter == 21);
  for (int r = 0; r < 4; ++r) {
    CHECK(std::fabs(data.ref().efc_force[r] - expected[r]) <= 1e-13 * expected[r]);
  }
}

// ---- a solver that runs out of iterations -------------------------------------------------------

TEST_CASE("a solver at its limit is reported if requested, and nothing else changes",
          "[solver][000-3.7][000-3.8]") {
  for (const Solver solver : solvers) {
    for (const Cone cone : cones) {
      INFO(int(solver) << ' ' << int(cone));
      Model<double> strict = scene(stack(10), solver, cone);
      strict.opt.iterations = 1;
      strict.opt.tolerance = 1e-15;
      Model<double> plain = strict;
      plain.opt.enableflags = 0;
      Data<double> a(strict), b(plain);
      set_velocity(a, {0.01, 0.02, -0.01, 0.1, 0.2, 0.3, 0.02, 0.01});
      set_velocity(b, {0.01, 0.02, -0.01, 0.1, 0.2, 0.3, 0.02, 0.01});
      const Status status = step(strict, a);
      CHECK(status.has(solver_limit));
      CHECK_FALSE(status.ok());
      CHECK(step(plain, b).bits == 0);
      CHECK(a.ref().warning[13] == 1);
      REQUIRE(a.ncon() >= 20);

      // exactly one iteration, and of this solver; the step was still made
      CHECK(a.ref().solver_niter == 1);
      CHECK(a.time() > 0);
      CHECK(constraint_force(a) == constraint_force(b));
      CHECK(std::equal(a.qpos().begin(), a.qpos().end(), b.qpos().begin()));
      CHECK(norm(constraint_force(a)) > 1);
    }
  }

  // the force after one iteration of CG is that iteration's result, to the last bit
  Model<double> model = scene(stack(3), Solver::cg);
  model.opt.disableflags |= disable_warmstart | disable_island;
  Data<double> data(model);
  REQUIRE(forward(model, data).ok());
  CHECK(solve_alone(model, data).converged);
  model.opt.iterations = 1;
  model.opt.tolerance = 1e-15;
  REQUIRE(forward(model, data).has(solver_limit));
  const auto acted = constraint_force(data);
  const Ending ending = solve_alone(model, data);
  CHECK(ending.iterations == 1);
  CHECK_FALSE(ending.converged);
  CHECK(constraint_force(data) == acted);
}

TEST_CASE("a solver that cannot improve any more has converged", "[solver]") {
  for (const Solver solver : solvers) {
    Model<double> model = scene(ball, solver);
    model.opt.tolerance = 0;
    Data<double> data(model);
    data.qvel()[2] = 1;  // away from the plane: no force is needed or can be improved
    REQUIRE(step(model, data).ok());
    CHECK(data.nefc() == 4);
    CHECK(norm(constraint_force(data)) == 0);

    // zero iterations are too few for a ball at rest
    model.opt.iterations = 0;
    data.reset(model);
    CHECK(step(model, data).has(solver_limit));
  }
}

TEST_CASE("the limit is reported in every scalar, and of trial states too", "[solver]") {
  for (const bool limited : {false, true}) {
    Model<double> model = scene(stack(3), Solver::cg);
    if (limited) {
      model.opt.iterations = 1;
      model.opt.tolerance = 1e-15;
    }
    const auto check = [&](auto scalar) {
      using S = decltype(scalar);
      const Model<value_t<S>> same = cast<value_t<S>>(model);
      Data<S> data(same);
      CHECK(step(same, data).has(solver_limit) == limited);
    };
    check(float{});
    check(Dual<double, 8>{});
    model.opt.integrator = static_cast<int>(Integrator::rk4);
    Data<double> data(model);
    CHECK(step(model, data).has(solver_limit) == limited);
  }
}
