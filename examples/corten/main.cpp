// SPDX-License-Identifier: Apache-2.0
//
// corten: the command-line tool. Each command has a file of its own.
#include "args.hpp"
#include "help.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace {

using Words = std::span<char* const>;

cli::Help help_for(std::FILE* stream) {
  return cli::Help(cli::wants_colours(stream), cli::terminal_size(stream).columns);
}

bool asks_for_help(Words words) {
  return std::any_of(words.begin(), words.end(),
                     [](const std::string_view word) { return word == "--help" || word == "-h"; });
}

int print(const std::string& text) {
  return std::fputs(text.c_str(), stdout) < 0 ? cli::failure : cli::success;
}

const cli::Command* find_command(std::string_view name) {
  for (const cli::Command* c : cli::commands) {
    if (c->name == name) return c;
  }
  return nullptr;
}

int complain_about(std::string_view word) {
  std::vector<std::string_view> known{"help", "--help", "--version"};
  for (const cli::Command* c : cli::commands) known.push_back(c->name);
  const char* what = word.starts_with("-") ? "unknown option '" : "unknown command '";
  const auto error =
      cli::usage_error(what + std::string(word) + "'", corten::spec::suggest(word, known));
  cli::complain(error, cli::bad_usage);
  std::fputs("Type 'corten --help' for help.\n", stderr);
  return cli::bad_usage;
}

int run(Words words) {
  if (words.empty()) {
    std::fputs(help_for(stderr).overview().c_str(), stderr);
    return cli::bad_usage;
  }
  if (std::string_view(words[0]) == "help") {  // corten help COMMAND
    if (words.size() == 1) return print(help_for(stdout).overview());
    const cli::Command* command = find_command(words[1]);
    return command != nullptr ? print(help_for(stdout).page(*command)) : complain_about(words[1]);
  }
  const cli::Command* command = find_command(words[0]);
  if (asks_for_help(words)) {
    const cli::Help help = help_for(stdout);
    return print(command != nullptr ? help.page(*command) : help.overview());
  }
  if (std::string_view(words[0]) == "--version") {
    return print("corten " + cli::version_string() + " (conformant with MuJoCo " +
                 CORTEN_MUJOCO_VERSION + ")\n");
  }
  if (command == nullptr) return complain_about(words[0]);
  const int code = command->run(words.subspan(1));
  if (code == cli::bad_usage) {
    std::fprintf(stderr, "Type 'corten %s --help' for help.\n", words[0]);
  }
  return code;
}

}  // namespace

int main(int argc, char** argv) try {
  const int code = run(Words(argv, static_cast<std::size_t>(argc)).subspan(argc > 0 ? 1 : 0));
  const bool written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (written || code != cli::success) return code;
  return cli::complain(corten::Error("cannot write the output"), cli::failure);  // a full disk
} catch (const std::exception& e) {  // out of memory; no other exception is known to occur
  return cli::complain(corten::Error(e.what()), cli::failure);
}
