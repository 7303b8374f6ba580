// SPDX-License-Identifier: Apache-2.0
//
// Maps names to numbers: the ids of elements, or the names already in use. It is a hash table with
// open addressing, and not a template, so it is compiled once.
#pragma once

#include <corten/config.hpp>
#include <corten/core/hash.hpp>
#include <corten/core/list.hpp>
#include <corten/core/sort.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace corten {

class NameTable {
 public:
  // returns false if the name is already present, and leaves its number unchanged
  CORTEN_COLD bool add(std::string_view name, int number) {
    if (2 * (entries_.size() + 1) > slots_.size()) grow();
    int& slot = slots_[place(name)];
    if (slot < 0) {
      slot = static_cast<int>(entries_.size());
      entries_.push_back({std::string(name), number});
      return true;
    }
    Entry& entry = entries_[static_cast<std::size_t>(slot)];
    if (entry.number != none) return false;
    entry.number = number;
    return true;
  }

  // the number of a name, or -1
  CORTEN_COLD int find(std::string_view name) const {
    if (slots_.empty()) return none;
    const int slot = slots_[place(name)];
    return slot < 0 ? none : entries_[static_cast<std::size_t>(slot)].number;
  }

  // An erased name keeps its slot but loses its number, so that names probed past it are still
  // found.
  CORTEN_COLD void erase(std::string_view name) {
    const int slot = slots_.empty() ? none : slots_[place(name)];
    if (slot >= 0) entries_[static_cast<std::size_t>(slot)].number = none;
  }

  // all names, sorted
  CORTEN_COLD List<std::string_view> names() const {
    List<std::string_view> out;
    for (const Entry& entry : entries_) {
      if (entry.number != none) out.push_back(entry.name);
    }
    sort(out);
    return out;
  }

 private:
  static constexpr int none = -1;
  struct Entry {
    std::string name;
    int number;
  };

  // the slot of a name, or the free one where it would be (linear probing)
  CORTEN_COLD std::size_t place(std::string_view name) const {
    const std::uint64_t hash = hash_of(name);
    std::size_t at = (hash ^ (hash >> 32)) & (slots_.size() - 1);
    while (slots_[at] >= 0 && entries_[static_cast<std::size_t>(slots_[at])].name != name) {
      at = (at + 1) & (slots_.size() - 1);
    }
    return at;
  }

  CORTEN_COLD void grow() {
    slots_.assign(slots_.empty() ? 16 : 2 * slots_.size(), none);
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      slots_[place(entries_[i].name)] = static_cast<int>(i);
    }
  }

  List<Entry> entries_;
  List<int> slots_;  // indices into entries_; a power of two in number, at most half in use
};

}  // namespace corten
