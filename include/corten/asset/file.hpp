// SPDX-License-Identifier: Apache-2.0
//
// Reads and writes files on disk. Nothing else in the library opens a file.
#pragma once

#include <corten/config.hpp>
#include <corten/core/list.hpp>
#include <corten/core/result.hpp>

#include <cstddef>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace corten {

// larger files are assumed to be mistakes
inline constexpr std::size_t max_file_bytes = std::size_t{1} << 30;

// the contents of a file; nothing if it cannot be read or exceeds max_file_bytes
CORTEN_COLD std::optional<std::string> load_file(const std::string& path) {
  const auto close = [](std::FILE* f) { std::fclose(f); };
  const std::unique_ptr<std::FILE, decltype(close)> file(std::fopen(path.c_str(), "rb"), close);
  if (!file) return std::nullopt;
  std::string out;
  List<char> buffer(1 << 16);
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), file.get())) {
    if (out.size() + n > max_file_bytes) return std::nullopt;
    out.append(buffer.data(), n);
  }
  if (std::ferror(file.get()) != 0) return std::nullopt;
  return out;
}

CORTEN_COLD Result<void> save_file(const std::string& path, std::string_view bytes) {
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  bool written = file != nullptr;
  if (written) written = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  if (file != nullptr) written = std::fclose(file) == 0 && written;
  if (!written) return Error{{path, 0, 0}, {}, "cannot write the file"};
  return {};
}

}  // namespace corten
