// SPDX-License-Identifier: Apache-2.0
//
// Compiles a flex: checks what the spec says, places vertices and nodes at qpos0, and derives
// everything else. Bodies must have been written.
#pragma once

#include <corten/compile/flex_grid.hpp>
#include <corten/compile/flex_stiffness.hpp>
#include <corten/compile/mesh.hpp>

#include <string>

namespace corten::compiler {

namespace detail {

// ---- checks -------------------------------------------------------------------------------------

CORTEN_COLD Result<void> check_flex_numbers(const spec::Flex& e) {
  const spec::FlexContact& c = e.contact;
  if (!is_condim(c.condim.value_or(3))) return e.error("condim must be 1, 3, 4 or 6");
  if (!(e.radius.value_or(0) >= 0)) return e.error("radius must not be negative");
  if (!e.node.empty() && c.selfcollide.value_or(FlexSelf::automatic) != FlexSelf::none) {
    return e.error("a flex with nodes cannot collide with itself",
                   "set selfcollide=\"none\" in <contact>");
  }
  if (!e.node.empty() && c.internal.value_or(false)) {
    return e.error("a flex with nodes has no internal collisions", "set internal=\"false\"");
  }
  if (e.edge.stiffness.value_or(0) > 0 && e.dim.value_or(2) > 1) {
    return e.error("edge stiffness needs dim=\"1\"", "use <elasticity>");
  }
  const spec::FlexElasticity& m = e.elasticity;
  const bool sheet = m.elastic2d.value_or(spec::Elastic2d::none) != spec::Elastic2d::none;
  const double poisson = m.poisson.value_or(0);
  if (sheet && !(m.thickness.value_or(-1) > 0)) {
    return e.error("elastic2d needs a thickness", "give a positive thickness in <elasticity>");
  }
  if ((sheet || m.young.value_or(0) > 0) && !(poisson >= 0 && poisson < 0.5)) {
    return e.error("poisson must be at least 0 and less than 0.5");
  }
  if (sheet && e.dim.value_or(2) != 2 && e.node.empty()) {
    return e.error("elastic2d needs dim=\"2\", or nodes");
  }
  return {};
}

// checks that the lists fit each other, and copies them
CORTEN_COLD Result<void> read_flex_lists(const spec::Flex& e, FlexDraft& f) {
  f.spec = &e;
  f.dim = e.dim.value_or(2);
  if (f.dim < 1 || f.dim > 3) return e.error("dim must be 1, 2 or 3");
  f.radius = e.radius.value_or(0.005);
  f.interpolated = !e.node.empty();
  f.grid = {e.cells(), std::max(e.order(), 1)};
  if (e.element) f.elem = *e.element;
  const auto corners = static_cast<std::size_t>(f.dim + 1);
  if (f.elem.empty()) return e.error("there are no elements", "give element");
  if (f.elem.size() % corners != 0) {
    return e.error("element needs a multiple of " + std::to_string(corners) + " numbers");
  }
  if (e.body.empty()) return e.error("there is no body", "give the bodies of the vertices");
  if (e.vertex) f.vert = *e.vertex;
  if (e.nodecoord) f.node = *e.nodecoord;
  if (f.vert.size() % 3 != 0) return e.error("vertex needs a multiple of 3 numbers");
  f.centred = f.vert.empty();
  const std::size_t nvert = f.centred ? e.body.size() : f.vert.size() / 3;
  f.rigid = !f.centred && e.body.size() == 1;
  if (!f.rigid && e.body.size() != nvert) {
    return e.error("body must name one body, or one for each of the " + std::to_string(nvert) +
                   " vertices");
  }
  if (f.interpolated && (f.rigid || f.centred)) {
    return e.error("a flex with nodes needs a body and a position for each vertex");
  }
  if (nvert < corners)
    return e.error("there are not enough vertices",
                   "an element alone needs " + std::to_string(corners));
  f.vert_x.resize(3 * nvert, 0.0);
  for (const List<double>* list : {&f.vert, &f.node}) {
    for (std::size_t i = 0; i < list->size(); ++i) {
      if (std::isfinite((*list)[i])) continue;
      return e.error(
          (list == &f.vert ? "vertex " : "node ") + std::to_string(i / 3) + " is not finite",
          "give three finite numbers for each");
    }
  }
  return {};
}

CORTEN_COLD Result<void> check_flex_nodes(const spec::Flex& e, const FlexDraft& f) {
  if (f.interpolated && e.order() == 0) {
    return e.error("dof is missing", "a flex with nodes needs dof=\"trilinear\" or \"quadratic\"");
  }
  if (e.order() == 0) return {};
  double nodes = 1;
  for (const int c : f.grid.cells) {
    if (c < 1) return e.error("cellcount must be positive");
    nodes *= double(c) * f.grid.order + 1;
  }
  if (static_cast<double>(e.node.size()) != nodes) {
    return e.error("there are " + std::to_string(e.node.size()) + " nodes, but cellcount and dof " +
                   "need " + std::to_string(static_cast<long long>(nodes)));
  }
  const double dofs = 3 * std::pow(f.grid.order + 1, 3);
  if (dofs * dofs * f.grid.cell_count() > 1e8) {
    return e.error("the grid of nodes has too many cells", "give a smaller cellcount");
  }
  if (!f.node.empty() && f.node.size() != 3 * e.node.size()) {
    return e.error("nodecoord needs three numbers for each node");
  }
  return {};
}

CORTEN_BULK Result<void> check_flex_elements(const spec::Flex& e, const FlexDraft& f) {
  const int corners = f.dim + 1;
  for (int i = 0; i < static_cast<int>(f.elem.size()); ++i) {
    const int v = at(f.elem, i), first = i - i % corners;
    const std::string where = "element " + std::to_string(i / corners);
    if (v < 0 || v >= f.nvert()) {
      return e.error(where + " refers to vertex " + std::to_string(v) + ", which does not exist",
                     "vertices are numbered from 0 to " + std::to_string(f.nvert() - 1));
    }
    for (int k = first; k < i; ++k) {
      if (at(f.elem, k) != v) continue;
      return e.error(where + " has vertex " + std::to_string(v) + " twice",
                     "an element has " + std::to_string(corners) + " different vertices");
    }
  }
  return {};
}

// Stiffness divides by areas and volumes, and edges need a direction.
CORTEN_BULK Result<void> check_flex_shape(const spec::Flex& e, const FlexDraft& f) {
  if (f.rigid || f.interpolated) return {};
  for (int i = 0; i < f.nelem(); ++i) {
    const int* v = &at(f.elem, (f.dim + 1) * i);
    for (int k = 0; k < f.edges_per_element(); ++k) {
      const int a = v[flex_edge_ends[f.dim - 1][k][0]], b = v[flex_edge_ends[f.dim - 1][k][1]];
      if (norm(Vec3d(f.point(a) - f.point(b))) > 0) continue;
      return e.error("vertices " + std::to_string(a) + " and " + std::to_string(b) +
                         " of element " + std::to_string(i) + " are at the same place",
                     "merge them");
    }
    if (f.dim == 1 || !(e.elasticity.young.value_or(0) > 0)) continue;
    const Vec3d a = f.point(v[1]) - f.point(v[0]), b = f.point(v[2]) - f.point(v[0]);
    const Vec3d normal = cross(a, b);
    const double measure =
        f.dim == 2 ? norm(normal) : std::fabs(normal.dot(f.point(v[3]) - f.point(v[0])));
    const double scale = norm(a) * norm(b);
    if (measure > 1e-14 * scale * (f.dim == 2 ? 1 : norm(a))) continue;
    return e.error(
        "element " + std::to_string(i) + (f.dim == 2 ? " has no area" : " has no volume"),
        "remove it, or move its vertices apart");
  }
  return {};
}

// ---- places -------------------------------------------------------------------------------------

CORTEN_COLD Result<void> find_flex_bodies(const Draft& d, FlexDraft& f) {
  const spec::Flex& e = *f.spec;
  for (const std::string& name : e.body) {
    int id = -1;
    if (auto done = find_reference(d.index.body, name, "body", e, id); !done) return done;
    f.vert_body.push_back(id);
    const int joints = at(d.m.body_jntnum, id);
    if (f.dim == 2 && f.bends() && !f.interpolated && joints != 0 && joints != 3) {
      return e.error("body '" + name + "' has " + std::to_string(joints) + " joints",
                     "with bending, vertices move by three joints or not at all");
    }
  }
  for (const std::string& name : e.node) {
    int id = -1;
    if (auto done = find_reference(d.index.body, name, "body", e, id); !done) return done;
    f.node_body.push_back(id);
  }
  if (f.rigid) f.vert_body.assign(f.vert_x.size() / 3, int(f.vert_body[0]));
  bool one = !f.interpolated, zero = true;
  for (const int b : f.vert_body) one = one && b == f.vert_body[0];
  f.rigid = f.rigid || one;
  for (const double x : f.interpolated ? f.node : f.vert) zero = zero && x == 0;
  f.centred = zero;
  return {};
}

// the poses of all bodies at qpos0
CORTEN_COLD List<Pose> reference_poses(const Model<double>& m) {
  List<Pose> out;
  for (int b = 0; b < m.n.nbody; ++b) {
    const Pose own{row<3>(m.body_pos, b), row<4>(m.body_quat, b)};
    out.push_back(b == 0 ? own : compose(at(out, at(m.body_parentid, b)), own));
  }
  return out;
}

CORTEN_BULK void place_flex(const List<Pose>& poses, FlexDraft& f) {
  const auto place = [&](const List<double>* local, int i, int body, List<double>& out) {
    const Pose& pose = at(poses, body);
    Vec3d x = pose.pos;
    if (local != nullptr) x += rotate(pose.quat, row<3>(*local, i));
    put(out, i, x);
  };
  const List<double>* const vert = f.centred && !f.interpolated ? nullptr : &f.vert;
  for (int i = 0; i < f.nvert(); ++i) place(vert, i, at(f.vert_body, i), f.vert_x);
  f.node_x.resize(3 * f.node_body.size(), 0.0);
  const List<double>* const node = f.centred ? nullptr : &f.node;
  for (int i = 0; i < f.nnode(); ++i) place(node, i, at(f.node_body, i), f.node_x);
}

// Turns the nodes so that the grid is along the axes, which its stiffness assumes. The directions
// are those of the first cell that is not empty.
CORTEN_BULK Result<void> turn_nodes(FlexDraft& f) {
  if (!f.interpolated) return {};
  const spec::NodeGrid& g = f.grid;
  int cell = 0;
  while (cell + 1 < static_cast<int>(f.empty_cells.size()) && at(f.empty_cells, cell) != 0) ++cell;
  if (!f.empty_cells.empty() && at(f.empty_cells, cell) != 0) cell = 0;
  const int o = g.order, i = cell / (g.cells[1] * g.cells[2]) * o,
            j = cell / g.cells[2] % g.cells[1] * o, k = cell % g.cells[2] * o;
  const Vec3d first = row<3>(f.node_x, g.node(i, j, k));
  Vec3d axis[3] = {row<3>(f.node_x, g.node(i + o, j, k)) - first,
                   row<3>(f.node_x, g.node(i, j + o, k)) - first,
                   row<3>(f.node_x, g.node(i, j, k + o)) - first};
  for (Vec3d& a : axis) spec::normalized(a);
  for (int a = 0; a < 3; ++a) {
    for (int b = a; b < 3; ++b) {
      if (std::fabs(axis[a].dot(axis[b]) - (a == b ? 1.0 : 0.0)) <= 1e-8) continue;
      return f.spec->error("the grid of nodes is not rectangular", "or one of its sides is zero");
    }
  }
  f.turn = Mat3d::from_rows(axis[0], axis[1], axis[2]);
  for (int n = 0; n < f.nnode(); ++n) put(f.node_x, n, turned(f.turn, row<3>(f.node_x, n)));
  return {};
}

// makes the first three sides of each tetrahedron show outwards
CORTEN_BULK void orient_elements(FlexDraft& f) {
  if (f.dim != 3) return;
  for (int e = 0; e < f.nelem(); ++e) {
    int* v = &at(f.elem, 4 * e);
    const Vec3d x0 = f.point(v[0]);
    const Vec3d normal = cross(Vec3d(f.point(v[1]) - x0), Vec3d(f.point(v[2]) - x0));
    if (normal.dot(f.point(v[3]) - x0) > 0) std::swap(v[1], v[2]);
  }
}

// ---- bounding box -------------------------------------------------------------------------------

// the places of the vertices in a box: around the nodes, or around the elements that can collide
CORTEN_BULK void normalize_vertices(FlexDraft& f, const std::array<Vec3d, 2>& around) {
  constexpr double least = 1e-15;
  f.vert0.resize(f.vert_x.size(), 0.5);
  if (f.interpolated) {
    const spec::PointBounds box = spec::PointBounds::of(f.node_x);
    for (int k = 0; k < 3; ++k) {
      const auto a = static_cast<std::size_t>(k);
      const double extent = box.high[a] - box.low[a];
      f.size[k] = extent / 2;
      for (int v = 0; v < f.nvert() && extent > least; ++v) {
        at(f.vert0, 3 * v + k) = (turned(f.turn, f.point(v))[k] - box.low[a]) / extent;
      }
    }
    return;
  }
  for (int k = 0; k < 3; ++k) {
    const double centre = (around[1][k] + around[0][k]) / 2;
    f.size[k] = (around[1][k] - around[0][k]) / 2 - f.radius;
    for (int v = 0; v < f.nvert() && f.size[k] > least; ++v) {
      at(f.vert0, 3 * v + k) = (f.point(v)[k] - centre) / (2 * f.size[k]) + 0.5;
    }
  }
}

}  // namespace detail

CORTEN_COLD Result<void> make_flex(const Draft& d, const List<Pose>& poses, const spec::Flex& e,
                                   FlexDraft& f) {
  if (auto done = detail::read_flex_lists(e, f); !done) return done;
  if (auto done = detail::check_flex_numbers(e); !done) return done;
  if (auto done = detail::check_flex_nodes(e, f); !done) return done;
  if (auto done = detail::check_flex_elements(e, f); !done) return done;
  if (auto done = detail::find_flex_bodies(d, f); !done) return done;
  for (const spec::Equality& q : d.equalities) {
    f.strained = f.strained || (q.type == EqualityType::flexstrain && q.flex == e.name);
  }
  detail::place_flex(poses, f);
  f.empty_cells = e.empty_cells;
  if (auto done = detail::turn_nodes(f); !done) return done;
  if (auto done = detail::check_flex_shape(e, f); !done) return done;
  detail::orient_elements(f);
  detail::make_edges(f);
  detail::make_outline(f);
  const bool elastic = e.elasticity.young.value_or(0) > 0;
  if (f.interpolated) {
    if (!f.is_shell() && f.empty_cells.empty() && f.grid.cell_count() > 1) {
      f.empty_cells =
          spec::find_empty_cells(f.grid, spec::PointBounds::of(f.vert_x), f.vert_x, f.elem, f.dim);
    }
    if (elastic || f.strained) detail::make_grid_stiffness(f);
    if (elastic && f.bends()) detail::make_shell_bending(f);
  } else if (elastic) {
    detail::make_stiffness(f);
  }
  detail::normalize_vertices(f, detail::bound_flex(f));
  return {};
}

}  // namespace corten::compiler
