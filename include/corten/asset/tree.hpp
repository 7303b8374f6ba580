// SPDX-License-Identifier: Apache-2.0
//
// A tree of boxes around the triangles of a mesh, so that a ray need not test every triangle. Nodes
// are stored in depth-first order, and each stores the node to continue with if its box is missed,
// so the traversal needs no stack.
#pragma once

#include <corten/config.hpp>
#include <corten/core/list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace corten::asset {

struct TriangleTree {
  List<float> box;  // per node: low corner, high corner
  List<int> node;   // per node: next node if the box is missed, first triangle, number of triangles
  List<int> face;   // triangles, in the order of the nodes

  int size() const { return static_cast<int>(node.size() / 3); }
};

namespace detail {

// Sorts the triangles along a space-filling curve of nested cubes (Morton 1966) and splits them
// where the largest cube is halved. The sort is the only pass over the triangles.
class TreeBuilder {
 public:
  CORTEN_BULK TreeBuilder(const List<double>& vert, const List<int>& face, TriangleTree& out)
      : vert_(vert), corner_(face), out_(out) {
    sort(codes());
    for (const std::uint64_t key : key_) out.face.push_back(static_cast<int>(key & 0xffffffffu));
    out.node.reserve(2 * face.size() / 3);
    out.box.reserve(4 * face.size() / 3);
  }

  // adds the node for triangles [first, last) of that order, and splits until few are left
  CORTEN_BULK void add(std::size_t first, std::size_t last) {
    constexpr std::size_t few = 6;
    const std::size_t self = out_.node.size();
    const bool leaf = last - first <= few;
    out_.node.append({0, static_cast<int>(first), static_cast<int>(last - first)});
    out_.box.resize(out_.box.size() + 6);
    if (leaf) {
      bound_triangles(&out_.box[2 * self], first, last);
    } else {
      out_.node[self + 2] = 0;
      const std::size_t middle = split(first, last);
      add(first, middle);
      const std::size_t other = out_.node.size();
      add(middle, last);
      join(&out_.box[2 * self], &out_.box[2 * self + 6], &out_.box[2 * other]);
    }
    out_.node[self] = out_.size();
  }

  // makes boxes slightly larger than their triangles, so that rounding does not miss triangles in
  // their sides
  CORTEN_BULK void widen() {
    for (std::size_t i = 0; i < out_.box.size(); i += 6) {
      for (std::size_t k = i; k < i + 3; ++k) {
        float &low = out_.box[k], &high = out_.box[k + 3];
        const float layer = 1e-6f * std::max({high - low, high, -low});
        low -= layer;
        high += layer;
      }
    }
  }

 private:
  static constexpr int bits = 10;  // per coordinate

  float at(int v, std::size_t k) const {
    return static_cast<float>(vert_[3 * static_cast<std::size_t>(v) + k]);
  }

  // spreads the bits of a number, with two zeros between neighbours
  static std::uint64_t spread(std::uint64_t x) {
    x = (x | x << 16) & 0x030000ff;
    x = (x | x << 8) & 0x0300f00f;
    x = (x | x << 4) & 0x030c30c3;
    return (x | x << 2) & 0x09249249;
  }

  // keys: the position on the curve in the high bits, the triangle number in the low ones. The
  // position is computed from the sum of the corners, three times their mean.
  CORTEN_BULK List<std::uint64_t> codes() const {
    List<float> middle(corner_.size());
    float low[3], size = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      float high = low[k] = at(corner_[0], k) + at(corner_[1], k) + at(corner_[2], k);
      for (std::size_t i = 0; i < corner_.size(); i += 3) {
        const float x = at(corner_[i], k) + at(corner_[i + 1], k) + at(corner_[i + 2], k);
        low[k] = std::min(low[k], x);
        high = std::max(high, x);
        middle[i + k] = x;
      }
      size = std::max(size, high - low[k]);
    }
    const float scale = size > 0 ? static_cast<float>((1 << bits) - 1) / size : 0;
    List<std::uint64_t> out(corner_.size() / 3);
    for (std::size_t f = 0; f < out.size(); ++f) {
      std::uint64_t code = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        const float cell = (middle[3 * f + k] - low[k]) * scale;
        code = code << 1 | spread(static_cast<std::uint64_t>(cell));
      }
      out[f] = code << 32 | f;
    }
    return out;
  }

  // radix sort by the codes, least significant digit first
  CORTEN_BULK void sort(List<std::uint64_t> from) {
    key_.resize(from.size());
    for (int pass = 0; pass < 3; ++pass) {
      const int shift = 32 + bits * pass;
      std::size_t start[1 << bits] = {};
      const auto place = [&](std::uint64_t key) { return key >> shift & ((1u << bits) - 1); };
      for (const std::uint64_t key : from) ++start[place(key)];
      std::size_t total = 0;
      for (std::size_t& s : start) total += std::exchange(s, total);
      for (const std::uint64_t key : from) key_[start[place(key)]++] = key;
      std::swap(key_, from);
    }
    std::swap(key_, from);
  }

  // splits where the highest differing bit changes, or in the middle if all codes are equal
  CORTEN_BULK std::size_t split(std::size_t first, std::size_t last) const {
    const std::uint64_t differ = (key_[first] ^ key_[last - 1]) >> 32;
    if (differ == 0) return first + (last - first) / 2;
    std::uint64_t bit = std::uint64_t{1} << 31;
    while ((differ & bit) == 0) bit >>= 1;
    while (last - first > 1) {
      const std::size_t middle = first + (last - first) / 2;
      ((key_[middle] >> 32 & bit) != 0 ? last : first) = middle;
    }
    return last;
  }

  CORTEN_BULK void bound_triangles(float* box, std::size_t first, std::size_t last) const {
    for (std::size_t k = 0; k < 3; ++k) {
      float low = at(corner_[3 * static_cast<std::size_t>(out_.face[first])], k), high = low;
      for (std::size_t i = first; i < last; ++i) {
        for (std::size_t c = 0; c < 3; ++c) {
          const float x = at(corner_[3 * static_cast<std::size_t>(out_.face[i]) + c], k);
          low = std::min(low, x);
          high = std::max(high, x);
        }
      }
      box[k] = low;
      box[k + 3] = high;
    }
  }

  static void join(float* box, const float* a, const float* b) {
    for (std::size_t k = 0; k < 3; ++k) {
      box[k] = std::min(a[k], b[k]);
      box[k + 3] = std::max(a[k + 3], b[k + 3]);
    }
  }

  const List<double>& vert_;
  const List<int>& corner_;
  TriangleTree& out_;
  List<std::uint64_t> key_;
};

}  // namespace detail

// builds the tree for triangles over vertices (three numbers each, used as floats)
CORTEN_COLD TriangleTree make_tree(const List<double>& vert, const List<int>& face) {
  TriangleTree out;
  if (face.empty()) return out;
  detail::TreeBuilder builder(vert, face, out);
  builder.add(0, face.size() / 3);
  builder.widen();
  return out;
}

}  // namespace corten::asset
