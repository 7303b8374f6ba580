// SPDX-License-Identifier: Apache-2.0
//
// Reorders or removes bodies, geoms, sites, cameras and lights of a draft. Every model array with
// one row per element follows, and so do the ids that refer to them.
#pragma once

#include <corten/compile/elements.hpp>
#include <corten/core/list.hpp>

#include <string_view>
#include <utility>

namespace corten::compiler {

namespace detail {

// keeps the given rows of an array that has `before` rows, in the given order
template <class T>
CORTEN_COLD void take_rows(List<T>& field, int before, const List<int>& rows) {
  if (before == 0) return;
  const std::size_t width = field.size() / static_cast<std::size_t>(before);
  List<T> out;
  out.reserve(width * rows.size());
  for (const int r : rows) {
    const auto first = field.begin() + static_cast<std::ptrdiff_t>(width) * r;
    out.append(first, first + static_cast<std::ptrdiff_t>(width));
  }
  field.swap(out);
}

template <class T>
CORTEN_COLD void take_elements(spec::ElementsOf<T>& list, const List<int>& rows) {
  spec::ElementsOf<T> out;
  for (const int r : rows) out.push_back(list[static_cast<std::size_t>(r)]);
  list = std::move(out);
}

// keeps the given rows of every model array that has one row per element of a kind, e.g. "n.ngeom"
CORTEN_COLD void take_model_rows(Model<double>& m, std::string_view kind, int before,
                                 const List<int>& rows) {
  corten::detail::for_arrays<double>([&](const ModelArray<double>& a, auto array) {
    if (kind == a.per) take_rows(m.*array, before, rows);
  });
}

// the new index of each of `before` rows, or -1 if it was removed
CORTEN_COLD List<int> inverse_rows(int before, const List<int>& rows) {
  List<int> out(static_cast<std::size_t>(before), -1);
  for (std::size_t i = 0; i < rows.size(); ++i) at(out, rows[i]) = static_cast<int>(i);
  return out;
}

template <class T>
CORTEN_COLD void reindex(const spec::ElementsOf<T>& elements, Index& index) {
  index = {};
  int id = 0;
  for (const T& e : elements) index.add(e.name, id++);
}

// keeps the given elements of a kind, in their list, the model and the index of names
template <class T>
CORTEN_COLD void take_kind(Model<double>& m, std::string_view kind, int before,
                           const List<int>& rows, spec::ElementsOf<T>& elements, Index& index) {
  take_model_rows(m, kind, before, rows);
  take_elements(elements, rows);
  reindex(elements, index);
}

// updates the first element and the number of elements of each body; `owner` has the body of each
CORTEN_COLD void find_in_bodies(Draft& d, const List<int>& owner, int BodyEntry::*first,
                                int BodyEntry::*count) {
  for (BodyEntry& b : d.bodies) b.*count = 0;
  for (int i = static_cast<int>(owner.size()) - 1; i >= 0; --i) {
    BodyEntry& b = at(d.bodies, at(owner, i));
    b.*first = i;
    ++(b.*count);
  }
}

inline void renumber(List<int>& ids, const List<int>& to) {
  for (int& id : ids) id = id < 0 ? id : at(to, id);
}

}  // namespace detail

// Keeps the given geoms in the given order, in which those of a body must stay together, and
// updates the bodies.
CORTEN_COLD void take_geoms(Draft& d, const List<int>& rows) {
  Model<double>& m = d.m;
  const int before = m.n.ngeom;
  detail::take_kind(m, "n.ngeom", before, rows, d.geoms, d.index.geom);
  detail::take_rows(d.geom_mass, before, rows);
  detail::take_rows(d.geom_inertia, before, rows);
  m.n.ngeom = static_cast<int>(rows.size());
  detail::find_in_bodies(d, m.geom_bodyid, &BodyEntry::geom, &BodyEntry::num_geoms);
  for (int b = 0; b < m.n.nbody; ++b) {
    const BodyEntry& entry = at(d.bodies, b);
    put(m.body_geomnum, b, entry.num_geoms);
    put(m.body_geomadr, b, entry.num_geoms > 0 ? entry.geom : -1);
  }
}

// the same for cameras, lights and sites
CORTEN_COLD void take_cameras(Draft& d, const List<int>& rows) {
  detail::take_kind(d.m, "n.ncam", d.m.n.ncam, rows, d.cameras, d.index.camera);
}

CORTEN_COLD void take_lights(Draft& d, const List<int>& rows) {
  detail::take_kind(d.m, "n.nlight", d.m.n.nlight, rows, d.lights, d.index.light);
}

CORTEN_COLD void take_sites(Draft& d, const List<int>& rows) {
  detail::take_kind(d.m, "n.nsite", d.m.n.nsite, rows, d.sites, d.index.site);
  detail::find_in_bodies(d, d.m.site_bodyid, &BodyEntry::site, &BodyEntry::num_sites);
}

// Keeps the given bodies in the given order. Nothing may be attached to the others any more.
CORTEN_COLD void take_bodies(Draft& d, const List<int>& rows) {
  Model<double>& m = d.m;
  const List<int> to = detail::inverse_rows(m.n.nbody, rows);
  detail::take_model_rows(m, "n.nbody", m.n.nbody, rows);
  detail::take_rows(d.bodies, m.n.nbody, rows);
  m.n.nbody = static_cast<int>(rows.size());
  for (List<int>* ids :
       {static_cast<List<int>*>(&m.body_parentid), static_cast<List<int>*>(&m.jnt_bodyid),
        static_cast<List<int>*>(&m.dof_bodyid), static_cast<List<int>*>(&m.geom_bodyid),
        static_cast<List<int>*>(&m.site_bodyid), static_cast<List<int>*>(&m.cam_bodyid),
        static_cast<List<int>*>(&m.light_bodyid)}) {
    detail::renumber(*ids, to);
  }
  m.n.ngravcomp = 0;
  d.index.body = {};
  for (int b = 0; b < m.n.nbody; ++b) {
    BodyEntry& entry = at(d.bodies, b);
    entry.parent = at(m.body_parentid, b);
    entry.num_children = 0;
    if (b > 0) ++at(d.bodies, entry.parent).num_children;
    if (at(m.body_gravcomp, b) > 0) ++m.n.ngravcomp;
    d.index.body.add(b == 0 ? std::string("world") : entry.spec->name, b);
  }
}

}  // namespace corten::compiler
