// SPDX-License-Identifier: Apache-2.0
//
// Parses XML text into a tree of elements that know their location. It is a thin layer over
// RapidXML, which sees only texts that it accepts (xml_check.hpp).
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <corten/core/result.hpp>
#include <corten/mjcf/xml_check.hpp>

// Without exceptions RapidXML compiles only like this, and wants to be told what to do about an
// error, of which there are none. A program that defines the macro itself defines the function too.
#if !defined(__cpp_exceptions) && !defined(RAPIDXML_NO_EXCEPTIONS)
#define RAPIDXML_NO_EXCEPTIONS
#include <rapidxml/rapidxml.hpp>
inline void rapidxml::parse_error_handler(const char*, void*) { __builtin_trap(); }
#else
#include <rapidxml/rapidxml.hpp>
#endif

namespace corten::mjcf {

// Names and values are views into the source, which the tree keeps alive.
struct XmlAttribute {
  std::string_view name;
  std::string_view value;  // with entities such as &lt; replaced
};

struct XmlElement {
  std::string_view name;
  std::shared_ptr<const XmlSource> source;
  List<XmlAttribute> attributes;
  List<XmlElement> children;
  std::string_view text;  // the first non-blank text between tags, for a warning: MJCF has none

  Location where() const { return source->at(name); }
  Location where(const XmlAttribute& a) const { return source->at(a.name); }
  Location where_text() const { return source->at(text); }

  CORTEN_COLD const XmlAttribute* find(std::string_view attribute) const {
    for (const XmlAttribute& a : attributes) {
      if (a.name == attribute) return &a;
    }
    return nullptr;
  }
};

namespace detail {

inline std::string_view view(const char* start, std::size_t size) { return {start, size}; }

inline std::string_view trim(std::string_view s) {
  while (!s.empty() && is_space(s.front())) s.remove_prefix(1);
  while (!s.empty() && is_space(s.back())) s.remove_suffix(1);
  return s;
}

// splits a text at white space
CORTEN_COLD List<std::string_view> words_of(std::string_view text) {
  List<std::string_view> out;
  for (text = trim(text); !text.empty(); text = trim(text)) {
    std::size_t size = 0;
    while (size < text.size() && !is_space(text[size])) ++size;
    out.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return out;
}

// copies attributes; an error if there are too many or one is repeated
CORTEN_COLD Result<void> copy_attributes(const rapidxml::xml_node<>& node, XmlElement& out) {
  for (auto* a = node.first_attribute(); a != nullptr; a = a->next_attribute()) {
    const std::string_view name = view(a->name(), a->name_size());
    const Location where = out.source->at(name);
    if (out.attributes.size() == max_xml_attributes) {
      return Error{where, std::string(out.name), "too many attributes"};
    }
    if (out.find(name) != nullptr) {
      return Error{where, std::string(out.name),
                   "attribute '" + std::string(name) + "' is given twice", "remove one of them"};
    }
    // in RapidXML, an empty value does not point into the text
    const std::string_view value =
        a->value_size() == 0 ? std::string_view{} : view(a->value(), a->value_size());
    out.attributes.push_back({name, value});
  }
  return {};
}

// XmlCheck has bounded the depth of this recursion
CORTEN_COLD Result<void> copy_element(const rapidxml::xml_node<>& node, XmlElement& out) {
  out.name = view(node.name(), node.name_size());
  if (auto done = copy_attributes(node, out); !done) return done;
  for (auto* child = node.first_node(); child != nullptr; child = child->next_sibling()) {
    if (child->type() == rapidxml::node_element) {
      out.children.emplace_back();
      out.children.back().source = out.source;
      if (auto done = copy_element(*child, out.children.back()); !done) return done;
    } else if (out.text.empty() && child->value_size() > 0) {
      out.text = trim(view(child->value(), child->value_size()));
    }
  }
  return {};
}

}  // namespace detail

// Returns the root element of a text. RapidXML works in place, on the source's own copy. Expanding
// an entity shortens a value in place and moves nothing else, so offsets stay valid.
CORTEN_COLD Result<XmlElement> parse_xml(std::string file, std::string_view content) {
  // RapidXML ignores the last flag. It keeps this instantiation apart from those of a program that
  // uses RapidXML too, perhaps with the other way to report errors.
  constexpr int flags =
      rapidxml::parse_no_string_terminators | rapidxml::parse_no_element_values | 0x10000000;
  const auto source = std::make_shared<XmlSource>(std::move(file), content);
  if (auto done = XmlCheck(*source).run(); !done) return done.error();
  rapidxml::xml_document<> document;
  document.parse<flags>(source->text.data());
  XmlElement root;
  root.source = source;
  const rapidxml::xml_node<>* node = document.first_node();
  while (node != nullptr && node->type() != rapidxml::node_element) node = node->next_sibling();
  if (node == nullptr) return Error{source->at(std::size_t{0}), {}, "no XML element"};
  if (auto done = detail::copy_element(*node, root); !done) return done.error();
  return root;
}

}  // namespace corten::mjcf
