// SPDX-License-Identifier: Apache-2.0
//
// A table of strings, printed as Markdown so that it can be pasted into the README. The first
// column is aligned left, all others right.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace bench {

// printf into a string; numbers in tables are short
inline std::string format(const char* spec, double x) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, spec, x);
  return buffer;
}

// 12345.6 as 12,346
inline std::string grouped(double x) {
  std::string digits = format("%.0f", x);
  if (!std::isfinite(x)) return digits;
  const std::size_t first = digits[0] == '-' ? 1 : 0;
  for (std::size_t at = digits.size(); at > first + 3;) digits.insert(at -= 3, ",");
  return digits;
}

// columns that a UTF-8 text takes: its bytes without continuation bytes
inline std::size_t columns(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

class Table {
 public:
  explicit Table(std::vector<std::string> header) : rows_{std::move(header)} {}

  void add(std::vector<std::string> row) {
    row.resize(rows_[0].size());
    rows_.push_back(std::move(row));
  }

  void print() const {
    std::vector<std::size_t> width(rows_[0].size(), 3);
    for (const auto& row : rows_) {
      for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], columns(row[c]));
    }
    print_row(rows_[0], width);
    for (std::size_t c = 0; c < width.size(); ++c) {
      const std::string line(width[c] + (c == 0 ? 2 : 1), '-');
      std::printf("|%s%s", line.c_str(), c == 0 ? "" : ":");
    }
    std::printf("|\n");
    for (std::size_t r = 1; r < rows_.size(); ++r) print_row(rows_[r], width);
    std::fflush(stdout);
  }

 private:
  static void print_row(const std::vector<std::string>& row,
                        const std::vector<std::size_t>& width) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string padding(width[c] - columns(row[c]), ' ');
      std::printf("| %s ", (c == 0 ? row[c] + padding : padding + row[c]).c_str());
    }
    std::printf("|\n");
  }

  std::vector<std::vector<std::string>> rows_;
};

}  // namespace bench
