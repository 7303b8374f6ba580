// SPDX-License-Identifier: Apache-2.0
//
// Explicit contact pairs and excluded body pairs, in the order of their signatures.
#pragma once

#include <corten/collide/parameters.hpp>
#include <corten/compile/draft.hpp>
#include <corten/core/list.hpp>
#include <corten/core/optional.hpp>
#include <corten/core/sort.hpp>
#include <corten/pipeline/policies.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace corten::compiler {

// identifies a pair of bodies: the smaller id in the upper bits, the larger in the lower
inline int signature(int body1, int body2) { return (body1 << 16) + body2; }

namespace detail {

struct PairIds {
  int geom1 = -1, geom2 = -1;
  int signature = 0;
};

inline Result<void> find_required(const Index& index, const Optional<std::string>& name,
                                  const char* kind, const char* attribute,
                                  const spec::Element& element, int& id) {
  if (!name || name->empty()) return element.error(std::string(attribute) + " is missing");
  id = index.find(*name);
  if (id >= 0) return {};
  return element.error("unknown " + std::string(kind) + " '" + *name + "' in " + attribute,
                       index.suggest(*name));
}

CORTEN_COLD Result<void> find_pair(const Draft& d, const spec::Pair& e, PairIds& out) {
  if (auto done = find_required(d.index.geom, e.geom1, "geom", "geom1", e, out.geom1); !done)
    return done;
  if (auto done = find_required(d.index.geom, e.geom2, "geom", "geom2", e, out.geom2); !done)
    return done;
  int body1 = at(d.m.geom_bodyid, out.geom1), body2 = at(d.m.geom_bodyid, out.geom2);
  if (body1 > body2) {
    std::swap(out.geom1, out.geom2);
    std::swap(body1, body2);
  }
  out.signature = signature(body1, body2);
  const int condim = e.condim.value_or(3);
  if (!is_condim(condim)) {
    return e.error("condim is " + std::to_string(condim), "condim must be 1, 3, 4 or 6");
  }
  return {};
}

// the order of increasing signatures; equal ones keep the order of the text
CORTEN_COLD List<int> order_of(const List<PairIds>& ids) {
  List<std::int64_t> keys;
  for (const PairIds& id : ids) {
    keys.push_back((std::int64_t{id.signature} << 32) + static_cast<std::int64_t>(keys.size()));
  }
  sort(keys);
  List<int> order;
  for (const std::int64_t key : keys) order.push_back(static_cast<int>(key & 0x7fffffff));
  return order;
}

template <std::size_t N>
Vec<double, static_cast<int>(N)> overlay(const spec::Leading<N>& given,
                                         Vec<double, static_cast<int>(N)> usual) {
  for (int k = 0; k < given.count; ++k) usual[k] = given[static_cast<std::size_t>(k)];
  return usual;
}

// Writes pair i, whose geoms are known. Attributes that it does not give have fixed defaults, or
// with `combine` come from the geoms.
CORTEN_COLD void write_pair(Model<double>& m, int i, const spec::Pair& e) {
  ContactParameters<double> usual;
  usual.solref << 0.02, 1;
  usual.solimp << 0.9, 0.95, 0.001, 0.5, 2;
  usual.friction << 1, 1, 0.005, 0.0001, 0.0001;
  double margin = 0, gap = 0;
  if (e.combine.value_or(false)) {
    const int g1 = at(m.pair_geom1, i), g2 = at(m.pair_geom2, i);
    const auto ref = make_ref<DefaultPolicies>(m);
    usual = corten::detail::mixed_parameters<double>(ref, g1, g2);
    margin = at(m.geom_margin, g1) + at(m.geom_margin, g2);
    gap = at(m.geom_gap, g1) + at(m.geom_gap, g2);
  }
  put(m.pair_dim, i, e.condim.value_or(usual.dim));
  put(m.pair_solref, i, overlay(e.solref, usual.solref));
  put(m.pair_solreffriction, i, e.solreffriction.value_or({0, 0}));
  put(m.pair_solimp, i, overlay(e.solimp, usual.solimp));
  put(m.pair_margin, i, e.margin.value_or(margin));
  put(m.pair_gap, i, e.gap.value_or(gap));
  put(m.pair_adhesion, i, e.adhesion.value_or(usual.adhesion));
  put(m.pair_friction, i, overlay(e.friction, usual.friction));
}

}  // namespace detail

// removes the pairs that later ones replace
CORTEN_COLD void replace_pairs(spec::ElementsOf<spec::Pair>& pairs) {
  for (std::size_t i = pairs.size(); i-- > 0;) {
    if (!pairs[i].replace.value_or(false)) continue;
    for (std::size_t k = i; k-- > 0;) {
      const spec::Pair &a = pairs[i], &b = pairs[k];
      const bool same =
          (a.geom1 == b.geom1 && a.geom2 == b.geom2) || (a.geom1 == b.geom2 && a.geom2 == b.geom1);
      if (!same) continue;
      pairs.erase(k);
      --i;
    }
  }
}

CORTEN_COLD void write_pairs(Draft& d) {
  Model<double>& m = d.m;
  List<detail::PairIds> ids(d.pairs.size());
  for (std::size_t i = 0; i < d.pairs.size(); ++i) {
    d.note(d.pairs[i], detail::find_pair(d, d.pairs[i], ids[i]));
  }
  int i = 0;
  for (const int from : detail::order_of(ids)) {
    const spec::Pair& e = at(d.pairs, from);
    m.names.pair.push_back(e.name);
    put(m.pair_geom1, i, at(ids, from).geom1);
    put(m.pair_geom2, i, at(ids, from).geom2);
    put(m.pair_signature, i, at(ids, from).signature);
    if (!d.has_failed(e)) detail::write_pair(m, i, e);
    ++i;
  }
}

CORTEN_COLD void write_excludes(Draft& d) {
  List<detail::PairIds> ids;
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
