// SPDX-License-Identifier: Apache-2.0
//
// Scalars with lanes hold one number per world for several worlds. These traits access the number
// of a single world: a lane of a Pack<T, N> is a T, and a lane of a Dual<Pack<T, N>, K> is a
// Dual<T, K>.
#pragma once

#include <corten/scalar/dual.hpp>
#include <corten/scalar/pack.hpp>

namespace corten {

// does a scalar hold the numbers of several worlds?
template <class S>
inline constexpr bool has_lanes = false;
template <class T, int N>
inline constexpr bool has_lanes<Pack<T, N>> = true;
template <class T, int K>
inline constexpr bool has_lanes<Dual<T, K>> = has_lanes<T>;

template <class S>
struct LaneTraits;

template <class T, int N>
struct LaneTraits<Pack<T, N>> {
  using World = T;
  static constexpr int lanes = N;

  CORTEN_FN static T get(const Pack<T, N>& x, int lane) { return x[lane]; }
  CORTEN_FN static void set(Pack<T, N>& x, int lane, T y) { x.set(lane, y); }
};

template <class T, int K>
struct LaneTraits<Dual<T, K>> {
  using World = Dual<typename LaneTraits<T>::World, K>;
  static constexpr int lanes = LaneTraits<T>::lanes;

  CORTEN_FN static World get(const Dual<T, K>& x, int lane) {
    World out(LaneTraits<T>::get(x.a, lane));
    for (int k = 0; k < K; ++k) out.v[k] = LaneTraits<T>::get(x.v[k], lane);
    return out;
  }
  CORTEN_FN static void set(Dual<T, K>& x, int lane, const World& y) {
    LaneTraits<T>::set(x.a, lane, y.a);
    for (int k = 0; k < K; ++k) LaneTraits<T>::set(x.v[k], lane, y.v[k]);
  }
};

// the scalar of a single world, and the number of lanes
template <class S>
using lane_t = typename LaneTraits<S>::World;
template <class S>
inline constexpr int lane_count = LaneTraits<S>::lanes;

namespace detail {

template <class T, int N>
struct Packed {
  using type = Pack<T, N>;
};
template <class T, int K, int N>
struct Packed<Dual<T, K>, N> {
  using type = Dual<typename Packed<T, N>::type, K>;
};

}  // namespace detail

// the scalar with N lanes of T, and the number of lanes that fill a register
template <class T, int N>
using packed_t = typename detail::Packed<T, N>::type;
template <class T, int K>
inline constexpr int native_lanes<Dual<T, K>> = native_lanes<T>;

}  // namespace corten
