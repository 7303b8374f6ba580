// SPDX-License-Identifier: Apache-2.0
//
// Functions of packs. Those that smooth stages use often are vector code: square root, sine,
// cosine, absolute value, minimum, maximum. The others call the scalar function for each lane.
//
// A lane never depends on its neighbours, so a world gets the same result whichever worlds share
// its pack.
#pragma once

#include <corten/scalar/pack.hpp>

namespace corten {

// ---- lane by lane -------------------------------------------------------------------------------

// clang-format off
#define CORTEN_UNARY(name)                                          \
  template <class T, int N>                                         \
  CORTEN_FN Pack<T, N> name(const Pack<T, N>& x) {                  \
    Pack<T, N> out;                                                 \
    for (int i = 0; i < N; ++i) out.set(i, name(T(x[i])));          \
    return out;                                                     \
  }
CORTEN_UNARY(tan) CORTEN_UNARY(asin) CORTEN_UNARY(acos) CORTEN_UNARY(atan)
CORTEN_UNARY(exp) CORTEN_UNARY(log) CORTEN_UNARY(tanh) CORTEN_UNARY(floor)
#undef CORTEN_UNARY
#define CORTEN_BINARY(name)                                             \
  template <class T, int N>                                             \
  CORTEN_FN Pack<T, N> name(const Pack<T, N>& x, const Pack<T, N>& y) { \
    Pack<T, N> out;                                                     \
    for (int i = 0; i < N; ++i) out.set(i, name(T(x[i]), T(y[i])));     \
    return out;                                                         \
  }
CORTEN_BINARY(atan2) CORTEN_BINARY(pow)
#undef CORTEN_BINARY
// clang-format on

// ---- vector code --------------------------------------------------------------------------------

template <class T, int N>
CORTEN_FN Pack<T, N> min(const Pack<T, N>& x, const Pack<T, N>& y) {
  return select(y < x, y, x);
}
template <class T, int N>
CORTEN_FN Pack<T, N> max(const Pack<T, N>& x, const Pack<T, N>& y) {
  return select(x < y, y, x);
}

namespace detail {

// Reinterprets the bits as integers and back. Wrapped in structs, because there is no settled
// calling convention for a bare vector wider than the registers.
template <class T, int N>
CORTEN_FN Mask<T, N> bits_of(const Pack<T, N>& x) {
  return {reinterpret_cast<typename Mask<T, N>::Bits>(x.v)};
}
template <class T, int N>
CORTEN_FN Pack<T, N> from_bits(const Mask<T, N>& x) {
  return Pack<T, N>(reinterpret_cast<typename Pack<T, N>::Vector>(x.bits));
}

}  // namespace detail

// clears the sign bit, also of NaN and -0
template <class T, int N>
CORTEN_FN Pack<T, N> abs(const Pack<T, N>& x) {
  const Mask<T, N> sign = detail::bits_of(Pack<T, N>(T(-0.0)));
  return detail::from_bits(detail::bits_of(x) && !sign);
}

// The processor's own instruction, correctly rounded. Neither compiler generates it from a loop,
// because the scalar function may have to set errno.
template <class T, int N>
CORTEN_FN Pack<T, N> sqrt(const Pack<T, N>& x) {
  using V = typename Pack<T, N>::Vector;
  using P = Pack<T, N>;
  constexpr bool wide = std::is_same_v<T, double>;
  constexpr int bytes = N * static_cast<int>(sizeof(T));
#if defined(__AVX512F__)
  if constexpr (bytes == 64 && wide)
    return P(reinterpret_cast<V>(_mm512_sqrt_pd(reinterpret_cast<__m512d>(x.v))));
  if constexpr (bytes == 64 && !wide)
    return P(reinterpret_cast<V>(_mm512_sqrt_ps(reinterpret_cast<__m512>(x.v))));
#endif
#if defined(__AVX__)
  if constexpr (bytes == 32 && wide)
    return P(reinterpret_cast<V>(_mm256_sqrt_pd(reinterpret_cast<__m256d>(x.v))));
  if constexpr (bytes == 32 && !wide)
    return P(reinterpret_cast<V>(_mm256_sqrt_ps(reinterpret_cast<__m256>(x.v))));
#endif
#if defined(__SSE2__)
  if constexpr (bytes == 16 && wide)
    return P(reinterpret_cast<V>(_mm_sqrt_pd(reinterpret_cast<__m128d>(x.v))));
  if constexpr (bytes == 16 && !wide)
    return P(reinterpret_cast<V>(_mm_sqrt_ps(reinterpret_cast<__m128>(x.v))));
#elif defined(__aarch64__)
  if constexpr (bytes == 16 && wide)
    return P(reinterpret_cast<V>(vsqrtq_f64(reinterpret_cast<float64x2_t>(x.v))));
  if constexpr (bytes == 16 && !wide)
    return P(reinterpret_cast<V>(vsqrtq_f32(reinterpret_cast<float32x4_t>(x.v))));
#endif
  P out;
  for (int i = 0; i < N; ++i) out.set(i, sqrt(T(x[i])));
  return out;
}

namespace detail {

// x with its sign flipped where the sign bit of `sign` is set
template <class T, int N>
CORTEN_FN Pack<T, N> flip(const Pack<T, N>& x, const Mask<T, N>& sign) {
  const auto bit = bits_of(Pack<T, N>(T(-0.0))).bits & sign.bits;
  return from_bits(Mask<T, N>{bits_of(x).bits ^ bit});
}

// Constants of sine and cosine for each type. pi/2 is split into three numbers, the first two with
// so few digits that k times them is exact for |x| below `limit`. Adding `round` leaves the nearest
// integer in the low bits of the sum. The Taylor series are long enough for |r| <= pi/4.
template <class T>
struct Trigonometry;

template <>
struct Trigonometry<double> {
  static constexpr double limit = 1e5, round = 0x1.8p52;
  static constexpr double pi_2[3] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2e037073p-69};
  static constexpr int sin_degree = 15, cos_degree = 16;
};
template <>
struct Trigonometry<float> {
  static constexpr float limit = 8e3f, round = 0x1.8p23f;
  static constexpr float pi_2[3] = {0x1.92p+0f, 0x1.fb4p-12f, 0x1.4442d2p-24f};
  static constexpr int sin_degree = 9, cos_degree = 10;
};

// the coefficient of x^n in the series of sine or cosine: ±1/n!
constexpr double trigonometric_coefficient(int n) {
  double c = n % 4 < 2 ? 1 : -1;
  for (int k = 2; k <= n; ++k) c /= k;
  return c;
}

// c(First) + z (c(First + 2) + z ( … c(Last)))
template <int First, int Last, class P>
CORTEN_FN P trigonometric_series(const P& z) {
  constexpr double c = trigonometric_coefficient(First);
  if constexpr (First == Last) {
    return P(c);
  } else {
    return P(c) + z * trigonometric_series<First + 2, Last>(z);
  }
}

}  // namespace detail

// Sine and cosine together: with x = k pi/2 + r, evaluate both series at r, then swap and negate
// them according to the quadrant.
template <class T, int N>
CORTEN_FN void sincos(const Pack<T, N>& x, Pack<T, N>& sine, Pack<T, N>& cosine) {
  using P = Pack<T, N>;
  using C = detail::Trigonometry<T>;
  const P shifted = x * P(T(0.636619772367581343)) + P(C::round), k = shifted - P(C::round);
  const P r = ((x - k * P(C::pi_2[0])) - k * P(C::pi_2[1])) - k * P(C::pi_2[2]);
  const P z = r * r;
  const P s = r + r * z * detail::trigonometric_series<3, C::sin_degree>(z);
  const P c = P(1) + z * detail::trigonometric_series<2, C::cos_degree>(z);

  const auto quadrant = detail::bits_of(shifted).bits;
  const Mask<T, N> odd{(quadrant & 1) != 0};
  const P by_sine = select(odd, c, s), by_cosine = select(odd, s, c);
  constexpr int to_sign = 8 * static_cast<int>(sizeof(T)) - 2;  // bit 1 becomes the sign
  sine = detail::flip(by_sine, {quadrant << to_sign});
  cosine = detail::flip(by_cosine, {(quadrant + 1) << to_sign});

  // large angles, infinity and NaN go to the scalar functions
  const Mask<T, N> usual = abs(x) < P(C::limit);
  if (!all(usual)) {
    for (int i = 0; i < N; ++i) {
      if (usual[i]) continue;
      sine.set(i, sin(T(x[i])));
      cosine.set(i, cos(T(x[i])));
    }
  }
}

template <class T, int N>
CORTEN_FN Pack<T, N> sin(const Pack<T, N>& x) {
  Pack<T, N> s, c;
  sincos(x, s, c);
  return s;
}
template <class T, int N>
CORTEN_FN Pack<T, N> cos(const Pack<T, N>& x) {
  Pack<T, N> s, c;
  sincos(x, s, c);
  return c;
}

}  // namespace corten
