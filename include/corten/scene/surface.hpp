// SPDX-License-Identifier: Apache-2.0
//
// Surfaces ready to be drawn: triangles whose vertices have a normal each, and texture coordinates
// where the mesh has them. A vertex of a mesh becomes several where faces meet at a sharp edge, so
// that boxes look like boxes and balls like balls, whatever normals the file had.
#pragma once

#include <corten/config.hpp>
#include <corten/core/list.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <span>

namespace corten::scene {

struct Surface {
  List<float> vert, normal;  // 3 per vertex
  List<float> texcoord;      // 2 per vertex, or empty; the origin is the lower left corner
  List<int> face;            // 3 per triangle, counter-clockwise seen from outside

  int nvert() const { return static_cast<int>(vert.size() / 3); }
  int nface() const { return static_cast<int>(face.size() / 3); }
};

namespace detail {

using Float3 = std::array<float, 3>;

inline Float3 get3(const List<float>& from, int i) {
  const auto k = 3 * static_cast<std::size_t>(i);
  return {from[k], from[k + 1], from[k + 2]};
}
inline Float3 minus(const Float3& a, const Float3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
inline Float3 cross3(const Float3& a, const Float3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline float dot3(const Float3& a, const Float3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline Float3 unit3(const Float3& a, const Float3& otherwise) {
  const float n = std::sqrt(dot3(a, a));
  return n > 1e-30f ? Float3{a[0] / n, a[1] / n, a[2] / n} : otherwise;
}

// twice the area of each triangle times its normal
CORTEN_BULK List<Float3> area_normals(const List<float>& vert, const List<int>& face) {
  List<Float3> out;
  out.reserve(face.size() / 3);
  for (std::size_t f = 0; f < face.size(); f += 3) {
    const Float3 a = get3(vert, face[f]);
    out.push_back(cross3(minus(get3(vert, face[f + 1]), a), minus(get3(vert, face[f + 2]), a)));
  }
  return out;
}

// the triangles around each vertex: start[v] … start[v + 1] in `around`
struct Neighbourhood {
  List<int> start, around;

  CORTEN_BULK Neighbourhood(const List<int>& face, int nvert) {
    start.assign(static_cast<std::size_t>(nvert) + 1, 0);
    for (const int v : face) ++start[static_cast<std::size_t>(v) + 1];
    for (std::size_t v = 1; v < start.size(); ++v) start[v] += start[v - 1];
    around.assign(face.size(), 0);
    List<int> next(start);
    for (std::size_t i = 0; i < face.size(); ++i) {
      const int place = next[static_cast<std::size_t>(face[i])]++;
      around[static_cast<std::size_t>(place)] = static_cast<int>(i / 3);
    }
  }
  std::span<const int> of(int v) const {
    const auto first = static_cast<std::size_t>(start[static_cast<std::size_t>(v)]),
               last = static_cast<std::size_t>(start[static_cast<std::size_t>(v) + 1]);
    return {around.data() + first, last - first};
  }
};

// Finds vertices of the surface again that were made for the same vertex of the mesh.
struct Splitter {
  Surface& out;
  List<int> latest, previous;  // the vertices made for each vertex of the mesh, as chains

  CORTEN_BULK int find(int v, const Float3& at, const Float3& normal, const float* uv) {
    for (int i = latest[static_cast<std::size_t>(v)]; i >= 0;
         i = previous[static_cast<std::size_t>(i)]) {
      const bool same_uv =
          uv == nullptr || (out.texcoord[2 * static_cast<std::size_t>(i)] == uv[0] &&
                            out.texcoord[2 * static_cast<std::size_t>(i) + 1] == uv[1]);
      if (same_uv && dot3(get3(out.normal, i), normal) > 0.9999f) return i;
    }
    const int made = out.nvert();
    out.vert.append(at.data(), at.data() + 3);
    out.normal.append(normal.data(), normal.data() + 3);
    if (uv != nullptr) out.texcoord.append(uv, uv + 2);
    previous.push_back(latest[static_cast<std::size_t>(v)]);
    latest[static_cast<std::size_t>(v)] = made;
    return made;
  }
};

}  // namespace detail

// Texture coordinates by corner of each triangle; empty: none.
struct Corners {
  const List<float>* texcoord = nullptr;  // 2 per coordinate
  const List<int>* index = nullptr;       // 3 per triangle; negative: none
};

// A corner takes the mean normal, weighted by area, of those triangles around it that are within
// 40 degrees of its own. That is the sum over all pairs of triangles at a vertex, so vertices with
// more than 100 triangles, such as the tips of cones, take the normals as they are.
CORTEN_BULK Surface smooth_surface(const List<float>& vert, const List<int>& face,
                                   const Corners& corners = {}) {
  using namespace detail;
  constexpr float cosine = 0.766f;
  constexpr std::size_t most = 100;
  const int nvert = static_cast<int>(vert.size() / 3);
  const List<Float3> area = area_normals(vert, face);
  const Neighbourhood near(face, nvert);
  Surface out;
  Splitter split{out, List<int>(static_cast<std::size_t>(nvert), -1), {}};
  constexpr float none[2] = {0, 0};
  for (std::size_t i = 0; i < face.size(); ++i) {
    const int v = face[i];
    const Float3 own = unit3(area[i / 3], {0, 0, 1});
    Float3 sum = area[i / 3];
    const std::span<const int> around = near.of(v);
    for (std::size_t k = 0; k < around.size() && around.size() <= most; ++k) {
      const Float3& other = area[static_cast<std::size_t>(around[k])];
      if (around[k] == static_cast<int>(i / 3) || dot3(unit3(other, own), own) < cosine) continue;
      for (std::size_t c = 0; c < 3; ++c) sum[c] += other[c];
    }
    const float* uv = nullptr;
    if (corners.texcoord != nullptr) {
      const int t = (*corners.index)[i];
      uv = t >= 0 ? corners.texcoord->data() + 2 * t : none;
    }
    out.face.push_back(split.find(v, get3(vert, v), unit3(sum, own), uv));
  }
  return out;
}

}  // namespace corten::scene
