// SPDX-License-Identifier: Apache-2.0
//
// Swings a double pendulum with one weak motor to upright, over 1,000 steps, by the gradient of the
// whole rollout: adjoints from the last step to the first, with checkpoints (derive/rollout.hpp).
// The optimiser is L-BFGS with a backtracking line search.
//
//     example_optimise_trajectory [ITERATIONS]
#include <corten/corten.hpp>
#include <corten/derive.hpp>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <limits>

constexpr const char* text = R"(
<mujoco>
  <option timestep=".003" integrator="implicitfast"/>
  <worldbody>
    <body>
      <joint name="shoulder" axis="0 1 0" damping=".02"/>
      <geom type="capsule" fromto="0 0 0 0 0 -.5" size=".02" mass=".3"/>
      <body pos="0 0 -.5">
        <joint name="elbow" axis="0 1 0" damping=".02"/>
        <geom type="capsule" fromto="0 0 0 0 0 -.4" size=".02" mass=".2"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="shoulder"/><motor joint="elbow"/></actuator>
</mujoco>)";

using corten::derive::Matrix;
using Vector = Eigen::VectorXd;
constexpr int steps = 1000;
constexpr double upright = 3.14159265358979, effort = 1e-4;

// upright and still at the end, with little effort on the way
double cost(int k, const corten::Data<double>& d, double* by_state, double* by_control) {
  double sum = 0;
  if (k == steps) {
    const double goal[4] = {upright, 0, 0, 0}, weight[4] = {10, 10, 0.5, 0.5};
    for (std::size_t i = 0; i < 4; ++i) {
      const double miss = (i < 2 ? d.qpos()[i] : d.qvel()[i - 2]) - goal[i];
      sum += 0.5 * weight[i] * miss * miss;
      if (by_state != nullptr) by_state[i] += weight[i] * miss;
    }
    return sum;
  }
  for (std::size_t i = 0; i < 2; ++i) {
    const double u = d.ctrl()[i];
    sum += 0.5 * effort * u * u;
    if (by_control != nullptr) by_control[i] += effort * u;
  }
  return sum;
}

// the direction of L-BFGS: the inverse Hessian that the last changes suggest, times the gradient
// (Nocedal and Wright, Numerical Optimization, algorithm 7.4)
Vector direction(const std::deque<Vector>& s, const std::deque<Vector>& y, Vector g) {
  std::vector<double> alpha(s.size());
  for (std::size_t i = s.size(); i-- > 0;) {
    alpha[i] = s[i].dot(g) / s[i].dot(y[i]);
    g -= alpha[i] * y[i];
  }
  if (!s.empty()) g *= s.back().dot(y.back()) / y.back().squaredNorm();
  for (std::size_t i = 0; i < s.size(); ++i) {
    g += (alpha[i] - y[i].dot(g) / s[i].dot(y[i])) * s[i];
  }
  return -g;
}

int main(int argc, char** argv) {
  const int iterations = argc > 1 ? std::atoi(argv[1]) : 60;
  const auto model = corten::load_string(text);
  if (!model) return std::puts(model.error().to_string().c_str()), 1;
  const corten::Data<double> start(*model);
  corten::derive::Rollout<double> rollout(*model, steps);
  const auto evaluate = [&](const Vector& u, Vector& gradient) {
    const auto& g = rollout(start, Matrix<double>::Map(u.data(), steps, 2), cost);
    gradient = Vector::Map(g.controls.data(), 2 * steps);
    return g.status.ok() ? g.cost : std::numeric_limits<double>::infinity();
  };
  Vector u = Vector::Constant(2 * steps, 0.01), g;
  double now = evaluate(u, g);
  const double first = now;
  std::deque<Vector> s, y;
  const auto begin = std::chrono::steady_clock::now();
  int calls = 0;
  for (int i = 0; i < iterations && now > 1e-2; ++i) {
    Vector along = direction(s, y, g), next_g;
    if (s.empty()) along *= 0.1 / along.norm();
    const double slope = along.dot(g);
    double alpha = 1, found = INFINITY;
    for (; alpha > 1e-6; alpha /= 2) {
      found = evaluate(u + alpha * along, next_g);
      ++calls;
      if (found < now + 1e-4 * alpha * slope) break;
    }
    if (!(found < now)) break;
    const Vector ds = alpha * along, dy = next_g - g;
    if (ds.dot(dy) > 1e-12) s.push_back(ds), y.push_back(dy);
    if (s.size() > 12) s.pop_front(), y.pop_front();
    u += ds, g = next_g, now = found;
    if (i % 20 == 19) std::printf("iteration %3d: cost %.4f\n", i + 1, now);
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::printf("cost %.4f at first, %.4f now; %.1f gradients of %d steps per second\n", first, now,
              calls / seconds, steps);
  return now < 0.2 * first ? 0 : 1;
}
