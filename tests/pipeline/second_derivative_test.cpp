// SPDX-License-Identifier: Apache-2.0
//
// Second derivatives of a step by duals of duals, against differences of first derivatives.
#include <corten/scalar/dual.hpp>

#include "../support/model.hpp"

using namespace corten;

namespace {

using Inner = Dual<double, 1>;
using Nested = Dual<Inner, 1>;

// a free body and an arm with three kinds of joints, with springs, dampers, a tendon, servos and a
// sensor
constexpr const char* mechanism = R"(
<mujoco>
  <option timestep="0.01" density="1.2" viscosity="0.1" wind="1 2 0">
    <flag contact="disable"/></option>
  <worldbody>
    <body pos="0 0 1"><freejoint/><geom type="box" size="0.1 0.2 0.3"/></body>
    <body pos="1 0 0">
      <joint name="lift" type="slide" axis="0 1 1" damping="2"/>
      <geom size="0.2" pos="0.1 0 0"/>
      <body pos="0.3 0 0">
        <joint name="shoulder" type="ball" stiffness="3" damping="0.1"/>
        <geom type="capsule" size="0.05 0.2" pos="0 0.1 -0.2"/>
        <body pos="0 0 -0.4">
          <joint name="elbow" axis="1 0 0.2" stiffness="1 0.5 0.2" armature="0.1"/>
          <geom type="cylinder" size="0.05 0.2" pos="0 0.1 -0.2"/>
        </body>
      </body>
    </body>
  </worldbody>
  <tendon><fixed name="t" stiffness="4" damping="0.5"><joint joint="lift" coef="1"/>
    <joint joint="elbow" coef="-0.5"/></fixed></tendon>
  <actuator><position joint="elbow" kp="5" timeconst="0.1"/>
    <motor joint="shoulder" gear="1 0.5 2"/></actuator>
</mujoco>)";

// the state of the test with tangents: (position, velocity, activation, control) in this order
template <class S, class Seed>
std::vector<S> next_state(const Model<double>& model, Seed seed) {
  const Sizes& n = model.n;
  Data<S> data(model);
  support::Random random(11);
  const auto m = make_ref<DefaultPolicies>(model);
  std::vector<S> move(std::size_t(n.nv));
  int i = 0;
  for (S& x : move) x = S(0.3 * random()) + seed(i++);
  for (S& x : data.qvel()) x = S(random()) + seed(i++);
  for (S& x : data.act()) x = S(random()) + seed(i++);
  for (S& x : data.ctrl()) x = S(random()) + seed(i++);
  integrate_position(m, data.ref().qpos, Field<S>{move.data()}, S(1));
  REQUIRE(step(model, data).ok());
  std::vector<S> out(data.qpos().begin(), data.qpos().end());
  out.insert(out.end(), data.qvel().begin(), data.qvel().end());
  out.insert(out.end(), data.act().begin(), data.act().end());
  return out;
}

// ∂/∂i of the next state with Dual<double, 8>, and input j moved by h
std::vector<double> slope(const Model<double>& model, int i, int j, double h) {
  using D = Dual<double, 8>;
  const auto next = next_state<D>(model, [&](int k) {
    D x(k == j ? h : 0.0);
    if (k == i) x.v[0] = 1;
    return x;
  });
  std::vector<double> out;
  for (const D& x : next) out.push_back(x.v[0]);
  return out;
}

}  // namespace

TEST_CASE("second derivatives of a step without contacts", "[pipeline]") {
  const Model<double> model = support::parse(mechanism);
  const int inputs = 2 * model.n.nv + model.n.na + model.n.nu;
  const double h = 1e-5;
  double worst = 0, largest = 0;
  for (int i = 0; i < inputs; i += 2) {
    for (int j = 0; j < inputs; ++j) {
      const auto second = next_state<Nested>(model, [&](int k) {
        Nested x(0.0);
        if (k == i) x.v[0] = Inner(1);
        if (k == j) x.a.v[0] = 1;
        return x;
      });
      const auto above = slope(model, i, j, h), below = slope(model, i, j, -h);
      for (std::size_t r = 0; r < second.size(); ++r) {
        const double expected = (above[r] - below[r]) / (2 * h), got = second[r].v[0].v[0];
        REQUIRE(std::isfinite(got));
        worst = std::max(worst, std::fabs(got - expected) / std::max(1.0, std::fabs(expected)));
        largest = std::max(largest, std::fabs(expected));
      }
    }
  }
  CHECK(largest > 0.1);
  CHECK(worst < 1e-5);
  CHECK(worst < 1e-7);
}
