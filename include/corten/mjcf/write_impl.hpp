// SPDX-License-Identifier: Apache-2.0
//
// The implementation of write.hpp, in a file of its own so that corten::precompiled can compile it
// once.
#pragma once

#include <corten/mjcf/schema.hpp>
#include <corten/mjcf/write.hpp>
#include <corten/mjcf/write_body.hpp>
#include <corten/mjcf/write_parts.hpp>
#include <corten/spec/class_tree.hpp>
#include <corten/spec/settle.hpp>

namespace corten::mjcf {

namespace detail {

// a repeated section may set an attribute again; the last one counts
CORTEN_COLD bool is_last(const spec::ElementsOf<spec::Visual::Entry>& all, std::size_t index) {
  for (std::size_t i = index + 1; i < all.size(); ++i) {
    if (all[i].element == all[index].element && all[i].attribute == all[index].attribute)
      return false;
  }
  return true;
}

CORTEN_COLD void write_globals(XmlWriter& xml, const Spec& spec) {
  xml.begin("compiler");
  xml.attributes(spec.compiler);
  xml.element_unless_empty("lengthrange", spec.compiler.lengthrange);
  xml.end_unless_empty();

  xml.begin("option");
  xml.attributes(spec.option);
  xml.element_unless_empty("flag", spec.option.flag);
  xml.end_unless_empty();

  xml.element_unless_empty("size", spec.size);

  xml.begin("visual");
  for (const schema::VisualRow& row : schema::visual_attributes) {
    xml.begin(row.element);
    const spec::ElementsOf<spec::Visual::Entry>& all = spec.visual.entries;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].element == row.element && is_last(all, i))
        xml.attribute(all[i].attribute, all[i].value);
    }
    xml.end_unless_empty();
  }
  xml.end_unless_empty();

  xml.element_unless_empty("statistic", spec.statistic);
}

// only the layers that the parent lacks, since the reader adds them to the parent's
CORTEN_COLD void write_default_material(XmlWriter& xml, const spec::Material& material,
                                        const spec::Material* base) {
  xml.begin("material");
  xml.attributes(material, spec::any_kind, base, true);
  write_layers(xml, material, base != nullptr ? base->layers.size() : 0);
  xml.end_unless_empty();
}

// <general> has every attribute except inheritrange. A <position> before it sets that; the other
// attributes that <position> changes are then written again.
CORTEN_COLD void write_default_actuator(XmlWriter& xml, spec::Actuator a,
                                        const spec::Actuator* base) {
  const bool inherits = a.inheritrange && (base == nullptr || base->inheritrange != a.inheritrange);
  if (inherits) {
    xml.begin("position");
    xml.attribute("inheritrange", std::span<const double>(&*a.inheritrange, 1));
    xml.end();
    spec::detail::complete(a);
    a.gaintype = a.gaintype.value_or(GainType::fixed);
    a.biastype = a.biastype.value_or(BiasType::none);
    a.dyntype = a.dyntype.value_or(DynamicsType::none);
    base = nullptr;
  }
  constexpr unsigned general = spec::rule_of(spec::Actuator::Kind::general);
  xml.element_unless_empty("general", a, general, base, true);
}

// Writes a class: the differences from its parent, then the classes nested in it. The recursion is
// as deep as the classes are nested in the text.
CORTEN_COLD void write_default(XmlWriter& xml, const Spec& spec, std::size_t index) {
  const spec::Default& d = spec.defaults[index];
  const spec::Default* base =
      d.parent >= 0 ? &spec.defaults[static_cast<std::size_t>(d.parent)] : nullptr;
  xml.begin("default");
  xml.attribute("class", d.name);
  const auto element = [&](const char* tag, auto member, unsigned kinds = spec::any_kind) {
    const auto* inherited = base != nullptr ? &(base->*member) : nullptr;
    xml.element_unless_empty(tag, d.*member, kinds, inherited, true);
  };
  element("mesh", &spec::Default::mesh);
  write_default_material(xml, d.material, base != nullptr ? &base->material : nullptr);
  element("joint", &spec::Default::joint, spec::Joint::kind_joint);
  element("geom", &spec::Default::geom);
  element("site", &spec::Default::site);
  element("camera", &spec::Default::camera);
  element("light", &spec::Default::light);
  element("pair", &spec::Default::pair);
  element("equality", &spec::Default::equality);
  element("tendon", &spec::Default::tendon);
  write_default_actuator(xml, d.actuator, base != nullptr ? &base->actuator : nullptr);
  element("sensor", &spec::Default::sensor, spec::Sensor::kind_simulated);
  for (std::size_t i = 0; i < spec.defaults.size(); ++i) {
    if (spec.defaults[i].parent == static_cast<int>(index)) write_default(xml, spec, i);
  }
  xml.end();
}

// refuses what is known only after compiling
CORTEN_COLD Result<void> check_written(const Spec& spec) {
  for (const spec::Compiler& c : spec.origins) {
    if (spec::same_inertias(c, spec.compiler)) continue;
    return Error{spec.compiler.where, "mujoco/compiler",
                 "an attached model has other inertia settings, so its inertias are not known yet",
                 "use save or save_string"};
  }
  for (const spec::Key& key : spec.keys) {
    if (!key.attached) continue;
    return key.error("a keyframe of an attached model is not known before compiling",
                     "use save or save_string");
  }
  return {};
}

}  // namespace detail

CORTEN_HOST Result<std::string> write(const Spec& from, const Extensions& extensions) {
  if (const auto done = detail::check_written(from); !done) return done.error();
  Spec one;  // a copy under one <compiler>, with classes that nest
  const bool as_it_is = from.origins.empty() && spec::is_nested(from);
  if (!as_it_is) {
    one = from;
    spec::settle(one, extensions);
    if (!spec::is_nested(one)) spec::nest_classes(one);
  }
  const Spec& spec = as_it_is ? from : one;
  XmlWriter xml;
  xml.begin("mujoco");
  xml.attribute("model", spec.model_name);
  detail::write_globals(xml, spec);
  detail::write_default(xml, spec, 0);
  if (const auto done = detail::write_assets(xml, spec); !done) return done.error();
  xml.begin("worldbody");
  if (const auto done = detail::write_children(xml, spec.world); !done) return done.error();
  xml.end();
  detail::write_contacts(xml, spec);
  if (const auto done = detail::write_deformables(xml, spec); !done) return done.error();
  if (const auto done = detail::write_equalities(xml, spec, extensions); !done) return done.error();
  detail::write_tendons(xml, spec);
  detail::write_actuators(xml, spec);
  detail::write_sensors(xml, spec);
  detail::write_custom(xml, spec);
  detail::write_keyframes(xml, spec);
  xml.end();
  return xml.take();
}

}  // namespace corten::mjcf
