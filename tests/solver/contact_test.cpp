// SPDX-License-Identifier: Apache-2.0
//
// Contacts of 1, 3, 4 and 6 dimensions, their cones and warm starts, and noslip after each solver.
#include "scenes.hpp"

#include <algorithm>

using namespace scenes;

// ---- dimensions of contacts ---------------------------------------------------------------------

TEST_CASE("a frictionless contact pushes along its normal only", "[solver][002-2.1]") {
  for (const Solver solver : solvers) {
    for (const Cone cone : cones) {
      Model<double> model = scene(ball, solver, cone);
      for (int& dim : model.geom_condim) dim = 1;
      Data<double> data(model);
      data.qfrc_applied()[0] = 2;
      for (int i = 0; i < 100; ++i) {
        REQUIRE(step(model, data).ok());
        const auto& d = data.ref();
        REQUIRE(d.ncon == 1);
        const Vec6<double> f = contact_force(d, 0);
        CHECK(f[0] >= 0);
        for (int k = 1; k < 6; ++k) CHECK(f[k] == 0);
        for (const int k : {0, 1, 3, 4, 5}) CHECK(d.qfrc_constraint[k] == 0);
      }
      CHECK(std::fabs(data.qvel()[0] - 2 * 100 * 0.002) <= 1e-12);  // 1 kg, with nothing in its way
    }
  }
}

// the force acts on the bodies in the frame and at the point of detection
TEST_CASE("one frame serves detection, rows and forces", "[solver][002-2.0]") {
  for (const Cone cone : cones) {
    const Model<double> model = scene(mixed, Solver::newton, cone);
    Data<double> data(model);
    set_velocity(data, {0.3, 0.1, -0.2, 1, 2, 3});
    REQUIRE(forward(model, data).ok());
    const auto& d = data.ref();
    REQUIRE(d.ncon == 4);
    for (int c = 0; c < 4; ++c) {
      const int body = model.geom_bodyid[std::size_t(d.contact_geom[2 * c + 1])],
                dof = 6 * (body - 1);
      const Mat3<double> frame = mat3<double>(d.contact_frame, c);  // rows: normal, two tangents
      const Vec6<double> f = contact_force(d, c);
      const Vec3<double> arm = vec3<double>(d.contact_pos, c) - vec3<double>(d.xpos, body);
      const Vec3<double> push = frame.transpose() * Vec3<double>(f[0], f[1], f[2]);
      const Vec3<double> twist =
          cross(arm, push) + frame.transpose() * Vec3<double>(f[3], f[4], f[5]);
      const Vec3<double> local = mat3<double>(d.xmat, body).transpose() * twist;
      CHECK(push.norm() > 1);
      for (int k = 0; k < 3; ++k) {
        CHECK(std::fabs(d.qfrc_constraint[dof + k] - push[k]) <= 1e-12 * push.norm());
        CHECK(std::fabs(d.qfrc_constraint[dof + 3 + k] - local[k]) <= 1e-12 * push.norm());
      }
    }
  }
}

TEST_CASE("contacts of three dimensions are MuJoCo's, and the default",
          "[solver][002-2.2][002-2.7]") {
  // MuJoCo 3.12.0: a ball that touches down, slides and spins; edges of the pyramid, then the cone
  const std::vector<double> expected[] = {
      {4.883499426894428, 9.132553911055684, 9.843091031364741, 4.1729623065853785},
      {28.032106675900287, -4.378567030271995, 5.842956070406311}};
  for (const Cone cone : cones) {
    const Model<double> model = scene(ball, Solver::newton, cone);
    for (const int dim : model.geom_condim) CHECK(dim == 3);
    Data<double> data(model);
    set_velocity(data, {0.3, 0.1, -0.2, 1, 2, 3});
    REQUIRE(forward(model, data).ok());
    const auto& want = expected[static_cast<int>(cone)];
    REQUIRE(data.nefc() == int(want.size()));
    for (std::size_t r = 0; r < want.size(); ++r) {
      CHECK(std::fabs(data.ref().efc_force[int(r)] - want[r]) <= 1e-13 * want[0]);
    }

    // given explicitly, it is the same to the last bit
    std::string said = stack(2), word = "<geom ";
    for (auto at = said.find(word); at != std::string::npos; at = said.find(word, at + 1)) {
      said.insert(at + word.size(), "condim='3' ");
    }
    Model<double> plain = scene(stack(2), Solver::newton, cone);
    Model<double> spelled = scene(said, Solver::newton, cone);
    Data<double> a(plain), b(spelled);
    for (int i = 0; i < 50; ++i) {
      REQUIRE(step(plain, a).ok());
      REQUIRE(step(spelled, b).ok());
    }
    CHECK(std::equal(a.qpos().begin(), a.qpos().end(), b.qpos().begin()));
    CHECK(constraint_force(a) == constraint_force(b));
  }
}

TEST_CASE("both cones exist, the pyramid is the default", "[solver][002-2.10]") {
  const Model<double> model =
      support::parse("<mujoco><worldbody>" + ball + "</worldbody></mujoco>");
  CHECK(model.opt.cone == static_cast<int>(Cone::pyramidal));
  for (const Cone cone : cones) {
    Model<double> same = model;
    same.opt.cone = static_cast<int>(cone);
    Data<double> data(same);
    CHECK(step(same, data).bits == 0);
    CHECK(data.nefc() == (cone == Cone::pyramidal ? 4 : 3));
  }
}

namespace {

// forces of one contact after projection onto its cone
std::vector<double> projected(std::vector<double> force, std::vector<double> friction) {
  int id[] = {0}, dim[] = {int(force.size())};
  double mu[] = {1};
  Problem<double, Contiguous, true> p;
  p.force = Field<double>{force.data()};
  p.id = Field<int>{id};
  p.dim = Field<int>{dim};
  p.mu = Field<const double>{mu};
  p.friction = Field<const double>{friction.data()};
  detail::project_cone(p, 0, dim[0]);
  return force;
}

}  // namespace

TEST_CASE("forces are projected onto circular and elliptic cones", "[solver][002-2.8][002-2.9]") {
  const auto check = [](const std::vector<double>& got, const std::vector<double>& want) {
    CHECK(difference(got, want) <= 1e-15 * norm(want));
  };
  const std::vector<double> round{0.5, 0.5}, oval{1, 0.5};
  check(projected({2, 0.5, 0.5}, round), {2, 0.5, 0.5});
  check(projected({1, 2, 2}, round), {1, std::sqrt(0.125), std::sqrt(0.125)});
  check(projected({-1, 0.5, 0.5}, round), {0, 0, 0});
  check(projected({1, 0, 0}, round), {1, 0, 0});
  for (const double angle :
       {0.1, 1.0, 2.0, 4.0}) {  // any direction: 3 N of friction become 0.5 · 2 N
    check(projected({2, 3 * std::cos(angle), 3 * std::sin(angle)}, round),
          {2, std::cos(angle), std::sin(angle)});
  }

  check(projected({1, 0.8, 0.4}, oval), {1, std::sqrt(0.5), std::sqrt(0.125)});
  const auto edge = projected({1, 0.8, 0.4}, oval);
  CHECK(std::fabs(edge[1] * edge[1] + 4 * edge[2] * edge[2] - 1) <= 1e-15);
  check(projected({1, 3, 0}, oval), {1, 1, 0});
  check(projected({1, 0, 3}, oval), {1, 0, 0.5});
}

// there is no fallback solver: CG's result after one iteration is applied
TEST_CASE("CG at its limit keeps forces in their cones, whatever their dimensions",
          "[solver][002-2.13]") {
  for (const Cone cone : cones) {
    Model<double> model = scene(mixed, Solver::cg, cone);
    model.opt.iterations = 1;
    model.opt.tolerance = 1e-15;
    Data<double> data(model);
    set_velocity(data, {0.3, 0.1, -0.2, 1, 2, 3});
    int limited = 0;
    for (int i = 0; i < 200; ++i) {
      limited += step(model, data).has(solver_limit) ? 1 : 0;
      REQUIRE(in_cones(data.ref()));
      CHECK(data.ref().solver_niter <= 1);
    }
    CHECK(limited > 50);
    for (int b = 0; b < 4; ++b) {
      CHECK(data.qpos()[std::size_t(7 * b + 2)] > 0.045);  // none sank in or flew off
      CHECK(data.qpos()[std::size_t(7 * b + 2)] < 0.055);
    }
  }
}

// accelerations are a valid start for any number and kind of rows
TEST_CASE("a warm start is kept while it helps, and dropped when it does not",
          "[solver][002-2.17]") {
  for (const Solver solver : solvers) {
    for (const Cone cone : cones) {
      INFO(int(solver) << ' ' << int(cone));
      Model<double> model = scene(mixed, solver, cone);
      Model<double> cold = model;
      cold.opt.disableflags |= disable_warmstart;
      Data<double> data(model);
      set_velocity(data, {0.3, 0.1, -0.2, 1, 2, 3});
      for (int i = 0; i < 20; ++i) REQUIRE(step(model, data).ok());
      const auto solved = [](const Model<double>& m, Data<double> d) {
        REQUIRE(forward(m, d).ok());
        return d;
      };

      // On the same rows, with no iterations at all, a warm start has the forces and a cold one is
      // far off.
      const Data<double> fresh = solved(cold, data);
      const auto force = constraint_force(fresh);
      Model<double> warm_only = model, cold_only = cold;
      for (Model<double>* m : {&warm_only, &cold_only}) m->opt.iterations = m->opt.enableflags = 0;
      Data<double> start = data;
      copy(start.ref().qacc_warmstart, fresh.ref().qacc, model.n.nv);
      CHECK(difference(constraint_force(solved(warm_only, start)), force) <= 1e-2 * norm(force));
      CHECK(difference(constraint_force(solved(cold_only, start)), force) > 0.5 * norm(force));

      // a start that is worse than none leaves no trace
      Data<double> spoiled = data;
      for (int i = 0; i < model.n.nv; ++i) spoiled.ref().qacc_warmstart[i] = 1e6;
      CHECK(constraint_force(solved(model, spoiled)) == constraint_force(fresh));

      // contacts with other dimensions than those that the start came from
      for (const int dim : {6, 4, 3, 1}) {
        for (int& d : model.geom_condim) d = dim;
        for (int& d : cold.geom_condim) d = dim;
        const Data<double> a = solved(model, data), b = solved(cold, data);
        CHECK(a.ref().contact_dim[0] == dim);
        CHECK(difference(a.qacc(), b.qacc()) <= 1e-3 * norm(b.qacc()));
      }
    }
  }
}

// ---- noslip -------------------------------------------------------------------------------------

namespace {

// the acceleration of a box that lands on a slope of 20 degrees, after ten sweeps of noslip
Data<double> landing(Solver solver, Cone cone, bool limited) {
  Model<double> model = scene(
      "<geom type='plane' size='5 5 1' euler='0 20 0'/><body pos='0.034 0 0.094' euler='0 20 0'>"
      "<freejoint/><geom type='box' size='0.1 0.1 0.1' friction='0.6'/></body>",
      solver, cone);
  model.opt.noslip_iterations = 10;
  if (limited) {
    model.opt.iterations = 1;
    model.opt.tolerance = 1e-15;
  }
  Data<double> data(model);
  set_velocity(data, {0.3, 0.1, -0.2, 1, 2, 3});
  CHECK(forward(model, data).has(solver_limit) == limited);
  return data;
}

}  // namespace

TEST_CASE("noslip after Newton is MuJoCo's", "[solver][003-33.3]") {
  // MuJoCo 3.12.0
  const std::vector<double> expected[] = {
      {-10.694738761966054, -8.265942022113423, 26.95516157400933, -138.29199123081074,
       -124.05735715961708, -262.3060488165242},
      {-12.226598337083676, -10.334719022798213, 28.081319510994796, -159.20590020574807,
       -104.70790417671897, -263.7735438973711}};
  for (const Cone cone : cones) {
    const auto& want = expected[static_cast<int>(cone)];
    const Data<double> data = landing(Solver::newton, cone, false);
    CHECK(difference(data.qacc(), want) <= 1e-11 * norm(want));
  }
}

TEST_CASE("noslip follows a solver that ran out of iterations, as in MuJoCo",
          "[solver][003-33.4]") {
  struct Case {
    Solver solver;
    Cone cone;
    int iterations;  // one, plus the sweeps of noslip
    std::vector<double> qacc;
  };
  // MuJoCo 3.12.0
  const Case cases[] = {
      {Solver::newton,
       Cone::pyramidal,
       11,
       {-7.951218301755459, -7.0646401550500135, 33.17720202059795, -139.86302823362033,
        -29.942817024774055, -315.77711394772774}},
      {Solver::newton,
       Cone::elliptic,
       11,
       {-26.511552481633306, -15.673373661035665, 92.78932379233274, -55.77005329591228,
        -410.2899031431487, -313.8020492823631}},
      {Solver::cg,
       Cone::pyramidal,
       11,
       {-24.14473966103992, -67.73462051890776, 205.1873213187959, 467.0954861931402,
        -770.5123243450003, -315.9500012836252}},
      {Solver::cg,
       Cone::elliptic,
       8,
       {-63.72175217192137, -78.9027024865231, 347.5062759557781, 578.6344479719453,
        -1629.3961126212828, -315.7857191622728}},
      {Solver::pgs,
       Cone::pyramidal,
       4,
       {-6.837419861182049, -6.944994236230076, 26.372508208356457, -266.35658398079937,
        -191.9616465836178, -190.5416499756325}},
      {Solver::pgs,
       Cone::elliptic,
       8,
       {-4.9708158882241635, -8.824787259870863, 8.21731299926156, -150.5736069193533,
        -66.08173966456637, -205.139936816108}},
  };
  for (const Case& c : cases) {
    INFO(int(c.solver) << ' ' << int(c.cone));
    const Data<double> data = landing(c.solver, c.cone, true);
    CHECK(data.ref().solver_niter == c.iterations);
    CHECK(difference(data.qacc(), c.qacc) <= 1e-11 * norm(c.qacc));
  }
}
