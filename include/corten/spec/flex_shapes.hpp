// SPDX-License-Identifier: Apache-2.0
//
// The points and elements of a <flexcomp>, in its own frame: grids, boxes and their projections,
// and what files contain. Their order is MuJoCo's.
#pragma once

#include <corten/asset/gmsh.hpp>
#include <corten/asset/obj.hpp>
#include <corten/asset/stl.hpp>
#include <corten/spec/flexcomp.hpp>
#include <corten/spec/orientation.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace corten::spec::detail {

using FlexPoints = asset::Elements;

inline void add_point(FlexPoints& out, double x, double y, double z) { out.vert.append({x, y, z}); }

// ---- grids --------------------------------------------------------------------------------------

// coordinate i of n points that are centred at the origin
inline double grid_at(int i, int n, double spacing) { return spacing * (i - 0.5 * (n - 1)); }

CORTEN_COLD void make_circle(const Flexcomp& e, FlexPoints& out) {
  const int n = e.counts()[0] - 1;
  const double angle = 2 * 3.14159265358979323846 / n;
  const double radius = e.spacings()[0] / std::sin(angle / 2) / 2;
  for (int i = 0; i < n; ++i) {
    add_point(out, radius * std::cos(angle * i), radius * std::sin(angle * i), 0);
    out.corner.append({i, i == n - 1 ? 0 : i + 1});
  }
}

CORTEN_COLD void make_grid1(const Flexcomp& e, FlexPoints& out) {
  const int n = e.counts()[0];
  for (int i = 0; i < n; ++i) {
    add_point(out, grid_at(i, n, e.spacings()[0]), 0, 0);
    if (i + 1 < n) out.corner.append({i, i + 1});
  }
}

// two triangles per cell; `fan` turns the diagonals of a disc towards its centre
CORTEN_COLD void make_grid2(const Flexcomp& e, bool fan, FlexPoints& out) {
  const std::array<int, 3> n = e.counts();
  for (int i = 0; i < n[0]; ++i) {
    for (int j = 0; j < n[1]; ++j) {
      const double x = grid_at(i, n[0], e.spacings()[0]), y = grid_at(j, n[1], e.spacings()[1]);
      add_point(out, x, y, 0);
      if (i + 1 == n[0] || j + 1 == n[1]) continue;
      const int a = n[1] * i + j, b = a + n[1], c = b + 1, d = a + 1;
      const bool flip = fan && ((x < -tiny && y > -tiny) || (x > -tiny && y < -tiny));
      out.corner.append({a, b, flip ? d : c, flip ? b : a, c, d});
    }
  }
}

// six tetrahedra per cell
CORTEN_COLD void make_grid3(const Flexcomp& e, FlexPoints& out) {
  constexpr int tets[6][4] = {{0, 3, 1, 7}, {0, 1, 4, 7}, {1, 3, 2, 7},
                              {1, 2, 6, 7}, {1, 5, 4, 7}, {1, 6, 5, 7}};
  const std::array<int, 3> n = e.counts();
  const int dx = n[1] * n[2], dy = n[2];
  for (int i = 0; i < n[0]; ++i) {
    for (int j = 0; j < n[1]; ++j) {
      for (int k = 0; k < n[2]; ++k) {
        add_point(out, grid_at(i, n[0], e.spacings()[0]), grid_at(j, n[1], e.spacings()[1]),
                  grid_at(k, n[2], e.spacings()[2]));
        if (i + 1 == n[0] || j + 1 == n[1] || k + 1 == n[2]) continue;
        const int first = dx * i + dy * j + k;
        const int corner[8] = {first,     first + dx,     first + dx + dy,     first + dy,
                               first + 1, first + dx + 1, first + dx + dy + 1, first + dy + 1};
        for (const auto& tet : tets) {
          for (const int c : tet) out.corner.push_back(corner[c]);
        }
      }
    }
  }
}

// Scales the coordinates of a square so that it becomes a disc. The order of products is MuJoCo's:
// where elements share a vertex, the last bit decides which contacts are kept (flex_filter.hpp).
CORTEN_COLD void make_round(double* x, int n, double largest, const double* size) {
  double length = 0;
  for (int k = 0; k < n; ++k) length += x[k] * x[k];
  length = length < tiny ? 1 : std::sqrt(length);
  for (int k = 0; k < n; ++k) x[k] = x[k] / length * (size[k] * largest);
}

CORTEN_COLD void make_disc(const Flexcomp& e, FlexPoints& out) {
  double size[2];
  for (std::size_t k = 0; k < 2; ++k) size[k] = 0.5 * e.spacings()[k] * (e.counts()[k] - 1);
  for (std::size_t i = 0; i < out.vert.size(); i += 3) {
    double* x = &out.vert[i];
    make_round(x, 2, std::max(std::fabs(x[0]), std::fabs(x[1])), size);
  }
}

// ---- boxes --------------------------------------------------------------------------------------

// The surface of a box, which may be projected onto a cylinder or an ellipsoid. Points are numbered
// side by side: bottom and top, then front and back, then left and right without their edges. A
// solid has a point in the middle in addition, before all others. As in MuJoCo, a surface is open
// at the top.
class BoxSurface {
 public:
  BoxSurface(const Flexcomp& e, bool solid, FlexPoints& out)
      : e_(e), n_(e.counts()), solid_(solid), out_(out) {}

  CORTEN_COLD void make() {
    if (solid_) add_point(out_, 0, 0, 0);
    each_side([&](int side, int at) { add_points(side, at); });
    each_side([&](int side, int at) { add_elements(side, at); });
  }

 private:
  using Place = std::array<int, 3>;

  // f(axis of the normal, coordinate along it), in the order of the numbers
  template <class F>
  void each_side(F&& f) const {
    for (const int side : {2, 1, 0}) {
      f(side, 0);
      if (side != 2 || solid_) f(side, n(side) - 1);
    }
  }
  int n(int axis) const { return n_[static_cast<std::size_t>(axis)]; }

  // the axes across a side, the slower one first
  static int first_axis(int side) { return side == 0 ? 1 : 0; }
  static int second_axis(int side) { return side == 2 ? 1 : 2; }

  static Place place(int side, int at, int i, int j) {
    Place out{};
    out[static_cast<std::size_t>(side)] = at;
    out[static_cast<std::size_t>(first_axis(side))] = i;
    out[static_cast<std::size_t>(second_axis(side))] = j;
    return out;
  }

  CORTEN_COLD int id(const Place& p) const {
    const int ends = solid_ ? n(2) - 2 : n(2) - 1, first = solid_ ? 1 : 0;
    if (p[2] == 0) return first + p[0] * n(1) + p[1];
    if (solid_ && p[2] == n(2) - 1) return first + n(0) * n(1) + p[0] * n(1) + p[1];
    const int y = first + (solid_ ? 2 : 1) * n(0) * n(1), x = y + 2 * n(0) * ends;
    if (p[1] == 0) return y + p[0] * ends + p[2] - 1;
    if (p[1] == n(1) - 1) return y + n(0) * ends + p[0] * ends + p[2] - 1;
    return x + (p[0] == 0 ? 0 : (n(1) - 2) * ends) + (p[1] - 1) * ends + p[2] - 1;
  }

  CORTEN_COLD void add_points(int side, int at) {
    for (int i = 0; i < n(first_axis(side)); ++i) {
      for (int j = 0; j < n(second_axis(side)); ++j) {
        const Place p = place(side, at, i, j);
        const bool known = (side < 2 && (p[2] == 0 || (solid_ && p[2] == n(2) - 1))) ||
                           (side == 0 && (p[1] == 0 || p[1] == n(1) - 1));
        if (!known) project(p);
      }
    }
  }

  CORTEN_COLD void project(const Place& p) {
    double x[3], size[3];
    for (int k = 0; k < 3; ++k) {
      const auto i = static_cast<std::size_t>(k);
      x[k] = 2.0 * p[i] / (n(k) - 1) - 1;
      size[k] = 0.5 * e_.spacings()[i] * (n(k) - 1);
    }
    const FlexcompType type = e_.type.value_or(FlexcompType::grid);
    if (type == FlexcompType::ellipsoid) {
      make_round(x, 3, 1, size);
    } else if (type == FlexcompType::cylinder) {
      make_round(x, 2, std::max(std::fabs(x[0]), std::fabs(x[1])), size);
      x[2] *= size[2];
    } else {
      for (int k = 0; k < 3; ++k) x[k] *= size[k];
    }
    add_point(out_, x[0], x[1], x[2]);
  }

  CORTEN_COLD void add_elements(int side, int at) {
    for (int i = 0; i + 1 < n(first_axis(side)); ++i) {
      for (int j = 0; j + 1 < n(second_axis(side)); ++j) {
        const auto corner = [&](int di, int dj) { return id(place(side, at, i + di, j + dj)); };
        if (solid_) {
          out_.corner.append({0, corner(0, 0), corner(1, 0), corner(1, 1)});
          out_.corner.append({0, corner(0, 0), corner(0, 1), corner(1, 1)});
        } else if (side == 2) {
          const int low = at == 0 ? 1 : 0, high = 1 - low;
          out_.corner.append({corner(0, 0), corner(1, low), corner(1, high)});
          out_.corner.append({corner(0, 0), corner(high, 1), corner(low, 1)});
        } else {
          const int from = (side == 1) == (at == 0) ? 0 : 1, to = 1 - from;
          out_.corner.append({corner(from, 0), corner(to, 0), corner(to, 1)});
          out_.corner.append({corner(from, 0), corner(to, 1), corner(from, 1)});
        }
      }
    }
  }

  const Flexcomp& e_;
  std::array<int, 3> n_;
  bool solid_;
  FlexPoints& out_;
};

// ---- files --------------------------------------------------------------------------------------

// the tetrahedra between an origin and the triangles of a surface that face away from it
CORTEN_COLD void add_tetrahedra(const Numbers<3>& origin, const asset::Triangles& mesh,
                                FlexPoints& out) {
  out.vert.assign(origin.begin(), origin.end());
  for (const float x : mesh.vert) out.vert.push_back(static_cast<double>(x));
  const auto point = [&](int v) {
    const double* x = &out.vert[3 * static_cast<std::size_t>(v)];
    return Vec3d(x[0] - origin[0], x[1] - origin[1], x[2] - origin[2]);
  };
  for (std::size_t i = 0; i + 2 < mesh.face.size(); i += 3) {
    const int a = mesh.face[i] + 1, b = mesh.face[i + 1] + 1, c = mesh.face[i + 2] + 1;
    if (cross(point(a), point(b)).dot(point(c)) < 1e-15) continue;
    out.corner.append({0, a, b, c});
  }
}

// merges vertices at the same place, in the order of their first appearance
CORTEN_COLD void merge_vertices(asset::Triangles& mesh) {
  List<float> merged;
  asset::VertexIndex index(merged, mesh.vert.size() / 3);
  List<int> number;
  for (std::size_t i = 0; i < mesh.vert.size(); i += 3) {
    const float v[3] = {mesh.vert[i] + 0.0f, mesh.vert[i + 1] + 0.0f, mesh.vert[i + 2] + 0.0f};
    number.push_back(index.find(v));
  }
  for (int& v : mesh.face) v = number[static_cast<std::size_t>(v)];
  for (int& v : mesh.line) v = number[static_cast<std::size_t>(v)];
  mesh.vert = merged;
}

CORTEN_COLD Result<void> read_flex_mesh(const Flexcomp& e, std::string_view bytes, int dim,
                                        FlexPoints& out) {
  const std::string path = e.content.path;
  std::string ending = path.substr(std::min(path.find_last_of('.'), path.size()));
  for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  asset::Triangles mesh;
  Result<void> done;
  if (ending == ".obj") {
    done = asset::read_obj(bytes, mesh);
  } else if (ending == ".stl") {
    done = asset::read_stl(bytes, mesh);
  } else {
    return e.error("'" + path + "' is not a supported kind of mesh", "use OBJ or STL");
  }
  if (!done) return asset::in_file(e, path, done.error());
  merge_vertices(mesh);
  if (dim == 3) {
    if (!e.origin) return e.error("origin is missing", "a solid from a mesh needs one");
    add_tetrahedra(*e.origin, mesh, out);
    return {};
  }
  for (const float x : mesh.vert) out.vert.push_back(static_cast<double>(x));
  if (dim == 2) {
    out.corner = mesh.face;
  } else if (mesh.face.empty()) {
    out.corner = mesh.line;
  } else {
    for (std::size_t i = 0; i + 2 < mesh.face.size(); i += 3) {
      out.corner.append({mesh.face[i], mesh.face[i + 1]});
    }
  }
  return {};
}

CORTEN_COLD Result<void> read_flex_gmsh(const Flexcomp& e, std::string_view bytes, int& dim,
                                        FlexPoints& out) {
  if (!asset::is_gmsh(bytes)) {
    return e.error("'" + e.content.path + "' is not a Gmsh file", "it must begin with $MeshFormat");
  }
  int corners = 0;
  if (auto done = asset::read_gmsh(bytes, corners, out); !done) {
    return asset::in_file(e, e.content.path, done.error());
  }
  dim = corners - 1;
  return {};
}

// ---- all types ----------------------------------------------------------------------------------

CORTEN_COLD Result<void> check_flex_counts(const Flexcomp& e, FlexcompType type, int dim) {
  const std::array<int, 3> n = e.counts();
  const bool box = type == FlexcompType::box || type == FlexcompType::cylinder ||
                   type == FlexcompType::ellipsoid;
  double total = 1;
  for (const int k : n) {
    if (k < (box || (e.dof == FlexDof::radial && dim == 3) ? 2 : 1)) {
      return e.error("count is too small",
                     box ? "a box needs at least 2 in each direction" : "it must be positive");
    }
    total *= k;
  }
  if (total > 1e7) return e.error("count is too large");
  if (box && dim == 1) return e.error("a box has dim 2 or 3");
  if (box) return {};
  if (type == FlexcompType::circle && dim == 1 && n[0] < 4) {
    return e.error("count is too small", "a circle needs at least 4");
  }
  if (dim == 2 && n[2] != 1) {
    return e.error("the third count of a surface must be 1");
  }
  for (int k = 0; k < dim; ++k) {
    if (n[static_cast<std::size_t>(k)] > 1) continue;
    return e.error("count is too small: the grid has no elements",
                   "it needs at least 2 in " + std::to_string(dim) + " directions");
  }
  return {};
}

CORTEN_COLD Result<void> check_flex_spacing(const Flexcomp& e) {
  const double least = 2 * e.radius.value_or(0.005) + e.contact.margin.value_or(0);
  for (const double s : e.spacings()) {
    if (!(s >= least)) {
      return e.error("spacing is smaller than the elements",
                     "it must be at least twice the radius plus the margin");
    }
  }
  return {};
}

// makes the points and elements; `dim` may change, since squares and files have their own
CORTEN_COLD Result<void> make_flex_points(const Flexcomp& e, int& dim, FlexPoints& out) {
  const FlexcompType type = e.type.value_or(FlexcompType::grid);
  if (type == FlexcompType::square || type == FlexcompType::disc) dim = 2;
  if (e.is_direct()) {
    if (type == FlexcompType::direct) {
      out.vert = e.point.value_or(List<double>());
      out.corner = e.element.value_or(List<int>());
      return {};
    }
    if (!e.content.bytes) return e.error("file is missing");
    return type == FlexcompType::mesh ? read_flex_mesh(e, *e.content.bytes, dim, out)
                                      : read_flex_gmsh(e, *e.content.bytes, dim, out);
  }
  if (auto done = check_flex_counts(e, type, dim); !done) return done;
  if (auto done = check_flex_spacing(e); !done) return done;
  if (type == FlexcompType::box || type == FlexcompType::cylinder ||
      type == FlexcompType::ellipsoid) {
    BoxSurface(e, dim == 3, out).make();
  } else if (dim == 1) {
    type == FlexcompType::circle ? make_circle(e, out) : make_grid1(e, out);
  } else if (dim == 2) {
    make_grid2(e, type == FlexcompType::disc, out);
    if (type == FlexcompType::disc) make_disc(e, out);
  } else {
    make_grid3(e, out);
  }
  return {};
}

}  // namespace corten::spec::detail
