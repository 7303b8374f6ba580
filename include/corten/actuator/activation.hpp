// SPDX-License-Identifier: Apache-2.0
//
// Activation states: their time derivative and how they advance.
#pragma once

#include <corten/core/enums.hpp>
#include <corten/core/field.hpp>

namespace corten {

// is the actuator's group switched off?
template <class M>
CORTEN_FN bool actuator_disabled(const M& m, int a) {
  const int group = m.actuator_group[a];
  return group >= 0 && group <= 30 && (m.opt.disableactuator & (1 << group)) != 0;
}

// da/dt of actuator a at control u
template <class M, class D, class S>
CORTEN_FN S activation_rate(const M& m, const D& d, int a, const S& u) {
  const auto kind = static_cast<DynamicsType>(m.actuator_dyntype[a]);
  if (kind == DynamicsType::integrator) return u;
  const S tau = max(S(min_value), S(m.actuator_dynprm[10 * a]));
  return (u - d.act[m.actuator_actadr[a]]) / tau;
}

// activation after one timestep at the given rate
template <class M, class D, class S>
CORTEN_FN S next_activation(const M& m, const D& d, int a, const S& rate) {
  const S h = S(m.opt.timestep);
  S act = d.act[m.actuator_actadr[a]];
  if (static_cast<DynamicsType>(m.actuator_dyntype[a]) == DynamicsType::filterexact) {
    const S tau = max(S(min_value), S(m.actuator_dynprm[10 * a]));
    act += rate * tau * (S(1) - exp(S(-h / tau)));
  } else {
    act += rate * h;
  }
  if (m.actuator_actlimited[a]) {
    act = clamp(act, S(m.actuator_actrange[2 * a]), S(m.actuator_actrange[2 * a + 1]));
  }
  return act;
}

}  // namespace corten
