// SPDX-License-Identifier: Apache-2.0
//
// The files that a command writes: none may overwrite an input or another output, and all must be
// writable before a long run begins. Nothing is created or truncated by the check, so that a run
// that is cut short leaves no empty files behind.
#pragma once

#include "args.hpp"

#include <corten/core/result.hpp>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

namespace cli {

// a file and the option or argument that names it
struct NamedFile {
  std::string option, path;
};

// Are both the same file, even if neither exists yet? Paths are made absolute first, because
// weakly_canonical leaves "x.svg" relative if there is no such file, but makes "./x.svg" absolute.
inline bool same_file(const std::string& a, const std::string& b) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (fs::equivalent(a, b, error) && !error) return true;
  const auto whole_a = fs::weakly_canonical(fs::absolute(a, error), error);
  const auto whole_b = fs::weakly_canonical(fs::absolute(b, error), error);
  return !error && whole_a == whole_b;
}

inline corten::Result<void> check_writable(const std::string& path) {
  std::error_code error;
  const bool existed = std::filesystem::exists(path, error);
  const bool writable = std::ofstream(path, std::ios::binary | std::ios::app).good();
  if (!existed && writable) std::filesystem::remove(path, error);
  if (writable) return {};
  return corten::Error{{path, 0, 0}, {}, "cannot write the file"};
}

// Outputs with an empty path are not wanted.
inline corten::Result<void> check_outputs(const std::vector<NamedFile>& inputs,
                                          const std::vector<NamedFile>& outputs) {
  std::vector<NamedFile> taken = inputs;
  for (const NamedFile& out : outputs) {
    if (out.path.empty()) continue;
    for (const NamedFile& other : taken) {
      if (!other.path.empty() && same_file(out.path, other.path)) {
        return usage_error(
            out.option + " would overwrite " + other.option + ", '" + other.path + "'",
            "name another file");
      }
    }
    taken.push_back(out);
  }
  return {};
}

}  // namespace cli
