// SPDX-License-Identifier: Apache-2.0
//
// Implicit integrators: the derivatives they use, what they do with them, and that failures are
// values.
#include <corten/derive/transition.hpp>
#include <corten/scalar/dual.hpp>

#include "../support/model.hpp"

#include <cstring>
#include <string>

using namespace corten;

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

void use(Model<double>& model, Integrator integrator) {
  model.opt.integrator = static_cast<int>(integrator);
}

// d (qfrc_actuator + qfrc_passive - qfrc_bias) / d qvel, nv × nv, computed by smooth_slope where
// the inertia has an entry, else 0
std::vector<double> slope(const Model<double>& model, Data<double>& data, bool bias = true) {
  const auto m = make_ref<DefaultPolicies>(model);
  const int nv = model.n.nv;
  REQUIRE(forward(model, data).ok());
  smooth_slope(m, data.ref(), bias);
  std::vector<double> out(at(nv * nv));
  for (int i = 0; i < nv; ++i) {
    for (int k = m.dof_Madr[i]; k < m.dof_Madr[i] + m.dof_depth[i]; ++k) {
      const int j = m.M_colind[k];
      out[at(i * nv + j)] = data.ref().deriv_lower[k];
      out[at(j * nv + i)] = data.ref().deriv_upper[k];
    }
  }
  return out;
}

// the same with dual numbers; `forces` picks the forces from the data
template <class F>
std::vector<double> slope_by_duals(const Model<double>& model, const Data<double>& data,
                                   F&& forces) {
  const int nv = model.n.nv;
  std::vector<double> out(at(nv * nv));
  Data<Dual8> dual(model);
  const auto& d = dual.ref();
  const auto& from = data.ref();
  for (int first = 0; first < nv; first += 8) {
    copy(d.qpos, from.qpos, model.n.nq);
    copy(d.qvel, from.qvel, nv);
    copy(d.act, from.act, model.n.na);
    copy(d.ctrl, from.ctrl, model.n.nu);
    for (int k = 0; k < 8 && first + k < nv; ++k) d.qvel[first + k].v[k] = 1;
    REQUIRE(forward(model, dual).ok());
    for (int i = 0; i < nv; ++i) {
      for (int k = 0; k < 8 && first + k < nv; ++k) out[at(i * nv + first + k)] = forces(d, i).v[k];
    }
  }
  return out;
}

// is a field the same in both, bit by bit?
template <class F>
bool same(const F& a, const F& b, int count) {
  for (int i = 0; i < count; ++i) {
    if (std::memcmp(&a[i], &b[i], sizeof a[i]) != 0) return false;
  }
  return true;
}

const auto smooth_forces = [](const auto& d, int i) {
  return d.qfrc_actuator[i] + d.qfrc_passive[i] - d.qfrc_bias[i];
};

template <class A>
double worst(const A& a, const A& b) {
  REQUIRE(a.size() == b.size());
  double out = 0;
  for (std::size_t i = 0; i < std::size_t(a.size()); ++i) {
    out = std::max(out, std::fabs(a.data()[i] - b.data()[i]));
  }
  return out;
}

std::string mechanism(const std::string& options, const std::string& parts) {
  return "<mujoco><option " + options + "/>" + parts + "</mujoco>";
}

// two hinges in series, each with its own attributes
std::string arm(const std::string& first = "", const std::string& second = "") {
  return "<worldbody><body><joint name='a' axis='0 1 0' " + first +
         "/><geom type='capsule' size='0.05' fromto='0 0 0 0.5 0 0' contype='0'/>"
         "<body pos='0.5 0 0'><joint name='b' axis='0 1 0' " +
         second +
         "/><geom type='capsule' size='0.05' fromto='0 0 0 0.5 0 0' "
         "contype='0'/></body></body></worldbody>";
}

const char* const pull =
    "<tendon><fixed name='t' damping='100'><joint joint='a' coef='1'/><joint joint='b' "
    "coef='-2'/></fixed>"
    "</tendon>";

// the largest speed within some steps, or infinity once a state is bad
double fastest(Model<double> model, Integrator integrator, int steps, double start = 1) {
  use(model, integrator);
  model.opt.disableflags |= disable_autoreset;
  Data<double> data(model);
  for (double& v : data.qvel()) v = start;
  for (double& u : data.ctrl()) u = 1;
  double out = 0;
  for (int i = 0; i < steps; ++i) {
    if (!step(model, data).ok()) return std::numeric_limits<double>::infinity();
    for (double v : data.qvel()) out = std::max(out, std::fabs(v));
  }
  return out;
}

}  // namespace

TEST_CASE("dampers of joints are the diagonal", "[integrate][004-12.12][004-12.23]") {
  const std::string tree =
      "<worldbody><body><joint axis='1 0 0' damping='0.5'/><geom size='0.1'/><body><joint axis='0 "
      "1 0' "
      "damping='1'/><geom size='0.1'/><body><joint axis='0 0 1' damping='1.5'/><geom "
      "size='0.1'/></body>"
      "</body></body></worldbody>";
  const Model<double> model = support::parse(mechanism("integrator='implicit'", tree));
  Data<double> data(model);
  support::perturb(model, data, 3);
  CHECK(slope(model, data, false) == std::vector<double>{-0.5, 0, 0, 0, -1, 0, 0, 0, -1.5});

  // the legacy scheme uses dampers of joints but not of tendons: its matrix is M + h B + h² K
  Model<double> legacy =
      support::parse(mechanism("timestep='0.01' integrator='implicitspringdamper'",
                               arm("damping='0.5' stiffness='3'") + pull));
  Data<double> state(legacy);
  support::perturb(legacy, state, 4);
  REQUIRE(forward(legacy, state).ok());
  const auto m = make_ref<DefaultPolicies>(legacy);
  detail::spring_damper_matrix(m, state.ref(), [](int, double) {});
  const auto& d = state.ref();
  CHECK(near_relative(d.work_M[0] - d.M[0], 0.01 * 0.5 + 0.0001 * 3, 1e-12));
  CHECK(d.work_M[1] == d.M[1]);
  CHECK(d.work_M[2] == d.M[2]);
}

TEST_CASE("tendons and actuators add b J'J", "[integrate][004-12.13][004-12.14]") {
  const Model<double> model = support::parse(mechanism(
      "integrator='implicitfast'", arm() + pull +
                                       "<actuator><general joint='a' gear='3' gaintype='affine' "
                                       "gainprm='1 0 0.5' biastype='affine' "
                                       "biasprm='0 0 -0.7'/></actuator>"));
  Data<double> data(model);
  support::perturb(model, data, 3);
  const double u = data.ctrl()[0], servo = 9 * (0.5 * u - 0.7);
  const std::vector<double> expected{servo - 100, 200, 200, -400};
  CHECK(worst(slope(model, data, false), expected) < 1e-12);
  const auto passive = [](const auto& d, int i) { return d.qfrc_passive[i] + d.qfrc_actuator[i]; };
  CHECK(worst(slope_by_duals(model, data, passive), expected) < 1e-8);
}

TEST_CASE("bias forces: pendulum, ball, free body", "[integrate][004-12.15][004-12.19]") {
  const std::string parts =
      "<worldbody><body><joint axis='0 1 0'/><geom type='capsule' size='0.05' fromto='0 0 0 0.5 0 "
      "0'/>"
      "<body pos='0.5 0 0'><joint axis='0 1 0'/><joint axis='1 0 1'/><geom type='box' size='0.1 "
      "0.2 0.3'/>"
      "<body pos='0.5 0 0'><joint type='ball' pos='0.1 0 0'/><geom type='box' size='0.1 0.2 0.3' "
      "pos='0.1 0 0'/>"
      "<body pos='0 0.3 0'><joint type='slide' axis='1 1 0'/><geom type='box' size='0.1 0.2 0.3' "
      "pos='0.1 0 0'/>"
      "</body></body></body></body>"
      "<body pos='0 3 0'><freejoint/><geom type='box' size='0.1 0.2 0.3' pos='0.3 0.1 "
      "0'/><body><joint/>"
      "<geom type='box' size='0.1 0.2 0.3' pos='0.1 0.1 0'/></body></body></worldbody>";
  const Model<double> model = support::parse(mechanism("integrator='implicit'", parts));
  Data<double> data(model);
  support::perturb(model, data, 5, 0.5, 2);
  const auto bias = [](const auto& d, int i) { return -d.qfrc_bias[i]; };
  const std::vector<double> got = slope(model, data), expected = slope_by_duals(model, data, bias);
  CHECK(worst(got, expected) < 1e-12);

  // the gyroscopic block of the ball is present, and not symmetric
  const int nv = model.n.nv;
  CHECK(std::fabs(got[at(3 * nv + 4)]) > 1e-3);
  CHECK(std::fabs(got[at(3 * nv + 4)] - got[at(4 * nv + 3)]) > 1e-3);
}

TEST_CASE("all derivatives together, where the pattern has room", "[integrate][004-12.16]") {
  Model<double> model = support::load("implicit");
  // In a medium, if areas are small, MuJoCo's derivative of the drag is not the derivative of its
  // force, because it keeps products of squared areas away from zero. The conformance test covers
  // this; a large ellipsoid follows.
  model.opt.density = 0;
  const auto m = make_ref<DefaultPolicies>(model);
  Data<double> data(model);
  REQUIRE(data.reset(model, 0));
  support::perturb(model, data, 5, 0.3, 2, 0.2);
  const int nv = model.n.nv;
  std::vector<double> expected = slope_by_duals(model, data, smooth_forces);
  std::vector<char> room(expected.size());
  for (int i = 0; i < nv; ++i) {
    for (int k = m.dof_Madr[i]; k < m.dof_Madr[i] + m.dof_depth[i]; ++k) {
      const int j = m.M_colind[k];
      room[at(i * nv + j)] = room[at(j * nv + i)] = 1;
    }
  }
  for (std::size_t i = 0; i < room.size(); ++i) expected[i] *= room[i];

  // twice, since leftovers of an earlier call must not matter
  for (int repeat = 0; repeat < 2; ++repeat) CHECK(worst(slope(model, data), expected) < 1e-11);
}

TEST_CASE("derivatives by velocity have their own memory", "[integrate][004-12.17]") {
  const Model<double> model = support::load("implicit");
  for (const bool bias : {true, false}) {
    Data<double> data(model);
    support::perturb(model, data, 5, 0.2, 1);
    REQUIRE(forward(model, data).ok());
    const Data<double> before = data;
    smooth_slope(make_ref<DefaultPolicies>(model), data.ref(), bias);
    double sum = 0;
    for (int k = 0; k < model.n.nM; ++k) sum += std::fabs(data.ref().deriv_lower[k]);
    CHECK(sum > 1);
    // everything that a user sees, including velocities, accelerations and forces of bodies
    const DataSizes n = sizes_in_use(data.ref());
#define X(type, name, rows, width, meaning)                                            \
  {                                                                                    \
    INFO(#name);                                                                       \
    CHECK(same(before.ref().name, data.ref().name, static_cast<int>(rows) * (width))); \
  }
    CORTEN_DATA_SHOWN_FIELDS(X)
#undef X
  }
}

TEST_CASE("forces of a medium", "[integrate][004-12.16]") {
  const Model<double> model = support::parse(mechanism(
      "integrator='implicit' density='100' viscosity='3' wind='1 2 3'",
      "<worldbody><body><freejoint/><geom type='ellipsoid' size='0.5 0.8 0.6' pos='0.1 0.2 0.3' "
      "euler='10 20 30' "
      "fluidshape='ellipsoid' fluidcoef='0.7 0.3 2 0.8 1.2'/><body pos='1 0 0'><joint type='ball'/>"
      "<geom type='box' size='0.3 0.4 0.5' euler='30 40 50'/></body></body></worldbody>"));
  Data<double> data(model);
  support::perturb(model, data, 5, 0.3, 2);
  const std::vector<double> expected = slope_by_duals(model, data, smooth_forces);
  CHECK(worst(slope(model, data), expected) < 1e-11 * std::fabs(expected[0]));
  CHECK(std::fabs(expected[0]) > 100);

  // at rest in still air the speed to divide by is zero
  Model<double> still = model;
  still.opt.wind = {};
  Data<double> rest(still);
  for (double x : slope(still, rest)) CHECK(std::isfinite(x));
  for (double x : slope_by_duals(still, rest, smooth_forces)) CHECK(std::isfinite(x));
}

TEST_CASE("stiff feedback is stable where Euler is not", "[integrate][004-13.1][004-13.2]") {
  const Model<double> damped = support::parse(mechanism("timestep='0.01'", arm() + pull));
  CHECK(fastest(damped, Integrator::implicitfast, 1000) < 30);
  CHECK(fastest(damped, Integrator::implicit, 1000) < 30);
  CHECK(fastest(damped, Integrator::euler, 1000) > 1e6);

  const Model<double> servo = support::parse(mechanism(
      "timestep='0.01'",
      arm() + "<tendon><fixed name='t'><joint joint='a' coef='1'/><joint joint='b' "
              "coef='-2'/></fixed></tendon>"
              "<actuator><general tendon='t' gaintype='affine' gainprm='0 0 -10'/></actuator>"));
  CHECK(fastest(servo, Integrator::implicitfast, 1000) < 30);
  CHECK(fastest(servo, Integrator::euler, 1000) > 1e6);
}

TEST_CASE("the legacy scheme is implicit in springs too",
          "[integrate][004-13.3][004-12.35][000-7.2]") {
  // one dof: (m + h b + h² k) v' = m v - h k x, which is implicit Euler, as integrate/implicit.hpp
  // explains
  Model<double> model = support::parse(
      "<mujoco><option gravity='0 0 0' timestep='0.1' "
      "integrator='implicitspringdamper'/><worldbody><body>"
      "<joint type='slide' stiffness='1000' damping='10'/><geom size='0.1' "
      "mass='2'/></body></worldbody></mujoco>");
  Data<double> data(model);
  const double x = data.qpos()[0] = 0.3, v = data.qvel()[0] = -0.5, h = 0.1;
  REQUIRE(step(model, data).ok());
  const double after = (2 * v - h * 1000 * x) / (2 + h * 10 + h * h * 1000);
  CHECK(near_relative(data.qvel()[0], after, 1e-12));
  CHECK(near_relative(data.qpos()[0], x + h * after, 1e-12));
  const double midpoint = (2 * v - h * 1000 * x - h / 2 * (10 + h / 2 * 1000) * v) /
                          (2 + h / 2 * 10 + h * h / 4 * 1000);
  CHECK(std::fabs(data.qvel()[0] - midpoint) > 0.1);
  CHECK(near_relative(data.qacc()[0], (-1000 * x - 10 * v) / 2,
                      1e-12));  // qacc still comes from the forces
  for (int i = 0; i < 100; ++i) REQUIRE(step(model, data).ok());
  CHECK(std::fabs(data.qpos()[0]) < 1e-3);

  const auto t = derive::transition(model, data);
  const auto reference = derive::transition(model, data, {derive::Method::centered});
  CHECK(worst(t.A, reference.A) < 1e-7);
  CHECK(near_relative(t.A(1, 1), 2 / (2 + h * 10 + h * h * 1000), 1e-12));
}

TEST_CASE("if nothing depends on velocities, implicitfast is Euler",
          "[integrate][004-13.4][004-13.8]") {
  Model<double> model = support::parse(mechanism(
      "", arm("stiffness='2'") +
              "<tendon><fixed stiffness='5'><joint joint='a' coef='1'/><joint joint='b' coef='-2'/>"
              "</fixed></tendon>"));
  Data<double> euler(model);
  support::perturb(model, euler, 3, 0.5, 2);
  Data<double> fast = euler;
  REQUIRE(step(model, euler).ok());
  use(model, Integrator::implicitfast);
  REQUIRE(step(model, fast).ok());
  for (int i = 0; i < 2; ++i) {
    CHECK(near_relative(fast.qvel()[at(i)], euler.qvel()[at(i)], 1e-12));
    CHECK(fast.ref().qfrc_passive[i] == euler.ref().qfrc_passive[i]);
  }
}

TEST_CASE("Coriolis forces: implicit drifts less than implicitfast", "[integrate][004-13.5]") {
  Model<double> model = support::parse(mechanism("timestep='0.01' gravity='0 0 0'", arm()));
  model.opt.enableflags |= enable_energy;
  const auto drift = [&](Integrator integrator) {
    use(model, integrator);
    Data<double> data(model);
    data.qvel()[0] = 6, data.qvel()[1] = -9;
    REQUIRE(forward(model, data).ok());
    const double start = data.energy()[1];
    double most = 0;
    for (int i = 0; i < 500; ++i) {
      REQUIRE(step(model, data).ok());
      most = std::max(most, std::fabs(data.energy()[1] / start - 1));
    }
    return most;
  };
  const double full = drift(Integrator::implicit), fast = drift(Integrator::implicitfast);
  CHECK(full < 1);
  CHECK(fast < 1);
  CHECK(full < fast);
}

TEST_CASE("linearised implicit steps are exact", "[integrate][004-13.9][004-13.10][004-12.7]") {
  Model<double> model = support::load("implicit");
  for (const Integrator integrator : {Integrator::implicit, Integrator::implicitfast}) {
    use(model, integrator);
    Data<double> data(model);
    REQUIRE(data.reset(model, 0));
    support::perturb(model, data, 5, 0.2, 1, 0.2);
    for (int i = 0; i < 20; ++i) REQUIRE(step(model, data).ok());
    const auto exact = derive::transition(model, data);
    const auto reference = derive::transition(model, data, {derive::Method::centered, 1e-6});
    const auto hybrid = derive::transition(model, data, {derive::Method::hybrid, 1e-6});
    REQUIRE(exact.status.ok());
    CHECK(worst(exact.A, reference.A) < 1e-6);
    CHECK(worst(exact.B, reference.B) < 1e-6);
    CHECK(worst(exact.A, hybrid.A) < 1e-6);
  }
}

TEST_CASE("matrices that cannot be solved are reported as a status",
          "[integrate][004-13.14][004-13.15][004-13.16]") {
  // a motor that pushes with the velocity: M - h D is 2 - 0.01 · 200 u
  const auto model_of = [](const char* integrator, const char* gain) {
    return support::parse(
        mechanism(std::string("gravity='0 0 0' timestep='0.01' integrator='") + integrator + "'",
                  "<worldbody><body><joint name='j' type='slide'/><geom size='0.1' "
                  "mass='2'/></body></worldbody>"
                  "<actuator><general joint='j' gaintype='affine' gainprm='0 0 " +
                      std::string(gain) + "'/></actuator>"));
  };
  for (const char* integrator : {"implicit", "implicitfast"}) {
    const Model<double> singular = model_of(integrator, "200"),
                        feedback = model_of(integrator, "1000");
    Data<double> data(singular);
    data.ctrl()[0] = 1, data.qvel()[0] = 0.5;
    const Status status = step(singular, data);
    CHECK(status.has(singular_step));
    CHECK_FALSE(status.ok());
    CHECK(data.time() == 0);
    CHECK(data.qvel()[0] == 0.5);
    CHECK(data.ref().warning[11] == 1);

    // Beyond that, both continue with a reversed velocity, and the symmetric one reports that its
    // matrix is not definite.
    Data<double> other(feedback);
    other.ctrl()[0] = 1, other.qvel()[0] = 0.5;
    const Status note = step(feedback, other);
    CHECK(note.ok());
    CHECK(note.has(indefinite_step) == (std::string(integrator) == "implicitfast"));
    CHECK(near(other.qvel()[0], 0.5 + 0.01 * 500 / (2 - 0.01 * 1000), 1e-12));
  }
}

TEST_CASE("data adapts to a change of the integrator", "[integrate][004-13.11]") {
  Model<double> model = support::load("implicit");
  // Euler and RK4 have no memory for derivatives, and need none
  for (const Integrator integrator : {Integrator::euler, Integrator::rk4}) {
    use(model, integrator);
    Data<double> data(model);
    CHECK(data.ref().n.nslope == 0);
    CHECK(step(model, data).ok());
  }
  use(model, Integrator::euler);
  Data<double> growing(model), fixed(model, Capacity{50, 200});
  use(model, Integrator::implicit);
  CHECK(step(model, growing).ok());
  CHECK(step(model, fixed).has(no_scratch));
  CHECK(fixed.time() == 0);
  Data<double> made(model);
  REQUIRE(step(model, made).ok());
  for (std::size_t i = 0; i < made.qvel().size(); ++i) CHECK(made.qvel()[i] == growing.qvel()[i]);
}
