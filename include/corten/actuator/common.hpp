// SPDX-License-Identifier: Apache-2.0
//
// What an actuator kind is, and what several kinds share. The force of an actuator is
// gain · input + bias; its input is its control, or its last activation if it has any. A kind is a
// type with a name and one, two or all three of
//
//   dynamics_type   its DynamicsType, and
//     rates(m, d, a)           writes its block of act_dot; it may replace the controls that the
//                              actuators see, d.work_nu (to limit their rate, say)
//     next(m, d, a, i, rate)   activation i after a timestep; without it, act[i] + h rate
//     own_limits = true        if actrange does not apply to it
//   gain_type       its GainType, and one of
//     gain(m, d, a)            what multiplies the input
//     drive(m, d, a)           writes gain · input to actuator_force itself
//   bias_type       its BiasType, and
//     bias(m, d, a)            what is added; may take the gain as a fourth argument
//     late_force(m, d, a)      adds to actuator_force after it was limited
//
// and, for implicit integrators, derivatives with respect to the actuator's velocity, which default
// to zero:
//
//   gain_slope(m, d, a), bias_slope(m, d, a), and drive_slope(m, d, a) of a gain type
//
// and `is_local = true` if they look at nothing but the length, velocity, activations and controls
// of their actuator, so that derivatives can be found analytically.
//
// All are static function templates that take the model's view, the data's view and the actuator's
// number. A user's own types are user_dynamics(k), user_gain(k), user_bias(k); k = 0 is "user" in
// MJCF.
#pragma once

#include <corten/core/enums.hpp>
#include <corten/core/policy.hpp>
#include <corten/joint/joints.hpp>
#include <corten/math/field.hpp>
#include <corten/math/quat.hpp>

#include <concepts>
#include <type_traits>

namespace corten {

template <class K>
concept DynamicsPolicy = requires {
  { K::dynamics_type } -> std::convertible_to<DynamicsType>;
};
template <class K>
concept GainPolicy = requires {
  { K::gain_type } -> std::convertible_to<GainType>;
};
template <class K>
concept BiasPolicy = requires {
  { K::bias_type } -> std::convertible_to<BiasType>;
};

// What a kind must have. A function without its type would never be called, and a type without its
// function would be a force of zero.
namespace actuator_policy {

CORTEN_POLICY_NAMES(rates, next, gain, drive, gain_slope, drive_slope, bias, late_force, bias_slope)
CORTEN_POLICY_NAME(rates)
CORTEN_POLICY_NAME(next)
CORTEN_POLICY_NAME(gain)
CORTEN_POLICY_NAME(drive)
CORTEN_POLICY_NAME(gain_slope)
CORTEN_POLICY_NAME(drive_slope)
CORTEN_POLICY_NAME(bias)
CORTEN_POLICY_NAME(late_force)
CORTEN_POLICY_NAME(bias_slope)

// clang-format off
CORTEN_POLICY_CONSTANT("actuator", "actuator/common.hpp", const char*, name)
CORTEN_POLICY_RULE("actuator", "actuator/common.hpp", dynamics_type_gain_type_or_bias_type,
                   "has no dynamics_type, gain_type or bias_type",
                   DynamicsPolicy<Kind> || GainPolicy<Kind> || BiasPolicy<Kind>)
CORTEN_POLICY_RULE("actuator", "actuator/common.hpp", rates,
                   "has a dynamics_type, but no rates(m, d, a)",
                   !DynamicsPolicy<Kind> || names_rates<Kind>)
CORTEN_POLICY_RULE("actuator", "actuator/common.hpp", gain,
                   "has a gain_type, but no gain(m, d, a) or drive(m, d, a)",
                   !GainPolicy<Kind> || names_gain<Kind> || names_drive<Kind>)
CORTEN_POLICY_RULE("actuator", "actuator/common.hpp", bias,
                   "has a bias_type, but no bias(m, d, a), late_force(m, d, a) or drive(m, d, a)",
                   !BiasPolicy<Kind> || names_bias<Kind> ||
                   names_late_force<Kind> || names_drive<Kind>)
CORTEN_POLICY_RULE("actuator", "actuator/common.hpp", dynamics_type,
                   "has rates or next, but no DynamicsType dynamics_type",
                   DynamicsPolicy<Kind> || !(names_rates<Kind> || names_next<Kind>))
CORTEN_POLICY_RULE("actuator", "actuator/common.hpp", gain_type,
                   "has gain, drive or a slope of them, but no GainType gain_type",
                   GainPolicy<Kind> || !(names_gain<Kind> || names_drive<Kind> ||
                                         names_gain_slope<Kind> || names_drive_slope<Kind>))
CORTEN_POLICY_RULE("actuator", "actuator/common.hpp", bias_type,
                   "has bias, late_force or bias_slope, but no BiasType bias_type",
                   BiasPolicy<Kind> || !(names_bias<Kind> || names_late_force<Kind> ||
                                         names_bias_slope<Kind>))
CORTEN_POLICY_NUMBER("actuator", "actuator/common.hpp", dynamics_type)
CORTEN_POLICY_NUMBER("actuator", "actuator/common.hpp", gain_type)
CORTEN_POLICY_NUMBER("actuator", "actuator/common.hpp", bias_type)
// clang-format on

struct Rules : detail::Rules<name, dynamics_type_gain_type_or_bias_type, rates, gain, bias,
                             dynamics_type, gain_type, bias_type> {};

}  // namespace actuator_policy

template <class K>
concept ActuatorPolicy = actuator_policy::Rules::obeyed<K>;

// is the actuator's group disabled?
template <class M>
CORTEN_FN bool actuator_disabled(const M& m, int a) {
  const int group = m.actuator_group[a];
  return group >= 0 && group <= 30 && (m.opt.disableactuator & (1 << group)) != 0;
}

namespace detail {

// to the nearest integer, halves away from zero
template <class S>
CORTEN_FN S rounded(const S& x) {
  return select(x < S(0), S(-floor(S(S(0.5) - x))), S(floor(S(x + S(0.5)))));
}

// The set point u, moved by whole periods to where it is nearest to `length`, so that a servo that
// rotates goes the short way round.
template <class S>
CORTEN_FN S wrapped(const S& u, const S& length, const S& period) {
  return u - period * rounded(S((u - length) / period));
}

// The period of a servo whose transmission is a rotation (of a ball joint, or between two sites); 0
// for all other actuators.
template <class S, class M>
CORTEN_FN S wrap_period(const M& m, int a) {
  const auto transmission = static_cast<TransmissionType>(m.actuator_trntype[a]);
  const bool on_joint =
      transmission == TransmissionType::joint || transmission == TransmissionType::jointinparent;
  const bool between_sites =
      transmission == TransmissionType::site && m.actuator_trnid[2 * a + 1] >= 0;
  if (!between_sites && !(on_joint && joint_is_rotation(m, m.actuator_trnid[2 * a]))) return S(0);
  const auto gain = static_cast<GainType>(m.actuator_gaintype[a]);
  const auto dynamics = static_cast<DynamicsType>(m.actuator_dyntype[a]);
  const bool servo = gain == GainType::fixed &&
                     static_cast<BiasType>(m.actuator_biastype[a]) == BiasType::affine &&
                     value(m.actuator_gainprm[10 * a]) == -value(m.actuator_biasprm[10 * a + 1]) &&
                     (dynamics == DynamicsType::none || dynamics == DynamicsType::integrator);
  if (!servo && gain != GainType::pid) return S(0);

  const Vec6<S> gear = vec6<S>(m.actuator_gear, m.actuator_outadr[a]);
  if (on_joint) return S(2 * pi) * norm(gear.template head<3>());
  for (int k = 0; k < 3; ++k) {
    if (value(m.actuator_gear[6 * m.actuator_outadr[a] + k]) != 0) return S(0);
  }
  return S(2 * pi) * norm(gear.template tail<3>());
}

// The set point u, no farther from its last value than `rate` allows in a timestep. Activation i
// remembers it: writes act_dot[i].
template <class M, class D, class S>
CORTEN_FN S slewed(const M& m, const D& d, int i, S u, const S& rate, const S& period) {
  const S h = S(m.opt.timestep), before = d.act[i];
  if (any(value(period) > 0)) u = wrapped(u, before, period);
  const S reached = clamp(u, S(before - rate * h), S(before + rate * h));
  d.act_dot[i] = (reached - before) / h;
  return reached;
}

// the rate of z, the integral of an error that stops at ±limit; a limit of 0 means none
template <class S>
CORTEN_FN S wound(const S& error, const S& z, const S& limit) {
  const auto high = z >= limit, low = z <= -limit;
  const S stopped = select(high, min(error, S(0)), select(low, max(error, S(0)), error));
  return select(limit > S(0), stopped, error);
}

// the controls of a servo by their meaning; absent ones are 0
template <class S>
struct ServoInputs {
  S pos, vel, ff, voltage;
};

template <class M, class D>
CORTEN_FN auto servo_inputs(const M& m, const D& d, int a) {
  using S = typename D::Scalar;
  const int spec = m.actuator_ctrlspec[a];
  int i = m.actuator_ctrladr[a];
  const auto take = [&](int bit) { return (spec & bit) != 0 ? S(d.work_nu[i++]) : S(0); };
  ServoInputs<S> out{};
  out.pos = take(input_pos);
  out.vel = take(input_vel);
  out.ff = take(input_ff);
  out.voltage = take(input_voltage);
  return out;
}

}  // namespace detail

}  // namespace corten
