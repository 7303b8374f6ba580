// SPDX-License-Identifier: Apache-2.0
//
// Reads the attributes of one XML element into the members of a spec element, by name:
//
//   AttributeReader reader(context, xml, path);
//   spec::Geom::fields(reader, geom);
//   reader.finish();
//
// It is a visitor of field lists (spec/fields.hpp). finish() refuses what no list mentioned.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <corten/mjcf/context.hpp>
#include <corten/mjcf/numbers.hpp>
#include <corten/spec/elements.hpp>
#include <corten/spec/suggest.hpp>

namespace corten::mjcf {

class AttributeReader {
 public:
  AttributeReader(Context& context, const XmlElement& xml, std::string path,
                  unsigned kinds = spec::any_kind, bool in_default = false)
      : context_(context),
        xml_(xml),
        path_(std::move(path)),
        kinds_(kinds),
        in_default_(in_default) {}

  // one line of a field list
  template <class T>
  void operator()(spec::Attribute attribute, T& member) {
    if (const XmlAttribute* given = take(attribute)) read(*given, attribute, member);
  }

  // at most one way to give an orientation
  CORTEN_COLD void operator()(spec::Attribute, spec::Orientation& orientation) {
    spec::Orientation::fields(*this, orientation);
    if (orientation.count() > 1) {
      context_.fail(xml_.where(), path_, "an orientation is given in more than one way",
                    "keep one of quat, axisangle, euler, xyaxes, zaxis");
    }
    if (orientation.quat == spec::Numbers<4>{}) fail("quat", "the quaternion is zero");
  }

  // what kinds of the user's own add to the attributes of an element
  CORTEN_COLD void operator()(spec::Attribute attribute, spec::Parameters& out) {
    const Extensions* extensions = context_.options.extensions;
    if (extensions == nullptr || !attribute.accepted_by(kinds_)) return;
    for (const JointKind& kind : extensions->joints) {
      for (const Parameter& p : kind.parameters) {
        const XmlAttribute* given = take(p.name);
        double value = 0;
        if (given != nullptr && parse(*given, p.name, value)) out.set(p.name, value);
      }
    }
  }

  // one of two attributes has to be given
  void either(const char* a, const char* b) {
    exclusive({a, b});
    if (!given(a) && !given(b) && missing_ == nullptr) missing_ = a;
  }

  // an attribute that is kept elsewhere
  CORTEN_COLD void accept(std::string_view attribute) { known_.push_back(attribute); }

  // Refuses the attributes that no field took, and then the absence of a required one: of a
  // misspelt attribute the spelling is the news.
  CORTEN_COLD void finish() {
    for (const XmlAttribute& a : xml_.attributes) {
      if (context_.failed()) return;
      if (contains(known_, a.name)) continue;
      const std::string name = "attribute '" + std::string(a.name) + "'";
      const std::string tag = "<" + std::string(xml_.name) + ">";
      if (contains(elsewhere_, a.name)) {
        complain(a, in_default_ ? name + " cannot be set in a default class"
                                : name + " does not belong to " + tag);
      } else {
        complain(a, "unknown " + name + " of " + tag, spec::suggest(a.name, known_));
      }
    }
    if (missing_ != nullptr) {
      context_.fail(xml_.where(), path_, "attribute '" + std::string(missing_) + "' is missing");
    }
  }

  CORTEN_COLD bool given(std::string_view attribute) const {
    return xml_.find(attribute) != nullptr;
  }

  // an error at an attribute, or at the element when it does not have it
  CORTEN_COLD void fail(std::string_view attribute, std::string_view message,
                        std::string_view remedy = {}) {
    const XmlAttribute* a = xml_.find(attribute);
    context_.fail(a != nullptr ? xml_.where(*a) : xml_.where(), path_, message, remedy);
  }

  // of these attributes at most one may be given
  CORTEN_COLD void exclusive(std::initializer_list<const char*> names) {
    const char* first = nullptr;
    for (const char* name : names) {
      if (!given(name)) continue;
      if (first != nullptr) {
        return fail(name, std::string("'") + first + "' and '" + name + "' exclude each other",
                    "remove one of them");
      }
      first = name;
    }
  }

  // both or none
  void together(const char* a, const char* b) {
    if (given(a) == given(b)) return;
    fail(given(a) ? a : b, std::string("'") + a + "' and '" + b + "' belong together",
         std::string("give '") + (given(a) ? b : a) + "' as well");
  }

  // one keyword out of a table
  template <class Table, class E>
  CORTEN_COLD bool keyword(const XmlAttribute& given, const Table& table, E& out) {
    std::array<std::string_view, sizeof(Table) / sizeof(*std::begin(table))> words;
    std::size_t i = 0;
    for (const auto& k : table) {
      if (k.word == given.value) {
        out = k.value;
        return true;
      }
      words[i++] = k.word;
    }
    fail_keyword(given, words);
    return false;
  }

 private:
  // What stands in the text for a line of a field list, if anything. Apart from operator(), like
  // fail_keyword, because it is the same for every type of member.
  CORTEN_COLD const XmlAttribute* take(spec::Attribute attribute) {
    if (context_.failed()) return nullptr;
    if (!attribute.accepted_by(kinds_) || (in_default_ && (attribute.rules & spec::no_default))) {
      elsewhere_.push_back(attribute.name);
      return nullptr;
    }
    known_.push_back(attribute.name);
    const XmlAttribute* given = xml_.find(attribute.name);
    const bool needed = (attribute.rules & spec::required) != 0 && !in_default_;
    if (given == nullptr && needed && missing_ == nullptr) missing_ = attribute.name;
    return given;
  }

  CORTEN_COLD void fail_keyword(const XmlAttribute& given,
                                std::span<const std::string_view> words) {
    std::string remedy = spec::suggest(given.value, words);
    if (remedy.empty()) {
      for (const std::string_view word : words) {
        remedy += (remedy.empty() ? "one of: " : ", ") + std::string(word);
      }
    }
    context_.fail(xml_.where(given), path_, bad_value(given), remedy);
  }

  static bool contains(const std::vector<std::string_view>& list, std::string_view name) {
    return std::find(list.begin(), list.end(), name) != list.end();
  }

  static std::string bad_value(const XmlAttribute& a) {
    return "'" + std::string(a.value.substr(0, 40)) + "' is not a value of attribute '" +
           std::string(a.name) + "'";
  }

  CORTEN_COLD void complain(const XmlAttribute& a, std::string_view message,
                            std::string_view remedy = {}) {
    context_.complain(Error{xml_.where(a), path_, message, remedy});
  }

  CORTEN_COLD void read(const XmlAttribute& given, spec::Attribute, std::string& out) {
    out = given.value;
  }

  template <std::size_t N>
  CORTEN_COLD void read(const XmlAttribute& given, spec::Attribute, spec::Leading<N>& out) {
    std::vector<double> numbers;
    if (!read_numbers(given, 1, N, numbers)) return;
    spec::Leading<N> leading;
    std::copy(numbers.begin(), numbers.end(), leading.values.begin());
    leading.count = static_cast<int>(numbers.size());
    out.overlay(leading);
  }

  template <class T>
  void read(const XmlAttribute& given, spec::Attribute attribute, std::optional<T>& out) {
    T value{};
    if (parse(given, attribute, value)) out = std::move(value);
  }

  bool parse(const XmlAttribute& given, spec::Attribute, std::string& out) {
    out = given.value;
    return true;
  }

  // numbers and keywords
  template <class T>
  CORTEN_COLD bool parse(const XmlAttribute& given, spec::Attribute, T& out) {
    if constexpr (std::is_same_v<T, double> || std::is_same_v<T, int>) {
      std::vector<T> numbers;
      if (!read_numbers(given, 1, 1, numbers)) return false;
      out = numbers[0];
      return true;
    } else if constexpr (std::is_same_v<T, JointType>) {
      return kind(given, &Extensions::joints, out);
    } else if constexpr (std::is_same_v<T, GeomType>) {
      return kind(given, &Extensions::geoms, out);
    } else {
      return keyword(given, spec::keywords<T>, out);
    }
  }

  // a type of joint or geom: the library's or one of the extensions'
  template <class Kind, class E>
  CORTEN_COLD bool kind(const XmlAttribute& given, std::vector<Kind> Extensions::*others, E& out) {
    const Extensions* extensions = context_.options.extensions;
    if (extensions == nullptr) return keyword(given, spec::keywords<E>, out);
    std::vector<std::string_view> words;
    for (const auto& k : spec::keywords<E>) words.push_back(k.word);
    for (const Kind& k : extensions->*others) {
      words.push_back(k.name);
      if (k.name != given.value) continue;
      out = k.type;
      return true;
    }
    if (contains(words, given.value)) return keyword(given, spec::keywords<E>, out);
    fail_keyword(given, words);
    return false;
  }

  template <class T, std::size_t N>
  CORTEN_COLD bool parse(const XmlAttribute& given, spec::Attribute attribute,
                         std::array<T, N>& out) {
    const bool single = (attribute.rules & spec::single_fills) != 0;
    std::vector<T> numbers;
    if (!read_numbers(given, single ? 1 : N, N, numbers)) return false;
    for (std::size_t i = 0; i < N; ++i) out[i] = numbers[std::min(i, numbers.size() - 1)];
    return true;
  }

  template <class T>
  bool parse(const XmlAttribute& given, spec::Attribute, std::vector<T>& out) {
    return read_numbers(given, 1, static_cast<std::size_t>(-1), out);
  }

  // Between `least` and `most` numbers. As in MuJoCo, an attribute with none is as good as absent.
  template <class T>
  CORTEN_COLD bool read_numbers(const XmlAttribute& given, std::size_t least, std::size_t most,
                                std::vector<T>& out) {
    const std::string problem = parse_numbers(given.value, out);
    const std::string name = "attribute '" + std::string(given.name) + "'";
    if (!problem.empty()) {
      context_.fail(xml_.where(given), path_, name + ": " + problem);
      return false;
    }
    if (out.empty()) return false;
    if (out.size() >= least && out.size() <= most) return true;
    std::string wanted = std::to_string(least);
    if (least != most) wanted += " to " + std::to_string(most);
    const std::string message = name + " takes " + wanted + (most == 1 ? " number" : " numbers") +
                                ", not " + std::to_string(out.size());
    if (out.size() < least) {
      context_.fail(xml_.where(given), path_, message);
      return false;
    }
    complain(given, message);
    out.resize(most);
    return !context_.failed();
  }

  Context& context_;
  const XmlElement& xml_;
  std::string path_;
  unsigned kinds_;
  bool in_default_;
  const char* missing_ = nullptr;            // the first required attribute that is not given
  std::vector<std::string_view> known_;      // attributes of this element
  std::vector<std::string_view> elsewhere_;  // attributes of related elements
};

}  // namespace corten::mjcf
