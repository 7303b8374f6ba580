// SPDX-License-Identifier: Apache-2.0
//
// How the force of an actuator changes with its velocity, as the implicit integrators take it. As in MuJoCo,
// a force at the end of its range does not change, limits on joints and tendons are not looked at, and the
// control is taken before it is clamped.
#pragma once

#include <corten/actuator/activation.hpp>

namespace corten {

// d force / d velocity of actuator a
template <class M, class D>
CORTEN_FN auto actuator_slope(const M& m, const D& d, int a) {
  using S = typename D::Scalar;
  const int out = m.actuator_outadr[a], act = m.actuator_actadr[a];
  S slope = S(0);
  if (static_cast<BiasType>(m.actuator_biastype[a]) == BiasType::affine) {
    slope += S(m.actuator_biasprm[10 * a + 2]);
  }
  if (static_cast<GainType>(m.actuator_gaintype[a]) == GainType::affine) {
    S input = S(0);
    if (act < 0) {
      input = d.ctrl[m.actuator_ctrladr[a]];
    } else {
      input = m.actuator_actearly[a] ? next_activation(m, d, a, act, S(d.act_dot[act])) : d.act[act];
    }
    slope += S(m.actuator_gainprm[10 * a + 2]) * input;
  }

  if (m.actuator_forcelimited[a]) {
    const S force = d.actuator_force[out];
    const auto inside = force > S(m.actuator_forcerange[2 * a]) &&
                        force < S(m.actuator_forcerange[2 * a + 1]);
    slope = select(inside, slope, S(0));
  }
  return slope;
}

}  // namespace corten
