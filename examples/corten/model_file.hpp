// SPDX-License-Identifier: Apache-2.0
//
// Models from files: MJCF, or a model that `corten convert` has compiled. The first bytes tell
// which.
#pragma once

#include "args.hpp"

#include <corten/asset/file.hpp>
#include <corten/corten.hpp>
#include <corten/io/options.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace cli {

struct ModelFile {
  corten::Model<double> model;
  corten::Spec spec;       // empty if the file is a compiled model
  bool compiled = false;   // is it?
  std::string bytes = {};  // of the file, if it is compiled
};

inline bool is_compiled(std::string_view bytes) {
  const corten::detail::ByteHeader header;
  return bytes.starts_with(std::string_view(header.mark, sizeof header.mark));
}

inline corten::Result<ModelFile> read_compiled(const std::string& path, std::string bytes) {
  auto model = corten::from_bytes(bytes);
  corten::Result<void> known;
  if (model) {
    if (const auto checked = corten::bind(*model); !checked) known = checked.error();
  }
  if (model && known) return ModelFile{*std::move(model), {}, true, std::move(bytes)};
  corten::Error error = model ? known.error() : model.error();
  error.where.file = path;
  return error;
}

// reads a model and prints the reader's warnings, unless quiet
inline corten::Result<ModelFile> read_model(const std::string& path, bool quiet = false) {
  if (auto content = corten::load_file(path); content && is_compiled(*content)) {
    return read_compiled(path, *std::move(content));
  }
  auto loaded = corten::load_with_spec(path);
  if (!loaded) return loaded.error();
  if (!quiet) {
    for (const corten::Error& w : loaded->spec.warnings) warn(w);
  }
  return ModelFile{std::move(loaded->model), std::move(loaded->spec)};
}

// The same for one who wants to know what the model was made from. A compiled model need not fit
// this version of corten then, and is left empty.
inline corten::Result<ModelFile> read_source(const std::string& path) {
  if (auto content = corten::load_file(path); content && is_compiled(*content)) {
    return ModelFile{{}, {}, true, *std::move(content)};
  }
  return read_model(path);
}

// a keyframe by name or number
inline corten::Result<int> read_key(const std::string& text, const corten::Model<double>& model) {
  const auto& names = model.names.key;
  const auto found = std::find(names.begin(), names.end(), text);
  if (found != names.end()) return static_cast<int>(found - names.begin());
  const auto id = corten::io::to_number<int>(text);
  if (id && *id >= 0 && *id < model.n.nkey) return *id;
  return corten::Error("there is no keyframe '" + text + "'", corten::spec::suggest(text, names));
}

}  // namespace cli
