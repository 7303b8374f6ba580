// SPDX-License-Identifier: Apache-2.0
//
// Command lines: a parser that refuses options which a command does not have and suggests the
// nearest one, and complaints.
#pragma once

#include "command.hpp"
#include "terminal.hpp"

#include <corten/core/result.hpp>
#include <corten/spec/suggest.hpp>
#include <corten/version.hpp>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cli {

struct Args {
  std::vector<std::string> files;
  std::vector<std::pair<std::string, std::string>> options;

  // the value of an option (empty for a switch), or null
  const std::string* find(std::string_view name) const {
    for (const auto& [key, value] : options) {
      if (key == name) return &value;
    }
    return nullptr;
  }
  bool has(std::string_view name) const { return find(name) != nullptr; }
  std::string get(std::string_view name, std::string fallback = {}) const {
    const std::string* value = find(name);
    return value != nullptr ? *value : fallback;
  }
};

inline corten::Error usage_error(std::string message, std::string remedy = {}) {
  return corten::Error(std::move(message), std::move(remedy));
}

// Parses the arguments after the command. "--name value" and "--name=value" mean the same.
inline corten::Result<Args> parse_args(std::span<char* const> argv,
                                       std::span<const OptionInfo> known) {
  Args out;
  for (std::size_t i = 0; i < argv.size(); ++i) {
    const std::string_view arg = argv[i];
    if (arg.size() < 2 || arg[0] != '-') {
      out.files.emplace_back(arg);
      continue;
    }
    const std::size_t equals = arg.find('=');
    const std::string_view name = arg.substr(0, equals);
    const auto info =
        std::find_if(known.begin(), known.end(), [&](const auto& k) { return k.name == name; });
    if (info == known.end()) {
      std::vector<std::string_view> names;
      for (const OptionInfo& k : known) names.push_back(k.name);
      return usage_error("unknown option '" + std::string(name) + "'",
                         corten::spec::suggest(name, names));
    }
    if (out.has(name)) return usage_error(std::string(name) + " is given twice");
    const bool inline_value = equals != std::string_view::npos;
    if (info->value.empty() && inline_value) {
      return usage_error(std::string(name) + " takes no value");
    }
    if (!info->value.empty() && !inline_value && i + 1 == argv.size()) {
      return usage_error(std::string(name) + " needs a value",
                         std::string(name) + " " + std::string(info->value));
    }
    std::string value;
    if (inline_value) value = arg.substr(equals + 1);
    if (!info->value.empty() && !inline_value) value = argv[++i];
    out.options.emplace_back(name, std::move(value));
  }
  return out;
}

inline std::string version_string() {
  return std::to_string(CORTEN_VERSION_MAJOR) + "." + std::to_string(CORTEN_VERSION_MINOR) + "." +
         std::to_string(CORTEN_VERSION_PATCH);
}

inline int complain(const corten::Error& error, int code) {
  const Style style{wants_colours(stderr)};
  std::fprintf(stderr, "%s %s\n", style.red("corten:").c_str(), error.to_string().c_str());
  return code;
}

// what is not wrong enough to stop
inline void warn(const corten::Error& error) {
  const Style style{wants_colours(stderr)};
  std::fprintf(stderr, "%s %s\n", style.yellow("corten: warning:").c_str(),
               error.to_string().c_str());
}

}  // namespace cli
