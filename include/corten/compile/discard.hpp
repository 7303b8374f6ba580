// SPDX-License-Identifier: Apache-2.0
//
// discardvisual: geoms that nothing can touch and nothing refers to are left out. What they weigh stays
// with their bodies.
#pragma once

#include <corten/compile/rows.hpp>

#include <algorithm>
#include <vector>

namespace corten::compiler {

namespace detail {

// geoms that something refers to by name
CORTEN_COLD std::vector<bool> referred_geoms(const Draft& d) {
  std::vector<bool> out(d.geoms.size(), false);
  const auto mark = [&](ObjectType type, const std::string& name) {
    const int g = type == ObjectType::geom ? d.index.geom.find(name) : -1;
    if (g >= 0) out[static_cast<std::size_t>(g)] = true;
  };
  for (const spec::Pair& e : d.pairs) {
    mark(ObjectType::geom, e.geom1.value_or(""));
    mark(ObjectType::geom, e.geom2.value_or(""));
  }
  for (const spec::Tendon& e : d.tendons) {
    for (const spec::Tendon::Entry& entry : e.entries) mark(ObjectType::geom, entry.geom);
  }
  for (const spec::Equality& e : d.equalities) {
    mark(ObjectType::geom, e.geom1.value_or(""));
    mark(ObjectType::geom, e.geom2.value_or(""));
  }
  for (const spec::Sensor& e : d.sensors) {
    mark(e.objtype, e.objname);
    mark(e.reftype, e.refname);
  }
  for (const spec::Tuple& e : d.spec.tuples) {
    for (const spec::Tuple::Entry& entry : e.entries) mark(entry.objtype, entry.objname);
  }
  return out;
}

}  // namespace detail

// after all geoms are written; before anything that refers to their ids
CORTEN_COLD void discard_visual(Draft& d) {
  if (!d.spec.compiler.discardvisual.value_or(false)) return;
  const std::vector<bool> referred = detail::referred_geoms(d);
  std::vector<int> rows;
  for (int g = 0; g < d.m.n.ngeom; ++g) {
    const bool touches = at(d.m.geom_contype, g) != 0 || at(d.m.geom_conaffinity, g) != 0;
    if (touches || referred[static_cast<std::size_t>(g)]) rows.push_back(g);
  }
  take_geoms(d, rows);
  // materials are visual too
  d.m.n.nmat = 0;
  d.m.mat_rgba.clear();
  std::fill(d.m.geom_matid.begin(), d.m.geom_matid.end(), -1);
}

}  // namespace corten::compiler
