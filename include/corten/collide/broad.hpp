// SPDX-License-Identifier: Apache-2.0
//
// The broad phase. Which geoms can ever touch (bits, welds, parents, exclusions) does not depend on the
// pose, and neither does the order in which contacts are reported; both are settled when the model is
// compiled (compile/candidates.hpp). What is left for each step is a bounding sphere test a candidate:
// four or five nanoseconds less any sorting. For a hundred geoms this beats a sweep along an axis, whose
// output must be brought back into order. Tests are done in blocks of 64 that yield a bit mask, so that
// the test loop has no branch to mispredict and needs no memory.
#pragma once

#include <corten/collide/filter.hpp>

#include <cstdint>

namespace corten {

// Bit i of the result: are the geoms of candidate first + i near enough to be collided?
template <class M, class D>
CORTEN_FN std::uint64_t near_candidates(const M& m, const D& d, int first) {
  using V = value_t<typename D::Scalar>;
  const int left = m.n.ncandidate - first;
  const int count = left < 64 ? left : 64;
  std::uint64_t near = 0;
  for (int i = 0; i < count; ++i) {
    const int k = first + i;
    const int g1 = m.candidate_geom[2 * k], g2 = m.candidate_geom[2 * k + 1];
    const int pair = m.candidate_pair[k];
    const V reach = contact_margin<V>(m, g1, g2, pair) + contact_gap<V>(m, g1, g2, pair);
    near |= static_cast<std::uint64_t>(bounds_touch(m, d, g1, g2, reach)) << i;
  }
  return near;
}

}  // namespace corten
