// SPDX-License-Identifier: Apache-2.0
//
// Gains and biases that are constant, or affine in length and velocity: motors, servos, dampers.
#pragma once

#include <corten/actuator/common.hpp>

namespace corten {

namespace detail {

// prm[0] + prm[1] length + prm[2] velocity
template <class M, class D, class F>
CORTEN_FN auto affine_term(const M& m, const D& d, const F& prm, int a) {
  using S = typename D::Scalar;
  const int out = m.actuator_outadr[a];
  return S(S(prm[10 * a]) + S(prm[10 * a + 1]) * d.actuator_length[out] +
           S(prm[10 * a + 2]) * d.actuator_velocity[out]);
}

}  // namespace detail

struct FixedGain {
  static constexpr const char* name = "fixed";
  static constexpr GainType gain_type = GainType::fixed;

  template <class M, class D>
  CORTEN_FN static auto gain(const M& m, const D&, int a) {
    return typename D::Scalar(m.actuator_gainprm[10 * a]);
  }
};

struct AffineActuator {
  static constexpr const char* name = "affine";
  static constexpr GainType gain_type = GainType::affine;
  static constexpr BiasType bias_type = BiasType::affine;

  template <class M, class D>
  CORTEN_FN static auto gain(const M& m, const D& d, int a) {
    return detail::affine_term(m, d, m.actuator_gainprm, a);
  }
  template <class M, class D>
  CORTEN_FN static auto gain_slope(const M& m, const D&, int a) {
    return typename D::Scalar(m.actuator_gainprm[10 * a + 2]);
  }
  template <class M, class D>
  CORTEN_FN static auto bias(const M& m, const D& d, int a) {
    return detail::affine_term(m, d, m.actuator_biasprm, a);
  }
  template <class M, class D>
  CORTEN_FN static auto bias_slope(const M& m, const D&, int a) {
    return typename D::Scalar(m.actuator_biasprm[10 * a + 2]);
  }
};

}  // namespace corten
