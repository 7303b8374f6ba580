// SPDX-License-Identifier: Apache-2.0
//
// A kind without a name.
// refused: Crank name joint/joints.hpp
#include <corten/pipeline/policies.hpp>

struct Crank : corten::ScalarJoint {
  static constexpr corten::JointType type = corten::user_joint(0);

  template <class M, class D, class S>
  static void transform(const M&, const D&, int, corten::Frame<S>&) {}
  template <class M, class D>
  static void motion_axes(const M&, const D&, int) {}
  template <class M, class D, class S>
  static void velocity(const M&, const D&, int, corten::Vec6<S>&) {}
};

corten::Policies<corten::DefaultJoints::with<Crank>> policies;
