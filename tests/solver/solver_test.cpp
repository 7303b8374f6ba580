// SPDX-License-Identifier: Apache-2.0
#include <corten/scalar/dual.hpp>

#include "../support/model.hpp"

using namespace corten;

namespace {

// a state in which limits, friction loss and contacts act at once
Data<double> busy_state(const Model<double>& model, int steps = 30) {
  Data<double> data(model);
  support::perturb(model, data, 21, 0.02, 0.3);
  for (int i = 0; i < steps; ++i) REQUIRE(step(model, data).ok());
  REQUIRE(forward(model, data).ok());
  return data;
}

Model<double> converged(Model<double> model, Solver solver) {
  model.opt.solver = static_cast<int>(solver);
  model.opt.tolerance = 0;
  model.opt.iterations = solver == Solver::pgs ? 20000 : 100;
  return model;
}

}  // namespace

TEST_CASE("the solution satisfies the optimality conditions", "[solver]") {
  for (const char* name : {"joints", "walker", "contacts"}) {
    const Model<double> model = converged(support::load(name), Solver::newton);
    const Data<double> data = busy_state(model);
    const auto& d = data.ref();
    REQUIRE(d.nefc > 0);
    const int nv = model.n.nv;

    // M qacc = qfrc_smooth + J' f, and each force is what its row's cost says
    std::vector<double> Ma(std::size_t(nv), 0.0);
    tree_multiply(make_ref<DefaultPolicies>(model), nv, d.M, d.qacc, Field<double>{Ma.data()});
    for (int i = 0; i < nv; ++i) {
      CHECK(Ma[std::size_t(i)] == Approx(d.qfrc_smooth[i] + d.qfrc_constraint[i]).margin(1e-8).epsilon(1e-8));
    }
    for (int r = 0; r < d.nefc; ++r) {
      const double x = dot(d.efc_J.from(r * nv), d.qacc, nv) - d.efc_aref[r];
      double force = -d.efc_D[r] * x;
      if (r < d.nf) {
        force = std::clamp(force, -d.efc_frictionloss[r], d.efc_frictionloss[r]);
      } else {
        force = std::max(force, 0.0);
      }
      CHECK(d.efc_force[r] == Approx(force).margin(1e-7).epsilon(1e-7));
    }
  }
}

TEST_CASE("Newton and PGS find the same forces", "[solver]") {
  for (const char* name : {"walker", "joints"}) {
    const Model<double> primal = converged(support::load(name), Solver::newton);
    const Model<double> dual = converged(primal, Solver::pgs);
    const Data<double> data = busy_state(primal);
    Data<double> other(dual);
    auto& to = other.ref();
    copy(to.qpos, data.ref().qpos, primal.n.nq);
    copy(to.qvel, data.ref().qvel, primal.n.nv);
    copy(to.ctrl, data.ref().ctrl, primal.n.nu);
    copy(to.qacc_warmstart, data.ref().qacc_warmstart, primal.n.nv);
    REQUIRE(forward(dual, other).ok());
    for (int i = 0; i < primal.n.nv; ++i) {
      CHECK(to.qacc[i] == Approx(data.ref().qacc[i]).margin(1e-5).epsilon(1e-5));
    }
  }
}

TEST_CASE("the result does not depend on the start", "[solver]") {
  const Model<double> model = converged(support::load("contacts"), Solver::newton);
  Data<double> warm = busy_state(model);
  Data<double> cold = warm;
  for (int i = 0; i < model.n.nv; ++i) cold.ref().qacc_warmstart[i] = 1000.0 * (i % 3 - 1);
  forward(model, cold);
  for (int i = 0; i < model.n.nv; ++i) {
    CHECK(cold.qacc()[std::size_t(i)] == Approx(warm.qacc()[std::size_t(i)]).margin(1e-6).epsilon(1e-6));
  }
  CHECK(warm.ref().solver_niter <= cold.ref().solver_niter);
}

TEST_CASE("a limit of iterations is respected", "[solver]") {
  for (const Solver solver : {Solver::newton, Solver::pgs}) {
    Model<double> model = support::load("contacts");
    model.opt.solver = static_cast<int>(solver);
    model.opt.iterations = 1;
    model.opt.tolerance = 0;
    Data<double> data(model);
    CHECK(step(model, data).ok());
    CHECK(data.ref().solver_niter <= 1);
  }
}

TEST_CASE("contacts push and never pull", "[solver]") {
  const Model<double> model = support::load("contacts");
  const Data<double> data = busy_state(model, 60);
  const auto& d = data.ref();
  for (int r = d.nf; r < d.nefc; ++r) CHECK(d.efc_force[r] >= 0);

  // a ball at rest carries its weight
  const Model<double> ball = support::parse(
      "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 0.1'><freejoint/>"
      "<geom size='0.1'/></body></worldbody></mujoco>");
  Data<double> rest(ball);
  for (int i = 0; i < 1000; ++i) step(ball, rest);
  forward(ball, rest);
  CHECK(rest.ref().qfrc_constraint[2] == Approx(9.81 * ball.body_mass[1]).epsilon(1e-3));
}
