// SPDX-License-Identifier: Apache-2.0
//
// Shared by the readers of all elements: location and path, attributes, default class, unique name.
#pragma once

#include <string>
#include <string_view>

#include <corten/core/list.hpp>
#include <corten/mjcf/attributes.hpp>
#include <corten/mjcf/context.hpp>
#include <corten/mjcf/schema.hpp>
#include <corten/spec/suggest.hpp>

namespace corten::mjcf {

// checks that the class named by an attribute (class or childclass) exists
CORTEN_COLD void check_class(Context& context, const XmlElement& xml, const std::string& path,
                             const char* attribute, std::string& name) {
  const XmlAttribute* given = xml.find(attribute);
  if (given == nullptr || context.spec.find_default(name) >= 0) return;
  List<std::string_view> known;
  for (const spec::Default& d : context.spec.defaults) known.push_back(d.name);
  context.complain(xml, Error{xml.where(*given), path, "unknown default class '" + name + "'",
                              spec::suggest(name, known)});
  name.clear();
}

// Sets the location of an element and reads its attributes.
CORTEN_COLD void read_fields(Context& context, const XmlElement& xml, const std::string& parent,
                             spec::Element& out, const spec::FieldTable& table, void* whole,
                             unsigned kinds, bool in_default = false) {
  out.where = xml.where();
  out.path = path_of(parent, xml);
  AttributeReader reader(context, xml, out.path, kinds, in_default);
  reader.read_table(table, whole);
  reader.finish();
}

CORTEN_COLD void read_identity(Context& context, const XmlElement& xml, std::string_view kind,
                               spec::Element& out) {
  check_class(context, xml, out.path, "class", out.class_name);
  context.claim(kind, xml, out);
}

// Reads attributes, class and name. `kind` is the namespace of names, e.g. "geom".
template <class T>
void read_element(Context& context, const XmlElement& xml, const std::string& parent,
                  std::string_view kind, T& out, unsigned kinds = spec::any_kind) {
  read_fields(context, xml, parent, out, spec::fields_of<T>(), &out, kinds);
  read_identity(context, xml, kind, out);
}

// Reads an element of a default class: the attributes in the text override those the class has.
template <class T>
void read_default_element(Context& context, const XmlElement& xml, const std::string& parent,
                          T& base, unsigned kinds = spec::any_kind) {
  T over;
  read_fields(context, xml, parent, over, spec::fields_of<T>(), &over, kinds, true);
  spec::inherit(over, base);
  spec::assign(base, over);
  base.where = over.where;
  base.path = over.path;
}

}  // namespace corten::mjcf
