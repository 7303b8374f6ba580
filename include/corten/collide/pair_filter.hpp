// SPDX-License-Identifier: Apache-2.0
//
// Which two geoms may ever collide, whatever their poses: MuJoCo's static filters.
#pragma once

#include <corten/core/enums.hpp>
#include <corten/model/model.hpp>

#include <utility>

namespace corten {

// two geoms in the order in which contacts report them
struct GeomPair {
  int first, second;
};

template <class M>
class PairFilter {
 public:
  CORTEN_FN explicit PairFilter(const M& model) : m(model) {
    for (int k = 1; k < m.n.nexclude; ++k) {
      sorted_ = sorted_ && m.exclude_signature[k - 1] <= m.exclude_signature[k];
    }
  }

  // can this geom collide without an explicit pair?
  CORTEN_FN bool collides(int g) const { return (m.geom_contype[g] | m.geom_conaffinity[g]) != 0; }

  CORTEN_FN bool bits_match(int g1, int g2) const {
    return (m.geom_contype[g1] & m.geom_conaffinity[g2]) != 0 ||
           (m.geom_contype[g2] & m.geom_conaffinity[g1]) != 0;
  }

  // Planes and height fields are static and do not collide with each other. An sdf collides only if
  // it has a grid.
  CORTEN_FN bool types_collide(int g1, int g2) const {
    const int solid = static_cast<int>(GeomType::sphere), sdf = static_cast<int>(GeomType::sdf);
    for (const int g : {g1, g2}) {
      if (m.geom_type[g] == sdf && m.geom_sdf[g] < 0) return false;
    }
    return m.geom_type[g1] >= solid || m.geom_type[g2] >= solid;
  }

  // false for bodies that are welded together, both immobile, parent and child, or excluded
  CORTEN_FN bool bodies_may_touch(int b1, int b2) const {
    const int w1 = m.body_weldid[b1], w2 = m.body_weldid[b2];
    if (w1 == w2) return false;
    if (m.body_dofnum[w1] == 0 && m.body_dofnum[w2] == 0) return false;
    const int p1 = m.body_weldid[m.body_parentid[w1]], p2 = m.body_weldid[m.body_parentid[w2]];
    const bool related = w1 != 0 && w2 != 0 && (w1 == p2 || w2 == p1);
    if (related && !m.opt.disabled(disable_filterparent)) return false;
    return m.n.nexclude == 0 || !excluded(b1 < b2 ? (b1 << 16) + b2 : (b2 << 16) + b1);
  }

  // sorted by type
  CORTEN_FN GeomPair in_order(int g1, int g2) const {
    return m.geom_type[g1] > m.geom_type[g2] ? GeomPair{g2, g1} : GeomPair{g1, g2};
  }

 private:
  CORTEN_FN bool excluded(int signature) const {
    int low = 0, high = m.n.nexclude;  // the compiler sorts exclusions; an edit may not
    while (sorted_ && low < high) {
      const int middle = (low + high) / 2;
      if (m.exclude_signature[middle] < signature) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (sorted_) return low < m.n.nexclude && m.exclude_signature[low] == signature;
    for (int k = 0; k < m.n.nexclude; ++k) {
      if (m.exclude_signature[k] == signature) return true;
    }
    return false;
  }

  const M& m;
  bool sorted_ = true;
};

}  // namespace corten
