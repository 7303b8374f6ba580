// SPDX-License-Identifier: Apache-2.0
//
// Whole files, in and out.
#pragma once

#include <corten/core/result.hpp>

#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

namespace cli {

inline corten::Result<std::string> read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return corten::Error{{path, 0, 0}, {}, "cannot read the file", {}};
  return std::string(std::istreambuf_iterator<char>(in), {});
}

inline corten::Result<void> write_file(const std::string& path, std::string_view text) {
  std::ofstream out(path, std::ios::binary);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
  if (!out) return corten::Error{{path, 0, 0}, {}, "cannot write the file", {}};
  return {};
}

}  // namespace cli
