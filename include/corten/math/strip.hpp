// SPDX-License-Identifier: Apache-2.0
//
// Strips: a few entries of a short vector that are worked on together. Loads and stores have the
// same bounds whenever they start at the same entry, so that a load never waits for two stores, and
// there is no prologue that looks for aligned addresses, as in Eigen's loops over vectors of
// unknown length. The registers are the compiler's own vectors: with Eigen's arrays clang
// broadcasts factors through memory if it has no AVX, and plain arrays make g++ take all entries
// there, which took two to three times as long.
#pragma once

#include <corten/config.hpp>

#include <cstddef>
#include <cstring>
#include <type_traits>

namespace corten::detail {

// numbers in the longest register that a strip is made of
#if !defined(__GNUC__)
template <class T>
inline constexpr int register_width = 1;
#elif defined(__AVX__)
template <class T>
inline constexpr int register_width = sizeof(T) > 8 ? 1 : 32 / sizeof(T);
#else
template <class T>
inline constexpr int register_width = sizeof(T) > 8 ? 1 : 16 / sizeof(T);
#endif

template <class T, int N>
struct Register {
#if defined(__GNUC__)
  typedef T type __attribute__((vector_size(N * sizeof(T))));
#endif
};
template <class T>
struct Register<T, 1> {
  using type = T;
};

template <class T, int N>
struct Strip {
  static constexpr int width = N < register_width<T> ? N : register_width<T>;
  static constexpr std::size_t parts = N / width;
  using Part = typename Register<T, width>::type;
  Part part[parts];

  CORTEN_FN static Strip load(const T* from) {
    Strip s;
    std::memcpy(&s, from, sizeof(Strip));
    return s;
  }
  CORTEN_FN void store(T* to) const { std::memcpy(to, this, sizeof(Strip)); }

  CORTEN_FN T operator[](int i) const {
    if constexpr (width == 1) {
      return part[i];
    } else {
      return part[i / width][i % width];
    }
  }
  CORTEN_FN friend Strip operator+(Strip a, const Strip& b) {
    for (std::size_t i = 0; i < parts; ++i) a.part[i] += b.part[i];
    return a;
  }
  CORTEN_FN friend Strip operator-(Strip a, const Strip& b) {
    for (std::size_t i = 0; i < parts; ++i) a.part[i] -= b.part[i];
    return a;
  }
  CORTEN_FN friend Strip operator*(Strip a, const Strip& b) {
    for (std::size_t i = 0; i < parts; ++i) a.part[i] *= b.part[i];
    return a;
  }
  CORTEN_FN friend Strip operator*(const T& s, Strip a) {
    for (std::size_t i = 0; i < parts; ++i) a.part[i] *= s;
    return a;
  }
};

inline constexpr int strip_size = 4;

template <class T>
CORTEN_FN T sum(const Strip<T, 4>& s) {
  return (s[0] + s[2]) + (s[1] + s[3]);
}

// stores four numbers as the strip that they will be loaded as
template <class T>
CORTEN_FN void store_strip(T* to, const T& a, const T& b, const T& c, const T& d) {
  Strip<T, 4> s;
  if constexpr (s.width == 4) {
    s.part[0] = typename Strip<T, 4>::Part{a, b, c, d};
  } else if constexpr (s.width == 2) {
    s.part[0] = typename Strip<T, 4>::Part{a, b};
    s.part[1] = typename Strip<T, 4>::Part{c, d};
  } else {
    s = {a, b, c, d};
  }
  s.store(to);
}

template <int N, class T>
CORTEN_FN auto strip_at(const T* x) {
  return Strip<T, N>::load(x);
}

// f(count, i) for strips of `count` entries from i on, which together are from … to - 1
template <class F>
CORTEN_FN void each_strip(int from, int to, F&& f) {
  int i = from;
  for (; i + strip_size <= to; i += strip_size) f(std::integral_constant<int, strip_size>{}, i);
  if (((to - i) & 2) != 0) f(std::integral_constant<int, 2>{}, i), i += 2;
  if (i < to) f(std::integral_constant<int, 1>{}, i);
}

}  // namespace corten::detail
