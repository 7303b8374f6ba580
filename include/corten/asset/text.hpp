// SPDX-License-Identifier: Apache-2.0
//
// Reads words and numbers from text files (OBJ, ASCII STL), line by line.
#pragma once

#include <corten/config.hpp>
#include <corten/core/charconv.hpp>
#include <corten/core/result.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>

namespace corten::asset {

class TextReader {
 public:
  explicit TextReader(std::string_view text) : text_(text) {}

  // advances to the next line that is not blank; false at the end
  CORTEN_BULK bool next_line() {
    while (at_ < text_.size()) {
      const std::size_t end = std::min(text_.find('\n', at_), text_.size());
      line_ = text_.substr(at_, end - at_);
      at_ = end + 1;
      ++number_;
      skip_spaces();
      if (!line_.empty()) return true;
    }
    return false;
  }

  // the next word of the line; empty at the end of the line
  std::string_view word() {
    skip_spaces();
    std::size_t end = 0;
    while (end < line_.size() && !is_space(line_[end])) ++end;
    const std::string_view out = line_.substr(0, end);
    line_.remove_prefix(end);
    return out;
  }

  // the next word as a number
  template <class T>
  bool number(T& out) {
    return parse(word(), out);
  }

  template <class T>
  static bool parse(std::string_view word, T& out) {
    if (word.size() > 1 && word[0] == '+') word.remove_prefix(1);
    const char* end = word.data() + word.size();
    const auto [stop, code] = from_chars(word.data(), end, out);
    return code == std::errc() && stop == end;
  }

  CORTEN_BULK Error error(std::string_view what) const {
    return Error(std::string(what) + " on line " + std::to_string(number_));
  }

 private:
  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

  void skip_spaces() {
    std::size_t spaces = 0;
    while (spaces < line_.size() && is_space(line_[spaces])) ++spaces;
    line_.remove_prefix(spaces);
  }

  std::string_view text_, line_;
  std::size_t at_ = 0;
  int number_ = 0;
};

}  // namespace corten::asset
