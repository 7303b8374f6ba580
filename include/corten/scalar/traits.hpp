// SPDX-License-Identifier: Apache-2.0
//
// What the library needs to know of a scalar type.
#pragma once

#include <type_traits>
#include <utility>

namespace corten {

// Specialise for a scalar of your own:
//   Value    the plain number innermost (what value(x) returns)
//   Primal   the scalar with one level of derivatives off; the type itself if it carries none
template <class S>
struct ScalarTraits {
  static_assert(std::is_floating_point_v<S>,
                "corten: specialise corten::ScalarTraits for your scalar type");
  using Value = S;
  using Primal = S;
};

template <class S>
using value_t = typename ScalarTraits<S>::Value;

template <class S>
using primal_t = typename ScalarTraits<S>::Primal;

// what a comparison of values gives: bool, or a truth value a lane
template <class S>
using mask_t = decltype(std::declval<value_t<S>>() < std::declval<value_t<S>>());

// does the scalar hold a number for each of several worlds?
template <class S>
inline constexpr bool is_lanes = !std::is_same_v<mask_t<S>, bool>;

// does the scalar carry derivatives?
template <class S>
inline constexpr bool is_dual = !std::is_same_v<S, primal_t<S>>;

}  // namespace corten
