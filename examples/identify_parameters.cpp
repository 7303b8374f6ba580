// SPDX-License-Identifier: Apache-2.0
//
// What are the mass and the friction of this block? A motor pushes it over the floor, its positions
// are measured, and Gauss–Newton finds the two numbers. The model itself is cast to duals, so the
// whole rollout, including contacts and the solver, is differentiated with respect to fields of the
// model.
#include <corten/corten.hpp>

#include <Eigen/Cholesky>
#include <cmath>
#include <cstdio>
#include <vector>
constexpr const char* text = R"(
<mujoco>
  <worldbody>
    <geom type="plane" size="5 5 .1" friction=".01"/>
    <body pos="0 0 .05">
      <joint name="x" type="slide" axis="1 0 0"/>
      <joint type="slide" axis="0 0 1"/>
      <geom type="box" size=".1 .1 .05" mass="1" friction=".6"/>
    </body>
  </worldbody>
  <actuator><motor joint="x"/></actuator>
</mujoco>)";

// Two directions would do for two parameters, but those of eight are in corten::precompiled.
using Dual = corten::Dual<double, 8>;
constexpr int steps = 250;

// the model with a different mass and friction
template <class S>
corten::Model<S> with(const corten::Model<double>& base, const S& mass, const S& friction) {
  corten::Model<S> model = corten::cast<S>(base);
  const S scale = mass / model.body_mass[1];
  model.body_mass[1] = mass;
  for (std::size_t i = 3; i < 6; ++i) model.body_inertia[i] *= scale;
  model.geom_friction[3] = friction;  // of geom 1
  corten::set_const(model);           // recompute what depends on masses
  return model;
}

// the position of the block after each step
template <class S>
std::vector<S> rollout(const corten::Model<S>& model) {
  corten::Data<S> data(model);
  std::vector<S> out;
  bool ok = true;
  for (int k = 0; k < 300; ++k) ok = corten::step(model, data).ok() && ok;  // settle
  for (int k = 0; k < steps; ++k) {
    data.ctrl()[0] = S(k < 80 ? 30.0 : 12.0);
    ok = corten::step(model, data).ok() && ok;
    out.push_back(data.qpos()[0]);
  }
  if (!ok) std::puts("a step failed");
  return out;
}

int main() {
  const auto base = corten::load_string(text);
  if (!base) return std::puts(base.error().to_string().c_str()), 1;
  const std::vector<double> measured = rollout(with(*base, 1.3, 0.42));
  const auto misfit = [&](const Eigen::Vector2d& p) {
    const std::vector<double> x = rollout(with(*base, p[0], p[1]));
    double sum = 0;
    for (std::size_t k = 0; k < steps; ++k) sum += (x[k] - measured[k]) * (x[k] - measured[k]);
    return std::sqrt(sum);
  };
  Eigen::Vector2d guess(1.1, 0.5);
  for (int iteration = 0; iteration < 12; ++iteration) {
    const auto simulated = rollout(with(*base, Dual(guess[0], 0), Dual(guess[1], 1)));
    Eigen::Matrix2d JtJ = Eigen::Matrix2d::Zero();
    Eigen::Vector2d Jtr = Eigen::Vector2d::Zero();
    double error = 0;
    for (std::size_t k = 0; k < steps; ++k) {
      const double r = simulated[k].a - measured[k];
      const Eigen::Vector2d slope(simulated[k].v[0], simulated[k].v[1]);
      JtJ += slope * slope.transpose();
      Jtr += slope * r;
      error += r * r;
    }
    error = std::sqrt(error);
    std::printf("mass %.6f  friction %.6f  error %.2e m\n", guess[0], guess[1], error);
    Eigen::Vector2d change = JtJ.ldlt().solve(Jtr);
    while (misfit(guess - change) > error && change.norm() > 1e-9) change /= 2;
    guess -= change;
  }
  std::printf("mass %.6f  friction %.6f: true are 1.3 and 0.42\n", guess[0], guess[1]);
  return (guess - Eigen::Vector2d(1.3, 0.42)).norm() < 1e-6 ? 0 : 1;
}
