// SPDX-License-Identifier: Apache-2.0
//
// <equality>, with the built-in kinds of constraints and those of the extensions.
#pragma once

#include <string>
#include <string_view>

#include <corten/mjcf/read_element.hpp>
#include <corten/spec/kinds.hpp>

namespace corten::mjcf {

namespace detail {

// Checks that an element between bodies, such as connect or weld, has either sites or bodies.
CORTEN_COLD void check_objects(Context& context, const XmlElement& xml, const spec::Equality& e) {
  AttributeReader reader(context, xml, e.path);
  const bool weld = e.type != EqualityType::connect;  // only a connect needs an anchor
  for (const char* site : {"site1", "site2"}) {
    for (const char* name : {"body1", "body2", "anchor", "relpose"}) {
      reader.exclusive({site, name});
    }
  }
  reader.together("site1", "site2");
  if (context.failed(xml) || reader.given("site1")) return;
  if (!reader.given("body1") || (!weld && !reader.given("anchor"))) {
    reader.fail("", weld ? "neither site1 and site2 nor body1 are given"
                         : "neither site1 and site2 nor body1 and anchor are given");
  }
  if (e.relpose && e.relpose->size() != 7) {
    reader.fail("relpose",
                "attribute 'relpose' takes 7 numbers, not " + std::to_string(e.relpose->size()));
  }
}

}  // namespace detail

CORTEN_COLD void read_equality(Context& context, const XmlElement& xml, const std::string& parent) {
  const std::string path = path_of(parent, xml);
  const List<EqualityKind> kinds = equality_kinds(context.options.extensions);
  schema::Children allowed = schema::equality;
  std::string names;
  for (const EqualityKind& kind : kinds) names.append(names.empty() ? "" : " ").append(kind.name);
  allowed.many = names;
  for_children(context, xml, path, allowed, [&](const XmlElement& child) {
    spec::Equality& equality = context.spec.equalities.emplace_back();
    for (const EqualityKind& kind : kinds) {
      if (kind.name != child.name) continue;
      equality.type = kind.type;
      equality.where = child.where();
      equality.path = path_of(path, child);
      AttributeReader reader(context, child, equality.path, spec::Equality::attributes_of(kind));
      reader.accept_parameters(kind.parameters);
      reader.read(equality);
      reader.finish();
      read_identity(context, child, "equality", equality);
      if (kind.object == ObjectType::body) detail::check_objects(context, child, equality);
      break;
    }
    no_children(context, child, equality.path);
  });
}

}  // namespace corten::mjcf
