// SPDX-License-Identifier: Apache-2.0
//
// What the library needs to know about a scalar type.
#pragma once

#include <type_traits>
#include <utility>

namespace corten {

// Specialise this for a scalar of your own:
//   Value    the innermost plain number, which value(x) returns
//   Primal   the scalar with one level of derivatives removed; the type itself if it carries none
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

// the result of comparing values: bool, or one truth value per lane
template <class S>
using mask_t = decltype(std::declval<value_t<S>>() < std::declval<value_t<S>>());

// whether the scalar holds numbers of several worlds
template <class S>
inline constexpr bool is_lanes = !std::is_same_v<mask_t<S>, bool>;

// whether the scalar carries derivatives
template <class S>
inline constexpr bool is_dual = !std::is_same_v<S, primal_t<S>>;

}  // namespace corten
