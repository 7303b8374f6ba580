// SPDX-License-Identifier: Apache-2.0
//
// The list of joint kinds that a pipeline knows. A kind is a type with static functions (see hinge.hpp);
// the list turns the kind stored in the model into a call of that type's function. There is no other
// place that asks what kind a joint is.
#pragma once

#include <corten/joint/ball.hpp>
#include <corten/joint/free.hpp>
#include <corten/joint/hinge.hpp>
#include <corten/joint/slide.hpp>

#include <concepts>
#include <string>

namespace corten {

template <class J>
concept JointPolicy = requires {
  { J::type } -> std::convertible_to<JointType>;
  { J::nq } -> std::convertible_to<int>;
  { J::nv } -> std::convertible_to<int>;
  { J::name } -> std::convertible_to<const char*>;
};

template <JointPolicy... J>
struct Joints {
  static constexpr bool has(JointType type) { return ((type == J::type) || ...); }

  // the names of the kinds, for messages
  static std::string list() {
    std::string out;
    ((out += out.empty() ? J::name : std::string(", ") + J::name), ...);
    return out;
  }

  // f(J{}) for the kind J of that type
  template <class F>
  CORTEN_FN static void visit(int type, F&& f) {
    (void)((type == static_cast<int>(J::type) ? (f(J{}), true) : false) || ...);
  }
};

using DefaultJoints = Joints<Hinge, Slide, Ball, Free>;

}  // namespace corten
