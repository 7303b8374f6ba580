// SPDX-License-Identifier: Apache-2.0
//
// Properties of the smooth dynamics that hold for any model and state.
#include <corten/scalar/dual.hpp>

#include "../support/model.hpp"

#include <Eigen/Dense>

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
    forward(m, d);

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
    CHECK(0.5 * v.dot(full_M(model, d) * v) == Approx(energy).epsilon(1e-12));
  }
}

TEST_CASE("the sparse solve is the dense one", "[stage][000-2.1]") {
  // hinges, sliders, balls and free bodies, in chains and branches
  for (const Model<double>& model :
       {support::load("joints"), support::load("actuators"), support::load("walker"), support::parse(chain)}) {
    const auto m = make_ref<DefaultPolicies>(model);
    Data<double> data(model);
    support::perturb(model, data, 12, 0.5, 0.0);
    forward(m, data.ref());
    Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(model.n.nv, -1, 1);
    const Eigen::VectorXd expected = full_M(model, data.ref()).llt().solve(x);
    solve_M(m, data.ref(), Field<double>{x.data()});
    CHECK((x - expected).norm() <= 1e-12 * expected.norm());
  }
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
    forward(m, data.ref());
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
  CHECK(data.energy()[0] + data.energy()[1] == Approx(energy).epsilon(1e-8));
}

TEST_CASE("bias forces are the derivative of the Lagrangian", "[stage]") {
  // for constant coordinates of scalar joints: c = Ṁ v - ½ ∂(v'Mv)/∂q + ∂V/∂q
  const Model<double> model = support::load("walker");
  const auto m = make_ref<DefaultPolicies>(model);
  Data<double> data(model);
  support::perturb(model, data, 4, 0.4, 2.0);
  auto& d = data.ref();
  forward(m, d);

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
  forward(mc, moving.ref());
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
    CHECK(d.qfrc_bias[i] == Approx(c).margin(1e-10));
  }
}

TEST_CASE("forward is idempotent and does not touch the state", "[stage]") {
  const Model<double> model = support::load("contacts");
  Data<double> data(model);
  support::perturb(model, data, 8, 0.01, 0.1);
  forward(model, data);
  const Data<double> first = data;
  forward(model, data);
  for (int i = 0; i < model.n.nv; ++i) CHECK(first.qacc()[std::size_t(i)] == data.qacc()[std::size_t(i)]);
  for (int i = 0; i < model.n.nq; ++i) CHECK(first.qpos()[std::size_t(i)] == data.qpos()[std::size_t(i)]);
}

TEST_CASE("a force on a body is its Jacobian transposed", "[stage]") {
  // virtual work: qfrc · qvel = force · velocity + torque · angular velocity
  const Model<double> model = support::load("joints");
  const auto m = make_ref<DefaultPolicies>(model);
  Data<double> data(model);
  support::perturb(model, data, 9, 0.3, 1.0);
  auto& d = data.ref();
  forward(m, d);
  for (int b = 1; b < model.n.nbody; ++b) {
    const Vec3<double> point = vec3<double>(d.xipos, b) + Vec3<double>(0.1, -0.2, 0.3);
    const Vec3<double> force(1, 2, 3), torque(-0.3, 0.2, 0.5);
    std::vector<double> qfrc(std::size_t(model.n.nv), 0.0);
    apply_force(m, d, b, point, force, torque, Field<double>{qfrc.data()});
    double work = 0;
    for (int i = 0; i < model.n.nv; ++i) work += qfrc[std::size_t(i)] * d.qvel[i];
    const Vec6<double> v = point_velocity(m, d, b, point);
    CHECK(work == Approx(force.dot(v.tail<3>()) + torque.dot(v.head<3>())).margin(1e-12));
  }
}

TEST_CASE("fixed tendon velocity is the rate of its length", "[stage][tendon]") {
  const Model<double> model = support::load("actuators");
  const auto m = make_ref<DefaultPolicies>(model);
  Data<double> data(model);
  support::perturb(model, data, 10, 0.3, 1.0);
  forward(m, data.ref());
  Data<double> later = data;
  integrate_position(m, later.ref().qpos, data.ref().qvel, 1e-6);
  forward(m, later.ref());
  for (int t = 0; t < model.n.ntendon; ++t) {
    const double rate = (later.ref().ten_length[t] - data.ref().ten_length[t]) / 1e-6;
    CHECK(data.ref().ten_velocity[t] == Approx(rate).margin(1e-6));
  }
  for (int o = 0; o < model.n.nout; ++o) {
    // the length of a ball joint's actuator is a chart: its rate is not the moment times velocity
    if (model.actuator_trntype[std::size_t(o)] == int(TransmissionType::tendon)) {
      const double rate = (later.ref().actuator_length[o] - data.ref().actuator_length[o]) / 1e-6;
      CHECK(data.ref().actuator_velocity[o] == Approx(rate).margin(1e-5));
    }
  }
}
