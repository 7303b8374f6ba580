// SPDX-License-Identifier: Apache-2.0
//
// The numbers in the files of meshes and height fields, by the kind of file that an element says.
#pragma once

#include <corten/asset/heights.hpp>
#include <corten/asset/msh.hpp>
#include <corten/asset/obj.hpp>
#include <corten/asset/stl.hpp>
#include <corten/spec/asset.hpp>

#include <optional>
#include <string>

namespace corten::mjcf {

namespace detail {

// extension of a file in lower case, with its dot
CORTEN_COLD std::string extension_of(const std::string& file) {
  const std::size_t dot = file.find_last_of('.');
  std::string out = dot == std::string::npos ? std::string() : file.substr(dot);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

// extensions that say what is in a file
inline bool is_known_format(const std::string& extension) {
  for (const char* known : {".stl", ".obj", ".ply", ".msh", ".png", ".ktx"}) {
    if (extension == known) return true;
  }
  return false;
}

// as an extension, whether that or the content type says it
CORTEN_COLD std::string mesh_format(const spec::Mesh& e) {
  if (!e.content_type || e.content_type->empty()) return extension_of(e.file.value_or(""));
  if (*e.content_type == "model/stl") return ".stl";
  if (*e.content_type == "model/obj") return ".obj";
  if (*e.content_type == "model/vnd.mujoco.msh") return ".msh";
  return *e.content_type;
}

}  // namespace detail

// does the scale of a mesh, classes applied, turn it inside out?
CORTEN_COLD bool is_mirrored(const spec::Mesh& e) {
  const spec::Numbers<3> s = e.scale.value_or(spec::Numbers<3>{1, 1, 1});
  return !(s[0] * s[1] * s[2] > 0);
}

CORTEN_COLD MaybeError read_mesh(const spec::Mesh& e, const spec::FileContent& file,
                                 asset::Triangles& out) {
  const std::string format = detail::mesh_format(e);
  std::string problem;
  if (format == ".stl") {
    problem = asset::read_stl(*file.bytes, out);
  } else if (format == ".obj") {
    problem = asset::read_obj(*file.bytes, out);
  } else if (format == ".msh") {
    problem = asset::read_msh(*file.bytes, is_mirrored(e), out);
  } else {
    return e.error("'" + file.path + "' is not a kind of mesh that is known",
                   "STL, OBJ and MSH are; content_type says which one it is");
  }
  if (!problem.empty()) return e.error("'" + file.path + "': " + problem);
  return {};
}

CORTEN_COLD MaybeError read_hfield(const spec::HField& e, const spec::FileContent& file,
                                   asset::Heights& out) {
  const std::string type = e.content_type ? *e.content_type : std::string();
  const std::string format = detail::extension_of(e.file.value_or(""));
  std::string problem;
  if (type == "image/png" || (type.empty() && format == ".png")) {
    problem = asset::read_picture(*file.bytes, out);
  } else if (type == "image/vnd.mujoco.hfield" ||
             (type.empty() && !detail::is_known_format(format))) {
    problem = asset::read_heights(*file.bytes, out);
  } else {
    return e.error("'" + (type.empty() ? format : type) + "' is not a kind of height field",
                   "image/png and image/vnd.mujoco.hfield are");
  }
  if (!problem.empty()) return e.error("'" + file.path + "': " + problem);
  return {};
}

}  // namespace corten::mjcf
