// SPDX-License-Identifier: Apache-2.0
//
// The parts of a flex's grid of nodes: its cells, or the squares of its surface, and between these
// the edges at which a shell bends.
#pragma once

#include <corten/compile/flex_cells.hpp>

namespace corten::compiler::detail {

// The squares of the surface of a grid. Faces are ordered x = 0, x = max, y = 0, …; the squares of
// a face run fastest along the second axis after its normal.
class GridSurface {
 public:
  explicit GridSurface(const spec::NodeGrid& grid) : g_(grid) {
    for (int f = 0; f < 6; ++f) {
      first_[f + 1] = first_[f] + cells(axis0(f)) * cells(axis1(f));
    }
  }

  struct Square {
    int face, i, j;
  };
  // a square next to another one, and the middle of their common edge in both
  struct Neighbour {
    Square square;
    double own[2], other[2];
  };

  int count() const { return first_[6]; }
  int number(const Square& s) const { return first_[s.face] + s.i * cells(axis1(s.face)) + s.j; }
  Square at_number(int n) const {
    int f = 0;
    while (n >= first_[f + 1]) ++f;
    const int within = n - first_[f], row = cells(axis1(f));
    return {f, within / row, within % row};
  }
  static int normal(int face) { return face / 2; }

  CORTEN_BULK FlexPart part(const Square& s, const List<double>& node_x) const {
    FlexPart out;
    out.order = g_.order;
    out.normal = normal(s.face);
    for (int a = 0; a <= g_.order; ++a) {
      for (int b = 0; b <= g_.order; ++b) {
        int place[3];
        place[normal(s.face)] = s.face % 2 == 0 ? 0 : cells(normal(s.face)) * g_.order;
        place[axis0(s.face)] = s.i * g_.order + a;
        place[axis1(s.face)] = s.j * g_.order + b;
        out.x.push_back(row<3>(node_x, g_.node(place[0], place[1], place[2])));
      }
    }
    out.nodes = static_cast<int>(out.x.size());
    return out;
  }

  // the neighbour in direction 0 or 1, on the side -1 or 1
  CORTEN_BULK Neighbour neighbour(const Square& s, int direction, int side) const {
    Neighbour out{};
    const double end = side > 0 ? 1.0 : 0.0;
    out.own[0] = direction == 0 ? end : 0.5;
    out.own[1] = direction == 1 ? end : 0.5;
    const int axis = direction == 0 ? axis0(s.face) : axis1(s.face);
    const int next = (direction == 0 ? s.i : s.j) + side;
    if (next >= 0 && next < cells(axis)) {
      out.square = {s.face, direction == 0 ? next : s.i, direction == 0 ? s.j : next};
      out.other[0] = direction == 0 ? 1.0 - end : 0.5;
      out.other[1] = direction == 1 ? 1.0 - end : 0.5;
      return out;
    }
    // around the corner: the normal of this face is an axis of the other
    const bool far = s.face % 2 != 0;
    const int border = far ? cells(normal(s.face)) - 1 : 0, along = direction == 0 ? s.j : s.i;
    out.square.face = 2 * axis + (side > 0 ? 1 : 0);
    out.square.i = direction == 0 ? along : border;
    out.square.j = direction == 0 ? border : along;
    out.other[0] = direction == 0 ? 0.5 : (far ? 1.0 : 0.0);
    out.other[1] = direction == 0 ? (far ? 1.0 : 0.0) : 0.5;
    return out;
  }

 private:
  static int axis0(int face) { return (normal(face) + 1) % 3; }
  static int axis1(int face) { return (normal(face) + 2) % 3; }
  int cells(int axis) const { return g_.cells[static_cast<std::size_t>(axis)]; }

  spec::NodeGrid g_;
  int first_[7] = {};
};

CORTEN_BULK FlexPart grid_cell(const FlexDraft& f, int cell) {
  const spec::NodeGrid& g = f.grid;
  const int i = cell / (g.cells[1] * g.cells[2]), j = cell / g.cells[2] % g.cells[1],
            k = cell % g.cells[2];
  FlexPart out;
  out.order = g.order;
  for (int a = 0; a <= g.order; ++a) {
    for (int b = 0; b <= g.order; ++b) {
      for (int c = 0; c <= g.order; ++c) {
        out.x.push_back(
            row<3>(f.node_x, g.node(i * g.order + a, j * g.order + b, k * g.order + c)));
      }
    }
  }
  out.nodes = static_cast<int>(out.x.size());
  return out;
}

// ---- stiffness of all parts ---------------------------------------------------------------------

// As in MuJoCo, constraints on strain take their modes from a material of their own.
CORTEN_BULK void make_grid_stiffness(FlexDraft& f) {
  const spec::FlexElasticity& e = f.spec->elasticity;
  const double young = f.strained ? 10 : e.young.value_or(0);
  const double poisson = f.strained ? 0.3 : e.poisson.value_or(0);
  const double thickness = e.thickness.value_or(-1);
  const GridSurface surface(f.grid);
  const bool shell = f.is_shell();
  const int parts = shell ? surface.count() : f.grid.cell_count();
  for (int p = 0; p < parts; ++p) {
    const FlexPart part = shell ? surface.part(surface.at_number(p), f.node_x) : grid_cell(f, p);
    const auto n = static_cast<std::size_t>(part.dofs());
    const std::size_t first = f.stiffness.size();
    f.stiffness.resize(first + n * n, 0.0);
    if (!shell && !f.empty_cells.empty() && at(f.empty_cells, p) != 0) continue;
    const List<double> matrix = shell ? square_stiffness(part, young, poisson, thickness)
                                      : cell_stiffness(part, young, poisson);
    double* out = &f.stiffness[first];
    if (!f.strained) {
      std::copy(matrix.begin(), matrix.end(), out);
      continue;
    }
    const int modes = write_modes(matrix, part.dofs(), out);
    const double twist = shell ? twist_stiffness(part, young, poisson, thickness) : 0;
    if (!(twist > 0)) continue;
    const List<double> mode = twist_mode(part);
    for (int k = 0; k < part.dofs(); ++k) {
      out[1 + modes * part.dofs() + k] = at(mode, k) * std::sqrt(twist);
    }
    out[0] = modes + 1;
  }
}

// ---- bending of shells --------------------------------------------------------------------------

// the directions of a square at a point, and its normal, not normalised
struct SquareFrame {
  Vec3d t0 = Vec3d::Zero(), t1 = Vec3d::Zero(), normal;

  SquareFrame(const FlexPart& part, const double (&place)[2]) {
    const int side = part.order + 1;
    for (int i = 0; i < part.nodes; ++i) {
      const int a = i / side, b = i % side, order = part.order;
      const Vec3d& x = part.x[static_cast<std::size_t>(i)];
      t0 += x * (shape_slope(place[0], a, order) * shape(place[1], b, order));
      t1 += x * (shape(place[0], a, order) * shape_slope(place[1], b, order));
    }
    normal = cross(t0, t1);
  }
};

// Ten numbers for each edge between two squares: both squares, the middle of the edge in each, the
// stiffness, and the difference of the normals at rest. Their number comes first.
CORTEN_BULK void make_shell_bending(FlexDraft& f) {
  const spec::FlexElasticity& e = f.spec->elasticity;
  const double thickness = e.thickness.value_or(-1), poisson = e.poisson.value_or(0);
  const double plate =
      e.young.value_or(0) * thickness * thickness * thickness / (12.0 * (1.0 - poisson * poisson));
  const GridSurface surface(f.grid);
  f.bending.assign(1, 0.0);
  for (int s = 0; s < surface.count(); ++s) {
    const GridSurface::Square own = surface.at_number(s);
    for (int k = 0; k < 4; ++k) {
      const GridSurface::Neighbour n = surface.neighbour(own, k / 2, k % 2 == 0 ? -1 : 1);
      if (s >= surface.number(n.square)) continue;
      f.bending[0] += 1;
      SquareFrame a(surface.part(own, f.node_x), n.own);
      SquareFrame b(surface.part(n.square, f.node_x), n.other);
      const std::size_t first = f.bending.size();
      f.bending.resize(first + 10, 0.0);
      if (spec::normalized(a.normal) < 1e-12 || spec::normalized(b.normal) < 1e-12) continue;
      const auto across = [](const SquareFrame& q, const double(&place)[2]) {
        return norm(place[0] == 0.5 ? q.t1 : q.t0);
      };
      const auto along = [](const SquareFrame& q, const double(&place)[2]) {
        return norm(place[0] == 0.5 ? q.t0 : q.t1);
      };
      const double width = (across(a, n.own) + across(b, n.other)) / 2;
      const double length = (along(a, n.own) + along(b, n.other)) / 2;
      const double numbers[10] = {static_cast<double>(s),
                                  static_cast<double>(surface.number(n.square)),
                                  n.own[0],
                                  n.own[1],
                                  n.other[0],
                                  n.other[1],
                                  plate * length / std::max(width, 1e-12),
                                  a.normal[0] - b.normal[0],
                                  a.normal[1] - b.normal[1],
                                  a.normal[2] - b.normal[2]};
      std::copy(numbers, numbers + 10, &f.bending[first]);
    }
  }
}

}  // namespace corten::compiler::detail
