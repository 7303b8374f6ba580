// SPDX-License-Identifier: Apache-2.0
//
// Linear activation dynamics: an integral of the controls, and a first-order filter with time
// constant dynprm[0], advanced by the integrator's Euler step or exactly.
#pragma once

#include <corten/actuator/common.hpp>

namespace corten {

struct IntegratorDynamics {
  static constexpr const char* name = "integrator";
  static constexpr DynamicsType dynamics_type = DynamicsType::integrator;

  // the last activations, one per control
  template <class M, class D>
  CORTEN_FN static void rates(const M& m, const D& d, int a) {
    const int count = m.actuator_ctrlnum[a];
    const int first = m.actuator_actadr[a] + m.actuator_actnum[a] - count;
    for (int k = 0; k < count; ++k) d.act_dot[first + k] = d.work_nu[m.actuator_ctrladr[a] + k];
  }
};

struct FilterDynamics {
  static constexpr const char* name = "filter";
  static constexpr DynamicsType dynamics_type = DynamicsType::filter;

  template <class S, class M>
  CORTEN_FN static S time_constant(const M& m, int a) {
    return max(S(min_value), S(m.actuator_dynprm[10 * a]));
  }

  template <class M, class D>
  CORTEN_FN static void rates(const M& m, const D& d, int a) {
    using S = typename D::Scalar;
    const int i = m.actuator_actadr[a] + m.actuator_actnum[a] - 1;
    d.act_dot[i] = (d.work_nu[m.actuator_ctrladr[a]] - d.act[i]) / time_constant<S>(m, a);
  }
};

struct ExactFilterDynamics : FilterDynamics {
  static constexpr const char* name = "filterexact";
  static constexpr DynamicsType dynamics_type = DynamicsType::filterexact;

  // act + (ctrl - act) (1 - exp(-h / tau))
  template <class M, class D, class S>
  CORTEN_FN static S next(const M& m, const D& d, int a, int i, const S& rate) {
    const S tau = time_constant<S>(m, a);
    return d.act[i] + rate * tau * (S(1) - exp(S(-S(m.opt.timestep) / tau)));
  }
};

}  // namespace corten
