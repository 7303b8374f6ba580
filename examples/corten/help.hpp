// SPDX-License-Identifier: Apache-2.0
//
// Help for a terminal: an overview of all commands, and a page per command.
#pragma once

#include "command.hpp"
#include "terminal.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace cli {

inline constexpr std::string_view tool_summary = "multibody dynamics with contact, from MJCF files";
inline constexpr std::string_view exit_codes[][2] = {
    {"0", "success"},
    {"1", "an error in the model or in a file"},
    {"2", "an error in the command line"},
    {"130", "interrupted by Ctrl-C; what was recorded is written"},
};

// Breaks paragraphs into lines. All lines but the first begin with `indent` blanks.
inline std::string wrap(std::string_view text, std::size_t width, std::size_t indent) {
  std::string out;
  std::size_t column = indent;
  while (!text.empty()) {
    const bool paragraph = text.starts_with("\n\n");
    text.remove_prefix(std::min(text.find_first_not_of(" \n"), text.size()));
    const std::string_view word = text.substr(0, text.find_first_of(" \n"));
    if (word.empty()) break;
    if (paragraph) {
      out += "\n\n" + std::string(indent, ' ');
      column = indent;
    } else if (column + 1 + columns_of(word) > width && column > indent) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      out += ' ';
      ++column;
    }
    out += word;
    column += columns_of(word);
    text.remove_prefix(word.size());
  }
  return out;
}

class Help {
 public:
  Help(bool colours, int columns)
      : style_{colours}, width_(static_cast<std::size_t>(std::clamp(columns, 30, 100))) {}

  std::string overview(std::span<const Command* const> all = commands) const {
    std::string out = style_.bold("corten") + ": " + wrap(tool_summary, width_ - 8, 0) + "\n\n";
    out += heading("Usage") + "  corten COMMAND [arguments] [options]\n";
    out += "  corten COMMAND --help\n\n" + heading("Commands");
    for (const Command* c : all) out += entry(c->name, c->summary, 14);
    out += "\n" + heading("Options");
    out += entry("--help, -h", "this text, or that of a command", 14);
    out += entry("--version", "the version, and that of MuJoCo which it conforms to", 14);
    out += "\n" + heading("Exit codes");
    for (const auto& [code, meaning] : exit_codes) out += entry(code, meaning, 14);
    return out;
  }

  std::string page(const Command& c) const {
    std::string out = heading("Usage") + "  corten " + std::string(c.name);
    if (!c.arguments.empty()) out += " " + std::string(c.arguments);
    if (!c.options.empty()) out += " [options]";
    out += "\n\n" + wrap(c.description, width_, 0) + "\n";
    if (!c.options.empty()) out += "\n" + heading("Options");
    for (const OptionInfo& o : c.options) {
      const std::string left =
          std::string(o.name) + (o.value.empty() ? "" : " ") + std::string(o.value);
      out += entry(left, o.help, 26);
    }
    out += "\n" + heading("Examples");
    for (const Example& e : c.examples) {
      out += "  " + std::string(e.command) + "\n      " + wrap(e.what, width_, 6) + "\n";
    }
    return out;
  }

 private:
  std::string heading(std::string_view text) const { return style_.bold(text) + "\n"; }

  // on a narrow terminal the explanation has lines of its own
  std::string entry(std::string_view left, std::string_view right, std::size_t column) const {
    if (width_ < 60) column = 6;
    std::string out = "  " + style_.cyan(left);
    const std::size_t used = 2 + left.size();
    out += used < column ? std::string(column - used, ' ') : "\n" + std::string(column, ' ');
    return out + wrap(right, width_, column) + "\n";
  }

  Style style_;
  std::size_t width_;
};

}  // namespace cli
