// SPDX-License-Identifier: Apache-2.0
//
// How heavy are the links of this arm, and how much friction do its joints have? Its joint angles
// are measured, with noise, while motors move it. Gauss–Newton within bounds finds the six numbers,
// and says how certain they are. Derivatives of the whole trajectory are chained from exact
// derivatives of single steps, by the state and by fields of the model: S' = A S + E. Draws the
// measured and the fitted angles to identify_arm.svg.
#include "corten/draw/plot.hpp"

#include <corten/corten.hpp>
#include <corten/derive.hpp>

#include <Eigen/Dense>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <random>

constexpr const char* text = R"(
<mujoco>
  <option timestep=".005" integrator="implicitfast"/>
  <default><joint damping=".5" armature=".02"/><geom type="capsule" size=".04"/></default>
  <worldbody>
    <body name="upper" pos="0 0 1">
      <joint name="turn" axis="0 0 1"/><joint name="lift" axis="0 1 0"/>
      <geom fromto="0 0 0 .3 0 0" mass="2"/>
      <body name="fore" pos=".3 0 0">
        <joint name="elbow" axis="0 1 0"/>
        <geom fromto="0 0 0 .25 0 0" mass="1"/>
        <body name="hand" pos=".25 0 0">
          <joint name="wrist" axis="1 0 0"/>
          <geom type="box" size=".05 .03 .1" pos=".05 .02 .02" mass=".5"/>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="turn"/><motor joint="lift"/><motor joint="elbow"/><motor joint="wrist"/>
  </actuator>
</mujoco>)";

using corten::derive::Matrix;
constexpr int steps = 300, joints = 4, numbers = 6;
constexpr double noise = 2e-3;  // of a measured angle, in radians
const char* const names[numbers] = {"mass of the upper arm", "mass of the forearm",
                                    "mass of the hand",      "damping of turn",
                                    "damping of lift",       "damping of elbow"};
using Vector = Eigen::Matrix<double, numbers, 1>;

void drive(corten::Data<double>& data, int k) {
  const double t = 0.005 * k;
  data.ctrl()[0] = 4 * std::sin(6 * t);
  data.ctrl()[1] = -9 + 6 * std::sin(5 * t + 1);
  data.ctrl()[2] = -2.5 + 2 * std::sin(8 * t);
  data.ctrl()[3] = 0.2 * std::sin(9 * t);
}

// angles after each step (rows), and how they depend on the parameters if `slopes` is not null
Matrix<double> simulate(const corten::Model<double>& model, const corten::derive::Parameters& p,
                        std::vector<Matrix<double>>* slopes) {
  corten::Data<double> data(model);
  Matrix<double> angles(steps, joints), S = Matrix<double>::Zero(2 * joints, numbers);
  corten::derive::Linearizer<double> by_state(model);
  corten::derive::ParameterLinearizer<double> by_parameters(model, p);
  for (int k = 0; k < steps; ++k) {
    drive(data, k);
    if (slopes != nullptr) {
      S = (by_state(model, data).A * S + by_parameters(data)).eval();
      slopes->push_back(S.topRows(joints));
    }
    if (!corten::step(model, data)) std::puts("a step failed");
    angles.row(k) = corten::eigen(data.qpos()).transpose();
  }
  return angles;
}

void draw(const Matrix<double>& measured, const Matrix<double>& fitted) {
  cli::Figure figure{"an arm, measured and fitted", "time (s)", {}, {}};
  const char* const joint[joints] = {"turn", "lift", "elbow", "wrist"};
  for (int k = 0; k < steps; ++k) figure.x.push_back(0.005 * k);
  for (int i = 0; i < joints; ++i) {
    cli::Line dots{"measured", {}}, line{"fitted", {}};
    for (int k = 0; k < steps; ++k)
      dots.y.push_back(measured(k, i)), line.y.push_back(fitted(k, i));
    figure.panels.push_back({std::string(joint[i]) + " (rad)", {dots, line}});
  }
  std::ofstream("identify_arm.svg") << cli::plot_svg(figure);
}

int main() {
  auto loaded = corten::load_string(text);
  if (!loaded) return std::puts(loaded.error().to_string().c_str()), 1;
  corten::Model<double> model = std::move(loaded).value();
  corten::derive::Parameters parameters;
  const bool known = parameters.add(model, "body_mass", 1, 3).ok() &&
                     parameters.add(model, &corten::Model<double>::dof_damping, 0, 3).ok();
  if (!known) return 1;
  const auto with = [&](const Vector& p) {
    corten::Model<double> out = model;
    for (int k = 0; k < numbers; ++k) parameters.in(out, k) = p[k];
    corten::set_const(out);
    return out;
  };

  Vector truth;
  truth << 2.4, 0.8, 0.65, 0.7, 0.35, 0.9;
  Matrix<double> measured = simulate(with(truth), parameters, nullptr);
  std::mt19937 random(1);
  std::normal_distribution<double> error(0, noise);
  for (double& x : measured.reshaped()) x += error(random);

  // Gauss–Newton. A step that leaves the bounds is cut off there; one that does not help is halved.
  Vector guess, low = Vector::Constant(0.05), high = Vector::Constant(5);
  guess << 2, 1, 0.5, 0.5, 0.5, 0.5;
  const auto misfit = [&](const Vector& p) {
    return (simulate(with(p), parameters, nullptr) - measured).squaredNorm();
  };
  Eigen::Matrix<double, numbers, numbers> normal;
  double now = misfit(guess);
  for (int iteration = 0; iteration < 8; ++iteration) {
    std::vector<Matrix<double>> slopes;
    const Matrix<double> angles = simulate(with(guess), parameters, &slopes);
    Vector gradient = Vector::Zero();
    normal.setZero();
    for (int k = 0; k < steps; ++k) {
      const Matrix<double>& J = slopes[static_cast<std::size_t>(k)];
      normal += J.transpose() * J;
      gradient += J.transpose() * (angles.row(k) - measured.row(k)).transpose();
    }
    std::printf("iteration %d: misfit %.3f mrad\n", iteration,
                1e3 * std::sqrt(now / (steps * joints)));
    Vector change = normal.ldlt().solve(gradient);
    double next = now;
    for (int half = 0; half < 12; ++half, change /= 2) {
      const Vector trial = (guess - change).cwiseMax(low).cwiseMin(high);
      next = misfit(trial);
      if (next < now) {
        guess = trial;
        break;
      }
    }
    if (!(next < now * (1 - 1e-9))) break;
    now = next;
  }

  // the covariance of the estimate, for the noise that the misfit shows
  const double variance = now / (steps * joints - numbers);
  const auto covariance = (variance * normal.inverse()).eval();
  bool good = true;
  for (int k = 0; k < numbers; ++k) {
    const double interval = 1.96 * std::sqrt(covariance(k, k));
    std::printf("%-22s %.4f ± %.4f (95 %%), true %.4f\n", names[k], guess[k], interval, truth[k]);
    good = good && std::fabs(guess[k] - truth[k]) < 2 * interval;
  }
  draw(measured, simulate(with(guess), parameters, nullptr));
  return good ? 0 : 1;
}
