// SPDX-License-Identifier: Apache-2.0
//
// Properties of a compiled model that no pipeline can step yet. compile() and from_mujoco() refuse
// models that have them.
#pragma once

#include <corten/compile/at.hpp>
#include <corten/core/enums.hpp>
#include <corten/model/model.hpp>

#include <cmath>

namespace corten::compiler {

inline constexpr const char* not_yet = " is not supported yet";

// does an actuator add armature to a tendon that wraps around geoms? MuJoCo aborts at the first
// step
CORTEN_COLD bool has_wrapped_armature(const Model<double>& m, int tendon) {
  double armature = 0;
  for (int a = 0; a < m.n.nactuator; ++a) {
    const bool here = at(m.actuator_trntype, a) == static_cast<int>(TransmissionType::tendon) &&
                      at(m.actuator_trnid, 2 * a) == tendon;
    if (here) armature += std::abs(at(m.actuator_armature, a));
  }
  if (armature == 0) return false;
  const int first = at(m.tendon_adr, tendon), last = first + at(m.tendon_num, tendon);
  for (int w = first; w < last; ++w) {
    const auto type = static_cast<WrapType>(at(m.wrap_type, w));
    if (type == WrapType::sphere || type == WrapType::cylinder) return true;
  }
  return false;
}

inline constexpr const char* wrapped_armature =
    "armature of an actuator on a tendon that wraps around geoms";

}  // namespace corten::compiler
