// SPDX-License-Identifier: Apache-2.0
//
// discardvisual: removes geoms that nothing can touch and nothing refers to. Their mass stays with
// their bodies.
#pragma once

#include <corten/compile/assets.hpp>
#include <corten/compile/rows.hpp>
#include <corten/core/list.hpp>

#include <algorithm>
#include <string>

namespace corten::compiler {

namespace detail {

// geoms that something refers to by name
CORTEN_COLD List<bool> referred_geoms(const Draft& d) {
  List<bool> out(d.geoms.size(), false);
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

// meshes that a geom or a sensor still uses
CORTEN_COLD List<int> used_meshes(const Draft& d) {
  List<bool> used(d.meshes.size(), false);
  const auto mark = [&](const std::string& name) {
    const int i = d.index.mesh.find(name);
    if (i >= 0) used[static_cast<std::size_t>(i)] = true;
  };
  for (const spec::Geom& e : d.geoms) mark(e.mesh.value_or(""));
  for (const spec::Sensor& e : d.sensors) {
    if (e.objtype == ObjectType::mesh) mark(e.objname);
  }
  List<int> out;
  for (int i = 0; i < d.m.n.nmesh; ++i) {
    if (used[static_cast<std::size_t>(i)]) out.push_back(i);
  }
  return out;
}

// removes the unused meshes and writes the arrays of the others again
CORTEN_COLD Result<void> discard_meshes(Draft& d) {
  Model<double>& m = d.m;
  Sizes& n = m.n;
  const List<int> rows = used_meshes(d), to = inverse_rows(n.nmesh, rows);
  for (int g = 0; g < n.ngeom; ++g) {
    int& id = at(m.geom_dataid, g);
    if (at(d.geoms, g).mesh && id >= 0) id = at(to, id);
  }
  take_elements(d.meshes, rows);
  take_rows(d.solids, n.nmesh, rows);
  reindex(d.meshes, d.index.mesh);
  n.nmeshtree = n.nmeshtangent = 0;
  n.nmeshvert = n.nmeshface = n.nmeshgraph = n.nmeshpoly = n.nmeshpolyvert = 0;
  if (auto done = count_assets(d); !done) return done;
  m.allocate("n.nmesh");
  write_assets(d);
  return {};
}

}  // namespace detail

// Call it after all geoms are written and before anything that refers to their ids.
CORTEN_COLD Result<void> discard_visual(Draft& d) {
  if (!d.spec.compiler.discardvisual.value_or(false)) return {};
  const List<bool> referred = detail::referred_geoms(d);
  List<int> rows;
  for (int g = 0; g < d.m.n.ngeom; ++g) {
    const bool touches = at(d.m.geom_contype, g) != 0 || at(d.m.geom_conaffinity, g) != 0;
    if (touches || referred[static_cast<std::size_t>(g)]) rows.push_back(g);
  }
  take_geoms(d, rows);
  // materials are visual too
  d.m.n.nmat = 0;
  d.m.allocate("n.nmat");
  std::fill(d.m.geom_matid.begin(), d.m.geom_matid.end(), -1);
  std::fill(d.m.site_matid.begin(), d.m.site_matid.end(), -1);
  return d.m.n.nmesh > 0 ? detail::discard_meshes(d) : Result<void>{};
}

}  // namespace corten::compiler
