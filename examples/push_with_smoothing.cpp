// SPDX-License-Identifier: Apache-2.0
//
// Which force on the finger moves the box to the mark? At first the finger rests 6 cm away from it,
// so the exact derivative of the box's position is zero: a small change of the force changes
// nothing, and gradient descent never starts. With smoothing (derive/smooth.hpp) the derivative is
// that of a softer contact that is felt from a distance. It says in which direction to push, and
// is not exact; the cost itself is always that of the real step.
#include <corten/corten.hpp>
#include <corten/derive.hpp>

#include <cmath>
#include <cstdio>

constexpr const char* text = R"(
<mujoco>
  <option timestep=".01"/>
  <worldbody>
    <body name="finger" pos="-.2 0 0">
      <joint name="finger" type="slide" axis="1 0 0" damping="1"/>
      <geom type="sphere" size=".04" mass=".5"/>
    </body>
    <body name="box">
      <joint type="slide" axis="1 0 0" damping="2"/>
      <geom type="box" size=".1 .1 .1" mass="1"/>
    </body>
  </worldbody>
  <actuator><motor joint="finger"/></actuator>
</mujoco>)";

using Matrix = corten::derive::Matrix<double>;
constexpr int steps = 100;
constexpr double mark = 0.25;

// the distance of the box from the mark at the end, and a little for the effort
double cost(int k, const corten::Data<double>& data, double* by_state, double* by_control) {
  if (k == steps) {
    const double miss = data.qpos()[1] - mark;
    if (by_state != nullptr) by_state[1] += miss;
    return 0.5 * miss * miss;
  }
  const double u = data.ctrl()[0], effort = 1e-7;
  if (by_control != nullptr) by_control[0] += effort * u;
  return 0.5 * effort * u * u;
}

int main() {
  const auto model = corten::load_string(text);
  if (!model) return std::puts(model.error().to_string().c_str()), 1;
  const corten::Data<double> start(*model);
  corten::derive::Rollout<double> rollout(*model, steps);

  Matrix force = Matrix::Zero(steps, 1);
  const double exact = rollout(start, force, cost).controls.norm();
  rollout.smoothing = 0.1;
  const double smooth = rollout(start, force, cost).controls.norm();
  std::printf("at rest: gradient %g exact, %g smoothed\n", exact, smooth);

  // gradient descent with a step that adapts
  double best = rollout(start, force, cost).cost, rate = 2e4;
  for (int i = 0; i < 60 && best > 1e-5; ++i) {
    const Matrix trial = force - rate * rollout(start, force, cost).controls;
    const double found = rollout(start, trial, cost).cost;
    rate *= found < best ? 1.5 : 0.3;
    if (found < best) force = trial, best = found;
  }
  corten::Data<double> data = start;
  for (int k = 0; k < steps; ++k) {
    data.ctrl()[0] = force(k, 0);
    if (!corten::step(*model, data)) return 1;
  }
  std::printf("the box is pushed to %.4f m, the mark is at %.4f m\n", data.qpos()[1], mark);
  return exact == 0 && smooth > 0 && std::fabs(data.qpos()[1] - mark) < 0.01 ? 0 : 1;
}
