// SPDX-License-Identifier: Apache-2.0
//
// Collision detection: turns the poses of geoms (geom_xpos, geom_xmat) into contacts (contact_*),
// in MuJoCo's order. The model's candidate pairs, or in a large model the pairs that are near each
// other, are filtered by bounding spheres and, where MuJoCo has a midphase, by bounding boxes. The
// collider of their types then finds the hits, and each hit becomes a contact with the parameters
// of its pair. Contacts beyond the capacity are counted but not written: ncon_needed holds the full
// count, and the status gets contacts_full.
#pragma once

#include <corten/collide/append.hpp>
#include <corten/collide/broad.hpp>
#include <corten/collide/colliders.hpp>
#include <corten/collide/flex_contacts.hpp>
#include <corten/collide/neighbours.hpp>
#include <corten/collide/parameters.hpp>
#include <corten/collide/shape_loader.hpp>
#include <corten/collide/sweep.hpp>
#include <corten/core/plain.hpp>
#include <corten/core/status.hpp>
#include <corten/fwd.hpp>
#include <corten/solver/wake.hpp>

#include <bit>

namespace corten {

namespace detail {

// Does MuJoCo report the hits of these two geoms? If they barely touch, Sweep decides.
template <class Broad, class S>
CORTEN_FN bool hits_count(Broad& sweep, int g1, int g2, const S& reach, const Hit<S>* hits, int n) {
  using V = value_t<S>;
  int deepest = 0;
  for (int i = 1; i < n; ++i) {
    if (value(hits[i].dist) < value(hits[deepest].dist)) deepest = i;
  }
  const Hit<S>& hit = hits[deepest];
  const Vec3<V> pos(value(hit.pos[0]), value(hit.pos[1]), value(hit.pos[2]));
  return !sweep.decides(value(reach) - value(hit.dist), pos) || !sweep.leaves_out(g1, g2);
}

// Two geoms to collide; `pair` is the explicit pair or -1.
template <class M, class D>
struct PairToCollide {
  using S = typename D::Scalar;
  using List = typename M::Policies::Colliders;

  const M& m;
  const D& d;
  int g1, g2, pair;
  GeomType type1, type2;
  S margin, reach;

  CORTEN_FN PairToCollide(const M& model, const D& data, GeomPair geoms, int explicit_pair)
      : m(model),
        d(data),
        g1(geoms.first),
        g2(geoms.second),
        pair(explicit_pair),
        type1(static_cast<GeomType>(m.geom_type[g1])),
        type2(static_cast<GeomType>(m.geom_type[g2])),
        margin(contact_margin<S>(m, g1, g2, pair)),
        reach(margin + contact_gap<S>(m, g1, g2, pair)) {}

  // is there nothing to collide, by the user's rules or the midphase?
  CORTEN_FN bool excluded() const {
    if (pair < 0 && !M::Policies::ContactRules::may_touch(m, d, g1, g2)) return true;
    if (mesh_above_plane(m, d, g1, g2, value(reach))) return true;
    return in_midphase(m, g1, g2, pair) && boxes_apart(m, d, g1, g2, value(reach));
  }

  CORTEN_FN void append(const Hit<S>& hit, const ContactParameters<S>& p) const {
    append_contact(d, g1, g2, hit, p, margin);
    const int k = d.ncon_needed - 1;
    if (k < d.n.nconmax && !M::Policies::ContactRules::accept(m, d, k)) d.ncon_needed = k;
  }
};

// collides two geoms and appends their contacts; `pair` is the explicit pair or -1
template <class M, class D, class Broad>
CORTEN_FN void collide_pair(const M& m, const D& d, GeomPair geoms, int pair, Broad& sweep,
                            Effort<typename D::Scalar>& effort) {
  using S = typename D::Scalar;
  using List = typename M::Policies::Colliders;
  const PairToCollide<M, D> two(m, d, geoms, pair);
  if (two.excluded()) return;
  Hit<S> hits[static_cast<std::size_t>(List::max_hits)];
  const ShapeLoader<M, D> first(m, d, two.g1), second(m, d, two.g2);
  const int found = List::collide(two.type1, two.type2, first, second, two.reach, effort, hits);
  if (found == 0) return;
  if (pair < 0 && found > 0 && !hits_count(sweep, two.g1, two.g2, two.reach, hits, found)) return;
  const ContactParameters<S> p = contact_parameters<S>(m, two.g1, two.g2, pair);
  for (int i = 0; i < found; ++i) two.append(hits[i], p);
  if (found != List::no_limit) return;
  List::stream(two.type1, two.type2, first, second, two.reach, effort,
               [&](const Hit<S>& hit) { two.append(hit, p); });
}

// can two geoms touch at all, or does each sleep or belong to something static?
template <class M, class D>
CORTEN_FN bool pair_awake(const M& m, const D& d, GeomPair geoms) {
  return is_awake(d, m.geom_bodyid[geoms.first]) || is_awake(d, m.geom_bodyid[geoms.second]);
}

// The pairs to test: those of the model, or those that the grid has found.
template <class M, class D>
struct TestedPairs {
  ListedPairs<M> listed;
  NearPairs<D> gridded;
  bool by_grid;

  CORTEN_FN TestedPairs(const M& m, const D& d) : listed{m}, gridded{d}, by_grid(m.n.ngrid != 0) {}

  CORTEN_FN int size() const { return by_grid ? gridded.size() : listed.size(); }
  CORTEN_FN GeomPair geoms(int k) const { return by_grid ? gridded.geoms(k) : listed.geoms(k); }
  CORTEN_FN int pair(int k) const { return by_grid ? gridded.pair(k) : listed.pair(k); }
  CORTEN_FN std::uint64_t near(const M& m, const D& d, int first) const {
    return by_grid ? near_pairs(m, d, gridded, first) : near_pairs(m, d, listed, first);
  }
};

// Flexes: whether the model may have flexes.
template <bool Flexes, class M, class D>
CORTEN_FN void collide_pairs(const M& m, const D& d) {
  using S = typename D::Scalar;
  Effort<S> effort = effort_of(m, d);
  const auto& plain = without_policies(m);  // only colliders and rules ask for policies
  Sweep sweep(plain, d);
  const TestedPairs<M, D> pairs(m, d);
  const bool some = some_asleep(m, d);
  const auto each = [&](auto&& before) {
    for (int first = 0; first < pairs.size(); first += 64) {
      for (std::uint64_t near = pairs.near(m, d, first); near != 0; near &= near - 1) {
        const int k = first + std::countr_zero(near);
        if (some && !pair_awake(m, d, pairs.geoms(k))) continue;
        before(pairs.geoms(k));
        collide_pair(m, d, pairs.geoms(k), pairs.pair(k), sweep, effort);
      }
    }
  };
  if constexpr (Flexes) {
    // MuJoCo's order: the contacts of flexes lie between those of the bodies
    FlexContacts flexes(plain, d, effort);
    each([&](const GeomPair& pair) {
      const int body1 = m.geom_bodyid[pair.first], body2 = m.geom_bodyid[pair.second];
      if (m.n.nflex > 0) flexes.up_to(body1 < body2 ? body1 : body2);
    });
    if (m.n.nflex > 0) {
      flexes.up_to(m.n.nbody);
      flexes.finish();
    }
  } else {
    each([](const GeomPair&) {});
  }
  if (effort.limited) d.status = d.status | collider_limit;
}

// Clears the contacts, and prepares the search for new ones. Returns false if there are none to
// search for.
template <class M, class D>
CORTEN_FN bool begin_contacts(const M& m, const D& d) {
  d.ncon = 0;
  d.ncon_needed = 0;
  if (m.opt.disabled(disable_constraint) || m.opt.disabled(disable_contact)) return false;
  if (some_asleep(m, d) && d.ntree_awake == 0 && m.n.nmocap == 0) return false;

  place_bounds(m, d);
  if (m.n.ngrid == 0 || Neighbours(without_policies(m), d).update()) return true;
  d.status = d.status | contacts_full;
  return false;
}

template <bool Flexes, class M, class D>
CORTEN_FN void find_contacts(const M& m, const D& d) {
  if (begin_contacts(m, d)) collide_pairs<Flexes>(m, d);
  count_contacts(d);
}

}  // namespace detail

// A tree that wakes because something touches it may touch others.
template <bool Flexes = true, class M, class D>
CORTEN_ENTRY void collision(const M& m, const D& d) {
  for (int pass = 0; pass < 2; ++pass) {
    detail::find_contacts<Flexes>(m, d);
    if (!some_asleep(m, d) || !wake_touched(m, d)) return;
  }
}
CORTEN_SHARED(collision, lists::collisions)

// Adds a contact by hand, with the parameters that the two geoms would have in one of their own; no
// rule is asked. It lasts for one forward pass, so it belongs into a stage of yours:
//
//     using Mine = Policies<DefaultPipeline::after<stages::Collision, MyContacts>>;
//
// A contact that does not fit is counted, so that step(m, data) makes room and runs again. One of a
// geom that does not exist is left out, and the status gets bad_argument.
template <class M, class D>
CORTEN_FN void add_contact(const M& m, const D& d, int geom1, int geom2,
                           const Hit<typename D::Scalar>& hit) {
  using S = typename D::Scalar;
  if (geom1 < 0 || geom1 >= m.n.ngeom || geom2 < 0 || geom2 >= m.n.ngeom) {
    d.status = d.status | bad_argument;
    return;
  }
  detail::append_contact(d, geom1, geom2, hit, contact_parameters<S>(m, geom1, geom2, -1),
                         contact_margin<S>(m, geom1, geom2, -1));
  detail::count_contacts(d);
}

// Worlds in lanes each have their own contacts: the poses of one world are copied out of the lanes,
// and collision runs on that world alone. Rules may read anything, so they get everything.
template <class M, class S>
CORTEN_FN void collision(const M& m, const Lane<S>& lane) {
  const auto& block = lane.block;
  const auto& world = lane.world;
  if constexpr (M::Policies::ContactRules::count > 0) publish_lane(lane);
  if (m.n.ncandidate > 0) {
    lane.take(block.geom_xpos, world.geom_xpos, 3 * m.n.ngeom);
    lane.take(block.geom_xmat, world.geom_xmat, 9 * m.n.ngeom);
  }
  if (m.n.nbox > 0) {
    lane.take(block.xipos, world.xipos, 3 * m.n.nbody);
    lane.take(block.ximat, world.ximat, 9 * m.n.nbody);
  }
  collision(m, world);
}

}  // namespace corten
