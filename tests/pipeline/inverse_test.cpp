// SPDX-License-Identifier: Apache-2.0
//
// Inverse dynamics against MuJoCo 3.12.0, against forward dynamics, and its derivatives.
#include <corten/scalar/dual.hpp>

#include "../support/golden.hpp"

using namespace corten;

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

struct Case {
  const char* name;
  Integrator integrator;
};
const Case cases[] = {{"euler", Integrator::euler},
                      {"implicit", Integrator::implicit},
                      {"implicitfast", Integrator::implicitfast},
                      {"implicitspringdamper", Integrator::implicitspringdamper}};

void use(Model<double>& model, const Case& c, bool discrete) {
  model.opt.integrator = static_cast<int>(c.integrator);
  model.opt.enableflags = discrete ? enable_invdiscrete : 0;
  model.opt.tolerance = 0;
  model.opt.iterations = 200;
}

// takes some steps into a motion; not all integrators can handle the stiff parts for long
void start(Model<double> model, Data<double>& data) {
  model.opt.integrator = static_cast<int>(Integrator::implicit);
  REQUIRE(data.reset(model, 0));
  support::perturb(model, data, 4, 0.02, 0.5, 0.2);
  for (double& f : data.qfrc_applied()) f = 0.1;
  for (double& f : data.xfrc_applied()) f = 0.05;
  for (int i = 0; i < 10; ++i) REQUIRE(step(model, data).ok());
}

}  // namespace

TEST_CASE("inverse dynamics is MuJoCo's", "[pipeline][inverse]") {
  const io::Json golden = golden::load_golden("support");
  Model<double> model = support::load("implicit");
  for (const Case& c : cases) {
    if (c.integrator == Integrator::implicitspringdamper) continue;
    for (const bool discrete : {false, true}) {
      use(model, c, discrete);
      Data<double> data(model);
      if (const auto done = io::read_state(*golden.find("pre"), data); !done)
        FAIL(done.error().to_string());
      REQUIRE(forward(model, data).ok());  // activations and actuator forces, as in MuJoCo
      std::vector<double> qacc, expected;
      golden::flatten(*golden.find("qacc"), qacc);
      golden::flatten(*golden.find("inverse")->find(c.name + std::string(discrete ? "1" : "0")),
                      expected);
      std::copy(qacc.begin(), qacc.end(), data.qacc().begin());
      REQUIRE(inverse(model, data).ok());
      double scale = 1, worst = 0;
      for (double x : expected) scale = std::max(scale, std::fabs(x));
      for (int i = 0; i < model.n.nv; ++i) {
        worst = std::max(worst, std::fabs(data.ref().qfrc_inverse[i] - expected[at(i)]));
        CHECK(data.qacc()[at(i)] == qacc[at(i)]);
      }
      INFO(c.name << (discrete ? " discrete" : ""));
      CHECK(worst / scale < 1e-9);
    }
  }
}

TEST_CASE("inverse dynamics undoes forward dynamics", "[pipeline][inverse]") {
  Model<double> model = support::load("implicit");
  for (const Case& c : cases) {
    use(model, c, true);
    Data<double> data(model);
    start(model, data);
    REQUIRE(data.ncon() > 0);
    const std::vector<double> before(data.qvel().begin(), data.qvel().end());
    Data<double> after = data;
    REQUIRE(step(model, after).ok());

    // everything that acts besides passive and constraint forces
    const auto& f = after.ref();
    std::vector<double> applied(before.size());
    for (int i = 0; i < model.n.nv; ++i) {
      applied[at(i)] = f.qfrc_smooth[i] - f.qfrc_passive[i] + f.qfrc_bias[i];
    }

    // continuous: from qacc; discrete: from the change of velocity
    for (const bool discrete : {false, true}) {
      use(model, c, discrete);
      REQUIRE(forward(model, data).ok());
      for (std::size_t i = 0; i < before.size() && discrete; ++i) {
        data.qacc()[i] = (after.qvel()[i] - before[i]) / model.opt.timestep;
      }
      REQUIRE(inverse(model, data).ok());
      INFO(c.name << (discrete ? " discrete" : ""));
      for (int i = 0; i < model.n.nv; ++i) {
        CHECK(near(data.ref().qfrc_inverse[i], applied[at(i)], 2e-7));
      }
    }
  }
  use(model, {"RK4", Integrator::rk4}, true);
  Data<double> data(model);
  CHECK(inverse(model, data).has(bad_argument));
}

TEST_CASE("a step compares forward with inverse dynamics", "[pipeline][inverse]") {
  Model<double> model = support::load("implicit");
  use(model, cases[1], false);
  Data<double> data(model);
  start(model, data);
  Data<double> plain = data;
  REQUIRE(step(model, plain).ok());
  CHECK(plain.ref().solver_fwdinv[0] == 0);
  model.opt.enableflags |= enable_fwdinv;
  Data<double> same = data;
  REQUIRE(step(model, same).ok());
  CHECK(same.nefc() > 0);
  CHECK(same.ref().solver_fwdinv[0] < 1e-6);
  CHECK(same.ref().solver_fwdinv[1] < 1e-6);
  for (std::size_t i = 0; i < plain.qvel().size(); ++i) CHECK(same.qvel()[i] == plain.qvel()[i]);

  // a solver that stops early is noticed
  model.opt.solver = static_cast<int>(Solver::pgs);
  model.opt.iterations = 1;
  Data<double> early(model);
  REQUIRE(early.reset(model, 0));
  REQUIRE(step(model, early).ok());
  CHECK(early.ref().solver_fwdinv[0] > 1e-6);
}

TEST_CASE("derivatives of inverse dynamics", "[pipeline][inverse]") {
  Model<double> model = support::load("implicit");
  use(model, cases[2], true);
  Data<double> data(model);
  start(model, data);
  REQUIRE(forward(model, data).ok());
  const int nv = model.n.nv;
  Data<Dual8> dual(model);
  const auto& d = dual.ref();
  const auto& from = data.ref();
  copy(d.qpos, from.qpos, model.n.nq);
  copy(d.qvel, from.qvel, nv);
  copy(d.act, from.act, model.n.na);
  copy(d.ctrl, from.ctrl, model.n.nu);
  copy(d.mocap_pos, from.mocap_pos, 3);
  copy(d.mocap_quat, from.mocap_quat, 4);
  copy(d.qfrc_applied, from.qfrc_applied, nv);
  REQUIRE(forward(model, dual).ok());
  copy(d.qacc, from.qacc, nv);

  // with respect to one position, two velocities and two accelerations
  const int dofs[] = {1, 6, 24, 2, 25};
  d.qpos[1].v[0] = 1;
  d.qvel[6].v[1] = 1, d.qvel[24].v[2] = 1;
  d.qacc[2].v[3] = 1, d.qacc[25].v[4] = 1;
  REQUIRE(inverse(model, dual).ok());
  for (int k = 0; k < 5; ++k) {
    std::vector<double> side[2];
    for (int sign = 0; sign < 2; ++sign) {
      Data<double> moved = data;
      const double h = sign == 0 ? -1e-6 : 1e-6;
      const auto& m = moved.ref();
      (k == 0 ? m.qpos : k < 3 ? m.qvel : m.qacc)[dofs[k]] += h;
      REQUIRE(inverse(model, moved).ok());
      side[sign].assign(m.qfrc_inverse.data, m.qfrc_inverse.data + nv);
    }
    for (int i = 0; i < nv; ++i) {
      INFO("tangent " << k << " force " << i);
      const double expected = (side[1][at(i)] - side[0][at(i)]) / 2e-6;
      CHECK(near_relative(d.qfrc_inverse[i].v[k], expected, 1e-5, 1));
    }
  }
}
