// SPDX-License-Identifier: Apache-2.0
//
// How the force of an actuator changes with its velocity, as the implicit integrators use it. As in
// MuJoCo, a force at the end of its range does not change, force limits of joints and tendons are
// ignored, and the control is used before it is clamped.
#pragma once

#include <corten/actuator/activation.hpp>
#include <corten/actuator/actuators.hpp>

#include <limits>

namespace corten {

namespace detail {

// what multiplies the gain in MuJoCo's derivatives: the last activation, or the unclamped control
template <class M, class D>
CORTEN_FN auto slope_input(const M& m, const D& d, int a) {
  using S = typename D::Scalar;
  if (m.actuator_actnum[a] == 0) {
    return m.actuator_ctrlnum[a] > 0 ? S(d.ctrl[m.actuator_ctrladr[a]]) : S(0);
  }
  const int i = m.actuator_actadr[a] + m.actuator_actnum[a] - 1;
  return m.actuator_actearly[a] ? next_activation(m, d, a, i, S(d.act_dot[i])) : S(d.act[i]);
}

// Is the force inside its range, not at an end? The torque of an orientation servo that was cut to
// its limit counts as at the limit; MuJoCo compares its length, which rounding may have left below.
template <class M, class D>
CORTEN_FN auto force_inside(const M& m, const D& d, int a) {
  using S = typename D::Scalar;
  const int out = m.actuator_outadr[a];
  const S low = S(m.actuator_forcerange[2 * a]), high = S(m.actuator_forcerange[2 * a + 1]);
  if (static_cast<GainType>(m.actuator_gaintype[a]) == GainType::so3) {
    const S rounding = S(16) * S(std::numeric_limits<value_t<S>>::epsilon());
    return norm(vec<S, 3>(d.actuator_force.from(out), 0)) < high * (S(1) - rounding);
  }
  const S force = d.actuator_force[out];
  return force > low && force < high;
}

}  // namespace detail

// d force / d velocity of actuator a, the same for each of its forces
template <class M, class D>
CORTEN_FN auto actuator_slope(const M& m, const D& d, int a) {
  using S = typename D::Scalar;
  S slope = S(0);
  M::Policies::Actuators::visit(static_cast<BiasType>(m.actuator_biastype[a]), [&](auto kind) {
    using K = decltype(kind);
    if constexpr (actuator_policy::names_bias_slope<K>) slope += K::bias_slope(m, d, a);
  });
  M::Policies::Actuators::visit(static_cast<GainType>(m.actuator_gaintype[a]), [&](auto kind) {
    using K = decltype(kind);
    if constexpr (actuator_policy::names_drive_slope<K>) {
      slope += K::drive_slope(m, d, a);
    } else if constexpr (actuator_policy::names_gain_slope<K>) {
      slope += K::gain_slope(m, d, a) * detail::slope_input(m, d, a);
    }
  });
  if (!m.actuator_forcelimited[a]) return slope;
  return select(detail::force_inside(m, d, a), slope, S(0));
}

}  // namespace corten
