// SPDX-License-Identifier: Apache-2.0
//
// STL, binary and text. The format lists separate triangles, so corners that agree to the last bit
// are merged, in order of first appearance. Unlike MuJoCo, this reader accepts the text form and
// more than 200,000 triangles.
#pragma once

#include <corten/asset/text.hpp>
#include <corten/asset/triangles.hpp>

namespace corten::asset {

namespace detail {

inline constexpr std::size_t stl_header = 84, stl_facet = 50;
inline constexpr float stl_largest = 1073741824.0f;  // 2³⁰, as in MuJoCo

inline bool within_bounds(const float (&v)[3]) {
  for (const float x : v) {
    if (!(std::fabs(x) <= stl_largest)) return false;
  }
  return true;
}

CORTEN_BULK Result<void> read_stl_binary(std::string_view bytes, std::size_t count,
                                         Triangles& out) {
  out.face.reserve(3 * count);
  VertexIndex index(out.vert, count / 2 + 4);
  for (std::size_t i = 0; i < count; ++i) {
    const char* facet = bytes.data() + stl_header + stl_facet * i;
    for (std::size_t corner = 1; corner <= 3; ++corner) {
      float v[3];
      std::memcpy(v, facet + 12 * corner, sizeof(v));
      if (!within_bounds(v))
        return Error("a corner of triangle " + std::to_string(i) + " is too large");
      out.face.push_back(index.find(v));
    }
  }
  return {};
}

CORTEN_BULK Result<void> read_stl_text(std::string_view bytes, Triangles& out) {
  TextReader text(bytes);
  VertexIndex index(out.vert, bytes.size() / 200 + 4);
  int corners = 0;
  while (text.next_line()) {
    const std::string_view word = text.word();
    if (word == "endloop" && corners != 3) return text.error("a facet without three corners");
    if (word == "outer") corners = 0;
    if (word != "vertex") continue;
    float v[3];
    for (float& x : v) {
      if (!text.number(x)) return text.error("a vertex without three numbers");
    }
    if (!within_bounds(v)) return text.error("a corner is too large");
    if (++corners > 3) return text.error("a facet with more than three corners");
    out.face.push_back(index.find(v));
  }
  if (out.face.empty() || out.face.size() % 3 != 0)
    return Error("no triangles, or the last one is cut off");
  return {};
}

}  // namespace detail

CORTEN_BULK Result<void> read_stl(std::string_view bytes, Triangles& out) {
  if (bytes.empty()) return Error("the file is empty");
  const bool text = bytes.substr(0, 5) == "solid";
  if (bytes.size() >= detail::stl_header) {
    const std::size_t count = load_bytes<std::uint32_t>(bytes.data() + 80);
    const std::size_t room = bytes.size() - detail::stl_header;
    if (count > 0 && room / detail::stl_facet == count && room % detail::stl_facet == 0) {
      return detail::read_stl_binary(bytes, count, out);
    }
    if (!text) {
      return Error("the header declares " + std::to_string(count) +
                   " triangles, which does not match the file size of " +
                   std::to_string(bytes.size()) + " bytes");
    }
  }
  if (!text) return Error("the header is cut off");
  return detail::read_stl_text(bytes, out);
}

}  // namespace corten::asset
