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
#include <corten/spec/flex_cells.hpp>
#include <corten/spec/flex_shapes.hpp>
#include <corten/spec/spec.hpp>

#include <memory>
#include <string>
#include <utility>

namespace corten::spec {

namespace detail {

// a flexcomp being made
struct FlexcompDraft {
  const Flexcomp& e;
  Body& parent;
  int dim = 2;
  bool rigid = false, centred = false;
  FlexPoints points;
  PointBounds box;  // around all points
  NodeGrid grid;
  List<int> pinned;  // points, or nodes if there are any: 1 or 0
  Flex flex;

  FlexcompDraft(const Flexcomp& element, Body& body) : e(element), parent(body) {}

  int count() const { return static_cast<int>(points.vert.size() / 3); }
};

inline constexpr double least_flex_number = 1e-15;  // as in MuJoCo

// limits, since a short text could ask for any number
inline constexpr int max_flex_bodies = 65533;  // as many as a model can have
inline constexpr double max_flex_nodes = 1e6;

CORTEN_COLD Result<void> check_flexcomp(const Flexcomp& e, const Body& parent) {
  if (e.name.empty()) return e.error("a flexcomp needs a name", "its bodies are named after it");
  if (parent.name.empty()) {
    return e.error("the body that contains a flexcomp needs a name", "give it one");
  }
  const int dim = e.dim.value_or(2);
  if (dim < 1 || dim > 3) return e.error("dim must be 1, 2 or 3");
  for (const double s : e.scale.value_or(Numbers<3>{1, 1, 1})) {
    if (!(s >= least_flex_number)) return e.error("scale must be positive");
  }
  if (!(e.mass.value_or(1) >= least_flex_number)) return e.error("mass must be positive");
  if (!(e.inertiabox.value_or(0.005) >= least_flex_number)) {
    return e.error("inertiabox must be positive");
  }
  double nodes = 1;
  for (const int c : e.cellcount.value_or(std::array<int, 3>{1, 1, 1})) {
    if (c < 1) return e.error("cellcount must be positive");
    nodes *= 2.0 * c + 1;
  }
  if (nodes > max_flex_nodes) return e.error("cellcount is too large");
  const bool held = e.edge.equality.value_or(FlexEquality::none) != FlexEquality::none;
  if (held && e.elasticity.young.value_or(0) > 0 && e.elasticity.elastic2d != Elastic2d::bend) {
    return e.error("a flex cannot have both equality constraints and elasticity",
                   "remove young, or equality, or use elastic2d=\"bend\"");
  }
  return {};
}

CORTEN_COLD Result<void> check_flex_points(const FlexcompDraft& d) {
  const Flexcomp& e = d.e;
  if (d.points.vert.empty()) return e.error("there are no points", "give point, or a type or file");
  if (d.points.corner.empty()) return e.error("there are no elements", "give element");
  if (d.points.vert.size() % 3 != 0) return e.error("point needs a multiple of 3 numbers");
  const auto corners = static_cast<std::size_t>(d.dim + 1);
  if (d.points.corner.size() % corners != 0) {
    return e.error("element needs a multiple of " + std::to_string(corners) + " numbers");
  }
  for (std::size_t i = 0; i < d.points.vert.size(); ++i) {
    if (std::isfinite(d.points.vert[i])) continue;
    return e.error("point " + std::to_string(i / 3) + " is not finite");
  }
  for (std::size_t i = 0; i < d.points.corner.size(); ++i) {
    const int v = d.points.corner[i];
    if (v >= 0 && v < d.count()) continue;
    return e.error("element " + std::to_string(i / corners) + " refers to point " +
                       std::to_string(v) + ", which does not exist",
                   "points are numbered from 0 to " + std::to_string(d.count() - 1));
  }
  return {};
}

// scales points that were given, and moves all into the frame of the parent
CORTEN_COLD Result<void> place_flex_points(const AngleUnit& unit, FlexcompDraft& d) {
  Quatd quat;
  if (auto done = read_orientation(unit, d.e.orientation, quat); !done) {
    return d.e.error(done.error().message);
  }
  const Vec3d pos = to_vec(d.e.pos.value_or(Numbers<3>{0, 0, 0}));
  const Numbers<3> scale = d.e.scale.value_or(Numbers<3>{1, 1, 1});
  for (std::size_t i = 0; i < d.points.vert.size(); i += 3) {
    double* x = &d.points.vert[i];
    for (std::size_t k = 0; k < 3 && d.e.is_direct(); ++k) x[k] *= scale[k];
    const Vec3d moved = rotate(quat, Vec3d(x[0], x[1], x[2])) + pos;
    for (int k = 0; k < 3; ++k) x[k] = moved[k];
  }
  d.box = PointBounds::of(d.points.vert);
  return {};
}

// ---- pins ---------------------------------------------------------------------------------------

class FlexPins {
 public:
  explicit FlexPins(FlexcompDraft& draft) : d_(draft), e_(draft.e), n_(draft.e.counts()) {}

  CORTEN_COLD Result<void> apply() {
    for (const Flexcomp::Pin& pin : e_.pins) {
      if (auto done = check_sizes(pin); !done) return done;
      if (auto done = pin_ids(pin); !done) return done;
      if (auto done = pin_ranges(pin); !done) return done;
      if (auto done = pin_grid(pin); !done) return done;
      if (auto done = pin_gridranges(pin); !done) return done;
    }
    if (e_.dof == FlexDof::radial) d_.pinned[0] = 1;
    return {};
  }

 private:
  static int size(const Optional<List<int>>& list) {
    return list ? static_cast<int>(list->size()) : 0;
  }

  CORTEN_COLD Result<void> check_sizes(const Flexcomp::Pin& pin) const {
    const bool gridded = pin.grid || pin.gridrange;
    if (size(pin.range) % 2 != 0) return e_.error("range of a pin needs pairs of points");
    if (size(pin.grid) % d_.dim != 0) {
      return e_.error("grid of a pin needs a multiple of " + std::to_string(d_.dim) + " numbers");
    }
    if (size(pin.gridrange) % (2 * d_.dim) != 0) {
      return e_.error("gridrange of a pin needs a multiple of " + std::to_string(2 * d_.dim) +
                      " numbers");
    }
    const bool grid = e_.type.value_or(FlexcompType::grid) == FlexcompType::grid;
    if (gridded && !grid && !e_.is_interpolated()) {
      return e_.error("grid and gridrange of a pin need type=\"grid\" or nodes", "use id or range");
    }
    if (gridded && d_.dim == 1) {
      return e_.error("grid and gridrange of a pin need dim 2 or 3", "use id or range");
    }
    return {};
  }

  CORTEN_COLD Result<void> out_of_range(int id, int count) const {
    return e_.error("pin " + std::to_string(id) + " is out of range",
                    "numbers run from 0 to " + std::to_string(count - 1));
  }

  CORTEN_COLD Result<void> pin_ids(const Flexcomp::Pin& pin) {
    for (int i = 0; i < size(pin.id); ++i) {
      const int id = (*pin.id)[static_cast<std::size_t>(i)];
      if (id < 0 || id >= d_.count()) return out_of_range(id, d_.count());
      d_.pinned[static_cast<std::size_t>(id)] = 1;
    }
    return {};
  }

  CORTEN_COLD Result<void> pin_ranges(const Flexcomp::Pin& pin) {
    for (int i = 0; i < size(pin.range); i += 2) {
      const int first = (*pin.range)[static_cast<std::size_t>(i)];
      const int last = (*pin.range)[static_cast<std::size_t>(i + 1)];
      if (first < 0 || first >= d_.count()) return out_of_range(first, d_.count());
      if (last < 0 || last >= d_.count()) return out_of_range(last, d_.count());
      for (int id = first; id <= last; ++id) d_.pinned[static_cast<std::size_t>(id)] = 1;
    }
    return {};
  }

  // As in MuJoCo, places in a grid are numbered by `count`, even if they are those of nodes.
  CORTEN_COLD Result<void> pin_place(const int (&p)[3]) {
    const int id = d_.dim == 2 ? p[0] * n_[1] + p[1] : (p[0] * n_[1] + p[1]) * n_[2] + p[2];
    if (id >= static_cast<int>(d_.pinned.size())) {
      return out_of_range(id, static_cast<int>(d_.pinned.size()));
    }
    d_.pinned[static_cast<std::size_t>(id)] = 1;
    return {};
  }

  CORTEN_COLD Result<void> pin_grid(const Flexcomp::Pin& pin) {
    const bool nodes =
        e_.is_interpolated() && e_.type.value_or(FlexcompType::grid) != FlexcompType::grid;
    for (int i = 0; i < size(pin.grid); i += d_.dim) {
      int place[3] = {0, 0, 0};
      for (int k = 0; k < d_.dim; ++k) {
        place[k] = (*pin.grid)[static_cast<std::size_t>(i + k)];
        const int count = nodes ? d_.grid.order + 1 : n_[static_cast<std::size_t>(k)];
        if (place[k] < 0 || place[k] >= count) return out_of_range(place[k], count);
      }
      if (auto done = pin_place(place); !done) return done;
    }
    return {};
  }

  CORTEN_COLD Result<void> pin_gridranges(const Flexcomp::Pin& pin) {
    for (int i = 0; i < size(pin.gridrange); i += 2 * d_.dim) {
      int low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
      for (int k = 0; k < d_.dim; ++k) {
        low[k] = (*pin.gridrange)[static_cast<std::size_t>(i + k)];
        high[k] = (*pin.gridrange)[static_cast<std::size_t>(i + d_.dim + k)];
        const int count = n_[static_cast<std::size_t>(k)];
        if (low[k] < 0 || low[k] >= count) return out_of_range(low[k], count);
        if (high[k] < 0 || high[k] >= count) return out_of_range(high[k], count);
      }
      for (int x = low[0]; x <= high[0]; ++x) {
        for (int y = low[1]; y <= high[1]; ++y) {
          for (int z = low[2]; z <= high[2]; ++z) {
            if (auto done = pin_place({x, y, z}); !done) return done;
          }
        }
      }
    }
    return {};
  }

  FlexcompDraft& d_;
  const Flexcomp& e_;
  std::array<int, 3> n_;
};

CORTEN_COLD Result<void> pin_flex(FlexcompDraft& d) {
  d.rigid = d.e.rigid.value_or(false);
  const int nodes = d.e.is_interpolated() ? d.grid.nodes() : 0;
  d.pinned.assign(static_cast<std::size_t>(std::max(d.count(), nodes)), d.rigid ? 1 : 0);
  if (d.rigid) return {};
  if (auto done = FlexPins(d).apply(); !done) return done;
  int pins = 0;
  for (int i = 0; i < d.count(); ++i) pins += d.pinned[static_cast<std::size_t>(i)];
  d.rigid = pins == d.count();
  d.centred = pins == 0;
  return {};
}

// removes points that no element uses, which only given points can be
CORTEN_COLD void drop_unused_points(FlexcompDraft& d) {
  if (!d.e.is_direct()) return;
  const auto n = static_cast<std::size_t>(d.count());
  List<int> number(n, -1);
  for (const int v : d.points.corner) number[static_cast<std::size_t>(v)] = 0;
  List<double>& vert = d.points.vert;
  Optional<List<double>>& texcoord = d.flex.texcoord;
  const bool textured = texcoord && texcoord->size() >= 2 * n;
  std::size_t next = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (number[i] < 0) continue;
    for (std::size_t k = 0; k < 3; ++k) vert[3 * next + k] = vert[3 * i + k];
    for (std::size_t k = 0; k < 2 && textured; ++k) {
      (*texcoord)[2 * next + k] = (*texcoord)[2 * i + k];
    }
    d.pinned[next] = d.pinned[i];
    number[i] = static_cast<int>(next++);
  }
  for (int& v : d.points.corner) v = number[static_cast<std::size_t>(v)];
  vert.resize(3 * next);
  if (textured) texcoord->resize(2 * next);
}

// ---- bodies -------------------------------------------------------------------------------------

// a body with the inertia of a box, and sliders along some directions
CORTEN_COLD Body& add_flex_body(FlexcompDraft& d, std::string name, const Vec3d& pos, double mass,
                                const List<Vec3d>& axes) {
  Body& body = d.parent.bodies.emplace_back();
  body.where = d.e.where;
  body.path = d.e.path;
  body.name = std::move(name);
  body.pos = Numbers<3>{pos[0], pos[1], pos[2]};
  const double box = d.e.inertiabox.value_or(0.005), inertia = mass * (2.0 * box * box) / 3.0;
  body.inertial.emplace();
  body.inertial->pos = Numbers<3>{0, 0, 0};
  body.inertial->mass = mass;
  body.inertial->diaginertia = Numbers<3>{inertia, inertia, inertia};
  for (const Vec3d& axis : axes) {
    Joint& joint = body.joints.emplace_back();
    joint.where = d.e.where;
    joint.path = d.e.path;
    joint.type = JointType::slide;
    joint.pos = Numbers<3>{0, 0, 0};
    joint.axis = Numbers<3>{axis[0], axis[1], axis[2]};
  }
  return body;
}

inline const List<Vec3d>& all_axes() {
  static const List<Vec3d> axes{Vec3d(1, 0, 0), Vec3d(0, 1, 0), Vec3d(0, 0, 1)};
  return axes;
}

// one body per point that is not pinned
CORTEN_COLD void add_point_bodies(FlexcompDraft& d) {
  const double mass = d.e.mass.value_or(1) / d.count();
  for (int i = 0; i < d.count(); ++i) {
    if (d.pinned[static_cast<std::size_t>(i)] != 0) {
      d.flex.body.push_back(d.parent.name);
      continue;
    }
    double* x = &d.points.vert[3 * static_cast<std::size_t>(i)];
    const Vec3d pos(x[0], x[1], x[2]);
    List<Vec3d> axes = all_axes();
    if (d.e.dof == FlexDof::plane) axes.resize(2, Vec3d::Zero());
    if (d.e.dof == FlexDof::radial) {
      axes.assign(1, pos);
      normalized(axes[0]);
    }
    const std::string name = d.e.name + "_" + std::to_string(i);
    add_flex_body(d, name, pos, mass, axes);
    d.flex.body.push_back(name);
    for (int k = 0; k < 3; ++k) x[k] = 0;
  }
}

// pins the nodes that no element moves: those of empty cells, or those inside a shell
CORTEN_COLD void pin_idle_nodes(FlexcompDraft& d) {
  const NodeGrid& g = d.grid;
  const bool shell = d.e.elasticity.elastic2d.value_or(Elastic2d::none) != Elastic2d::none;
  if (!shell) {
    d.flex.empty_cells = find_empty_cells(g, d.box, d.points.vert, d.points.corner, d.dim);
  }
  const auto cells_at = [&](int node, int axis, int& low, int& high) {
    low = node == 0 ? 0 : (node - 1) / g.order;
    high = std::min(g.cells[static_cast<std::size_t>(axis)] - 1, node / g.order);
  };
  const auto idle = [&](int i, int j, int k) {
    const auto inner = [&](int at, int axis) { return at > 0 && at < g.along(axis) - 1; };
    if (shell) return inner(i, 0) && inner(j, 1) && inner(k, 2);
    int low[3], high[3];
    cells_at(i, 0, low[0], high[0]);
    cells_at(j, 1, low[1], high[1]);
    cells_at(k, 2, low[2], high[2]);
    for (int x = low[0]; x <= high[0]; ++x) {
      for (int y = low[1]; y <= high[1]; ++y) {
        for (int z = low[2]; z <= high[2]; ++z) {
          if (d.flex.empty_cells[static_cast<std::size_t>(g.cell(x, y, z))] == 0) return false;
        }
      }
    }
    return true;
  };
  for (int i = 0; i < g.along(0); ++i) {
    for (int j = 0; j < g.along(1); ++j) {
      for (int k = 0; k < g.along(2); ++k) {
        if (idle(i, j, k)) d.pinned[static_cast<std::size_t>(g.node(i, j, k))] = 1;
      }
    }
  }
}

// the share of a node in the mass of its cells: equal for linear interpolation, by Simpson's rule
// for quadratic
inline double node_share(const NodeGrid& g, int i, int axis) {
  if (g.order == 1) return 1;
  if (i % 2 != 0) return 2. / 3.;
  return i > 0 && i < g.along(axis) - 1 ? 2. / 6. : 1. / 6.;
}

CORTEN_COLD void add_node_bodies(FlexcompDraft& d) {
  const NodeGrid& g = d.grid;
  List<double> coordinates(3 * static_cast<std::size_t>(g.nodes()), 0.0);
  List<Body*> added;
  double total = 0;
  for (int i = 0; i < g.along(0); ++i) {
    for (int j = 0; j < g.along(1); ++j) {
      for (int k = 0; k < g.along(2); ++k) {
        const int place[3] = {i, j, k};
        const auto node = static_cast<std::size_t>(g.node(i, j, k));
        Vec3d x;
        for (std::size_t a = 0; a < 3; ++a) {
          const double share = static_cast<double>(place[a]) / (g.cells[a] * g.order);
          x[static_cast<int>(a)] = d.box.low[a] + share * (d.box.high[a] - d.box.low[a]);
        }
        if (d.pinned[node] != 0) {
          for (std::size_t a = 0; a < 3; ++a) {
            coordinates[3 * node + a] = x[static_cast<int>(a)];
          }
          d.flex.node.push_back(d.parent.name);
          continue;
        }
        const double mass = node_share(g, i, 0) * node_share(g, j, 1) * node_share(g, k, 2);
        const std::string name =
            d.e.name + "_" + std::to_string(i) + "_" + std::to_string(j) + "_" + std::to_string(k);
        added.push_back(&add_flex_body(d, name, x, mass, all_axes()));
        total += mass;
        d.flex.node.push_back(name);
      }
    }
  }
  const double scale = total > 0 ? d.e.mass.value_or(1) / total : 1;
  for (Body* body : added) {
    *body->inertial->mass *= scale;
    for (double& m : *body->inertial->diaginertia) m *= scale;
  }
  if (!d.centred) d.flex.nodecoord = coordinates;
}

CORTEN_COLD void add_nodes(FlexcompDraft& d) {
  d.flex.body.assign(static_cast<std::size_t>(d.count()), d.parent.name);
  d.flex.dof = d.e.dof;
  d.flex.cellcount = d.grid.cells;
  pin_idle_nodes(d);
  for (int i = 0; i < d.grid.nodes() && d.centred; ++i) {
    d.centred = d.pinned[static_cast<std::size_t>(i)] == 0;
  }
  add_node_bodies(d);
}

// ---- equality constraints -----------------------------------------------------------------------

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
