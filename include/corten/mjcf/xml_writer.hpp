// SPDX-License-Identifier: Apache-2.0
//
// Writes XML elements, and the attributes of spec elements from their tables
// (spec/field_table.hpp).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include <corten/core/charconv.hpp>
#include <corten/core/list.hpp>
#include <corten/core/optional.hpp>
#include <corten/spec/field_table.hpp>

namespace corten::mjcf {

class XmlWriter {
 public:
  // Starts an element: <tag …. Attributes follow, then children if any, then end().
  CORTEN_COLD void begin(std::string_view tag) {
    Open element{std::string(tag), out_.size(), started_};
    if (started_) out_ += ">\n";
    out_.append(2 * open_.size(), ' ').append("<").append(tag);
    open_.push_back(std::move(element));
    started_ = true;
    bare_ = true;
  }

  CORTEN_COLD void end() {
    const std::string tag = open_.back().tag;
    open_.pop_back();
    if (started_) {
      out_ += "/>\n";
    } else {
      out_.append(2 * open_.size(), ' ').append("</").append(tag).append(">\n");
    }
    started_ = false;
  }

  // Ends an element, or removes it if it has neither attributes nor children.
  CORTEN_COLD void end_unless_empty() {
    if (!started_ || !bare_) return end();
    out_.resize(open_.back().from);
    started_ = open_.back().in_start;
    open_.pop_back();
    bare_ = !open_.empty() && out_.ends_with("<" + open_.back().tag);
  }

  CORTEN_COLD void attribute(std::string_view name, std::string_view value) {
    bare_ = false;
    out_.append(" ").append(name).append("=\"");
    for (const char c : value) append_escaped(c);
    out_ += '"';
  }
  CORTEN_COLD void attribute(std::string_view name, std::span<const double> numbers,
                             bool integral = false) {
    std::string text;
    for (const double x : numbers) {
      char digits[32];
      char* const stop = integral
                             ? to_chars(digits, digits + sizeof digits, static_cast<int>(x)).ptr
                             : to_chars(digits, digits + sizeof digits, x).ptr;
      text.append(text.empty() ? "" : " ")
          .append(static_cast<const char*>(digits), static_cast<std::size_t>(stop - digits));
    }
    attribute(name, text);
  }

  // Writes all attributes that an element sets, or only those that differ from `base`. `kinds`
  // selects the attributes that its tag has. In a default class, names and references are left out.
  template <class T>
  void attributes(const T& element, unsigned kinds = spec::any_kind, const T* base = nullptr,
                  bool in_default = false) {
    write_table(spec::fields_of<T>(), &element, kinds, base, in_default);
  }

  // a whole element without children; the second one, only if it has attributes
  template <class T>
  void element(std::string_view tag, const T& element, unsigned kinds = spec::any_kind) {
    begin(tag);
    attributes(element, kinds);
    end();
  }
  template <class T>
  void element_unless_empty(std::string_view tag, const T& element, unsigned kinds = spec::any_kind,
                            const T* base = nullptr, bool in_default = false) {
    begin(tag);
    attributes(element, kinds, base, in_default);
    end_unless_empty();
  }

  std::string take() { return std::move(out_); }

 private:
  struct Open {
    std::string tag;
    std::size_t from;  // where it starts in the output
    bool in_start;     // was the start tag of its parent still open?
  };

  CORTEN_COLD void append_escaped(char c) {
    switch (c) {
      case '&': out_ += "&amp;"; break;
      case '<': out_ += "&lt;"; break;
      case '>': out_ += "&gt;"; break;
      case '"': out_ += "&quot;"; break;
      case '\n': out_ += "&#10;"; break;
      case '\t': out_ += "&#9;"; break;
      case '\r': out_ += "&#13;"; break;
      default: out_ += c;
    }
  }

  CORTEN_COLD void write_table(const spec::FieldTable& table, const void* element, unsigned kinds,
                               const void* base, bool in_default) {
    for (const spec::Field& field : table) {
      const spec::Attribute& a = field.attribute;
      if (!a.accepted_by(kinds) || (in_default && (a.rules & spec::no_default) != 0)) continue;
      const void* other = base != nullptr ? field.in(base) : nullptr;
      write_member(a.name, *field.type, field.in(element), other);
    }
  }

  CORTEN_COLD void write_member(const char* name, const spec::FieldType& type, const void* member,
                                const void* base) {
    using spec::FieldKind;
    switch (type.kind) {
      case FieldKind::text: {
        const auto& text = *static_cast<const std::string*>(member);
        if (!text.empty()) attribute(name, text);
        return;
      }
      case FieldKind::optional_text: {
        using Text = Optional<std::string>;
        const Text& text = *static_cast<const Text*>(member);
        const bool same = base != nullptr && *static_cast<const Text*>(base) == text;
        if (text && !same) attribute(name, *text);
        return;
      }
      case FieldKind::orientation:
        return write_table(spec::fields_of<spec::Orientation>(), member, spec::any_kind, base,
                           false);
      case FieldKind::parameters:
        for (const auto& e : static_cast<const spec::Parameters*>(member)->entries) {
          attribute(e.name, std::span<const double>(&e.value, 1));
        }
        return;
      default: return write_numbers(name, type, member, base);
    }
  }

  CORTEN_COLD void write_numbers(const char* name, const spec::FieldType& type, const void* member,
                                 const void* base) {
    const std::span<const double> numbers = type.get(member, room_);
    if (numbers.empty()) return;
    if (base != nullptr) {
      const std::span<const double> other = type.get(base, base_room_);
      if (std::equal(numbers.begin(), numbers.end(), other.begin(), other.end())) return;
    }
    if (type.kind == spec::FieldKind::keyword) {
      return attribute(name, spec::word_of(type.words, static_cast<int>(numbers[0])));
    }
    attribute(name, numbers, type.integral);
  }

  std::string out_;
  List<Open> open_;
  bool started_ = false;  // a start tag is still open
  bool bare_ = false;     // and it has no attributes
  List<double> room_, base_room_;
};

}  // namespace corten::mjcf
