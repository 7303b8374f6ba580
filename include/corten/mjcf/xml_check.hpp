// SPDX-License-Identifier: Apache-2.0
//
// Checks an XML text before RapidXML parses it. RapidXML is fast and small, but it recurses once
// per level of nesting, stops silently at a zero byte, accepts two root elements, and reports a
// missing closing tag only as something expected at the end of the file. One pass over the text
// finds these cases and can name the element that was left open. It also checks the inside of every
// tag, by RapidXML's own grammar or a stricter one: RapidXML reports errors by exceptions, and a
// text that passes gives it nothing to report, so programs without exceptions can read models too.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <corten/asset/file.hpp>
#include <corten/core/list.hpp>
#include <corten/core/result.hpp>

namespace corten::mjcf {

// Far more than any model needs, and few enough for the stack. MuJoCo's own parser stops at 500
// levels.
inline constexpr std::size_t max_xml_depth = 500;
inline constexpr std::size_t max_xml_elements = 1'000'000;
inline constexpr std::size_t max_xml_attributes = 256;  // of one element

// A text and its name; converts offsets into line and column.
struct XmlSource {
  std::string file;
  std::string text;
  List<std::uint32_t> lines;  // offset of each line; max_file_bytes fits into 32 bits

  XmlSource(std::string file_name, std::string_view content) : file(std::move(file_name)) {
    if (content.substr(0, 3) == "\xEF\xBB\xBF") content.remove_prefix(3);
    text = content;
    lines.push_back(0);
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n') lines.push_back(static_cast<std::uint32_t>(i + 1));
    }
  }

  Location at(std::size_t offset) const {
    const auto next = std::upper_bound(lines.begin(), lines.end(), offset);
    const auto line = static_cast<std::size_t>(next - lines.begin());
    const std::size_t column = offset - lines[line - 1] + 1;
    return Location{file, static_cast<int>(line), static_cast<int>(column)};
  }
  Location at(std::string_view part) const {
    return at(static_cast<std::size_t>(part.data() - text.data()));
  }
};

inline bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

class XmlCheck {
 public:
  explicit XmlCheck(const XmlSource& source) : source_(source), text_(source.text) {}

  // the first error in the structure
  CORTEN_COLD Result<void> run() {
    check_bytes();
    while (done_ && position_ < text_.size()) {
      const std::size_t open = std::min(text_.find('<', position_), text_.size());
      check_text(open);
      position_ = open;
      if (open < text_.size()) markup();
    }
    if (done_) check_end();
    return done_;
  }

 private:
  void fail(std::size_t offset, std::string_view message, std::string_view remedy = {}) {
    if (done_) done_ = Error{source_.at(offset), {}, message, remedy};
  }

  CORTEN_COLD void check_bytes() {
    if (text_.size() > max_file_bytes) fail(0, "the text is too large");
    const std::string_view start = text_.substr(0, 2);
    if (start == "\xFF\xFE" || start == "\xFE\xFF") {
      fail(0, "the text is UTF-16", "save it as UTF-8");
    }
    const std::size_t zero = text_.find('\0');
    if (zero != std::string_view::npos) fail(zero, "the text has a zero byte: it is not XML");
  }

  // rejects text before and after the root element
  CORTEN_COLD void check_text(std::size_t end) {
    if (!open_.empty()) return check_references(position_, end);
    for (std::size_t i = position_; i < end; ++i) {
      if (is_space(text_[i])) continue;
      return fail(i, elements_ == 0 ? "the text does not start with an XML element"
                                    : "text after the end of the root element");
    }
  }

  CORTEN_COLD void check_end() {
    if (elements_ == 0) return fail(text_.size(), "the text has no XML element");
    if (open_.empty()) return;
    fail(text_.size(), "the text ends inside <" + std::string(open_.back()) + ">",
         "close <" + std::string(open_.back()) + "> on line " + line_of(open_.back()));
  }

  CORTEN_COLD void markup() {
    if (starts_with("<!--")) return skip_to("-->", 4, "comment");
    if (starts_with("<![CDATA[")) return skip_to("]]>", 9, "CDATA section");
    if (starts_with("<?")) return skip_to("?>", 2, "processing instruction");
    if (starts_with("<!DOCTYPE")) return doctype();
    if (starts_with("</")) return closing_tag();
    if (starts_with("<!")) return fail(position_, "unknown markup");
    opening_tag();
  }

  CORTEN_COLD bool starts_with(std::string_view s) const {
    return text_.substr(position_, s.size()) == s;
  }

  CORTEN_COLD void skip_to(std::string_view end, std::size_t length, const char* what) {
    const std::size_t found = text_.find(end, position_ + length);
    if (found == std::string_view::npos) {
      return fail(position_, std::string("the ") + what + " is not closed",
                  "end it with " + std::string(end));
    }
    position_ = found + end.size();
  }

  // Entities defined by the document itself are a known attack on parsers, and no model needs them.
  CORTEN_COLD void doctype() {
    const std::size_t end = text_.find('>', position_);
    if (text_.substr(position_, end - position_).find('[') != std::string_view::npos) {
      return fail(position_, "a document type with definitions is not supported",
                  "write the entities out");
    }
    skip_to(">", 9, "document type");
  }

  std::string_view name_at(std::size_t start) const {
    std::size_t end = start;
    while (end < text_.size() && !is_space(text_[end]) && text_[end] != '>' && text_[end] != '/' &&
           text_[end] != '<' && text_[end] != '?') {
      ++end;
    }
    return text_.substr(start, end - start);
  }

  CORTEN_COLD std::string line_of(std::string_view part) const {
    return std::to_string(source_.at(part).line);
  }

  CORTEN_COLD void closing_tag() {
    const std::string_view name = name_at(position_ + 2);
    if (open_.empty()) return fail(position_, "</" + std::string(name) + "> closes nothing");
    if (name != open_.back()) {
      return fail(position_, "</" + std::string(name) + "> does not close <" +
                                 std::string(open_.back()) + "> on line " + line_of(open_.back()));
    }
    open_.pop_back();
    const std::size_t end = space_end(position_ + 2 + name.size());
    if (end < text_.size() && text_[end] != '>') return fail(end, "malformed XML: expected >");
    skip_to(">", 2, "tag");
  }

  CORTEN_COLD void opening_tag() {
    const std::string_view name = name_at(position_ + 1);
    if (name.empty()) return fail(position_, "'<' without an element name");
    if (open_.empty() && elements_ > 0) return fail(position_, "a second root element");
    if (++elements_ > max_xml_elements) return fail(position_, "too many elements");
    if (open_.size() >= max_xml_depth) return fail(position_, "elements are nested too deeply");
    const std::size_t start = position_;
    std::size_t i = position_ + 1 + name.size();
    for (; i < text_.size() && text_[i] != '>'; ++i) {
      if (text_[i] == '<') return fail(start, unclosed(name), "end the tag with > or />");
      if (text_[i] != '"' && text_[i] != '\'') continue;
      const std::size_t quote = text_.find(text_[i], i + 1);
      if (quote == std::string_view::npos) return fail(i, "the quoted text is not closed");
      i = quote;
    }
    if (i == text_.size()) return fail(start, unclosed(name), "end the tag with > or />");
    check_attributes(start + 1 + name.size());
    if (text_[i - 1] != '/') open_.push_back(name);
    position_ = i + 1;
  }

  // Checks a tag from the end of its name to its '>', which opening_tag has found. Both take every
  // quote for the start of a value, so this one cannot run past it.
  CORTEN_COLD void check_attributes(std::size_t i) {
    for (i = space_end(i); in_attribute_name(text_[i]); i = space_end(i)) {
      while (in_attribute_name(text_[i])) ++i;
      i = space_end(i);
      if (text_[i] != '=') return fail(i, "malformed XML: expected =");
      i = space_end(i + 1);
      if (text_[i] != '"' && text_[i] != '\'') {
        return fail(i, "malformed XML: expected ' or \"");
      }
      const std::size_t quote = text_.find(text_[i], i + 1);
      check_references(i + 1, quote);
      i = quote + 1;
    }
    if (text_[i] == '/') ++i;
    if (text_[i] != '>') fail(i, "malformed XML: expected >");
  }

  // characters given by their numbers, such as &#65; and &#x41;, in a value or between tags
  CORTEN_COLD void check_references(std::size_t start, std::size_t end) {
    const std::string_view text = text_.substr(0, end);
    for (std::size_t i = text.find("&#", start); i != std::string_view::npos;
         i = text.find("&#", i + 2)) {
      const bool hex = text.substr(i + 2, 1) == "x";
      const char* const digits = text.data() + i + (hex ? 3 : 2);
      std::uint32_t code = 0;
      const auto [rest, fault] = std::from_chars(digits, text.data() + end, code, hex ? 16 : 10);
      if (fault != std::errc{} || code == 0 || code > 0x10FFFF) {
        return fail(i, "malformed XML: invalid numeric character entity");
      }
      const auto next = static_cast<std::size_t>(rest - text.data());
      if (text.substr(next, 1) != ";") return fail(next, "malformed XML: expected ;");
    }
  }

  std::size_t space_end(std::size_t i) const {
    while (i < text_.size() && is_space(text_[i])) ++i;
    return i;
  }

  static bool in_attribute_name(char c) {
    return !is_space(c) && std::string_view("/<>=?!\"'").find(c) == std::string_view::npos;
  }

  static std::string unclosed(std::string_view name) {
    return "the tag <" + std::string(name) + " is not closed";
  }

  const XmlSource& source_;
  std::string_view text_;
  std::size_t position_ = 0;
  std::size_t elements_ = 0;
  List<std::string_view> open_;  // names of the elements around position_
  Result<void> done_;
};

}  // namespace corten::mjcf
