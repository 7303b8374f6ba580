// SPDX-License-Identifier: Apache-2.0
//
// Balls and boxes in contact, and helpers for the tests of solvers.
#pragma once

#include "../support/model.hpp"

#include <cmath>
#include <span>
#include <string>
#include <vector>

namespace scenes {

using namespace corten;

inline constexpr Solver solvers[] = {Solver::newton, Solver::cg, Solver::pgs};
inline constexpr Cone cones[] = {Cone::pyramidal, Cone::elliptic};

// a scene of the criteria: dt is 0.002, and a solver that runs out of iterations is reported
inline Model<double> scene(const std::string& bodies, Solver solver, Cone cone = Cone::pyramidal) {
  Model<double> model = support::parse(
      "<mujoco><option timestep='0.002'><flag strictsolver='enable'/></option><worldbody>" +
      bodies + "</worldbody></mujoco>");
  model.opt.solver = static_cast<int>(solver);
  model.opt.cone = static_cast<int>(cone);
  if (solver == Solver::pgs) model.opt.iterations = 2000;  // it takes many cheap sweeps
  return model;
}

inline const std::string ball =
    "<geom type='plane' size='1 1 1'/><body pos='0 0 0.0499'><freejoint/>"
    "<geom size='0.05' mass='1'/></body>";

// boxes of 1 kg on top of each other, overlapping slightly and slightly out of line
inline std::string stack(int boxes) {
  std::string out = "<geom type='plane' size='1 1 1'/>";
  for (int i = 0; i < boxes; ++i) {
    const double place[] = {0.004 * (i % 2), 0.003 * (i % 3), 0.0499 + 0.0999 * i};
    out += "<body pos='";
    for (const double x : place) out += std::to_string(x) + ' ';
    out += "'><freejoint/><geom type='box' size='0.05 0.05 0.05' mass='1' friction='0.5'/></body>";
  }
  return out;
}

// it slides: tan 25° > 0.3
inline const std::string slope =
    "<geom type='plane' size='5 5 1' euler='0 25 0' friction='0.3'/><body euler='0 25 0' "
    "pos='0.0210886 0 0.0452247'><freejoint/><geom type='box' size='0.05 0.05 0.05' mass='1' "
    "friction='0.3'/></body>";

// contacts of 6, 3, 4 and 1 dimensions side by side
inline const std::string mixed =
    "<geom type='plane' size='5 5 1' condim='1' friction='1 0.005 0.0001'/>"
    "<body pos='-0.3 0 0.0499'><freejoint/><geom size='0.05' condim='6' friction='1 0.005 "
    "0.01'/></body>"
    "<body pos='0 0 0.0499'><freejoint/><geom size='0.05' condim='3'/></body>"
    "<body pos='0.3 0 0.0499'><freejoint/><geom size='0.05' condim='4' friction='1 0.1 "
    "0.01'/></body>"
    "<body pos='0.6 0 0.0499'><freejoint/><geom size='0.05' condim='1'/></body>";

// Does every contact push, with friction inside its cone? The criterion allows 1e-10 N.
inline bool in_cones(const DataRef<double>& d) {
  bool inside = true;
  for (int c = 0; c < d.ncon; ++c) {
    const Vec6<double> f = contact_force(d, c);
    double sum = 0;
    for (int k = 1; k < d.contact_dim[c]; ++k) {
      const double share = f[k] / d.contact_friction[5 * c + k - 1];
      sum += share * share;
    }
    inside = inside && f[0] >= 0 && std::sqrt(sum) <= f[0] + 1e-10;
  }
  return inside;
}

// the data after some steps, each of which converged to forces in their cones
inline Data<double> run(const Model<double>& model, int steps) {
  Data<double> data(model);
  int contacts = 0;
  for (int i = 0; i < steps; ++i) {
    REQUIRE(step(model, data).ok());
    REQUIRE(in_cones(data.ref()));
    contacts += data.ncon();
  }
  CHECK(contacts > steps / 2);
  return data;
}

inline void set_velocity(Data<double>& data, const std::vector<double>& v) {
  for (std::size_t i = 0; i < data.qvel().size(); ++i) data.qvel()[i] = v[i % v.size()];
}

inline double difference(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}
inline double norm(std::span<const double> a) {
  return difference(a, std::vector<double>(a.size(), 0.0));
}

inline std::vector<double> numbers(const Field<double>& f, int count) {
  return {f.data, f.data + count};
}
inline std::vector<double> constraint_force(const Data<double>& data) {
  return numbers(data.ref().qfrc_constraint, data.ref().n.nv);
}

}  // namespace scenes
