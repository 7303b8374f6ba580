// SPDX-License-Identifier: Apache-2.0
//
// What the library needs to know about a scalar type. It knows float, double, long double, Dual and
// Pack. Any other number type (ceres::Jet, a multiprecision number, one that counts operations)
// becomes a scalar by specialising ScalarTraits. A plain number, without derivatives, takes a line:
//
//     template <>
//     struct corten::ScalarTraits<my::Real> : corten::PlainScalar<my::Real> {};
//
// A number with N derivatives says where they are:
//
//     template <class T, int N>
//     struct corten::ScalarTraits<my::Jet<T, N>> {
//       using Value = corten::value_t<T>;
//       using Primal = T;
//       static constexpr int tangents = N;
//       static const T& primal(const my::Jet<T, N>& x) { return x.a; }
//       static const T& tangent(const my::Jet<T, N>& x, int k) { return x.v[k]; }
//       static T& tangent(my::Jet<T, N>& x, int k) { return x.v[k]; }
//     };
//
// These are the members of ScalarTraits<S>. None has a default that could be wrong:
//
//   Value           the innermost plain number, which branches compare with tolerances.
//                   std::numeric_limits<Value> must be specialised
//   Primal          the scalar with one level of derivatives removed, which iterative solvers use;
//                   S itself if it carries none
//   tangents        how many derivatives the scalar carries; 0 for a plain number
//   primal(x)       the number without its derivatives. Required if tangents > 0
//   tangent(x, k)   derivative k, a Primal: by reference, and of a const x for reading. Required if
//                   tangents > 0
//   value(x)        the Value of x. Required if tangents is 0 and Value differs from S, as for a
//                   scalar that records its operations on a tape; otherwise it is derived
//   vanishes(x)     whether x and all its derivatives are zero, so that a product with it can be
//                   skipped. Required in the same case, because comparing x with zero would lose
//                   the derivative on the tape; otherwise it is derived
//   zero_bytes      optional: true if a zero consists of zero bytes, which makes clearing faster
//
// A scalar also needs the operations of a number. Functions are found by argument-dependent lookup:
//
//   S(), S(1), S(0.5), S(primal)        the last with zero derivatives; conversions may be explicit
//   + - * / (binary), -, += -= *= /=    of S and S, returning S, not an expression template
//   < > <= >= == !=                     of S and S, looking at values only
//   sqrt sin cos tan asin exp floor abs, atan2(y, x), pow(x, p)
//
// Derivatives must be right where they exist. Where they are infinite, as for the square root of
// zero, infinity and NaN are fine: stages avoid these points by safe_sqrt, select and branches.
//
// min, max, select, clamp, sincos, safe_sqrt and finite are derived from these, and a scalar may
// overload them. acos, atan, log and tanh are required only where they are called: in functions of
// Dual<S> and in your own policies. A scalar must not own memory (its destructor is trivial). It
// need not be trivially copyable, but then its models cannot be turned into bytes, nor its worlds
// sent to a device.
//
// Model<S> and Data<S> check all of this (scalar/concept.hpp) and name what is missing.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

namespace corten {

template <class S>
struct ScalarTraits;

// the traits of a plain number
template <class S>
struct PlainScalar {
  using Value = S;
  using Primal = S;
  static constexpr int tangents = 0;
};

template <std::floating_point S>
struct ScalarTraits<S> : PlainScalar<S> {
  static constexpr bool zero_bytes = true;
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

// May worlds of this kind have flexes? Those in lanes and interleaved ones may not, so that neither
// packs nor the kernels of a device have any code for them.
template <class D>
inline constexpr bool may_have_flexes = D::Layout::contiguous && !is_lanes<typename D::Scalar>;

// whether the scalar carries derivatives, and how many
template <class S>
inline constexpr int tangent_count = ScalarTraits<S>::tangents;
template <class S>
inline constexpr bool is_dual = tangent_count<S> > 0;

// whether memory full of zero bytes is full of zeros
template <class S>
inline constexpr bool zero_bytes = [] {
  if constexpr (requires { ScalarTraits<S>::zero_bytes; }) {
    return ScalarTraits<S>::zero_bytes && std::is_trivially_copyable_v<S>;
  } else {
    return false;
  }
}();

namespace detail {

// types with ScalarTraits; anything else finds no overload of value(x) and the like
template <class S>
concept HasTraits = requires {
  typename ScalarTraits<S>::Primal;
};

}  // namespace detail

}  // namespace corten
