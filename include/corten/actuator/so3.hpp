// SPDX-License-Identifier: Apache-2.0
//
// Orientation servos: three lengths (a rotation vector), three forces, and a target that is a
// rotation vector or a quaternion:
//
//   torque = kp log(current⁻¹ target) + const - kv velocity
//
// gainprm[0] = kp; biasprm = const, -kp, -kv. With integrator dynamics the target is the
// activation.
#pragma once

#include <corten/actuator/pid.hpp>

namespace corten {

struct So3Actuator {
  static constexpr const char* name = "so3";
  static constexpr GainType gain_type = GainType::so3;
  static constexpr BiasType bias_type = BiasType::so3;

  template <class M, class D>
  CORTEN_FN static auto target(const M& m, const D& d, int a) {
    using S = typename D::Scalar;
    const int u = m.actuator_ctrladr[a], act = m.actuator_actadr[a];
    if (m.actuator_ctrlspec[a] == chart_quat) {
      Quat<S> q = vec<S, 4>(d.work_nu.from(u), 0);
      normalize(q);
      return q;
    }
    Vec3<S> v;
    for (int k = 0; k < 3; ++k) {
      if (act < 0) {
        v[k] = d.work_nu[u + k];
      } else if (m.actuator_actearly[a]) {
        v[k] = next_activation(m, d, a, act + k, S(d.act_dot[act + k]));
      } else {
        v[k] = d.act[act + k];
      }
    }
    return exp_map(v);
  }

  template <class M, class D>
  CORTEN_FN static void drive(const M& m, const D& d, int a) {
    using S = typename D::Scalar;
    const int out = m.actuator_outadr[a];
    const Quat<S> current = exp_map(vec<S, 3>(d.actuator_length.from(out), 0));
    const Vec3<S> error = difference(target(m, d, a), current);
    for (int k = 0; k < 3; ++k) {
      d.actuator_force[out + k] = S(m.actuator_gainprm[10 * a]) * error[k] +
                                  S(m.actuator_biasprm[10 * a]) +
                                  S(m.actuator_biasprm[10 * a + 2]) * d.actuator_velocity[out + k];
    }
  }

  // of each force with respect to its own velocity
  template <class M, class D>
  CORTEN_FN static auto bias_slope(const M& m, const D&, int a) {
    return typename D::Scalar(m.actuator_biasprm[10 * a + 2]);
  }
};

}  // namespace corten
