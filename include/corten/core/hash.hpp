// SPDX-License-Identifier: Apache-2.0
//
// A hash of a text that is the same on every machine (FNV-1a, 64 bits).
#pragma once

#include <corten/config.hpp>

#include <cstdint>
#include <string_view>

namespace corten {

CORTEN_COLD std::uint64_t hash_of(std::string_view text) {
  std::uint64_t out = 0xcbf29ce484222325u;
  for (const char c : text) out = (out ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return out;
}

}  // namespace corten
