// SPDX-License-Identifier: Apache-2.0
//
// Properties that hold for every model: named functions that are called with a random model at a
// random state, and return what is wrong, or an empty string. main.cpp has the list.
#pragma once

#include <corten/corten.hpp>
#include <corten/spec/spec.hpp>

#include "../support/random.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace property {

using corten::Data;
using corten::Model;

struct Case {
  std::uint64_t seed;
  corten::Spec spec;
  Model<double> model;
  Data<double> data;  // at a random state, with random inputs; nothing is computed yet
};

// dynamics.cpp
std::string inertia_is_inverse_dynamics(const Case& c);
std::string forward_agrees_with_inverse(const Case& c);
std::string momentum_is_kept(const Case& c);
std::string energy_is_kept(const Case& c);
// jacobians.cpp
std::string jacobians_are_differences(const Case& c);
std::string rows_are_differences(const Case& c);
// scalars.cpp
std::string derivatives_are_differences(const Case& c);
std::string both_derivatives_agree(const Case& c);
std::string float_is_near_double(const Case& c);
std::string batch_is_one_by_one(const Case& c);
// lanes.cpp
std::string lanes_are_one_by_one(const Case& c);
// copies.cpp
std::string text_is_the_same_model(const Case& c);
std::string bytes_are_the_same_model(const Case& c);
std::string islands_change_nothing(const Case& c);
std::string compressed_rows_change_nothing(const Case& c);
std::string order_of_siblings_changes_nothing(const Case& c);

// The derivative of f along a direction, from f(-h), f(0), f(h). It lies between the slopes on both
// sides, which differ if there is a kink within h, and is accurate to the rounding of f divided by
// h.
struct Slope {
  double value, margin;
  Slope(double minus, double here, double plus, double h)
      : value((plus - minus) / (2 * h)), margin(std::fabs(plus - 2 * here + minus) / h) {}
};

// The worst of many comparisons, and where it was.
class Comparison {
 public:
  void near(const char* what, int index, double a, double b, double tolerance) {
    const double error = std::fabs(a - b);
    if (error <= worst_ * tolerance) return;
    worst_ = error / tolerance;
    if (worst_ <= 1) return;
    char text[200];
    std::snprintf(text, sizeof text, "%s[%d]: %.17g and %.17g, more than %.2g apart", what, index,
                  a, b, tolerance);
    text_ = text;
  }
  void fail(std::string text) {
    worst_ = 1e300;
    text_ = std::move(text);
  }
  // all numbers of a field, relative to its largest (at least 1)
  template <class A, class B>
  void field(const char* what, const A& a, const B& b, int count, double relative) {
    double scale = 1;
    for (int i = 0; i < count; ++i) scale = std::max(scale, std::fabs(double(a[i])));
    for (int i = 0; i < count; ++i) near(what, i, double(a[i]), double(b[i]), relative * scale);
  }
  const std::string& text() const { return text_; }

 private:
  double worst_ = 0;
  std::string text_;
};

// a solver that iterates until nothing improves
inline Model<double> converging(const Model<double>& from) {
  Model<double> m = from;
  m.opt.solver = int(corten::Solver::newton);
  m.opt.tolerance = 1e-16;
  m.opt.iterations = 100;
  m.opt.ls_iterations = 50;
  m.opt.noslip_iterations = 0;
  return m;
}

// a row of the constraint Jacobian with all its zeros
template <class D>
std::vector<double> jacobian_row(const D& d, int row) {
  std::vector<double> out(static_cast<std::size_t>(d.n.nv));
  corten::each_entry(corten::jacobian_rows(d), row,
                     [&](int i, double x) { out[static_cast<std::size_t>(i)] = x; });
  return out;
}

// The largest force on a dof, with the absolute values of all constraint rows. A solver stops when
// its cost no longer falls. The cost is accurate to 1e-16 of itself, so its minimum is accurate to
// 1e-8 of the forces. The force of a row is D (aref - J qacc), a sum that is accurate to 1e-14 of
// its terms. They enter with a factor of 1e-8, since forces are compared to 1e-6.
inline double force_scale(const Model<double>& m, const Data<double>& data) {
  const auto& d = data.ref();
  const int nv = m.n.nv;
  std::vector<double> sum(static_cast<std::size_t>(nv));
  for (int i = 0; i < nv; ++i) {
    sum[static_cast<std::size_t>(i)] = std::fabs(d.qfrc_smooth[i]) + std::fabs(d.qfrc_bias[i]);
  }
  for (int r = 0; r < d.nefc; ++r) {
    const auto J = corten::jacobian_rows(d);
    double terms = std::fabs(d.efc_aref[r]);
    corten::each_entry(J, r, [&](int i, double x) { terms += std::fabs(x * d.qacc[i]); });
    const double force = std::fabs(d.efc_force[r]) + 1e-8 * d.efc_D[r] * terms;
    corten::each_entry(
        J, r, [&](int i, double x) { sum[static_cast<std::size_t>(i)] += std::fabs(x) * force; });
  }
  double most = 1;
  for (const double x : sum) most = std::max(most, x);
  return most;
}

// Do the forces add up to the acceleration? At kinks of elliptic cones Newton's method may stop
// elsewhere, as it does in MuJoCo; one model in a thousand has such a state.
inline bool has_converged(const Model<double>& m, const Data<double>& data) {
  const auto& d = data.ref();
  std::vector<double> force(static_cast<std::size_t>(m.n.nv));
  corten::multiply_M(corten::make_ref<corten::DefaultPolicies>(m), d, d.qacc,
                     corten::Field<double>{force.data()});
  const double scale = force_scale(m, data);
  for (int i = 0; i < m.n.nv; ++i) {
    const double rest =
        force[static_cast<std::size_t>(i)] - d.qfrc_smooth[i] - d.qfrc_constraint[i];
    if (!(std::fabs(rest) < 1e-7 * scale)) return false;
  }
  return true;
}

// Is any row as hard as rows can be? Rows become that hard if nothing moved them in the reference
// pose, such as those of a tendon that only later wraps around a body, or around a wheel that turns
// beneath it. Their forces are differences of nearly equal numbers times 1e15, and rounding may be
// all that moves them.
inline bool has_hard_rows(const Data<double>& data) {
  for (int r = 0; r < data.nefc(); ++r) {
    if (data.ref().efc_D[r] > 1e12) return true;
  }
  return false;
}

// Is the contact found in closed form? Contacts of other pairs are found by iterations on shapes
// with corners, whose derivatives differ from those of the round shapes they approximate.
inline bool is_closed_form(const Model<double>& m, const Data<double>& data, int contact) {
  using corten::GeomType;
  const auto type = [&](int side) {
    const int geom = data.ref().contact_geom[2 * contact + side];
    return GeomType(m.geom_type[static_cast<std::size_t>(geom)]);
  };
  const GeomType low = std::min(type(0), type(1)), high = std::max(type(0), type(1));
  switch (low) {
    case GeomType::plane: return high != GeomType::sdf;
    case GeomType::sphere: return high <= GeomType::box && high != GeomType::ellipsoid;
    case GeomType::capsule: return high == GeomType::capsule || high == GeomType::box;
    case GeomType::box: return high == GeomType::box;
    default: return false;
  }
}
inline bool contacts_are_closed_form(const Model<double>& m, const Data<double>& data) {
  for (int i = 0; i < data.ncon(); ++i) {
    if (!is_closed_form(m, data, i)) return false;
  }
  return true;
}

inline std::string failure(const char* what, corten::Status status) {
  return std::string(what) + " gives status " + std::to_string(status.bits);
}

// moves along the tangent space of the configuration
template <class X>
void move(const Model<double>& model, Data<double>& data, const X& direction, double by) {
  corten::Field<double> v{const_cast<double*>(direction.data())};
  corten::integrate_position(corten::make_ref<corten::DefaultPolicies>(model), data.ref().qpos, v,
                             by);
}

inline std::vector<double> random_vector(support::Random& random, int count, double size = 1) {
  std::vector<double> out(static_cast<std::size_t>(count));
  for (double& x : out) x = size * random();
  return out;
}

}  // namespace property
