// SPDX-License-Identifier: Apache-2.0
//
// gain is misspelt; the force would be zero.
// refused: Fading gain actuator/common.hpp
#include <corten/pipeline/policies.hpp>

struct Fading {
  static constexpr const char* name = "fading";
  static constexpr corten::GainType gain_type = corten::user_gain(0);

  template <class M, class D>
  static auto gains(const M& m, const D& d, int a) {
    return typename D::Scalar(m.actuator_gainprm[10 * a]) * d.time;
  }
};

corten::Policies<corten::DefaultActuators::with<Fading>> policies;
