// SPDX-License-Identifier: Apache-2.0
//
// Properties of the linearisation that follow from the physics, and agreement of the methods.
#include <corten/derive.hpp>

#include "../support/model.hpp"

#include <cmath>
#include <limits>
#include <string>

using namespace corten;
using derive::Method;

namespace {

// hinges about y and capsules that hang from each other; `extra` goes into every joint
std::string pendulum(int links, const std::string& extra = "", const std::string& rest = "") {
  std::string open, close;
  for (int i = 0; i < links; ++i) {
    open += "<body pos='0 0 " + std::string(i == 0 ? "2" : "-.3") + "'><joint name='j" +
            std::to_string(i) + "' axis='0 1 0' " + extra + "/>" +
            "<geom type='capsule' fromto='0 0 0 0 0 -.3' size='.03' contype='0' conaffinity='0'/>";
    close += "</body>";
  }
  return "<mujoco><option timestep='.001'/><worldbody>" + open + close + "</worldbody>" + rest +
         "</mujoco>";
}

std::string motors(int links, const char* kind = "motor") {
  std::string out = "<actuator>";
  for (int i = 0; i < links; ++i) {
    out += std::string("<") + kind + " joint='j" + std::to_string(i) + "'/>";
  }
  return out + "</actuator>";
}

Data<double> somewhere(const Model<double>& model, std::uint64_t seed = 3) {
  Data<double> data(model);
  support::perturb(model, data, seed, 0.4, 0.8);
  return data;
}

template <class M>
double at(const M& matrix, int columns, int row, int column) {
  return matrix.data()[row * columns + column];
}

template <class A, class B>
double worst(const A& a, const B& b, double floor = 1e-3) {
  REQUIRE(a.size() == b.size());
  return derive::max_relative_error(a, b, floor).value;
}

// How the position after a step depends on the position before it and on the velocity, with the
// other held fixed: the derivative of the integration alone. As in a step, tangents are those of
// the next position.
struct Integration {
  std::vector<double> by_position, by_velocity;

  Integration(const Model<double>& model, const Data<double>& data) {
    const auto m = make_ref<DefaultPolicies>(model);
    const int nv = model.n.nv;
    REQUIRE(2 * nv <= 8);
    Data<Dual8> dual(model);
    const auto& d = dual.ref();
    copy(d.qpos, data.ref().qpos, model.n.nq);
    std::vector<Dual8> nudge(std::size_t(nv), Dual8(0.0)), tangent(nudge);
    for (int i = 0; i < nv; ++i) nudge[std::size_t(i)] = Dual8(0.0, i);
    for (int i = 0; i < nv; ++i) d.qvel[i] = Dual8(data.qvel()[std::size_t(i)], nv + i);
    integrate_position(m, d.qpos, Field<Dual8>{nudge.data()}, Dual8(1.0));
    integrate_position(m, d.qpos, d.qvel, Dual8(model.opt.timestep));
    std::vector<Dual8> next;
    for (int i = 0; i < model.n.nq; ++i) next.emplace_back(d.qpos[i].a);
    differentiate_position(m, Field<Dual8>{next.data()}, d.qpos, Dual8(1.0),
                           Field<Dual8>{tangent.data()});
    for (const Dual8& x : tangent) {
      by_position.insert(by_position.end(), x.v, x.v + nv);
      by_velocity.insert(by_velocity.end(), x.v + nv, x.v + 2 * nv);
    }
  }
};

}  // namespace

TEST_CASE("no controls, no activations", "[derive][004-12.1][004-12.9][004-12.10]") {
  const Model<double> model = support::parse(pendulum(3));
  for (const Method method : {Method::exact, Method::centered, Method::forward, Method::hybrid}) {
    const auto t = derive::transition(model, somewhere(model), {method});
    CHECK(t.status.ok());
    CHECK(t.A.size() == 36);
    CHECK(t.B.size() == 0);
    CHECK(t.nu == 0);
  }
}

TEST_CASE("methods agree on a pendulum",
          "[derive][004-12.2][004-12.8][004-12.32][004-12.33][004-12.34][004-12.39]") {
  for (const int links : {3, 10}) {
    const Model<double> model =
        support::parse(pendulum(links, links == 3 ? "damping='1'" : "", motors(links)));
    const Data<double> data = somewhere(model);
    const auto centered = derive::transition(model, data, {Method::centered});
    const auto forward = derive::transition(model, data, {Method::forward});
    const auto finer = derive::transition(model, data, {Method::centered, 1e-7});
    const auto hybrid = derive::transition(model, data, {Method::hybrid});
    const auto exact = derive::transition(model, data);
    CHECK(worst(centered.A, forward.A) < 1e-4);
    CHECK(worst(centered.A, finer.A) < 1e-3);
    CHECK(worst(centered.A, exact.A) < 1e-4);
    CHECK(worst(centered.A, hybrid.A) < 1e-4);
    CHECK(worst(centered.B, hybrid.B) < 1e-6);
    CHECK(worst(hybrid.B, exact.B) == 0);
    const auto errors = derive::compare_with_differences(model, data, {Method::hybrid}, 1e-3);
    CHECK(errors.status.ok());
    CHECK(errors.A < 1e-3);
    CHECK(errors.B < 1e-3);
  }
  const Model<double> model = support::parse(pendulum(3));
  for (const double h : {1e-8, 1e-7, 1e-6, 1e-5, 1e-4}) {
    CHECK(derive::differences_converge(model, somewhere(model), h, 1e-3, 1e-3));
  }
}

TEST_CASE("transition takes the way of its method, and Data has it too",
          "[derive][004-12.37][004-12.38]") {
  Model<double> model = support::parse(pendulum(3, "damping='1'", motors(3)));
  const Data<double> data = somewhere(model);
  const int nv = model.n.nv;
  const auto differences = derive::difference(model, data, 1e-6, true);
  const auto exact = derive::transition(model, data);
  const auto hybrid = derive::transition(model, data, {Method::hybrid});
  CHECK(derive::transition(model, data, {Method::centered}).A == differences.A);
  CHECK(derive::transition(model, data, {Method::forward}).A ==
        derive::difference(model, data, 1e-6, false).A);
  CHECK(hybrid.B == exact.B);
  for (int row = 0; row < hybrid.nx; ++row) {
    for (int c = 0; c < hybrid.nx; ++c) {
      CHECK(at(hybrid.A, hybrid.nx, row, c) ==
            at((c < nv ? differences : exact).A, hybrid.nx, row, c));
    }
  }

  CHECK(data.transition(model).A == exact.A);
  CHECK(data.transition(model, {Method::hybrid}).A == hybrid.A);

  // RK4 evaluates several times per step, so no part is computed analytically
  model.opt.integrator = static_cast<int>(Integrator::rk4);
  CHECK(data.transition(model, {Method::hybrid}).A ==
        derive::difference(model, data, 1e-6, true).A);
}

TEST_CASE("the control columns are h M⁻¹ moment", "[derive][004-12.3]") {
  const Model<double> model = support::parse(pendulum(3, "", motors(3)));
  Data<double> data = somewhere(model);
  const auto t = derive::transition(model, data);
  REQUIRE(forward(model, data).ok());
  const double h = model.opt.timestep;
  const auto m = make_ref<DefaultPolicies>(model);
  for (int u = 0; u < 3; ++u) {
    std::vector<double> column(3, 0.0);
    column[static_cast<std::size_t>(u)] = 1;  // gear 1 on joint u
    solve_M(m, data.ref(), Field<double>{column.data()});
    for (int i = 0; i < 3; ++i) {
      const double a = column[static_cast<std::size_t>(i)];
      CHECK(near_relative(at(t.B, 3, 3 + i, u), h * a, 1e-9));
      CHECK(near_relative(at(t.B, 3, i, u), h * h * a, 1e-9));
    }
  }
}

TEST_CASE("balls and free bodies vary in their tangent space",
          "[derive][004-12.4][004-12.11][004-12.18][004-12.30]") {
  const Model<double> model = support::parse(
      "<mujoco><option timestep='.001'/><worldbody>"
      "<body><freejoint/><geom type='box' size='.1 .2 .3'/></body>"
      "<body pos='2 0 0'><joint type='ball'/><geom type='box' size='.1 .2 .3' pos='0 0 "
      "-.4'/></body>"
      "</worldbody></mujoco>");
  CHECK(model.n.nq == 11);
  Data<double> data(model);
  const auto still = derive::transition(model, data);
  CHECK(still.nx == 18);
  CHECK(still.A.size() == 18 * 18);
  for (int i = 0; i < 9; ++i) {
    for (int k = 0; k < 9; ++k) {
      CHECK(near(at(still.A, 18, i, 9 + k), i == k ? 1e-3 : 0, 1e-9));
    }
  }
  support::perturb(model, data, 5, 0.5, 2);
  const auto exact = derive::transition(model, data);
  const auto centered = derive::transition(model, data, {Method::centered});
  CHECK(worst(exact.A, centered.A, 1) < 1e-7);
  double deviation = 0;
  for (int i = 6; i < 9; ++i) {
    for (int k = 6; k < 9; ++k) {
      deviation = std::max(deviation, std::fabs(at(exact.A, 18, i, 9 + k) - (i == k ? 1e-3 : 0)));
    }
  }
  CHECK(deviation > 1e-7);

  // the perturbed states of differences are valid poses
  derive::detail::Perturbed<DefaultPolicies, double, double> nudged(
      make_ref<DefaultPolicies>(model), data);
  for (int column = 0; column < 18; ++column) {
    for (const double h : {1e-6, -1e-6, 1e-2}) {
      nudged.place(column, h);
      const auto& q = nudged.ref().qpos;
      bool moved = false;
      for (int i = 0; i < 11; ++i) moved = moved || q[i] != data.qpos()[std::size_t(i)];
      CHECK(moved == (column < 9));
      for (const int k : {3, 7}) {
        const double norm =
            q[k] * q[k] + q[k + 1] * q[k + 1] + q[k + 2] * q[k + 2] + q[k + 3] * q[k + 3];
        CHECK(near(std::sqrt(norm), 1, 1e-14));
      }
    }
  }
}

TEST_CASE("activations decay with their time constants",
          "[derive][004-12.5][004-12.31][004-12.36]") {
  const Model<double> model = support::parse(
      pendulum(2, "",
               "<actuator><general joint='j0' dyntype='filter' dynprm='.05'/>"
               "<general joint='j1' dyntype='filterexact' dynprm='.05'/></actuator>"));
  const Data<double> data = somewhere(model);
  const auto centered = derive::transition(model, data, {Method::centered});
  for (const Method method : {Method::exact, Method::centered, Method::hybrid}) {
    const auto t = derive::transition(model, data, {method});
    CHECK(worst(t.A, centered.A) < 1e-4);
    CHECK(near_relative(at(t.A, 6, 4, 4), 1 - 0.001 / 0.05, 1e-6));
    CHECK(near_relative(at(t.A, 6, 5, 5), std::exp(-0.001 / 0.05), 1e-6));
  }
}

TEST_CASE("a resting sphere pushes back, less so the softer its contact", "[derive][004-12.6]") {
  double last = std::numeric_limits<double>::infinity();
  for (const char* timeconst : {".01", ".02", ".05"}) {
    const Model<double> model = support::parse(
        std::string(
            "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .099'><freejoint/>"
            "<geom size='.1' mass='1' solref='") +
        timeconst + " 1'/></body></worldbody></mujoco>");
    const Data<double> data(model);
    const auto t = derive::transition(model, data);
    const double push = std::fabs(at(t.A, 12, 8, 2));  // vertical velocity with respect to height
    CHECK(push > 0);
    CHECK(push < last);
    last = push;
  }
}

TEST_CASE("derivatives belong to the integrator", "[derive][004-12.7]") {
  Model<double> model = support::parse(pendulum(3, "", motors(3)));
  model.opt.timestep = 0.02;
  const Data<double> data = somewhere(model);
  const auto euler = derive::transition(model, data);
  model.opt.integrator = static_cast<int>(Integrator::rk4);
  const auto rk4 = derive::transition(model, data);
  const auto centered = derive::transition(model, data, {Method::centered});
  const auto hybrid = derive::transition(model, data, {Method::hybrid});
  CHECK(worst(rk4.A, centered.A) < 1e-6);
  CHECK(hybrid.A == centered.A);
  CHECK(worst(rk4.A, euler.A) > 1e-4);
}

TEST_CASE("steps of differences have a range", "[derive][004-12.20]") {
  const Model<double> model = support::parse(pendulum(2));
  const Data<double> data = somewhere(model);
  for (const double h : {0.0, -1.0, std::nan(""), 0.1}) {
    for (const Method method : {Method::centered, Method::forward, Method::hybrid}) {
      CHECK(derive::transition(model, data, {method, h}).status.has(bad_argument));
    }
  }
  CHECK(derive::transition(model, data, {Method::centered, 1e-6}).status.ok());
}

TEST_CASE("the data is not touched and results repeat", "[derive][004-12.22]") {
  const Model<double> model = support::load("walker");
  Data<double> data = somewhere(model);
  REQUIRE(forward(model, data).ok());
  const std::vector<std::byte> before(data.memory().begin(), data.memory().end());
  for (const Method method : {Method::exact, Method::centered, Method::hybrid}) {
    const auto once = derive::transition(model, data, {method});
    CHECK(once.A == derive::transition(model, data, {method}).A);
    CHECK(std::equal(before.begin(), before.end(), data.memory().begin()));
  }
}

TEST_CASE("joints without quaternions integrate to I and h I", "[derive][004-12.29]") {
  const Model<double> model = support::parse(pendulum(3));
  const auto t = derive::transition(model, Data<double>(model));
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      // q' = q + h v' and v' depends on q: subtract that part
      const double h = model.opt.timestep;
      CHECK(near(at(t.A, 6, i, k) - h * at(t.A, 6, 3 + i, k), i == k ? 1 : 0, 1e-15));
      CHECK(near(at(t.A, 6, i, 3 + k), h * at(t.A, 6, 3 + i, 3 + k), 1e-15));
    }
  }
  const Integration alone(model, somewhere(model));
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      CHECK(at(alone.by_position, 3, i, k) == (i == k ? 1 : 0));
      CHECK(at(alone.by_velocity, 3, i, k) == (i == k ? model.opt.timestep : 0));
    }
  }
}

TEST_CASE("a bad state has no derivative", "[derive]") {
  const Model<double> model = support::parse(pendulum(2));
  Data<double> data(model);
  data.qpos()[0] = std::nan("");
  const auto t = derive::transition(model, data);
  CHECK(t.status.has(bad_qpos));
  for (const double x : t.A.reshaped()) CHECK(x == 0);
}

TEST_CASE("NaN is the largest relative error", "[derive]") {
  const std::vector<double> ours{1, std::nan(""), 3}, theirs{1, 2, 4};
  const auto error = derive::max_relative_error(ours, theirs, 1e-3);
  CHECK(std::isnan(error.value));
  CHECK(error.index == 1);
}

TEST_CASE("random states have finite derivatives", "[derive]") {
  for (const char* name : {"walker", "contacts", "joints"}) {
    const Model<double> model = support::load(name);
    derive::Linearizer<double> linearizer(model);
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      Data<double> data(model);
      support::perturb(model, data, seed, 1, 3);
      const auto& t = linearizer(model, data);
      CHECK((t.A.allFinite() && t.B.allFinite() && t.C.allFinite() && t.D.allFinite()));
    }
  }
}

TEST_CASE("a ball's quaternion integrates along its angular velocity", "[derive][004-12.28]") {
  const auto ball = [](const char* geom) {
    return support::parse(std::string("<mujoco><option timestep='.001' gravity='0 0 0'/><worldbody>"
                                      "<body><joint type='ball'/><geom ") +
                          geom + "/></body></worldbody></mujoco>");
  };
  const auto turning = [](const Model<double>& model) {
    Data<double> data(model);
    support::perturb(model, data, 3, 1, 0);
    data.qvel()[0] = 1, data.qvel()[1] = 0.5, data.qvel()[2] = -0.3;
    return data;
  };
  const Model<double> box = ball("type='box' size='.1 .2 .3'");
  const Data<double> data = turning(box);
  const Integration exact(box, data);

  // the integration alone, with the quaternion or the velocity perturbed
  const auto m = make_ref<DefaultPolicies>(box);
  const double h = box.opt.timestep, eps = 1e-6;
  for (int k = 0; k < 6; ++k) {
    Data<double> ends[2] = {data, data};
    for (int side = 0; side < 2; ++side) {
      const auto& d = ends[side].ref();
      double nudge[3] = {0, 0, 0};
      nudge[k % 3] = side == 0 ? -eps : eps;
      if (k < 3) integrate_position(m, d.qpos, Field<double>{nudge}, 1.0);
      if (k >= 3) d.qvel[k - 3] += nudge[k - 3];
      integrate_position(m, d.qpos, d.qvel, h);
    }
    double slope[3];
    differentiate_position(m, ends[0].ref().qpos, ends[1].ref().qpos, 2 * eps,
                           Field<double>{slope});
    for (int i = 0; i < 3; ++i) {
      const auto& jacobian = k < 3 ? exact.by_position : exact.by_velocity;
      CHECK(near(at(jacobian, 3, i, k % 3), slope[i], (k < 3 ? 1 : h) * 1e-6));
    }
  }

  // to first order in h they are 1 - h [ω] and h (1 - h [ω] / 2), with [ω] x = ω × x
  const double cross[9] = {0, 0.3, 0.5, -0.3, 0, -1, -0.5, 1, 0};
  for (int i = 0; i < 9; ++i) {
    const double one = i % 4 == 0 ? 1 : 0;
    CHECK(near(exact.by_position[std::size_t(i)], one - h * cross[i], 1e-6));
    CHECK(near(exact.by_velocity[std::size_t(i)] / h, one - h / 2 * cross[i], 1e-6));
  }

  // a ball without torque keeps its velocity, so the step has the same derivatives
  const Model<double> sphere = ball("size='.2'");
  const auto step = derive::transition(sphere, turning(sphere));
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      CHECK(near(at(step.A, 6, i, k), at(exact.by_position, 3, i, k), 1e-12));
      CHECK(near(at(step.A, 6, i, 3 + k), at(exact.by_velocity, 3, i, k), 1e-15));
    }
  }
  const auto whole = derive::transition(box, data);
  CHECK(worst(whole.A, derive::transition(box, data, {Method::centered}).A, 1) < 1e-6);
  CHECK(worst(whole.A, derive::transition(box, data, {Method::hybrid}).A, 1) < 1e-6);
}

TEST_CASE("a nudged step begins with the warm start of the data", "[derive][004-12.21]") {
  const Model<double> model = support::load("walker");
  Data<double> data(model);
  support::perturb(model, data, 4, 0.02, 0.1);
  for (int i = 0; i < 100; ++i) REQUIRE(step(model, data).ok());
  REQUIRE(data.nefc() > 0);
  Data<double> nominal = data;
  REQUIRE(step(model, nominal).ok());
  const int most = 2 * std::max(1, int(nominal.ref().solver_niter));
  derive::detail::Perturbed<DefaultPolicies, double, double> nudged(
      make_ref<DefaultPolicies>(model), data);
  for (int column = 0; column < 2 * model.n.nv + model.n.na + model.n.nu; ++column) {
    REQUIRE(nudged.run(column, 1e-6, false).ok());
    CHECK(nudged.ref().solver_niter <= most);
    // the step has left its own warm start, and the next one does not use it
    CHECK(nudged.ref().qacc_warmstart[0] != data.ref().qacc_warmstart[0]);
    nudged.place(column, 1e-6);
    for (int i = 0; i < model.n.nv; ++i) {
      CHECK(nudged.ref().qacc_warmstart[i] == data.ref().qacc_warmstart[i]);
    }
  }
}
