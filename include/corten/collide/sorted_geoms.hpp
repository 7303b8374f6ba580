// SPDX-License-Identifier: Apache-2.0
//
// A way to find geoms that are near each other (neighbours.hpp): sorted along an axis, each is
// compared with those that start before it ends.
#pragma once

#include <corten/core/bits.hpp>
#include <corten/math/field.hpp>

#include <bit>
#include <cstdint>

namespace corten {

namespace detail {

// the radius of a geom with its slack
template <class V, class D>
CORTEN_FN V near_reach(const D& d, int g) {
  return value(d.near_bound[5 * g + 3]) + value(d.near_bound[5 * g + 4]);
}

}  // namespace detail

// The memory is that of the grid: grid_next has the geoms, grid_code the starts and then the ends
// of their intervals on the first axis, and grid_head those on the second.
template <class M, class D>
class SortedGeoms {
  using V = value_t<typename D::Scalar>;
  using Ints = decltype(D::grid_next);

 public:
  CORTEN_FN SortedGeoms(const M& model, const D& data, int axis, int other)
      : m(model), d(data), axis_(axis), other_(other) {}

  // Calls f(g, o) for all whose boxes meet on both axes. Blocks of 64 comparisons have no branches,
  // as in broad.hpp.
  template <class F>
  CORTEN_FN void each_near(F&& f) {
    const auto list = d.grid_next, start = d.grid_code, low = d.grid_head;
    const int n = sort();
    for (int i = 0; i < n; ++i) {
      const float end = number(start[n + i]), from = number(low[i]), to = number(low[n + i]);
      for (int first = i + 1; first < n && number(start[first]) <= end; first += 64) {
        std::uint64_t near = 0;
        const int count = n - first < 64 ? n - first : 64;
        for (int k = 0; k < count && number(start[first + k]) <= end; ++k) {
          const int j = first + k;
          const int meet = int(number(low[j]) <= to) & int(number(low[n + j]) >= from);
          near |= static_cast<std::uint64_t>(meet) << k;
        }
        for (; near != 0; near &= near - 1) f(list[i], list[first + std::countr_zero(near)]);
      }
    }
  }

 private:
  // The interval of geom g on an axis, in single precision: no smaller than it is.
  struct Interval {
    int low, high;  // bits, for memory of integers
  };
  CORTEN_FN Interval interval(int g, int axis) const {
    const V at = value(d.near_bound[5 * g + axis]), limit = V(1e30);
    const V x = at > -limit ? (at < limit ? at : limit) : -limit;  // no number: -limit
    const V r = detail::near_reach<V>(d, g), far = V(1e-6) * (abs(x) + r);
    return {bits_as<int>(static_cast<float>(V(x - r - far))),
            bits_as<int>(static_cast<float>(V(x + r + far)))};
  }
  CORTEN_FN static float number(int bits) { return bits_as<float>(bits); }

  // Sorts the geoms by the starts of their intervals, by merging: n log n comparisons at most, in
  // any order that they come. Returns how many there are.
  CORTEN_FN int sort() {
    Ints list = d.grid_next, start = d.grid_code;
    int n = 0;
    for (int g = 0; g < m.n.ngeom; ++g) {
      if (d.grid_level[g] < 0) continue;
      list[n] = g;
      start[n++] = interval(g, axis_).low;
    }
    Ints to = d.grid_head, to_start = d.grid_head.from(n);
    for (int run = 1; run < n; run *= 2) {
      for (int first = 0; first < n; first += 2 * run) {
        const int middle = first + run < n ? first + run : n;
        merge(list, start, first, middle, first + 2 * run < n ? first + 2 * run : n, to, to_start);
      }
      exchange(list, to);
      exchange(start, to_start);
    }
    if (list.data != d.grid_next.data) {
      copy(d.grid_next, list, n);
      copy(d.grid_code, start, n);
    }
    list = d.grid_next;
    for (int i = 0; i < n; ++i) {
      const Interval second = interval(list[i], other_);
      d.grid_code[n + i] = interval(list[i], axis_).high;
      d.grid_head[i] = second.low;
      d.grid_head[n + i] = second.high;
    }
    return n;
  }

  CORTEN_FN static void merge(Ints list, Ints start, int first, int middle, int end, Ints to,
                              Ints to_start) {
    int a = first, b = middle;
    for (int i = first; i < end; ++i) {
      const bool second = a == middle || (b < end && number(start[b]) < number(start[a]));
      const int from = second ? b++ : a++;
      to[i] = list[from];
      to_start[i] = start[from];
    }
  }
  CORTEN_FN static void exchange(Ints& a, Ints& b) {
    const Ints kept = a;
    a = b;
    b = kept;
  }

  const M& m;
  const D& d;
  int axis_, other_;
};

}  // namespace corten
