// SPDX-License-Identifier: Apache-2.0
//
// The files that a spec mentions. Those of meshes, height fields and soft bodies were loaded with
// the text; textures and skins, which only renderers need, are found here on demand.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <corten/asset/file.hpp>
#include <corten/core/list.hpp>
#include <corten/core/result.hpp>
#include <corten/mjcf/include.hpp>
#include <corten/spec/spec.hpp>

namespace corten::mjcf {

// the settings of the file that an element comes from
inline const spec::Compiler& compiler_of(const Spec& spec, int origin) {
  return origin > 0 ? spec.origins[static_cast<std::size_t>(origin - 1)] : spec.compiler;
}

// Reads a file that an element mentions. It is looked up in `own_folder` (texturedir, say; without
// one, in assetdir) below the directory of the model, then relative to the file with the element.
template <class E>
CORTEN_COLD Result<spec::FileContent> open_file(const Spec& spec, const E& e,
                                                const Optional<std::string>& own_folder,
                                                const std::string& file) {
  const spec::Compiler& c = compiler_of(spec, e.origin);
  const std::string folder = own_folder ? *own_folder : c.assetdir.value_or("");
  const std::string own = detail::directory_of(e.where.file);
  std::string name = file;
  if (c.strippath.value_or(false)) name.erase(0, detail::directory_of(name).size());
  for (const std::string& base :
       {detail::join(spec.directory, folder), detail::join(own, folder), own}) {
    const std::string path = detail::join(base, name);
    if (std::optional<std::string> bytes = load_file(path)) {
      return spec::FileContent{std::make_shared<const std::string>(*std::move(bytes)), path};
    }
  }
  return e.error("cannot read '" + file + "'",
                 "looked for " + detail::join(detail::join(spec.directory, folder), name));
}

// Gives all files of a spec other names: name = place(path, bytes). Their folders in <compiler> are
// forgotten. Textures and skins that cannot be read keep their names; the result names them.
template <class Place>
CORTEN_COLD List<Error> rename_files(Spec& spec, const Place& place) {
  List<Error> missing;
  const auto loaded = [&](auto& assets) {
    for (auto& asset : assets) {
      if (!asset.file || asset.content.bytes == nullptr) continue;
      asset.file = place(asset.content.path, *asset.content.bytes);
      asset.content.path = *asset.file;
    }
  };
  const auto opened = [&](const auto& e, auto folder, Optional<std::string>& file) {
    if (!file || file->empty()) return;
    const auto content = open_file(spec, e, compiler_of(spec, e.origin).*folder, *file);
    if (content) {
      file = place(content->path, *content->bytes);
    } else {
      missing.push_back(content.error());
    }
  };
  for (spec::Texture& e : spec.textures) {
    for (auto file : {&spec::Texture::file, &spec::Texture::fileright, &spec::Texture::fileleft,
                      &spec::Texture::fileup, &spec::Texture::filedown, &spec::Texture::filefront,
                      &spec::Texture::fileback}) {
      opened(e, &spec::Compiler::texturedir, e.*file);
    }
  }
  for (spec::Skin& e : spec.skins) opened(e, &spec::Compiler::meshdir, e.file);
  loaded(spec.meshes);
  loaded(spec.hfields);
  loaded(spec.softs);
  spec.directory.clear();
  spec.compiler.meshdir.reset();
  spec.compiler.texturedir.reset();
  spec.compiler.assetdir.reset();
  spec.compiler.strippath.reset();
  return missing;
}

}  // namespace corten::mjcf
