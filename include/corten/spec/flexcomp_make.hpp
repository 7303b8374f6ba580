// SPDX-License-Identifier: Apache-2.0
//
// Adds a <flexcomp> to a spec, as a flex, the bodies of its vertices or nodes, and its equality
// constraints:
//
//   spec::Flexcomp towel;
//   towel.name = "towel";
//   towel.count = std::array<int, 3>{9, 9, 1};
//   spec::add_flexcomp(spec, spec.world, towel);
#pragma once

#include <corten/asset/file.hpp>
#include <corten/spec/flexcomp_bodies.hpp>
#include <corten/spec/flexcomp_pins.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace corten::spec {

namespace detail {

CORTEN_COLD void add_flex_equality(Spec& spec, const FlexcompDraft& d, EqualityType type,
                                   const Optional<Numbers<3>>& cell = {}) {
  Equality& out = spec.equalities.emplace_back();
  out.where = d.e.where;
  out.path = d.e.path;
  out.type = type;
  out.active = true;
  out.flex = d.e.name;
  out.cell = cell;
  // explicit, so that no default class applies
  out.solref = Leading<2>::all(d.e.edge.solref.value_or({0.02, 1}));
  out.solimp = Leading<5>::all(d.e.edge.solimp.value_or({0.9, 0.95, 0.001, 0.5, 2}));
}

CORTEN_COLD void add_flex_equalities(Spec& spec, const FlexcompDraft& d) {
  const FlexEquality kind = d.e.edge.equality.value_or(FlexEquality::none);
  if (kind == FlexEquality::edge) add_flex_equality(spec, d, EqualityType::flex);
  if (kind == FlexEquality::vertex) add_flex_equality(spec, d, EqualityType::flexvert);
  if (kind != FlexEquality::strain) return;
  const std::array<int, 3>& c = d.grid.cells;
  const bool shell = d.e.is_interpolated() &&
                     d.e.elasticity.elastic2d.value_or(Elastic2d::none) != Elastic2d::none;
  const int faces = shell ? 2 * (c[1] * c[2] + c[0] * c[2] + c[0] * c[1]) : 0;
  for (int f = 0; f < faces; ++f) {
    add_flex_equality(spec, d, EqualityType::flexstrain,
                      Numbers<3>{static_cast<double>(f), -1, -1});
  }
  for (int i = 0; i < c[0] && !shell; ++i) {
    for (int j = 0; j < c[1]; ++j) {
      for (int k = 0; k < c[2]; ++k) {
        const List<int>& empty = d.flex.empty_cells;
        if (!empty.empty() && empty[static_cast<std::size_t>(d.grid.cell(i, j, k))] != 0) continue;
        add_flex_equality(
            spec, d, EqualityType::flexstrain,
            Numbers<3>{static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)});
      }
    }
  }
}

// copies the attributes that a flex has as well
CORTEN_COLD void copy_flex_attributes(const Flexcomp& e, int dim, Flex& out) {
  out.name = e.name;
  out.where = e.where;
  out.path = e.path;
  out.group = e.group;
  out.dim = dim;
  out.radius = e.radius;
  out.material = e.material;
  out.rgba = e.rgba;
  out.flatskin = e.flatskin;
  const FlexcompType type = e.type.value_or(FlexcompType::grid);
  if (type == FlexcompType::box || type == FlexcompType::cylinder ||
      (type == FlexcompType::grid && dim == 3)) {
    out.flatskin = true;
  }
  out.texcoord = e.texcoord;
  out.contact = e.contact;
  out.edge = e.edge;
  out.elasticity = e.elasticity;
}

}  // namespace detail

// Adds a flexcomp to a body, which must have a name. As in MuJoCo, frames around the element have
// no effect on it.
CORTEN_COLD Result<void> add_flexcomp(Spec& spec, Body& parent, Flexcomp e) {
  if (auto done = detail::check_flexcomp(e, parent); !done) return done;
  if (e.file && !e.content.bytes) {
    std::optional<std::string> bytes = load_file(*e.file);
    if (!bytes) return e.error("cannot read '" + *e.file + "'");
    e.content = {std::make_shared<const std::string>(*std::move(bytes)), *e.file};
  }
  detail::FlexcompDraft d(e, parent);
  d.dim = e.dim.value_or(2);
  d.grid.order = e.dof == FlexDof::quadratic ? 2 : 1;
  d.grid.cells = e.cellcount.value_or(d.grid.cells);
  if (!e.is_interpolated()) d.grid.cells = {1, 1, 1};
  if (auto done = detail::make_flex_points(e, d.dim, d.points); !done) return done;
  if (auto done = detail::check_flex_points(d); !done) return done;
  if (auto done = detail::place_flex_points(AngleUnit(spec.compiler), d); !done) return done;
  if (auto done = detail::pin_flex(d); !done) return done;
  if (!d.rigid && !e.is_interpolated() && d.count() > detail::max_flex_bodies) {
    return e.error("there are more than 65,533 points, and each would be a body",
                   "make the flex rigid, or let it follow nodes (dof=\"trilinear\")");
  }
  detail::copy_flex_attributes(e, d.dim, d.flex);
  detail::drop_unused_points(d);
  d.flex.element = d.points.corner;
  if (d.rigid) {
    d.flex.body.push_back(parent.name);
  } else if (e.is_interpolated()) {
    detail::add_nodes(d);
  } else {
    detail::add_point_bodies(d);
  }
  if (!d.centred || e.is_interpolated()) d.flex.vertex = d.points.vert;
  if (!d.rigid) detail::add_flex_equalities(spec, d);
  spec.flexes.push_back(d.flex);
  return {};
}

}  // namespace corten::spec
