// SPDX-License-Identifier: Apache-2.0
//
// Decodes the files of meshes and height fields, in the format that the element specifies.
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

// the extension of a file in lower case, including the dot
CORTEN_COLD std::string extension_of(const std::string& file) {
  const std::size_t dot = file.find_last_of('.');
  std::string out = dot == std::string::npos ? std::string() : file.substr(dot);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

// extensions that determine the format of a file
inline bool is_known_format(const std::string& extension) {
  for (const char* known : {".stl", ".obj", ".ply", ".msh", ".png", ".ktx"}) {
    if (extension == known) return true;
  }
  return false;
}

// the format as a file extension, from the content type or else from the file name
CORTEN_COLD std::string mesh_format(const spec::Mesh& e) {
  if (!e.content_type || e.content_type->empty()) return extension_of(e.file.value_or(""));
  if (*e.content_type == "model/stl") return ".stl";
  if (*e.content_type == "model/obj") return ".obj";
  if (*e.content_type == "model/vnd.mujoco.msh") return ".msh";
  return *e.content_type;
}

}  // namespace detail

// Does the scale of a mesh turn it inside out? Its default class must have been applied.
CORTEN_COLD bool is_mirrored(const spec::Mesh& e) {
  const spec::Numbers<3> s = e.scale.value_or(spec::Numbers<3>{1, 1, 1});
  return !(s[0] * s[1] * s[2] > 0);
}

CORTEN_COLD Result<void> read_mesh(const spec::Mesh& e, const spec::FileContent& file,
                                   asset::Triangles& out) {
  const std::string format = detail::mesh_format(e);
  Result<void> done;
  if (format == ".stl") {
    done = asset::read_stl(*file.bytes, out);
  } else if (format == ".obj") {
    done = asset::read_obj(*file.bytes, out);
  } else if (format == ".msh") {
    done = asset::read_msh(*file.bytes, is_mirrored(e), out);
  } else {
    return e.error("'" + file.path + "' is not a supported kind of mesh",
                   "use STL, OBJ or MSH; content_type can say which one it is");
  }
  if (!done) return asset::in_file(e, file.path, done.error());
  return {};
}

CORTEN_COLD Result<void> read_hfield(const spec::HField& e, const spec::FileContent& file,
                                     asset::Heights& out) {
  const std::string type = e.content_type ? *e.content_type : std::string();
  const std::string format = detail::extension_of(e.file.value_or(""));
  Result<void> done;
  if (type == "image/png" || (type.empty() && format == ".png")) {
    done = asset::read_picture(*file.bytes, out);
  } else if (type == "image/vnd.mujoco.hfield" ||
             (type.empty() && !detail::is_known_format(format))) {
    done = asset::read_heights(*file.bytes, out);
  } else {
    return e.error(
        "'" + (type.empty() ? format : type) + "' is not a supported kind of height field",
        "use image/png or image/vnd.mujoco.hfield");
  }
  if (!done) return asset::in_file(e, file.path, done.error());
  return {};
}

}  // namespace corten::mjcf
