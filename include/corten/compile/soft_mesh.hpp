// SPDX-License-Identifier: Apache-2.0
//
// The vertices and elements of a soft body: made from `count`, read from a file, or as written.
// They are checked here, so that nothing after this meets an element without volume.
#pragma once

#include <corten/asset/gmsh.hpp>
#include <corten/asset/msh.hpp>
#include <corten/asset/obj.hpp>
#include <corten/compile/draft.hpp>
#include <corten/compile/mesh.hpp>
#include <corten/core/sort.hpp>

#include <cmath>
#include <cstdint>
#include <string>

namespace corten::compiler {

inline int corners_of(SoftType type) {
  return type == SoftType::cloth ? 3 : (type == SoftType::body ? 4 : 2);
}

namespace detail {

inline constexpr int most_soft_vertices = 4000000;

// ---- builders -----------------------------------------------------------------------------------

// two triangles per cell; their diagonals alternate, so that the cloth shears alike both ways
CORTEN_COLD void add_grid_elements(const int (&n)[3], List<int>& out) {
  for (int j = 0; j + 1 < n[1]; ++j) {
    for (int i = 0; i + 1 < n[0]; ++i) {
      const int a = j * n[0] + i, b = a + 1, c = a + n[0], d = c + 1;
      const bool even = (i + j) % 2 == 0;
      for (const int v : {a, b, even ? d : c}) out.push_back(v);
      for (const int v : {even ? a : b, d, c}) out.push_back(v);
    }
  }
}

// Six tetrahedra per cell around its diagonal, one for each order of the axes (Kuhn's division).
// Neighbouring cells divide their common face in the same way.
CORTEN_COLD void add_box_elements(const int (&n)[3], List<int>& out) {
  constexpr int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  const int stride[3] = {1, n[0], n[0] * n[1]};
  for (int k = 0; k + 1 < n[2]; ++k) {
    for (int j = 0; j + 1 < n[1]; ++j) {
      for (int i = 0; i + 1 < n[0]; ++i) {
        const int first = i * stride[0] + j * stride[1] + k * stride[2];
        for (int o = 0; o < 6; ++o) {
          const int a = first + stride[orders[o][0]], b = a + stride[orders[o][1]],
                    c = b + stride[orders[o][2]];
          const bool odd = o > 2;  // keep the volume positive
          for (const int v : {first, a, odd ? c : b, odd ? b : c}) out.push_back(v);
        }
      }
    }
  }
}

CORTEN_COLD Result<void> make_soft_grid(const spec::Soft& e, asset::Elements& out) {
  const int dim = corners_of(e.type) - 1;
  const char* many[] = {"", "one number", "two numbers", "three numbers"};
  if (e.count.count != dim) {
    return e.error(std::string("count of a ") + spec::soft_element(e.type) + " takes " + many[dim]);
  }
  if (e.spacing.count == 0) return e.error("count needs a spacing");
  int n[3] = {1, 1, 1};
  double step[3] = {0, 0, 0}, total = 1;
  for (int k = 0; k < dim; ++k) {
    const auto i = static_cast<std::size_t>(k);
    const double given = e.count[i];
    if (!(given >= 2 && given <= most_soft_vertices) || given != std::floor(given)) {
      return e.error("count must be whole numbers from 2 on");
    }
    n[k] = static_cast<int>(given);
    total *= given;
    step[k] = e.spacing[std::min(i, static_cast<std::size_t>(e.spacing.count - 1))];
    if (!(step[k] > 0) || !std::isfinite(step[k])) return e.error("spacing must be positive");
  }
  if (total > most_soft_vertices) return e.error("count makes more than 4,000,000 vertices");
  for (int k = 0; k < n[2]; ++k) {
    for (int j = 0; j < n[1]; ++j) {
      for (int i = 0; i < n[0]; ++i) {
        out.vert.push_back(step[0] * (i - 0.5 * (n[0] - 1)));
        out.vert.push_back(step[1] * (j - 0.5 * (n[1] - 1)));
        out.vert.push_back(step[2] * (k - 0.5 * (n[2] - 1)));
      }
    }
  }
  if (dim == 2) add_grid_elements(n, out.corner);
  if (dim == 3) add_box_elements(n, out.corner);
  for (int i = 0; dim == 1 && i + 1 < n[0]; ++i) {
    out.corner.push_back(i);
    out.corner.push_back(i + 1);
  }
  return {};
}

// ---- files --------------------------------------------------------------------------------------

CORTEN_COLD Result<void> read_soft_file(const spec::Soft& e, asset::Elements& out) {
  spec::FileContent file;
  if (auto done = open_asset(e, file); !done) return done;
  const std::string_view bytes = *file.bytes;
  const std::string format = mjcf::detail::extension_of(e.file.value_or(file.path));
  if (asset::is_gmsh(bytes)) {
    int corners = corners_of(e.type);
    const auto done = asset::read_gmsh(bytes, corners, out);
    if (!done) return asset::in_file(e, file.path, done.error());
    return {};
  }
  if (e.type != SoftType::cloth) {
    return e.error("the file has triangles only", "save it with its elements by Gmsh");
  }
  asset::Triangles mesh;
  Result<void> done;
  if (format == ".obj") {
    done = asset::read_obj(bytes, mesh);
  } else if (format == ".msh") {
    done = asset::read_msh(bytes, false, mesh);
  } else {
    return e.error("'" + file.path + "' is not a known kind of file", "use OBJ, MSH or Gmsh");
  }
  if (!done) return asset::in_file(e, file.path, done.error());
  for (const float x : mesh.vert) out.vert.push_back(static_cast<double>(x));
  out.corner = mesh.face;
  return {};
}

// ---- checks -------------------------------------------------------------------------------------

inline Vec3d soft_vertex(const asset::Elements& mesh, int v) { return row<3>(mesh.vert, v); }

// length, area or volume of an element; the volume is negative if the tetrahedron is inside out
inline double soft_measure(const asset::Elements& mesh, const int* v, int corners) {
  const Vec3d a = soft_vertex(mesh, v[1]) - soft_vertex(mesh, v[0]);
  if (corners == 2) return norm(a);
  const Vec3d b = soft_vertex(mesh, v[2]) - soft_vertex(mesh, v[0]);
  if (corners == 3) return 0.5 * norm(cross(a, b));
  return cross(a, b).dot(soft_vertex(mesh, v[3]) - soft_vertex(mesh, v[0])) / 6;
}

// the longest edge of an element
inline double soft_length(const asset::Elements& mesh, const int* v, int corners) {
  double out = 0;
  for (int i = 0; i < corners; ++i) {
    for (int j = 0; j < i; ++j) {
      out = std::max(out, norm(Vec3d(soft_vertex(mesh, v[i]) - soft_vertex(mesh, v[j]))));
    }
  }
  return out;
}

CORTEN_COLD Result<void> check_soft_element(const spec::Soft& e, const asset::Elements& mesh, int i,
                                            int corners) {
  const std::string name = "element " + std::to_string(i);
  const int* v = &at(mesh.corner, corners * i);
  const int nvert = static_cast<int>(mesh.vert.size() / 3);
  for (int k = 0; k < corners; ++k) {
    if (v[k] >= 0 && v[k] < nvert) continue;
    return e.error(name + " refers to vertex " + std::to_string(v[k]) + ", which does not exist",
                   "vertices are numbered from 0 to " + std::to_string(nvert - 1));
  }
  const double measure = soft_measure(mesh, v, corners);
  const double size = std::pow(soft_length(mesh, v, corners), corners - 1);
  if (corners == 4 && measure < -1e-9 * size) {
    return e.error(name + " is inside out", "exchange two of its vertices");
  }
  if (!(measure > 1e-9 * size)) {
    return e.error(name + " is degenerate: its vertices do not span it",
                   "remove it, or move its vertices apart");
  }
  return {};
}

// refuses vertices that are not finite, repeated, or part of no element and so without mass
CORTEN_COLD Result<void> check_soft_vertices(const spec::Soft& e, const asset::Elements& mesh) {
  const std::size_t n = mesh.vert.size() / 3;
  List<float> merged;
  asset::VertexIndex index(merged, n);
  for (std::size_t i = 0; i < n; ++i) {
    float v[3];
    for (std::size_t k = 0; k < 3; ++k) {
      if (!std::isfinite(mesh.vert[3 * i + k])) {
        return e.error("vertex " + std::to_string(i) + " is not finite",
                       "give three finite numbers for each vertex");
      }
      v[k] = static_cast<float>(mesh.vert[3 * i + k]) + 0.0f;  // no negative zero
    }
    const int same = index.find(v);
    if (same == static_cast<int>(i)) continue;
    return e.error(
        "vertices " + std::to_string(same) + " and " + std::to_string(i) + " are at the same place",
        "merge them");
  }
  List<int> used(n, 0);
  for (const int v : mesh.corner) at(used, v) = 1;
  for (std::size_t i = 0; i < n; ++i) {
    if (used[i] != 0) continue;
    return e.error("vertex " + std::to_string(i) + " belongs to no element",
                   "remove it: it would have no mass");
  }
  return {};
}

}  // namespace detail

// the vertices of a soft body, in its own frame, and its elements
CORTEN_COLD Result<void> make_soft_mesh(const spec::Soft& e, asset::Elements& out) {
  const int corners = corners_of(e.type);
  if (e.file || e.content.bytes) {
    if (auto done = detail::read_soft_file(e, out); !done) return done;
  } else if (e.count) {
    if (auto done = detail::make_soft_grid(e, out); !done) return done;
  } else {
    if (e.vertex) out.vert = *e.vertex;
    if (e.element) out.corner = *e.element;
  }
  const std::string word = spec::soft_element(e.type);
  if (out.vert.empty()) {
    return e.error("the " + word + " has no vertices", "give count, file or vertex");
  }
  if (out.vert.size() % 3 != 0) return e.error("vertex needs a multiple of 3 values");
  if (out.vert.size() / 3 > static_cast<std::size_t>(detail::most_soft_vertices)) {
    return e.error("the " + word + " has more than 4,000,000 vertices");
  }
  if (out.corner.empty()) {
    return e.error("the " + word + " has no elements",
                   "it needs " + std::to_string(corners) + " vertices for each");
  }
  if (out.corner.size() % static_cast<std::size_t>(corners) != 0) {
    return e.error("element needs a multiple of " + std::to_string(corners) + " values");
  }
  const spec::Numbers<3> scale = e.scale.value_or(spec::Numbers<3>{1, 1, 1});
  for (std::size_t i = 0; i < out.vert.size(); ++i) out.vert[i] *= scale[i % 3];
  const int count = static_cast<int>(out.corner.size()) / corners;
  Result<void> done;
  for (int i = 0; i < count && done; ++i) done = detail::check_soft_element(e, out, i, corners);
  if (done) done = detail::check_soft_vertices(e, out);
  if (done || !e.file) return done;
  return asset::in_file(e, *e.file, Error(done.error().message, done.error().remedy));
}

}  // namespace corten::compiler
