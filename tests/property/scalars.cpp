// SPDX-License-Identifier: Apache-2.0
//
// The same step with other scalars, and of several worlds at once.
#include <corten/batch.hpp>
#include <corten/derive.hpp>

#include "property.hpp"

#include <string_view>
#include <vector>

namespace property {

namespace {

using namespace corten;

// a direction in the space of state and control
struct Direction {
  std::vector<double> q, v, a, u;

  Direction(const Model<double>& m, support::Random& random)
      : q(random_vector(random, m.n.nv)),
        v(random_vector(random, m.n.nv)),
        a(random_vector(random, m.n.na)),
        u(random_vector(random, m.n.nu)) {}

  void nudge(const Model<double>& m, Data<double>& data, double h) const {
    move(m, data, q, h);
    for (std::size_t i = 0; i < v.size(); ++i) data.qvel()[i] += h * v[i];
    for (std::size_t i = 0; i < a.size(); ++i) data.act()[i] += h * a[i];
    for (std::size_t i = 0; i < u.size(); ++i) data.ctrl()[i] += h * u[i];
  }

  // row · (q, v, a), and row · u
  double state(const double* row) const {
    double sum = 0;
    for (const auto* part : {&q, &v, &a}) {
      for (const double x : *part) sum += *row++ * x;
    }
    return sum;
  }
  double control(const double* row) const {
    double sum = 0;
    for (std::size_t i = 0; i < u.size(); ++i) sum += row[i] * u[i];
    return sum;
  }
};

std::size_t sensor_at(const Model<double>& m, int address) {
  std::size_t i = 0;
  while (i + 1 < m.sensor_adr.size() && m.sensor_adr[i + 1] <= address) ++i;
  return i;
}

// Is the reading found by iterations (see is_closed_form), as some distances are?
bool iterates(const Model<double>& m, std::size_t sensor) {
  const auto type = SensorType(m.sensor_type[sensor]);
  if (type < SensorType::distance || type > SensorType::fromto) return false;
  for (const int geom : {m.sensor_objid[sensor], m.sensor_refid[sensor]}) {
    const auto kind = GeomType(m.geom_type[std::size_t(geom)]);
    if (kind != GeomType::sphere && kind != GeomType::capsule) return true;
  }
  return false;
}

// the result of a step: the change of position, then velocity, activation, sensors
std::vector<double> outcome(const Model<double>& m, const Data<double>& from,
                            const Data<double>& to) {
  std::vector<double> out(std::size_t(m.n.nv));
  differentiate_position(make_ref<DefaultPolicies>(m), from.ref().qpos, to.ref().qpos, 1.0,
                         Field<double>{out.data()});
  const auto add = [&](auto part) { out.insert(out.end(), part.begin(), part.end()); };
  add(to.qvel());
  add(to.act());
  add(to.sensordata());
  return out;
}

// The model without what has no derivatives at this state, or none that differences can find:
// contacts found by iterations, also in the trial states of RK4, the last of which remains after a
// step; and rows that are too hard.
Model<double> smooth(Model<double> m, const Data<double>& state) {
  Data<double> here = state;
  static_cast<void>(forward(m, here));
  if (has_hard_rows(here) || !has_converged(m, here)) m.opt.disableflags |= disable_constraint;
  bool exact = contacts_are_closed_form(m, here);
  static_cast<void>(step(m, here));
  exact = exact && contacts_are_closed_form(m, here);
  if (!exact) m.opt.disableflags |= disable_contact;
  return m;
}

// Does a step end in a state that the next step would reset? With RK4, dampers whose force grows
// with the cube of the velocity do that when a trial state is fast: beyond 1e10 nothing is left of
// the state at the start of the step.
bool explodes(const Model<double>& m, const Data<double>& after) {
  const auto& d = after.ref();
  return corten::detail::any_bad(d.qpos, m.n.nq) || corten::detail::any_bad(d.qvel, m.n.nv);
}

// A, B, C and D times two directions, against the difference of steps from states at ±h
std::string compare_slopes(const Case& c, const Model<double>& m, const Data<double>& here,
                           const derive::Transition<double>& exact, double h) {
  support::Random random(c.seed);
  Comparison out;
  for (int k = 0; k < 2; ++k) {
    const Direction direction(m, random);
    Data<double> plus = c.data, minus = c.data;
    direction.nudge(m, plus, h);
    direction.nudge(m, minus, -h);
    if (!step(m, plus) || !step(m, minus)) return "a step nearby fails";
    const auto x = outcome(m, here, minus), y = outcome(m, here, here), z = outcome(m, here, plus);
    const auto nx = std::size_t(exact.nx), nu = std::size_t(exact.nu);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const bool state = i < nx;
      const std::size_t row = state ? i : i - nx;
      const double ours = direction.state((state ? exact.A : exact.C).data() + row * nx) +
                          direction.control((state ? exact.B : exact.D).data() + row * nu);
      const Slope slope(x[i], y[i], z[i], h);
      const double scale = 1 + std::fabs(slope.value);
      if (state) {
        out.near("next state", int(row), ours, slope.value, 1e-4 * scale + 2 * slope.margin);
        continue;
      }
      const std::size_t sensor = sensor_at(m, int(row));
      const std::string what = "sensor of type " + std::to_string(m.sensor_type[sensor]);
      if (iterates(m, sensor)) continue;
      out.near(what.c_str(), int(row), ours, slope.value, 1e-4 * scale + 2 * slope.margin);
    }
  }
  return out.text();
}

}  // namespace

// The solver's forces are accurate to 1e-8, which a difference over 2e-6 magnifies to 1e-2. The
// slopes on both sides usually reveal this error, but not if the errors have the same size and
// opposite signs. Over a longer distance such errors count for less, while a wrong derivative stays
// as wrong as before.
std::string derivatives_are_differences(const Case& c) {
  const Model<double> m = smooth(converging(c.model), c.data);
  Data<double> here = c.data;
  if (const Status s = step(m, here); !s) return failure("step", s);
  if (explodes(m, here)) return {};
  const derive::Transition<double> exact = derive::transition(m, c.data, {.sensors = true});
  if (!exact.status) return failure("transition", exact.status);
  const std::string first = compare_slopes(c, m, here, exact, 1e-6);
  if (first.empty()) return {};
  return compare_slopes(c, m, here, exact, 1e-5).empty() ? std::string() : first;
}

// Both ways of finding derivatives differ by rounding alone if the solver has found the solution.
// Rows that are as hard as rows can be multiply rounding by 1e15.
std::string both_derivatives_agree(const Case& c) {
  const Model<double> m = converging(c.model);
  const auto view = make_ref<DefaultPolicies>(m);
  derive::Linearizer<double> linearizer(m);
  linearizer.sensors = m.n.nsensor > 0 && derive::analytic::covers_sensors(view);
  if (!linearizer.is_analytic(view)) return {};
  Data<double> here = c.data;
  if (const Status s = forward(m, here); !s) return {};
  if (has_hard_rows(here) || !has_converged(m, here)) return {};
  const derive::Transition<double> ours = linearizer(m, c.data);
  linearizer.analytically = false;
  const derive::Transition<double>& dual = linearizer(m, c.data);
  Comparison out;
  if (ours.status.bits != dual.status.bits) {
    return failure("analytic", ours.status) + ", " + failure("dual", dual.status);
  }
  // To 1e-10. A force f leaves a rounding error of 1e-16 f in sums of some hundred terms, which h/M
  // of a light body multiplies by up to 100: beyond 1e6 N the bound has to grow with the force.
  const double relative = 1e-10 * std::max(1.0, 1e-6 * force_scale(m, here));
  const auto compare = [&](const char* what, const auto& a, const auto& b) {
    out.field(what, b.data(), a.data(), int(b.size()), relative);
  };
  compare("A", ours.A, dual.A);
  compare("B", ours.B, dual.B);
  compare("C", ours.C, dual.C);
  compare("D", ours.D, dual.D);
  return out.text();
}

namespace {

// How far M qacc may be from the forces that qacc was solved from. The factors of M in single
// precision are those of a matrix whose entries (i, j) differ by some hundred times 1e-7 √(M_ii
// M_jj) (Higham, Accuracy and Stability of Numerical Algorithms, 10.1), which matters if large
// accelerations nearly cancel.
double rounding_of_solution(const Model<double>& m, const Data<double>& data, int dof,
                            const std::vector<double>& qacc) {
  const auto diagonal = [&](int i) {
    const auto k = std::size_t(i);
    return double(data.ref().M[m.M_rowadr[k] + m.M_rownnz[k] - 1]);
  };
  double sum = 0;
  for (int j = 0; j < m.n.nv; ++j) {
    if (m.dof_treeid[std::size_t(j)] != m.dof_treeid[std::size_t(dof)]) continue;
    sum += std::sqrt(diagonal(dof) * diagonal(j)) * std::fabs(qacc[std::size_t(j)]);
  }
  return 1e-5 * sum;
}

// Single precision is accurate to 1e-7 of the largest number in each sum, and sums over a tree have
// some hundred terms. Accelerations are compared by the forces they need, since an inertia matrix
// may be badly conditioned.
std::string compare_precisions(const Case& c, const Data<double>& state) {
  Model<double> m = c.model;
  m.opt.disableflags |= disable_constraint | disable_contact;
  const Model<float> narrow = cast<float>(m);
  Data<double> wide_data = state;
  Data<float> data(narrow);
  const auto& d = wide_data.ref();
  const auto& f = data.ref();
  const auto take = [](const auto& to, const auto& from, int n) {
    for (int i = 0; i < n; ++i) to[i] = static_cast<std::remove_cvref_t<decltype(to[i])>>(from[i]);
  };
#define X(name, count) take(f.name, d.name, count), take(d.name, f.name, count);
  X(qpos, m.n.nq)
  X(qvel, m.n.nv)
  X(act, m.n.na)
  X(ctrl, m.n.nu)
  X(history, m.n.nhistory)
  X(qfrc_applied, m.n.nv)
  X(xfrc_applied, 6 * m.n.nbody)
  X(mocap_pos, 3 * m.n.nmocap)
  X(mocap_quat, 4 * m.n.nmocap)
#undef X
  if (const Status s = forward(m, wide_data); !s) return failure("forward", s);
  if (const Status s = forward(narrow, data); !s) return failure("forward in float", s);
  Comparison out;
#define X(name, count) out.field(#name, d.name, f.name, count, 1e-4);
  X(xpos, 3 * m.n.nbody)
  X(xmat, 9 * m.n.nbody)
  X(geom_xpos, 3 * m.n.ngeom)
  X(site_xmat, 9 * m.n.nsite)
  X(subtree_com, 3 * m.n.nbody)
  X(cdof, 6 * m.n.nv)
  X(crb, 10 * m.n.nbody)
  X(ten_length, m.n.ntendon)
  X(ten_velocity, m.n.ntendon)
  X(cvel, 6 * m.n.nbody)
  X(qfrc_passive, m.n.nv)
  X(qfrc_bias, m.n.nv)
#undef X
  // a crank at the end of its range moves infinitely faster than the slider
  bool cranks = false;
  for (const int type : m.actuator_trntype) {
    cranks = cranks || type == int(TransmissionType::slidercrank);
  }
  if (cranks) return out.text();
  out.field("actuator_length", d.actuator_length, f.actuator_length, m.n.nout, 1e-4);
  out.field("actuator_force", d.actuator_force, f.actuator_force, m.n.nout, 1e-4);
  out.field("qfrc_smooth", d.qfrc_smooth, f.qfrc_smooth, m.n.nv, 1e-4);
  std::vector<double> qacc, force(std::size_t(m.n.nv)), size(force.size()), pos(force.size());
  for (int i = 0; i < m.n.nv; ++i) qacc.push_back(double(f.qacc_smooth[i]));
  const auto view = make_ref<DefaultPolicies>(m);
  multiply_M(view, d, Field<double>{qacc.data()}, Field<double>{force.data()});
  double scale = 1;
  for (int i = 0; i < m.n.nv; ++i) scale = std::max(scale, std::fabs(d.qfrc_smooth[i]));
  for (int i = 0; i < m.n.nv; ++i) {
    out.near("M qacc_smooth", i, force[std::size_t(i)], d.qfrc_smooth[i],
             1e-4 * scale + rounding_of_solution(m, wide_data, i, qacc));
  }
  return out.text();
}

}  // namespace

// Rounding may decide which way a tendon goes around a geom, but not in two states.
std::string float_is_near_double(const Case& c) {
  const std::string first = compare_precisions(c, c.data);
  if (first.empty()) return {};
  Data<double> nearby = c.data;
  support::Random random(c.seed);
  move(c.model, nearby, random_vector(random, c.model.n.nv, 0.05), 1);
  return compare_precisions(c, nearby).empty() ? std::string() : first;
}

namespace {

// the random state, and others near it
template <class B>
Status scatter(const Case& c, B& batch) {
  for (int i = 0; i < batch.size(); ++i) {
    if (const Status s = copy_state(c.data, batch[i], state_integration); !s) return s;
    support::Random random(c.seed + std::uint64_t(i));
    if (i > 0) move(c.model, batch[i], random_vector(random, c.model.n.nv, 0.05), 1);
  }
  return {};
}

}  // namespace

// to the last bit, however far the solver gets
std::string batch_is_one_by_one(const Case& c) {
  Model<double> m = c.model;
  m.opt.iterations = std::min(m.opt.iterations, 10);
  Batch<double> batch(m, 2);
  if (const Status s = scatter(c, batch); !s) return failure("copy_state", s);
  std::vector<Data<double>> alone(2, c.data);
  for (int i = 0; i < 2; ++i) {
    const Status s = copy_state(batch[i], alone[std::size_t(i)], state_integration);
    if (!s) return failure("copy_state", s);
  }
  if (!batch.step_all()) return "the batch refuses a step";
  Comparison out;
  for (int i = 0; i < 2; ++i) {
    Data<double>& one = alone[std::size_t(i)];
    const Status status = step(m, one);
    if (batch.status()[std::size_t(i)].bits != status.bits) out.fail("another status");
    if (!status) continue;  // a batch keeps a state that a step resets
    const auto same = [&](const char* what, auto a, auto b) {
      for (std::size_t k = 0; k < a.size(); ++k) {
        if (!(a[k] == b[k])) out.fail(std::string(what) + " differs in world " + std::to_string(i));
      }
    };
    same("qpos", batch[i].qpos(), one.qpos());
    same("qvel", batch[i].qvel(), one.qvel());
    same("act", batch[i].act(), one.act());
    same("sensordata", batch[i].sensordata(), one.sensordata());
  }
  return out.text();
}

}  // namespace property
