// SPDX-License-Identifier: Apache-2.0
#include <corten/scalar/dual.hpp>

#include "../support/model.hpp"

using namespace corten;

namespace {

// a state in which limits, friction loss and contacts are all active
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
  for (const char* name : {"joints", "walker", "contacts", "equality"}) {
    const Model<double> model = converged(support::load(name), Solver::newton);
    const Data<double> data = busy_state(model);
    const auto& d = data.ref();
    REQUIRE(d.nefc > 0);
    const int nv = model.n.nv;

    // M qacc = qfrc_smooth + J' f, and each force follows from the cost of its row
    std::vector<double> Ma(std::size_t(nv), 0.0);
    tree_multiply(make_ref<DefaultPolicies>(model), nv, d.M, d.qacc, Field<double>{Ma.data()});
    for (int i = 0; i < nv; ++i) {
      CHECK(near_relative(Ma[std::size_t(i)], d.qfrc_smooth[i] + d.qfrc_constraint[i], 1e-8, 1));
    }
    for (int r = 0; r < d.nefc; ++r) {
      const double x = row_dot(jacobian_rows(d), r, d.qacc) - d.efc_aref[r];
      double force = -d.efc_D[r] * x;
      if (r >= d.ne && r < d.ne + d.nf) {
        force = std::clamp(force, -d.efc_frictionloss[r], d.efc_frictionloss[r]);
      } else if (r >= d.ne) {
        force = std::max(force, 0.0);
      }
      CHECK(near_relative(d.efc_force[r], force, 1e-7, 1));
    }
  }
}

TEST_CASE("Newton, CG and PGS find the same forces", "[solver][002-2.11][002-2.12]") {
  for (const char* name : {"walker", "joints", "equality", "cones"}) {
    const Model<double> primal = converged(support::load(name), Solver::newton);
    const Data<double> data = busy_state(primal);
    for (const Solver solver : {Solver::cg, Solver::pgs}) {
      Model<double> model = converged(primal, solver);
      if (solver == Solver::cg) model.opt.iterations = 2000;
      Data<double> other(model);
      auto& to = other.ref();
      copy(to.qpos, data.ref().qpos, primal.n.nq);
      copy(to.qvel, data.ref().qvel, primal.n.nv);
      copy(to.ctrl, data.ref().ctrl, primal.n.nu);
      REQUIRE(forward(model, other).ok());
      INFO(name << ' ' << int(solver));
      for (int i = 0; i < primal.n.nv; ++i) {
        CHECK(near_relative(to.qacc[i], data.ref().qacc[i], 1e-5, 10));
      }
    }
  }
}

TEST_CASE("the result does not depend on the start", "[solver]") {
  const Model<double> model = converged(support::load("contacts"), Solver::newton);
  Data<double> warm = busy_state(model);
  Data<double> cold = warm;
  for (int i = 0; i < model.n.nv; ++i) cold.ref().qacc_warmstart[i] = 1000.0 * (i % 3 - 1);
  REQUIRE(forward(model, cold).ok());
  for (int i = 0; i < model.n.nv; ++i) {
    CHECK(near_relative(cold.qacc()[std::size_t(i)], warm.qacc()[std::size_t(i)], 1e-6, 1));
  }
  CHECK(warm.ref().solver_niter <= cold.ref().solver_niter);
}

// near the end a step gains less than the rounding of the costs at its start and end
TEST_CASE("a step that gains little is taken", "[solver]") {
  const Model<double> model = converged(support::load("cones"), Solver::newton);
  const int nv = model.n.nv;
  Data<double> data(model);
  std::vector<double> Ma(std::size_t(nv), 0.0);
  for (int k = 0; k < 200; ++k) {
    REQUIRE(step(model, data).ok());
    const auto& d = data.ref();
    tree_multiply(make_ref<DefaultPolicies>(model), nv, d.M, d.qacc, Field<double>{Ma.data()});
    double size = 1, left = 0;
    for (int i = 0; i < nv; ++i) {
      size = std::max(size, std::abs(d.qfrc_constraint[i]));
      left = std::max(left, std::abs(Ma[std::size_t(i)] - d.qfrc_smooth[i] - d.qfrc_constraint[i]));
    }
    CHECK(left < 1e-9 * size);
  }
}

TEST_CASE("a limit of iterations is respected", "[solver]") {
  for (const Solver solver : {Solver::newton, Solver::cg, Solver::pgs}) {
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
  for (int r = d.ne + d.nf; r < d.nefc; ++r) CHECK(d.efc_force[r] >= 0);

  // a ball at rest carries its weight
  const Model<double> ball = support::parse(
      "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 0.1'><freejoint/>"
      "<geom size='0.1'/></body></worldbody></mujoco>");
  Data<double> rest(ball);
  for (int i = 0; i < 1000; ++i) REQUIRE(step(ball, rest).ok());
  REQUIRE(forward(ball, rest).ok());
  CHECK(near_relative(rest.ref().qfrc_constraint[2], 9.81 * ball.body_mass[1], 1e-3));
}

// ---- elliptic cones -----------------------------------------------------------------------------

namespace {

// the normal force, and the friction relative to what the cone allows
struct ConeLoad {
  double normal, used;
};

ConeLoad cone_load(const DataRef<double>& d, int c) {
  const Vec6<double> f = contact_force(d, c);
  double sum = 0;
  for (int k = 1; k < d.contact_dim[c]; ++k) {
    const double x = f[k] / d.contact_friction[5 * c + k - 1];
    sum += x * x;
  }
  return {f[0], std::sqrt(sum)};
}

// a box on a slope of 20 degrees, with enough friction to hold it
Model<double> incline(Solver solver, Cone cone, int noslip) {
  Model<double> model = support::parse(
      "<mujoco><worldbody><geom type='plane' size='5 5 1' euler='0 20 0'/>"
      "<body pos='0.034 0 0.094' euler='0 20 0'><freejoint/>"
      "<geom type='box' size='0.1 0.1 0.1' friction='0.6'/></body></worldbody></mujoco>");
  model.opt.solver = static_cast<int>(solver);
  model.opt.cone = static_cast<int>(cone);
  model.opt.noslip_iterations = noslip;
  return model;
}

double slip(const Model<double>& model) {
  Data<double> data(model);
  for (int i = 0; i < 300; ++i) REQUIRE(step(model, data).ok());
  const double x = data.qpos()[0], z = data.qpos()[2];
  for (int i = 0; i < 300; ++i) REQUIRE(step(model, data).ok());
  return std::hypot(data.qpos()[0] - x, data.qpos()[2] - z);
}

}  // namespace

TEST_CASE("forces of elliptic cones are inside, or on the surface where they slide", "[solver]") {
  const Model<double> model = converged(support::load("cones"), Solver::newton);
  for (const int steps : {0, 5, 40}) {
    const Data<double> data = busy_state(model, steps);
    const auto& d = data.ref();
    for (int c = 0; c < d.ncon; ++c) {
      const int row = d.contact_efc_address[c];
      if (row < 0) continue;
      // the cone of the rows ignores adhesion, and is as wide as the regularisation makes it
      const double normal = d.efc_force[row];
      const ConeLoad load = cone_load(d, c);
      CHECK(normal >= 0);
      CHECK(load.used <= normal * (1 + 1e-9));
      if (d.efc_state[row] == static_cast<int>(ConstraintState::cone) && d.contact_dim[c] > 1) {
        CHECK(near(load.used, normal, 1e-12));
      }
    }
  }
}

TEST_CASE("torsional and rolling friction slow what spins and rolls",
          "[solver][002-2.3][002-2.4]") {
  const auto run = [](const char* dim, Cone cone, bool spin) {
    Model<double> model = support::parse(
        "<mujoco><worldbody><geom type='plane' size='5 5 1' condim='1'/><body pos='0 0 "
        "0.1'><freejoint/>"
        "<geom size='0.1' friction='1 0.05 0.01' condim='" +
        std::string(dim) + "'/></body></worldbody></mujoco>");
    model.opt.cone = static_cast<int>(cone);
    Data<double> data(model);
    for (int i = 0; i < 200; ++i) REQUIRE(step(model, data).ok());  // settle
    data.qvel()[spin ? 5 : 0] = spin ? 10 : 1;
    if (!spin) data.qvel()[4] = 10;
    for (int i = 0; i < 200; ++i) {
      REQUIRE(step(model, data).ok());
      const auto& d = data.ref();
      const Vec6<double> f = contact_force(d, 0);
      if (d.ncon == 0) continue;
      for (int k = 3; k < d.contact_dim[0]; ++k) {
        CHECK(std::fabs(f[k]) <= d.contact_friction[k - 1] * f[0] * (1 + 1e-6) + 1e-12);
      }
    }
    return data.qvel()[spin ? 5 : 0];
  };
  for (const Cone cone : {Cone::pyramidal, Cone::elliptic}) {
    CHECK(near_relative(run("3", cone, true), 10, 1e-3));
    CHECK(run("4", cone, true) < 9);
    CHECK(near_relative(run("3", cone, false), 1, 1e-2));
    CHECK(run("6", cone, false) < 0.9);
  }
}

// ---- noslip -------------------------------------------------------------------------------------

namespace {

const Solver solvers[] = {Solver::pgs, Solver::cg, Solver::newton};
const Cone cones[] = {Cone::pyramidal, Cone::elliptic};

bool is_limit(const DataRef<double>& d, int r) {
  return d.efc_type[r] == static_cast<int>(ConstraintType::limit_joint) ||
         d.efc_type[r] == static_cast<int>(ConstraintType::limit_tendon);
}

// b + A f of a row: the acceleration along it, minus the reference
double bare_residual(const DataRef<double>& d, int r) {
  return row_dot(jacobian_rows(d), r, d.qacc) - d.efc_aref[r];
}

// the largest residual of contact c that friction is free to remove; negative if there is none
double free_residual(const DataRef<double>& d, int c, bool elliptic) {
  const int row = d.contact_efc_address[c], dim = d.contact_dim[c];
  double most = -1;
  if (row < 0 || dim == 1) return most;
  if (elliptic) {
    if (cone_load(d, c).used > 0.999 * d.efc_force[row]) return most;  // on the cone
    for (int k = 1; k < dim; ++k) {
      most = std::max(most, std::fabs(bare_residual(d, row + k)));
    }
    return most;
  }
  // the sum of two edges is fixed, so only their difference can change
  for (int r = row; r < row + 2 * (dim - 1); r += 2) {
    if (std::min(d.efc_force[r], d.efc_force[r + 1]) < 1e-3) continue;  // on the pyramid
    const double across = bare_residual(d, r) - bare_residual(d, r + 1);
    most = std::max(most, std::fabs(across));
  }
  return most;
}

// One state solved with and without noslip. An arm leans on the floor with a joint at its limit;
// friction loss holds one of its joints and slips in another, and the tip sticks. Next to it one
// ball rolls, one spins and one slides.
struct Compared {
  Model<double> model;
  Data<double> without, with;
};

Compared compare_noslip(Solver solver, Cone cone) {
  Model<double> model = support::parse(R"(
<mujoco><worldbody><geom type="plane" size="5 5 1"/>
  <body pos="0 0 0.5"><joint axis="0 1 0" range="-10 50"/><joint axis="0 0 1" frictionloss="50"/>
    <geom type="capsule" size="0.04" fromto="0 0 0 0.4 0 0" contype="0" conaffinity="0"/>
    <body pos="0.4 0 0"><joint axis="0 1 0" frictionloss="0.1"/>
      <geom type="capsule" size="0.04" fromto="0 0 0 0.1 0 0" contype="0" conaffinity="0"/>
      <geom size="0.1" pos="0.2 0 0"/></body></body>
  <body pos="1 0 0.099"><freejoint/><geom size="0.1" condim="6" friction="0.7 0.05 0.01"/></body>
  <body pos="2 0 0.099"><freejoint/><geom size="0.1" condim="4" friction="0.7 0.05 0.01"/></body>
  <body pos="3 0 0.099"><freejoint/><geom size="0.1"/></body>
</worldbody></mujoco>)");
  model.opt.solver = static_cast<int>(solver);
  model.opt.cone = static_cast<int>(cone);
  Data<double> without(model);
  without.qpos()[0] = 0.9;
  without.qpos()[2] = -0.5;
  const double v[] = {0.02, 0.005, 0.3, 0.005, 0.002, 0,  -0.01, 0.02, 0.01, 0, 0,
                      0,    0,     0,   20,    2,     -1, 0,     0,    0,    0};
  for (std::size_t i = 0; i < 21; ++i) without.qvel()[i] = v[i];
  REQUIRE(forward(model, without).ok());
  Model<double> sweeping = model;
  sweeping.opt.noslip_iterations = 1000;
  sweeping.opt.noslip_tolerance = 0;
  Data<double> with(sweeping);
  REQUIRE(copy_state(without, with, state_integration).ok());
  REQUIRE(forward(sweeping, with).ok());
  REQUIRE(without.nefc() == with.nefc());
  return {sweeping, without, with};
}

}  // namespace

TEST_CASE("noslip keeps a box on a slope, with forces that push",
          "[solver][003-33.1][003-33.2][003-33.8]") {
  for (const Solver solver : solvers) {
    for (const Cone cone : cones) {
      INFO(int(solver) << ' ' << int(cone));
      const double without = slip(incline(solver, cone, 0)), with = slip(incline(solver, cone, 20));
      CHECK(without > 1e-4);
      CHECK(with < 0.05 * without);
    }
    // pushed until it slides, with friction at its bound
    const Model<double> model = incline(solver, Cone::pyramidal, 20);
    Data<double> data(model);
    int at_bound = 0;
    for (int i = 0; i < 100; ++i) {
      data.qfrc_applied()[0] = i < 50 ? 0 : 100;
      REQUIRE(step(model, data).ok());
      for (int r = 0; r < data.nefc(); ++r) {
        CHECK(data.ref().efc_force[r] >= 0);
        at_bound += data.ref().efc_force[r] == 0;
      }
    }
    CHECK(at_bound > 100);
  }
}

TEST_CASE("noslip changes friction and nothing else",
          "[solver][003-33.6][003-33.7][003-33.10][003-33.11]") {
  for (const Solver solver : solvers) {
    for (const Cone cone : cones) {
      INFO(int(solver) << ' ' << int(cone));
      const Compared both = compare_noslip(solver, cone);
      const auto &a = both.without.ref(), &b = both.with.ref();
      int limits = 0, changed = 0;
      for (int r = 0; r < b.nefc; ++r) {
        changed += b.efc_force[r] != a.efc_force[r];
        if (r < b.ne || is_limit(b, r)) CHECK(b.efc_force[r] == a.efc_force[r]);
        limits += is_limit(b, r) && b.efc_force[r] > 0;
      }
      CHECK(limits > 0);
      CHECK(changed > 5);
      for (int r = b.ne; r < b.ne + b.nf; ++r) {
        CHECK(std::fabs(b.efc_force[r]) <= b.efc_frictionloss[r]);
      }
      for (int c = 0; c < b.ncon; ++c) {
        const int row = b.contact_efc_address[c], dim = b.contact_dim[c];
        if (row < 0) continue;
        if (cone == Cone::elliptic) {
          CHECK(b.efc_force[row] == a.efc_force[row]);
          CHECK(cone_load(b, c).used <= b.efc_force[row] * (1 + 1e-9));
          continue;
        }
        // each sweep rounds the mean of two edges, and both edges from it, once
        for (int r = row; r < row + 2 * (dim - 1); r += 2) {
          const double sum = a.efc_force[r] + a.efc_force[r + 1];
          CHECK(near_relative(b.efc_force[r] + b.efc_force[r + 1], sum, 1e-12));
        }
      }
    }
  }
}

TEST_CASE("noslip ends where friction within its bounds leaves nothing to do",
          "[solver][003-33.9][003-33.11]") {
  for (const Solver solver : solvers) {
    for (const Cone cone : cones) {
      INFO(int(solver) << ' ' << int(cone));
      const Compared both = compare_noslip(solver, cone);
      const auto &a = both.without.ref(), &b = both.with.ref();
      const int nv = both.model.n.nv;
      // the acceleration follows from the forces of all rows
      std::vector<double> left(std::size_t(nv), 0.0);
      tree_multiply(make_ref<DefaultPolicies>(both.model), nv, b.M, b.qacc,
                    Field<double>{left.data()});
      for (int i = 0; i < nv; ++i) {
        double force = b.qfrc_smooth[i];
        for (int r = 0; r < b.nefc; ++r) force += b.efc_J[r * nv + i] * b.efc_force[r];
        CHECK(near(left[std::size_t(i)], force, 1e-9));
      }
      int losses = 0, contacts = 0;
      for (int r = b.ne; r < b.ne + b.nf; ++r) {
        if (std::fabs(b.efc_force[r]) > 0.999 * b.efc_frictionloss[r]) continue;
        ++losses;
        CHECK(std::fabs(bare_residual(b, r)) < 1e-8);
        CHECK(std::fabs(bare_residual(a, r)) > 1e-6);
      }
      for (int c = 0; c < b.ncon; ++c) {
        const double most = free_residual(b, c, cone == Cone::elliptic);
        if (most < 0) continue;
        ++contacts;
        CHECK(most < 1e-8);
      }
      CHECK(losses > 0);
      CHECK(contacts > 0);
    }
  }
}

TEST_CASE("without sweeps noslip changes nothing", "[solver][003-33.5]") {
  for (const Solver solver : solvers) {
    for (const Cone cone : cones) {
      INFO(int(solver) << ' ' << int(cone));
      const Model<double> model = incline(solver, cone, 0);
      Model<double> once = incline(solver, cone, 1);
      Data<double> data(model);
      for (int i = 0; i < 20; ++i) REQUIRE(step(model, data).ok());
      Data<double> alone = data, swept(once);
      REQUIRE(copy_state(data, swept, state_integration).ok());
      REQUIRE(forward(model, data).ok());
      REQUIRE(forward(once, swept).ok());
      REQUIRE(forward(model, alone).ok());

      // the solver by itself, from the same start
      const auto m = make_ref<DefaultPolicies>(model);
      const auto& d = alone.ref();
      auto problem = make_problem(m, d, false);
      detail::run_solver(m, d, problem, detail::IslandsInTurn{});
      bool other = false;
      for (int r = 0; r < data.nefc(); ++r) {
        CHECK(data.ref().efc_force[r] == d.efc_force[r]);
        CHECK(data.ref().efc_state[r] == d.efc_state[r]);
        other = other || swept.ref().efc_force[r] != d.efc_force[r];
      }
      for (int i = 0; i < model.n.nv; ++i) CHECK(data.ref().qacc[i] == d.qacc[i]);
      CHECK(data.ref().solver_niter == d.solver_niter);
      CHECK(other);  // and not because there was nothing to do
    }
  }
}

TEST_CASE("without normal force there is no friction", "[solver][003-33.12]") {
  for (const Solver solver : solvers) {
    for (const Cone cone : cones) {
      INFO(int(solver) << ' ' << int(cone));
      // Lifted off while it slides: still touching, but without force, so friction would have work
      // to do.
      const Model<double> model = incline(solver, cone, 5);
      Data<double> data(model);
      data.qvel()[0] = 3;
      data.qvel()[2] = 3;
      REQUIRE(forward(model, data).ok());
      const auto& d = data.ref();
      REQUIRE(d.nefc > 0);
      for (int r = 0; r < d.nefc; ++r) CHECK(d.efc_force[r] == 0);
      for (int i = 0; i < model.n.nv; ++i) CHECK(near(d.qacc[i], d.qacc_smooth[i], 1e-12));

      // any friction that is present is removed
      if (cone == Cone::pyramidal) continue;
      const auto m = make_ref<DefaultPolicies>(model);
      const auto p = make_problem(m, d, false);
      for (int r = 0; r < d.nefc; ++r) p.force[r] = r % 3 == 0 ? 1e-16 : 1e5;
      noslip(m, d, p);
      for (int r = 0; r < d.nefc; ++r) CHECK(p.force[r] == (r % 3 == 0 ? 1e-16 : 0.0));
    }
  }
}

// ---- large islands ------------------------------------------------------------------------------

namespace {

// A heap of balls, boxes and jointed arms in a funnel, some of them tied to each other: islands of
// several hundred dofs, with free bodies, branching trees and rows across trees.
Model<double> heap(JacobianKind jacobian, Cone cone) {
  std::string bodies, ties;
  for (int i = 0; i < 36; ++i) {
    const std::string place = std::to_string(0.11 * (i % 3) - 0.11 + 0.01 * (i % 2)) + ' ' +
                              std::to_string(0.11 * (i / 3 % 3) - 0.11 - 0.01 * (i % 5)) + ' ' +
                              std::to_string(0.1 + 0.1 * (i / 9));
    const std::string name = "b" + std::to_string(i);
    bodies += "<body name='" + name + "' pos='" + place + "'><freejoint/>";
    if (i % 4 == 3) {
      bodies +=
          "<geom type='capsule' size='0.02' fromto='0 0 0 0.06 0 0'/>"
          "<body pos='0.06 0 0'><joint axis='0 1 0' range='-40 40'/><joint axis='0 0 1'/>"
          "<geom type='capsule' size='0.02' fromto='0 0 0 0.05 0 0'/></body>"
          "<body><joint axis='0 1 0' frictionloss='0.01'/>"
          "<geom type='capsule' size='0.02' fromto='0 0 0 0 0.05 0'/></body>";
    } else {
      bodies += i % 2 == 0 ? "<geom size='0.05'/>" : "<geom type='box' size='0.04 0.04 0.04'/>";
    }
    bodies += "</body>";
    if (i % 12 == 7) {
      ties +=
          "<connect body1='" + name + "' body2='b" + std::to_string(i - 5) + "' anchor='0 0 0.1'/>";
    }
  }
  Model<double> model = support::parse(
      "<mujoco><compiler autolimits='true'/><worldbody><geom type='plane' size='2 2 1'/>"
      "<geom type='plane' size='2 2 1' pos='-0.1 0 0' zaxis='1 0 0.6'/>"
      "<geom type='plane' size='2 2 1' pos='0.1 0 0' zaxis='-1 0.2 0.6'/>" +
      bodies + "</worldbody><equality>" + ties + "</equality></mujoco>");
  model.opt.jacobian = static_cast<int>(jacobian);
  model.opt.cone = static_cast<int>(cone);
  return model;
}

// the largest difference, relative to the largest number
template <class A, class B>
double apart(const A* a, const B* b, int count) {
  double difference = 0, size = 0;
  for (int i = 0; i < count; ++i) {
    difference = std::max(difference, std::fabs(double(a[i]) - double(b[i])));
    size = std::max(size, std::fabs(double(b[i])));
  }
  return difference / size;
}

template <class S>
Data<S> state_of(const Model<double>& model, const Data<double>& from, Capacity capacity = {}) {
  Data<S> to(model, capacity);
  copy(to.ref().qpos, from.ref().qpos, model.n.nq);
  copy(to.ref().qvel, from.ref().qvel, model.n.nv);
  copy(to.ref().qacc_warmstart, from.ref().qacc_warmstart, model.n.nv);
  return to;
}

}  // namespace

TEST_CASE("a sparse factor of the Hessian finds what a dense one does", "[solver]") {
  for (const Cone cone : {Cone::pyramidal, Cone::elliptic}) {
    const Model<double> sparse = heap(JacobianKind::sparse, cone);
    const Model<double> dense = heap(JacobianKind::dense, cone);
    const int nv = sparse.n.nv;
    Data<double> data(sparse);
    int largest = 0, iterations = 0;
    for (int i = 0; i < 120; ++i) {
      REQUIRE(step(sparse, data).ok());
      if (i % 6 != 5) continue;
      Data<double> other = state_of<double>(dense, data), same = state_of<double>(sparse, data);
      REQUIRE(forward(dense, other).ok());
      REQUIRE(forward(sparse, same).ok());
      CHECK(apart(same.ref().qacc.data, other.ref().qacc.data, nv) < 1e-9);
      CHECK(same.ref().solver_niter == other.ref().solver_niter);
      iterations = std::max(iterations, int(same.ref().solver_niter));
      const auto& d = same.ref();
      for (int k = 0; k < d.nisland; ++k) {
        largest = std::max(largest, d.isl_dofadr[k + 1] - d.isl_dofadr[k]);
      }
    }
    CHECK(largest > 150);
    CHECK(iterations > 2);  // rows have changed their pieces

    // single precision: the forces are those of rows that are stiff, so digits are lost
    Data<float> rough = state_of<float>(sparse, data);
    REQUIRE(forward(sparse, data).ok());
    REQUIRE(forward(sparse, rough).ok());
    CHECK(apart(rough.ref().qacc.data, data.ref().qacc.data, nv) < 2e-2);
  }
}

TEST_CASE("derivatives are those of the dense Hessian", "[solver]") {
  using S = Dual<double, 8>;
  for (const Cone cone : {Cone::pyramidal, Cone::elliptic}) {
    const Model<double> sparse = heap(JacobianKind::sparse, cone);
    const Model<double> dense = heap(JacobianKind::dense, cone);
    const int nv = sparse.n.nv;
    Data<double> data(sparse);
    for (int i = 0; i < 100; ++i) REQUIRE(step(sparse, data).ok());
    std::vector<double> tangents[2];
    for (const Model<double>* model : {&sparse, &dense}) {
      Data<S> dual = state_of<S>(*model, data);
      for (int k = 0; k < 8; ++k) tangent(dual.ref().qvel[7 * k], k) = 1;
      REQUIRE(forward(*model, dual).ok());
      for (int i = 0; i < 8 * nv; ++i) {
        tangents[model == &dense].push_back(tangent(dual.ref().qacc[i / 8], i % 8));
      }
    }
    CHECK(apart(tangents[0].data(), tangents[1].data(), 8 * nv) < 1e-8);
  }
}

TEST_CASE("the memory of a large factor grows on demand", "[solver]") {
  const Model<double> model = heap(JacobianKind::sparse, Cone::pyramidal);
  Data<double> data(model);
  for (int i = 0; i < 60; ++i) REQUIRE(step(model, data).ok());
  const auto start = [&](Capacity capacity, int hessian, int factor) {
    capacity.hessian = hessian;
    capacity.factor = factor;
    return state_of<double>(model, data, capacity);
  };
  REQUIRE(forward(model, data).ok());
  const Capacity room = data.ref().n.capacity();
  for (const auto& [hessian, factor] : {std::pair{100, room.factor}, {room.hessian, 100}}) {
    Capacity growing = room;
    growing.grow = true;
    Data<double> small = start(growing, hessian, factor);
    CHECK(forward(model, small).ok());
    CHECK(apart(small.ref().qacc.data, data.ref().qacc.data, model.n.nv) == 0);

    Data<double> fixed = start(room, hessian, factor);
    CHECK(forward(model, fixed).has(rows_full));
    const Capacity needed = fixed.needed();
    CHECK((needed.hessian > hessian || needed.factor > factor));
  }

  // a pattern that is there is used again, to the same bits
  Data<double> again = data;
  REQUIRE(forward(model, again).ok());
  CHECK(apart(again.ref().qacc.data, data.ref().qacc.data, model.n.nv) == 0);
}

// three towers of four boxes; the second loses its top, later the first its second box
TEST_CASE("islands that stay as they are keep their patterns, to the same bits", "[solver]") {
  std::string text = "<mujoco><worldbody><geom type='plane' size='0 0 1'/>";
  for (int i = 0; i < 12; ++i) {
    text += "<body pos='" + std::to_string(i / 4) + " 0 " + std::to_string(0.05 + 0.099 * (i % 4)) +
            "'><freejoint/><geom type='box' size='.1 .1 .05'/></body>";
  }
  const Model<double> model = support::parse(text + "</worldbody></mujoco>");
  Data<double> data(model);
  for (int k = 0; k < 5; ++k) REQUIRE(step(model, data).ok());
  for (const int box : {7, 1, 11}) {
    data.qpos()[std::size_t(7 * box)] += 0.15;
    REQUIRE(forward(model, data).ok());
    Data<double> fresh(model);
    copy(fresh.ref().qpos, data.ref().qpos, model.n.nq);
    copy(fresh.ref().qvel, data.ref().qvel, model.n.nv);
    copy(fresh.ref().qacc_warmstart, data.ref().qacc_warmstart, model.n.nv);
    REQUIRE(forward(model, fresh).ok());
    CHECK(data.ref().nisland == fresh.ref().nisland);
    CHECK(apart(fresh.ref().qacc.data, data.ref().qacc.data, model.n.nv) == 0);
  }
}
