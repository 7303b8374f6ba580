// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of a whole step, including contacts, limits and friction, against central
// differences.
#include <corten/scalar/dual.hpp>

#include "../support/model.hpp"

using namespace corten;

namespace {

// the velocity after a step from a state moved by h along tangent direction k: position, velocity,
// control, in this order
std::vector<double> next_velocity(const Model<double>& model, Data<double> data, int k, double h) {
  const int nv = model.n.nv;
  if (k < nv) {
    std::vector<double> direction(std::size_t(nv), 0.0);
    direction[std::size_t(k)] = 1;
    const auto m = make_ref<DefaultPolicies>(model);
    integrate_position(m, data.ref().qpos, Field<double>{direction.data()}, h);
  } else if (k < 2 * nv) {
    data.qvel()[std::size_t(k - nv)] += h;
  } else {
    data.ctrl()[std::size_t(k - 2 * nv)] += h;
  }
  REQUIRE(step(model, data).ok());
  return {data.qvel().begin(), data.qvel().end()};
}

// the same derivative from one dual step
std::vector<double> exact(const Model<double>& model, const Data<double>& from, int k) {
  using D = Dual8;
  const int nv = model.n.nv;
  Data<D> data(model);
  auto& d = data.ref();
  copy(d.qpos, from.ref().qpos, model.n.nq);
  copy(d.qvel, from.ref().qvel, nv);
  copy(d.act, from.ref().act, model.n.na);
  copy(d.ctrl, from.ref().ctrl, model.n.nu);
  copy(d.qacc_warmstart, from.ref().qacc_warmstart, nv);
  if (k < nv) {
    std::vector<D> direction(std::size_t(nv), D(0.0));
    direction[std::size_t(k)] = D(0.0, 0);
    integrate_position(make_ref<DefaultPolicies>(model), d.qpos, Field<D>{direction.data()},
                       D(1.0));
  } else if (k < 2 * nv) {
    d.qvel[k - nv].v[0] = 1;
  } else {
    d.ctrl[k - 2 * nv].v[0] = 1;
  }
  REQUIRE(step(model, data).ok());
  std::vector<double> out;
  for (const D& v : data.qvel()) out.push_back(v.v[0]);
  return out;
}

void check_derivatives(const char* name, int steps, double tolerance, int noslip = 0,
                       Cone cone = Cone::pyramidal,
                       JacobianKind jacobian = JacobianKind::automatic) {
  Model<double> model = support::load(name);
  model.opt.jacobian = static_cast<int>(jacobian);
  model.opt.solver = static_cast<int>(Solver::newton);
  model.opt.cone = static_cast<int>(cone);
  model.opt.noslip_iterations = noslip;
  model.opt.noslip_tolerance = 0;
  model.opt.tolerance = 0;
  model.opt.iterations = 30;
  Data<double> data(model);
  support::perturb(model, data, 17, 0.02, 0.2);
  for (int i = 0; i < steps; ++i) REQUIRE(step(model, data).ok());
  INFO(name << " with " << data.ncon() << " contacts and " << data.nefc() << " rows");
  for (int k = 0; k < 2 * model.n.nv + model.n.nu; ++k) {
    const double h = 1e-6;
    const auto plus = next_velocity(model, data, k, h), minus = next_velocity(model, data, k, -h);
    const auto derivative = exact(model, data, k);
    for (std::size_t i = 0; i < derivative.size(); ++i) {
      INFO("direction " << k << " row " << i);
      CHECK(near_relative(derivative[i], (plus[i] - minus[i]) / (2 * h), tolerance, 1));
    }
  }
}

}  // namespace

TEST_CASE("a step has exact derivatives", "[pipeline][derivative]") {
  check_derivatives("joints", 20, 1e-5);
  check_derivatives("actuators", 20, 1e-5);
  check_derivatives("fluid", 20, 1e-5);
  check_derivatives("walker", 40, 1e-4);
  check_derivatives("flags", 60, 1e-4);
  check_derivatives("equality", 20, 1e-4);
}

TEST_CASE("derivatives go through elliptic cones", "[pipeline][derivative]") {
  check_derivatives("cones", 2, 1e-4, 0, Cone::elliptic);
  check_derivatives("cones", 30, 1e-4, 0, Cone::elliptic);
}

TEST_CASE("derivatives go through the sweeps of noslip", "[pipeline][derivative]") {
  check_derivatives("cones", 30, 1e-4, 4, Cone::elliptic);
  check_derivatives("cones", 30, 1e-4, 4, Cone::pyramidal);
}

TEST_CASE("derivatives go through compressed rows", "[pipeline][derivative]") {
  check_derivatives("flags", 60, 1e-4, 0, Cone::pyramidal, JacobianKind::sparse);
  check_derivatives("equality", 20, 1e-4, 0, Cone::pyramidal, JacobianKind::sparse);
  check_derivatives("cones", 30, 1e-4, 0, Cone::elliptic, JacobianKind::sparse);
  check_derivatives("cones", 30, 1e-4, 4, Cone::elliptic, JacobianKind::sparse);
}

TEST_CASE("derivatives of a resting, symmetric state are finite", "[pipeline][derivative]") {
  // spheres stacked along an axis at zero velocity, where norms and normals are singular
  const Model<double> model = support::parse(
      "<mujoco><worldbody><geom type='plane' size='1 1 1'/>"
      "<body pos='0 0 0.1'><freejoint/><geom size='0.1'/></body>"
      "<body pos='0 0 0.3'><joint type='ball' stiffness='1'/><geom size='0.1'/></body>"
      "<body pos='0 0 0.3'><joint type='slide' axis='0 0 1'/><geom type='capsule' size='0.1 "
      "0.1'/></body>"
      "</worldbody></mujoco>");
  using D = Dual8;
  Data<D> data(model);
  for (int i = 0; i < 4; ++i) data.qpos()[std::size_t(3 + i)].v[i] = 1;
  REQUIRE(step(model, data).ok());
  for (const D& v : data.qvel()) CHECK(finite(v));
}

TEST_CASE("derivatives with respect to a model field", "[pipeline][derivative]") {
  // the fall of a damped pendulum, differentiated with respect to its mass and damping
  const Model<double> model = support::parse(
      "<mujoco><worldbody><body><joint axis='0 1 0' damping='0.1'/>"
      "<geom type='capsule' fromto='0 0 0 0.4 0 0' size='0.03'/></body></worldbody></mujoco>");
  using D = Dual<double, 8>;
  Model<D> dual = cast<D>(model);
  dual.body_mass[1].v[0] = 1;
  dual.dof_damping[0].v[1] = 1;
  Data<D> data(dual);
  for (int i = 0; i < 20; ++i) REQUIRE(step(dual, data).ok());

  const auto fall = [&](double mass, double damping) {
    Model<double> changed = model;
    changed.body_mass[1] += mass;
    changed.dof_damping[0] += damping;
    Data<double> d(changed);
    for (int i = 0; i < 20; ++i) REQUIRE(step(changed, d).ok());
    return d.qpos()[0];
  };
  const double h = 1e-6;
  CHECK(near_relative(data.qpos()[0].v[0], (fall(h, 0) - fall(-h, 0)) / (2 * h), 1e-6));
  CHECK(near_relative(data.qpos()[0].v[1], (fall(0, h) - fall(0, -h)) / (2 * h), 1e-6));
}

TEST_CASE("derivatives with respect to a centre of mass at the frame's origin",
          "[pipeline][derivative]") {
  const Model<double> model = support::parse(
      "<mujoco><worldbody><body><joint axis='0 1 0'/><inertial pos='0 0 0' mass='1' diaginertia='1 "
      "1 1'/>"
      "<geom size='0.1'/></body></worldbody></mujoco>");
  REQUIRE(model.body_sameframe[1] == static_cast<int>(SameFrame::body));
  using D = Dual<double, 8>;
  Model<D> dual = cast<D>(model);
  dual.body_ipos[3].v[0] = 1;
  Data<D> data(dual);
  for (int i = 0; i < 20; ++i) REQUIRE(step(dual, data).ok());

  const auto fall = [&](double x) {
    Model<double> changed = model;
    changed.body_ipos[3] += x;
    changed.body_sameframe[1] = static_cast<int>(SameFrame::none);
    Data<double> d(changed);
    for (int i = 0; i < 20; ++i) REQUIRE(step(changed, d).ok());
    return d.qpos()[0];
  };
  const double h = 1e-6;
  CHECK(std::fabs(data.qpos()[0].v[0]) > 1e-4);
  CHECK(near_relative(data.qpos()[0].v[0], (fall(h) - fall(-h)) / (2 * h), 1e-6));
}
