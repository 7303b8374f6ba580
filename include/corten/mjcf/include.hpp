// SPDX-License-Identifier: Apache-2.0
//
// <include file="..."/> is replaced by the children of another file's root element. They keep their
// own file and line for messages. As in MuJoCo, a relative name is looked up in the directory of
// the main file, then in that of the including file. A file can be included only once, which rules
// out cycles and files that double in size with every level.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <corten/asset/file.hpp>
#include <corten/core/list.hpp>
#include <corten/core/name_table.hpp>
#include <corten/mjcf/attributes.hpp>
#include <corten/mjcf/context.hpp>

namespace corten::mjcf {

namespace detail {

inline bool is_absolute(std::string_view path) {
  if (path.empty()) return false;
  const bool drive = path.size() > 1 && path[1] == ':';
  return path[0] == '/' || path[0] == '\\' || drive;
}

// the part up to and including the last separator; empty if there is none
inline std::string directory_of(std::string_view path) {
  const std::size_t slash = path.find_last_of("/\\");
  return slash == std::string_view::npos ? std::string() : std::string(path.substr(0, slash + 1));
}

// joins directory and name to a path, and removes . and .. where possible
CORTEN_COLD std::string join(std::string_view directory, std::string_view name) {
  std::string path(is_absolute(name) ? std::string_view{} : directory);
  if (!path.empty() && path.back() != '/' && path.back() != '\\') path += '/';
  path += name;
  List<std::string_view> parts;
  const std::string_view all = path;
  for (std::size_t i = 0; i <= all.size();) {
    const std::size_t end = std::min(all.find_first_of("/\\", i), all.size());
    const std::string_view part = all.substr(i, end - i);
    const bool can_climb = !parts.empty() && parts.back() != ".." && !parts.back().empty();
    if (part == ".." && can_climb) {
      parts.pop_back();
    } else if (part != "." && (!part.empty() || i == 0)) {
      parts.push_back(part);
    }
    i = end + 1;
  }
  std::string out;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) out += '/';
    out += parts[i];
  }
  return out;
}

}  // namespace detail

class Includer {
 public:
  Includer(Context& context, const std::string& main_file) : context_(context) {
    if (!main_file.empty()) seen_.add(detail::join({}, main_file), 0);
  }

  // Replaces the includes below an element. `directory` is the directory of its file.
  CORTEN_COLD void expand(XmlElement& xml, const std::string& directory, std::size_t depth = 1) {
    List<XmlElement> children;
    children.reserve(xml.children.size());
    for (XmlElement& child : xml.children) {
      if (context_.stopped()) return;
      if (child.name == "include") {
        include(child, directory, depth, children);
      } else {
        deepen(child, directory, depth);
        children.push_back(std::move(child));
      }
    }
    xml.children = std::move(children);
  }

 private:
  CORTEN_COLD void deepen(XmlElement& child, const std::string& directory, std::size_t depth) {
    if (depth >= max_xml_depth) {
      return context_.stop(Error{child.where(), {}, "elements are nested too deeply"});
    }
    expand(child, directory, depth + 1);
  }

  CORTEN_COLD void include(const XmlElement& xml, const std::string& directory, std::size_t depth,
                           List<XmlElement>& out) {
    std::string name;
    AttributeReader reader(context_, xml, "include");
    reader({"file", spec::required}, name);
    reader.finish();
    if (name.empty()) reader.fail("file", "attribute 'file' is empty");
    if (context_.failed(xml)) return;
    if (!xml.children.empty()) {
      return context_.fail(xml.children[0], "include", "<include> cannot have children");
    }
    std::string path;
    std::optional<std::string> text = open(name, directory, path);
    if (!text) {
      return context_.fail(xml, "include", "cannot read '" + name + "'",
                           path.empty() ? "" : "looked for " + path);
    }
    if (!seen_.add(path, 0)) {
      return context_.fail(xml, "include", "'" + path + "' is already included");
    }
    splice(xml, path, *text, depth, out);
  }

  // appends the children of the file's root, with their own includes replaced
  CORTEN_COLD void splice(const XmlElement& xml, const std::string& path, const std::string& text,
                          std::size_t depth, List<XmlElement>& out) {
    Result<XmlElement> root = parse_xml(path, text);
    if (!root) return context_.stop(root.error());
    if (root->children.empty()) {
      return context_.fail(xml, "include", "'" + path + "' has no elements to include");
    }
    if (depth >= max_xml_depth) {
      return context_.stop(Error{xml.where(), "include", "elements are nested too deeply"});
    }
    expand(*root, detail::directory_of(path), depth + 1);
    for (XmlElement& child : root->children) out.push_back(std::move(child));
  }

  // Tries the directory of the main file, then that of the including file. `path` is set to the
  // last path tried.
  std::optional<std::string> open(const std::string& name, const std::string& directory,
                                  std::string& path) const {
    const auto& load = context_.options.load;
    path = detail::join(context_.options.directory, name);
    std::optional<std::string> text = load ? load(path) : load_file(path);
    if (text || detail::is_absolute(name)) return text;
    const std::string second = detail::join(directory, name);
    if (second == path) return text;
    path = second;
    return load ? load(path) : load_file(path);
  }

  Context& context_;
  NameTable seen_;
};

}  // namespace corten::mjcf
