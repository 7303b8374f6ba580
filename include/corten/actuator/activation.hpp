// SPDX-License-Identifier: Apache-2.0
//
// Activation states: their time derivative and how they advance.
#pragma once

#include <corten/actuator/common.hpp>
#include <corten/data/history.hpp>

namespace corten {

// writes act_dot of actuator a
template <class M, class D>
CORTEN_FN void activation_rates(const M& m, const D& d, int a) {
  using S = typename D::Scalar;
  const int first = m.actuator_actadr[a];
  for (int k = 0; k < m.actuator_actnum[a]; ++k) d.act_dot[first + k] = S(0);
  M::Policies::Actuators::visit(static_cast<DynamicsType>(m.actuator_dyntype[a]),
                                [&](auto kind) { kind.rates(m, d, a); });
}

// activation i of actuator a after one timestep at the given rate
template <class M, class D, class S>
CORTEN_FN S next_activation(const M& m, const D& d, int a, int i, const S& rate) {
  S act = d.act[i] + rate * S(m.opt.timestep);
  bool limited = m.actuator_actlimited[a] != 0;
  M::Policies::Actuators::visit(static_cast<DynamicsType>(m.actuator_dyntype[a]), [&](auto kind) {
    using K = decltype(kind);
    if constexpr (actuator_policy::names_next<K>) act = K::next(m, d, a, i, rate);
    if constexpr (requires { K::own_limits; }) limited = limited && !K::own_limits;
  });
  if (limited) {
    act = clamp(act, S(m.actuator_actrange[2 * a]), S(m.actuator_actrange[2 * a + 1]));
  }
  return act;
}

namespace detail {

// A set point that integrates a control grows without bound where the transmission is a rotation:
// replaces it by the equivalent one nearby.
template <class M, class D>
CORTEN_FN void wrap_activation(const M& m, const D& d, int a) {
  using S = typename D::Scalar;
  const int first = m.actuator_actadr[a];
  if (static_cast<GainType>(m.actuator_gaintype[a]) == GainType::so3) {
    const Vec3<S> v = vec<S, 3>(d.act.from(first), 0);
    const S angle = norm(v);
    const auto far = angle > S(pi);
    const S turns = rounded(S(angle / S(2 * pi)));
    const S scale = select(far, S((angle - S(2 * pi) * turns) / select(far, angle, S(1))), S(1));
    for (int k = 0; k < 3; ++k) d.act[first + k] *= scale;
    return;
  }
  const S period = wrap_period<S>(m, a);
  if (!any(value(period) > 0)) return;
  const int i = first + m.actuator_actnum[a] - 1;
  d.act[i] = wrapped(S(d.act[i]), S(d.actuator_length[m.actuator_outadr[a]]), period);
}

}  // namespace detail

// Advances the activations by a timestep. Those of disabled groups have a rate of zero.
template <class M, class D, class A>
CORTEN_FN void advance_activations(const M& m, const D& d, const A& act_dot) {
  using S = typename D::Scalar;
  if (m.n.na == 0 || m.opt.disabled(disable_actuation)) return;
  for (int a = 0; a < m.n.nactuator; ++a) {
    const int first = m.actuator_actadr[a], end = first + m.actuator_actnum[a];
    const bool off = actuator_disabled(m, a);
    for (int i = first; i < end; ++i) {
      d.act[i] = next_activation(m, d, a, i, off ? S(0) : S(act_dot[i]));
    }
    if (first >= 0 && m.actuator_dyntype[a] == static_cast<int>(DynamicsType::integrator)) {
      detail::wrap_activation(m, d, a);
    }
  }
}

// records the controls of this timestep for actuators with a history
template <class M, class D>
CORTEN_FN void remember_controls(const M& m, const D& d) {
  using S = typename D::Scalar;
  if (m.n.nhistory == 0) return;
  for (int a = 0; a < m.n.nactuator; ++a) {
    const int samples = m.actuator_history[2 * a];
    if (samples == 0) continue;
    push_history(d.history.from(m.actuator_historyadr[a]), samples, 1, S(d.time),
                 d.ctrl.from(m.actuator_ctrladr[a]));
  }
}

}  // namespace corten
