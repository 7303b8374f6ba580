// SPDX-License-Identifier: Apache-2.0
//
// collision_candidates(model): how the broad phase finds the geoms that can touch. The compiler
// calls it at the end. Call it again after editing contype, conaffinity, geom_sdf, explicit pairs
// or exclusions, or after switching the parent filter or the midphase on or off (opt.disableflags).
//
// In a small model it lists all geom pairs that can ever touch, in the order in which MuJoCo
// reports their contacts, and a step tests each of them. In a model where they would be many, a
// grid finds those that are near (collide/neighbours.hpp), and the list holds only one example of
// each two types that may meet.
//
// MuJoCo's order: body pairs by (smaller id, larger id); for each, first the explicit pairs, then
// the geom pairs that are not listed explicitly. The latter are sorted by the reported (geom1,
// geom2), because the midphase sorts what it finds after ordering the geoms of each pair by type.
// With the midphase disabled they come in the order (geom of the first body, geom of the second
// body).
#pragma once

#include <corten/collide/pair_filter.hpp>
#include <corten/core/hash.hpp>
#include <corten/core/list.hpp>
#include <corten/core/sort.hpp>
#include <corten/model/model_ref.hpp>

#include <cstdint>
#include <string_view>

namespace corten {

// Pairs up to which a list is walked. A test takes 2.5 ns, and the grid, now and then, some 40 ns
// per geom: a step with two bodies of 50 geoms each takes 40 % less time with the grid.
inline constexpr int longest_candidates = 2000;

namespace detail {

// the list of all candidates, or as much of it as the limits allow
template <class S>
class CandidateList {
 public:
  CORTEN_COLD CandidateList(Model<S>& model, int longest)
      : model_(model), m(model), filter_(m), longest_(longest) {}

  // false if the list would be too long, or take too long to make
  CORTEN_COLD bool make() {
    clear();
    List<int> bodies;  // that have a geom which may collide
    for (int b = 0; b < m.n.nbody; ++b) {
      if (has_collider(b)) bodies.push_back(b);
    }
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      for (std::size_t j = i + 1; j < bodies.size(); ++j) {
        add_pairs_up_to((bodies[i] << 16) + bodies[j]);
        add_bodies(bodies[i], bodies[j]);
        if (size() > longest_ || tested_ > 64 * std::int64_t{longest_}) return false;
      }
    }
    add_pairs_up_to(m.n.nbody << 16);
    return true;
  }

  // one candidate for each two types that may meet
  CORTEN_COLD void make_examples() {
    clear();
    add_pairs_up_to(m.n.nbody << 16);
    List<Class> classes;
    for (int g = 0; g < m.n.ngeom; ++g) {
      if (filter_.collides(g)) add_to_class(classes, g);
    }
    bool known[64][64] = {};
    for (const Class& a : classes) {
      for (const Class& b : classes) {
        const int t1 = m.geom_type[a.geom[0]] & 63, t2 = m.geom_type[b.geom[0]] & 63;
        if (!known[t1][t2]) known[t1][t2] = known[t2][t1] = add_example(a, b);
      }
    }
  }

  CORTEN_COLD int size() const { return static_cast<int>(model_.candidate_pair.size()); }

 private:
  // geoms with the same type and bits, either all immobile or not: one of them, and one of another
  // body
  struct Class {
    bool immobile;
    int geom[2];
  };

  CORTEN_COLD void clear() {
    model_.candidate_geom.clear();
    model_.candidate_pair.clear();
  }

  CORTEN_COLD bool has_collider(int b) const {
    for (int i = 0; i < m.body_geomnum[b]; ++i) {
      if (filter_.collides(m.body_geomadr[b] + i)) return true;
    }
    return false;
  }

  // appends a candidate; `pair` is the id of the explicit pair, or -1
  CORTEN_COLD void add(GeomPair geoms, int pair) {
    model_.candidate_geom.push_back(geoms.first);
    model_.candidate_geom.push_back(geoms.second);
    model_.candidate_pair.push_back(pair);
  }

  CORTEN_COLD void add_pairs_up_to(int signature) {
    for (; pair_ < m.n.npair && m.pair_signature[pair_] <= signature; ++pair_) {
      const int g1 = m.pair_geom1[pair_], g2 = m.pair_geom2[pair_];
      if (filter_.types_collide(g1, g2)) add(filter_.in_order(g1, g2), pair_);
    }
  }

  // is there an explicit pair of these geoms?
  CORTEN_COLD bool listed(int g1, int g2) const {
    for (int k = 0; k < m.n.npair; ++k) {
      const int p1 = m.pair_geom1[k], p2 = m.pair_geom2[k];
      if ((p1 == g1 && p2 == g2) || (p1 == g2 && p2 == g1)) return true;
    }
    return false;
  }

  // appends the geom pairs of two bodies, except explicit pairs
  CORTEN_COLD void add_bodies(int b1, int b2) {
    ++tested_;
    if (!filter_.bodies_may_touch(b1, b2)) return;
    found_.clear();
    for (int i = 0; i < m.body_geomnum[b1]; ++i) {
      for (int j = 0; j < m.body_geomnum[b2]; ++j) {
        ++tested_;
        const int g1 = m.body_geomadr[b1] + i, g2 = m.body_geomadr[b2] + j;
        if (!filter_.bits_match(g1, g2) || !filter_.types_collide(g1, g2)) continue;
        if (listed(g1, g2)) continue;
        const GeomPair geoms = filter_.in_order(g1, g2);
        found_.push_back((std::int64_t{geoms.first} << 32) + geoms.second);
      }
    }
    if (found_.size() > 1 && !m.opt.disabled(disable_midphase)) sort(found_);
    for (const std::int64_t geoms : found_) {
      add({static_cast<int>(geoms >> 32), static_cast<int>(geoms & 0x7fffffff)}, -1);
    }
  }

  CORTEN_COLD int weld_of(int g) const { return m.body_weldid[m.geom_bodyid[g]]; }

  CORTEN_COLD void add_to_class(List<Class>& classes, int g) const {
    const bool immobile = m.body_dofnum[weld_of(g)] == 0;
    for (Class& c : classes) {
      const int first = c.geom[0];
      if (c.immobile != immobile || m.geom_type[first] != m.geom_type[g] ||
          m.geom_contype[first] != m.geom_contype[g] ||
          m.geom_conaffinity[first] != m.geom_conaffinity[g]) {
        continue;
      }
      if (weld_of(c.geom[1]) == weld_of(first)) c.geom[1] = g;
      return;
    }
    classes.push_back({immobile, {g, g}});
  }

  CORTEN_COLD bool add_example(const Class& a, const Class& b) {
    if (a.immobile && b.immobile) return false;
    for (const int g1 : a.geom) {
      for (const int g2 : b.geom) {
        if (weld_of(g1) == weld_of(g2) || !filter_.bits_match(g1, g2)) continue;
        if (!filter_.types_collide(g1, g2)) continue;
        add(filter_.in_order(g1, g2), -1);
        return true;
      }
    }
    return false;
  }

  Model<S>& model_;
  const ModelView<S> m;
  const PairFilter<ModelView<S>> filter_;
  int longest_, pair_ = 0;
  std::int64_t tested_ = 0;
  List<std::int64_t> found_;
};

// a hash of all that decides which pairs may collide
template <class S>
CORTEN_COLD int filter_hash(const Model<S>& m) {
  std::uint64_t out = 0;
  for (const List<int>* field : {&m.geom_type, &m.geom_sdf, &m.geom_contype, &m.geom_conaffinity,
                                 &m.geom_bodyid, &m.body_weldid, &m.body_parentid, &m.body_dofnum,
                                 &m.pair_geom1, &m.pair_geom2, &m.exclude_signature}) {
    const char* bytes = reinterpret_cast<const char*>(field->data());
    out = 31 * out + hash_of(std::string_view(bytes, field->size() * sizeof(int)));
  }
  return static_cast<int>((out ^ out >> 32) & 0x7fffffff);
}

}  // namespace detail

// A model with more candidates than `longest` gets a grid.
template <class S>
CORTEN_COLD void collision_candidates(Model<S>& m, int longest = longest_candidates) {
  m.n.ngrid = 0;
  m.grid_key.clear();
  if (!detail::CandidateList<S>(m, longest).make()) {
    detail::CandidateList<S>(m, longest).make_examples();
    m.n.ngrid = m.n.ngeom;
    m.grid_key.push_back(detail::filter_hash(m));
  }
  m.n.ncandidate = static_cast<int>(m.candidate_pair.size());
}

}  // namespace corten
