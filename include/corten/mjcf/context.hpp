// SPDX-License-Identifier: Apache-2.0
//
// What all readers share: the options, the spec in the making, and the first error. Errors are
// sticky: after the first one every reader returns at once, so that the code which walks the tree
// need not pass results around.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <corten/core/result.hpp>
#include <corten/mjcf/options.hpp>
#include <corten/mjcf/xml.hpp>
#include <corten/spec/spec.hpp>

namespace corten::mjcf {

struct Context {
  using Names = std::map<std::pair<std::string, std::string>, Location>;

  ReadOptions options;
  Spec spec;
  std::vector<Spec> models;          // <asset><model>, by their names
  std::vector<std::string> parents;  // files of which this one is a model
  std::optional<Error> error;

  bool failed() const { return error.has_value(); }

  CORTEN_COLD void fail(Error e) {
    if (!error) error = std::move(e);
  }
  CORTEN_COLD void fail(const Location& where, const std::string& path, std::string_view message,
                        std::string_view remedy = {}) {
    fail(Error{where, path, message, remedy});
  }

  CORTEN_COLD void warn(Error e) { spec.warnings.push_back(std::move(e)); }

  // an error, or a warning for a lenient reader
  CORTEN_COLD void complain(Error e) {
    if (options.lenient) {
      warn(std::move(e));
    } else {
      fail(std::move(e));
    }
  }

  // what claim() has seen
  const Names& names() const { return names_; }
  void set_names(const Names& names) { names_ = names; }

  // Names are unique within a kind of element.
  CORTEN_COLD void claim(std::string_view kind, const spec::Element& element) {
    if (element.name.empty() || failed()) return;
    const auto key = std::make_pair(std::string(kind), element.name);
    const auto [at, fresh] = names_.emplace(key, element.where);
    if (fresh) return;
    const Location& first = at->second;
    const std::string remedy = first.line == 0
                                   ? "that name is taken by a built-in element"
                                   : "the first is in line " + std::to_string(first.line) +
                                         (first.file.empty() ? "" : " of " + first.file);
    fail(element.error("repeated " + std::string(kind) + " name '" + element.name + "'", remedy));
  }

 private:
  Names names_;
};

// parent/geom 'head'
inline std::string path_of(const std::string& parent, const XmlElement& xml) {
  std::string out = parent.empty() ? std::string(xml.name) : parent + "/" + std::string(xml.name);
  const XmlAttribute* name = xml.find(xml.name == "default" ? "class" : "name");
  if (name != nullptr && !name->value.empty()) out += " '" + std::string(name->value) + "'";
  return out;
}

}  // namespace corten::mjcf
