// SPDX-License-Identifier: Apache-2.0
//
// Maps names to numbers: the ids of elements, or the names already in use.
#pragma once

#include <corten/config.hpp>
#include <corten/core/list.hpp>
#include <corten/core/sort.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace corten {

class NameTable {
 public:
  // returns false if the name is already present, and leaves its number unchanged
  CORTEN_COLD bool add(std::string_view name, int number) {
    return numbers_.try_emplace(std::string(name), number).second;
  }

  // the number of a name, or -1
  CORTEN_COLD int find(std::string_view name) const {
    const auto found = numbers_.find(name);
    return found != numbers_.end() ? found->second : -1;
  }

  CORTEN_COLD void erase(std::string_view name) {
    const auto found = numbers_.find(name);
    if (found != numbers_.end()) numbers_.erase(found);
  }

  // all names, sorted
  CORTEN_COLD List<std::string_view> names() const {
    List<std::string_view> out;
    for (const auto& entry : numbers_) out.push_back(entry.first);
    sort(out);
    return out;
  }

 private:
  // looks up a string_view without making a string of it
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };

  std::unordered_map<std::string, int, Hash, std::equal_to<>> numbers_;
};

}  // namespace corten
