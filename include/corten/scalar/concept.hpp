// SPDX-License-Identifier: Apache-2.0
//
// The concept of a scalar: the requirements of scalar/traits.hpp, one by one, so that Model<S> and
// Data<S> can name those that a type does not meet.
#pragma once

#include <corten/scalar/functions.hpp>

#include <concepts>
#include <limits>
#include <type_traits>

namespace corten {

namespace detail {

// clang-format off
template <class S>
concept NamesTraits = requires {
  typename ScalarTraits<S>::Value;
  typename ScalarTraits<S>::Primal;
  { ScalarTraits<S>::tangents + 0 } -> std::same_as<int>;
};

// derivatives, exactly if the primal is another type
template <class S>
concept CountsTangents = is_dual<S> != std::same_as<S, primal_t<S>>;

// its value and whether it vanishes follow from comparisons, or from those of its tangents
template <class S>
concept Transparent = is_dual<S> || std::same_as<S, value_t<S>>;

template <class S>
concept HasPrimal = !is_dual<S> || requires(const S& x) {
  { ScalarTraits<S>::primal(x) } -> std::convertible_to<primal_t<S>>;
};
template <class S>
concept HasTangent = !is_dual<S> || requires(S& x, const S& y) {
  { ScalarTraits<S>::tangent(x, 0) } -> std::same_as<primal_t<S>&>;
  { ScalarTraits<S>::tangent(y, 0) } -> std::convertible_to<primal_t<S>>;
};
template <class S>
concept HasValue = Transparent<S> || requires(const S& x) {
  { ScalarTraits<S>::value(x) } -> std::convertible_to<value_t<S>>;
};
template <class S>
concept HasVanishes = Transparent<S> || requires(const S& x) {
  { ScalarTraits<S>::vanishes(x) } -> std::same_as<bool>;
};
template <class S>
concept HasLimits = std::numeric_limits<value_t<S>>::is_specialized;

template <class S>
concept OwnsNothing = std::is_trivially_destructible_v<S> && std::is_copy_constructible_v<S> &&
                      std::is_copy_assignable_v<S>;
template <class S>
concept FromNumbers = std::is_default_constructible_v<S> && std::is_constructible_v<S, int> &&
                      std::is_constructible_v<S, double> &&
                      std::is_constructible_v<S, const primal_t<S>&>;
template <class S>
concept HasArithmetic = requires(S& z, const S& x) {
  { x + x } -> std::same_as<S>;
  { x - x } -> std::same_as<S>;
  { x * x } -> std::same_as<S>;
  { x / x } -> std::same_as<S>;
  { -x } -> std::same_as<S>;
  z += x, z -= x, z *= x, z /= x;
};
template <class S>
concept HasComparisons = requires(const S& x) {
  { x < x } -> std::same_as<mask_t<S>>;
  { x > x } -> std::same_as<mask_t<S>>;
  { x <= x } -> std::same_as<mask_t<S>>;
  { x >= x } -> std::same_as<mask_t<S>>;
  { x == x } -> std::same_as<mask_t<S>>;
  { x != x } -> std::same_as<mask_t<S>>;
};

// the functions that stages call
#define CORTEN_SCALAR_FUNCTIONS(X) \
  X(sqrt(x)) X(sin(x)) X(cos(x)) X(tan(x)) X(asin(x)) X(exp(x)) X(floor(x)) X(abs(x)) \
  X(atan2(x, x)) X(pow(x, x))
#define CORTEN_SCALAR_HAS(call) requires(const S& x) { { call } -> std::same_as<S>; }

template <class S>
concept Scalar = NamesTraits<S> && CountsTangents<S> && HasPrimal<S> && HasTangent<S> &&
                 HasValue<S> && HasVanishes<S> && HasLimits<S> && OwnsNothing<S> &&
                 FromNumbers<S> && HasArithmetic<S> && HasComparisons<S>
#define X(call) && CORTEN_SCALAR_HAS(call)
                 CORTEN_SCALAR_FUNCTIONS(X);
#undef X

// Says what S lacks. Without traits nothing else can be asked.
template <class S>
consteval bool check_scalar() {
#define CORTEN_SCALAR_CHECK(requirement, message) \
  static_assert(requirement<S>, "corten: this scalar " message "; see scalar/traits.hpp");
  CORTEN_SCALAR_CHECK(NamesTraits, "has no ScalarTraits with Value, Primal and tangents")
  if constexpr (NamesTraits<S>) {
    CORTEN_SCALAR_CHECK(CountsTangents, "has tangents but is its own Primal, or the reverse")
    CORTEN_SCALAR_CHECK(HasPrimal, "has tangents, but no ScalarTraits::primal(x)")
    CORTEN_SCALAR_CHECK(HasTangent, "has tangents, but no ScalarTraits::tangent(x, k) for both"
                                    " reading and writing")
    CORTEN_SCALAR_CHECK(HasValue, "has another Value type, but no ScalarTraits::value(x)")
    CORTEN_SCALAR_CHECK(HasVanishes, "has another Value type, but no ScalarTraits::vanishes(x)")
    CORTEN_SCALAR_CHECK(HasLimits, "has a Value without std::numeric_limits")
    CORTEN_SCALAR_CHECK(OwnsNothing, "cannot be copied, or owns memory")
    CORTEN_SCALAR_CHECK(FromNumbers, "cannot be made from int, double, its Primal and nothing")
    CORTEN_SCALAR_CHECK(HasArithmetic, "lacks an operator of + - * /, or returns another type")
    CORTEN_SCALAR_CHECK(HasComparisons, "lacks a comparison, or returns no truth value")
#define X(call) \
    static_assert(CORTEN_SCALAR_HAS(call), \
                  "corten: this scalar has no " #call "; see scalar/traits.hpp");
    CORTEN_SCALAR_FUNCTIONS(X)
#undef X
  }
#undef CORTEN_SCALAR_CHECK
  return true;
}
// clang-format on
#undef CORTEN_SCALAR_HAS
#undef CORTEN_SCALAR_FUNCTIONS

}  // namespace detail

// a type that Model, Data and the stages can compute with
template <class S>
concept Scalar = detail::Scalar<S>;

}  // namespace corten
