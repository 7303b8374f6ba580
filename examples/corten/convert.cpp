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

// the folder of the output, as an absolute path
fs::path folder_of(const std::string& output) {
  const fs::path path = fs::absolute(output == "-" ? fs::path("x") : fs::path(output));
  return path.lexically_normal().parent_path();
}

// MJCF that includes, attaches and replicates nothing: what the reader made of all that, in one
// file. Meshes, height fields and textures stay files. They are named as seen from the output,
// because the parts of a model may have had directories of their own.
corten::Result<std::string> flattened(const ModelFile& file, const std::string& output) {
  const fs::path directory = folder_of(output);
  corten::Spec spec = file.spec;
  const auto missing = corten::mjcf::rename_files(
      spec,
      [&](const std::string& path, const std::string&) { return seen_from(directory, path); });
  for (const corten::Error& e : missing) warn(e);
  return corten::save_string(spec);
}

// The MJCF text that a compiled model carries. Its files go to a folder beside the text.
corten::Result<std::string> restored(const ModelFile& file, const std::string& output) {
  const auto source = corten::source_from_bytes(file.bytes);
  if (!source) return source.error();
  const std::string folder = fs::path(output).stem().string() + "_files";
  const fs::path place = folder_of(output) / folder;
  if (source->files.empty()) return source->mjcf;
  if (output == "-") {
    return corten::Error("the model has files, such as " + source->files[0].name +
                             ", which standard output has no room for",
                         "name an output file; they are written to a folder beside it");
  }
  auto text = corten::save_string(*source, folder);
  if (!text) return text;
  std::error_code error;
  fs::create_directories(place, error);  // if it fails, so does the first file
  for (const corten::Source::File& asset : source->files) {
    if (auto done = corten::save_file((place / asset.name).string(), asset.bytes); !done) {
      return done.error();
    }
  }
  return text;
}

corten::Result<std::string> to_mjcf(const ModelFile& file, const std::string& output, const Args&) {
  return file.compiled ? restored(file, output) : flattened(file, output);
}

// A compiled model carries what it was compiled from, so that the way back exists.
corten::Result<std::string> to_compiled(const ModelFile& file, const std::string&,
                                        const Args& args) {
  if (args.has("--bare")) return corten::to_bytes(file.model);
  if (file.compiled) return file.bytes;
  const auto source = corten::source_of(file.spec);
  if (source) return corten::to_bytes(file.model, *source);
  warn(source.error());
  warn(corten::Error("the output cannot be converted back to MJCF", "keep the MJCF file"));
  return corten::to_bytes(file.model);
}

corten::Result<std::string> to_glb(const ModelFile& file, const std::string&, const Args&) {
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
  bool wants_model;  // not only the file that it comes from
  corten::Result<std::string> (*write)(const ModelFile&, const std::string& output, const Args&);
};

constexpr Format formats[] = {
    {"mjcf", ".xml", "MJCF in one file, with includes, attachments and replicas written out", false,
     to_mjcf},
    {"compiled", ".bin", "the compiled model, for from_bytes() and for this tool", true,
     to_compiled},
    {"glb", ".glb", "the bodies in their first pose, for Blender, browsers and game engines", true,
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
    {"--bare", "", "a compiled model without the MJCF text and the files that it was made from"},
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
  const auto file = (*format)->wants_model ? read_model(from) : read_source(from);
  if (!file) return complain(file.error(), failure);
  const auto bytes = (*format)->write(*file, to, *args);
  if (!bytes) {
    corten::Error error = bytes.error();
    if (error.where.file.empty()) error.where.file = from;
    return complain(error, failure);
  }
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
    {"corten convert robot.bin again.xml", "back to MJCF, with its files in again_files/"},
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
        "files of their own. .bin: the compiled model, which needs no other files, but only the "
        "same version of corten runs it; load compiled models only from sources you trust.\n\n"
        "A compiled model also carries the MJCF text that it was made from and the text's files, "
        "unless --bare leaves them out. Any later version converts such a file back to .xml, with "
        "the files in a folder beside it; what it compiles to is the same model.",
    .options = options,
    .examples = examples,
    .choices = "",
    .run = run};

}  // namespace cli
