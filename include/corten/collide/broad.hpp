// SPDX-License-Identifier: Apache-2.0
//
// The broad phase. Which geoms can ever touch (bits, welds, parents, exclusions) does not depend on
// the pose, and neither does the order in which contacts are reported. In small models both are
// settled when the model is compiled (compile/candidates.hpp), in large ones now and then, for the
// geoms that are near each other (neighbours.hpp). What is left for each step is one bounding
// sphere test per listed pair, at two or three nanoseconds. Tests are done in blocks of 64 that
// yield a bit mask, so that the test loop has no unpredictable branch and needs no memory of its
// own.
#pragma once

#include <corten/collide/filter.hpp>
#include <corten/collide/pair_filter.hpp>
#include <corten/tree/awake.hpp>

#include <cstdint>

namespace corten {

// Writes the centre of each geom and, next to it, its reach: radius + margin + gap, its share of
// the detection distance.
template <class M, class D>
CORTEN_FN void place_bounds(const M& m, const D& d) {
  using P = typename D::Primal;
  const bool override_margin = m.opt.enabled(enable_override);
  each_run(m, d, [&](const Run& r) {
    for (int g = r.geom; g < r.geom_end; ++g) {
      for (int i = 0; i < 3; ++i) d.geom_bound[4 * g + i] = P(value(d.geom_xpos[3 * g + i]));
      const auto margin = override_margin ? value(m.opt.o_margin) / 2 : value(m.geom_margin[g]);
      d.geom_bound[4 * g + 3] =
          P(static_cast<value_t<P>>(value(m.geom_rbound[g]) + margin + value(m.geom_gap[g])));
    }
  });
}

namespace detail {

// a bound of place_bounds, as plain numbers
template <class V>
struct Bound {
  V x, y, z, reach;

  template <class D>
  CORTEN_FN static Bound load(const D& d, int g) {
    return {value(d.geom_bound[4 * g]), value(d.geom_bound[4 * g + 1]),
            value(d.geom_bound[4 * g + 2]), value(d.geom_bound[4 * g + 3])};
  }
};

}  // namespace detail

// the pairs to test: those of the model
template <class M>
struct ListedPairs {
  const M& m;

  CORTEN_FN int size() const { return m.n.ncandidate; }
  CORTEN_FN GeomPair geoms(int k) const {
    return {m.candidate_geom[2 * k], m.candidate_geom[2 * k + 1]};
  }
  CORTEN_FN int pair(int k) const { return m.candidate_pair[k]; }
};

// or those that the grid has found
template <class D>
struct NearPairs {
  const D& d;

  CORTEN_FN int size() const { return d.near_count; }
  CORTEN_FN GeomPair geoms(int k) const { return {d.near_pair[3 * k], d.near_pair[3 * k + 1]}; }
  CORTEN_FN int pair(int k) const { return d.near_pair[3 * k + 2]; }
};

// Bit i of the result: are the geoms of pair first + i near enough to be collided?
template <class M, class D, class Pairs>
CORTEN_FN std::uint64_t near_pairs(const M& m, const D& d, const Pairs& pairs, int first) {
  using V = value_t<typename D::Scalar>;
  using Bound = detail::Bound<V>;
  const int left = pairs.size() - first;
  const int count = left < 64 ? left : 64;
  std::uint64_t near = 0;
  int last = -1;
  bool special = false;
  Bound a{};
  for (int i = 0; i < count; ++i) {
    const int k = first + i;
    const auto [g1, g2] = pairs.geoms(k);
    if (g1 != last) {  // pairs with the same first geom follow each other
      last = g1;
      a = Bound::load(d, g1);
      special = m.n.npair > 0 || !(value(m.geom_rbound[g1]) > 0);
    }
    bool touch;
    if (special) {
      const int pair = pairs.pair(k);
      const V reach = contact_margin<V>(m, g1, g2, pair) + contact_gap<V>(m, g1, g2, pair);
      touch = bounds_touch(m, d, g1, g2, reach);
    } else {
      const Bound b = Bound::load(d, g2);
      const V dx = b.x - a.x, dy = b.y - a.y, dz = b.z - a.z, reach = a.reach + b.reach;
      touch = dx * dx + dy * dy + dz * dz <= reach * reach;
    }
    near |= static_cast<std::uint64_t>(touch) << i;
  }
  return near;
}

}  // namespace corten
