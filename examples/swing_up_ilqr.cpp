// SPDX-License-Identifier: Apache-2.0
//
// Swings up a cart-pole by iLQR: simulate, linearise every step exactly, solve the linear-quadratic problem
// backwards in time, try the new controls, repeat.
#include <corten/corten.hpp>
#include <corten/derive.hpp>

#include <Eigen/Dense>
#include <cmath>
#include <cstdio>

constexpr const char* text = R"(
<mujoco>
  <option timestep=".02"/>
  <worldbody>
    <body><joint name="cart" type="slide" axis="1 0 0" damping=".1"/>
      <geom type="box" size=".1 .05 .05" mass="1"/>
      <body><joint axis="0 1 0" damping=".01"/>
        <geom type="capsule" fromto="0 0 0 0 0 -.5" size=".02" mass=".1"/></body></body>
  </worldbody>
  <actuator><motor joint="cart" gear="10"/></actuator>
</mujoco>)";

using namespace corten;
using Eigen::Matrix4d, Eigen::Matrix4Xd, Eigen::Vector4d,
    Eigen::VectorXd;  // states: cart, pole, velocities
constexpr int horizon = 150;
constexpr double upright = 3.14159265358979, effort = 0.002, running = 0.005;

struct Plan {
  Matrix4Xd x = Matrix4Xd::Zero(4, horizon + 1);  // states
  Matrix4Xd K = Matrix4Xd::Zero(4, horizon);      // feedback
  VectorXd u = VectorXd::Zero(horizon), k = u;    // controls, and how to change them
  double cost = 0;
};
const Vector4d weight(40, 400, 4, 10);  // of the error at the end
Vector4d error(const Vector4d& x) { return x - Vector4d(0, upright, 0, 0); }

// the controls u + α k + K (x - old x), and what comes of them
Plan simulate(const Model<double>& model, const Plan& old, double alpha) {
  Plan p;
  Data<double> data(model);
  for (int i = 0; i < horizon; ++i) {
    p.u[i] = data.ctrl()[0] =
        old.u[i] + alpha * old.k[i] + old.K.col(i).dot(p.x.col(i) - old.x.col(i));
    p.cost += 0.5 * effort * p.u[i] * p.u[i] + 0.5 * running * error(p.x.col(i)).squaredNorm();
    step(model, data);
    p.x.col(i + 1) << data.qpos()[0], data.qpos()[1], data.qvel()[0], data.qvel()[1];
  }
  p.cost += 0.5 * error(p.x.col(horizon)).dot(weight.cwiseProduct(error(p.x.col(horizon))));
  return p;
}

// k and K of a plan: the linear-quadratic problem around it, from the end to the beginning
void improve(const Model<double>& model, corten::derive::Linearizer<double>& linearize, Plan& p) {
  Data<double> data(model);
  Vector4d Vx = weight.cwiseProduct(error(p.x.col(horizon)));
  Matrix4d Vxx = weight.asDiagonal();
  for (int i = horizon - 1; i >= 0; --i) {
    Eigen::Vector2d::Map(data.qpos().data()) = p.x.col(i).head<2>();
    Eigen::Vector2d::Map(data.qvel().data()) = p.x.col(i).tail<2>();
    data.ctrl()[0] = p.u[i];
    const auto& t = linearize(model, data);
    const Matrix4d A = Eigen::Map<const Matrix4d>(t.A.data()).transpose();
    const Vector4d B = Eigen::Map<const Vector4d>(t.B.data()), Qux = A.transpose() * Vxx * B;
    const double Quu = effort + B.dot(Vxx * B);
    p.k[i] = -(effort * p.u[i] + B.dot(Vx)) / Quu;
    p.K.col(i) = -Qux / Quu;
    Vx = running * error(p.x.col(i)) + A.transpose() * Vx + Qux * p.k[i];
    Vxx = running * Matrix4d::Identity() + A.transpose() * Vxx * A + Qux * p.K.col(i).transpose();
  }
}

int main() {
  const auto model = load_string(text);
  if (!model) return std::fprintf(stderr, "%s\n", model.error().to_string().c_str()), 1;
  derive::Linearizer<double> linearize(*model);
  Plan plan;
  plan.k.setConstant(0.1);  // something to begin with
  plan = simulate(*model, plan, 1);
  for (int iteration = 1; iteration <= 60; ++iteration) {
    improve(*model, linearize, plan);
    Plan next = plan;
    for (double a = 1; a > 1e-4 && next.cost >= plan.cost; a /= 2) next = simulate(*model, plan, a);
    if (next.cost < plan.cost) plan = next;
    if (iteration % 10 == 0) std::printf("iteration %2d: cost %.3f\n", iteration, plan.cost);
  }
  const double angle = (plan.x(1, horizon) - upright) * 180 / upright;
  std::printf("at the end the cart is at %.3f m, the pole %.2f degrees from upright\n",
              plan.x(0, horizon), angle);
  return std::fabs(angle) < 5 ? 0 : 1;
}
