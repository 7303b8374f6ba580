// SPDX-License-Identifier: Apache-2.0
//
// How near two geoms must be to be looked at, and the bounding sphere test.
#pragma once

#include <corten/core/field.hpp>
#include <corten/math/vector.hpp>
#include <corten/model/model.hpp>

namespace corten {

// Force may act within the margin; contacts are reported within margin + gap. Both come from the
// explicit pair (pair >= 0) or add up over the two geoms. The global override replaces the margin
// only.
template <class S, class M>
CORTEN_FN S contact_margin(const M& m, int g1, int g2, int pair) {
  if (m.opt.enabled(enable_override)) return static_cast<S>(m.opt.o_margin);
  if (pair >= 0) return static_cast<S>(m.pair_margin[pair]);
  return static_cast<S>(m.geom_margin[g1]) + static_cast<S>(m.geom_margin[g2]);
}

template <class S, class M>
CORTEN_FN S contact_gap(const M& m, int g1, int g2, int pair) {
  if (pair >= 0) return static_cast<S>(m.pair_gap[pair]);
  return static_cast<S>(m.geom_gap[g1]) + static_cast<S>(m.geom_gap[g2]);
}

// Do the bounding spheres of two geoms come within `reach` of each other? A geom without a bounding
// sphere is a plane; it is the first of the two, because types are in order.
template <class M, class D, class V>
CORTEN_FN bool bounds_touch(const M& m, const D& d, int g1, int g2, V reach) {
  const V r1 = static_cast<V>(value(m.geom_rbound[g1]));
  const V r2 = static_cast<V>(value(m.geom_rbound[g2]));
  const V dx = value(d.geom_xpos[3 * g2]) - value(d.geom_xpos[3 * g1]);
  const V dy = value(d.geom_xpos[3 * g2 + 1]) - value(d.geom_xpos[3 * g1 + 1]);
  const V dz = value(d.geom_xpos[3 * g2 + 2]) - value(d.geom_xpos[3 * g1 + 2]);
  if (r1 > 0) {
    const V bound = r1 + r2 + reach;
    return dx * dx + dy * dy + dz * dz <= bound * bound;
  }
  const V height = dx * value(d.geom_xmat[9 * g1 + 2]) + dy * value(d.geom_xmat[9 * g1 + 5]) +
                   dz * value(d.geom_xmat[9 * g1 + 8]);
  return height <= r2 + reach;
}

}  // namespace corten
