// SPDX-License-Identifier: Apache-2.0
//
// The list of joint kinds that a pipeline knows. A kind is a type with static functions (see
// hinge.hpp). The list turns the kind stored in the model into a call of that type's function, so
// no other code needs to ask what kind a joint is.
//
// Besides those functions, a kind of your own defines
//
//   type, name          user_joint(k), and its word in MJCF
//   nq, nv              its numbers of coordinates and velocities
//   turns               optional: are range, ref and springref angles, in the unit of the compiler?
//   parameters          optional: an array of Parameter, its own attributes
//   quat                optional: the first of four coordinates that form a unit quaternion. A kind
//                       with these four and three velocities is a rotation, like a ball joint
//   floats              optional: does it place its body in the world by itself, like a free joint?
//   fixed_axes          optional: how many of its first dofs have axes that do not turn
//   rigid_axes          optional: are its motion axes fixed in the parent, or all of them in its
//                       own body, and is it integrated as ScalarJoint or a ball is? Its derivatives
//                       are then found analytically
//   reference           optional: its coordinates in the reference pose, if not all zero
//
// and is listed in Joints<…>. ScalarJoint provides most functions of a kind with one coordinate.
#pragma once

#include <corten/core/kinds.hpp>
#include <corten/core/policy.hpp>
#include <corten/core/words.hpp>
#include <corten/joint/ball.hpp>
#include <corten/joint/free.hpp>
#include <corten/joint/hinge.hpp>
#include <corten/joint/slide.hpp>

#include <concepts>
#include <string>

namespace corten {

// what a kind must have; hinge.hpp and scalar_joint.hpp show what the functions do
namespace joint_policy {

CORTEN_POLICY_NAMES(transform, motion_axes, velocity, integrate, difference, spring, spring_energy,
                    transmission, limits)

// clang-format off
CORTEN_POLICY_CONSTANT("joint", "joint/joints.hpp", JointType, type)
CORTEN_POLICY_CONSTANT("joint", "joint/joints.hpp", const char*, name)
CORTEN_POLICY_CONSTANT("joint", "joint/joints.hpp", int, nq)
CORTEN_POLICY_CONSTANT("joint", "joint/joints.hpp", int, nv)
CORTEN_POLICY_FUNCTION("joint", "joint/joints.hpp", transform, "(m, d, j, frame)")
CORTEN_POLICY_FUNCTION("joint", "joint/joints.hpp", motion_axes, "(m, d, j)")
CORTEN_POLICY_FUNCTION("joint", "joint/joints.hpp", velocity, "(m, d, j, cvel)")
CORTEN_POLICY_FUNCTION("joint", "joint/joints.hpp", integrate, "(m, j, qpos, qvel, h)")
CORTEN_POLICY_FUNCTION("joint", "joint/joints.hpp", difference, "(m, j, q1, q2, h, out)")
CORTEN_POLICY_FUNCTION("joint", "joint/joints.hpp", spring, "(m, d, j)")
CORTEN_POLICY_FUNCTION("joint", "joint/joints.hpp", spring_energy, "(m, d, j)")
CORTEN_POLICY_FUNCTION("joint", "joint/joints.hpp", transmission,
                       "(m, d, j, gear, in_parent, moment)")
CORTEN_POLICY_FUNCTION("joint", "joint/joints.hpp", limits, "(m, d, j, row)")
CORTEN_POLICY_NUMBER("joint", "joint/joints.hpp", type)
// clang-format on

struct Rules : detail::Rules<type, name, nq, nv, transform, motion_axes, velocity, integrate,
                             difference, spring, spring_energy, transmission, limits> {};

}  // namespace joint_policy

template <class J>
concept JointPolicy = joint_policy::Rules::obeyed<J>;

// a kind as data
template <JointPolicy J>
inline constexpr JointKind joint_kind = [] {
  JointKind out{J::type, J::name, J::nq, J::nv};
  if constexpr (requires { J::turns; }) out.turns = J::turns;
  if constexpr (requires { J::floats; }) out.floats = J::floats;
  if constexpr (requires { J::quat; }) out.quat = J::quat;
  if constexpr (requires { J::parameters; }) out.parameters = J::parameters;
  if constexpr (requires { J::reference; }) out.reference = J::reference;
  return out;
}();

template <class... J>
struct Joints {
  using Sound = detail::Sound<Joints, detail::Complete<joint_policy::Rules, J...>,
                              detail::Distinct<joint_policy::distinct_type, J...>>;

  // this list with further kinds added
  template <class... More>
  using with = Joints<J..., More...>;

  // whether all kinds are the library's own
  static constexpr bool builtin = ((J::type <= JointType::hinge) && ...);

  static constexpr bool has(JointType type) { return ((type == J::type) || ...); }

  static constexpr const char* name(JointType type) {
    const char* out = "unknown";
    static_cast<void>(((type == J::type && (out = J::name, true)) || ...));
    return out;
  }

  // the names of the kinds, for messages
  static std::string list() { return join_words({J::name...}); }

  // calls f(J{}) for every kind
  template <class F>
  static void each(F&& f) {
    (f(J{}), ...);
  }

  // calls f(J{}) for the kind J of that type
  template <class F>
  CORTEN_FN static void visit(int type, F&& f) {
    (void)((type == static_cast<int>(J::type) ? (f(J{}), true) : false) || ...);
  }
};

using DefaultJoints = Joints<Hinge, Slide, Ball, Free>;
template <>
inline constexpr bool detail::is_default<DefaultJoints> = true;

// for stages: what kind of joint j is
template <class M>
CORTEN_FN bool joint_floats(const M& m, int j) {
  bool out = false;
  M::Policies::Joints::visit(m.jnt_type[j], [&](auto kind) {
    if constexpr (requires { kind.floats; }) out = kind.floats;
  });
  return out;
}
template <class M>
CORTEN_FN bool joint_is_rotation(const M& m, int j) {
  bool out = false;
  M::Policies::Joints::visit(m.jnt_type[j], [&](auto kind) {
    constexpr bool is_rotation = joint_kind<decltype(kind)>.is_rotation();
    out = is_rotation;
  });
  return out;
}

template <class M>
CORTEN_FN bool joint_is_scalar(const M& m, int j) {
  bool out = false;
  M::Policies::Joints::visit(m.jnt_type[j], [&](auto kind) {
    constexpr bool is_scalar = joint_kind<decltype(kind)>.is_scalar();
    out = is_scalar;
  });
  return out;
}

// the first of the joint's coordinates that form a quaternion, or -1
template <class M>
CORTEN_FN int joint_quat(const M& m, int j) {
  int out = -1;
  M::Policies::Joints::visit(m.jnt_type[j], [&](auto kind) {
    constexpr int quat = joint_kind<decltype(kind)>.quat;
    out = quat;
  });
  return out;
}

}  // namespace corten
