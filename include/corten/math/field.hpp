// SPDX-License-Identifier: Apache-2.0
//
// A Field is how stage code sees an array: a pointer and a layout. The layout says how far apart
// neighbouring components of one world are, so the same stage code serves one world in contiguous
// memory, worlds interleaved for a device, and blocks of SIMD lanes.
//
//   d.qpos[i]                  reference to component i
//   vec3<S>(d.xpos, body)      load three components as a value of scalar S
//   store(d.xpos, body, v)     write a small value back
//
// Stages load values, compute with values and store values. They never keep a pointer into storage.
#pragma once

#include <corten/core/bits.hpp>
#include <corten/math/types.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace corten {

// a unit of untyped memory
using Byte = unsigned char;

// One world: neighbouring components are adjacent, which is known at compile time.
struct Contiguous {
  static constexpr bool contiguous = true;
  constexpr std::ptrdiff_t index(int i) const { return i; }
};

// Components are `step` entries apart: interleaved worlds, or the lanes of a block.
struct Strided {
  static constexpr bool contiguous = false;
  std::ptrdiff_t step = 1;
  constexpr std::ptrdiff_t index(int i) const { return i * step; }
};

template <class T, class Layout = Contiguous>
struct Field {
  using Value = T;
  T* data = nullptr;
  [[no_unique_address]] Layout layout{};

  CORTEN_FN T& operator[](int i) const { return data[layout.index(i)]; }

  // the same field, starting at component i
  CORTEN_FN Field from(int i) const { return {data + layout.index(i), layout}; }
};

// A single number in the data that reads and assigns like a variable: d.ncon = d.ncon + 1.
template <class T>
struct Cell {
  T* data = nullptr;

  CORTEN_FN operator T&() const { return *data; }
  CORTEN_FN T& get() const { return *data; }
  CORTEN_FN const Cell& operator=(const T& v) const {
    *data = v;
    return *this;
  }
};

// Fields are passed by value to these functions and to kernels with loops. A compiler that must
// assume that any store may change anything, as clang does for SIMD vectors, would otherwise reload
// the field's pointer after each store.

// ---- loads: item i of a field of small values, converted to scalar S ----------------------------

template <class S, int W, class T, class L>
CORTEN_FN Vec<S, W> vec(Field<T, L> f, int i) {
  Vec<S, W> out;
  for (int k = 0; k < W; ++k) out[k] = static_cast<S>(f[W * i + k]);
  return out;
}

template <class S, class T, class L>
CORTEN_FN Vec3<S> vec3(Field<T, L> f, int i) {
  return vec<S, 3>(f, i);
}

template <class S, class T, class L>
CORTEN_FN Vec6<S> vec6(Field<T, L> f, int i) {
  return vec<S, 6>(f, i);
}

template <class S, class T, class L>
CORTEN_FN Quat<S> quat(Field<T, L> f, int i) {
  return vec<S, 4>(f, i);
}

template <class S, class T, class L>
CORTEN_FN Mat3<S> mat3(Field<T, L> f, int i) {
  Mat3<S> out;
  for (int k = 0; k < 9; ++k) out.data()[k] = static_cast<S>(f[9 * i + k]);
  return out;
}

// ---- stores: item i of a field of small values, row-major ---------------------------------------

template <class T, class L, int N>
CORTEN_FN void store(Field<T, L> f, int i, const Vec<T, N>& v) {
  for (int k = 0; k < N; ++k) f[N * i + k] = v[k];
}

template <class T, class L>
CORTEN_FN void store(Field<T, L> f, int i, const Mat3<T>& m) {
  for (int k = 0; k < 9; ++k) f[9 * i + k] = m.data()[k];
}

template <class T, class L>
CORTEN_FN void fill(Field<T, L> f, int count, const T& v) {
  for (int i = 0; i < count; ++i) f[i] = v;
}

// Makes numbers zero that mostly are already: memory that is only read needs no writing back.
template <class T, class L>
CORTEN_FN void clear(Field<T, L> f, int count) {
  bool clean = false;
  if constexpr (L::contiguous && std::is_same_v<T, double>) {
    std::uint64_t bits = 0;
    for (int i = 0; i < count; ++i) bits |= bits_as<std::uint64_t>(f[i]);
    clean = bits == 0;
  }
  if (!clean) fill(f, count, T(0));
}

template <class T, class L, class U, class K>
CORTEN_FN void copy(Field<T, L> to, Field<U, K> from, int count) {
  for (int i = 0; i < count; ++i) to[i] = static_cast<T>(from[i]);
}

}  // namespace corten
