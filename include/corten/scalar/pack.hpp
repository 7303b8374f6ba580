// SPDX-License-Identifier: Apache-2.0
//
// Packs: N worlds in lockstep, one in each lane of a SIMD register.
//
// A Pack<T, N> holds N numbers, and every operation acts on all of them. Called with packs as
// scalars, a stage steps N worlds of the same model for about the price of one, provided that the
// worlds follow the same path through the code. They need not agree on a comparison: comparing
// packs yields a Mask, one truth value per lane, and the stage chooses with select() instead of
// branching.
//
//     Pack<double, 4> x = ..., y = select(x > 0.0, sqrt(x), -x);
//     if (any(y > 1.0)) ...                       // at least one lane
//
// A Mask does not convert to bool, so code that would branch on a pack does not compile. That is
// deliberate: the compiler finds the places where worlds may disagree.
//
// Why worlds in lanes, rather than vectorising within a world: the vectors of a world have three,
// four or six components, depend on each other along the tree, and would fill a register badly.
// Across worlds every operation of a stage is a full-width operation, and the code of the stage
// stays as it is. The smooth part of a humanoid's step takes 6.0 µs per world in double, 2.1 µs in
// Pack<double, 4> and 1.0 µs in Pack<float, 8> (clang 14, AVX-512 machine; bench/README.md has the
// tables). Collision and the constraint solver take different paths in different worlds, so
// batch/lanes.hpp runs them one world at a time.
//
// Packs are built on the vector extensions of GCC and clang, which work on any processor.
// Intrinsics appear only where the extensions have no equivalent: movemask and square root. Use
// native width (native_lanes<T>): GCC generates poor code for anything wider.
#pragma once

#include <corten/scalar/functions.hpp>

#include <Eigen/Core>

#include <limits>
#include <type_traits>

#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace corten {

// as many lanes as fit in a register of the compilation target
#if defined(__AVX512F__)
inline constexpr int register_bytes = 64;
#elif defined(__AVX__)
inline constexpr int register_bytes = 32;
#else
inline constexpr int register_bytes = 16;
#endif
template <class T>
inline constexpr int native_lanes = register_bytes / static_cast<int>(sizeof(T));

namespace detail {

// A separate struct, because GCC 12 drops the attribute of an alias inside the class template that
// uses it.
template <class T, int N>
struct VectorOf {
  typedef T type __attribute__((vector_size(N * sizeof(T))));
  using Bits = decltype(type{} < type{});  // integers of the same width: 0 or -1 per lane
};

}  // namespace detail

// One truth value per lane.
template <class T, int N>
struct Mask {
  using Bits = typename detail::VectorOf<T, N>::Bits;
  Bits bits;

  // lane by lane; both operands are always evaluated
  CORTEN_FN friend Mask operator!(const Mask& a) { return {~a.bits}; }
  CORTEN_FN friend Mask operator&&(const Mask& a, const Mask& b) { return {a.bits & b.bits}; }
  CORTEN_FN friend Mask operator||(const Mask& a, const Mask& b) { return {a.bits | b.bits}; }

  CORTEN_FN bool operator[](int lane) const { return bits[lane] != 0; }
};

// bit i is set if lane i holds
template <class T, int N>
CORTEN_FN unsigned lane_bits(const Mask<T, N>& c) {
  [[maybe_unused]] constexpr int bytes = N * static_cast<int>(sizeof(T));
  [[maybe_unused]] constexpr bool wide = sizeof(T) == 8;
#if defined(__AVX512F__)
  const __m512i zero = _mm512_setzero_si512();
  if constexpr (bytes == 64 && wide)
    return _mm512_cmplt_epi64_mask(reinterpret_cast<__m512i>(c.bits), zero);
  if constexpr (bytes == 64 && !wide)
    return _mm512_cmplt_epi32_mask(reinterpret_cast<__m512i>(c.bits), zero);
#endif
#if defined(__AVX__)
  if constexpr (bytes == 32 && wide)
    return unsigned(_mm256_movemask_pd(reinterpret_cast<__m256d>(c.bits)));
  if constexpr (bytes == 32 && !wide)
    return unsigned(_mm256_movemask_ps(reinterpret_cast<__m256>(c.bits)));
#endif
#if defined(__SSE2__)
  if constexpr (bytes == 16 && wide)
    return unsigned(_mm_movemask_pd(reinterpret_cast<__m128d>(c.bits)));
  if constexpr (bytes == 16 && !wide)
    return unsigned(_mm_movemask_ps(reinterpret_cast<__m128>(c.bits)));
#endif
  unsigned out = 0;
  for (int i = 0; i < N; ++i) out |= c.bits[i] != 0 ? 1u << i : 0u;
  return out;
}

template <class T, int N>
CORTEN_FN bool any(const Mask<T, N>& c) {
  return lane_bits(c) != 0;
}
template <class T, int N>
CORTEN_FN bool all(const Mask<T, N>& c) {
  return lane_bits(!c) == 0;
}

template <class T, int N>
struct Pack {
  static_assert(std::is_floating_point_v<T>, "corten: a pack holds float or double");
  static_assert(N > 1 && (N & (N - 1)) == 0, "corten: the number of lanes must be a power of two");
  using Lane = T;
  using Vector = typename detail::VectorOf<T, N>::type;
  using M = Mask<T, N>;
  static constexpr int lanes = N;

  Vector v;

  Pack() = default;
  CORTEN_FN explicit Pack(const Vector& x) : v(x) {}

  // The same number in every lane. Subtracting zero keeps the sign of -0; adding it would not.
  // clang-format off
  template <class U>
    requires std::is_arithmetic_v<U>
  CORTEN_FN Pack(U x) : v(static_cast<T>(x) - Vector{}) {}
  // clang-format on

  CORTEN_FN T operator[](int lane) const { return v[lane]; }
  CORTEN_FN void set(int lane, T x) { v[lane] = x; }

  CORTEN_FN Pack& operator+=(const Pack& y) { return v += y.v, *this; }
  CORTEN_FN Pack& operator-=(const Pack& y) { return v -= y.v, *this; }
  CORTEN_FN Pack& operator*=(const Pack& y) { return v *= y.v, *this; }
  CORTEN_FN Pack& operator/=(const Pack& y) { return v /= y.v, *this; }

  CORTEN_FN friend Pack operator+(const Pack& x) { return x; }
  CORTEN_FN friend Pack operator-(const Pack& x) { return Pack(-x.v); }
  CORTEN_FN friend Pack operator+(const Pack& x, const Pack& y) { return Pack(x.v + y.v); }
  CORTEN_FN friend Pack operator-(const Pack& x, const Pack& y) { return Pack(x.v - y.v); }
  CORTEN_FN friend Pack operator*(const Pack& x, const Pack& y) { return Pack(x.v * y.v); }
  CORTEN_FN friend Pack operator/(const Pack& x, const Pack& y) { return Pack(x.v / y.v); }

  CORTEN_FN friend M operator<(const Pack& x, const Pack& y) { return {x.v < y.v}; }
  CORTEN_FN friend M operator>(const Pack& x, const Pack& y) { return {x.v > y.v}; }
  CORTEN_FN friend M operator<=(const Pack& x, const Pack& y) { return {x.v <= y.v}; }
  CORTEN_FN friend M operator>=(const Pack& x, const Pack& y) { return {x.v >= y.v}; }
  CORTEN_FN friend M operator==(const Pack& x, const Pack& y) { return {x.v == y.v}; }
  CORTEN_FN friend M operator!=(const Pack& x, const Pack& y) { return {x.v != y.v}; }
};

// The value of a pack is the pack itself, so comparing values yields masks.
template <class T, int N>
struct ScalarTraits<Pack<T, N>> : PlainScalar<Pack<T, N>> {
  static constexpr bool zero_bytes = true;
};

// a where the mask holds, b elsewhere
template <class T, int N>
CORTEN_FN Pack<T, N> select(const Mask<T, N>& c, const Pack<T, N>& a, const Pack<T, N>& b) {
  return Pack<T, N>(c.bits ? a.v : b.v);
}

}  // namespace corten

template <class T, int N>
struct std::numeric_limits<corten::Pack<T, N>> : std::numeric_limits<T> {};

template <class T, int N>
struct Eigen::NumTraits<corten::Pack<T, N>> : Eigen::NumTraits<T> {
  using Real = corten::Pack<T, N>;
  using NonInteger = corten::Pack<T, N>;
  using Nested = corten::Pack<T, N>;
  using Literal = T;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 0,
    ReadCost = 1,
    AddCost = 1,
    MulCost = 1
  };
};

#include <corten/scalar/pack_math.hpp>
