// SPDX-License-Identifier: Apache-2.0
//
// Reads the attributes of one XML element into the members of a spec element, by name:
//
//   AttributeReader reader(context, xml, path);
//   reader.read(geom);                  // everything in its table (spec/field_table.hpp)
//   reader({"coef", required}, coef);   // one more
//   reader.finish();                    // reports attributes that nothing has read
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <corten/core/list.hpp>
#include <corten/core/optional.hpp>
#include <corten/mjcf/context.hpp>
#include <corten/mjcf/numbers.hpp>
#include <corten/mjcf/schema.hpp>
#include <corten/spec/field_table.hpp>
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

  // reads all attributes of an element
  template <class T>
  void read(T& element) {
    read_table(spec::fields_of<T>(), &element);
  }
  CORTEN_COLD void read_table(const spec::FieldTable& table, void* element) {
    for (const spec::Field& field : table) {
      read_member(field.attribute, *field.type, field.in(element));
    }
  }

  // reads those attributes of an element that are in a list of words
  template <class T>
  void read(T& element, std::string_view names) {
    for (const spec::Field& field : spec::fields_of<T>()) {
      if (!schema::contains(names, field.attribute.name)) continue;
      read_member(field.attribute, *field.type, field.in(&element));
    }
  }

  // reads a single attribute
  template <class T>
  void operator()(spec::Attribute attribute, T& member) {
    read_member(attribute, spec::field_type<T>, &member);
  }

  // exactly one of two attributes must be given
  void either(const char* a, const char* b) {
    exclusive({a, b});
    if (!given(a) && !given(b) && missing_ == nullptr) missing_ = a;
  }

  // accepts the parameters of a kind, for the member of type Parameters
  CORTEN_COLD void accept_parameters(std::span<const Parameter> parameters) {
    for (const Parameter& p : parameters) parameters_.push_back(p);
  }

  // accepts an attribute without reading it
  CORTEN_COLD void accept(std::string_view attribute) { known_.push_back(attribute); }

  // Reports attributes that nothing has read, and only then a required attribute that is missing:
  // if it is misspelt, the user needs to hear about the spelling.
  CORTEN_COLD void finish() {
    for (const XmlAttribute& a : xml_.attributes) {
      if (context_.failed(xml_)) return;
      if (contains(known_, a.name)) continue;
      const std::string name = "attribute '" + std::string(a.name) + "'";
      const std::string tag = "<" + std::string(xml_.name) + ">";
      if (contains(not_here_, a.name)) {
        complain(a, name + " cannot be set in a default class");
      } else if (contains(elsewhere_, a.name)) {
        complain(a, name + " does not belong to " + tag);
      } else {
        context_.complain_of_grammar(xml_,
                                     Error{xml_.where(a), path_, "unknown " + name + " of " + tag,
                                           spec::suggest(a.name, known_)});
      }
    }
    if (missing_ != nullptr) {
      context_.fail(xml_, path_, "attribute '" + std::string(missing_) + "' is missing");
    }
  }

  CORTEN_COLD bool given(std::string_view attribute) const {
    return xml_.find(attribute) != nullptr;
  }

  // reports an error at an attribute, or at the element if it does not have the attribute
  CORTEN_COLD void fail(std::string_view attribute, std::string_view message,
                        std::string_view remedy = {}) {
    const XmlAttribute* a = xml_.find(attribute);
    const Location where = a != nullptr ? xml_.where(*a) : xml_.where();
    context_.fail(xml_, Error{where, path_, message, remedy});
  }

  // at most one of these attributes may be given
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

  // both attributes must be given, or neither
  void together(const char* a, const char* b) {
    if (given(a) == given(b)) return;
    fail(given(a) ? a : b, std::string("'") + a + "' and '" + b + "' belong together",
         std::string("give '") + (given(a) ? b : a) + "' as well");
  }

  // parses an attribute that must have `count` numbers; returns none if it is wrong
  CORTEN_COLD std::span<const double> numbers(const XmlAttribute& given, std::size_t count) {
    if (!read_numbers(given, count, count, false)) return {};
    return numbers_;
  }

  // parses a keyword of a table; returns whether it is valid
  template <class E>
  bool keyword(const XmlAttribute& given, std::span<const spec::Keyword> table, E& out) {
    int value = 0;
    if (!find_keyword(given, table, value)) return false;
    out = static_cast<E>(value);
    return true;
  }

 private:
  CORTEN_COLD void read_member(spec::Attribute attribute, const spec::FieldType& type,
                               void* member) {
    if (type.kind == spec::FieldKind::orientation) {
      return read_orientation(*static_cast<spec::Orientation*>(member));
    }
    if (type.kind == spec::FieldKind::parameters) {
      return read_parameters(attribute, *static_cast<spec::Parameters*>(member));
    }
    const XmlAttribute* given = take(attribute);
    if (given == nullptr) return;
    if (type.kind == spec::FieldKind::text) {
      *static_cast<std::string*>(member) = given->value;
    } else if (type.kind == spec::FieldKind::optional_text) {
      *static_cast<Optional<std::string>*>(member) = given->value;
    } else if (read_value(*given, attribute, type)) {
      type.set(member, numbers_);
    }
  }

  // parses the value of a keyword, or numbers, into numbers_
  CORTEN_COLD bool read_value(const XmlAttribute& given, spec::Attribute attribute,
                              const spec::FieldType& type) {
    if (type.kind == spec::FieldKind::keyword) {
      int value = 0;
      if (!read_keyword(given, type.words, value)) return false;
      numbers_.assign(1, value);
      return true;
    }
    const bool single = (attribute.rules & spec::single_fills) != 0;
    const bool all = type.kind == spec::FieldKind::numbers && !single;
    if (!read_numbers(given, all ? type.most : 1, type.most, type.integral)) return false;
    if (single && numbers_.size() == 1) numbers_.assign(type.most, double(numbers_[0]));
    return true;
  }

  // an orientation may be given in one way only
  CORTEN_COLD void read_orientation(spec::Orientation& orientation) {
    read(orientation);
    if (orientation.count() > 1) {
      context_.fail(xml_, path_, "an orientation is given in more than one way",
                    "keep one of quat, axisangle, euler, xyaxes, zaxis");
    }
    if (orientation.quat == spec::Numbers<4>{}) fail("quat", "the quaternion is zero");
  }

  // Reads the parameters of user-defined kinds. The kind of a joint may come from its class, so the
  // parameters of all kinds of joints are accepted here; the compiler checks them.
  CORTEN_COLD void read_parameters(spec::Attribute attribute, spec::Parameters& out) {
    const Extensions* extensions = context_.options.extensions;
    if (!attribute.accepted_by(kinds_)) return;
    if (attribute.name == std::string_view("joint") && extensions != nullptr) {
      for (const JointKind& kind : extensions->joints) accept_parameters(kind.parameters);
    }
    for (const Parameter& p : parameters_) {
      const XmlAttribute* given = take({p.name, attribute.rules});
      if (given != nullptr && read_numbers(*given, 1, 1, false)) out.set(p.name, numbers_[0]);
    }
  }

  // The attribute in the text, or null.
  CORTEN_COLD const XmlAttribute* take(spec::Attribute attribute) {
    if (context_.failed(xml_)) return nullptr;
    const bool foreign = !attribute.accepted_by(kinds_);
    if (foreign || (in_default_ && (attribute.rules & spec::no_default) != 0)) {
      (foreign ? elsewhere_ : not_here_).push_back(attribute.name);
      return nullptr;
    }
    known_.push_back(attribute.name);
    const XmlAttribute* given = xml_.find(attribute.name);
    const bool needed = (attribute.rules & spec::required) != 0 && !in_default_;
    if (given == nullptr && needed && missing_ == nullptr) missing_ = attribute.name;
    return given;
  }

  // parses a keyword; types of joints and geoms include those of the extensions
  CORTEN_COLD bool read_keyword(const XmlAttribute& given, std::span<const spec::Keyword> table,
                                int& out) {
    const Extensions* extensions = context_.options.extensions;
    List<std::string_view> more;
    if (extensions != nullptr && table.data() == spec::keywords<JointType>) {
      for (const JointKind& k : extensions->joints) {
        if (k.name == given.value) return out = static_cast<int>(k.type), true;
        more.push_back(k.name);
      }
    }
    if (extensions != nullptr && table.data() == spec::keywords<GeomType>) {
      for (const GeomKind& k : extensions->geoms) {
        if (k.name == given.value) return out = static_cast<int>(k.type), true;
        more.push_back(k.name);
      }
    }
    return find_keyword(given, table, out, more);
  }

  // looks up a word; `others` are further valid words, for the message
  CORTEN_COLD bool find_keyword(const XmlAttribute& given, std::span<const spec::Keyword> table,
                                int& out, const List<std::string_view>& others = {}) {
    List<std::string_view> words;
    for (const spec::Keyword& k : table) {
      if (k.word == given.value) return out = k.value, true;
      words.push_back(k.word);
    }
    words.append(others);
    std::string remedy = spec::suggest(given.value, words);
    if (remedy.empty()) {
      for (const std::string_view word : words) {
        remedy += (remedy.empty() ? "one of: " : ", ") + std::string(word);
      }
    }
    context_.fail(xml_, Error{xml_.where(given), path_, bad_value(given), remedy});
    return false;
  }

  static bool contains(const List<std::string_view>& list, std::string_view name) {
    return std::find(list.begin(), list.end(), name) != list.end();
  }

  static std::string bad_value(const XmlAttribute& a) {
    return "'" + std::string(a.value.substr(0, 40)) + "' is not a valid value of attribute '" +
           std::string(a.name) + "'";
  }

  CORTEN_COLD void complain(const XmlAttribute& a, std::string_view message,
                            std::string_view remedy = {}) {
    context_.complain(xml_, Error{xml_.where(a), path_, message, remedy});
  }

  // Parses between `least` and `most` numbers into numbers_. As in MuJoCo, an attribute without
  // numbers counts as absent.
  CORTEN_COLD bool read_numbers(const XmlAttribute& given, std::size_t least, std::size_t most,
                                bool integral) {
    List<double>& out = numbers_;
    const Result<void> done = parse_numbers(given.value, integral, out);
    const std::string name = "attribute '" + std::string(given.name) + "'";
    if (!done) {
      context_.fail(xml_, Error{xml_.where(given), path_, name + ": " + done.error().message});
      return false;
    }
    if (out.empty()) return false;
    if (out.size() >= least && out.size() <= most) return true;
    std::string wanted = std::to_string(least);
    if (least != most) wanted += " to " + std::to_string(most);
    const std::string message = name + " takes " + wanted + (most == 1 ? " number" : " numbers") +
                                ", not " + std::to_string(out.size());
    if (out.size() < least) {
      context_.fail(xml_, Error{xml_.where(given), path_, message});
      return false;
    }
    complain(given, message);
    out.resize(most);
    return !context_.failed(xml_);
  }

  Context& context_;
  const XmlElement& xml_;
  std::string path_;
  unsigned kinds_;
  bool in_default_;
  List<double> numbers_;              // the numbers parsed last
  List<Parameter> parameters_;        // parameters of its kind
  const char* missing_ = nullptr;     // the first required attribute that is missing
  List<std::string_view> known_;      // attributes of this element
  List<std::string_view> elsewhere_;  // attributes of related elements
  List<std::string_view> not_here_;   // its own attributes that default classes cannot have
};

}  // namespace corten::mjcf
