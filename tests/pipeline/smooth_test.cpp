// SPDX-License-Identifier: Apache-2.0
//
// Everything except contacts and constraints, kind by kind: long trajectories against MuJoCo's,
// derivatives of forces and of a step against differences, and single precision against double.
#include <corten/scalar/dual.hpp>
#include <corten/version.hpp>

#include "../support/golden.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace corten;

namespace {

constexpr int smooth_only = disable_contact | disable_constraint;

Model<double> smooth_model(const std::string& name, Integrator integrator) {
  Model<double> model = support::load(name);
  model.opt.disableflags |= smooth_only;
  model.opt.integrator = static_cast<int>(integrator);
  return model;
}

Integrator integrator_named(const std::string& word) {
  for (const auto& known : spec::keywords<Integrator>) {
    if (known.word == word) return static_cast<Integrator>(known.value);
  }
  FAIL("no integrator " << word);
  return Integrator::euler;
}

// noise with few bits over half the control range, around its middle: the oracle's --ctrl noise:0.5
void draw_controls(const Model<double>& model, support::Random& random, std::span<double> ctrl) {
  for (std::size_t i = 0; i < ctrl.size(); ++i) {
    const double low = model.actuator_ctrlrange[2 * i], high = model.actuator_ctrlrange[2 * i + 1];
    const bool limited = model.actuator_ctrllimited[i] != 0;
    const double middle = limited ? 0.5 * (low + high) : 0, half = limited ? 0.5 * (high - low) : 1;
    ctrl[i] = std::floor((middle + 0.5 * half * random()) * 0x1p20 + 0.5) * 0x1p-20;
  }
}

// largest difference between a state in the golden file and the data, relative to the largest
// number
double state_error(const io::Json& state, const Data<double>& data) {
  double worst = 0;
  const auto compare = [&](const char* name, std::span<const double> got) {
    std::vector<double> expected;
    golden::flatten(*state.find(name), expected);
    REQUIRE(expected.size() == got.size());
    double scale = 1;
    for (double x : expected) scale = std::max(scale, std::fabs(x));
    for (std::size_t i = 0; i < got.size(); ++i) {
      worst = std::max(worst, std::fabs(got[i] - expected[i]) / scale);
    }
  };
  compare("qpos", data.qpos());
  compare("qvel", data.qvel());
  compare("act", data.act());
  return worst;
}

}  // namespace

// Tendons take half as many steps: where their paths change sides, MuJoCo itself magnifies 1e-12 at
// the start to 1e-6.
TEST_CASE("trajectories of a thousand steps are MuJoCo's", "[pipeline][golden]") {
  const io::Json tree = golden::load_golden("trajectories");
  REQUIRE(*tree.find("oracle")->find("engine")->string() == CORTEN_MUJOCO_VERSION);
  for (const io::Json& run : *tree.find("runs")->array()) {
    const std::string name = *run.find("model")->string();
    const Model<double> model =
        smooth_model(name, integrator_named(*run.find("integrator")->string()));
    Data<double> data(model);
    support::perturb(model, data, 7, 0.01, 0.1, 0);
    support::Random random(1);
    const auto& states = *run.find("states")->array();
    auto next = states.begin();
    for (int k = 0; next != states.end(); ++k) {
      if (k == static_cast<int>(*next->find("step")->number())) {
        INFO(name << " after " << k << " steps");
        CHECK(state_error(*next, data) < 1e-8);
        if (++next == states.end()) break;
      }
      if (k % 10 == 0) draw_controls(model, random, data.ctrl());
      REQUIRE(step(model, data).ok());
    }
  }
}

namespace {

// Every smooth force, and the state after a step.
template <class S>
std::vector<S> outcome(const Model<double>& model, Data<S>& data) {
  REQUIRE(step(model, data).ok());
  std::vector<S> out;
  const auto& d = data.ref();
  const auto add = [&](const auto& field, int count) {
    for (int i = 0; i < count; ++i) out.push_back(field[i]);
  };
  add(d.ten_length, d.n.ntendon);
  add(d.ten_velocity, d.n.ntendon);
  add(d.actuator_length, model.n.nout);
  add(d.actuator_velocity, model.n.nout);
  add(d.actuator_force, model.n.nout);
  add(d.act_dot, d.n.na);
  add(d.qfrc_spring, d.n.nv);
  add(d.qfrc_damper, d.n.nv);
  add(d.qfrc_gravcomp, d.n.nv);
  add(d.qfrc_fluid, d.n.nv);
  add(d.qfrc_bias, d.n.nv);
  add(d.qfrc_actuator, d.n.nv);
  add(d.qacc_smooth, d.n.nv);
  add(d.act, d.n.na);
  add(d.qvel, d.n.nv);
  add(d.qpos, d.n.nq);
  return out;
}

// input k: coordinates, velocities, activations, controls
template <class S>
S& input(Data<S>& data, int k) {
  const auto& n = data.ref().n;
  if (k < n.nq) return data.ref().qpos[k];
  if (k < n.nq + n.nv) return data.ref().qvel[k - n.nq];
  if (k < n.nq + n.nv + n.na) return data.ref().act[k - n.nq - n.nv];
  return data.ref().ctrl[k - n.nq - n.nv - n.na];
}

// A state during a motion, where nothing is at a limit.
template <class S>
Data<S> somewhere(const Model<double>& model) {
  Data<S> data(model);
  support::perturb(model, data, 23, 0.05, 0.5, 0.3);
  support::Random random(29);
  for (S& a : data.act()) a = S(value_t<S>(0.3 + 0.2 * random()));
  return data;
}

std::vector<double> moved(const Model<double>& model, Data<double> data, int k, double by) {
  input(data, k) += by;
  return outcome(model, data);
}

// Relative to the numbers themselves, since differences of large ones have few digits left.
void check_slopes(const Model<double>& model) {
  const Data<double> start = somewhere<double>(model);
  const int inputs = model.n.nq + model.n.nv + model.n.na + model.n.nu;
  const double h = 1e-6;
  for (int first = 0; first < inputs; first += Dual8::tangents) {
    Data<Dual8> data = somewhere<Dual8>(model);
    const int last = std::min(first + Dual8::tangents, inputs);
    for (int k = first; k < last; ++k) input(data, k).v[k - first] = 1;
    const std::vector<Dual8> exact = outcome(model, data);
    for (int k = first; k < last; ++k) {
      const auto plus = moved(model, start, k, h), minus = moved(model, start, k, -h);
      REQUIRE(plus.size() == exact.size());
      for (std::size_t i = 0; i < exact.size(); ++i) {
        INFO("number " << i << " of " << exact.size() << ", input " << k << " of " << inputs);
        const double slope = (plus[i] - minus[i]) / (2 * h);
        const double margin = 1e-5 * std::max({1.0, std::fabs(plus[i]), std::fabs(slope)});
        CHECK(near(exact[i].v[k - first], slope, margin));
      }
    }
  }
}

}  // namespace

// Together these have every kind of joint, spring, damper, medium, tendon, transmission,
// activation, gain and bias.
TEST_CASE("smooth forces have the derivatives of differences, kind by kind",
          "[pipeline][derivative]") {
  const std::string name = GENERATE("activation", "actuators", "coupled", "fluid", "joints",
                                    "motors", "servos", "tendons", "transmissions");
  for (Integrator integrator :
       {Integrator::euler, Integrator::implicit, Integrator::implicitfast}) {
    INFO(name << ", integrator " << static_cast<int>(integrator));
    check_slopes(smooth_model(name, integrator));
  }
}

TEST_CASE("smooth forces in single precision, kind by kind", "[pipeline]") {
  const std::string name = GENERATE("activation", "actuators", "coupled", "fluid", "joints",
                                    "motors", "servos", "tendons", "transmissions");
  for (Integrator integrator : {Integrator::euler, Integrator::rk4, Integrator::implicit,
                                Integrator::implicitfast, Integrator::implicitspringdamper}) {
    const Model<double> model = smooth_model(name, integrator);
    Data<double> data = somewhere<double>(model);
    Data<float> single = somewhere<float>(model);
    const std::vector<double> expected = outcome(model, data);
    const std::vector<float> got = outcome(model, single);
    REQUIRE(got.size() == expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      INFO(name << ", integrator " << static_cast<int>(integrator) << ", number " << i);
      CHECK(near_relative(got[i], expected[i], 1e-3, 1));
    }
  }
}
