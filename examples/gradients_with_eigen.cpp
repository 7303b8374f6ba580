// SPDX-License-Identifier: Apache-2.0
//
// The gradient of a whole rollout, with Eigen: which torques throw a two-link arm at a target? Each
// step is linearised exactly, and the gradient of the cost is carried back through the steps:
// dJ/du = B' λ, then λ = A' λ. One sweep costs the same for one control as for hundreds.
#include <corten/corten.hpp>
#include <corten/derive.hpp>

#include <Eigen/Dense>

#include <cmath>
#include <cstdio>
#include <vector>

constexpr const char* arm = R"(
<mujoco>
  <option timestep="0.01" gravity="0 0 0"/>
  <default>
    <geom type="capsule" size=".03" density="500"/><joint axis="0 1 0" damping=".05"/>
  </default>
  <worldbody>
    <body><joint name="shoulder"/><geom fromto="0 0 0 .4 0 0"/>
      <body pos=".4 0 0"><joint name="elbow"/><geom fromto="0 0 0 .3 0 0"/></body></body>
  </worldbody>
  <actuator><motor joint="shoulder"/><motor joint="elbow"/></actuator>
</mujoco>)";

using Matrix = corten::derive::Matrix<double>;
constexpr int steps = 60;

struct Throw {
  const corten::Model<double>& model;
  corten::derive::Linearizer<double> linearize{model};
  Eigen::Vector4d target{1.2, -0.8, 0, 0}, weight{1, 1, 0.01, 0.01};  // angles, velocities

  // the cost of controls, one column per step, and its gradient if that is wanted
  double cost(const Eigen::MatrixXd& u, Eigen::MatrixXd* gradient = nullptr) {
    corten::Data<double> data(model);
    std::vector<Matrix> A, B;
    for (int k = 0; k < steps; ++k) {
      corten::eigen(data.ctrl()) = u.col(k);
      if (gradient != nullptr) {
        const auto& t = linearize(model, data);
        A.push_back(t.A);
        B.push_back(t.B);
      }
      if (!corten::step(model, data)) return NAN;
    }
    Eigen::VectorXd miss(4);
    miss << corten::eigen(data.qpos()), corten::eigen(data.qvel());
    miss -= target;
    Eigen::VectorXd lambda = 2 * weight.cwiseProduct(miss);
    for (int k = steps - 1; k >= 0 && gradient != nullptr; --k) {
      gradient->col(k) = B[std::size_t(k)].transpose() * lambda + 2e-4 * u.col(k);
      lambda = (A[std::size_t(k)].transpose() * lambda).eval();
    }
    return miss.dot(weight.cwiseProduct(miss)) + 1e-4 * u.squaredNorm();
  }
};

int main() {
  const auto model = corten::load_string(arm);
  if (!model) return std::puts(model.error().to_string().c_str()), 1;
  Throw arm_throw{*model};
  Eigen::MatrixXd u = Eigen::MatrixXd::Constant(2, steps, 0.05), gradient(2, steps);

  // against a centred difference along some direction
  const Eigen::MatrixXd along = Eigen::MatrixXd::Ones(2, steps);
  arm_throw.cost(u, &gradient);
  const double exact = gradient.cwiseProduct(along).sum(), h = 1e-5;
  const double near = (arm_throw.cost(u + h * along) - arm_throw.cost(u - h * along)) / (2 * h);
  std::printf("slope along all controls: %.9f, by differences %.9f\n", exact, near);

  // descend, with steps as long as the cost allows
  double rate = 0.1, cost = arm_throw.cost(u);
  for (int k = 0; k < 200; ++k) {
    cost = arm_throw.cost(u, &gradient);
    if (k % 40 == 0) std::printf("%3d  cost %.6f\n", k, cost);
    while (rate > 1e-9 && !(arm_throw.cost(u - rate * gradient) < cost)) rate /= 2;
    u -= rate * gradient;
    rate *= 1.5;
  }
  std::printf("     cost %.6f\n", cost);
  return std::abs(exact - near) < 1e-6 * std::abs(exact) && cost < 0.05 ? 0 : 1;
}
