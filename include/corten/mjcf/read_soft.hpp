// SPDX-License-Identifier: Apache-2.0
//
// <cloth>, <softbody> and <chain>, which are extensions: a strict reader refuses them.
#pragma once

#include <corten/mjcf/read_element.hpp>

#include <string>

namespace corten::mjcf {

CORTEN_COLD void read_soft(Context& context, const XmlElement& xml, const std::string& parent) {
  spec::Soft& soft = context.spec.softs.emplace_back();
  const std::string_view word = xml.name;
  soft.type =
      word == "cloth" ? SoftType::cloth : (word == "softbody" ? SoftType::body : SoftType::chain);
  read_element(context, xml, parent, "soft", soft);
  if (context.options.strict) {
    context.fail(xml, soft.path, "MuJoCo has no such element: it is an extension",
                 "read the file without strict");
  }
  AttributeReader reader(context, xml, soft.path);
  reader.exclusive({"file", "count", "vertex"});
  for_children(context, xml, soft.path, schema::soft, [&](const XmlElement& child) {
    spec::Soft::Edge& edge = soft.edges.emplace_back();
    edge.where = child.where();
    AttributeReader edge_reader(context, child, path_of(soft.path, child));
    edge_reader.read(edge);
    edge_reader.finish();
    no_children(context, child, path_of(soft.path, child));
  });
}

}  // namespace corten::mjcf
