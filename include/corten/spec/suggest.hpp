// SPDX-License-Identifier: Apache-2.0
//
// "did you mean 'pos'?": suggests the known word nearest to a misspelt one.
#pragma once

#include <corten/config.hpp>
#include <corten/core/list.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace corten::spec {

inline char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Edit distance: insertions, deletions, substitutions and swaps of neighbours, capped at `limit +
// 1`. Ignores the case of letters.
CORTEN_COLD std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  const std::size_t gap = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  if (gap > limit) return limit + 1;
  const auto same = [&](std::size_t i, std::size_t j) { return lower(a[i]) == lower(b[j]); };
  // rows of the table of distances between the prefixes a[0..i) and b[0..j)
  List<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(above);
    above.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = above[j - 1] + (same(i - 1, j - 1) ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, substituted});
      const bool swapped = i > 1 && j > 1 && same(i - 1, j - 2) && same(i - 2, j - 1);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return std::min(row[b.size()], limit + 1);
}

// A remedy that names the nearest known word, or an empty string if none is near: a typo is assumed
// to change at most one letter in three.
CORTEN_COLD std::string suggest(std::string_view word, std::span<const std::string_view> known) {
  if (word.size() > 64) return {};
  std::size_t limit = std::max<std::size_t>(1, word.size() / 3);
  std::string_view best;
  for (const std::string_view candidate : known) {
    const std::size_t distance = edit_distance(word, candidate, limit);
    if (distance > limit || candidate.empty()) continue;
    best = candidate;
    if (distance == 0) break;
    limit = distance - 1;
  }
  if (best.empty()) return {};
  return "did you mean '" + std::string(best) + "'?";
}

// the same for a list of strings
CORTEN_COLD std::string suggest(std::string_view word, const List<std::string>& known) {
  List<std::string_view> views;
  for (const std::string& name : known) views.push_back(name);
  return suggest(word, std::span<const std::string_view>(views));
}

}  // namespace corten::spec
