// SPDX-License-Identifier: Apache-2.0
//
// The scalar functions that stage code calls, unqualified, from inside namespace corten. The
// overloads for float and double are here. Any other scalar type (Dual, Pack, or a user's) brings
// its own overloads beside its definition, and argument-dependent lookup finds them.
//
//   value(x)          the plain number inside a scalar, the only part that a branch may look at
//   vanishes(x)       zero, with zero derivatives
//   select(c, a, b)   c ? a : b. Comparing SIMD scalars yields a mask, so smooth stages use this
//   any(c), all(c)    whether some or all lanes hold
//   safe_sqrt, norm, normalize …  non-smooth functions with a finite derivative everywhere
#pragma once

#include <corten/config.hpp>
#include <corten/scalar/traits.hpp>

#include <cmath>
#if defined(__SSE2__) && !defined(__CUDACC__) && !defined(__HIPCC__)
#define CORTEN_SSE
#include <emmintrin.h>
#endif

namespace corten {

// anything smaller counts as zero and is not divided by (mjMINVAL)
inline constexpr double min_value = 1e-15;

// clang-format off
#define CORTEN_UNARY(name) \
  CORTEN_FN float name(float x) { return std::name(x); } \
  CORTEN_FN double name(double x) { return std::name(x); }
CORTEN_UNARY(sin) CORTEN_UNARY(cos) CORTEN_UNARY(tan)
CORTEN_UNARY(asin) CORTEN_UNARY(acos) CORTEN_UNARY(atan)
CORTEN_UNARY(exp) CORTEN_UNARY(log) CORTEN_UNARY(tanh) CORTEN_UNARY(floor)
#undef CORTEN_UNARY
#define CORTEN_BINARY(name, call) \
  CORTEN_FN float name(float x, float y) { return call; } \
  CORTEN_FN double name(double x, double y) { return call; }
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

CORTEN_FN float abs(float x) { return std::fabs(x); }
CORTEN_FN double abs(double x) { return std::fabs(x); }
CORTEN_FN bool isfinite(float x) { return std::isfinite(x); }
CORTEN_FN bool isfinite(double x) { return std::isfinite(x); }

CORTEN_FN float value(float x) { return x; }
CORTEN_FN double value(double x) { return x; }

// Zero with zero derivatives, so a product with it can be skipped.
template <class T>
CORTEN_FN bool vanishes(const T& x) {
  return x == T(0);
}

// one level of derivatives removed: the scalar that an iterative solver works with
CORTEN_FN float primal(float x) { return x; }
CORTEN_FN double primal(double x) { return x; }

// both for the price of one, if the scalar type provides that
template <class S>
CORTEN_FN void sincos(const S& x, S& sine, S& cosine) {
  sine = sin(x);
  cosine = cos(x);
}

template <class S>
CORTEN_FN S select(bool c, const S& a, const S& b) {
  return c ? a : b;
}
CORTEN_FN bool any(bool c) { return c; }
CORTEN_FN bool all(bool c) { return c; }

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
