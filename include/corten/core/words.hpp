// SPDX-License-Identifier: Apache-2.0
//
// Joins words into lists for messages.
#pragma once

#include <corten/config.hpp>

#include <initializer_list>
#include <string>

namespace corten {

// hinge, slide, ball
CORTEN_COLD std::string join_words(std::initializer_list<const char*> words) {
  std::string out;
  for (const char* word : words) {
    if (!out.empty()) out.append(", ");
    out.append(word);
  }
  return out;
}

}  // namespace corten
