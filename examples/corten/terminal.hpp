// SPDX-License-Identifier: Apache-2.0
//
// Output to a terminal: whether there is one, its size, colours, bars, and tables of names and
// values.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#if __has_include(<unistd.h>)
#include <sys/ioctl.h>
#include <unistd.h>
#define CORTEN_HAS_TTY 1
#endif

namespace cli {

// is the stream a terminal that understands cursor movements?
inline bool is_terminal(std::FILE* stream) {
#ifdef CORTEN_HAS_TTY
  const char* kind = std::getenv("TERM");
  return isatty(fileno(stream)) != 0 && (kind == nullptr || std::string_view(kind) != "dumb");
#else
  static_cast<void>(stream);
  return false;
#endif
}

// Colours are for terminals, and for people who have not asked for none (no-color.org).
inline bool wants_colours(std::FILE* stream) {
  const char* none = std::getenv("NO_COLOR");
  return is_terminal(stream) && (none == nullptr || *none == '\0');
}

// text with or without colours
struct Style {
  bool colours = false;

  std::string bold(std::string_view text) const { return in("1", text); }
  std::string red(std::string_view text) const { return in("1;31", text); }
  std::string yellow(std::string_view text) const { return in("33", text); }
  std::string cyan(std::string_view text) const { return in("36", text); }
  std::string dim(std::string_view text) const { return in("2", text); }

 private:
  std::string in(const char* code, std::string_view text) const {
    if (!colours) return std::string(text);
    return "\033[" + std::string(code) + "m" + std::string(text) + "\033[0m";
  }
};

// the number of characters in UTF-8: bytes that are not continuation bytes
inline std::size_t columns_of(std::string_view s) {
  return static_cast<std::size_t>(std::count_if(
      s.begin(), s.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

// the first characters of a text, at most so many columns
inline std::string_view first_columns(std::string_view s, std::size_t columns) {
  std::size_t end = s.size();
  while (columns_of(s.substr(0, end)) > columns) --end;
  return s.substr(0, end);
}

struct TerminalSize {
  int columns = 80, rows = 24;
};

inline TerminalSize terminal_size(std::FILE* stream) {
  TerminalSize out;
#ifdef CORTEN_HAS_TTY
  winsize size{};
  if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0) {  // a size that nobody has set is zero
    if (size.ws_col > 0) out.columns = size.ws_col;
    if (size.ws_row > 0) out.rows = size.ws_row;
  }
#else
  static_cast<void>(stream);
#endif
  return out;
}

#undef CORTEN_HAS_TTY

// a share between 0 and 1 as a bar, to an eighth of a character
inline std::string bar(double share, int width) {
  constexpr const char* eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const int filled = static_cast<int>(std::clamp(share, 0.0, 1.0) * width * 8);
  std::string out;
  for (int i = 0; i < filled / 8; ++i) out += "█";
  out += eighths[filled % 8];
  const int used = filled / 8 + (filled % 8 != 0 ? 1 : 0);
  out.append(static_cast<std::size_t>(width - used), ' ');
  return out;
}

// Rows in columns, aligned as a letter per column says: l for left, r for right. Columns without a
// letter are right-aligned.
class Table {
 public:
  explicit Table(std::string_view columns = "l") : columns_(columns) {}

  template <class... Cells>
  void row(Cells&&... cells) {
    rows_.push_back({std::string(std::forward<Cells>(cells))...});
  }

  std::string text() const {
    std::vector<std::size_t> widths;
    for (const auto& r : rows_) {
      widths.resize(std::max(widths.size(), r.size()));
      for (std::size_t c = 0; c < r.size(); ++c) widths[c] = std::max(widths[c], columns_of(r[c]));
    }
    std::string out;
    for (const auto& r : rows_) {
      std::string line;
      for (std::size_t c = 0; c < r.size(); ++c) {
        const std::string padding(widths[c] - columns_of(r[c]), ' ');
        const bool left = c < columns_.size() && columns_[c] == 'l';
        line += (c == 0 ? "" : "  ") + (left ? r[c] + padding : padding + r[c]);
      }
      out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return out;
  }

 private:
  std::string columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace cli
