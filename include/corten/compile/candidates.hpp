// SPDX-License-Identifier: Apache-2.0
//
// collision_candidates(model): the geom pairs that can ever touch, in the order in which MuJoCo
// reports their contacts. The compiler calls it at the end. Call it again after editing contype,
// conaffinity, geom_sdf, explicit pairs or exclusions, or after switching the parent filter or the
// midphase on or off (opt.disableflags).
//
// MuJoCo's order: body pairs by (smaller id, larger id); for each, first the explicit pairs, then
// the geom pairs that are not listed explicitly. The latter are sorted by the reported (geom1,
// geom2), because the midphase sorts what it finds after ordering the geoms of each pair by type.
// With the midphase disabled they come in the order (geom of the first body, geom of the second
// body).
#pragma once

#include <corten/core/list.hpp>
#include <corten/core/sort.hpp>
#include <corten/model/model.hpp>

#include <algorithm>
#include <cstdint>

namespace corten {

namespace detail {

// the collision filters of a model
template <class S>
struct CandidateFilter {
  const Model<S>& m;

  int of(const List<int>& field, int i) const { return field[static_cast<std::size_t>(i)]; }

  static bool bits_match(int contype1, int conaffinity1, int contype2, int conaffinity2) {
    return (contype1 & conaffinity2) != 0 || (contype2 & conaffinity1) != 0;
  }

  bool geoms_match(int g1, int g2) const {
    return bits_match(of(m.geom_contype, g1), of(m.geom_conaffinity, g1), of(m.geom_contype, g2),
                      of(m.geom_conaffinity, g2));
  }

  // Planes and height fields are static and do not collide with each other. An sdf collides only if
  // it has a grid.
  bool types_collide(int g1, int g2) const {
    const int solid = static_cast<int>(GeomType::sphere), sdf = static_cast<int>(GeomType::sdf);
    for (const int g : {g1, g2}) {
      if (of(m.geom_type, g) == sdf && of(m.geom_sdf, g) < 0) return false;
    }
    return of(m.geom_type, g1) >= solid || of(m.geom_type, g2) >= solid;
  }

  // false for bodies that are welded together, both immobile, parent and child, or excluded
  bool bodies_may_touch(int b1, int b2) const {
    const int w1 = of(m.body_weldid, b1), w2 = of(m.body_weldid, b2);
    if (w1 == w2) return false;
    if (of(m.body_dofnum, w1) == 0 && of(m.body_dofnum, w2) == 0) return false;
    const int p1 = of(m.body_weldid, of(m.body_parentid, w1));
    const int p2 = of(m.body_weldid, of(m.body_parentid, w2));
    const bool related = w1 != 0 && w2 != 0 && (w1 == p2 || w2 == p1);
    if (related && !m.opt.disabled(disable_filterparent)) return false;
    const int signature = (b1 << 16) + b2;
    return std::find(m.exclude_signature.begin(), m.exclude_signature.end(), signature) ==
           m.exclude_signature.end();
  }

  // is there an explicit pair of these geoms?
  bool listed(int g1, int g2) const {
    for (int k = 0; k < m.n.npair; ++k) {
      const int p1 = of(m.pair_geom1, k), p2 = of(m.pair_geom2, k);
      if ((p1 == g1 && p2 == g2) || (p1 == g2 && p2 == g1)) return true;
    }
    return false;
  }
};

// two geoms in the order of their types, packed into one number that sorts by the first, then by
// the second
template <class S>
std::int64_t make_candidate(const Model<S>& m, int g1, int g2) {
  const bool swap =
      m.geom_type[static_cast<std::size_t>(g1)] > m.geom_type[static_cast<std::size_t>(g2)];
  return swap ? (std::int64_t{g2} << 32) + g1 : (std::int64_t{g1} << 32) + g2;
}

// appends a candidate; `pair` is the id of the explicit pair, or -1
template <class S>
void add_candidate(Model<S>& m, std::int64_t geoms, int pair) {
  m.candidate_geom.push_back(static_cast<int>(geoms >> 32));
  m.candidate_geom.push_back(static_cast<int>(geoms & 0x7fffffff));
  m.candidate_pair.push_back(pair);
}

// appends the geom pairs of two bodies, except explicit pairs
template <class S>
CORTEN_COLD void add_body_pair(Model<S>& m, int b1, int b2) {
  const CandidateFilter<S> filter{m};
  const int n1 = filter.of(m.body_geomnum, b1), n2 = filter.of(m.body_geomnum, b2);
  if (n1 == 0 || n2 == 0 || !filter.bodies_may_touch(b1, b2)) return;
  List<std::int64_t> found;
  for (int i = 0; i < n1; ++i) {
    for (int j = 0; j < n2; ++j) {
      const int g1 = filter.of(m.body_geomadr, b1) + i, g2 = filter.of(m.body_geomadr, b2) + j;
      if (!filter.geoms_match(g1, g2) || !filter.types_collide(g1, g2)) continue;
      if (!filter.listed(g1, g2)) found.push_back(make_candidate(m, g1, g2));
    }
  }
  if (!m.opt.disabled(disable_midphase)) sort(found);
  for (const std::int64_t geoms : found) add_candidate(m, geoms, -1);
}

}  // namespace detail

template <class S>
CORTEN_COLD void collision_candidates(Model<S>& m) {
  const detail::CandidateFilter<S> filter{m};
  m.candidate_geom.clear();
  m.candidate_pair.clear();
  int pair = 0;
  const auto add_pairs_up_to = [&](int signature) {
    for (; pair < m.n.npair && filter.of(m.pair_signature, pair) <= signature; ++pair) {
      const int g1 = filter.of(m.pair_geom1, pair), g2 = filter.of(m.pair_geom2, pair);
      if (!filter.types_collide(g1, g2)) continue;
      detail::add_candidate(m, detail::make_candidate(m, g1, g2), pair);
    }
  };
  for (int b1 = 0; b1 < m.n.nbody; ++b1) {
    for (int b2 = b1 + 1; b2 < m.n.nbody; ++b2) {
      add_pairs_up_to((b1 << 16) + b2);
      detail::add_body_pair(m, b1, b2);
    }
  }
  add_pairs_up_to(m.n.nbody << 16);
  m.n.ncandidate = static_cast<int>(m.candidate_pair.size());
}

}  // namespace corten
