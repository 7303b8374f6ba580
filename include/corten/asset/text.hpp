// SPDX-License-Identifier: Apache-2.0
//
// Reads words and numbers from text files (OBJ, Gmsh, ASCII STL), line by line.
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

// A problem inside a file, as an error of the element that mentions the file. Readers of text say
// on which line and column it is; readers of binary files name the byte.
template <class E>
CORTEN_BULK Error in_file(const E& element, const std::string& path, const Error& inner) {
  std::string place = path + ":";
  if (inner.where.line > 0) {
    place += std::to_string(inner.where.line) + ":" + std::to_string(inner.where.column) + ":";
  }
  return element.error(place + " " + inner.message, inner.remedy);
}

class TextReader {
 public:
  explicit TextReader(std::string_view text) : text_(text) {}

  // advances to the next line that is not blank; false at the end
  CORTEN_BULK bool next_line() {
    while (at_ < text_.size()) {
      const std::size_t end = std::min(text_.find('\n', at_), text_.size());
      line_ = text_.substr(at_, end - at_);
      begin_ = line_.data();
      word_ = begin_;
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
    word_ = out.data();
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

  // the place of the word that was read last
  CORTEN_BULK Location place() const { return {{}, number_, static_cast<int>(word_ - begin_) + 1}; }
  CORTEN_BULK Error error(std::string_view what, std::string_view remedy = {}) const {
    return Error(place(), {}, what, remedy);
  }

 private:
  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

  void skip_spaces() {
    std::size_t spaces = 0;
    while (spaces < line_.size() && is_space(line_[spaces])) ++spaces;
    line_.remove_prefix(spaces);
  }

  std::string_view text_, line_;
  const char *begin_ = nullptr, *word_ = nullptr;  // the line, and the latest word in it
  std::size_t at_ = 0;
  int number_ = 0;
};

}  // namespace corten::asset
