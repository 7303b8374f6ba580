// SPDX-License-Identifier: Apache-2.0
//
// <deformable>, <skin> and <extension>. Skins are read for renderers; plugins are refused.
#pragma once

#include <corten/mjcf/read_element.hpp>
#include <corten/mjcf/read_flex.hpp>
#include <corten/mjcf/read_soft.hpp>

#include <string>

namespace corten::mjcf {

CORTEN_COLD void read_bone(Context& context, const XmlElement& xml, spec::Skin& skin) {
  spec::Skin::Bone& bone = skin.bones.emplace_back();
  bone.where = xml.where();
  AttributeReader reader(context, xml, path_of(skin.path, xml));
  reader({"body", spec::required}, bone.body);
  reader({"bindpos", spec::required}, bone.bindpos);
  reader({"bindquat", spec::required}, bone.bindquat);
  reader({"vertid", spec::required}, bone.vertid);
  reader({"vertweight", spec::required}, bone.vertweight);
  reader.finish();
  no_children(context, xml, path_of(skin.path, xml));
  if (bone.vertid && bone.vertweight && bone.vertid->size() != bone.vertweight->size()) {
    reader.fail("vertweight", "vertid and vertweight have different sizes");
  }
}

CORTEN_COLD void read_skin(Context& context, const XmlElement& xml, const std::string& parent) {
  spec::Skin& skin = context.spec.skins.emplace_back();
  read_element(context, xml, parent, "skin", skin);
  if (skin.group && (*skin.group < 0 || *skin.group > 5)) {
    AttributeReader(context, xml, skin.path)
        .fail("group", "the group of a skin must be between 0 and 5");
  }
  for_children(context, xml, skin.path, schema::skin,
               [&](const XmlElement& child) { read_bone(context, child, skin); });
}

CORTEN_COLD void read_deformable(Context& context, const XmlElement& xml,
                                 const std::string& parent) {
  const std::string path = path_of(parent, xml);
  for_children(context, xml, path, schema::deformable, [&](const XmlElement& child) {
    if (child.name == "skin") return read_skin(context, child, path);
    if (child.name == "flex") return read_flex(context, child, path);
    read_soft(context, child, path);
  });
}

CORTEN_COLD void read_extension(Context& context, const XmlElement& xml,
                                const std::string& parent) {
  const std::string path = path_of(parent, xml);
  for_children(context, xml, path, schema::extension, [&](const XmlElement& child) {
    const XmlAttribute* name = child.find("plugin");
    const std::string quoted = name != nullptr ? " '" + std::string(name->value) + "'" : "";
    context.fail(child, path_of(path, child), "plugin" + quoted + " is not supported");
  });
}

}  // namespace corten::mjcf
