// SPDX-License-Identifier: Apache-2.0
//
// What bends: soft bodies and flexes, as triangles and segments between vertices that move. The
// vertices of a world are numbered in one row: those of soft bodies, then those of flexes.
#pragma once

#include <corten/config.hpp>
#include <corten/core/enums.hpp>
#include <corten/core/list.hpp>
#include <corten/data/data.hpp>
#include <corten/model/model.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

namespace corten::scene {

struct Deformable {
  std::string name;
  bool flex = false;  // or a soft body
  int id = 0;         // of the soft body or flex
  int first = 0;      // its first vertex
  int count = 0;      // its vertices
  List<int> face;     // 3 per triangle, counted from the first vertex
  List<int> segment;  // 2 per segment, where it has no triangles
  std::array<float, 4> rgba{0.5f, 0.5f, 0.5f, 1};
  int material = -1, group = 0;
  double radius = 0;
};

namespace detail {

// Collects the triangles that belong to one tetrahedron only: the outside of a solid.
struct Outside {
  List<std::array<int, 6>> sides;  // sorted corners, then corners in order

  void add(const int (&v)[4]) {
    constexpr int corner[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
    for (const auto& c : corner) {
      std::array<int, 6> side{v[c[0]], v[c[1]], v[c[2]], v[c[0]], v[c[1]], v[c[2]]};
      std::sort(side.begin(), side.begin() + 3);
      sides.push_back(side);
    }
  }

  CORTEN_BULK void write(List<int>& face) {
    std::sort(sides.begin(), sides.end());
    const auto same = [&](std::size_t a, std::size_t b) {
      return b < sides.size() &&
             std::equal(sides[a].begin(), sides[a].begin() + 3, sides[b].begin());
    };
    for (std::size_t k = 0; k < sides.size(); ++k) {
      if (same(k, k + 1)) {
        ++k;
      } else {
        face.append({sides[k][3], sides[k][4], sides[k][5]});
      }
    }
  }
};

// adds an element of 2, 3 or 4 vertices
inline void add_element(const int (&v)[4], int count, Deformable& to, Outside& outside) {
  if (count == 2) to.segment.append({v[0], v[1]});
  if (count == 3) to.face.append({v[0], v[1], v[2]});
  if (count == 4) outside.add(v);
}

template <class S>
CORTEN_COLD Deformable soft_body(const Model<S>& m, int id) {
  const auto i = static_cast<std::size_t>(id);
  Deformable out;
  out.name = m.soft_name(id), out.id = id;
  out.first = m.soft_vertadr[i], out.count = m.soft_vertnum[i];
  out.radius = static_cast<double>(value(m.soft_radius[i]));
  std::copy_n(&m.soft_rgba[4 * i], 4, out.rgba.begin());
  Outside outside;
  for (int e = m.soft_elemadr[i]; e < m.soft_elemadr[i] + m.soft_elemnum[i]; ++e) {
    int v[4] = {}, count = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const int vertex = m.softelem_vert[4 * static_cast<std::size_t>(e) + k];
      if (vertex >= 0) v[count++] = vertex - out.first;
    }
    add_element(v, count, out, outside);
  }
  outside.write(out.face);
  return out;
}

template <class S>
CORTEN_COLD Deformable flex(const Model<S>& m, int id) {
  const auto i = static_cast<std::size_t>(id);
  Deformable out;
  out.name = m.flex_name(id), out.id = id, out.flex = true;
  out.first = m.n.nsoftvert + m.flex_vertadr[i], out.count = m.flex_vertnum[i];
  out.group = m.flex_group[i], out.material = m.flex_matid[i];
  out.radius = static_cast<double>(value(m.flex_radius[i]));
  std::copy_n(&m.flex_rgba[4 * i], 4, out.rgba.begin());
  Outside outside;
  const int corners = m.flex_dim[i] + 1;
  for (int e = 0; e < m.flex_elemnum[i]; ++e) {
    int v[4] = {};
    for (int k = 0; k < corners; ++k) {
      v[k] = m.flex_elem[static_cast<std::size_t>(m.flex_elemdataadr[i] + corners * e + k)];
    }
    add_element(v, corners, out, outside);
  }
  outside.write(out.face);
  return out;
}

template <class D>
concept HasFlexes = requires(const D& d) {
  d.flexvert_xpos[0];
};

}  // namespace detail

template <class S>
CORTEN_COLD List<Deformable> deformables(const Model<S>& m) {
  List<Deformable> out;
  for (int s = 0; s < m.n.nsoft; ++s) out.push_back(detail::soft_body(m, s));
  for (int f = 0; f < m.n.nflex; ++f) out.push_back(detail::flex(m, f));
  return out;
}

// the vertices of all of them
template <class S>
int moving_vertices(const Model<S>& m) {
  return m.n.nsoftvert + m.n.nflexvert;
}

// coordinate k of a vertex
template <class S, class D>
float moving_vertex(const Model<S>& m, const D& d, int vertex, int k) {
  if (vertex < m.n.nsoftvert) return static_cast<float>(value(d.soft_pos[3 * vertex + k]));
  if constexpr (detail::HasFlexes<D>) {
    return static_cast<float>(value(d.flexvert_xpos[3 * (vertex - m.n.nsoftvert) + k]));
  } else {
    return 0;
  }
}

}  // namespace corten::scene
