// SPDX-License-Identifier: Apache-2.0
//
// Writes the meshes and height fields of a spec to the arrays of the model, and fits geoms to them.
#pragma once

#include <corten/compile/derived.hpp>
#include <corten/compile/hfield.hpp>
#include <corten/compile/mesh.hpp>
#include <corten/core/list.hpp>
#include <corten/core/optional.hpp>

#include <algorithm>
#include <limits>
#include <string>

namespace corten::compiler {

inline GeomType geom_type(const spec::Geom& e) { return e.type.value_or(GeomType::sphere); }

// does the geom have the shape of the mesh that it names? Other types are fitted to the mesh.
inline bool has_form_of_mesh(GeomType type) {
  return type == GeomType::mesh || type == GeomType::sdf;
}

namespace detail {

// finds the mesh or height field that a geom names; -1 if it names none
CORTEN_COLD Result<void> find_asset(const Index& index, const Optional<std::string>& name,
                                    const char* kind, const spec::Geom& e, int& id) {
  id = -1;
  if (!name || name->empty()) return {};
  return find_reference(index, *name, kind, e, id);
}

// which meshes need a hull: those of geoms that can collide
CORTEN_COLD List<int> mark_hulls(Draft& d) {
  List<int> needed(d.meshes.size(), 0);
  for (const spec::Geom& e : d.geoms) {
    int mesh = -1;
    d.note(e, find_asset(d.index.mesh, e.mesh, "mesh", e, mesh));
    if (mesh < 0 || !has_form_of_mesh(geom_type(e))) continue;
    bool collides = e.contype.value_or(1) != 0 || e.conaffinity.value_or(1) != 0;
    for (const spec::Pair& pair : d.pairs) {
      collides = collides || (!e.name.empty() && (pair.geom1 == e.name || pair.geom2 == e.name));
    }
    if (collides) at(needed, mesh) = 1;
  }
  return needed;
}

}  // namespace detail

// reads and processes all assets; names must be indexed already
CORTEN_COLD void make_assets(Draft& d) {
  const List<int> needed = detail::mark_hulls(d);
  d.solids.resize(d.meshes.size());
  for (std::size_t i = 0; i < d.meshes.size(); ++i) {
    d.note(d.meshes[i], make_solid(d.meshes[i], needed[i] != 0, d.solids[i]));
  }
  d.heights.resize(d.spec.hfields.size());
  for (std::size_t i = 0; i < d.heights.size(); ++i) {
    d.note(d.spec.hfields[i], make_heights(d.spec.hfields[i], d.heights[i]));
  }
}

CORTEN_COLD Result<void> count_assets(Draft& d) {
  Sizes& n = d.m.n;
  n.nmesh = static_cast<int>(d.solids.size());
  n.nhfield = static_cast<int>(d.heights.size());
  std::size_t largest = 0, heights = 0;
  for (const Solid& s : d.solids) {
    largest += s.vert.size() + s.mesh.face.size() + 4 * s.hull.face.size() + s.hull.vert.size();
  }
  for (const Heights& h : d.heights) heights += h.data.size();
  if (std::max(largest, heights) > std::size_t{std::numeric_limits<int>::max()} / 4) {
    return Error{{}, "mujoco/asset", "the meshes and height fields are too large", ""};
  }
  for (const Solid& s : d.solids) {
    n.nmeshvert += s.nvert();
    n.nmeshface += s.mesh.nface();
    n.nmeshtangent += static_cast<int>(s.mesh.frame.size() / 9);
    const int verts = static_cast<int>(s.hull.vert.size()),
              faces = static_cast<int>(s.hull.face.size() / 3);
    if (faces > 0) n.nmeshgraph += 2 + 3 * verts + 6 * faces;
    n.nmeshpoly += s.sides.size();
    n.nmeshpolyvert += static_cast<int>(s.sides.corner.size());
  }
  n.nmeshpolymap = n.nmeshpolyvert;
  n.nhfielddata = static_cast<int>(heights);
  return {};
}

namespace detail {

// Writes the hull as a graph, in MuJoCo's layout: the number of vertices and of triangles; for each
// vertex the start of its edges; the ids of the vertices in the mesh; the edges of each vertex as
// indices of hull vertices, terminated by -1; the triangles as ids in the mesh.
CORTEN_BULK void write_graph(const Solid& s, List<int>& graph, int address) {
  const int verts = static_cast<int>(s.hull.vert.size()),
            faces = static_cast<int>(s.hull.face.size() / 3);
  List<int> local(static_cast<std::size_t>(s.nvert()), -1);
  for (int v = 0; v < verts; ++v) at(local, at(s.hull.vert, v)) = v;
  at(graph, address) = verts;
  at(graph, address + 1) = faces;
  const int starts = address + 2, ids = starts + verts, edges = ids + verts;
  int edge = 0;
  for (int v = 0; v < verts; ++v) {
    at(graph, starts + v) = edge;
    at(graph, ids + v) = at(s.hull.vert, v);
    for (; at(s.hull.edge, edge) >= 0; ++edge) {
      at(graph, edges + edge) = at(local, at(s.hull.edge, edge));
    }
    at(graph, edges + edge++) = -1;
  }
  const int triangles = edges + verts + 3 * faces;
  for (int k = 0; k < 3 * faces; ++k) at(graph, triangles + k) = at(s.hull.face, k);
}

// Writes the farthest hull vertex in each of the 27 directions of a 3 x 3 x 3 grid, from which the
// search for a support point starts.
CORTEN_BULK void write_extrema(const Solid& s, const float* vert, int* out) {
  float best[27];
  std::fill_n(best, 27, std::numeric_limits<float>::lowest());
  for (std::size_t v = 0; v < s.hull.vert.size(); ++v) {
    const float* p = vert + 3 * static_cast<std::size_t>(s.hull.vert[v]);
    for (int k = 0; k < 27; ++k) {
      const int x = k / 9 - 1, y = k / 3 % 3 - 1, z = k % 3 - 1;
      const float far = p[0] * static_cast<float>(x) + p[1] * static_cast<float>(y) +
                        p[2] * static_cast<float>(z);
      if (far > best[k]) best[k] = far, out[k] = static_cast<int>(v);
    }
  }
}

// the normal from the first three corners, after the vertices were moved
CORTEN_BULK Vec3d side_normal(const Solid& s, int side) {
  const int first = at(s.sides.first, side);
  const Vec3d a = corner(s, at(s.sides.corner, first)),
              b = corner(s, at(s.sides.corner, first + 1)),
              c = corner(s, at(s.sides.corner, first + 2));
  Vec3d n = cross(b - a, c - a);
  const double length = std::sqrt(n.squaredNorm());
  if (length < tiny) return Vec3d(1, 0, 0);
  for (int k = 0; k < 3; ++k) n[k] /= length;
  return n;
}

// writes the sides, their corners, and the sides that meet at each vertex
CORTEN_BULK void write_sides(Model<double>& m, int mesh, const Solid& s, int side, int corner_adr) {
  put(m.mesh_polyadr, mesh, side);
  put(m.mesh_polynum, mesh, s.sides.size());
  List<List<int>> around(static_cast<std::size_t>(s.nvert()));
  for (int i = 0; i < s.sides.size(); ++i) {
    put(m.mesh_polynormal, side + i, side_normal(s, i));
    put(m.mesh_polyvertadr, side + i, corner_adr + at(s.sides.first, i));
    put(m.mesh_polyvertnum, side + i, at(s.sides.count, i));
    for (int k = 0; k < at(s.sides.count, i); ++k) {
      const int v = at(s.sides.corner, at(s.sides.first, i) + k);
      put(m.mesh_polyvert, corner_adr + at(s.sides.first, i) + k, v);
      at(around, v).push_back(i);
    }
  }
  int address = corner_adr;
  for (int v = 0; v < s.nvert(); ++v) {
    const int i = at(m.mesh_vertadr, mesh) + v;
    put(m.mesh_polymapadr, i, address);
    put(m.mesh_polymapnum, i, at(around, v).size());
    for (const int p : at(around, v)) put(m.mesh_polymap, address++, p);
  }
}

}  // namespace detail

CORTEN_BULK void write_assets(Draft& d) {
  Model<double>& m = d.m;
  int vert = 0, face = 0, graph = 0, side = 0, corner = 0, tangent = 0;
  for (int i = 0; i < m.n.nmesh; ++i) {
    const Solid& s = at(d.solids, i);
    put(m.mesh_vertadr, i, vert);
    put(m.mesh_vertnum, i, s.nvert());
    put(m.mesh_faceadr, i, face);
    put(m.mesh_facenum, i, s.mesh.nface());
    put(m.mesh_scale, i, at(d.meshes, i).scale.value_or(spec::Numbers<3>{1, 1, 1}));
    put(m.mesh_pos, i, s.frame.pos);
    put(m.mesh_quat, i, s.frame.quat);
    for (int k = 0; k < 3 * s.nvert(); ++k) {
      at(m.mesh_vert, 3 * vert + k) = static_cast<float>(at(s.vert, k));
    }
    std::copy(s.mesh.face.begin(), s.mesh.face.end(), m.mesh_face.begin() + 3 * face);
    add_tree(m, i);
    put(m.mesh_tangentadr, i, s.mesh.frame.empty() ? -1 : tangent);
    for (std::size_t k = 0; k < s.mesh.frame.size(); k += 9) {
      const auto first = s.mesh.frame.begin() + static_cast<std::ptrdiff_t>(k) + 3;
      std::copy(first, first + 6, m.mesh_tangent.begin() + 6 * tangent++);
    }
    put(m.mesh_graphadr, i, s.hull.face.empty() ? -1 : graph);
    if (!s.hull.face.empty()) {
      detail::write_graph(s, m.mesh_graph, graph);
      detail::write_extrema(s, &at(m.mesh_vert, 3 * vert), &at(m.mesh_extrema, 27 * i));
      graph +=
          2 + 3 * static_cast<int>(s.hull.vert.size()) + 2 * static_cast<int>(s.hull.face.size());
    }
    detail::write_sides(m, i, s, side, corner);
    vert += s.nvert();
    face += s.mesh.nface();
    side += s.sides.size();
    corner += static_cast<int>(s.sides.corner.size());
  }
  int address = 0;
  for (int i = 0; i < m.n.nhfield; ++i) {
    const Heights& h = at(d.heights, i);
    put(m.hfield_size, i, *at(d.spec.hfields, i).size);
    put(m.hfield_nrow, i, h.nrow);
    put(m.hfield_ncol, i, h.ncol);
    put(m.hfield_adr, i, address);
    std::copy(h.data.begin(), h.data.end(), m.hfield_data.begin() + address);
    address += static_cast<int>(h.data.size());
  }
}

// ---- geoms --------------------------------------------------------------------------------------

namespace detail {

// sizes of a primitive that replaces a mesh: from the inertia box of the mesh, or with `around`
// from the box around it
CORTEN_COLD void fit_sizes(GeomType type, const Vec3d& box, bool around, Vec3d& size) {
  if (type == GeomType::box || type == GeomType::ellipsoid) {
    size = box;
  } else if (type == GeomType::sphere) {
    size[0] = around ? box.maxCoeff() : (box[0] + box[1] + box[2]) / 3;
  } else {
    size[0] = around ? std::max(box[0], box[1]) : (box[0] + box[1]) / 2;
    size[1] = box[2];
    if (type == GeomType::capsule) {
      size[1] = around ? box[2] - size[0] : std::max(0.0, box[2] - size[0] / 2);
    }
  }
}

}  // namespace detail

// Places a geom with a mesh: `pose` is that of the mesh as written and becomes that of the solid. A
// primitive gets sizes that fit the mesh.
CORTEN_COLD Result<void> place_mesh_geom(const Draft& d, const spec::Geom& e, int mesh, Pose& pose,
                                         Vec3d& size, spec::Numbers<6>& surfacevel) {
  const Solid& s = at(d.solids, mesh);
  const GeomType type = geom_type(e);
  Vec3d centre = Vec3d::Zero();
  if (e.fromto) return e.error("fromto cannot be used with a mesh");
  if (has_form_of_mesh(type)) {
    if (e.shellinertia.value_or(false)) {
      return e.error("shellinertia cannot be used with a mesh", "set inertia of the mesh asset");
    }
    size = s.reach();
  } else {
    if (type == GeomType::plane || type == GeomType::hfield || is_user(type)) {
      return e.error("this type of geom cannot be fitted to a mesh");
    }
    const bool around = d.settings.fitaabb;
    if (around) centre = (s.low + s.high) / 2;
    detail::fit_sizes(type, around ? s.high - centre : s.box, around, size);
    size *= e.fitscale.value_or(1);
  }
  const Vec3d offset = rotate(s.frame.quat, centre) + s.frame.pos;
  // surfacevel refers to the origin of the mesh as written: transform it to the frame of the solid
  const Vec3d spin(surfacevel[3], surfacevel[4], surfacevel[5]);
  const Vec3d slide = Vec3d(surfacevel[0], surfacevel[1], surfacevel[2]) + cross(spin, offset);
  const Quatd back = conjugate(s.frame.quat);
  const Vec3d turned_slide = rotate(back, slide), turned_spin = rotate(back, spin);
  for (int k = 0; k < 3; ++k) {
    surfacevel[static_cast<std::size_t>(k)] = turned_slide[k];
    surfacevel[static_cast<std::size_t>(3 + k)] = turned_spin[k];
  }
  pose = compose(pose, {offset, s.frame.quat});
  return {};
}

// half sizes of a height field's box, with the mean of height and depth
CORTEN_COLD Vec3d hfield_extent(const Draft& d, int hfield) {
  const spec::Numbers<4>& s = *at(d.spec.hfields, hfield).size;
  return Vec3d(s[0], s[1], 0.25 * s[2] + 0.5 * s[3]);
}

// the bounding box of a mesh or height field, and the radius of its bounding sphere
CORTEN_COLD void asset_bounds(const Draft& d, GeomType type, int id, Vec6<double>& aabb,
                              double& radius) {
  Vec3d low, high;
  if (has_form_of_mesh(type)) {
    const Solid& solid = at(d.solids, id);
    low = solid.low;
    high = solid.high;
    const Vec3d reach = solid.reach();
    radius = std::sqrt(reach.squaredNorm());
  } else {
    const spec::Numbers<4>& s = *at(d.spec.hfields, id).size;
    low = Vec3d(-s[0], -s[1], -s[3]);
    high = Vec3d(s[0], s[1], s[2]);
    radius = std::sqrt(s[0] * s[0] + s[1] * s[1] + std::max(s[2] * s[2], s[3] * s[3]));
  }
  aabb = Vec6<double>((high + low) / 2, (high - low) / 2);
}

}  // namespace corten::compiler
