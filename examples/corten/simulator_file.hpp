// SPDX-License-Identifier: Apache-2.0
//
// The simulator that pages carry: corten.wasm, made from wasm/simulator.cpp. It lies beside the
// tool in a build tree and in share/corten once installed; CORTEN_WASM names another.
#pragma once

#include <corten/asset/file.hpp>
#include <corten/core/result.hpp>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace cli {

inline corten::Result<std::string> read_simulator() {
  namespace fs = std::filesystem;
  std::vector<std::string> places;
  if (const char* named = std::getenv("CORTEN_WASM")) {
    places.push_back(named);
  } else {
    std::error_code none;
    const fs::path tool = fs::read_symlink("/proc/self/exe", none).parent_path();
    places.push_back((tool / "corten.wasm").string());
    places.push_back((tool.parent_path() / "share" / "corten" / "corten.wasm").string());
  }
  std::string looked;
  for (const std::string& place : places) {
    auto bytes = corten::load_file(place);
    if (bytes && bytes->starts_with(std::string_view("\0asm", 4))) return *std::move(bytes);
    looked += (looked.empty() ? "" : ", ") + place;
  }
  return corten::Error{{},
                       "--interactive",
                       "the simulator for pages was not found (looked for " + looked + ")",
                       "build it where emscripten is installed: cmake --build BUILD --target "
                       "corten_wasm; or name it in CORTEN_WASM"};
}

}  // namespace cli
