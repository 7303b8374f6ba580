// SPDX-License-Identifier: Apache-2.0
//
// Two kinds have the number user_joint(0).
// refused: Lever type joint/joints.hpp
#include <corten/pipeline/policies.hpp>

struct Crank : corten::Hinge {
  static constexpr corten::JointType type = corten::user_joint(0);
  static constexpr const char* name = "crank";
};

struct Lever : corten::Slide {
  static constexpr corten::JointType type = corten::user_joint(0);
  static constexpr const char* name = "lever";
};

corten::Policies<corten::Joints<corten::Hinge, Crank, Lever>> policies;
