// SPDX-License-Identifier: Apache-2.0
//
// Names may hold any bytes, but JSON and XML are UTF-8: bytes that are not become U+FFFD, the
// replacement character.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace corten::io {

// The length in bytes of the character that a text begins with: 1 to 4, or 0 if it is not UTF-8.
// Overlong forms, surrogates and code points above U+10FFFF are refused (RFC 3629).
inline std::size_t utf8_length(std::string_view s) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(s[i]); };
  if (s.empty()) return 0;
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || s.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0u) != 0x80) return 0;
  }
  const unsigned second = byte(1);
  const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool surrogate = first == 0xED && second > 0x9F, beyond = first == 0xF4 && second > 0x8F;
  return overlong || surrogate || beyond ? 0 : length;
}

// A text as UTF-8, with each wrong byte replaced.
inline std::string to_utf8(std::string_view s) {
  std::string out;
  while (!s.empty()) {
    const std::size_t length = utf8_length(s);
    out += length > 0 ? s.substr(0, length) : std::string_view("\xEF\xBF\xBD");
    s.remove_prefix(length > 0 ? length : 1);
  }
  return out;
}

}  // namespace corten::io
