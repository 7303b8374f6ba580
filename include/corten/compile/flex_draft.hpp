// SPDX-License-Identifier: Apache-2.0
//
// A flex on its way into the model: what the spec says, and what follows from it.
#pragma once

#include <corten/core/list.hpp>
#include <corten/math/vector.hpp>
#include <corten/spec/flex.hpp>
#include <corten/spec/flex_cells.hpp>

namespace corten::compiler {

struct FlexDraft {
  const spec::Flex* spec = nullptr;
  int dim = 2;
  double radius = 0;
  bool rigid = false;         // all vertices are in one body
  bool centred = false;       // all vertices, or nodes, are at the origins of their bodies
  bool interpolated = false;  // vertices follow nodes
  bool strained = false;      // held by constraints on its strain
  spec::NodeGrid grid;        // of the nodes
  List<int> vert_body, node_body;
  List<double> vert, node;                       // in their bodies; empty if centred
  List<double> vert_x;                           // vertices at qpos0, in the world
  List<double> node_x;                           // nodes at qpos0, in the world turned by `turn`
  Mat3<double> turn = Mat3<double>::Identity();  // rows: the directions of the grid
  List<double> vert0;                            // vertices in the bounding box, from 0 to 1
  Vec3<double> size = Vec3<double>::Zero();

  List<int> elem;             // dim + 1 vertices each
  List<int> edge, elem_edge;  // 2 vertices each; 1, 3 or 6 edges for each element
  List<int> flap;             // dim 2: 4 vertices for each edge, the last two opposite it
  List<int> shell, evpair, layer;
  List<double> stiffness, bending;
  List<int> empty_cells;  // 1 or 0 for each cell; empty if not known

  int nvert() const { return static_cast<int>(vert_x.size() / 3); }
  int nnode() const { return static_cast<int>(node_body.size()); }
  int nedge() const { return static_cast<int>(edge.size() / 2); }
  int nelem() const { return static_cast<int>(elem.size()) / (dim + 1); }
  int edges_per_element() const { return dim == 1 ? 1 : (dim == 2 ? 3 : 6); }
  spec::Elastic2d elastic2d() const {
    return spec->elasticity.elastic2d.value_or(spec::Elastic2d::none);
  }
  bool bends() const {
    return elastic2d() == spec::Elastic2d::bend || elastic2d() == spec::Elastic2d::both;
  }
  // does only the surface of the grid of nodes carry the flex?
  bool is_shell() const { return interpolated && elastic2d() != spec::Elastic2d::none; }

  Vec3<double> point(int v) const {
    const double* x = &vert_x[3 * static_cast<std::size_t>(v)];
    return Vec3<double>(x[0], x[1], x[2]);
  }
};

}  // namespace corten::compiler
