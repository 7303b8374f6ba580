// SPDX-License-Identifier: Apache-2.0
//
// Collision in pieces, for devices: a list of the pairs that are near each other, one collider
// after the other over all pairs that it serves, and the contacts from what they found. Pairs lie
// in the list in MuJoCo's order, and each has its own place for hits, so the order of contacts does
// not depend on which pair is collided first.
//
// A world that has no room for all hits gets the status contacts_full, and nhit_needed says how
// many there may be.
#pragma once

#include <corten/stage/collision.hpp>

namespace corten {

// added to the number of hits of a pair if the collider has reached a limit
inline constexpr int item_limited = 1 << 16;

// Lists the pairs to collide.
struct ListItems {
  template <class M, class D>
  CORTEN_FN void operator()(const M& m, const D& d) const {
    using List = typename M::Policies::Colliders;
    d.nitem = 0;
    d.nhit_needed = 0;
    if (!detail::begin_contacts(m, d)) return detail::count_contacts(d);
    const detail::TestedPairs<M, D> pairs(m, d);
    int items = 0, hits = 0;
    for (int first = 0; first < pairs.size(); first += 64) {
      for (std::uint64_t near = pairs.near(m, d, first); near != 0; near &= near - 1) {
        const int k = first + std::countr_zero(near);
        const detail::PairToCollide<M, D> two(m, d, pairs.geoms(k), pairs.pair(k));
        if (two.excluded()) continue;
        const int room = List::room_of(two.type1, two.type2);
        if (room > 0 && hits + room <= d.n.nhit) {
          d.item_pair[2 * items] = k;
          d.item_pair[2 * items + 1] = hits;
          d.item_found[items] = 0;
          ++items;
        }
        hits += room;
      }
    }
    d.nitem = items;
    d.nhit_needed = hits;
    if (hits > d.n.nhit) d.status = d.status | contacts_full;
  }
};

// the number of the collider of an item
template <class M, class D>
CORTEN_FN int item_server(const M& m, const D& d, int item) {
  const GeomPair geoms = detail::TestedPairs<M, D>(m, d).geoms(d.item_pair[2 * item]);
  return M::Policies::Colliders::server_of(static_cast<GeomType>(m.geom_type[geoms.first]),
                                           static_cast<GeomType>(m.geom_type[geoms.second]));
}

// Collides the pair of an item by its collider.
template <class Server, class M, class D>
CORTEN_FN void collide_item(const M& m, const D& d, int item) {
  using S = typename D::Scalar;
  using List = typename M::Policies::Colliders;
  const detail::TestedPairs<M, D> pairs(m, d);
  const int k = d.item_pair[2 * item], start = d.item_pair[2 * item + 1];
  const detail::PairToCollide<M, D> two(m, d, pairs.geoms(k), pairs.pair(k));
  const detail::ShapeLoader<M, D> first(m, d, two.g1), second(m, d, two.g2);
  Effort<S> effort = detail::effort_of(m, d);
  const int room = List::room_of(two.type1, two.type2);
  int found = 0;
  List::template collide_by<Server>(two.type1, two.type2, first, second, two.reach, effort,
                                    [&](const Hit<S>& hit) {
                                      if (found >= room) return;
                                      const int at = 10 * (start + found++);
                                      d.item_hit[at] = hit.dist;
                                      for (int i = 0; i < 3; ++i) {
                                        d.item_hit[at + 1 + i] = hit.pos[i];
                                        d.item_hit[at + 4 + i] = hit.normal[i];
                                        d.item_hit[at + 7 + i] = hit.tangent[i];
                                      }
                                    });
  d.item_found[item] = found + (effort.limited ? item_limited : 0);
}

// Makes contacts of the hits.
struct GatherItems {
  template <class M, class D>
  CORTEN_FN void operator()(const M& m, const D& d) const {
    using S = typename D::Scalar;
    using List = typename M::Policies::Colliders;
    if (Status{d.status}.overflow()) return;
    const detail::TestedPairs<M, D> pairs(m, d);
    Sweep<M, D> sweep(m, d);
    const int items = d.nitem;
    for (int item = 0; item < items; ++item) {
      const int found = d.item_found[item] & (item_limited - 1);
      if (d.item_found[item] >= item_limited) d.status = d.status | collider_limit;
      if (found == 0) continue;
      const int k = d.item_pair[2 * item], start = d.item_pair[2 * item + 1];
      const detail::PairToCollide<M, D> two(m, d, pairs.geoms(k), pairs.pair(k));
      if (two.pair < 0 && !List::is_streamed(two.type1, two.type2)) {
        const Hit<S> deepest = deepest_hit(d, start, found);
        if (!detail::hits_count(sweep, two.g1, two.g2, two.reach, &deepest, 1)) continue;
      }
      const ContactParameters<S> p = contact_parameters<S>(m, two.g1, two.g2, two.pair);
      for (int i = 0; i < found; ++i) two.append(load_hit(d, start + i), p);
    }
    detail::count_contacts(d);
  }

 private:
  template <class D>
  CORTEN_FN static auto load_hit(const D& d, int hit) {
    using S = typename D::Scalar;
    const auto x = d.item_hit.from(10 * hit);
    return Hit<S>{x[0], Vec3<S>(x[1], x[2], x[3]), Vec3<S>(x[4], x[5], x[6]),
                  Vec3<S>(x[7], x[8], x[9])};
  }
  template <class D>
  CORTEN_FN static auto deepest_hit(const D& d, int start, int count) {
    int deepest = start;
    for (int i = start + 1; i < start + count; ++i) {
      if (value(d.item_hit[10 * i]) < value(d.item_hit[10 * deepest])) deepest = i;
    }
    return load_hit(d, deepest);
  }
};

}  // namespace corten
