// SPDX-License-Identifier: Apache-2.0
//
// The scalar functions that stage code calls, unqualified, from inside namespace corten. The
// overloads for float, double and long double are here. Any other scalar type (Dual, Pack, or a
// user's) brings sqrt, sin and so on beside its definition, and argument-dependent lookup finds
// them. What follows from ScalarTraits is here for all of them:
//
//   value(x)          the plain number inside a scalar, the only part that a branch may look at
//   primal(x)         one level of derivatives removed: what an iterative solver works with
//   tangent(x, k)     derivative k, for reading and writing
//   vanishes(x)       zero, with zero derivatives
//   finite(x)         neither infinite nor NaN, and no derivative is
//   select(c, a, b)   c ? a : b. Comparing SIMD scalars yields a mask, so smooth stages use this
//   any(c), all(c)    whether some or all lanes hold
//   min, max          on a tie, the first argument
//   safe_sqrt, norm, normalize …  non-smooth functions with a finite derivative everywhere
#pragma once

#include <corten/config.hpp>
#include <corten/scalar/traits.hpp>

#include <cmath>
#if !defined(__CUDACC__) && !defined(__HIPCC__)
#ifdef __SSE2__
#define CORTEN_SSE
#include <emmintrin.h>
#endif
#if defined(__GLIBC__) && defined(_GNU_SOURCE) && !defined(EIGEN_DONT_VECTORIZE)
#define CORTEN_SINCOS  // not in kernels
#endif
#endif

namespace corten {

// anything smaller counts as zero and is not divided by (mjMINVAL)
inline constexpr double min_value = 1e-15;

// Devices have no long double, so its overloads are for the host only.
// clang-format off
#define CORTEN_UNARY(name) \
  CORTEN_FN float name(float x) { return std::name(x); } \
  CORTEN_FN double name(double x) { return std::name(x); } \
  inline long double name(long double x) { return std::name(x); }
CORTEN_UNARY(sin) CORTEN_UNARY(cos) CORTEN_UNARY(tan)
CORTEN_UNARY(asin) CORTEN_UNARY(acos) CORTEN_UNARY(atan)
CORTEN_UNARY(exp) CORTEN_UNARY(log) CORTEN_UNARY(tanh) CORTEN_UNARY(floor)
#undef CORTEN_UNARY
#define CORTEN_BINARY(name, call) \
  CORTEN_FN float name(float x, float y) { return call; } \
  CORTEN_FN double name(double x, double y) { return call; } \
  inline long double name(long double x, long double y) { return call; }
CORTEN_BINARY(atan2, std::atan2(x, y))
CORTEN_BINARY(pow, std::pow(x, y))
CORTEN_BINARY(min, y < x ? y : x)
CORTEN_BINARY(max, x < y ? y : x)
#undef CORTEN_BINARY
// clang-format on

// The bare instruction. Wherever std::sqrt is inlined it also costs a branch and a call that sets
// errno.
#ifdef CORTEN_SSE
CORTEN_FN float sqrt(float x) { return _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(x))); }
CORTEN_FN double sqrt(double x) {
  const __m128d v = _mm_set_sd(x);
  return _mm_cvtsd_f64(_mm_sqrt_sd(v, v));
}
#else
CORTEN_FN float sqrt(float x) { return std::sqrt(x); }
CORTEN_FN double sqrt(double x) { return std::sqrt(x); }
#endif
#undef CORTEN_SSE
inline long double sqrt(long double x) { return std::sqrt(x); }

CORTEN_FN float abs(float x) { return std::fabs(x); }
CORTEN_FN double abs(double x) { return std::fabs(x); }
inline long double abs(long double x) { return std::fabs(x); }

// unless the scalar has its own
template <detail::HasTraits S>
CORTEN_FN S min(const S& x, const S& y) {
  return y < x ? y : x;
}
template <detail::HasTraits S>
CORTEN_FN S max(const S& x, const S& y) {
  return x < y ? y : x;
}

CORTEN_FN float primal(float x) { return x; }
CORTEN_FN double primal(double x) { return x; }
template <detail::HasTraits S>
CORTEN_FN primal_t<S> primal(const S& x) {
  if constexpr (is_dual<S>) {
    return ScalarTraits<S>::primal(x);
  } else {
    return x;
  }
}

template <detail::HasTraits S>
CORTEN_FN decltype(auto) tangent(S& x, int k) {
  return ScalarTraits<S>::tangent(x, k);
}
template <detail::HasTraits S>
CORTEN_FN decltype(auto) tangent(const S& x, int k) {
  return ScalarTraits<S>::tangent(x, k);
}

CORTEN_FN float value(float x) { return x; }
CORTEN_FN double value(double x) { return x; }
template <detail::HasTraits S>
CORTEN_FN value_t<S> value(const S& x) {
  if constexpr (std::is_same_v<S, value_t<S>>) {
    return x;
  } else if constexpr (is_dual<S>) {
    return value(ScalarTraits<S>::primal(x));
  } else {
    return ScalarTraits<S>::value(x);
  }
}

// A number in another scalar: with its derivatives if To can hold them, without them otherwise.
template <class To, detail::HasTraits From>
CORTEN_FN To convert(const From& x) {
  if constexpr (std::is_constructible_v<To, const From&>) {
    return static_cast<To>(x);
  } else if constexpr (is_dual<From>) {
    return convert<To>(ScalarTraits<From>::primal(x));
  } else {
    return static_cast<To>(value(x));
  }
}

CORTEN_FN bool any(bool c) { return c; }
CORTEN_FN bool all(bool c) { return c; }

// Zero with zero derivatives, so a product with it can be skipped. For lanes, in all of them.
template <detail::HasTraits S>
CORTEN_FN bool vanishes(const S& x) {
  if constexpr (is_dual<S>) {
    bool out = vanishes(ScalarTraits<S>::primal(x));
    for (int k = 0; k < tangent_count<S>; ++k) out = out && vanishes(tangent(x, k));
    return out;
  } else if constexpr (std::is_same_v<S, value_t<S>>) {
    return all(x == S(0));
  } else {
    return ScalarTraits<S>::vanishes(x);
  }
}

// Finite in its value and in every derivative. Infinity minus itself is NaN, which equals nothing.
template <detail::HasTraits S>
CORTEN_FN mask_t<S> finite(const S& x) {
  if constexpr (is_dual<S>) {
    mask_t<S> ok = finite(ScalarTraits<S>::primal(x));
    for (int k = 0; k < tangent_count<S>; ++k) ok = ok && finite(tangent(x, k));
    return ok;
  } else {
    const value_t<S> v = value(x);
    return v - v == value_t<S>(0);
  }
}

namespace detail {

// NaN, infinite, or of magnitude 1e10 and more: the simulation cannot continue with such a number
template <class S>
CORTEN_FN mask_t<S> is_bad(const S& x) {
  const auto v = value(x);
  return !(v < value_t<S>(1e10) && v > value_t<S>(-1e10));
}

}  // namespace detail

// both for the price of one, if the scalar type provides that
template <class S>
CORTEN_FN void sincos(const S& x, S& sine, S& cosine) {
  sine = sin(x);
  cosine = cos(x);
}

// glibc reduces the argument once for both, and returns what sin and cos return, to the last bit.
#ifdef CORTEN_SINCOS
CORTEN_FN void sincos(const float& x, float& sine, float& cosine) { ::sincosf(x, &sine, &cosine); }
CORTEN_FN void sincos(const double& x, double& sine, double& cosine) {
  ::sincos(x, &sine, &cosine);
}
#endif
#undef CORTEN_SINCOS

template <class S>
CORTEN_FN S select(bool c, const S& a, const S& b) {
  return c ? a : b;
}

// true in every lane
template <class S>
CORTEN_FN mask_t<S> all_lanes() {
  return value_t<S>(0) == value_t<S>(0);
}

template <class S>
CORTEN_FN S clamp(const S& x, const S& low, const S& high) {
  return min(max(x, low), high);
}

// sqrt with derivative 0 at 0, where the true one is infinite
template <class S>
CORTEN_FN S safe_sqrt(const S& x) {
  const auto positive = x > S(0);
  return select(positive, sqrt(select(positive, x, S(1))), S(0));
}

}  // namespace corten
