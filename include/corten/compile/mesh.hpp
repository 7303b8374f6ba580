// SPDX-License-Identifier: Apache-2.0
//
// Compiles a <mesh> element to vertices in the principal frame of the solid, its hull and sides,
// volume and inertia. As in MuJoCo, everything is in double precision up to the end, and sums run
// in the same order (math/principal.hpp says why).
#pragma once

#include <corten/asset/builtin.hpp>
#include <corten/asset/file.hpp>
#include <corten/asset/hull.hpp>
#include <corten/asset/polygons.hpp>
#include <corten/compile/principal.hpp>
#include <corten/core/list.hpp>
#include <corten/core/sort.hpp>
#include <corten/mjcf/asset_numbers.hpp>
#include <corten/mjcf/include.hpp>

#include <cmath>
#include <string>

namespace corten::compiler {

namespace detail {

// r v, summed from first to last
inline Vec3d turned(const Mat3d& r, const Vec3d& v) {
  Vec3d out;
  for (int i = 0; i < 3; ++i) out[i] = r(i, 0) * v[0] + r(i, 1) * v[1] + r(i, 2) * v[2];
  return out;
}

inline Vec3d corner(const Solid& s, int v) { return row<3>(s.vert, v); }

// ---- input of the element -----------------------------------------------------------------------

// the bytes of an asset's file: those that the reader loaded, or else from disk
template <class T>
CORTEN_COLD Result<void> open_asset(const T& e, spec::FileContent& out) {
  out = e.content;
  if (out.bytes) return {};
  out.path = e.file.value_or("");
  std::optional<std::string> bytes = load_file(out.path);
  if (!bytes) return e.error("cannot read '" + out.path + "'");
  out.bytes = std::make_shared<const std::string>(*std::move(bytes));
  return {};
}

CORTEN_COLD Result<void> make_builtin(const spec::Mesh& e, Solid& out) {
  namespace a = asset::detail;
  const List<double> params = e.params ? *e.params : List<double>();
  Result<void> done;
  switch (*e.builtin) {
    case spec::MeshBuiltin::none: return e.error("builtin is none", "remove the attribute");
    case spec::MeshBuiltin::sphere: done = a::make_sphere(params, out.mesh); break;
    case spec::MeshBuiltin::hemisphere: done = a::make_hemisphere(params, out.mesh); break;
    case spec::MeshBuiltin::cone: done = a::make_cone(params, out.mesh); break;
    case spec::MeshBuiltin::supersphere: done = a::make_supersphere(params, out.mesh); break;
    case spec::MeshBuiltin::supertorus: done = a::make_supertorus(params, out.mesh); break;
    case spec::MeshBuiltin::wedge: done = a::make_wedge(params, out.mesh); break;
    case spec::MeshBuiltin::plate:
      done = a::make_plate(params, out.mesh);
      out.mode = spec::MeshInertia::shell;
      break;
  }
  if (!done) return e.error(done.error().message);
  return {};
}

// adds the arrays given in the XML, which a file must not give as well
CORTEN_COLD Result<void> add_written(const spec::Mesh& e, asset::Triangles& out) {
  if (e.vertex && e.vertex->size() % 3 != 0) return e.error("vertex needs a multiple of 3 values");
  if (e.normal && e.normal->size() % 3 != 0) return e.error("normal needs a multiple of 3 values");
  if (e.texcoord && e.texcoord->size() % 2 != 0) {
    return e.error("texcoord needs a multiple of 2 values");
  }
  if (e.face && e.face->size() % 3 != 0) return e.error("face needs a multiple of 3 values");
  if (e.vertex) {
    if (!out.vert.empty()) return e.error("vertices are given both by the file and by vertex");
    for (const double x : *e.vertex) out.vert.push_back(static_cast<float>(x));
  }
  if (e.face) {
    if (!out.face.empty()) return e.error("faces are given both by the file and by face");
    out.face = *e.face;
  }
  if (e.normal) {
    if (out.has_normal) return e.error("normals are given both by the file and by normal");
    out.has_normal = true;
    if (e.normal->size() == 3 * out.vert.size()) {
      for (const double x : *e.normal) out.frame.push_back(static_cast<float>(x));
    }
  }
  if (e.texcoord) {
    if (out.has_texcoord) {
      return e.error("texture coordinates are given both by the file and by texcoord");
    }
    if (e.texcoord->size() != out.vert.size() / 3 * 2) {
      return e.error("texcoord must have two numbers for each vertex");
    }
  }
  return {};
}

CORTEN_BULK Result<void> check_triangles(const spec::Mesh& e, const asset::Triangles& mesh) {
  if (mesh.nvert() < 4) return e.error("a mesh needs at least 4 vertices");
  for (std::size_t i = 0; i < mesh.vert.size(); ++i) {
    if (!std::isfinite(mesh.vert[i])) {
      return e.error("vertex " + std::to_string(i / 3) + " is not finite");
    }
  }
  for (std::size_t i = 0; i < mesh.face.size(); ++i) {
    if (mesh.face[i] >= 0 && mesh.face[i] < mesh.nvert()) continue;
    return e.error("face " + std::to_string(i / 3) + " refers to vertex " +
                   std::to_string(mesh.face[i]) + ", which does not exist");
  }
  return {};
}

// ---- triangles ----------------------------------------------------------------------------------

// Area, unit normal and centre of a triangle. The normal of a degenerate triangle is not
// normalised.
struct TriangleShape {
  double area = 0;
  Vec3d normal, middle;

  TriangleShape(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    for (int k = 0; k < 3; ++k) middle[k] = (a[k] + b[k] + c[k]) / 3;
    normal = cross(b - a, c - a);
    const double length = std::sqrt(normal.squaredNorm());
    if (length < min_value) return;
    for (int k = 0; k < 3; ++k) normal[k] /= length;
    area = 0.5 * length;
  }
};

inline TriangleShape triangle_of(const Solid& s, const List<int>& face, std::size_t i) {
  return {corner(s, face[i]), corner(s, face[i + 1]), corner(s, face[i + 2])};
}

// Refuses a mesh in which two faces run through an edge in the same direction, because its inside
// is then undefined.
CORTEN_BULK Result<void> check_orientation(const spec::Mesh& e, const Solid& s) {
  if (s.mode != spec::MeshInertia::exact) return {};
  List<std::pair<int, int>> edges;
  const List<int>& face = s.mesh.face;
  for (std::size_t i = 0; i < face.size(); i += 3) {
    if (!(triangle_of(s, face, i).area > std::sqrt(min_value))) continue;
    for (std::size_t k = 0; k < 3; ++k) edges.emplace_back(face[i + k], face[i + (k + 1) % 3]);
  }
  sort(edges);
  const auto twice = std::adjacent_find(edges.begin(), edges.end());
  if (twice == edges.end()) return {};
  return e.error("faces have inconsistent orientation at the edge between vertices " +
                     std::to_string(twice->first) + " and " + std::to_string(twice->second),
                 "orient all faces counter-clockwise as seen from outside");
}

CORTEN_COLD Result<void> make_hull(const spec::Mesh& e, Solid& s) {
  s.hull = asset::convex_hull(s.vert, e.maxhullvert.value_or(-1));
  if (s.hull.face.empty()) {
    return e.error("its vertices lie in a plane: there is no convex hull",
                   "use a primitive geom such as a thin box, or contype=\"0\" conaffinity=\"0\"");
  }
  s.sides = asset::make_polygons(s.hull.face, s.vert);
  return {};
}

// ---- volume and inertia -------------------------------------------------------------------------

// applies refpos, refquat and scale
CORTEN_BULK void transform_mesh(const spec::Mesh& e, Solid& s) {
  const Vec3d origin = to_vec(e.refpos.value_or(spec::Numbers<3>{0, 0, 0}));
  const Vec3d scale = to_vec(e.scale.value_or(spec::Numbers<3>{1, 1, 1}));
  const spec::Numbers<4> q = e.refquat.value_or(spec::Numbers<4>{1, 0, 0, 0});
  Quatd turn(q[0], q[1], q[2], q[3]);
  const bool turns = turn != unit_quat<double>();
  normalized(turn);
  const Mat3d back = to_matrix(turn).transpose();
  for (int v = 0; v < s.nvert(); ++v) {
    Vec3d p = corner(s, v) - origin;
    if (turns) p = turned(back, p);
    put(s.vert, v, p.cwiseProduct(scale));
  }
  // normals and tangents are divided by the scale
  for (std::size_t i = 0; i + 3 <= s.mesh.frame.size(); i += 3) {
    Vec3d x;
    for (int k = 0; k < 3; ++k) {
      x[k] = static_cast<double>(s.mesh.frame[i + static_cast<std::size_t>(k)]);
    }
    if (turns) x = turned(back, x);
    x = x.cwiseQuotient(scale);
    if (normalized(x) == 0) x = Vec3d(0, 0, 1);
    for (int k = 0; k < 3; ++k) {
      s.mesh.frame[i + static_cast<std::size_t>(k)] = static_cast<float>(x[k]);
    }
  }
}

// the centroid of the surface; false if it has no area
CORTEN_BULK bool surface_middle(const Solid& s, Vec3d& out) {
  double total = 0;
  out.setZero();
  for (std::size_t i = 0; i < s.mesh.face.size(); i += 3) {
    const TriangleShape t = triangle_of(s, s.mesh.face, i);
    for (int k = 0; k < 3; ++k) out[k] += t.area * t.middle[k];
    total += t.area;
  }
  if (total < min_value) return false;
  for (int k = 0; k < 3; ++k) out[k] /= total;
  return true;
}

// Volume and centre of mass, from pyramids over the faces with their tip at the centroid of the
// surface. The legacy mode counts all pyramids as positive, so faces can have any orientation.
CORTEN_BULK double mass_centre(const Solid& s, const Vec3d& tip, Vec3d& centre) {
  double total = 0;
  centre.setZero();
  const List<int>& face = s.faces();
  for (std::size_t i = 0; i < face.size(); i += 3) {
    const TriangleShape t = triangle_of(s, face, i);
    double part = t.area;
    if (s.mode != spec::MeshInertia::shell) {
      part = (t.middle - tip).dot(t.normal) * t.area / 3;
      if (s.mode == spec::MeshInertia::legacy) part = std::fabs(part);
    }
    total += part;
    for (int k = 0; k < 3; ++k) centre[k] += part * (t.middle[k] * 3.0 / 4.0 + tip[k] / 4.0);
  }
  if (total >= min_value) {
    for (int k = 0; k < 3; ++k) centre[k] /= total;
  }
  return total;
}

// Inertia about `centre` for density 1, and the volume again. The products of inertia of a
// tetrahedron with corners 0, D, E, F and volume v are
//   ∫ x_j x_k = v/20 (2 (D_j D_k + E_j E_k + F_j F_k) + D_j E_k + D_k E_j + D_j F_k + … ),
// and those of a triangle are the same with its area and 12 in place of v and 20.
CORTEN_BULK Mat3d mesh_inertia(Solid& s, const Vec3d& centre) {
  constexpr int pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  const bool shell = s.mode == spec::MeshInertia::shell;
  double sum[6] = {0, 0, 0, 0, 0, 0};
  s.volume = 0;
  const List<int>& face = s.faces();
  for (std::size_t i = 0; i < face.size(); i += 3) {
    const Vec3d d = corner(s, face[i]) - centre, e = corner(s, face[i + 1]) - centre,
                f = corner(s, face[i + 2]) - centre;
    const TriangleShape t(d, e, f);
    double part = shell ? t.area : t.middle.dot(t.normal) * t.area / 3;
    if (s.mode == spec::MeshInertia::legacy) part = std::fabs(part);
    s.volume += part;
    const int divisor = shell ? 12 : 20;
    for (int n = 0; n < 6; ++n) {
      const int j = pairs[n][0], k = pairs[n][1];
      sum[n] += part / divisor *
                (2 * (d[j] * d[k] + e[j] * e[k] + f[j] * f[k]) + d[j] * e[k] + d[k] * e[j] +
                 d[j] * f[k] + d[k] * f[j] + e[j] * f[k] + e[k] * f[j]);
    }
  }
  return Mat3d(sum[1] + sum[2], -sum[3], -sum[4], -sum[3], sum[0] + sum[2], -sum[5], -sum[4],
               -sum[5], sum[0] + sum[1]);
}

CORTEN_COLD Result<void> weigh_mesh(const spec::Mesh& e, Solid& s, Pose& frame) {
  Vec3d tip;
  if (!surface_middle(s, tip)) return e.error("the surface area is too small");
  s.volume = mass_centre(s, tip, frame.pos);
  if (s.volume < 0) {
    return e.error("the volume is negative",
                   "orient the faces counter-clockwise as seen from outside");
  }
  if (s.volume < min_value) {
    return e.error("the volume is too small", "set inertia=\"shell\"");
  }
  const PrincipalAxes axes = principal_axes(mesh_inertia(s, frame.pos));
  const Vec3d& i = axes.moments;
  if (!(i[2] > 0)) return e.error("the inertia must have positive eigenvalues");
  const auto violates = [](double a, double b, double c) {
    return a + b < c * (1.0 - 1e-6) - 1e-9;
  };
  if (violates(i[0], i[1], i[2]) || violates(i[0], i[2], i[1]) || violates(i[1], i[2], i[0])) {
    return e.error("the inertia must satisfy A + B >= C", "check the orientation of the faces");
  }
  s.box = Vec3d(0.5 * std::sqrt(6 * (i[1] + i[2] - i[0]) / s.volume),
                0.5 * std::sqrt(6 * (i[0] + i[2] - i[1]) / s.volume),
                0.5 * std::sqrt(6 * (i[0] + i[1] - i[2]) / s.volume));
  frame.quat = axes.quat;
  return {};
}

// moves the vertices to the principal frame and computes their bounding box
CORTEN_BULK void centre_mesh(Solid& s, const Pose& frame) {
  s.frame = frame;
  const Mat3d back = to_matrix(conjugate(frame.quat));
  for (int v = 0; v < s.nvert(); ++v) {
    const Vec3d p = turned(back, corner(s, v) - frame.pos);
    put(s.vert, v, p);
    s.low = s.low.cwiseMin(p);
    s.high = s.high.cwiseMax(p);
  }
}

}  // namespace detail

// Compiles a mesh. If it `collides`, it needs a hull.
CORTEN_COLD Result<void> make_solid(const spec::Mesh& e, bool collides, Solid& s) {
  s.mode = e.inertia.value_or(spec::MeshInertia::legacy);
  if (e.file || e.content.bytes) {
    spec::FileContent file;
    if (auto done = detail::open_asset(e, file); !done) return done;
    if (auto done = mjcf::read_mesh(e, file, s.mesh); !done) return done;
  } else if (e.builtin) {
    if (auto done = detail::make_builtin(e, s); !done) return done;
  }
  if (auto done = detail::add_written(e, s.mesh); !done) return done;
  if (auto done = detail::check_triangles(e, s.mesh); !done) return done;
  s.vert.assign(s.mesh.vert.begin(), s.mesh.vert.end());
  if (auto done = detail::check_orientation(e, s); !done) return done;
  if (collides || s.mesh.face.empty() || s.mode == spec::MeshInertia::convex) {
    if (auto done = detail::make_hull(e, s); !done) return done;
  }
  if (s.mesh.face.empty()) s.mesh.face = s.hull.face;
  if (mjcf::is_mirrored(e)) {
    for (std::size_t i = 0; i < s.mesh.face.size(); i += 3) {
      std::swap(s.mesh.face[i + 1], s.mesh.face[i + 2]);
    }
  }
  detail::transform_mesh(e, s);
  Pose frame;
  if (auto done = detail::weigh_mesh(e, s, frame); !done) return done;
  detail::centre_mesh(s, frame);
  return {};
}

}  // namespace corten::compiler
