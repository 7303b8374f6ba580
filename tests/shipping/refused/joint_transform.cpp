// SPDX-License-Identifier: Apache-2.0
//
// transform is misspelt.
// refused: Crank transform joint/joints.hpp
#include <corten/pipeline/policies.hpp>

struct Crank : corten::ScalarJoint {
  static constexpr corten::JointType type = corten::user_joint(0);
  static constexpr const char* name = "crank";

  template <class M, class D, class S>
  static void transforms(const M&, const D&, int, corten::Frame<S>&) {}
  template <class M, class D>
  static void motion_axes(const M&, const D&, int) {}
  template <class M, class D, class S>
  static void velocity(const M&, const D&, int, corten::Vec6<S>&) {}
};

corten::Policies<corten::Joints<corten::Slide, Crank>> policies;
