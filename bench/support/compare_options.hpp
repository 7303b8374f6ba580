// SPDX-License-Identifier: Apache-2.0
//
// The command line of bench_compare.
#pragma once

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace bench {

inline constexpr const char* compare_usage =
    "usage: bench_compare [options] MODELS...\n"
    "\n"
    "MODELS are MJCF files, or directories whose *.xml files are taken.\n"
    "\n"
    "  --steps N      steps an episode (1000)\n"
    "  --episodes N   episodes, each with a start and controls of its own (3)\n"
    "  --rounds N     how often all episodes are run; the best time of each counts (5)\n"
    "  --replay       start every step from MuJoCo's state: the same work even where\n"
    "                 trajectories part\n"
    "  --stages       also print where the time goes\n"
    "  --opt K=V,...  options for both engines: integrator=RK4,disable=contact+constraint\n"
    "  --json FILE    also write everything as JSON\n";

struct Options {
  int steps = 1000, episodes = 3, rounds = 5;
  bool replay = false, stages = false, help = false;
  std::string json, opt;
  std::vector<std::string> models;
};

namespace detail {

inline std::optional<int> positive(std::string_view text) {
  int x = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
  if (error != std::errc() || end != text.data() + text.size() || x < 1) return {};
  return x;
}

// a file as it is, a directory as the models in it
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

}  // namespace detail

// the options, or nothing and a message
inline std::optional<Options> read_options(int argc, char** argv, std::string& message) {
  Options o;
  for (int i = 1; i < argc; ++i) {
    const std::string_view arg = argv[i];
    int* number = arg == "--steps"      ? &o.steps
                  : arg == "--episodes" ? &o.episodes
                  : arg == "--rounds"   ? &o.rounds
                                        : nullptr;
    const bool has_value = number != nullptr || arg == "--json" || arg == "--opt";
    if (has_value && i + 1 == argc) {
      message = std::string(arg) + " needs a value";
      return {};
    }
    if (number != nullptr) {
      const std::optional<int> x = detail::positive(argv[++i]);
      if (!x) {
        message = std::string(arg) + " needs a positive number, not '" + argv[i] + "'";
        return {};
      }
      *number = *x;
    } else if (arg == "--json") {
      o.json = argv[++i];
    } else if (arg == "--opt") {
      o.opt = argv[++i];
    } else if (arg == "--replay") {
      o.replay = true;
    } else if (arg == "--stages") {
      o.stages = true;
    } else if (arg == "--help" || arg == "-h") {
      o.help = true;
    } else if (arg.starts_with("-")) {
      message = "unknown option '" + std::string(arg) + "'";
      return {};
    } else if (!detail::add_models(argv[i], o.models)) {
      message = "no file or directory '" + std::string(arg) + "'";
      return {};
    }
  }
  if (o.models.empty() && !o.help) {
    message = "no models given";
    return {};
  }
  return o;
}

}  // namespace bench
