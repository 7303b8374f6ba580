// SPDX-License-Identifier: Apache-2.0
//
// corten: the command-line tool.
#include "args.hpp"
#include "inspect_command.hpp"
#include "simulate_command.hpp"

#include <cstdio>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace {

void print_help() {
  std::puts("corten: multibody dynamics with contact, from MJCF files\n");
  std::puts(
      "corten simulate [MODEL.xml] [options]   step a model; a humanoid falls when no file is "
      "given");
  cli::print_options(cli::simulate_options);
  std::puts(
      "\ncorten inspect MODEL.xml [options]      the model and its data as JSON, with MuJoCo's "
      "names");
  cli::print_options(cli::inspect_options);
  std::puts("\ncorten --help, corten --version\n");
  std::puts(
      "Exit codes: 0 success, 1 an error in the model or a file, 2 an error in the command line.");
}

}  // namespace

int main(int argc, char** argv) try {
  const std::span<char* const> args(argv, static_cast<std::size_t>(argc));
  const std::string_view command = args.size() > 1 ? args[1] : "";
  for (const std::string_view arg : args) {
    if (arg == "--help" || arg == "-h") return print_help(), cli::success;
  }
  if (command == "--version") {
    std::printf("corten %s (conformant with MuJoCo %s)\n", cli::version_string().c_str(),
                CORTEN_MUJOCO_VERSION);
    return cli::success;
  }
  if (command == "simulate") return cli::simulate(args.subspan(2));
  if (command == "inspect") return cli::inspect(args.subspan(2));
  if (command.empty()) return print_help(), cli::bad_usage;
  const std::vector<std::string_view> known{"simulate", "inspect", "--help", "--version"};
  const char* what = command[0] == '-' ? "unknown option '" : "unknown command '";
  return cli::complain(
      cli::usage_error(what + std::string(command) + "'", corten::spec::suggest(command, known)),
      cli::bad_usage);
} catch (const std::exception& e) {  // out of memory; no other exception is known to occur
  std::fprintf(stderr, "corten: %s\n", e.what());
  return cli::failure;
}
