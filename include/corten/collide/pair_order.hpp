// SPDX-License-Identifier: Apache-2.0
//
// MuJoCo's order of the pairs that the broad phase of a large model has found (neighbours.hpp): by
// the smaller body, then by the larger, then within two bodies. Pairs that are listed explicitly as
// well are left out.
#pragma once

#include <corten/config.hpp>
#include <corten/core/enums.hpp>

#include <cstdint>

namespace corten {

// The pairs in near_pair, near_count of them.
template <class M, class D>
class PairOrder {
 public:
  CORTEN_FN PairOrder(const M& model, const D& data) : m(model), d(data) {}

  CORTEN_FN void make() {
    distribute(d.near_pair, d.near_room, [&](auto list, int k) { return upper_body(list, k); });
    distribute(d.near_room, d.near_pair, [&](auto list, int k) { return lower_body(list, k); });
    const auto list = d.near_pair;
    const int count = d.near_count;
    int kept = 0;
    for (int first = 0, last; first < count; first = last) {
      const int b1 = lower_body(list, first), b2 = upper_body(list, first);
      for (last = first + 1; last < count; ++last) {
        if (lower_body(list, last) != b1 || upper_body(list, last) != b2) break;
      }
      if (last - first > 1) order_geoms(first, last);
      kept = keep(first, last, kept);
    }
    d.near_count = kept;
  }

 private:
  CORTEN_FN int body_of(int g) const { return m.geom_bodyid[g]; }

  template <class F>
  CORTEN_FN int lower_body(F list, int k) const {
    const int a = body_of(list[3 * k]), b = body_of(list[3 * k + 1]);
    return a < b ? a : b;
  }
  template <class F>
  CORTEN_FN int upper_body(F list, int k) const {
    const int a = body_of(list[3 * k]), b = body_of(list[3 * k + 1]);
    return a < b ? b : a;
  }

  // a stable sort by the number of a body
  template <class F, class Body>
  CORTEN_FN void distribute(F from, F to, Body&& body) {
    const auto start = d.near_start;
    for (int b = 0; b <= m.n.nbody; ++b) start[b] = 0;
    const int count = d.near_count;
    for (int k = 0; k < count; ++k) ++start[body(from, k) + 1];
    for (int b = 0; b < m.n.nbody; ++b) start[b + 1] += start[b];
    for (int k = 0; k < count; ++k) {
      const int at = start[body(from, k)]++;
      for (int i = 0; i < 3; ++i) to[3 * at + i] = from[3 * k + i];
    }
  }

  // Explicit pairs come first. The others are sorted as the midphase does, by the first geom, or
  // without the midphase by that of the first body.
  CORTEN_FN std::int64_t rank(int k) const {
    const int pair = d.near_pair[3 * k + 2];
    if (pair >= 0) return std::int64_t{pair} - (std::int64_t{1} << 62);
    int a = d.near_pair[3 * k], b = d.near_pair[3 * k + 1];
    if (m.opt.disabled(disable_midphase) && body_of(a) > body_of(b)) {
      const int first = b;
      b = a;
      a = first;
    }
    return (std::int64_t{a} << 32) + b;
  }

  // Shell's sort: in place, and fast for the few pairs of two bodies
  CORTEN_FN void order_geoms(int first, int last) {
    int gap = 1;
    while (gap < (last - first) / 3) gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3) {
      for (int i = first + gap; i < last; ++i) {
        for (int j = i; j >= first + gap && rank(j) < rank(j - gap); j -= gap) {
          for (int k = 0; k < 3; ++k) {
            const int kept = d.near_pair[3 * j + k];
            d.near_pair[3 * j + k] = d.near_pair[3 * (j - gap) + k];
            d.near_pair[3 * (j - gap) + k] = kept;
          }
        }
      }
    }
  }

  // moves the pairs of two bodies to `to`, except those that are listed explicitly as well
  CORTEN_FN int keep(int first, int last, int to) {
    const int begin = to;
    for (int k = first; k < last; ++k) {
      const int pair[3] = {d.near_pair[3 * k], d.near_pair[3 * k + 1], d.near_pair[3 * k + 2]};
      bool listed = false;
      for (int o = begin; pair[2] < 0 && o < to && d.near_pair[3 * o + 2] >= 0; ++o) {
        const int a = d.near_pair[3 * o], b = d.near_pair[3 * o + 1];
        listed = listed || (a == pair[0] && b == pair[1]) || (a == pair[1] && b == pair[0]);
      }
      if (listed) continue;
      for (int i = 0; i < 3; ++i) d.near_pair[3 * to + i] = pair[i];
      ++to;
    }
    return to;
  }

  const M& m;
  const D& d;
};

}  // namespace corten
