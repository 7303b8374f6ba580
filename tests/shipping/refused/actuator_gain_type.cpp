// SPDX-License-Identifier: Apache-2.0
//
// gain_type is misspelt; the gain would be that of no actuator.
// refused: Spring gain_type actuator/common.hpp
#include <corten/pipeline/policies.hpp>

struct Spring {
  static constexpr const char* name = "spring";
  static constexpr corten::GainType gaintype = corten::user_gain(0);
  static constexpr corten::BiasType bias_type = corten::user_bias(0);

  template <class M, class D>
  static auto gain(const M&, const D&, int) {
    return typename D::Scalar(1);
  }
  template <class M, class D>
  static auto bias(const M&, const D&, int) {
    return typename D::Scalar(0);
  }
};

corten::Policies<corten::DefaultActuators::with<Spring>> policies;
