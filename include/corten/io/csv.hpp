// SPDX-License-Identifier: Apache-2.0
//
// Comma-separated values (RFC 4180, with lines ending in \n): a header of names, then rows of
// numbers in the shortest form that reads back as the same double. Numbers that are not finite are
// written as nan, inf and -inf, which numpy and pandas understand. The stream reports failed
// writes.
//
//   corten::io::CsvWriter csv(stream);
//   csv.header({"time", "qpos:0"});
//   csv.row(std::vector{0.0, 1.25});
#pragma once

#include <corten/core/charconv.hpp>

#include <ostream>
#include <span>
#include <string>
#include <string_view>

namespace corten::io {

class CsvWriter {
 public:
  explicit CsvWriter(std::ostream& out) : out_(&out) {}

  template <class Range>
  void header(const Range& names) {
    line_.clear();
    for (const std::string_view name : names) append_name(name);
    write();
  }

  void row(std::span<const double> numbers) {
    line_.clear();
    for (const double x : numbers) append(x);
    write();
  }

 private:
  void separate() {
    if (!line_.empty()) line_ += ',';
  }

  void append(double x) {
    separate();
    char buffer[32];
    line_.append(buffer, to_chars(buffer, buffer + sizeof buffer, x).ptr);
  }

  // Names with commas, quotes or line breaks are quoted; quotes inside them are doubled.
  void append_name(std::string_view name) {
    separate();
    if (name.find_first_of(",\"\r\n") == std::string_view::npos) {
      line_ += name;
      return;
    }
    line_ += '"';
    for (const char c : name) line_.append(c == '"' ? 2 : 1, c);
    line_ += '"';
  }

  void write() {
    line_ += '\n';
    out_->write(line_.data(), static_cast<std::streamsize>(line_.size()));
  }

  std::ostream* out_;
  std::string line_;
};

}  // namespace corten::io
