// SPDX-License-Identifier: Apache-2.0
//
// What follows from the elements of a flex alone: edges, the outline, layers of tetrahedra from the
// surface inwards, and pairs of elements and vertices that may collide. All are in MuJoCo's order.
#pragma once

#include <corten/compile/draft.hpp>
#include <corten/compile/flex_draft.hpp>
#include <corten/core/sort.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

namespace corten::compiler {

// the two ends of each edge of a segment, a triangle and a tetrahedron
inline constexpr int flex_edge_ends[3][6][2] = {{{0, 1}},
                                                {{1, 2}, {2, 0}, {0, 1}},
                                                {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {0, 3}, {1, 3}}};

namespace detail {

// ---- edges --------------------------------------------------------------------------------------

// numbers things by the first appearance of their keys
CORTEN_BULK List<int> number_by_key(const List<std::int64_t>& keys) {
  List<int> order(keys.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return at(keys, a) < at(keys, b); });
  List<int> first(keys.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool same = i > 0 && at(keys, order[i]) == at(keys, order[i - 1]);
    at(first, order[i]) = same ? at(first, order[i - 1]) : order[i];
  }
  List<int> out(keys.size());
  int next = 0;
  for (int i = 0; i < static_cast<int>(keys.size()); ++i) {
    at(out, i) = at(first, i) == i ? next++ : at(out, at(first, i));
  }
  return out;
}

CORTEN_BULK void make_edges(FlexDraft& f) {
  const int per = f.edges_per_element(), n = f.nelem();
  const auto nvert = static_cast<std::int64_t>(f.nvert());
  List<std::int64_t> keys;
  for (int e = 0; e < n; ++e) {
    const int* v = &at(f.elem, (f.dim + 1) * e);
    for (int k = 0; k < per; ++k) {
      const int a = v[flex_edge_ends[f.dim - 1][k][0]], b = v[flex_edge_ends[f.dim - 1][k][1]];
      keys.push_back(std::min(a, b) * nvert + std::max(a, b));
    }
  }
  f.elem_edge = number_by_key(keys);
  for (int i = 0; i < static_cast<int>(keys.size()); ++i) {
    const int edge = at(f.elem_edge, i), *v = &at(f.elem, (f.dim + 1) * (i / per));
    const int* ends = flex_edge_ends[f.dim - 1][i % per];
    const bool is_new = edge == f.nedge();
    if (is_new) {
      f.edge.push_back(static_cast<int>(at(keys, i) / nvert));
      f.edge.push_back(static_cast<int>(at(keys, i) % nvert));
    }
    if (f.dim != 2) continue;
    if (is_new) {
      f.flap.append({v[ends[0]], v[ends[1]], v[i % per], -1});
    } else {
      at(f.flap, 4 * edge + 3) = v[i % per];
    }
  }
}

// ---- outline ------------------------------------------------------------------------------------

// a side of an element: its vertices sorted, and in the order that shows outwards
struct FlexSide {
  std::array<int, 3> sorted{-1, -1, -1};
  int elem = 0;
  std::array<int, 3> vert{-1, -1, -1};

  friend bool operator<(const FlexSide& a, const FlexSide& b) {
    if (a.sorted != b.sorted) return a.sorted < b.sorted;
    return a.elem != b.elem ? a.elem < b.elem : a.vert < b.vert;
  }
};

CORTEN_BULK List<FlexSide> sides_of(const FlexDraft& f) {
  constexpr int sides[3][4][3] = {
      {{0}, {1}}, {{0, 1}, {2, 0}, {1, 2}}, {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}}};
  List<FlexSide> out;
  for (int e = 0; e < f.nelem(); ++e) {
    const int* v = &at(f.elem, (f.dim + 1) * e);
    for (int s = 0; s <= f.dim; ++s) {
      FlexSide side;
      side.elem = e;
      for (int k = 0; k < f.dim; ++k) {
        side.vert[static_cast<std::size_t>(k)] = v[sides[f.dim - 1][s][k]];
      }
      side.sorted = side.vert;
      std::sort(side.sorted.begin(), side.sorted.begin() + f.dim);
      out.push_back(side);
    }
  }
  sort(out);
  return out;
}

// Two elements with a common side. The elements at a side that several share are taken pairwise.
struct FlexJoint {
  int elem[2];
  std::array<int, 3> side;
};

// how many elements are between each tetrahedron and the surface
CORTEN_BULK void find_layers(FlexDraft& f, const List<int>& border, const List<FlexJoint>& joints) {
  f.layer.assign(static_cast<std::size_t>(f.nelem()), 0);
  if (f.dim < 3) return;
  List<int> first(static_cast<std::size_t>(f.nelem()) + 1, 0), next, queue;
  for (const FlexJoint& j : joints) ++at(first, j.elem[0] + 1), ++at(first, j.elem[1] + 1);
  for (int e = 0; e < f.nelem(); ++e) at(first, e + 1) += at(first, e);
  next.resize(2 * joints.size());
  List<int> fill = first;
  for (const FlexJoint& j : joints) {
    at(next, at(fill, j.elem[0])++) = j.elem[1];
    at(next, at(fill, j.elem[1])++) = j.elem[0];
  }
  for (int e = 0; e < f.nelem(); ++e) {
    at(f.layer, e) = at(border, e) != 0 ? 0 : f.nelem() + 1;
    if (at(border, e) != 0) queue.push_back(e);
  }
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const int e = queue[i];
    for (int k = at(first, e); k < at(first, e + 1); ++k) {
      const int other = at(next, k);
      if (at(f.layer, other) <= at(f.layer, e) + 1) continue;
      at(f.layer, other) = at(f.layer, e) + 1;
      queue.push_back(other);
    }
  }
}

// the vertex of an element that is not on a side
CORTEN_COLD int vertex_off(const FlexDraft& f, int elem, const std::array<int, 3>& side) {
  for (int k = 0; k <= f.dim; ++k) {
    const int v = at(f.elem, (f.dim + 1) * elem + k);
    if (std::find(side.begin(), side.begin() + f.dim, v) == side.begin() + f.dim) return v;
  }
  return -1;
}

// The outline, and near it the vertices of lines and surfaces that may collide with a neighbour of
// their element.
CORTEN_BULK void make_outline(FlexDraft& f) {
  const List<FlexSide> sides = sides_of(f);
  List<int> border(static_cast<std::size_t>(f.nelem()), 0);
  List<FlexJoint> joints;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const bool before = i > 0 && sides[i - 1].sorted == sides[i].sorted;
    const bool after = i + 1 < sides.size() && sides[i + 1].sorted == sides[i].sorted;
    if (before) joints.push_back({{sides[i - 1].elem, sides[i].elem}, sides[i].sorted});
    if (before || after) continue;
    at(border, sides[i].elem) = 1;
    for (int k = 0; k < f.dim; ++k) {
      f.shell.push_back(sides[i].vert[static_cast<std::size_t>(k)]);
    }
  }
  find_layers(f, border, joints);
  for (const FlexJoint& j : joints) {
    if (f.dim == 3 || (at(border, j.elem[0]) == 0 && at(border, j.elem[1]) == 0)) continue;
    for (int k = 0; k < 2; ++k) {
      const int v = vertex_off(f, j.elem[k], j.side);
      if (v >= 0) f.evpair.append({j.elem[1 - k], v});
    }
  }
}

// ---- bounding box -------------------------------------------------------------------------------

// the box around the elements that may collide: of a solid, those near its surface
CORTEN_BULK std::array<Vec3d, 2> bound_flex(const FlexDraft& f) {
  constexpr double least = 1e-14;
  const int layers = f.spec->contact.activelayers.value_or(1);
  Vec3d low = Vec3d::Constant(std::numeric_limits<double>::max()), high = -low;
  bool some = false;
  for (int e = 0; e < f.nelem(); ++e) {
    if (f.dim == 3 && at(f.layer, e) >= layers) continue;
    for (int k = 0; k <= f.dim; ++k) {
      const Vec3d x = f.point(at(f.elem, (f.dim + 1) * e + k));
      low = low.cwiseMin(x);
      high = high.cwiseMax(x);
    }
    some = true;
  }
  if (!some) return {Vec3d::Zero(), Vec3d::Zero()};
  for (int k = 0; k < 3; ++k) {
    low[k] -= f.radius, high[k] += f.radius;
    if (std::fabs(low[k] - high[k]) < least) low[k] -= least, high[k] += least;
  }
  return {low, high};
}

}  // namespace detail

}  // namespace corten::compiler
