// SPDX-License-Identifier: Apache-2.0
//
// The body of write.hpp, apart so that corten::precompiled can compile it once.
#pragma once

#include <corten/mjcf/schema.hpp>
#include <corten/mjcf/write.hpp>
#include <corten/mjcf/write_body.hpp>
#include <corten/mjcf/write_parts.hpp>

namespace corten::mjcf {

namespace detail {

// a section that is repeated may give an attribute again; the last counts
CORTEN_COLD bool is_last(const spec::ElementsOf<spec::Visual::Entry>& all, std::size_t index) {
  for (std::size_t i = index + 1; i < all.size(); ++i) {
    if (all[i].element == all[index].element && all[i].attribute == all[index].attribute) return false;
  }
  return true;
}

CORTEN_COLD void write_globals(XmlWriter& xml, const Spec& spec) {
  xml.begin("compiler");
  xml.attributes(spec.compiler);
  xml.begin("lengthrange");
  xml.attributes(spec.compiler.lengthrange);
  xml.end_unless_empty();
  xml.end_unless_empty();

  xml.begin("option");
  xml.attributes(spec.option);
  xml.begin("flag");
  xml.attributes(spec.option.flag);
  xml.end_unless_empty();
  xml.end_unless_empty();

  xml.begin("size");
  xml.attributes(spec.size);
  xml.end_unless_empty();

  xml.begin("visual");
  for (const schema::VisualRow& row : schema::visual_attributes) {
    xml.begin(row.element);
    const spec::ElementsOf<spec::Visual::Entry>& all = spec.visual.entries;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].element == row.element && is_last(all, i)) xml.attribute(all[i].attribute, all[i].value);
    }
    xml.end_unless_empty();
  }
  xml.end_unless_empty();

  xml.begin("statistic");
  xml.attributes(spec.statistic);
  xml.end_unless_empty();
}

template <class T>
void write_default_element(XmlWriter& xml, const char* tag, const T& element, const T* base,
                           unsigned kinds = spec::any_kind) {
  xml.begin(tag);
  xml.attributes(element, kinds, base, true);
  xml.end_unless_empty();
}

// Does `base` give an attribute that the element lacks?
CORTEN_COLD bool lacks(const spec::FieldTable& table, const void* element, const void* base) {
  std::vector<double> room;
  for (const spec::Field& field : table) {
    if (field.type->get == nullptr) continue;
    const bool given = !field.type->get(field.in(base), room).empty();
    if (given && field.type->get(field.in(element), room).empty()) return true;
  }
  return false;
}

// A class that is read has all that its parent gives. One that does not (those of cables in a model whose main
// class gives something) has no words in MJCF.
CORTEN_COLD std::optional<Error> check_classes(const Spec& spec) {
  for (const spec::Default& d : spec.defaults) {
    if (d.parent < 0) continue;
    const spec::Default& base = spec.defaults[static_cast<std::size_t>(d.parent)];
    const auto less = [&](auto member) {
      using T = std::remove_cvref_t<decltype(d.*member)>;
      return lacks(spec::fields_of<T>(), &(d.*member), &(base.*member));
    };
    if (less(&spec::Default::mesh) || less(&spec::Default::material) ||
        less(&spec::Default::joint) || less(&spec::Default::geom) || less(&spec::Default::site) ||
        less(&spec::Default::camera) || less(&spec::Default::light) || less(&spec::Default::pair) ||
        less(&spec::Default::equality) || less(&spec::Default::tendon) ||
        less(&spec::Default::actuator) || less(&spec::Default::sensor)) {
      return Error{d.where, "mujoco/default '" + d.name + "'",
                   "a class that lacks what its parent gives cannot be written",
                   "give it the attributes of '" + base.name + "'"};
    }
  }
  return {};
}

// a class: what differs from its parent, then the classes nested in it; as deep as they were in the text
CORTEN_COLD void write_default(XmlWriter& xml, const Spec& spec, std::size_t index) {
  const spec::Default& d = spec.defaults[index];
  const spec::Default* base =
      d.parent >= 0 ? &spec.defaults[static_cast<std::size_t>(d.parent)] : nullptr;
  xml.begin("default");
  xml.attribute("class", d.name);
  const auto element = [&](const char* tag, auto member, unsigned kinds = spec::any_kind) {
    write_default_element(xml, tag, d.*member, base != nullptr ? &(base->*member) : nullptr, kinds);
  };
  element("mesh", &spec::Default::mesh);
  element("material", &spec::Default::material);
  element("joint", &spec::Default::joint, spec::Joint::kind_joint);
  element("geom", &spec::Default::geom);
  element("site", &spec::Default::site);
  element("camera", &spec::Default::camera);
  element("light", &spec::Default::light);
  element("pair", &spec::Default::pair);
  element("equality", &spec::Default::equality);
  element("tendon", &spec::Default::tendon);
  element("general", &spec::Default::actuator, spec::rule_of(spec::Actuator::Kind::general));
  element("sensor", &spec::Default::sensor, spec::Sensor::kind_simulated);
  for (std::size_t i = 0; i < spec.defaults.size(); ++i) {
    if (spec.defaults[i].parent == static_cast<int>(index)) write_default(xml, spec, i);
  }
  xml.end();
}

// Parts of attached models are under settings of their own. MJCF has one <compiler> for a file.
CORTEN_COLD std::optional<Error> check_origins(const Spec& spec) {
  for (spec::Compiler c : spec.origins) {
    c.where = spec.compiler.where;
    c.meshdir = spec.compiler.meshdir;
    c.texturedir = spec.compiler.texturedir;
    c.assetdir = spec.compiler.assetdir;
    c.strippath = spec.compiler.strippath;
    c.conflict = spec.compiler.conflict;
    XmlWriter own, other;
    own.begin("compiler");
    own.attributes(spec.compiler);
    other.begin("compiler");
    other.attributes(c);
    if (own.take() == other.take()) continue;
    return Error{spec.compiler.where, "mujoco/compiler",
                 "an attached model has other compiler settings, which cannot be written",
                 "give both models the same settings"};
  }
  for (const spec::Key& key : spec.keys) {
    if (key.attached) return key.error("the keyframe of an attached model is not known before compiling",
                                         "use save or save_string");
  }
  return {};
}

}  // namespace detail

CORTEN_HOST Result<std::string> write(const Spec& spec) {
  if (const auto problem = detail::check_origins(spec)) return *problem;
  if (const auto problem = detail::check_classes(spec)) return *problem;
  XmlWriter xml;
  xml.begin("mujoco");
  xml.attribute("model", spec.model_name);
  detail::write_globals(xml, spec);
  detail::write_default(xml, spec, 0);
  if (const auto problem = detail::write_assets(xml, spec)) return *problem;
  xml.begin("worldbody");
  if (const auto problem = detail::write_children(xml, spec.world)) return *problem;
  xml.end();
  detail::write_contacts(xml, spec);
  detail::write_equalities(xml, spec);
  detail::write_tendons(xml, spec);
  detail::write_actuators(xml, spec);
  detail::write_sensors(xml, spec);
  detail::write_custom(xml, spec);
  detail::write_keyframes(xml, spec);
  xml.end();
  return xml.take();
}

}  // namespace corten::mjcf
