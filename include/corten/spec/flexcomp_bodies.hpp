// SPDX-License-Identifier: Apache-2.0
//
// The bodies that carry the points of a <flexcomp>, or its nodes.
#pragma once

#include <corten/spec/flexcomp_draft.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace corten::spec::detail {

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

}  // namespace corten::spec::detail
