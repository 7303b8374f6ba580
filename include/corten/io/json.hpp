// SPDX-License-Identifier: Apache-2.0
//
// Strict JSON (RFC 8259): a tree of values, a reader and a writer.
//
//   corten::Result<corten::io::Json> tree = corten::io::read_json(text, "state.json");
//   if (!tree) std::puts(tree.error().to_string().c_str());  // state.json:3:17: expected ','
//   const corten::io::Json* qpos = tree->find("qpos");
//
//   corten::io::JsonWriter out;
//   out.begin_object().key("time").number(0.1).key("qpos").numbers(data.qpos()).end_object();
//
// Numbers are written in the shortest form that reads back as the same double, and -0 stays -0.
// JSON cannot express numbers that are not finite: they become the strings "NaN", "Infinity" and
// "-Infinity".
//
// Why not an existing library? io/inspect.hpp is part of a header-only toolkit, so every user would
// have to install what this file includes. The usual choice, nlohmann/json, is a single header of
// some 25,000 lines, writes NaN and infinity as null, and reports syntax errors as exceptions, not
// as an Error with file, line and column. The 400 lines here do all that inspect, the tests and the
// benchmarks need.
#pragma once

#include <corten/core/charconv.hpp>
#include <corten/core/result.hpp>
#include <corten/io/utf8.hpp>
#include <corten/scalar/functions.hpp>

#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

namespace corten::io {

// ---- a value ------------------------------------------------------------------------------------

class Json {
 public:
  using Array = std::vector<Json>;
  using Member = std::pair<std::string, Json>;
  using Object = std::vector<Member>;  // in the order of the text

  Json() = default;  // null
  explicit Json(bool b) : value_(b) {}
  explicit Json(double x) : value_(x) {}
  explicit Json(std::string s) : value_(std::move(s)) {}
  explicit Json(const char* s) : value_(std::string(s)) {}
  explicit Json(Array items) : value_(std::move(items)) {}
  explicit Json(Object members) : value_(std::move(members)) {}

  // the value if it has this type, else null
  template <class T>
  const T* get_if() const {
    return std::get_if<T>(&value_);
  }
  const Array* array() const { return get_if<Array>(); }
  const Object* object() const { return get_if<Object>(); }
  const std::string* string() const { return get_if<std::string>(); }

  // a number, a bool as 0 or 1, or one of the strings that stand for a number
  std::optional<double> number() const {
    if (const double* x = get_if<double>()) return *x;
    if (const bool* b = get_if<bool>()) return *b ? 1.0 : 0.0;
    const std::string* s = string();
    if (s == nullptr) return {};
    if (*s == "NaN") return std::numeric_limits<double>::quiet_NaN();
    if (*s == "Infinity") return std::numeric_limits<double>::infinity();
    if (*s == "-Infinity") return -std::numeric_limits<double>::infinity();
    return {};
  }

  // a member of an object, or null
  const Json* find(std::string_view key) const {
    const Object* members = object();
    if (members == nullptr) return nullptr;
    for (const Member& m : *members) {
      if (m.first == key) return &m.second;
    }
    return nullptr;
  }

 private:
  std::variant<std::nullptr_t, bool, double, std::string, Array, Object> value_;
};

// ---- reader -------------------------------------------------------------------------------------

namespace detail {

class JsonReader {
 public:
  JsonReader(std::string_view text, std::string_view file, int depth)
      : text_(text), file_(file), depth_(depth) {}

  Result<Json> read() {
    Json out;
    if (!value(out, depth_)) return done_.error();
    space();
    if (at_ != text_.size()) {
      fail("text after the end of the value");
      return done_.error();
    }
    return out;
  }

 private:
  // records the first error, at the current position; always returns false
  bool fail(std::string message) {
    if (!done_) return false;
    int line = 1;
    std::size_t start = 0;
    for (std::size_t i = 0; i < at_; ++i) {
      if (text_[i] != '\n') continue;
      ++line;
      start = i + 1;
    }
    done_ = Error{
        {std::string(file_), line, static_cast<int>(at_ - start) + 1}, {}, std::move(message)};
    return false;
  }

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void space() {
    while (at_ < text_.size() &&
           std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos)
      ++at_;
  }

  bool accept(char c) {
    if (peek() != c || at_ == text_.size()) return false;
    ++at_;
    return true;
  }

  bool value(Json& out, int depth) {
    space();
    if (at_ == text_.size()) return fail("the text ends where a value is expected");
    switch (peek()) {
      case '{': return object(out, depth);
      case '[': return array(out, depth);
      case '"': {
        std::string s;
        if (!string(s)) return false;
        out = Json(std::move(s));
        return true;
      }
      case 't': return word("true", Json(true), out);
      case 'f': return word("false", Json(false), out);
      case 'n': return word("null", Json(), out);
      default: return number(out);
    }
  }

  bool word(std::string_view expected, Json meaning, Json& out) {
    if (text_.substr(at_, expected.size()) != expected) return fail("not a JSON value");
    at_ += expected.size();
    out = std::move(meaning);
    return true;
  }

  bool array(Json& out, int depth) {
    if (depth <= 0) return fail("nested too deeply");
    ++at_;
    Json::Array items;
    space();
    if (!accept(']')) {
      do {
        if (!value(items.emplace_back(), depth - 1)) return false;
        space();
      } while (accept(','));
      if (!accept(']')) return fail("expected ',' or ']'");
    }
    out = Json(std::move(items));
    return true;
  }

  bool object(Json& out, int depth) {
    if (depth <= 0) return fail("nested too deeply");
    ++at_;
    Json::Object members;
    std::unordered_set<std::string> keys;
    space();
    if (!accept('}')) {
      do {
        space();
        if (peek() != '"') return fail("expected a key in quotes");
        const std::size_t start = at_;
        Json::Member& member = members.emplace_back();
        if (!string(member.first)) return false;
        if (!keys.insert(member.first).second) {
          at_ = start;
          return fail("the key \"" + member.first + "\" appears twice");
        }
        space();
        if (!accept(':')) return fail("expected ':'");
        if (!value(member.second, depth - 1)) return false;
        space();
      } while (accept(','));
      if (!accept('}')) return fail("expected ',' or '}'");
    }
    out = Json(std::move(members));
    return true;
  }

  bool digits() {
    const std::size_t start = at_;
    while (peek() >= '0' && peek() <= '9') ++at_;
    return at_ > start;
  }

  // from_chars accepts more than JSON allows, so the syntax is checked first
  bool number(Json& out) {
    const std::size_t start = at_;
    accept('-');
    if (!accept('0') && !digits()) {
      at_ = start;
      return fail("not a JSON value");
    }
    if (peek() >= '0' && peek() <= '9') return fail("a number cannot start with 0");
    if (accept('.') && !digits()) return fail("expected a digit after '.'");
    if (accept('e') || accept('E')) {
      if (!accept('+')) accept('-');
      if (!digits()) return fail("expected a digit in the exponent");
    }
    double x = 0;
    const auto [end, code] = from_chars(text_.data() + start, text_.data() + at_, x);
    if (code != std::errc() || end != text_.data() + at_) {
      at_ = start;
      return fail("the number is out of range");
    }
    out = Json(x);
    return true;
  }

  bool string(std::string& out) {
    ++at_;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"') {
        ++at_;
        return true;
      }
      if (static_cast<unsigned char>(c) < 0x20) return fail("a control character in a string");
      if (c != '\\') {
        out += c;
        ++at_;
      } else if (!escape(out)) {
        return false;
      }
    }
    return fail("the text ends inside a string");
  }

  bool escape(std::string& out) {
    constexpr std::string_view names = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
    ++at_;
    if (const std::size_t k = names.find(peek());
        k != std::string_view::npos && at_ < text_.size()) {
      out += meanings[k];
      ++at_;
      return true;
    }
    if (!accept('u')) return fail("unknown escape in a string");
    unsigned code = 0, low = 0;
    if (!hex(code)) return false;
    if (code >= 0xD800 && code < 0xDC00) {  // the first half of a surrogate pair
      if (!accept('\\') || !accept('u') || !hex(low) || low < 0xDC00 || low > 0xDFFF) {
        return fail("a surrogate without its other half");
      }
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    } else if (code >= 0xDC00 && code < 0xE000) {
      return fail("a surrogate without its other half");
    }
    append_utf8(out, code);
    return true;
  }

  bool hex(unsigned& out) {
    out = 0;
    for (int i = 0; i < 4; ++i) {
      const char c = peek();
      unsigned digit = 0;
      if (c >= '0' && c <= '9') {
        digit = static_cast<unsigned>(c - '0');
      } else if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')) {
        digit = 10 + static_cast<unsigned>((c | 0x20) - 'a');
      } else {
        return fail("expected four hexadecimal digits");
      }
      out = 16 * out + digit;
      ++at_;
    }
    return true;
  }

  static void append_utf8(std::string& out, unsigned code) {
    const auto tail = [&](unsigned shift) {
      out += static_cast<char>(0x80 | ((code >> shift) & 0x3F));
    };
    if (code < 0x80) {
      out += static_cast<char>(code);
    } else if (code < 0x800) {
      out += static_cast<char>(0xC0 | (code >> 6));
      tail(0);
    } else if (code < 0x10000) {
      out += static_cast<char>(0xE0 | (code >> 12));
      tail(6), tail(0);
    } else {
      out += static_cast<char>(0xF0 | (code >> 18));
      tail(12), tail(6), tail(0);
    }
  }

  std::string_view text_, file_;
  std::size_t at_ = 0;
  int depth_;
  Result<void> done_;
};

}  // namespace detail

// Reads one JSON value. Errors carry line and column, and `file` as the name of the text.
inline Result<Json> read_json(std::string_view text, std::string_view file = {},
                              int max_depth = 200) {
  return detail::JsonReader(text, file, max_depth).read();
}

// ---- writer -------------------------------------------------------------------------------------

// the shortest decimal that reads back as the same double
inline void append_number(std::string& out, double x) {
  if (!std::isfinite(x)) {
    out += std::isnan(x) ? "\"NaN\"" : x > 0 ? "\"Infinity\"" : "\"-Infinity\"";
    return;
  }
  char buffer[32];
  const auto result = to_chars(buffer, buffer + sizeof buffer, x);
  out.append(buffer, result.ptr);
}

inline void append_string(std::string& out, std::string_view s) {
  constexpr std::string_view hex = "0123456789abcdef";
  out += '"';
  for (const char c : to_utf8(s)) {
    const auto u = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (u < 0x20) {
      out += "\\u00";
      out += hex[u >> 4];
      out += hex[u & 15];
    } else {
      out += c;
    }
  }
  out += '"';
}

// Writes one value after another. Each member of an object gets its own line; an array of plain
// numbers or strings is written on one line.
class JsonWriter {
 public:
  JsonWriter& begin_object() { return begin('{'); }
  JsonWriter& end_object() { return end('}'); }
  JsonWriter& begin_array() { return begin('['); }
  JsonWriter& end_array() { return end(']'); }

  JsonWriter& key(std::string_view name) {
    separate();
    append_string(text_, name);
    text_ += ": ";
    after_key_ = true;
    return *this;
  }

  // a number of any scalar type; only its value is written, not its derivatives
  template <class T>
  JsonWriter& number(const T& x) {
    separate();
    append_number(text_, plain(x));
    return *this;
  }

  JsonWriter& boolean(bool b) {
    separate();
    text_ += b ? "true" : "false";
    return *this;
  }

  // a value that is JSON already
  JsonWriter& raw(std::string_view json) {
    separate();
    text_ += json;
    return *this;
  }

  JsonWriter& string(std::string_view s) {
    separate();
    append_string(text_, s);
    return *this;
  }

  template <class Range>
  JsonWriter& numbers(const Range& range) {
    return line(range, [](std::string& out, const auto& x) { append_number(out, plain(x)); });
  }

  template <class Range>
  JsonWriter& strings(const Range& range) {
    return line(range, [](std::string& out, const auto& s) { append_string(out, s); });
  }

  const std::string& text() const { return text_; }
  std::string take() { return std::move(text_); }

 private:
  template <class T>
  static double plain(const T& x) {
    if constexpr (std::is_arithmetic_v<T>) {
      return static_cast<double>(x);
    } else {
      return static_cast<double>(value(x));
    }
  }

  template <class Range, class Append>
  JsonWriter& line(const Range& range, Append append) {
    separate();
    text_ += '[';
    bool first = true;
    for (const auto& x : range) {
      if (!first) text_ += ',';
      first = false;
      append(text_, x);
    }
    text_ += ']';
    return *this;
  }

  // writes the separator between the previous value and the next one
  void separate() {
    if (after_key_) {
      after_key_ = false;
      return;
    }
    if (empty_.empty()) return;
    if (!empty_.back()) text_ += ',';
    empty_.back() = false;
    text_ += '\n';
    text_.append(empty_.size(), ' ');
  }

  JsonWriter& begin(char c) {
    separate();
    text_ += c;
    empty_.push_back(true);
    return *this;
  }

  JsonWriter& end(char c) {
    CORTEN_ASSERT(!empty_.empty());
    const bool empty = empty_.back();
    empty_.pop_back();
    if (!empty) {
      text_ += '\n';
      text_.append(empty_.size(), ' ');
    }
    text_ += c;
    return *this;
  }

  std::string text_;
  std::vector<bool> empty_;  // one per open object or array: is it still empty?
  bool after_key_ = false;
};

}  // namespace corten::io
