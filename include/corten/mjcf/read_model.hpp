// SPDX-License-Identifier: Apache-2.0
//
// <asset><model>: another file, parts of which <attach> copies. It is read as a separate model with
// its own settings, and its files are relative to its own directory.
#pragma once

#include <corten/core/list.hpp>
#include <corten/mjcf/include.hpp>
#include <corten/mjcf/read_element.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace corten::mjcf {

namespace detail {

// in read_impl.hpp
Result<Spec> parse_text(std::string_view text, const ReadOptions& options,
                        const List<std::string>& parents);

// limits the nesting of models in models
inline constexpr std::size_t max_model_depth = 32;

}  // namespace detail

CORTEN_COLD void read_model(Context& context, const XmlElement& xml, const std::string& parent) {
  const std::string path = path_of(parent, xml);
  std::string name, file, content_type;
  AttributeReader reader(context, xml, path);
  reader("name", name);
  reader({"file", spec::required}, file);
  reader("content_type", content_type);
  reader.finish();
  no_children(context, xml, path);
  if (context.failed(xml)) return;
  if (!content_type.empty() && content_type != "text/xml") {
    return reader.fail("content_type", "content_type '" + content_type + "' is not supported",
                       "models must be MJCF (text/xml)");
  }
  const std::string found = detail::join(context.options.directory, file);
  List<std::string> parents = context.parents;
  parents.push_back(detail::join({}, context.options.file));
  if (std::find(parents.begin(), parents.end(), found) != parents.end()) {
    return reader.fail("file", "'" + found + "' contains itself as a model");
  }
  if (parents.size() > detail::max_model_depth)
    return reader.fail("file", "models are nested too deeply");
  const auto& load = context.options.load;
  const std::optional<std::string> text = load ? load(found) : load_file(found);
  if (!text) return reader.fail("file", "cannot read '" + file + "'", "looked for " + found);
  ReadOptions options = context.options;
  options.file = found;
  options.directory = detail::directory_of(found);
  Result<Spec> spec = detail::parse_text(*text, options, parents);
  if (!spec) return context.fail(xml, spec.error());
  for (const Error& w : spec->warnings) context.warn(w);
  spec->warnings.clear();
  if (!name.empty()) spec->model_name = name;
  context.models.push_back(std::move(*spec));
}

}  // namespace corten::mjcf
