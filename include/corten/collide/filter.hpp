// SPDX-License-Identifier: Apache-2.0
//
// How near two geoms must be to be collided, and tests of their bounding spheres and boxes.
#pragma once

#include <corten/math/field.hpp>
#include <corten/math/vector.hpp>
#include <corten/model/model.hpp>

namespace corten {

// Force may act within the margin; contacts are reported within margin + gap. Both come from the
// explicit pair (pair >= 0) or add up over the two geoms. The global override replaces the margin
// only.
template <class S, class M>
CORTEN_FN S contact_margin(const M& m, int g1, int g2, int pair) {
  if (m.opt.enabled(enable_override)) return convert<S>(m.opt.o_margin);
  if (pair >= 0) return convert<S>(m.pair_margin[pair]);
  return convert<S>(m.geom_margin[g1]) + convert<S>(m.geom_margin[g2]);
}

template <class S, class M>
CORTEN_FN S contact_gap(const M& m, int g1, int g2, int pair) {
  if (pair >= 0) return convert<S>(m.pair_gap[pair]);
  return convert<S>(m.geom_gap[g1]) + convert<S>(m.geom_gap[g2]);
}

// Do the bounding spheres of two geoms come within `reach` of each other? A geom without a bounding
// sphere is a plane; it is the first of the two, because types are sorted.
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

// a box in the world
template <class V>
struct BoundingBox {
  Vec3<V> centre, half, axis[3];

  // half of its extent along a unit vector
  CORTEN_FN V reach(const Vec3<V>& n) const {
    return abs(half[0] * axis[0].dot(n)) + abs(half[1] * axis[1].dot(n)) +
           abs(half[2] * axis[2].dot(n));
  }
};

// a box given in a frame by its centre and half sizes
template <class V, class B, class R, class P>
CORTEN_FN BoundingBox<V> box_in_world(const B& aabb, const R& xmat, const P& xpos) {
  BoundingBox<V> out;
  V at[6];
  for (int k = 0; k < 6; ++k) at[k] = static_cast<V>(value(aabb[k]));
  for (int r = 0; r < 3; ++r) {
    for (int k = 0; k < 3; ++k) out.axis[k][r] = value(xmat[3 * r + k]);
    const V off = out.axis[0][r] * at[0] + out.axis[1][r] * at[1] + out.axis[2][r] * at[2];
    out.centre[r] = off + value(xpos[r]);
    out.half[r] = at[3 + r];
  }
  return out;
}

// that of a geom
template <class V, class M, class D>
CORTEN_FN BoundingBox<V> bounding_box(const M& m, const D& d, int g) {
  return box_in_world<V>(m.geom_aabb.from(6 * g), d.geom_xmat.from(9 * g), d.geom_xpos.from(3 * g));
}

// Are the bounding boxes of two geoms farther than `reach` apart along an axis of either? MuJoCo's
// midphase drops such pairs. For boxes that barely touch, rounding decides, so terms are summed in
// MuJoCo's order.
template <class M, class D, class V>
[[gnu::noinline]] CORTEN_FN bool boxes_apart(const M& m, const D& d, int g1, int g2, V reach) {
  const BoundingBox<V> box[2] = {bounding_box<V>(m, d, g1), bounding_box<V>(m, d, g2)};
  for (int j = 0; j < 2; ++j) {
    for (int k = 0; k < 3; ++k) {
      const Vec3<V>& n = box[j].axis[k];
      const V away = abs(box[1].centre.dot(n) - box[0].centre.dot(n));
      if (box[0].reach(n) + box[1].reach(n) + reach < away) return true;
    }
  }
  return false;
}

// Is a mesh farther than `reach` above a plane, by its bounding box? Its collider would search it
// for the deepest vertex. Rounding must not decide, hence the slack. Geoms without a bounding
// sphere are planes; distance fields have a surface of their own.
template <class M, class D, class V>
[[gnu::noinline]] CORTEN_FN bool mesh_above_plane(const M& m, const D& d, int g1, int g2, V reach) {
  if (value(m.geom_rbound[g1]) > 0 || m.geom_dataid[g2] < 0 || m.geom_sdf[g2] >= 0) return false;
  const BoundingBox<V> box = bounding_box<V>(m, d, g2);
  Vec3<V> normal, foot;
  for (int k = 0; k < 3; ++k) {
    normal[k] = value(d.geom_xmat[9 * g1 + 3 * k + 2]);
    foot[k] = value(d.geom_xpos[3 * g1 + k]);
  }
  const V slack = V(1e-5) * static_cast<V>(value(m.geom_rbound[g2]));
  return normal.dot(box.centre - foot) - box.reach(normal) > reach + slack;
}

// Does the midphase test the boxes of two geoms? Not for explicit pairs, nor if both bodies have a
// single geom, nor if one of the geoms is unbounded.
template <class M>
CORTEN_FN bool in_midphase(const M& m, int g1, int g2, int pair) {
  if (pair >= 0 || m.opt.disabled(disable_midphase)) return false;
  if (!(value(m.geom_rbound[g1]) > 0) || !(value(m.geom_rbound[g2]) > 0)) return false;
  return m.body_geomnum[m.geom_bodyid[g1]] > 1 || m.body_geomnum[m.geom_bodyid[g2]] > 1;
}

}  // namespace corten
