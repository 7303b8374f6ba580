// SPDX-License-Identifier: Apache-2.0
//
// Triangles for the shapes of geoms, for formats that know nothing but triangles. All are around
// the origin, with their axis along z.
#pragma once

#include <corten/core/enums.hpp>
#include <corten/core/list.hpp>
#include <corten/scene/surface.hpp>

#include <array>
#include <cmath>
#include <cstddef>

namespace corten::view {

using scene::Surface;

namespace detail {

constexpr float two_pi = 6.28318530717958648f;

inline void put_vertex(Surface& s, std::array<float, 3> at, std::array<float, 3> normal,
                       std::array<float, 2> uv) {
  s.vert.append(at.data(), at.data() + 3);
  s.normal.append(normal.data(), normal.data() + 3);
  s.texcoord.append(uv.data(), uv.data() + 2);
}

// connects a grid of rows × (columns + 1) vertices that starts at `first`
inline void put_grid(Surface& s, int first, int rows, int columns) {
  for (int r = 0; r + 1 < rows; ++r) {
    for (int c = 0; c < columns; ++c) {
      const int a = first + r * (columns + 1) + c, b = a + columns + 1;
      s.face.append({a, a + 1, b + 1, a, b + 1, b});
    }
  }
}

// two halves of a sphere, `half` apart along z; with half = 0 a sphere
inline Surface round_surface(float radius, float half, int slices, int stacks) {
  Surface out;
  int rows = 0;
  for (int r = 0; r <= stacks; ++r) {
    const bool middle = 2 * r == stacks && half > 0;
    for (int copy = 0; copy < (middle ? 2 : 1); ++copy, ++rows) {
      const float angle = two_pi / 2 * static_cast<float>(r) / static_cast<float>(stacks);
      const float z = -std::cos(angle), ring = std::sin(angle);
      const bool upper = middle ? copy == 1 : 2 * r > stacks;
      for (int c = 0; c <= slices; ++c) {
        const float u = static_cast<float>(c) / static_cast<float>(slices), turn = two_pi * u;
        const std::array<float, 3> n{ring * std::cos(turn), ring * std::sin(turn), z};
        put_vertex(out, {radius * n[0], radius * n[1], radius * n[2] + (upper ? half : -half)}, n,
                   {u, static_cast<float>(r) / static_cast<float>(stacks)});
      }
    }
  }
  put_grid(out, 0, rows, slices);
  return out;
}

inline void put_disc(Surface& s, float radius, float z, bool up, int slices) {
  const int first = s.nvert();
  const float side = up ? 1.0f : -1.0f;
  put_vertex(s, {0, 0, z}, {0, 0, side}, {0.5f, 0.5f});
  for (int c = 0; c <= slices; ++c) {
    const float turn = two_pi * static_cast<float>(c) / static_cast<float>(slices);
    const float x = std::cos(turn), y = std::sin(turn);
    put_vertex(s, {radius * x, radius * y, z}, {0, 0, side}, {0.5f + 0.5f * x, 0.5f + 0.5f * y});
  }
  for (int c = 1; c <= slices; ++c) {
    up ? s.face.append({first, first + c, first + c + 1})
       : s.face.append({first, first + c + 1, first + c});
  }
}

}  // namespace detail

inline Surface sphere_surface() { return detail::round_surface(1, 0, 40, 20); }
inline Surface capsule_surface(float radius, float half) {
  return detail::round_surface(radius, half, 32, 16);
}

inline Surface cylinder_surface() {
  Surface out;
  constexpr int slices = 40;
  for (int r = 0; r < 2; ++r) {
    for (int c = 0; c <= slices; ++c) {
      const float u = static_cast<float>(c) / slices, turn = detail::two_pi * u;
      const float x = std::cos(turn), y = std::sin(turn), z = r == 0 ? -1.0f : 1.0f;
      detail::put_vertex(out, {x, y, z}, {x, y, 0}, {u, static_cast<float>(r)});
    }
  }
  detail::put_grid(out, 0, 2, slices);
  detail::put_disc(out, 1, 1, true, slices);
  detail::put_disc(out, 1, -1, false, slices);
  return out;
}

inline Surface box_surface() {
  Surface out;
  for (int axis = 0; axis < 3; ++axis) {
    for (const float side : {-1.0f, 1.0f}) {
      const auto n = static_cast<std::size_t>(axis), u = (n + 1) % 3, v = (n + 2) % 3;
      const int first = out.nvert();
      for (int k = 0; k < 4; ++k) {
        std::array<float, 3> at{}, normal{};
        const float a = k == 1 || k == 2 ? 1.0f : -1.0f, b = k >= 2 ? 1.0f : -1.0f;
        at[n] = normal[n] = side, at[u] = a * side, at[v] = b;
        detail::put_vertex(out, at, normal, {0.5f + 0.5f * a, 0.5f + 0.5f * b});
      }
      out.face.append({first, first + 1, first + 2, first, first + 2, first + 3});
    }
  }
  return out;
}

// a rectangle, with texture coordinates from 0 to 1
inline Surface plane_surface(float x, float y) {
  Surface out;
  for (int k = 0; k < 4; ++k) {
    const float a = k == 1 || k == 2 ? 1.0f : -1.0f, b = k >= 2 ? 1.0f : -1.0f;
    detail::put_vertex(out, {a * x, b * y, 0}, {0, 0, 1}, {0.5f + 0.5f * a, 0.5f + 0.5f * b});
  }
  out.face = {0, 1, 2, 0, 2, 3};
  return out;
}

}  // namespace corten::view
