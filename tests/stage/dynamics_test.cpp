// SPDX-License-Identifier: Apache-2.0
//
// Properties of the smooth dynamics that hold for any model and state.
#include <corten/scalar/dual.hpp>

#include "../support/model.hpp"

#include <Eigen/Dense>

#include <limits>

using namespace corten;

namespace {

const char* const chain = R"(
<mujoco>
  <option gravity="0 0 0"/>
  <worldbody>
    <body>
      <freejoint/>
      <geom type="box" size="0.2 0.1 0.05"/>
      <body pos="0.2 0 0">
        <joint type="ball"/>
        <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.04"/>
        <body pos="0.3 0 0">
          <joint axis="0 1 0"/>
          <joint type="slide" axis="1 0 0"/>
          <geom type="sphere" size="0.07" pos="0.1 0 0"/>
        </body>
      </body>
      <body pos="-0.2 0 0">
        <joint axis="0 0 1" pos="0.02 0 0"/>
        <geom type="cylinder" size="0.05 0.1" pos="-0.1 0 0"/>
      </body>
    </body>
  </worldbody>
</mujoco>)";

Eigen::MatrixXd full_M(const Model<double>& model, const DataRef<double>& d) {
  const int nv = model.n.nv;
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(nv, nv);
  for (int i = 0; i < nv; ++i) {
    const int row = model.M_rowadr[std::size_t(i)];
    for (int k = row; k < row + model.M_rownnz[std::size_t(i)]; ++k) {
      const int j = model.M_colind[std::size_t(k)];
      out(i, j) = out(j, i) = d.M[k];
    }
  }
  return out;
}

}  // namespace

TEST_CASE("the inertia matrix is that of the kinetic energy of the bodies", "[stage]") {
  for (const char* name : {"joints", "actuators", "contacts", "walker"}) {
    const Model<double> model = support::load(name);
    const auto m = make_ref<DefaultPolicies>(model);
    Data<double> data(model);
    support::perturb(model, data, 11, 0.3, 1.0);
    auto& d = data.ref();
    REQUIRE(forward(m, d).ok());

    // Σ ½ m |v|² + ½ w'Iw over the bodies, plus armature
    double energy = 0;
    for (int b = 1; b < model.n.nbody; ++b) {
      const Vec6<double> v = point_velocity(m, d, b, vec3<double>(d.xipos, b));
      const Vec3<double> w = mat3<double>(d.ximat, b).transpose() * v.head<3>();
      energy += 0.5 * model.body_mass[std::size_t(b)] * v.tail<3>().squaredNorm();
      energy += 0.5 * w.dot(vec3<double>(m.body_inertia, b).asDiagonal() * w);
    }
    for (int i = 0; i < model.n.nv; ++i) {
      energy += 0.5 * model.dof_armature[std::size_t(i)] * d.qvel[i] * d.qvel[i];
    }
    for (int t = 0; t < model.n.ntendon; ++t) {
      energy += 0.5 * model.tendon_armature[std::size_t(t)] * d.ten_velocity[t] * d.ten_velocity[t];
    }
    const Eigen::Map<const Eigen::VectorXd> v(d.qvel.data, model.n.nv);
    CHECK(near_relative(0.5 * v.dot(full_M(model, d) * v), energy, 1e-12));
  }
}

// A simple body's row of M is just its diagonal, but its tree is larger than the body if a static
// parent has mass or other children.
TEST_CASE("simple bodies on a static parent have their own inertia", "[stage]") {
  const Model<double> model = support::parse(R"(
    <mujoco><worldbody>
      <body>
        <geom type="box" size=".3 .3 .3" mass="1"/>
        <body pos="0 -.3 -.3">
          <inertial pos="0 0 0" mass=".01" diaginertia="1e-4 1e-4 1e-4"/>
          <joint axis="1 0 0"/>
        </body>
        <body><joint type="slide"/><geom size=".1" mass="3"/></body>
      </body>
    </worldbody></mujoco>)");
  REQUIRE(model.dof_simplenum == List<int>{2, 1});
  const auto m = make_ref<DefaultPolicies>(model);
  Data<double> data(model);
  for (double& v : data.qvel()) v = 1;
  REQUIRE(forward(m, data.ref()).ok());
  const Eigen::MatrixXd M = full_M(model, data.ref());
  CHECK(std::abs(M(0, 0) - 1e-4) < 1e-17);
  CHECK(std::abs(M(1, 1) - 3) < 1e-15);
  CHECK(M(0, 1) == 0);
}

TEST_CASE("the sparse solve is the dense one", "[stage][000-2.1]") {
  // hinges, sliders, balls and free bodies, in chains and branches
  for (const Model<double>& model : {support::load("joints"), support::load("actuators"),
                                     support::load("walker"), support::parse(chain)}) {
    const auto m = make_ref<DefaultPolicies>(model);
    Data<double> data(model);
    support::perturb(model, data, 12, 0.5, 0.0);
    REQUIRE(forward(m, data.ref()).ok());
    Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(model.n.nv, -1, 1);
    const Eigen::VectorXd expected = full_M(model, data.ref()).llt().solve(x);
    solve_M(m, data.ref(), Field<double>{x.data()});
    CHECK((x - expected).norm() <= 1e-12 * expected.norm());
  }
}

namespace {

// a letter opens a body with a free joint, a ball or a hinge; ")" closes it
std::string tree_of(const std::string& letters) {
  std::string out = "<mujoco><worldbody>";
  for (const char c : letters) {
    if (c == ')') out += "</body>";
    if (c == 'f') out += "<body pos='0 0 0.3'><freejoint/>";
    if (c == 'b') out += "<body pos='0.1 0 0.3'><joint type='ball'/>";
    if (c == 'h') out += "<body pos='0.2 0.1 0.3'><joint axis='1 2 0'/>";
    if (c != ')') out += "<geom type='box' size='0.1 0.05 0.2' pos='0.05 0 0.1'/>";
  }
  return out + "</worldbody></mujoco>";
}

}  // namespace

TEST_CASE("the sparse solve of small trees", "[stage][000-2.1][000-2.5]") {
  const std::pair<const char*, int> trees[] = {
      {"h)", 1},           // a hinge
      {"hh))", 2},         // two links
      {"hh)h))", 3},       // two children of one parent
      {"bb))", 6},         // balls
      {"fhh)))", 8},       // a free body with a chain
      {"fbh))h)b))", 14},  // a free body with branches
  };
  for (const auto& [letters, nv] : trees) {
    const Model<double> model = support::parse(tree_of(letters));
    REQUIRE(model.n.nv == nv);
    const auto m = make_ref<DefaultPolicies>(model);
    Data<double> data(model);
    support::perturb(model, data, 12, 0.5, 0.0);
    REQUIRE(forward(m, data.ref()).ok());
    Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(nv, -1, 2);
    const Eigen::VectorXd expected = full_M(model, data.ref()).llt().solve(x);
    solve_M(m, data.ref(), Field<double>{x.data()});
    CHECK((x - expected).norm() <= 1e-12 * expected.norm());
  }
}

TEST_CASE("accelerations and PGS solve with the sparse factor, implicit steps with their own",
          "[stage][000-2.2]") {
  Model<double> model = support::load("contacts");
  model.opt.solver = static_cast<int>(Solver::pgs);
  model.opt.integrator = static_cast<int>(Integrator::implicit);
  const auto m = make_ref<DefaultPolicies>(model);
  const int nv = model.n.nv;
  Data<double> data(model);
  support::perturb(model, data, 8, 0.01, 0.1);
  REQUIRE(forward(model, data).ok());
  REQUIRE(data.ncon() > 0);
  const auto vector = [&](const Field<double>& x) {
    return Eigen::VectorXd(Eigen::Map<Eigen::VectorXd>(x.data, nv));
  };
  const Eigen::MatrixXd inertia = full_M(model, data.ref());

  // with a different factor, that of M / 2, the results show which stages use it
  Data<double> halved = data;
  auto& d = halved.ref();
  for (int i = 0; i < nv; ++i) d.qLDiagInv[i] *= 2;
  acceleration(m, d);
  CHECK((vector(d.qacc_smooth) - 2 * vector(data.ref().qacc_smooth)).norm() <
        1e-12 * vector(d.qacc_smooth).norm());
  solve(m, d);
  const Eigen::VectorXd pushed = 2 * inertia.llt().solve(vector(d.qfrc_constraint));
  CHECK(vector(d.qfrc_constraint).norm() > 1);
  CHECK((vector(d.qacc) - vector(d.qacc_smooth) - pushed).norm() < 1e-10 * pushed.norm());

  Data<double> other = data;
  for (int i = 0; i < nv; ++i) other.ref().qLDiagInv[i] *= 2;
  integrate(m, data.ref());
  integrate(m, other.ref());
  CHECK((vector(data.ref().qvel) - vector(other.ref().qvel)).norm() == 0);
}

TEST_CASE("the inertia matrix has one factor, which is never older than it",
          "[stage][000-2.3][000-2.4]") {
  // the only dense matrix in the data belongs to the solvers: their Hessian
  std::string dense, factors;
#define LOOK(type, name, rows, width, meaning)                  \
  if (std::string_view(#rows) == "n.nhess") dense += #name " "; \
  if (std::string_view(#name).substr(0, 2) == "qL") factors += #name " ";
  CORTEN_DATA_FIELDS(LOOK)
#undef LOOK
  CHECK(dense == "sol_H ");
  CHECK(factors == "qLD qLDiagInv ");

  // nothing of an old factor or matrix survives a change of the state
  const Model<double> model = support::load("contacts");
  Data<double> used(model);
  for (int i = 0; i < 3; ++i) REQUIRE(step(model, used).ok());
  Data<double> fresh(model);
  support::perturb(model, fresh, 8, 0.01, 0.1);
  std::copy(fresh.qpos().begin(), fresh.qpos().end(), used.qpos().begin());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto& field : {used.ref().M, used.ref().qLD}) fill(field, model.n.nM, nan);
  fill(used.ref().qLDiagInv, model.n.nv, nan);
  REQUIRE(forward(model, fresh).ok());
  REQUIRE(forward(model, used).ok());
  for (std::size_t i = 0; i < std::size_t(model.n.nv); ++i) {
    for (int k = model.M_rowadr[i]; k < model.M_rowadr[i] + model.M_rownnz[i]; ++k) {
      CHECK(used.ref().qLD[k] == fresh.ref().qLD[k]);
    }
  }
  for (int i = 0; i < model.n.nv; ++i) CHECK(used.ref().qLDiagInv[i] == fresh.ref().qLDiagInv[i]);
}

TEST_CASE("poses, twists and inertias of bodies are separate values", "[stage][000-C1.10]") {
  const Model<double> model = support::parse(tree_of("fhh)))"));
  const auto m = make_ref<DefaultPolicies>(model);
  Data<double> data(model);
  support::perturb(model, data, 12, 0.5, 1.0);
  auto& d = data.ref();
  REQUIRE(forward(m, d).ok());
  const Vec3<double> place = vec3<double>(d.xpos, 3);
  const Quat<double> turn = vec<double, 4>(d.xquat, 3);
  CHECK((to_matrix(turn) - mat3<double>(d.xmat, 3)).norm() < 1e-14);
  const Vec6<double> twist = point_velocity(m, d, 3, place);
  Data<double> later = data;
  integrate_position(m, later.ref().qpos, d.qvel, 1e-7);
  REQUIRE(forward(m, later.ref()).ok());
  CHECK((vec3<double>(later.ref().xpos, 3) - place - 1e-7 * twist.tail<3>()).norm() < 1e-12);
  const Inertia<double> inertia = vec<double, 10>(d.cinert, 3);
  CHECK(inertia[9] == model.body_mass[3]);
}

TEST_CASE("free motion keeps energy and momentum", "[stage]") {
  Model<double> model = support::parse(chain);
  model.opt.integrator = static_cast<int>(Integrator::rk4);
  model.opt.timestep = 1e-3;
  model.opt.enableflags |= enable_energy;
  const auto m = make_ref<DefaultPolicies>(model);
  Data<double> data(model);
  support::perturb(model, data, 3, 0.2, 1.0);

  // momentum of the whole tree about its centre of mass, and of the centre of mass
  const auto momentum = [&] {
    REQUIRE(forward(m, data.ref()).ok());
    Vec6<double> sum = Vec6<double>::Zero();
    for (int b = 1; b < model.n.nbody; ++b) {
      sum += multiply(vec<double, 10>(data.ref().cinert, b), vec6<double>(data.ref().cvel, b));
    }
    return sum;
  };
  const Vec6<double> before = momentum();
  const double energy = data.energy()[0] + data.energy()[1];
  for (int i = 0; i < 500; ++i) REQUIRE(step(m, data.ref()).ok());
  const Vec6<double> after = momentum();
  CHECK((after - before).norm() < 1e-8 * before.norm());
  CHECK(near_relative(data.energy()[0] + data.energy()[1], energy, 1e-8));
}

TEST_CASE("bias forces are the derivative of the Lagrangian", "[stage]") {
  // for constant coordinates of scalar joints: c = Ṁ v - ½ ∂(v'Mv)/∂q + ∂V/∂q
  const Model<double> model = support::load("walker");
  const auto m = make_ref<DefaultPolicies>(model);
  Data<double> data(model);
  support::perturb(model, data, 4, 0.4, 2.0);
  auto& d = data.ref();
  REQUIRE(forward(m, d).ok());

  using D = Dual8;
  REQUIRE(model.n.nv == 6);
  Data<D> moving(model);
  for (int i = 0; i < 6; ++i) {
    moving.ref().qpos[i] = D(d.qpos[i], i);
    moving.ref().qvel[i] = D(d.qvel[i]);
  }
  Model<double> conservative = model;
  conservative.opt.disableflags |= disable_spring;
  const auto mc = make_ref<DefaultPolicies>(conservative);
  REQUIRE(forward(mc, moving.ref()).ok());
  potential_energy(mc, moving.ref());
  kinetic_energy(mc, moving.ref());
  for (int i = 0; i < 6; ++i) {
    double c = moving.ref().energy[0].v[i] - moving.ref().energy[1].v[i];
    for (int j = 0; j < 6; ++j) {
      const int row = j <= i ? i : j, col = j <= i ? j : i;
      for (int k = model.M_rowadr[std::size_t(row)];
           k < model.M_rowadr[std::size_t(row)] + model.M_rownnz[std::size_t(row)]; ++k) {
        if (model.M_colind[std::size_t(k)] != col) continue;
        for (int q = 0; q < 6; ++q) c += moving.ref().M[k].v[q] * d.qvel[q] * d.qvel[j];
      }
    }
    CHECK(near(d.qfrc_bias[i], c, 1e-10));
  }
}

TEST_CASE("forward is idempotent and does not touch the state", "[stage]") {
  const Model<double> model = support::load("contacts");
  Data<double> data(model);
  support::perturb(model, data, 8, 0.01, 0.1);
  REQUIRE(forward(model, data).ok());
  const Data<double> first = data;
  REQUIRE(forward(model, data).ok());
  for (int i = 0; i < model.n.nv; ++i)
    CHECK(first.qacc()[std::size_t(i)] == data.qacc()[std::size_t(i)]);
  for (int i = 0; i < model.n.nq; ++i)
    CHECK(first.qpos()[std::size_t(i)] == data.qpos()[std::size_t(i)]);
}

TEST_CASE("a force on a body is its Jacobian transposed", "[stage]") {
  // virtual work: qfrc · qvel = force · velocity + torque · angular velocity
  const Model<double> model = support::load("joints");
  const auto m = make_ref<DefaultPolicies>(model);
  Data<double> data(model);
  support::perturb(model, data, 9, 0.3, 1.0);
  auto& d = data.ref();
  REQUIRE(forward(m, d).ok());
  for (int b = 1; b < model.n.nbody; ++b) {
    const Vec3<double> point = vec3<double>(d.xipos, b) + Vec3<double>(0.1, -0.2, 0.3);
    const Vec3<double> force(1, 2, 3), torque(-0.3, 0.2, 0.5);
    std::vector<double> qfrc(std::size_t(model.n.nv), 0.0);
    apply_force(m, d, b, point, force, torque, Field<double>{qfrc.data()});
    double work = 0;
    for (int i = 0; i < model.n.nv; ++i) work += qfrc[std::size_t(i)] * d.qvel[i];
    const Vec6<double> v = point_velocity(m, d, b, point);
    CHECK(near(work, force.dot(v.tail<3>()) + torque.dot(v.head<3>()), 1e-12));
  }
}

TEST_CASE("fixed tendon velocity is the rate of its length", "[stage][tendon]") {
  const Model<double> model = support::load("actuators");
  const auto m = make_ref<DefaultPolicies>(model);
  Data<double> data(model);
  support::perturb(model, data, 10, 0.3, 1.0);
  REQUIRE(forward(m, data.ref()).ok());
  Data<double> later = data;
  integrate_position(m, later.ref().qpos, data.ref().qvel, 1e-6);
  REQUIRE(forward(m, later.ref()).ok());
  for (int t = 0; t < model.n.ntendon; ++t) {
    const double rate = (later.ref().ten_length[t] - data.ref().ten_length[t]) / 1e-6;
    CHECK(near(data.ref().ten_velocity[t], rate, 1e-6));
  }
  for (int o = 0; o < model.n.nout; ++o) {
    // the length of a ball joint's actuator is a chart, so its rate is not the moment times
    // velocity
    if (model.actuator_trntype[std::size_t(o)] == int(TransmissionType::tendon)) {
      const double rate = (later.ref().actuator_length[o] - data.ref().actuator_length[o]) / 1e-6;
      CHECK(near(data.ref().actuator_velocity[o], rate, 1e-5));
    }
  }
}
