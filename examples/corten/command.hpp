// SPDX-License-Identifier: Apache-2.0
//
// The commands of the tool as data. What a Command says here is all there is: the parser, --help,
// the man page and the shell completions are made from it.
//
// To add a command: define it in a file of its own, as simulate.cpp does, and list it below.
#pragma once

#include <span>
#include <string_view>

namespace cli {

enum ExitCode : int { success = 0, failure = 1, bad_usage = 2 };

struct OptionInfo {
  std::string_view name;          // with its dashes
  std::string_view value;         // the name of its value; empty for a switch, FILE… for a file
  std::string_view help;          // begins in lower case, without a full stop
  std::string_view choices = {};  // words to complete the value with, separated by blanks
};

struct Example {
  std::string_view command;  // the whole line, as typed
  std::string_view what;     // what it does
};

struct Command {
  std::string_view name;
  std::string_view arguments;  // as in a synopsis; one that contains ".xml" is completed as a file
  std::string_view summary;    // one line
  std::string_view description;  // paragraphs, separated by empty lines
  std::span<const OptionInfo> options;
  std::span<const Example> examples;
  std::string_view choices;  // words to complete the arguments with, where they are not files
  int (*run)(std::span<char* const> arguments);  // those after the command; returns the exit code
};

extern const Command simulate_command, view_command, info_command, inspect_command, convert_command,
    bench_command, completion_command, man_command;

// in the order of the help
inline constexpr const Command* commands[] = {&simulate_command,   &view_command,    &info_command,
                                              &inspect_command,    &convert_command, &bench_command,
                                              &completion_command, &man_command};

}  // namespace cli
