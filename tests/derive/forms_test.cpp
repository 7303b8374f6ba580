// SPDX-License-Identifier: Apache-2.0
//
// Forms of derivatives besides A and B: positions alone, adjoints, parameters, rollouts, inverse
// dynamics.
#include <corten/derive.hpp>

#include "../support/model.hpp"

using namespace corten;

namespace {

using derive::Matrix;

Model<double> contacting(Integrator integrator) {
  Model<double> model = support::load("walker");
  model.opt.integrator = static_cast<int>(integrator);
  model.opt.solver = static_cast<int>(Solver::newton);
  model.opt.tolerance = 0;
  model.opt.iterations = 30;
  return model;
}

Data<double> settled(const Model<double>& model) {
  Data<double> data(model);
  support::perturb(model, data, 31, 0.05, 0.3);
  for (int i = 0; i < 40; ++i) REQUIRE(step(model, data).ok());
  return data;
}

double worst(const Matrix<double>& a, const Matrix<double>& b) {
  return (a - b).cwiseAbs().maxCoeff() / std::max(1.0, b.cwiseAbs().maxCoeff());
}

// the state after the data's, as a vector of qpos differences, velocities and activations
std::vector<double> next_state(const Model<double>& model, const Data<double>& from,
                               const Data<double>& base) {
  Data<double> data = from;
  REQUIRE(step(model, data).ok());
  const auto nv = std::size_t(model.n.nv);
  std::vector<double> out(nv);
  differentiate_position(make_ref<DefaultPolicies>(model), base.ref().qpos, data.ref().qpos, 1.0,
                         Field<double>{out.data()});
  out.insert(out.end(), data.qvel().begin(), data.qvel().end());
  out.insert(out.end(), data.act().begin(), data.act().end());
  return out;
}

}  // namespace

TEST_CASE("positions advance and differ with these derivatives", "[derive]") {
  const Model<double> model = support::load("joints");
  const auto m = make_ref<DefaultPolicies>(model);
  const auto nq = std::size_t(model.n.nq), nv = std::size_t(model.n.nv);
  const double h = GENERATE(0.3, 1e-3);
  Data<double> data(model), other(model);
  support::perturb(model, data, 5, 0.3, 2);
  support::perturb(model, other, 6, 0.3, 2);
  // q moved by x along dof i
  const auto moved = [&](const Data<double>& from, std::size_t i, double x) {
    std::vector<double> q(from.qpos().begin(), from.qpos().end()), v(nv);
    v[i] = 1;
    integrate_position(m, Field<double>{q.data()}, Field<double>{v.data()}, x);
    return q;
  };
  const auto between = [&](std::vector<double> a, std::vector<double> b, double time) {
    std::vector<double> out(nv);
    differentiate_position(m, Field<double>{a.data()}, Field<double>{b.data()}, time,
                           Field<double>{out.data()});
    return out;
  };
  const auto advanced = [&](std::vector<double> q, std::vector<double> v) {
    integrate_position(m, Field<double>{q.data()}, Field<double>{v.data()}, h);
    return q;
  };
  const std::vector<double> v(data.qvel().begin(), data.qvel().end());
  const auto ahead = derive::integrate_pos_slope<DefaultPolicies, double, double>(model, v, h);
  const std::vector<double> q1(data.qpos().begin(), data.qpos().end()),
      q2(other.qpos().begin(), other.qpos().end());
  const auto apart =
      derive::differentiate_pos_slope<DefaultPolicies, double, double>(model, q1, q2, h);
  REQUIRE(q1.size() == nq);
  const double x = 1e-6;
  for (std::size_t k = 0; k < nv; ++k) {
    const auto by_q =
        between(advanced(moved(data, k, -x), v), advanced(moved(data, k, x), v), 2 * x);
    std::vector<double> less = v, more = v;
    less[k] -= x, more[k] += x;
    const auto by_v = between(advanced(q1, less), advanced(q1, more), 2 * x);
    const auto d1 = between(moved(data, k, x), q2, h), c1 = between(moved(data, k, -x), q2, h);
    const auto d2 = between(q1, moved(other, k, x), h), c2 = between(q1, moved(other, k, -x), h);
    for (std::size_t i = 0; i < nv; ++i) {
      const auto r = Eigen::Index(i), c = Eigen::Index(k);
      CHECK(near(ahead.first(r, c), by_q[i], 1e-8));
      CHECK(near(ahead.second(r, c), by_v[i], 1e-8));
      CHECK(near(apart.first(r, c), (d1[i] - c1[i]) / (2 * x), 1e-8 / h));
      CHECK(near(apart.second(r, c), (d2[i] - c2[i]) / (2 * x), 1e-8 / h));
    }
  }
}

TEST_CASE("a pullback is the transposed product, by state, control and parameters", "[derive]") {
  for (const Integrator integrator :
       {Integrator::euler, Integrator::implicitfast, Integrator::rk4}) {
    const Model<double> model = contacting(integrator);
    const Data<double> data = settled(model);
    REQUIRE(data.nefc() > 0);
    derive::Parameters parameters;
    REQUIRE(parameters.add(model, "body_mass", 1).ok());
    REQUIRE(parameters.add(model, &Model<double>::geom_friction, 0).ok());
    REQUIRE(parameters.add(model, "opt.gravity", 2).ok());
    REQUIRE(parameters.add(model, "dof_damping", 0, model.n.nv).ok());
    const auto t = derive::transition(model, data);
    std::vector<double> next(std::size_t(t.nx));
    for (std::size_t i = 0; i < next.size(); ++i) next[i] = std::sin(1.0 + double(i));
    const auto g = derive::pullback(model, data, next, parameters);
    CHECK(g.status.ok());
    derive::Gradient<double> product;
    product.resize(model.n);
    product.multiply(t, next.data());
    for (std::size_t i = 0; i < g.inputs.size(); ++i) {
      CHECK(near(g.inputs[i], product.inputs[i], 1e-9 * (1 + std::fabs(product.inputs[i]))));
    }
    REQUIRE(int(g.parameters.size()) == parameters.size());
    for (int k = 0; k < parameters.size(); ++k) {
      Model<double> less = model, more = model;
      const double x = 1e-6;
      parameters.in(less, k) -= x, parameters.in(more, k) += x;
      set_const(less), set_const(more);
      const auto a = next_state(less, data, data), b = next_state(more, data, data);
      double slope = 0;
      for (std::size_t i = 0; i < next.size(); ++i) slope += next[i] * (b[i] - a[i]) / (2 * x);
      INFO("parameter " << k << ", integrator " << int(integrator));
      CHECK(near(g.parameters[std::size_t(k)], slope, 1e-6 * (1 + std::fabs(slope))));
    }
    CHECK(derive::pullback(model, data, std::span(next).first(1)).status.has(bad_argument));
  }
}

TEST_CASE("parameters are named, or refused", "[derive]") {
  const Model<double> model = contacting(Integrator::euler);
  derive::Parameters p;
  CHECK(!p.add(model, "body_weight").ok());
  CHECK(!p.add(model, "body_parentid").ok());
  CHECK(!p.add(model, "body_mass", model.n.nbody).ok());
  CHECK(!p.add(model, "opt.gravity", 2, 2).ok());
  CHECK(p.add(model, "body_mass", 0, model.n.nbody).ok());
  CHECK(p.size() == model.n.nbody);

  // the mass of a subtree follows that of its bodies, or does not
  derive::Parameters q;
  REQUIRE(q.add(model, "body_mass", 1).ok());
  const Data<double> data = settled(model);
  const Matrix<double> with = derive::ParameterLinearizer<double>(model, q)(data);
  q.derived = false;
  const Matrix<double> without = derive::ParameterLinearizer<double>(model, q)(data);
  CHECK((with - without).norm() > 1e-6 * with.norm());
}

TEST_CASE("gradients of a rollout are differences of its cost", "[derive]") {
  const Integrator integrator =
      GENERATE(Integrator::euler, Integrator::implicitfast, Integrator::implicit, Integrator::rk4);
  const Model<double> model = contacting(integrator);
  const Data<double> start = settled(model);
  const int steps = 11, nv = model.n.nv;
  derive::Parameters parameters;
  REQUIRE(parameters.add(model, "body_mass", 1).ok());
  derive::Rollout<double> rollout(model, steps + 5, parameters);
  Matrix<double> controls = Matrix<double>::Random(steps, model.n.nu) * 0.3;
  const auto cost = [&](int k, const Data<double>& data, double* by_state, double* by_control) {
    double sum = 0;
    for (int i = 0; i < nv; ++i) {
      const double v = data.qvel()[std::size_t(i)], weight = k == steps ? 1 : 0.1;
      sum += 0.5 * weight * v * v;
      if (by_state != nullptr) by_state[nv + i] += weight * v;
    }
    for (int i = 0; i < model.n.nu && k < steps; ++i) {
      const double u = data.ctrl()[std::size_t(i)];
      sum += 0.5 * u * u;
      if (by_control != nullptr) by_control[i] += u;
    }
    return sum;
  };
  const derive::RolloutGradient<double> g = rollout(start, controls, cost);
  REQUIRE(g.status.ok());
  const auto value = [&](const Data<double>& from, const Matrix<double>& u) {
    return rollout(from, u, cost).cost;
  };
  const double x = 1e-6;
  for (const int k : {0, 3, 7, 10}) {
    Matrix<double> less = controls, more = controls;
    less(k, 0) -= x, more(k, 0) += x;
    const double slope = (value(start, more) - value(start, less)) / (2 * x);
    CHECK(near(g.controls(k, 0), slope, 1e-5 * (1 + std::fabs(slope))));
  }
  for (int i = 0; i < nv; ++i) {
    Data<double> less = start, more = start;
    less.qvel()[std::size_t(i)] -= x, more.qvel()[std::size_t(i)] += x;
    const double slope = (value(more, controls) - value(less, controls)) / (2 * x);
    CHECK(near(g.state[nv + i], slope, 1e-5 * (1 + std::fabs(slope))));
  }
  Model<double> less = model, more = model;
  parameters.in(less, 0) -= x, parameters.in(more, 0) += x;
  set_const(less), set_const(more);
  derive::Rollout<double> lighter(less, steps), heavier(more, steps);
  const double slope =
      (heavier(start, controls, cost).cost - lighter(start, controls, cost).cost) / (2 * x);
  CHECK(near(g.parameters[0], slope, 1e-5 * (1 + std::fabs(slope))));
  CHECK(rollout(start, Matrix<double>::Zero(steps + 6, model.n.nu), cost).status.has(bad_argument));
}

TEST_CASE("derivatives of inverse dynamics, both ways", "[derive]") {
  for (const char* name : {"walker", "joints", "fluid"}) {
    Model<double> model = support::load(name);
    Data<double> data(model);
    support::perturb(model, data, 31, 0.05, 0.3);
    for (int i = 0; i < 40; ++i) REQUIRE(step(model, data).ok());
    for (std::size_t i = 0; i < std::size_t(model.n.nv); ++i) data.ref().qacc[int(i)] += 0.1;
    data.ref().xfrc_applied[6] = 1;  // does not count
    derive::InverseLinearizer<double> analytic(model), dual(model);
    dual.analytically = false;
    const derive::InverseSlopes<double>& a = analytic(model, data);
    const derive::InverseSlopes<double>& b = dual(model, data);
    CHECK(a.status.ok());
    INFO(name << " with " << data.nefc() << " rows");
    CHECK(worst(a.by_position, b.by_position) < 1e-10);
    CHECK(worst(a.by_velocity, b.by_velocity) < 1e-10);
    CHECK(worst(a.by_acceleration, b.by_acceleration) < 1e-10);
  }
}

// A pendulum has a closed form: v' = v - h k sin q, q' = q + h v'.
TEST_CASE("second derivatives of a pendulum", "[derive]") {
  const Model<double> model = support::parse(
      "<mujoco><option timestep='.01'/><worldbody><body><joint name='j' axis='0 1 0'/>"
      "<geom size='.1' pos='0 0 -1' mass='2'/></body></worldbody>"
      "<actuator><motor joint='j'/></actuator></mujoco>");
  Data<double> data(model);
  data.qpos()[0] = 0.7, data.qvel()[0] = 0.4;
  const auto c = derive::curvature(model, data, std::vector<double>{2.0, 3.0});
  REQUIRE(c.status.ok());
  const double h = 0.01, inertia = 2 * (1 + 0.4 * 0.01), k = 2 * 9.81 / inertia;
  CHECK(near(c.matrix(0, 0), (2 * h + 3) * h * k * std::sin(0.7), 1e-9));
  CHECK(near(c.matrix(0, 1), 0, 1e-9));
  CHECK(near(c.matrix(1, 1), 0, 1e-9));
  CHECK(derive::curvature(model, data, std::vector<double>{2.0}).status.has(bad_argument));
}

// Before two bodies touch, the exact derivative knows nothing of contact; the smoothed one does,
// and where they touch both agree.
TEST_CASE("smoothed derivatives see contacts that are about to form", "[derive]") {
  Model<double> model = support::parse(R"(<mujoco><worldbody>
    <body pos="-.2 0 0"><joint type="slide" axis="1 0 0"/><geom size=".04" mass=".5"/></body>
    <body><joint type="slide" axis="1 0 0"/><geom type="box" size=".1 .1 .1" mass="1"/></body>
    </worldbody></mujoco>)");
  const Integrator integrator = GENERATE(Integrator::euler, Integrator::rk4);
  model.opt.integrator = static_cast<int>(integrator);
  Data<double> data(model);
  for (const double v : {0.0, 0.5}) {
    data.qvel()[0] = v;
    CHECK(derive::transition(model, data).A(3, 2) == 0);
    const auto smooth = derive::transition(model, data, {.smoothing = 0.1});
    CHECK(smooth.status.ok());
    CHECK(smooth.A(3, 2) > 1e-6);  // the box's velocity with that of the finger
    CHECK(smooth.A(3, 0) > 1e-6);  // and with its position
    CHECK(derive::transition(model, data, {.smoothing = 0.05}).A(3, 2) == 0);
    derive::Linearizer<double> linearizer(model);
    linearizer.smoothing = 0.1;
    CHECK((linearizer(model, data).A - smooth.A).norm() == 0);
    linearizer.smoothing = 0;
    CHECK(linearizer(model, data).A(3, 2) == 0);
    if (integrator != Integrator::euler) continue;
    const auto dual =
        derive::transition(model, data, {.method = derive::Method::dual, .smoothing = 0.1});
    CHECK(worst(smooth.A, dual.A) < 1e-10);
  }
  data.qpos()[0] = 0.061, data.qvel()[0] = 0.1;  // 1 mm deep
  const auto exact = derive::transition(model, data);
  CHECK(exact.A(3, 2) > 1e-3);
  CHECK(worst(derive::transition(model, data, {.smoothing = 0.1}).A, exact.A) < 1e-12);
  CHECK(derive::transition(model, data, {.method = derive::Method::centered, .smoothing = 0.1})
            .status.has(bad_argument));
  CHECK(derive::transition(model, data, {.smoothing = -1}).status.has(bad_argument));
}
