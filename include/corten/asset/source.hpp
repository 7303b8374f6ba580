// SPDX-License-Identifier: Apache-2.0
//
// What a model was compiled from, as a value without any paths: MJCF text that includes nothing,
// and the files that it mentions. save.hpp makes one from a Spec, and a compiled model can carry it
// (model/bytes.hpp).
#pragma once

#include <corten/config.hpp>
#include <corten/core/list.hpp>

#include <algorithm>
#include <string>
#include <string_view>

namespace corten {

struct Source {
  struct File {
    std::string name;  // as the text mentions it; see is_plain_name
    std::string bytes;
  };

  std::string mjcf;
  List<File> files;

  CORTEN_COLD const File* find(std::string_view name) const {
    const auto found =
        std::find_if(files.begin(), files.end(), [&](const File& f) { return f.name == name; });
    return found != files.end() ? &*found : nullptr;
  }
};

// Names may come from bytes that somebody sent. Those of a source are made of letters, digits and
// a few signs, so that none can lead out of the folder where the files are written.
CORTEN_COLD bool is_plain_name(std::string_view name) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
  };
  return !name.empty() && name.front() != '.' && name.size() <= 200 &&
         std::all_of(name.begin(), name.end(), plain);
}

}  // namespace corten
