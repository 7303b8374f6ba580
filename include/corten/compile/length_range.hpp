// SPDX-License-Identifier: Apache-2.0
//
// The range of lengths that an actuator can reach (actuator_lengthrange), which muscles need. It
// is found by simulation: from the reference pose, a force along the actuator's moment arms pulls
// first in one direction, then in the other. No other forces act except those of constraints, and
// velocities decay. The lengths at which the actuator settles are the ends of the range. See
// MuJoCo documentation, Modeling, "Length range".
#pragma once

#include <corten/compile/set_const.hpp>
#include <corten/integrate/euler.hpp>
#include <corten/solver/solve.hpp>
#include <corten/stage/acceleration.hpp>
#include <corten/stage/bias.hpp>
#include <corten/stage/constraint.hpp>
#include <corten/stage/passive.hpp>
#include <corten/stage/velocity.hpp>
#include <corten/tree/inertia_products.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

namespace corten {

namespace compiler {

namespace detail {

// Changes the options of a model for these simulations. The destructor restores them.
class PullOptions {
 public:
  PullOptions(Model<double>& model, const spec::LengthRange& options)
      : model_(model), saved_(model.opt) {
    model.opt.disableflags = disable_frictionloss | disable_contact | disable_spring |
                             disable_damper | disable_gravity | disable_actuation;
    model.opt.enableflags &= ~enable_strictsolver;
    const double timestep = options.timestep.value_or(0.01);
    if (timestep > 0) model.opt.timestep = timestep;
  }
  PullOptions(const PullOptions&) = delete;
  PullOptions& operator=(const PullOptions&) = delete;
  ~PullOptions() { model_.opt = saved_; }

 private:
  Model<double>& model_;
  Option<double> saved_;
};

// sets qfrc_applied along the moment arms of an output, scaled to the requested acceleration
template <class M, class D>
CORTEN_COLD void apply_pull(const M& m, const D& d, int out, double sign,
                            const spec::LengthRange& options) {
  const int nv = m.n.nv, row = d.moment_rowadr[out];
  const auto length = [&] {
    double sum = 0;
    for (int i = 0; i < nv; ++i) sum += d.qfrc_applied[i] * d.qfrc_applied[i];
    return std::sqrt(sum);
  };
  const auto set_moment = [&](double scale) {
    fill(d.qfrc_applied, nv, 0.0);
    for (int k = row; k < row + d.moment_rownnz[out]; ++k) {
      d.qfrc_applied[d.moment_colind[k]] = d.actuator_moment[k] * scale;
    }
  };
  set_moment(1);
  solve_M(m, d, d.qfrc_applied);
  set_moment(sign * options.accel.value_or(20) / std::max(min_value, length()));
  const double most = options.maxforce.value_or(0), force = length();
  if (most <= 0 || force <= most) return;
  for (int i = 0; i < nv; ++i) d.qfrc_applied[i] *= most / std::max(min_value, force);
}

// One timestep under the pull. It calls the stages individually, because a whole step would make
// every program that loads a model compile collision and sensors, which are not used here.
template <class M>
CORTEN_COLD Status pull_step(const M& m, Data<double>& data, int out, double sign,
                             const spec::LengthRange& options) {
  const auto& d = data.ref();
  d.status = 0;
  kinematics(m, d);
  com(m, d);
  tendon(m, d);
  inertia(m, d);
  factor(m, d);
  constraint(m, d);
  if (Status{d.status}.overflow()) return Status{d.status};
  transmission(m, d);
  velocity(m, d);
  passive(m, d);
  reference(m, d);
  bias(m, d);
  apply_pull(m, d, out, sign, options);
  acceleration(m, d);
  solve(m, d);
  for (int i = 0; i < m.n.nv; ++i) {
    if (!std::isfinite(d.qacc[i]) || std::abs(d.qacc[i]) > 1e10) return Status{bad_qacc};
  }
  euler(m, d);
  return Status{d.status};
}

// the range of lengths near the end of a pull
struct PulledLengths {
  double least = 0, most = 0;
  bool stable = true;
};

template <class Policies>
CORTEN_COLD PulledLengths pull(const Model<double>& model, Data<double>& data, int out, double sign,
                               const spec::LengthRange& options) {
  const auto m = make_ref<Policies>(model);
  const double total = options.inttotal.value_or(10), interval = options.interval.value_or(2);
  const double decay =
      std::exp(-model.opt.timestep / std::max(0.01, options.timeconst.value_or(1)));
  PulledLengths seen;
  bool any = false;
  data.reset(model);
  while (data.time() < total) {
    for (double& v : data.qvel()) v *= decay;
    Status status = pull_step(m, data, out, sign, options);
    while (status.overflow()) {
      data.grow(model, data.needed());
      status = pull_step(m, data, out, sign, options);
    }
    if (!status.ok()) {
      seen.stable = false;
      return seen;
    }
    if (data.time() <= total - interval) continue;
    const double length = data.ref().actuator_length[out];
    seen.least = any ? std::min(seen.least, length) : length;
    seen.most = any ? std::max(seen.most, length) : length;
    any = true;
  }
  return seen;
}

// does the mode ask for the range of this actuator, and does it have none yet?
CORTEN_COLD bool wants_range(const Model<double>& m, int a, const spec::LengthRange& options) {
  using Mode = spec::LengthRangeMode;
  const auto gain = static_cast<GainType>(at(m.actuator_gaintype, a));
  const auto bias = static_cast<BiasType>(at(m.actuator_biastype, a));
  const bool muscle = gain == GainType::muscle || bias == BiasType::muscle;
  const Mode mode = options.mode.value_or(Mode::muscle);
  const bool asked = mode == Mode::all || (mode != Mode::none && muscle) ||
                     (mode == Mode::muscleuser && (is_user(gain) || is_user(bias)));
  const int out = at(m.actuator_outadr, a);
  const bool given = at(m.actuator_lengthrange, 2 * out) < at(m.actuator_lengthrange, 2 * out + 1);
  return asked && !(given && options.useexisting.value_or(true));
}

// copies the range of a limited joint or tendon; returns false if there is none
CORTEN_COLD bool take_limit(Model<double>& m, int a) {
  const auto type = static_cast<TransmissionType>(at(m.actuator_trntype, a));
  const int id = at(m.actuator_trnid, 2 * a), out = at(m.actuator_outadr, a);
  const bool joint = type == TransmissionType::joint || type == TransmissionType::jointinparent;
  if (!joint && type != TransmissionType::tendon) return false;
  if (!at(joint ? m.jnt_limited : m.tendon_limited, id)) return false;
  for (int k = 0; k < 2; ++k) {
    at(m.actuator_lengthrange, 2 * out + k) = at(joint ? m.jnt_range : m.tendon_range, 2 * id + k);
  }
  return true;
}

}  // namespace detail

}  // namespace compiler

// sets the length range of an actuator if the options ask for it
template <class Policies = DefaultPolicies>
CORTEN_COLD Result<void> set_length_range(Model<double>& model, int actuator,
                                          const spec::LengthRange& options = {}) {
  using namespace compiler::detail;
  using compiler::at;
  if (actuator < 0 || actuator >= model.n.nactuator) {
    return corten::detail::no_such_id("actuator", actuator, model.n.nactuator);
  }
  if (!wants_range(model, actuator, options)) return {};
  if (options.uselimit.value_or(false) && take_limit(model, actuator)) return {};

  const PullOptions scope(model, options);
  Data<double> data(model);
  const int out = at(model.actuator_outadr, actuator);
  const PulledLengths shorter = pull<Policies>(model, data, out, -1, options);
  const PulledLengths longer = pull<Policies>(model, data, out, 1, options);
  if (!shorter.stable || !longer.stable)
    return Error("the simulation that computes lengthrange is unstable");
  const double range = longer.most - shorter.least;
  const double slack = options.tolrange.value_or(0.05) * range;
  if (range <= 0)
    return Error(
        "lengthrange cannot be computed: pulling does not change the length of the actuator");
  if (shorter.most - shorter.least > slack || longer.most - longer.least > slack) {
    return Error("the simulation that computes lengthrange did not settle");
  }
  at(model.actuator_lengthrange, 2 * out) = shorter.least;
  at(model.actuator_lengthrange, 2 * out + 1) = longer.most;
  return {};
}

}  // namespace corten
