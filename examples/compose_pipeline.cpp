// SPDX-License-Identifier: Apache-2.0
//
// A custom pipeline. Policies list the kinds of joints, geoms and colliders that it supports;
// anything else is not compiled. The stages are functions, called here one by one.
#include <corten/corten.hpp>

#include <cmath>
#include <cstdio>

// hinges, a plane and spheres, nothing else
using MyPolicies =
    corten::Policies<corten::Joints<corten::Hinge>, corten::Geoms<corten::Plane, corten::Sphere>,
                     corten::Colliders<corten::PlaneSphere>>;

constexpr const char* pendulum = R"(
<mujoco>
  <option timestep="0.001"/>
  <worldbody>
    <geom type="plane" size="1 1 .1" pos="0 0 -2"/>
    <body>
      <joint name="pivot" axis="0 1 0"/>
      <geom type="sphere" pos="0 0 -1" size=".01" mass="1"/>
    </body>
  </worldbody>
</mujoco>)";

constexpr const char* with_ball_joint = R"(
<mujoco><worldbody>
  <body><joint name="shoulder" type="ball"/><geom size="1"/></body>
</worldbody></mujoco>)";

// the stages of a step without controls and sensors, in order
template <class M, class D>
void my_step(const M& m, const D& d) {
  corten::kinematics(m, d);    // frames of bodies
  corten::com(m, d);           // centres of mass and motion axes
  corten::inertia(m, d);       // the inertia matrix
  corten::factor(m, d);        // and its factor
  corten::collision(m, d);     // contacts, by the only collider in the list
  corten::constraint(m, d);    // rows of the constraint Jacobian
  corten::velocity(m, d);      // velocities of bodies
  corten::passive(m, d);       // springs and dampers
  corten::reference(m, d);     // reference accelerations of the constraints
  corten::bias(m, d);          // Coriolis forces and gravity
  corten::acceleration(m, d);  // unconstrained acceleration
  corten::solve(m, d);         // constrained acceleration and forces
  corten::euler(m, d);         // the next state
}

int main() {
  // a model that the policies do not cover is refused, with the name of the element
  const auto other = corten::load_string(with_ball_joint);
  if (!other) return 1;
  const auto refused = corten::bind<MyPolicies>(*other);
  if (refused) return 1;
  std::printf("refused: %s\n", refused.error().to_string().c_str());

  const auto model = corten::load_string(pendulum);
  if (!model) return 1;
  const auto m = corten::bind<MyPolicies>(*model);
  if (!m) return 1;
  corten::Data<double> data(*model);
  data.qpos()[0] = 0.01;

  // a small swing takes 2π sqrt(l/g); find the time between two passages of the lowest point
  double first = 0, second = 0, before = data.qpos()[0];
  while (second == 0 && data.time() < 10) {
    my_step(*m, data.ref());
    const double now = data.qpos()[0];
    if (before < 0 && now >= 0) {
      (first == 0 ? first : second) = data.time() - 0.001 * now / (now - before);
    }
    before = now;
  }
  const double expected = 2 * 3.14159265358979 * std::sqrt(1 / 9.81);
  std::printf("period: %.5f s measured, %.5f s expected\n", second - first, expected);
  return std::abs(second - first - expected) < 1e-3 ? 0 : 1;
}
