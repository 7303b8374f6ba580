// SPDX-License-Identifier: Apache-2.0
//
// "did you mean 'pos'?": the known word nearest to what was written.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace corten::spec {

inline char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Edit distance: insertions, deletions and substitutions, capped at `limit + 1`. The case of
// letters does not count.
inline std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > limit) return limit + 1;
  std::vector<std::size_t> row(a.size() + 1);
  for (std::size_t i = 0; i <= a.size(); ++i) row[i] = i;
  for (std::size_t j = 1; j <= b.size(); ++j) {
    std::size_t diagonal = row[0];
    row[0] = j;
    std::size_t smallest = row[0];
    for (std::size_t i = 1; i <= a.size(); ++i) {
      const std::size_t above = row[i];
      const std::size_t substituted = diagonal + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
      row[i] = std::min({above + 1, row[i - 1] + 1, substituted});
      diagonal = above;
      smallest = std::min(smallest, row[i]);
    }
    if (smallest > limit) return limit + 1;
  }
  return row[a.size()];
}

// A remedy that names the nearest of the known words, or an empty string when none is near: a typo
// changes about one letter in three.
template <class Words>
std::string suggest(std::string_view word, const Words& known) {
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

}  // namespace corten::spec
