// SPDX-License-Identifier: Apache-2.0
//
// A <flexcomp> while it is being made: its points, checked and in their places.
#pragma once

#include <corten/spec/flex_cells.hpp>
#include <corten/spec/flex_shapes.hpp>
#include <corten/spec/spec.hpp>

#include <cmath>
#include <string>

namespace corten::spec::detail {

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
    return e.error("point " + std::to_string(i / 3) + " is not finite",
                   "give three finite numbers for each point");
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

}  // namespace corten::spec::detail
