// SPDX-License-Identifier: Apache-2.0
//
// The contents of a mesh file as far as physics is concerned: vertices and triangles. Normals and
// texture coordinates are for renderers, so only their presence is noted, unless a renderer asks
// for texture coordinates. Frames are for touch sensors.
//
// Readers take the bytes of a file. They check every count against the size of the file before they
// allocate.
#pragma once

#include <corten/config.hpp>
#include <corten/core/list.hpp>
#include <corten/core/result.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace corten::asset {

struct Triangles {
  List<float> vert;   // 3 per vertex
  List<int> face;     // 3 per triangle, counter-clockwise seen from outside
  List<int> line;     // 2 per segment, of files that have segments
  List<float> frame;  // optional, 9 per vertex: the normal and two directions across it
  bool has_normal = false, has_texcoord = false;
  int num_texcoord = 0;

  // kept on request: 2 per texture coordinate, and 3 per triangle that say which its corners have
  bool keep_texcoord = false;
  List<float> texcoord;
  List<int> facetexcoord;

  int nvert() const { return static_cast<int>(vert.size() / 3); }
  int nface() const { return static_cast<int>(face.size() / 3); }
};

// counts are ints in the model
inline constexpr std::size_t max_count = std::size_t{1} << 28;

// reads a number at an unaligned position
template <class T>
T load_bytes(const char* from) {
  T out;
  std::memcpy(&out, from, sizeof(T));
  return out;
}

// Merges vertices that are equal to the last bit: a hash table from three floats to the vertex
// index.
class VertexIndex {
 public:
  CORTEN_BULK VertexIndex(List<float>& vert, std::size_t expected) : vert_(vert) {
    std::size_t size = 16;
    while (size < 2 * expected) size *= 2;
    slots_.assign(size, -1);
  }

  // the index of a vertex, which is appended if it is new
  int find(const float (&v)[3]) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = hash(v) & mask;
    for (; slots_[slot] >= 0; slot = (slot + 1) & mask) {
      const float* known = &vert_[3 * static_cast<std::size_t>(slots_[slot])];
      if (std::memcmp(known, v, sizeof(v)) == 0) return slots_[slot];
    }
    const int index = static_cast<int>(vert_.size() / 3);
    slots_[slot] = index;
    vert_.append(v, v + 3);
    return index;
  }

 private:
  static std::size_t hash(const float (&v)[3]) {
    std::uint32_t bits[3];
    std::memcpy(bits, v, sizeof(bits));
    std::uint64_t h = 0;
    for (const std::uint32_t b : bits) h = (h ^ b) * 0x9E3779B97F4A7C15ULL, h ^= h >> 29;
    return static_cast<std::size_t>(h);
  }

  List<float>& vert_;
  List<int> slots_;
};

}  // namespace corten::asset
