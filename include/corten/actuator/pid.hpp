// SPDX-License-Identifier: Apache-2.0
//
// Servos with controls for position, velocity and feed-forward force, any of which may be absent:
//
//   force = kp (pos - length) + kv (vel - velocity) + ff + ki z,   dz/dt = pos - length
//
// biasprm = 0, -kp, -kv; gainprm[0] = ki; dynprm = imax (limit of |z|), slewmax (limit of the rate
// of pos). Activations, if any: the limited position, then z.
#pragma once

#include <corten/actuator/affine.hpp>

namespace corten {

// activation i after a timestep at the given rate (activation.hpp)
template <class M, class D, class S>
CORTEN_FN S next_activation(const M& m, const D& d, int a, int i, const S& rate);

struct PidActuator {
  static constexpr const char* name = "pid";
  static constexpr DynamicsType dynamics_type = DynamicsType::pid;
  static constexpr GainType gain_type = GainType::pid;

  template <class M>
  CORTEN_FN static bool has_integral(const M& m, int a) {
    return value(m.actuator_gainprm[10 * a]) > 0;
  }

  template <class M, class D>
  CORTEN_FN static void rates(const M& m, const D& d, int a) {
    using S = typename D::Scalar;
    const int u = m.actuator_ctrladr[a];
    int i = m.actuator_actadr[a];
    const S period = detail::wrap_period<S>(m, a);
    if (value(m.actuator_dynprm[10 * a + 1]) > 0) {
      const S rate = S(m.actuator_dynprm[10 * a + 1]);
      d.work_nu[u] = detail::slewed(m, d, i++, S(d.work_nu[u]), rate, period);
    }
    if (!has_integral(m, a)) return;
    S error = d.work_nu[u] - d.actuator_length[m.actuator_outadr[a]];
    if (any(value(period) > 0)) error -= period * detail::rounded(S(error / period));
    d.act_dot[i] = detail::wound(error, S(d.act[i]), S(m.actuator_dynprm[10 * a]));
  }

  // the part that does not depend on length and velocity; the affine bias has the rest
  template <class M, class D>
  CORTEN_FN static void drive(const M& m, const D& d, int a) {
    using S = typename D::Scalar;
    const int out = m.actuator_outadr[a], states = m.actuator_actnum[a];
    auto input = detail::servo_inputs(m, d, a);
    const S period = detail::wrap_period<S>(m, a);
    if (any(value(period) > 0)) {
      input.pos = detail::wrapped(input.pos, S(d.actuator_length[out]), period);
    }
    S force = -S(m.actuator_biasprm[10 * a + 1]) * input.pos -
              S(m.actuator_biasprm[10 * a + 2]) * input.vel + input.ff;
    if (states > 0 && has_integral(m, a)) {
      const int i = m.actuator_actadr[a] + states - 1;
      const S z =
          m.actuator_actearly[a] ? next_activation(m, d, a, i, S(d.act_dot[i])) : S(d.act[i]);
      force += S(m.actuator_gainprm[10 * a]) * z;
    }
    d.actuator_force[out] = force;
  }
};

}  // namespace corten
