// SPDX-License-Identifier: Apache-2.0
//
// <mesh> and <hfield>, and their files. As in MuJoCo, a file is looked up in the compiler's meshdir
// (or assetdir), which is relative to the directory of the main file; then, inside meshdir, in the
// directory of the file that mentions it; then in that directory itself. Files are read after the
// rest of the text, because <compiler> may come last.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <corten/mjcf/include.hpp>
#include <corten/mjcf/read_element.hpp>

namespace corten::mjcf {

namespace detail {

// "part" for path/to/part.stl
CORTEN_COLD std::string stem_of(const std::string& path) {
  const std::string name = path.substr(directory_of(path).size());
  return name.substr(0, name.find_last_of('.'));
}

// an asset without a name is named after its file
template <class T>
CORTEN_COLD void claim_asset(Context& context, const char* kind, const XmlElement& xml, T& asset) {
  if (!asset.name.empty() || !asset.file) return;
  asset.name = stem_of(*asset.file);
  context.claim(kind, xml, asset);
}

}  // namespace detail

CORTEN_COLD void read_mesh(Context& context, const XmlElement& xml, const std::string& path) {
  spec::Mesh& mesh = context.spec.meshes.emplace_back();
  read_element(context, xml, path, "mesh", mesh);
  AttributeReader reader(context, xml, mesh.path);
  reader.exclusive({"builtin", "file"});
  reader.exclusive({"builtin", "vertex"});
  if (mesh.refquat == spec::Numbers<4>{}) reader.fail("refquat", "the quaternion is zero");
  if (mesh.maxhullvert && *mesh.maxhullvert != -1 && *mesh.maxhullvert < 4) {
    reader.fail("maxhullvert", "maxhullvert must be larger than 3", "or -1 for no limit");
  }
  if (mesh.builtin && !mesh.params) {
    reader.fail("builtin", "attribute 'params' is missing", "builtin needs it");
  }
  detail::claim_asset(context, "mesh", xml, mesh);
  for_children(context, xml, mesh.path, schema::mesh, [](const XmlElement&) {});
}

CORTEN_COLD void read_hfield(Context& context, const XmlElement& xml, const std::string& path) {
  spec::HField& hfield = context.spec.hfields.emplace_back();
  read_element(context, xml, path, "hfield", hfield);
  detail::claim_asset(context, "hfield", xml, hfield);
  no_children(context, xml, hfield.path);
}

namespace detail {

// reads the files of assets
class AssetLoader {
 public:
  explicit AssetLoader(Context& context) : context_(context) {
    const spec::Compiler& c = context.spec.compiler;
    directory_ = join(context.options.directory, c.meshdir ? *c.meshdir : c.assetdir.value_or(""));
    strip_ = c.strippath.value_or(false);
  }

  CORTEN_COLD void load(const spec::Element& asset, const Optional<std::string>& file,
                        spec::FileContent& out) {
    if (out.bytes != nullptr) return;  // an attached model has loaded it
    if (!file || file->empty() || context_.errors.size() >= Context::most_errors) return;
    std::string name = *file;
    if (strip_) name.erase(0, directory_of(name).size());
    if (try_path(join(directory_, name), out)) return;
    const std::string tried = out.path;
    // the directory of an included file, inside meshdir and then by itself
    const std::string origin = directory_of(asset.where.file), &base = context_.options.directory;
    if (!is_absolute(name) && !origin.empty()) {
      const bool below = origin.compare(0, base.size(), base) == 0;
      const std::string relative = below ? origin.substr(base.size()) : origin;
      if (try_path(join(directory_, join(relative, name)), out)) return;
      if (try_path(join(origin, name), out)) return;
    }
    context_.errors.push_back(asset.error("cannot read '" + *file + "'", "looked for " + tried));
  }

 private:
  CORTEN_COLD bool try_path(std::string path, spec::FileContent& out) {
    const auto& load = context_.options.load;
    std::optional<std::string> bytes = load ? load(path) : load_file(path);
    out.path = std::move(path);
    if (!bytes) return false;
    out.bytes = std::make_shared<const std::string>(std::move(*bytes));
    return true;
  }

  Context& context_;
  std::string directory_;
  bool strip_ = false;
};

}  // namespace detail

// reads the files of all assets
CORTEN_COLD void load_assets(Context& context) {
  detail::AssetLoader loader(context);
  for (spec::Mesh& mesh : context.spec.meshes) loader.load(mesh, mesh.file, mesh.content);
  for (spec::Soft& soft : context.spec.softs) loader.load(soft, soft.file, soft.content);
  for (spec::HField& field : context.spec.hfields) loader.load(field, field.file, field.content);
}

}  // namespace corten::mjcf
