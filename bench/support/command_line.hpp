// SPDX-License-Identifier: Apache-2.0
//
// The command lines of the benchmarks: options with a number, a text or no value, and models.
#pragma once

#include <corten/io/options.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <variant>
#include <vector>

namespace bench {

// where the value of an option is stored, and the smallest number allowed
struct CommandOption {
  std::string_view name;
  std::variant<int*, std::string*, bool*> to;
  int least = 1;
};

// folder and file, since many models are called humanoid.xml
inline std::string short_name(const std::string& path) {
  const auto full = std::filesystem::absolute(path);
  return full.parent_path().filename().string() + "/" + full.stem().string();
}

namespace detail {

// adds a file, or the models in a directory
inline bool add_models(const std::string& path, std::vector<std::string>& out) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    out.push_back(path);
    return fs::exists(path, error);
  }
  const std::size_t before = out.size();
  for (const auto& entry : fs::directory_iterator(path, error)) {
    if (entry.path().extension() == ".xml") out.push_back(entry.path().string());
  }
  std::sort(out.begin() + static_cast<std::ptrdiff_t>(before), out.end());
  return !error;
}

// describes what is wrong with the value of an option; empty if nothing is
inline std::string set_option(const CommandOption& option, const char* value) {
  const std::string name(option.name);
  if (value == nullptr) return name + " needs a value";
  if (std::string* const* text = std::get_if<std::string*>(&option.to)) {
    **text = value;
    return {};
  }
  const std::optional<int> x = corten::io::to_number<int>(value);
  if (!x || *x < option.least) {
    return name + " needs a number of at least " + std::to_string(option.least) + ", not '" +
           value + "'";
  }
  **std::get_if<int*>(&option.to) = *x;
  return {};
}

// describes what is wrong with the command line; empty if nothing is
inline std::string read(int argc, char** argv, std::initializer_list<CommandOption> options,
                        std::vector<std::string>* models) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view arg = argv[i];
    const CommandOption* option = std::find_if(
        options.begin(), options.end(), [&](const CommandOption& o) { return o.name == arg; });
    if (option != options.end()) {
      if (bool* const* flag = std::get_if<bool*>(&option->to)) {
        **flag = true;
        continue;
      }
      ++i;
      if (auto problem = set_option(*option, i < argc ? argv[i] : nullptr); !problem.empty()) {
        return problem;
      }
    } else if (arg.starts_with("-") || models == nullptr) {
      return "unknown option '" + std::string(arg) + "'";
    } else if (!add_models(argv[i], *models)) {
      return "no file or directory '" + std::string(arg) + "'";
    }
  }
  return models != nullptr && models->empty() ? "no models given" : "";
}

}  // namespace detail

// Reads the command line. If it is wrong or asks for help, prints a message and returns the exit
// code. MODELS are MJCF files, or directories of *.xml files.
inline std::optional<int> read_command_line(int argc, char** argv, const char* usage,
                                            std::initializer_list<CommandOption> options,
                                            std::vector<std::string>* models = nullptr) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view arg = argv[i];
    if (arg == "--help" || arg == "-h") return std::fputs(usage, stdout), 0;
  }
  const std::string problem = detail::read(argc, argv, options, models);
  if (problem.empty()) return {};
  std::fprintf(stderr, "%s\n%s", problem.c_str(), usage);
  return 2;
}

}  // namespace bench
