// SPDX-License-Identifier: Apache-2.0
//
// Boxes around the triangles of a mesh and around those boxes, so that a ray need not look at every
// triangle. Nodes are in the order of a walk from the top, and each knows the one to go on with when
// its box is missed: the walk needs no stack.
#pragma once

#include <corten/config.hpp>
#include <corten/core/list.hpp>

#include <algorithm>
#include <cstddef>

namespace corten::asset {

struct TriangleTree {
  List<float> box;  // of each node: its low and its high corner
  List<int> node;   // where to go on if the box is missed; first and number of its triangles
  List<int> face;   // triangles in the order of the nodes

  int size() const { return static_cast<int>(node.size() / 3); }
};

namespace detail {

class TreeBuilder {
 public:
  CORTEN_COLD TreeBuilder(const List<double>& vert, const List<int>& face,
                          TriangleTree& out)
      : vert_(vert), corner_(face), out_(out) {
    for (std::size_t f = 0; f < face.size() / 3; ++f) {
      out.face.push_back(static_cast<int>(f));
      for (std::size_t k = 0; k < 3; ++k) {
        middle_.push_back(at(corner_[3 * f], k) + at(corner_[3 * f + 1], k) +
                          at(corner_[3 * f + 2], k));
      }
    }
  }

  // triangles [first, last) of the order, halved until few are left
  CORTEN_COLD void add(std::size_t first, std::size_t last) {
    constexpr std::size_t few = 6;
    const std::size_t self = out_.node.size();
    const bool leaf = last - first <= few;
    out_.node.append({0, static_cast<int>(first), static_cast<int>(last - first)});
    add_box(first, last);
    if (!leaf) {
      out_.node[self + 2] = 0;
      const std::size_t half = first + (last - first) / 2, axis = widest(first, last);
      const auto begin = out_.face.begin();
      std::nth_element(begin + static_cast<std::ptrdiff_t>(first),
                       begin + static_cast<std::ptrdiff_t>(half),
                       begin + static_cast<std::ptrdiff_t>(last),
                       [&](int a, int b) { return middle(a, axis) < middle(b, axis); });
      add(first, half);
      add(half, last);
    }
    out_.node[self] = out_.size();
  }

 private:
  float at(int v, std::size_t k) const {
    return static_cast<float>(vert_[3 * static_cast<std::size_t>(v) + k]);
  }
  float middle(int f, std::size_t k) const { return middle_[3 * static_cast<std::size_t>(f) + k]; }

  // a little larger than its triangles, so that rounding does not miss those in its sides
  CORTEN_COLD void add_box(std::size_t first, std::size_t last) {
    float low[3], high[3];
    for (std::size_t i = first; i < last; ++i) {
      for (std::size_t c = 0; c < 3; ++c) {
        const int v = corner_[3 * static_cast<std::size_t>(out_.face[i]) + c];
        for (std::size_t k = 0; k < 3; ++k) {
          const float x = at(v, k);
          const bool fresh = i == first && c == 0;
          low[k] = fresh ? x : std::min(low[k], x);
          high[k] = fresh ? x : std::max(high[k], x);
        }
      }
    }
    for (std::size_t k = 0; k < 3; ++k) {
      const float layer = 1e-6f * std::max({high[k] - low[k], high[k], -low[k]});
      low[k] -= layer;
      high[k] += layer;
    }
    out_.box.append(low, low + 3);
    out_.box.append(high, high + 3);
  }

  CORTEN_COLD std::size_t widest(std::size_t first, std::size_t last) const {
    std::size_t best = 0;
    float most = -1;
    for (std::size_t k = 0; k < 3; ++k) {
      float low = middle(out_.face[first], k), high = low;
      for (std::size_t i = first; i < last; ++i) {
        low = std::min(low, middle(out_.face[i], k));
        high = std::max(high, middle(out_.face[i], k));
      }
      if (high - low > most) most = high - low, best = k;
    }
    return best;
  }

  const List<double>& vert_;
  const List<int>& corner_;
  TriangleTree& out_;
  List<float> middle_;
};

}  // namespace detail

// of triangles over vertices (three numbers each, used as floats)
CORTEN_COLD TriangleTree make_tree(const List<double>& vert, const List<int>& face) {
  TriangleTree out;
  if (!face.empty()) detail::TreeBuilder(vert, face, out).add(0, face.size() / 3);
  return out;
}

}  // namespace corten::asset
