// SPDX-License-Identifier: Apache-2.0
//
// MSH, MuJoCo's binary mesh format: four counts (vertices, normals, texture coordinates, faces),
// then vertices, normals and texture coordinates as floats, and faces as ints.
#pragma once

#include <corten/asset/triangles.hpp>

#include <utility>

namespace corten::asset {

// `mirrored`: the mesh has a scale that turns it inside out, which also reverses its faces, as in
// MuJoCo
CORTEN_BULK Result<void> read_msh(std::string_view bytes, bool mirrored, Triangles& out) {
  constexpr std::size_t word = 4;
  if (bytes.empty()) return Error("the file is empty", "save the mesh again");
  if (bytes.size() < 4 * word) {
    return Error("the header is cut off at byte " + std::to_string(bytes.size()),
                 "it has four counts of 4 bytes");
  }
  std::size_t count[4];
  for (std::size_t i = 0; i < 4; ++i) {
    const auto n = load_bytes<std::int32_t>(bytes.data() + word * i);
    if (n < 0 || static_cast<std::size_t>(n) > max_count) {
      return Error("the count at byte " + std::to_string(word * i) + " is negative or too large",
                   "it counts vertices, normals, texture coordinates and faces");
    }
    count[i] = static_cast<std::size_t>(n);
  }
  const auto [verts, normals, texcoords, faces] = count;
  const bool odd = (normals > 0 && normals != verts) || (texcoords > 0 && texcoords != verts);
  if (verts < 4 || odd) {
    return Error("the counts in the header are inconsistent",
                 "there are 4 vertices or more, and no or as many normals and texture coordinates");
  }
  const std::size_t numbers = 3 * verts + 3 * normals + 2 * texcoords + 3 * faces;
  if (bytes.size() != word * (4 + numbers)) {
    return Error("the file size does not match the counts in the header",
                 "they make " + std::to_string(word * (4 + numbers)) + " bytes, but there are " +
                     std::to_string(bytes.size()));
  }

  const char* from = bytes.data() + 4 * word;
  out.vert.resize(3 * verts);
  std::memcpy(out.vert.data(), from, 3 * word * verts);
  out.face.resize(3 * faces);
  from += word * (3 * verts + 3 * normals + 2 * texcoords);
  if (faces > 0) std::memcpy(out.face.data(), from, 3 * word * faces);
  out.has_normal = normals > 0;
  out.has_texcoord = texcoords > 0;
  out.num_texcoord = static_cast<int>(texcoords);
  if (out.keep_texcoord && texcoords > 0) {
    out.texcoord.resize(2 * texcoords);
    std::memcpy(out.texcoord.data(), bytes.data() + word * (4 + 3 * verts + 3 * normals),
                2 * word * texcoords);
  }
  for (std::size_t i = 0; mirrored && i < faces; ++i) {
    std::swap(out.face[3 * i + 1], out.face[3 * i + 2]);
  }
  return {};
}

}  // namespace corten::asset
