// SPDX-License-Identifier: Apache-2.0
//
// <equality>.
#pragma once

#include <string>
#include <string_view>

#include <corten/mjcf/read_element.hpp>

namespace corten::mjcf {

namespace detail {

struct EqualityTag {
  std::string_view name;
  EqualityType type;
  unsigned kind;
};

inline constexpr EqualityTag equality_tags[] = {
    {"connect", EqualityType::connect, spec::Equality::kind_connect},
    {"weld", EqualityType::weld, spec::Equality::kind_weld},
    {"joint", EqualityType::joint, spec::Equality::kind_joint},
    {"tendon", EqualityType::tendon, spec::Equality::kind_tendon},
    {"distance", EqualityType::distance, spec::Equality::kind_distance}};

// a connect or weld is between sites or between bodies
CORTEN_COLD void check_objects(Context& context, const XmlElement& xml, const spec::Equality& e) {
  AttributeReader reader(context, xml, e.path);
  const bool weld = e.type == EqualityType::weld;
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
  for_children(context, xml, path, schema::equality, [&](const XmlElement& child) {
    spec::Equality& equality = context.spec.equalities.emplace_back();
    for (const detail::EqualityTag& tag : detail::equality_tags) {
      if (tag.name != child.name) continue;
      equality.type = tag.type;
      read_element(context, child, path, "equality", equality, tag.kind);
      if (tag.kind & spec::Equality::kind_spatial) detail::check_objects(context, child, equality);
    }
    no_children(context, child, equality.path);
  });
}

}  // namespace corten::mjcf
