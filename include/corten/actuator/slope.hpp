// SPDX-License-Identifier: Apache-2.0
//
// How the force of an actuator changes with its velocity, as the implicit integrators take it. As
// in MuJoCo, a force at the end of its range does not change, limits on joints and tendons are not
// looked at, and the control is taken before it is clamped.
#pragma once

#include <corten/actuator/activation.hpp>
#include <corten/actuator/actuators.hpp>

namespace corten {

namespace detail {

// where (in which lanes) the force of an actuator is within its range
template <class M, class D>
CORTEN_FN auto force_inside(const M& m, const D& d, int a) {
  using S = typename D::Scalar;
  const int out = m.actuator_outadr[a];
  const S low = S(m.actuator_forcerange[2 * a]), high = S(m.actuator_forcerange[2 * a + 1]);
  if (static_cast<GainType>(m.actuator_gaintype[a]) == GainType::so3) {
    return norm(vec<S, 3>(d.actuator_force.from(out), 0)) < high;
  }
  const S force = d.actuator_force[out];
  return force > low && force < high;
}

// what the gain multiplies
template <class M, class D>
CORTEN_FN auto slope_input(const M& m, const D& d, int a) {
  using S = typename D::Scalar;
  if (static_cast<DynamicsType>(m.actuator_dyntype[a]) == DynamicsType::none) {
    return S(d.ctrl[m.actuator_ctrladr[a]]);
  }
  const int i = m.actuator_actadr[a] + m.actuator_actnum[a] - 1;
  return m.actuator_actearly[a] ? next_activation(m, d, a, i, S(d.act_dot[i])) : S(d.act[i]);
}

}  // namespace detail

// d force / d velocity of each output of actuator a
template <class M, class D>
CORTEN_FN auto actuator_slope(const M& m, const D& d, int a) {
  using S = typename D::Scalar;
  S slope = S(0);
  M::Policies::Actuators::visit(static_cast<GainType>(m.actuator_gaintype[a]), [&](auto kind) {
    using K = decltype(kind);
    if constexpr (requires { K::gain_slope(m, d, a); }) {
      const S gain = K::gain_slope(m, d, a);
      if (!vanishes(gain)) slope += gain * detail::slope_input(m, d, a);
    }
    if constexpr (requires { K::drive_slope(m, d, a); }) slope += K::drive_slope(m, d, a);
  });
  M::Policies::Actuators::visit(static_cast<BiasType>(m.actuator_biastype[a]), [&](auto kind) {
    using K = decltype(kind);
    if constexpr (requires { K::bias_slope(m, d, a); }) slope += K::bias_slope(m, d, a);
  });
  if (m.actuator_forcelimited[a]) slope = select(detail::force_inside(m, d, a), slope, S(0));
  return slope;
}

}  // namespace corten
