// SPDX-License-Identifier: Apache-2.0
//
// Compiles soft bodies: masses of vertices, and the constraints that hold them together, with
// stiffnesses from the material. All are proportional to Young's modulus E, which stays a number of
// the model, so that derivatives with respect to it exist.
//
//   edges of cloths and solids   E t A / L² and E V / L², where A and V are the area and volume of
//                                the elements around the edge (van Gelder 1998, "Approximate
//                                simulation of elastic membranes by triangulated spring meshes")
//   segments of chains           E π r² / L
//   bending of cloths            3 L² D / (A₁ + A₂), D = E t³ / 12 (1 - ν²) (Grinspun et al. 2003,
//                                "Discrete shells")
//   bending of chains            E π r⁴ / 4 L³, for the second difference of positions
//   volume of tetrahedra         K / V, K = E / 3 (1 - 2 ν)
#pragma once

#include <corten/compile/soft_mesh.hpp>
#include <corten/soft/kinds.hpp>
#include <corten/soft/material.hpp>

namespace corten::compiler {

namespace detail {

CORTEN_COLD Result<void> soft_numbers(const spec::Soft& e, SoftNumbers& out) {
  SoftMaterial m{"", 1e6, 0.3, 1000, 0.5, e.type == SoftType::chain ? 0.02 : 0.001, 1};
  if (e.material && !e.material->empty()) {
    const SoftMaterial* found = find_soft_material(*e.material);
    if (found == nullptr) {
      List<std::string_view> known;
      for (const SoftMaterial& one : soft_materials) known.push_back(one.name);
      return e.error("unknown material '" + *e.material + "'", spec::suggest(*e.material, known));
    }
    m = *found;
  }
  out.young = e.young.value_or(m.young);
  out.poisson = e.poisson.value_or(m.poisson);
  out.density = e.density.value_or(m.density);
  out.thickness = e.thickness.value_or(m.thickness);
  out.bending = e.bending.value_or(m.bending);
  const double half = e.type == SoftType::body ? 0.005 : 0.5 * out.thickness;
  out.radius = e.radius.value_or(half);
  const double slide = e.friction ? e.friction[0] : m.friction;
  out.friction = e.friction.value_or({slide, slide, slide});
  const auto positive = [](double x) { return x > 0 && std::isfinite(x); };
  if (!positive(out.young)) return e.error("young must be positive");
  if (!(out.poisson >= 0 && out.poisson <= 0.5)) return e.error("poisson must be in [0, 0.5]");
  if (!positive(out.density)) return e.error("density must be positive");
  if (!positive(out.thickness)) return e.error("thickness must be positive");
  if (!positive(out.radius)) return e.error("radius must be positive");
  for (const double f : out.friction) {
    if (!(f >= 0) || !std::isfinite(f)) return e.error("friction must not be negative");
  }
  return {};
}

CORTEN_COLD Result<void> check_soft(const spec::Soft& e, int nvert) {
  if (!is_condim(e.condim.value_or(3))) return e.error("condim must be 1, 3, 4 or 6");
  if (e.substeps.value_or(1) < 1) return e.error("substeps must be at least 1");
  if (e.iterations.value_or(1) < 1) return e.error("iterations must be at least 1");
  if (e.repeat.value_or(1) < 1 || e.repeat.value_or(1) > 4) {
    return e.error("repeat must be 1, 2, 3 or 4");
  }
  if (!(e.damping.value_or(0) >= 0)) return e.error("damping must not be negative");
  if (!(e.viscosity.value_or(0) >= 0)) return e.error("viscosity must not be negative");
  if (!(e.bending.value_or(1) > 0)) return e.error("bending must be positive");
  if (!(e.sleep.value_or(0) >= 0)) return e.error("sleep must not be negative");
  if (e.type == SoftType::chain && e.thickness && e.radius) {
    return e.error("a chain has a radius, not a thickness");
  }
  if (!e.pin) return {};
  for (const int v : *e.pin) {
    if (v >= 0 && v < nvert) continue;
    return e.error("pin " + std::to_string(v) + " is not a vertex",
                   "vertices are numbered from 0 to " + std::to_string(nvert - 1));
  }
  return {};
}

// An edge between two vertices, and the elements around it.
struct SoftEdge {
  int a, b;
  double around = 0;           // area or volume
  int opposite[2] = {-1, -1};  // of a cloth: the third vertices of its triangles
  double area[2] = {0, 0};
  int faces = 0;
};

// the edges of all elements, in the order of their vertices
CORTEN_COLD Result<List<SoftEdge>> soft_edges(const spec::Soft& e, const asset::Elements& mesh,
                                              int corners) {
  struct Use {
    std::int64_t key;
    int element;
  };
  const auto nvert = static_cast<std::int64_t>(mesh.vert.size() / 3);
  List<std::int64_t> order;
  List<Use> uses;
  const int count = static_cast<int>(mesh.corner.size()) / corners;
  for (int i = 0; i < count; ++i) {
    const int* v = &at(mesh.corner, corners * i);
    for (int j = 0; j < corners; ++j) {
      for (int k = 0; k < j; ++k) {
        const int low = std::min(v[j], v[k]), high = std::max(v[j], v[k]);
        uses.push_back({low * nvert + high, i});
      }
    }
  }
  std::stable_sort(uses.begin(), uses.end(),
                   [](const Use& x, const Use& y) { return x.key < y.key; });
  List<SoftEdge> out;
  std::int64_t last = -1;
  for (const Use& use : uses) {
    const int* v = &at(mesh.corner, corners * use.element);
    if (use.key != last) {
      SoftEdge edge{};
      edge.a = static_cast<int>(use.key / nvert);
      edge.b = static_cast<int>(use.key % nvert);
      edge.opposite[0] = edge.opposite[1] = -1;
      out.push_back(edge);
      last = use.key;
    }
    SoftEdge& edge = out.back();
    const double measure = soft_measure(mesh, v, corners);
    edge.around += measure;
    if (corners != 3) continue;
    if (edge.faces == 2) {
      return e.error("three triangles share the edge between vertices " + std::to_string(edge.a) +
                         " and " + std::to_string(edge.b),
                     "a cloth has at most two at an edge");
    }
    for (int k = 0; k < 3; ++k) {
      if (v[k] != edge.a && v[k] != edge.b) edge.opposite[edge.faces] = v[k];
    }
    edge.area[edge.faces++] = measure;
  }
  return out;
}

template <class Kind>
double soft_value(const asset::Elements& mesh, const int* vert) {
  Vec3d x[static_cast<std::size_t>(Kind::vertices)], g[static_cast<std::size_t>(Kind::vertices)];
  for (int i = 0; i < Kind::vertices; ++i) x[i] = soft_vertex(mesh, vert[i]);
  return corten::detail::soft_gradient<Kind, double>(x, g);
}

CORTEN_COLD void add_edge_lines(const SoftNumbers& n, const asset::Elements& mesh, SoftType type,
                                const List<SoftEdge>& edges, List<SoftLine>& out) {
  for (const SoftEdge& edge : edges) {
    const double length = norm(Vec3d(soft_vertex(mesh, edge.b) - soft_vertex(mesh, edge.a)));
    double factor = length * length / edge.around;
    if (type == SoftType::cloth) factor /= n.thickness;
    if (type == SoftType::chain) factor = length / (pi * n.radius * n.radius);
    out.push_back({SoftConstraint::distance, {edge.a, edge.b, -1, -1}, length, factor});
  }
  for (const SoftEdge& edge : edges) {
    if (type != SoftType::cloth || edge.faces < 2) continue;
    const SoftLine line{
        SoftConstraint::dihedral, {edge.a, edge.b, edge.opposite[0], edge.opposite[1]}, 0, 0};
    const double length = norm(Vec3d(soft_vertex(mesh, edge.b) - soft_vertex(mesh, edge.a)));
    const double plate =
        n.bending * n.thickness * n.thickness * n.thickness / (12 * (1 - n.poisson * n.poisson));
    out.push_back(line);
    out.back().rest = soft_value<SoftDihedral>(mesh, line.vert);
    out.back().factor = (edge.area[0] + edge.area[1]) / (3 * length * length * plate);
  }
}

// bends of a chain at vertices with two segments
CORTEN_COLD void add_bend_lines(const SoftNumbers& n, const asset::Elements& mesh,
                                List<SoftLine>& out) {
  const std::size_t nvert = mesh.vert.size() / 3;
  List<int> neighbours(2 * nvert, -1);
  List<int> count(nvert, 0);
  for (std::size_t i = 0; i < mesh.corner.size(); ++i) {
    const int v = mesh.corner[i], other = mesh.corner[i ^ 1];
    if (at(count, v) < 2) at(neighbours, 2 * v + at(count, v)) = other;
    ++at(count, v);
  }
  const double inertia = n.bending * pi * n.radius * n.radius * n.radius * n.radius / 4;
  for (int v = 0; v < static_cast<int>(nvert); ++v) {
    if (at(count, v) != 2) continue;
    const int a = at(neighbours, 2 * v), b = at(neighbours, 2 * v + 1);
    const double length = 0.5 * (norm(Vec3d(soft_vertex(mesh, a) - soft_vertex(mesh, v))) +
                                 norm(Vec3d(soft_vertex(mesh, b) - soft_vertex(mesh, v))));
    SoftLine line{SoftConstraint::bend, {a, v, b, -1}, 0, length * length * length / inertia};
    line.rest = soft_value<SoftBend>(mesh, line.vert);
    out.push_back(line);
  }
}

CORTEN_COLD void add_volume_lines(const SoftNumbers& n, const asset::Elements& mesh,
                                  List<SoftLine>& out) {
  for (std::size_t i = 0; i < mesh.corner.size(); i += 4) {
    const int* v = &mesh.corner[i];
    const double volume = soft_measure(mesh, v, 4);
    out.push_back({SoftConstraint::volume,
                   {v[0], v[1], v[2], v[3]},
                   volume,
                   3 * (1 - 2 * n.poisson) * volume});
  }
}

// the constraints that the user adds; kinds of the user's own cannot be measured here
CORTEN_COLD Result<void> add_own_lines(const spec::Soft& e, double young,
                                       const asset::Elements& mesh, List<SoftLine>& out) {
  const int nvert = static_cast<int>(mesh.vert.size() / 3);
  for (const spec::Soft::Edge& edge : e.edges) {
    const auto fail = [&](const std::string& message, const char* remedy = "") {
      return Error{edge.where.line > 0 ? edge.where : e.where, e.path + "/edge", message, remedy};
    };
    if (!edge.type || !edge.vertex) return fail("an edge needs a type and vertices");
    const double stiffness = edge.stiffness.value_or(0);
    if (!(stiffness > 0) || !std::isfinite(stiffness)) return fail("stiffness must be positive");
    SoftLine line{*edge.type, {-1, -1, -1, -1}, edge.rest.value_or(0), young / stiffness};
    int wanted = static_cast<int>(edge.vertex->size());
    DefaultSofts::visit(static_cast<int>(line.type), [&](auto kind) { wanted = kind.vertices; });
    if (static_cast<int>(edge.vertex->size()) != wanted || wanted < 1 || wanted > 4) {
      return fail("the edge needs " + std::to_string(wanted < 1 || wanted > 4 ? 4 : wanted) +
                  " vertices");
    }
    for (int k = 0; k < wanted; ++k) {
      line.vert[k] = at(*edge.vertex, k);
      if (line.vert[k] < 0 || line.vert[k] >= nvert) {
        return fail("vertex " + std::to_string(line.vert[k]) + " does not exist");
      }
    }
    bool known = false;
    DefaultSofts::visit(static_cast<int>(line.type), [&](auto kind) {
      known = true;
      if (!edge.rest) line.rest = soft_value<decltype(kind)>(mesh, line.vert);
    });
    if (!known && !edge.rest) return fail("a constraint of your own kind needs rest");
    out.push_back(line);
  }
  return {};
}

}  // namespace detail

CORTEN_COLD Result<void> make_soft(const spec::Soft& e, SoftDraft& out) {
  if (auto done = make_soft_mesh(e, out.mesh); !done) return done;
  if (auto done = detail::soft_numbers(e, out.numbers); !done) return done;
  if (auto done = detail::check_soft(e, static_cast<int>(out.mesh.vert.size() / 3)); !done) {
    return done;
  }
  const Result<List<detail::SoftEdge>> edges = detail::soft_edges(e, out.mesh, corners_of(e.type));
  if (!edges) return edges.error();
  detail::add_edge_lines(out.numbers, out.mesh, e.type, *edges, out.lines);
  if (e.type == SoftType::chain) detail::add_bend_lines(out.numbers, out.mesh, out.lines);
  if (e.type == SoftType::body) detail::add_volume_lines(out.numbers, out.mesh, out.lines);
  return detail::add_own_lines(e, out.numbers.young, out.mesh, out.lines);
}

}  // namespace corten::compiler
