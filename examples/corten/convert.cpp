// SPDX-License-Identifier: Apache-2.0
//
// corten convert: a model in another format. The formats are a table below; each says what its
// files end in and how a model is written.
#include "args.hpp"
#include "model_file.hpp"
#include "outputs.hpp"

#include <corten/save.hpp>
#include <corten/view/glb.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace cli {

namespace {

namespace fs = std::filesystem;

// `path` as seen from the directory of the output
std::string seen_from(const fs::path& directory, const std::string& path) {
  std::error_code error;
  const fs::path near = fs::relative(path, directory, error);
  return error || near.empty() ? fs::absolute(path).string() : near.generic_string();
}

template <class Assets>
void redirect(Assets& assets, const fs::path& directory) {
  for (auto& asset : assets) {
    if (!asset.file || asset.content.path.empty()) continue;
    asset.file = seen_from(directory, asset.content.path);
    asset.content.path = fs::absolute(asset.content.path).lexically_normal().generic_string();
  }
}

// MJCF that includes, attaches and replicates nothing: what the reader made of all that, in one
// file. Meshes, height fields and textures stay files. They are named as seen from the output,
// because the parts of a model may have had directories of their own.
corten::Result<std::string> to_mjcf(const ModelFile& file, const std::string& output) {
  if (!file.compiled) {
    const fs::path folder = fs::absolute(output == "-" ? fs::path("x") : fs::path(output));
    const fs::path directory = folder.lexically_normal().parent_path();
    corten::Spec spec = file.spec;
    corten::spec::Compiler& c = spec.compiler;
    const std::string textures =
        spec.directory + (c.texturedir ? *c.texturedir : c.assetdir.value_or(""));
    if (spec.textures.size() > 0)
      c.texturedir = seen_from(directory, textures.empty() ? "." : textures);
    c.meshdir.reset();
    c.assetdir.reset();
    c.strippath.reset();
    redirect(spec.meshes, directory);
    redirect(spec.hfields, directory);
    redirect(spec.softs, directory);
    spec.directory = directory.generic_string() + "/";
    return corten::save_string(spec);
  }
  return corten::Error("a compiled model cannot be turned back into MJCF",
                       "convert the MJCF file that it was compiled from");
}

corten::Result<std::string> to_compiled(const ModelFile& file, const std::string&) {
  return corten::to_bytes(file.model);
}

corten::Result<std::string> to_glb(const ModelFile& file, const std::string&) {
  const corten::Model<double>& model = file.model;
  corten::Data<double> data(model);
  static_cast<void>(corten::forward(model, data));  // poses are there, whatever it reports
  corten::view::Film film;
  film.add(model, data);
  const corten::scene::Assets assets =
      file.compiled ? corten::scene::assets(model) : corten::scene::assets(model, file.spec);
  for (const corten::Error& e : assets.missing) warn(e);
  return corten::view::write_glb(model, assets, film);
}

struct Format {
  std::string_view name, ending, what;
  corten::Result<std::string> (*write)(const ModelFile&, const std::string& output);
};

constexpr Format formats[] = {
    {"mjcf", ".xml", "MJCF in one file, with includes, attachments and replicas written out",
     to_mjcf},
    {"compiled", ".bin", "the compiled model, for from_bytes() and for this tool", to_compiled},
    {"glb", ".glb", "the bodies in their first pose, for Blender, browsers and game engines",
     to_glb},
};
constexpr std::string_view format_names = "mjcf compiled glb";

corten::Result<const Format*> choose(const Args& args, const std::string& path) {
  const std::string* name = args.find("--to");
  std::vector<std::string_view> names;
  std::string endings;
  for (const Format& f : formats) {
    if (name != nullptr ? f.name == *name : path.ends_with(f.ending)) return &f;
    names.push_back(f.name);
    endings += (endings.empty() ? "" : ", ") + std::string(f.ending);
  }
  if (name != nullptr) {
    return usage_error("--to: there is no format '" + *name + "'",
                       corten::spec::suggest(*name, names));
  }
  return usage_error("'" + path + "' does not say which format is wanted",
                     "end it in one of " + endings + ", or use --to");
}

constexpr OptionInfo options[] = {
    {"--to", "FORMAT", "mjcf, compiled or glb; by default the ending of the output decides",
     format_names},
};

int run(std::span<char* const> argv) {
  const auto args = parse_args(argv, options);
  if (!args) return complain(args.error(), bad_usage);
  if (args->files.size() != 2) {
    return complain(usage_error("convert needs a model file and an output file"), bad_usage);
  }
  const std::string &from = args->files[0], &to = args->files[1];
  const auto format = choose(*args, to);
  if (!format) return complain(format.error(), bad_usage);
  const bool to_stdout = to == "-";
  if (auto distinct = check_outputs({{"the model", from}}, {{"the output", to_stdout ? "" : to}});
      !distinct) {
    return complain(distinct.error(), bad_usage);
  }
  const auto file = read_model(from);
  if (!file) return complain(file.error(), failure);
  const auto bytes = (*format)->write(*file, to);
  if (!bytes) return complain(bytes.error(), failure);
  if (to_stdout) {
    const bool written = std::fwrite(bytes->data(), 1, bytes->size(), stdout) == bytes->size();
    return written ? success : failure;
  }
  if (auto done = corten::save_file(to, *bytes); !done) return complain(done.error(), failure);
  return success;
}

constexpr Example examples[] = {
    {"corten convert scene.xml flat.xml", "all included and attached files in one"},
    {"corten convert robot.xml robot.bin", "a compiled model, which loads without meshes"},
    {"corten convert robot.xml - --to mjcf", "to standard output"},
};

}  // namespace

const Command convert_command = {
    .name = "convert",
    .arguments = "MODEL.xml OUTPUT",
    .summary = "write a model in another format",
    .description =
        "Writes a model in the format that the ending of the output names. .xml: MJCF in which "
        "included, attached and replicated parts are written out; meshes and other assets stay "
        "files of their own. .bin: the compiled "
        "model, which needs no other files, but only the same version of corten reads it; load "
        "compiled models only from sources you trust. A compiled model cannot be turned back into "
        "MJCF.",
    .options = options,
    .examples = examples,
    .choices = "",
    .run = run};

}  // namespace cli
