// SPDX-License-Identifier: Apache-2.0
//
// Paths of tendons: checks of their sequence, wrap objects with ids, and the pattern of the
// Jacobian.
#pragma once

#include <corten/compile/joints.hpp>
#include <corten/core/list.hpp>
#include <corten/core/sort.hpp>

#include <algorithm>
#include <cstdint>
#include <string>

namespace corten::compiler {

// the body that a wrap object belongs to; the world for pulleys
template <class S>
int wrap_body(const Model<S>& m, int w) {
  const int id = at(m.wrap_objid, w);
  switch (static_cast<WrapType>(at(m.wrap_type, w))) {
    case WrapType::joint: return at(m.jnt_bodyid, id);
    case WrapType::site: return at(m.site_bodyid, id);
    case WrapType::sphere:
    case WrapType::cylinder: return at(m.geom_bodyid, id);
    case WrapType::none:
    case WrapType::pulley: break;
  }
  return 0;
}

namespace detail {

using PathEntry = spec::Tendon::Entry;
using PathKind = PathEntry::Kind;

CORTEN_COLD Error path_error(const spec::Tendon& e, const PathEntry& entry,
                             std::string_view message, std::string_view remedy = {}) {
  return Error{entry.where, e.path, message, remedy};
}

CORTEN_COLD Result<void> find_in_path(const spec::Tendon& e, const PathEntry& entry,
                                      const Index& index, const char* kind, const std::string& name,
                                      int& id) {
  id = index.find(name);
  if (id >= 0) return {};
  return path_error(e, entry, std::string("unknown ") + kind + " '" + name + "'",
                    index.suggest(name));
}

// checks entry k of a spatial path against its neighbours
CORTEN_COLD Result<void> check_neighbours(const spec::Tendon& e, int k) {
  const int last = static_cast<int>(e.entries.size()) - 1;
  const PathEntry& entry = at(e.entries, k);
  const auto is = [&](int i, PathKind kind) {
    return i >= 0 && i <= last && at(e.entries, i).kind == kind;
  };
  switch (entry.kind) {
    case PathKind::joint:
      return path_error(e, entry, "a spatial tendon cannot have joints in its path",
                        "use <fixed> for joints");
    case PathKind::pulley:
      if (is(k - 1, PathKind::pulley)) return path_error(e, entry, "two pulleys in succession");
      if (k == last) {
        return path_error(e, entry, "the path ends with a pulley", "add two sites after it");
      }
      if (!(entry.divisor > 0)) return path_error(e, entry, "the divisor must be positive");
      break;
    case PathKind::site: {
      const bool begins = k == 0 || is(k - 1, PathKind::pulley);
      const bool ends = k == last || is(k + 1, PathKind::pulley);
      if (begins && ends) {
        return path_error(e, entry, "site '" + entry.site + "' is alone in its branch",
                          "a branch has at least two sites");
      }
      if (is(k + 1, PathKind::site) && at(e.entries, k + 1).site == entry.site) {
        return path_error(e, at(e.entries, k + 1), "site '" + entry.site + "' is repeated");
      }
      break;
    }
    case PathKind::geom:
      if (!is(k - 1, PathKind::site) || !is(k + 1, PathKind::site)) {
        return path_error(e, entry, "geom '" + entry.geom + "' is not between two sites");
      }
      if (e.armature.value_or(0) > 0) {
        return path_error(e, entry, "a tendon with armature cannot wrap around geoms");
      }
      break;
  }
  return {};
}

CORTEN_COLD Result<void> check_spatial(const spec::Tendon& e) {
  const int count = static_cast<int>(e.entries.size());
  if (count < 2) return e.error("the path of a spatial tendon needs at least two objects");
  if (e.width.value_or(0.003) <= 0) return e.error("width must be positive");
  if (e.armature.value_or(0) < 0) return e.error("armature cannot be negative");
  for (int k = 0; k < count; ++k) {
    if (auto done = check_neighbours(e, k); !done) return done;
  }
  return {};
}

// writes a geom to wrap around, and its sidesite
CORTEN_COLD Result<void> write_wrap_geom(Draft& d, const spec::Tendon& e, const PathEntry& entry,
                                         int w) {
  int id = -1, side = -1;
  if (auto done = find_in_path(e, entry, d.index.geom, "geom", entry.geom, id); !done) return done;
  const auto type = static_cast<GeomType>(at(d.m.geom_type, id));
  if (type != GeomType::sphere && type != GeomType::cylinder) {
    return path_error(e, entry, "geom '" + entry.geom + "' is not a sphere or cylinder",
                      "tendons wrap around spheres and cylinders only");
  }
  if (!entry.sidesite.empty()) {
    if (auto done = find_in_path(e, entry, d.index.site, "site", entry.sidesite, side); !done)
      return done;
  }
  put(d.m.wrap_type, w, type == GeomType::sphere ? WrapType::sphere : WrapType::cylinder);
  put(d.m.wrap_objid, w, id);
  put(d.m.wrap_prm, w, static_cast<double>(side));
  return {};
}

CORTEN_COLD Result<void> write_wrap(Draft& d, const spec::Tendon& e, const PathEntry& entry,
                                    int w) {
  Model<double>& m = d.m;
  if (entry.kind == PathKind::geom) return write_wrap_geom(d, e, entry, w);
  int id = -1;
  WrapType type = WrapType::pulley;
  double number = 0;
  if (entry.kind == PathKind::joint) {
    if (auto done = find_in_path(e, entry, d.index.joint, "joint", entry.joint, id); !done)
      return done;
    type = WrapType::joint;
    number = entry.coef;
  } else if (entry.kind == PathKind::site) {
    if (auto done = find_in_path(e, entry, d.index.site, "site", entry.site, id); !done)
      return done;
    type = WrapType::site;
  } else {
    number = entry.divisor;
  }
  put(m.wrap_type, w, type);
  put(m.wrap_objid, w, id);
  put(m.wrap_prm, w, number);
  return {};
}

// Writes the dofs of a row of the Jacobian in ascending order. A fixed tendon has one dof per
// entry, that of the joint; a spatial tendon has all dofs that move one of its bodies.
CORTEN_COLD void write_tendon_row(Draft& d, int t) {
  Model<double>& m = d.m;
  List<std::int64_t> dofs;
  for (int w = at(m.tendon_adr, t); w < at(m.tendon_adr, t) + at(m.tendon_num, t); ++w) {
    if (at(m.wrap_type, w) == static_cast<int>(WrapType::joint)) {
      dofs.push_back(at(m.jnt_dofadr, at(m.wrap_objid, w)));
      continue;
    }
    const int weld = at(m.body_weldid, wrap_body(m, w));
    if (at(m.body_dofnum, weld) == 0) continue;
    int v = at(m.body_dofadr, weld) + at(m.body_dofnum, weld) - 1;
    for (; v >= 0; v = at(m.dof_parentid, v)) {
      if (std::find(dofs.begin(), dofs.end(), v) == dofs.end()) dofs.push_back(v);
    }
  }
  sort(dofs);
  put(m.ten_J_rowadr, t, m.n.nJten);
  put(m.ten_J_rownnz, t, static_cast<int>(dofs.size()));
  for (const std::int64_t v : dofs) m.ten_J_colind.push_back(static_cast<int>(v));
  m.n.nJten += static_cast<int>(dofs.size());
}

}  // namespace detail

// writes the wrap objects of tendon t from `address` on, and its row of the Jacobian
CORTEN_COLD Result<void> write_path(Draft& d, int t, int address) {
  Model<double>& m = d.m;
  const spec::Tendon& e = at(d.tendons, t);
  const int count = static_cast<int>(e.entries.size());
  if (count == 0) return e.error("the path is empty", "add joints or sites to the tendon");
  if (e.is_spatial()) {
    if (auto done = detail::check_spatial(e); !done) return done;
  }
  for (int k = 0; k < count; ++k) {
    const spec::Tendon::Entry& entry = at(e.entries, k);
    if (!e.is_spatial() && entry.kind != detail::PathKind::joint) {
      return detail::path_error(e, entry, "a fixed tendon can have only joints in its path");
    }
    if (auto done = detail::write_wrap(d, e, entry, address + k); !done) return done;
  }
  put(m.tendon_adr, t, address);
  put(m.tendon_num, t, count);
  detail::write_tendon_row(d, t);
  return {};
}

}  // namespace corten::compiler
