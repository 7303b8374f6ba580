// SPDX-License-Identifier: Apache-2.0
//
// <flex>, and <flexcomp>, which becomes a flex, bodies and equality constraints as it is read.
#pragma once

#include <corten/mjcf/read_asset.hpp>
#include <corten/mjcf/read_element.hpp>
#include <corten/spec/flexcomp_make.hpp>

#include <string>

namespace corten::mjcf {

namespace detail {

// the attributes of a child element, which has no children of its own
template <class T>
CORTEN_COLD void read_part(Context& context, const XmlElement& xml, const std::string& parent,
                           T& out) {
  const std::string path = path_of(parent, xml);
  AttributeReader reader(context, xml, path);
  reader.read(out);
  reader.finish();
  no_children(context, xml, path);
}

// contact, edge or elasticity of a flex or a flexcomp
template <class T>
CORTEN_COLD void read_flex_part(Context& context, const XmlElement& xml, T& out) {
  if (xml.name == "contact") return read_part(context, xml, out.path, out.contact);
  if (xml.name == "edge") return read_part(context, xml, out.path, out.edge);
  read_part(context, xml, out.path, out.elasticity);
}

}  // namespace detail

CORTEN_COLD void read_flex(Context& context, const XmlElement& xml, const std::string& parent) {
  spec::Flex& flex = context.spec.flexes.emplace_back();
  flex.where = xml.where();
  flex.path = path_of(parent, xml);
  std::string body, node;
  AttributeReader reader(context, xml, flex.path);
  reader({"body", spec::required}, body);
  reader("node", node);
  reader.read(flex);
  reader.finish();
  for (const std::string_view name : detail::words_of(body)) flex.body.push_back(std::string(name));
  for (const std::string_view name : detail::words_of(node)) flex.node.push_back(std::string(name));
  read_identity(context, xml, "flex", flex);
  for_children(context, xml, flex.path, schema::flex,
               [&](const XmlElement& child) { detail::read_flex_part(context, child, flex); });
}

CORTEN_COLD void read_flexcomp(Context& context, const XmlElement& xml, const std::string& parent,
                               spec::Body& body) {
  const std::size_t before = context.errors.size();
  spec::Flexcomp e;
  read_element(context, xml, parent, "flex", e);
  for_children(context, xml, e.path, schema::flexcomp, [&](const XmlElement& child) {
    if (child.name != "pin") return detail::read_flex_part(context, child, e);
    detail::read_part(context, child, e.path, e.pins.emplace_back());
  });
  if (context.errors.size() == before) detail::AssetLoader(context).load(e, e.file, e.content);
  if (context.errors.size() > before) return;
  if (auto done = spec::add_flexcomp(context.spec, body, e); !done) {
    context.fail(xml, done.error());
  }
}

}  // namespace corten::mjcf
