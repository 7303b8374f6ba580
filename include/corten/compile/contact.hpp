// SPDX-License-Identifier: Apache-2.0
//
// Explicit contact pairs and excluded body pairs, in the order of their signatures.
#pragma once

#include <corten/compile/draft.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace corten::compiler {

// what identifies a pair of bodies: the smaller id above, the larger below
inline int signature(int body1, int body2) { return (body1 << 16) + body2; }

namespace detail {

struct PairIds {
  int geom1 = -1, geom2 = -1;
  int signature = 0;
};

inline Problem find_required(const Index& index, const std::optional<std::string>& name,
                             const char* kind, const char* attribute, const spec::Element& element,
                             int& id) {
  if (!name || name->empty()) return element.error(std::string(attribute) + " is missing");
  id = index.find(*name);
  if (id >= 0) return {};
  return element.error("unknown " + std::string(kind) + " '" + *name + "' in " + attribute,
                       index.suggest(*name));
}

CORTEN_COLD Problem find_pair(const Draft& d, const spec::Pair& e, PairIds& out) {
  if (Problem p = find_required(d.index.geom, e.geom1, "geom", "geom1", e, out.geom1)) return p;
  if (Problem p = find_required(d.index.geom, e.geom2, "geom", "geom2", e, out.geom2)) return p;
  int body1 = at(d.m.geom_bodyid, out.geom1), body2 = at(d.m.geom_bodyid, out.geom2);
  if (body1 > body2) {
    std::swap(out.geom1, out.geom2);
    std::swap(body1, body2);
  }
  out.signature = signature(body1, body2);
  const int condim = e.condim.value_or(3);
  if (condim != 1 && condim != 3 && condim != 4 && condim != 6) {
    return e.error("condim is " + std::to_string(condim), "condim must be 1, 3, 4 or 6");
  }
  return {};
}

// the order of signatures; equal ones keep the order of the text
CORTEN_COLD std::vector<int> order_of(const std::vector<PairIds>& ids) {
  std::vector<std::int64_t> keys;
  for (const PairIds& id : ids) {
    keys.push_back((std::int64_t{id.signature} << 32) + static_cast<std::int64_t>(keys.size()));
  }
  std::sort(keys.begin(), keys.end());
  std::vector<int> order;
  for (const std::int64_t key : keys) order.push_back(static_cast<int>(key & 0x7fffffff));
  return order;
}

}  // namespace detail

CORTEN_COLD void write_pairs(Draft& d) {
  Model<double>& m = d.m;
  std::vector<detail::PairIds> ids(d.pairs.size());
  for (std::size_t i = 0; i < d.pairs.size(); ++i) {
    d.note(d.pairs[i], detail::find_pair(d, d.pairs[i], ids[i]));
  }
  int i = 0;
  for (const int from : detail::order_of(ids)) {
    const spec::Pair& e = at(d.pairs, from);
    m.names.pair.push_back(e.name);
    put(m.pair_dim, i, e.condim.value_or(3));
    put(m.pair_geom1, i, at(ids, from).geom1);
    put(m.pair_geom2, i, at(ids, from).geom2);
    put(m.pair_signature, i, at(ids, from).signature);
    put(m.pair_solref, i, e.solref.value_or(default_solref));
    put(m.pair_solreffriction, i, e.solreffriction.value_or({0, 0}));
    put(m.pair_solimp, i, e.solimp.value_or(default_solimp));
    put(m.pair_margin, i, e.margin.value_or(0));
    put(m.pair_gap, i, e.gap.value_or(0));
    put(m.pair_adhesion, i, e.adhesion.value_or(0));
    put(m.pair_friction, i, e.friction.value_or({1, 1, 0.005, 0.0001, 0.0001}));
    ++i;
  }
}

CORTEN_COLD void write_excludes(Draft& d) {
  std::vector<detail::PairIds> ids;
  for (const spec::Exclude& e : d.spec.excludes) {
    int body1 = -1, body2 = -1;
    d.note(e, detail::find_required(d.index.body, e.body1, "body", "body1", e, body1));
    d.note(e, detail::find_required(d.index.body, e.body2, "body", "body2", e, body2));
    ids.push_back({-1, -1, signature(std::min(body1, body2), std::max(body1, body2))});
  }
  int i = 0;
  for (const int from : detail::order_of(ids)) {
    d.m.names.exclude.push_back(at(d.spec.excludes, from).name);
    put(d.m.exclude_signature, i++, at(ids, from).signature);
  }
}

}  // namespace corten::compiler
