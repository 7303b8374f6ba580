// SPDX-License-Identifier: Apache-2.0
//
// The meshes that MuJoCo generates itself (builtin="..."), with its order of vertices and faces,
// which shows in the model's arrays.
#pragma once

#include <corten/asset/triangles.hpp>
#include <corten/core/list.hpp>

#include <initializer_list>
#include <utility>

namespace corten::asset {

namespace detail {

inline constexpr double pi = 3.14159265358979323846;

// an upper limit, because the user chooses the resolution
inline constexpr int max_resolution = 4096;

CORTEN_COLD void add_vertex(Triangles& out, double x, double y, double z) {
  for (const double c : {x, y, z}) out.vert.push_back(static_cast<float>(c));
}
CORTEN_COLD void add_face(Triangles& out, int a, int b, int c) { out.face.append({a, b, c}); }

// |x|^m with the sign of x
inline double signed_power(double x, double m) {
  return std::copysign(std::pow(std::fabs(x), m), x);
}

// rows of four arcs, from the pole to the equator
CORTEN_COLD Result<void> make_hemisphere(const List<double>& params, Triangles& out) {
  if (params.size() != 1) return Error("hemisphere takes 1 parameter: resolution");
  if (!(params[0] >= 0 && params[0] < 11)) return Error("resolution must be between 0 and 10");
  const int res = static_cast<int>(params[0]);
  constexpr double equator[5][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 0}};
  add_vertex(out, 0, 0, 1);
  for (int row = 0; row <= res; ++row) {
    const double factor = static_cast<double>(row + 1) / (res + 1);
    for (int side = 0; side < 4; ++side) {
      const double z = 1 + factor * (0.0 - 1), end_z = z;
      const double start[3] = {0 + factor * equator[side][0], 0 + factor * equator[side][1], z};
      const double end[3] = {0 + factor * equator[side + 1][0], 0 + factor * equator[side + 1][1],
                             end_z};
      for (int i = 0; i < row + 1; ++i) {
        double p[3];
        for (int j = 0; j < 3; ++j) p[j] = start[j] + i * ((end[j] - start[j]) / (row + 1));
        const double norm = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
        add_vertex(out, p[0] / norm, p[1] / norm, p[2] / norm);
      }
    }
  }
  add_vertex(out, 0, 0, 0);
  for (int side = 0; side < 4; ++side) add_face(out, 0, 1 + side, 1 + (side + 1) % 4);
  for (int row = 0; row < res; ++row) {
    const int here = 2 * row * (row + 1) + 1, count = 4 * (row + 1);
    const int next = here + count, next_count = 4 * (row + 2);
    for (int side = 0; side < 4; ++side) {
      for (int i = 0; i < row + 2; ++i) {
        const int a = i + (row + 1) * side, b = i + (row + 2) * side;
        add_face(out, here + a % count, next + b % next_count, next + (b + 1) % next_count);
        if (i == row + 1) continue;
        add_face(out, here + a % count, next + (b + 1) % next_count, here + (a + 1) % count);
      }
    }
  }
  const int rim = 2 * res * (res + 1) + 1, count = 4 * (res + 1), centre = out.nvert() - 1;
  for (int i = 0; i < count; ++i) add_face(out, rim + i, centre, rim + (i + 1) % count);
  return {};
}

// Vertices at the middle of edges. Each is created once, since two faces share an edge.
class Midpoints {
 public:
  explicit Midpoints(Triangles& out) : out_(out), first_(static_cast<std::size_t>(out.nvert())) {}

  CORTEN_COLD int of(int a, int b) {
    const std::pair<int, int> key(a < b ? a : b, a < b ? b : a);
    auto& known = first_[static_cast<std::size_t>(key.first)];
    for (const auto& [other, middle] : known) {
      if (other == key.second) return middle;
    }
    float m[3], square = 0;
    for (std::size_t k = 0; k < 3; ++k) m[k] = (at(a, k) + at(b, k)) / 2.0f;
    square = m[0] * m[0] + m[1] * m[1] + m[2] * m[2];
    const float norm = std::sqrt(square);
    for (const float x : m) out_.vert.push_back(x / norm);
    known.emplace_back(key.second, out_.nvert() - 1);
    return out_.nvert() - 1;
  }

 private:
  float at(int v, std::size_t k) const { return out_.vert[3 * static_cast<std::size_t>(v) + k]; }

  Triangles& out_;
  List<List<std::pair<int, int>>> first_;  // indexed by the smaller vertex of the edge
};

// an icosahedron whose faces are repeatedly cut in four
CORTEN_COLD Result<void> make_sphere(const List<double>& params, Triangles& out) {
  if (params.size() != 1) return Error("sphere takes 1 parameter: subdivision");
  if (!(params[0] >= 0 && params[0] < 5)) return Error("subdivision must be between 0 and 4");
  const float phi = static_cast<float>((1.0 + std::sqrt(5.0)) / 2.0);
  const double norm = std::sqrt(1.0 + static_cast<double>(phi * phi));
  const float ends[12][3] = {{-1, phi, 0}, {1, phi, 0}, {-1, -phi, 0}, {1, -phi, 0},
                             {0, -1, phi}, {0, 1, phi}, {0, -1, -phi}, {0, 1, -phi},
                             {phi, 0, -1}, {phi, 0, 1}, {-phi, 0, -1}, {-phi, 0, 1}};
  for (const auto& v : ends) {
    for (const float x : v) out.vert.push_back(static_cast<float>(static_cast<double>(x) / norm));
  }
  out.face = {0, 11, 5,  0, 5,  1, 0, 1, 7, 0, 7,  10, 0, 10, 11, 1, 5, 9, 5, 11,
              4, 11, 10, 2, 10, 7, 6, 7, 1, 8, 3,  9,  4, 3,  4,  2, 3, 2, 6, 3,
              6, 8,  3,  8, 9,  4, 9, 5, 2, 4, 11, 6,  2, 10, 8,  6, 7, 9, 8, 1};
  for (int level = 0; level < static_cast<int>(params[0]); ++level) {
    Midpoints middle(out);
    const List<int> coarse = std::move(out.face);
    out.face.clear();
    for (std::size_t i = 0; i < coarse.size(); i += 3) {
      const int a = coarse[i], b = coarse[i + 1], c = coarse[i + 2];
      const int ab = middle.of(a, b), bc = middle.of(b, c), ca = middle.of(c, a);
      add_face(out, a, ab, ca);
      add_face(out, b, bc, ab);
      add_face(out, c, ca, bc);
      add_face(out, ab, bc, ca);
    }
  }
  return {};
}

CORTEN_COLD Result<void> make_supersphere(const List<double>& params, Triangles& out) {
  if (params.size() != 3) return Error("supersphere takes 3 parameters: resolution, e, n");
  if (!(params[0] >= 3 && params[0] <= max_resolution))
    return Error("resolution must be 3 or more");
  if (!(params[1] >= 0 && params[2] >= 0)) return Error("e and n cannot be negative");
  const int res = static_cast<int>(params[0]);
  add_vertex(out, 0, 0, -1);
  for (int i = 1; i < res; ++i) {
    const double v = -pi / 2 + i * pi / res;
    const double r = signed_power(std::cos(v), params[2]), z = signed_power(std::sin(v), params[2]);
    for (int j = 0; j < res; ++j) {
      const double u = -pi + j * 2 * pi / res;
      add_vertex(out, r * signed_power(std::cos(u), params[1]),
                 r * signed_power(std::sin(u), params[1]), z);
    }
  }
  add_vertex(out, 0, 0, 1);
  for (int j = 0; j < res; ++j) add_face(out, 0, 1 + (j + 1) % res, 1 + j);
  for (int i = 0; i < res - 2; ++i) {
    const int low = 1 + i * res, high = low + res;
    for (int j = 0; j < res; ++j) {
      const int k = (j + 1) % res;
      add_face(out, low + j, low + k, high + j);
      add_face(out, low + k, high + k, high + j);
    }
  }
  const int last = 1 + (res - 2) * res, pole = out.nvert() - 1;
  for (int j = 0; j < res; ++j) add_face(out, last + j, last + (j + 1) % res, pole);
  return {};
}

CORTEN_COLD Result<void> make_supertorus(const List<double>& params, Triangles& out) {
  if (params.size() != 4) return Error("supertorus takes 4 parameters: resolution, radius, s, t");
  if (!(params[0] >= 3 && params[0] <= max_resolution))
    return Error("resolution must be 3 or more");
  if (!(params[1] > 0 && params[1] <= 1)) return Error("radius must be in (0, 1]");
  if (!(params[2] > 0 && params[3] > 0)) return Error("s and t must be positive");
  const int res = static_cast<int>(params[0]);
  const double radius = params[1], s = params[2], t = params[3];
  for (int i = 0; i < res; ++i) {
    const double u = 2 * pi * i / res;
    for (int j = 0; j < res; ++j) {
      const double v = 2 * pi * j / res, r = 1 + radius * signed_power(std::cos(v), s);
      add_vertex(out, r * signed_power(std::cos(u), t), r * signed_power(std::sin(u), t),
                 radius * signed_power(std::sin(v), s));
    }
  }
  for (int i = 0; i < res; ++i) {
    const int here = i * res, next = (i + 1) % res * res;
    for (int j = 0; j < res; ++j) {
      const int k = (j + 1) % res;
      add_face(out, here + j, next + j, here + k);
      add_face(out, next + j, next + k, here + k);
    }
  }
  return {};
}

// the midpoints of `count` bins between -fov and fov degrees; gamma makes them finer around 0
CORTEN_COLD List<double> bin_middles(int count, double fov, double gamma) {
  List<double> edges;
  double x = -1;
  for (int i = 0; i <= count; ++i, x += 2.0 / count) {
    edges.push_back((gamma == 0 ? x : gamma * std::pow(x, 5) + (1 - gamma) * x) * (fov * pi / 180));
  }
  List<double> out;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) out.push_back(0.5 * (edges[i + 1] + edges[i]));
  return out;
}

// directions of a retina on the unit sphere; vertices only
CORTEN_COLD Result<void> make_wedge(const List<double>& params, Triangles& out) {
  if (params.size() != 5)
    return Error("wedge takes 5 parameters: two resolutions, two angles, gamma");
  for (std::size_t i = 0; i < 2; ++i) {
    if (!(params[i] >= 1 && params[i] <= max_resolution))
      return Error("resolutions must be positive");
  }
  if (!(params[2] > 0 && params[2] <= 180)) return Error("the first angle must be in (0, 180]");
  if (!(params[3] > 0 && params[3] <= 90)) return Error("the second angle must be in (0, 90]");
  if (!(params[4] >= 0 && params[4] <= 1)) return Error("gamma must be in [0, 1]");
  const auto across = bin_middles(static_cast<int>(params[0]), params[2], params[4]);
  const auto up = bin_middles(static_cast<int>(params[1]), params[3], params[4]);
  for (const double a : across) {
    for (const double e : up) {
      add_vertex(out, std::cos(e) * std::sin(a), std::sin(e), -(std::cos(e) * std::cos(a)));
      // the frame: the direction as normal, then the tangents along the two angles
      const double across_a[] = {std::cos(a), 0, std::sin(a)};
      const double across_e[] = {-std::sin(e) * std::sin(a), std::cos(e),
                                 std::sin(e) * std::cos(a)};
      for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        out.frame.push_back(
            static_cast<float>(across_e[i] * across_a[j] - across_e[j] * across_a[i]));
      }
      for (const double x : across_a) out.frame.push_back(static_cast<float>(x));
      for (const double x : across_e) out.frame.push_back(static_cast<float>(x));
    }
  }
  out.has_normal = true;
  return {};
}

// a grid of points in a square at z = -1; always a shell
CORTEN_COLD Result<void> make_plate(const List<double>& params, Triangles& out) {
  if (params.size() != 2) return Error("plate takes 2 parameters: two resolutions");
  for (const double p : params) {
    if (!(p >= 1 && p <= max_resolution)) return Error("resolutions must be positive");
  }
  const int nx = static_cast<int>(params[0]), ny = static_cast<int>(params[1]);
  for (int i = 0; i < nx; ++i) {
    for (int j = 0; j < ny; ++j) {
      add_vertex(out, -1 + (i + 0.5) * (2.0 / nx), -1 + (j + 0.5) * (2.0 / ny), -1);
      for (int k = 0; k < 9; ++k) out.frame.push_back(k % 4 == 0 ? 1.0f : 0.0f);
    }
  }
  for (int i = 1; i < nx; ++i) {
    for (int j = 1; j < ny; ++j) {
      const int here = i * ny + j, before = here - ny;
      add_face(out, before - 1, here - 1, before);
      add_face(out, here, before, here - 1);
    }
  }
  out.has_normal = true;
  return {};
}

CORTEN_COLD Result<void> make_cone(const List<double>& params, Triangles& out) {
  if (params.size() != 2) return Error("cone takes 2 parameters: edges, radius of the top");
  if (!(params[0] >= 3 && params[0] <= max_resolution))
    return Error("a cone needs at least 3 edges");
  const int edges = static_cast<int>(params[0]);
  const double radius = params[1];
  for (int i = 0; i < edges; ++i) {
    add_vertex(out, std::cos(2 * i * pi / edges), std::sin(2 * i * pi / edges), -1);
  }
  for (int i = edges; radius > 0 && i < 2 * edges; ++i) {
    add_vertex(out, radius * std::cos(2 * i * pi / edges), radius * std::sin(2 * i * pi / edges),
               1);
  }
  if (!(radius > 0)) add_vertex(out, 0, 0, 1);
  return {};
}

}  // namespace detail

}  // namespace corten::asset
