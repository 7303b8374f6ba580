// SPDX-License-Identifier: Apache-2.0
//
// SKN, MuJoCo's binary format of skins: four counts (vertices, texture coordinates, faces, bones),
// then vertices and texture coordinates as floats, faces as ints, and for each bone the name of its
// body in 40 characters, its pose, and its vertices with their weights.
#pragma once

#include <corten/asset/triangles.hpp>
#include <corten/core/list.hpp>
#include <corten/core/result.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace corten::asset {

// the numbers of a skin as they are written, without any check of what they mean
struct SkinNumbers {
  struct Bone {
    std::string body;
    List<float> pose;  // position, quaternion w x y z
    List<int> vertex;
    List<float> weight;
  };
  List<float> vert, texcoord;
  List<int> face;
  List<Bone> bones;
};

namespace detail {

// takes numbers from the front of a text of bytes
struct SknReader {
  std::string_view rest;

  bool count(std::size_t& n) {
    List<int> one;
    if (!take(1, one) || one[0] < 0 || static_cast<std::size_t>(one[0]) > max_count) return false;
    n = static_cast<std::size_t>(one[0]);
    return true;
  }
  template <class T>
  bool take(std::size_t n, List<T>& out) {
    if (rest.size() / sizeof(T) < n) return false;
    out.resize(n);
    if (n > 0) std::memcpy(out.data(), rest.data(), n * sizeof(T));
    rest.remove_prefix(n * sizeof(T));
    return true;
  }
  bool bone(SkinNumbers::Bone& out) {
    constexpr std::size_t letters = 40;
    if (rest.size() < letters) return false;
    out.body = rest.substr(0, std::min(rest.substr(0, letters).find('\0'), letters));
    rest.remove_prefix(letters);
    std::size_t n = 0;
    return take(7, out.pose) && count(n) && take(n, out.vertex) && take(n, out.weight);
  }
};

}  // namespace detail

CORTEN_COLD Result<void> read_skn(std::string_view bytes, SkinNumbers& out) {
  detail::SknReader in{bytes};
  std::size_t n[4] = {};
  for (std::size_t& count : n) {
    if (!in.count(count)) return Error("the header is cut off or has a count that is not valid");
  }
  const Error cut("the file is shorter than its header says");
  if (!in.take(3 * n[0], out.vert) || !in.take(2 * n[1], out.texcoord)) return cut;
  if (!in.take(3 * n[2], out.face)) return cut;
  for (std::size_t b = 0; b < n[3]; ++b) {
    if (!in.bone(out.bones.emplace_back())) return cut;
  }
  if (!in.rest.empty()) return Error("the file is longer than its header says");
  return {};
}

}  // namespace corten::asset
