// SPDX-License-Identifier: Apache-2.0
//
// Writes pictures as PNG. Each row is stored as differences from the row above, which suits the
// checkers and gradients that models are textured with.
#pragma once

#include <corten/asset/deflate.hpp>
#include <corten/asset/png.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace corten::asset {

namespace detail {

CORTEN_COLD void put_big_endian(std::string& out, std::uint32_t v) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(v >> shift & 255u);
}

CORTEN_COLD void put_chunk(std::string& out, std::string_view type, std::string_view body) {
  put_big_endian(out, static_cast<std::uint32_t>(body.size()));
  const std::size_t start = out.size();
  out.append(type).append(body);
  put_big_endian(out, crc(std::string_view(out).substr(start)));
}

}  // namespace detail

CORTEN_COLD std::string write_png(const Picture& picture) {
  const auto width = static_cast<std::size_t>(picture.width * picture.channels);
  std::string header, rows;
  detail::put_big_endian(header, static_cast<std::uint32_t>(picture.width));
  detail::put_big_endian(header, static_cast<std::uint32_t>(picture.height));
  const char color = picture.channels == 1 ? 0 : picture.channels == 3 ? 2 : 6;
  header += {8, color, 0, 0, 0};
  for (std::size_t r = 0; r < static_cast<std::size_t>(picture.height); ++r) {
    rows += static_cast<char>(r > 0 ? 2 : 0);
    for (std::size_t i = 0; i < width; ++i) {
      const unsigned char above = r > 0 ? picture.pixels[(r - 1) * width + i] : 0;
      rows += static_cast<char>(static_cast<unsigned char>(picture.pixels[r * width + i] - above));
    }
  }
  std::string out("\x89PNG\r\n\x1a\n", 8);
  detail::put_chunk(out, "IHDR", header);
  detail::put_chunk(out, "IDAT", deflate(rows));
  detail::put_chunk(out, "IEND", {});
  return out;
}

}  // namespace corten::asset
