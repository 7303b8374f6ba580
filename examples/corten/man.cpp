// SPDX-License-Identifier: Apache-2.0
//
// corten man: the help of all commands as a manual page.
#include "args.hpp"
#include "help.hpp"

#include <cstdio>
#include <span>
#include <string>
#include <string_view>

namespace cli {

namespace {

// Text for roff: backslashes and hyphens are escaped, because a plain hyphen may be typeset as
// another character, which nobody can paste into a shell. A line must not begin with a dot or a
// quote.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

std::string paragraphs(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = text.find("\n\n");
    out += ".PP\n" + roff(text.substr(0, end)) + "\n";
    text = end == std::string_view::npos ? "" : text.substr(end + 2);
  }
  return out;
}

// a term and what it means
std::string entry(const std::string& term, std::string_view meaning) {
  return ".TP\n" + term + "\n" + roff(meaning) + "\n";
}

std::string section(const Command& c) {
  std::string out = ".SS corten " + std::string(c.name) + " " + roff(c.arguments) + "\n";
  out += paragraphs(c.description);
  for (const OptionInfo& o : c.options) {
    std::string term = "\\fB" + roff(o.name) + "\\fR";
    if (!o.value.empty()) term += " \\fI" + roff(o.value) + "\\fR";
    out += entry(term, o.help);
  }
  out += ".PP\nExamples:\n";
  for (const Example& e : c.examples) out += entry("\\fB" + roff(e.command) + "\\fR", e.what);
  return out;
}

std::string manual() {
  std::string out = ".TH CORTEN 1 \"\" \"corten " + version_string() + "\" \"User Commands\"\n";
  out += ".SH NAME\ncorten \\- " + roff(tool_summary) + "\n";
  out += ".SH SYNOPSIS\n.B corten\n\\fICOMMAND\\fR [\\fIarguments\\fR] [\\fIoptions\\fR]\n.br\n";
  out += ".B corten\n\\fICOMMAND\\fR \\fB\\-\\-help\\fR\n";
  out += ".SH COMMANDS\n";
  for (const Command* c : commands) out += section(*c);
  out += ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : exit_codes) {
    out += entry("\\fB" + std::string(code) + "\\fR", meaning);
  }
  out += ".SH ENVIRONMENT\n";
  out += entry("\\fBNO_COLOR\\fR", "if set, nothing is written in colour, not even to a terminal");
  return out;
}

int run_man(std::span<char* const> argv) {
  const auto args = parse_args(argv, {});
  if (!args) return complain(args.error(), bad_usage);
  if (!args->files.empty()) return complain(usage_error("man takes no arguments"), bad_usage);
  return std::fputs(manual().c_str(), stdout) < 0 ? failure : success;
}

constexpr Example examples[] = {
    {"corten man | man -l -", "read it"},
    {"corten man > corten.1", "write it to a file"},
};

}  // namespace

const Command man_command = {
    .name = "man",
    .arguments = "",
    .summary = "print the manual page",
    .description =
        "Prints the help of all commands as a manual page, in the format of man(1). An "
        "installed corten has it where man looks for it.",
    .options = {},
    .examples = examples,
    .choices = "",
    .run = run_man};

}  // namespace cli
