// SPDX-License-Identifier: Apache-2.0
//
// How heavy are the links of this arm, and how much friction do its joints have? Its joint angles
// are measured, with noise, while motors move it. Gauss–Newton within bounds finds masses, damping
// and dry friction, and says how certain they are. Derivatives of the whole trajectory are chained
// from exact derivatives of single steps, by the state and by fields of the model: S' = A S + E.
// Draws the measured and the fitted angles to identify_arm.svg.
//
//     example_identify_arm [ARM.xml]
//
// With a file, that arm is measured instead, moved about its keyframe. Arms of the MuJoCo Menagerie
// have many numbers that such a motion hardly shows: there a third to a half of the estimates miss
// their intervals.
#include "corten/draw/plot.hpp"

#include <corten/corten.hpp>
#include <corten/derive.hpp>

#include <Eigen/Dense>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <numeric>
#include <random>
#include <string>
#include <vector>

constexpr const char* text = R"(
<mujoco>
  <option timestep=".005" integrator="implicitfast"/>
  <default>
    <joint damping=".5" frictionloss=".1" armature=".02"/><geom type="capsule" size=".04"/>
  </default>
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
using Vector = Eigen::VectorXd;
// motors of the arm above, or positions within the ranges of another one
void drive(const corten::Model<double>& model, corten::Data<double>& data, int k, bool own) {
  const double t = model.opt.timestep * k;
  if (own) {
    data.ctrl()[0] = 4 * std::sin(6 * t);
    data.ctrl()[1] = -9 + 6 * std::sin(5 * t + 1);
    data.ctrl()[2] = -2.5 + 2 * std::sin(8 * t);
    data.ctrl()[3] = std::sin(9 * t);
    return;
  }
  for (std::size_t i = 0; i < data.ctrl().size(); ++i) {
    double low = model.actuator_ctrlrange[2 * i], high = model.actuator_ctrlrange[2 * i + 1];
    if (!model.actuator_ctrllimited[i]) low = -2, high = 2;
    const double phase = (3 + 1.1 * double(i)) * t;
    const double centre = model.n.nkey > 0 ? model.key_ctrl[i] : (low + high) / 2;
    data.ctrl()[i] = centre + 0.06 * (high - low) * std::sin(phase);
  }
}

// An arm with unknown numbers: the masses of bodies that two joints or more move (the first link
// of many arms turns about its own centre, whatever its mass), damping and friction of all joints.
struct Arm {
  explicit Arm(corten::Model<double> arm, bool built_in)
      : model(std::move(arm)), own(built_in), joints(model.n.nv), steps(built_in ? 300 : 1000) {
    // dry friction has rows only if it is not zero
    for (double& f : model.dof_frictionloss) f = std::max(f, 0.1);
    for (double& d : model.dof_damping) d = std::max(d, 0.1);
    for (int b = 1; b < model.n.nbody; ++b) {
      if (dofs_above(b) > 1 && model.body_mass[std::size_t(b)] > 0.05) {
        add("body_mass", b, "mass of " + model.names.body[std::size_t(b)]);
      }
    }
    for (int i = 0; i < joints; ++i) {
      const std::string name = model.names.jnt[std::size_t(model.dof_jntid[std::size_t(i)])];
      add("dof_damping", i, "damping of " + name);
      add("dof_frictionloss", i, "friction of " + name);
    }
  }

  int numbers() const { return parameters.size(); }

  corten::Model<double> with(const Vector& p) const {
    corten::Model<double> out = model;
    for (int k = 0; k < numbers(); ++k) parameters.in(out, k) = p[k];
    corten::set_const(out);
    return out;
  }

  // angles after each step (rows), and how they depend on the parameters if `slopes` is not null
  Matrix<double> simulate(const Vector& p, std::vector<Matrix<double>>* slopes = nullptr) const {
    const corten::Model<double> arm = with(p);
    corten::Data<double> data(arm);
    if (arm.n.nkey > 0) static_cast<void>(data.reset(arm, 0));  // a pose to start from
    const auto m = corten::bind(arm).value();
    Matrix<double> angles(steps, joints), S;
    S.setZero(2 * joints + arm.n.na, numbers());
    corten::derive::Linearizer<double> by_state(arm);
    corten::derive::ParameterLinearizer<double> by_parameters(arm, parameters);
    for (int k = 0; k < steps; ++k) {
      drive(arm, data, k, own);
      if (slopes != nullptr) {
        S = (by_state(m, data).A * S + by_parameters(data)).eval();
        slopes->push_back(S.topRows(joints));
      }
      if (!corten::step(m, data)) std::puts("a step failed");
      angles.row(k) = corten::eigen(data.qpos()).transpose();
    }
    return angles;
  }

  corten::Model<double> model;
  bool own;
  int joints, steps;
  corten::derive::Parameters parameters;
  std::vector<std::string> names;

 private:
  void add(const char* field, int index, std::string name) {
    if (parameters.add(model, field, index).ok()) names.push_back(std::move(name));
  }
  int dofs_above(int body) const {
    int count = 0;
    for (int b = body; b > 0; b = model.body_parentid[std::size_t(b)]) {
      count += model.body_dofnum[std::size_t(b)];
    }
    return count;
  }
};

void draw(const Arm& arm, const Matrix<double>& measured, const Matrix<double>& fitted) {
  cli::Figure figure{"an arm, measured and fitted", "time (s)", {}, {}};
  for (int k = 0; k < arm.steps; ++k) figure.x.push_back(arm.model.opt.timestep * k);
  for (int i = 0; i < arm.joints; ++i) {
    cli::Line dots{"measured", {}}, line{"fitted", {}};
    for (int k = 0; k < arm.steps; ++k)
      dots.y.push_back(measured(k, i)), line.y.push_back(fitted(k, i));
    const auto joint = std::size_t(arm.model.dof_jntid[std::size_t(i)]);
    figure.panels.push_back({arm.model.names.jnt[joint] + " (rad)", {dots, line}});
  }
  std::ofstream("identify_arm.svg") << cli::plot_svg(figure);
}

// Solves H x = g for the change x of all numbers that stay within their bounds; the others go to
// their bounds.
Vector bounded_change(const Matrix<double>& H, const Vector& g, const Vector& least,
                      const Vector& most) {
  const auto count = static_cast<int>(g.size());
  std::vector<int> free(static_cast<std::size_t>(count)), inside;
  std::iota(free.begin(), free.end(), 0);
  Vector x = Vector::Zero(count);
  while (!free.empty()) {
    Vector rest = Vector(g - H * x)(free) + H(free, free) * x(free);
    rest = Matrix<double>(H(free, free)).ldlt().solve(rest).eval();
    x(free) = rest;
    inside.clear();
    for (const int k : free) {
      if (x[k] >= least[k] && x[k] <= most[k]) inside.push_back(k);
    }
    x = x.cwiseMax(least).cwiseMin(most);
    if (inside.size() == free.size()) break;
    free = inside;
  }
  return x;
}

// Gauss–Newton within bounds; a step that does not help is damped (Levenberg and Marquardt). Leaves
// the covariance of the estimate, for the noise that the misfit shows.
Vector identify(const Arm& arm, const Matrix<double>& measured, Vector guess,
                Matrix<double>& covariance) {
  const Vector low = guess / 20, high = guess * 20;
  const auto misfit = [&](const Vector& p) { return (arm.simulate(p) - measured).squaredNorm(); };
  const double count = double(measured.size());
  Matrix<double> normal;
  double now = misfit(guess), damping = 1e-4;
  for (int iteration = 0; iteration < 15; ++iteration) {
    std::vector<Matrix<double>> slopes;
    const Matrix<double> angles = arm.simulate(guess, &slopes);
    Vector gradient = Vector::Zero(arm.numbers());
    normal.setZero(arm.numbers(), arm.numbers());
    for (int k = 0; k < arm.steps; ++k) {
      const Matrix<double>& J = slopes[static_cast<std::size_t>(k)];
      normal += J.transpose() * J;
      gradient += J.transpose() * (angles.row(k) - measured.row(k)).transpose();
    }
    std::printf("iteration %d: misfit %.4f mrad\n", iteration, 1e3 * std::sqrt(now / count));
    // what the measurements do not tell stays where it is
    normal.diagonal().array() += 1e-13 * normal.diagonal().maxCoeff();
    double next = now;
    for (int attempt = 0; attempt < 12 && !(next < now); ++attempt, damping *= 10) {
      Matrix<double> damped = normal;
      damped.diagonal() *= 1 + damping;
      // no number changes by more than a factor of 2 at once: a joint that sticks tells nothing
      const Vector least = guess - high.cwiseMin(guess * 2), most = guess - low.cwiseMax(guess / 2);
      const Vector trial = guess - bounded_change(damped, gradient, least, most);
      next = misfit(trial);
      if (next < now) guess = trial;
    }
    damping /= 100;
    if (!(next < now * (1 - 1e-9))) break;
    now = next;
  }
  covariance = now / (count - arm.numbers()) * normal.inverse();
  return guess;
}

int main(int argc, char** argv) {
  const bool own = argc < 2;
  auto loaded = own ? corten::load_string(text) : corten::load(argv[1]);
  if (!loaded) return std::puts(loaded.error().to_string().c_str()), 1;
  if (loaded->n.nq != loaded->n.nv) return std::puts("the arm has joints that are not scalar"), 1;
  const Arm arm(std::move(loaded).value(), own);
  const double noise = own ? 2e-3 : 2e-4;  // of a measured angle, in radians

  Vector start(arm.numbers()), truth(arm.numbers());
  corten::Model<double> model = arm.model;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> off(0.7, 1.4);
  for (int k = 0; k < arm.numbers(); ++k) {
    start[k] = arm.parameters.in(model, k);
    truth[k] = off(random) * start[k];
  }
  Matrix<double> measured = arm.simulate(truth), covariance;
  std::normal_distribution<double> error(0, noise);
  for (double& x : measured.reshaped()) x += error(random);

  const Vector found = identify(arm, measured, start, covariance);
  int within = 0;
  for (int k = 0; k < arm.numbers(); ++k) {
    const double interval = 1.96 * std::sqrt(covariance(k, k));
    std::printf("%-30s %8.4f ± %.4f (95 %%), true %.4f\n", arm.names[std::size_t(k)].c_str(),
                found[k], interval, truth[k]);
    within += std::fabs(found[k] - truth[k]) < interval ? 1 : 0;
  }
  std::printf("%d of %d within their intervals\n", within, arm.numbers());
  draw(arm, measured, arm.simulate(found));
  return within >= 0.8 * arm.numbers() ? 0 : 1;
}
