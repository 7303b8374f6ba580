// SPDX-License-Identifier: Apache-2.0
//
// <compiler>, <option>, <size>, <statistic>, <visual> and <default>.
#pragma once

#include <charconv>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include <corten/core/list.hpp>
#include <corten/mjcf/read_body.hpp>
#include <corten/mjcf/read_element.hpp>
#include <corten/spec/resolve.hpp>

namespace corten::mjcf {

CORTEN_COLD void read_compiler(Context& context, const XmlElement& xml, const std::string& parent) {
  spec::Compiler& compiler = context.spec.compiler;
  compiler.where = xml.where();
  AttributeReader reader(context, xml, path_of(parent, xml));
  reader.read(compiler);
  reader.finish();
  if (compiler.coordinate == spec::Coordinate::global) {
    reader.fail("coordinate", "global coordinates are not supported",
                "load and save the model with MuJoCo 2.3.3 or older to convert it");
  }
  if (compiler.eulerseq) {
    const std::string& s = *compiler.eulerseq;
    if (s.size() != 3 || s.find_first_not_of("xyzXYZ") != std::string::npos) {
      reader.fail("eulerseq", "'" + s.substr(0, 40) + "' is not a sequence of axes",
                  "use three letters out of xyz (rotating) and XYZ (fixed)");
    }
  }
  const std::string path = path_of(parent, xml);
  for_children(context, xml, path, schema::compiler, [&](const XmlElement& child) {
    AttributeReader range_reader(context, child, path_of(path, child));
    range_reader.read(compiler.lengthrange);
    range_reader.finish();
    no_children(context, child, path_of(path, child));
  });
}

CORTEN_COLD void read_option(Context& context, const XmlElement& xml, const std::string& parent) {
  const std::string path = path_of(parent, xml);
  spec::Option& option = context.spec.option;
  option.where = xml.where();
  const auto groups_before = option.actuatorgroupdisable;
  AttributeReader reader(context, xml, path);
  reader.read(option);
  reader.finish();
  if (option.actuatorgroupdisable) {
    List<int>& groups = *option.actuatorgroupdisable;
    for (const int group : groups) {
      if (group >= 0 && group <= 30) continue;
      reader.fail("actuatorgroupdisable",
                  "actuator group " + std::to_string(group) + " is not between 0 and 30");
    }
    // unlike other attributes, those of repeated sections add up
    if (groups_before && reader.given("actuatorgroupdisable")) {
      groups.append(*groups_before);
    }
  }
  for_children(context, xml, path, schema::option, [&](const XmlElement& child) {
    AttributeReader flag_reader(context, child, path_of(path, child));
    flag_reader.read(option.flag);
    flag_reader.finish();
    no_children(context, child, path_of(path, child));
  });
}

// The bytes of a memory size such as 10M, where K M G T P E are powers of 1024. Empty if the text
// is not a size, or if the size does not fit into 64 bits.
CORTEN_COLD std::optional<std::uint64_t> parse_memory(std::string_view text) {
  text = detail::trim(text);
  if (text.empty()) return std::nullopt;
  constexpr std::string_view suffixes = "KMGTPE";
  const char last = text.back();
  const char upper = last >= 'a' && last <= 'z' ? static_cast<char>(last - 'a' + 'A') : last;
  const std::size_t power = suffixes.find(upper);
  int shift = 0;
  if (power != std::string_view::npos) {
    shift = 10 * (static_cast<int>(power) + 1);
    text.remove_suffix(1);
  }
  std::uint64_t bytes = 0;
  const auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), bytes);
  if (code != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  if (bytes > (std::numeric_limits<std::uint64_t>::max() >> shift)) return std::nullopt;
  return bytes << shift;
}

CORTEN_COLD void read_size(Context& context, const XmlElement& xml, const std::string& parent) {
  const std::string path = path_of(parent, xml);
  spec::Size& size = context.spec.size;
  AttributeReader reader(context, xml, path);
  reader.read(size);
  reader.finish();
  reader.exclusive({"memory", "nstack"});
  reader.exclusive({"memory", "njmax"});
  if (size.memory && detail::trim(*size.memory) != "-1" && !parse_memory(*size.memory)) {
    reader.fail("memory", "'" + size.memory->substr(0, 40) + "' is not a memory size",
                "use a number of bytes, with an optional suffix K, M, G, T, P or E");
  }
  List<double> room;
  for (const spec::Field& field : spec::fields_of<spec::Size>()) {
    if (!field.type->integral) continue;
    const std::span<const double> number = field.type->get(field.in(&size), room);
    if (number.empty() || number[0] >= -1) continue;
    reader.fail(field.attribute.name,
                std::string(field.attribute.name) + " cannot be less than -1");
  }
  no_children(context, xml, path);
}

CORTEN_COLD void read_statistic(Context& context, const XmlElement& xml,
                                const std::string& parent) {
  const std::string path = path_of(parent, xml);
  spec::Statistic& statistic = context.spec.statistic;
  AttributeReader reader(context, xml, path);
  reader.read(statistic);
  reader.finish();
  if (statistic.extent && *statistic.extent <= 0) reader.fail("extent", "extent must be positive");
  no_children(context, xml, path);
}

namespace detail {

// checks the value of an attribute, which is then stored as text

CORTEN_COLD void check_visual(AttributeReader& reader, const schema::VisualRow& row,
                              const XmlAttribute& a) {
  bool flag = false;
  if (schema::contains(row.flags, a.name)) {
    reader.keyword(a, spec::KeywordTable<bool>::words, flag);
    return;
  }
  const std::size_t count = schema::contains(row.single, a.name) ? 1 : row.count;
  const std::span<const double> numbers = reader.numbers(a, count);
  if (!numbers.empty() && numbers[0] <= 0 && schema::contains(row.positive, a.name)) {
    reader.fail(a.name, std::string(a.name) + " must be positive");
  }
}

}  // namespace detail

CORTEN_COLD void read_visual(Context& context, const XmlElement& xml, const std::string& parent) {
  const std::string path = path_of(parent, xml);
  for_children(context, xml, path, schema::visual, [&](const XmlElement& child) {
    AttributeReader reader(context, child, path_of(path, child));
    for (const schema::VisualRow& row : schema::visual_attributes) {
      if (row.element != child.name) continue;
      for (const std::string_view name : schema::words(row.attributes)) reader.accept(name);
      for (const XmlAttribute& a : child.attributes) {
        if (schema::contains(row.attributes, a.name)) detail::check_visual(reader, row, a);
      }
    }
    reader.finish();
    for (const XmlAttribute& a : child.attributes) {
      context.spec.visual.entries.push_back(
          {std::string(child.name), std::string(a.name), std::string(a.value)});
    }
    no_children(context, child, path_of(path, child));
  });
}

// the kind of actuator of a tag; in a default class, <actuator> stands for <general>
CORTEN_COLD spec::Actuator::Kind actuator_kind(std::string_view tag) {
  for (const auto& k : spec::actuator_words) {
    if (k.word == tag) return static_cast<spec::Actuator::Kind>(k.value);
  }
  return spec::Actuator::Kind::general;
}

// the actuator elements of a class act one after another on the same actuator
CORTEN_COLD void read_default_actuator(Context& context, const XmlElement& xml,
                                       const std::string& parent, spec::Actuator& base) {
  spec::Actuator step;
  step.kind = actuator_kind(xml.name);
  step.where = xml.where();
  step.path = path_of(parent, xml);
  AttributeReader reader(context, xml, step.path, spec::rule_of(step.kind), true);
  reader.read(step);
  reader.finish();
  if (context.failed(xml)) return;
  if (const auto done = spec::apply(base, step); !done) return context.fail(xml, done.error());
  spec::assign(base, step);
}

// reads the textures of a material by their roles, as an alternative to a single texture
CORTEN_COLD void read_layers(Context& context, const XmlElement& xml, spec::Material& material) {
  for_children(context, xml, material.path, schema::material, [&](const XmlElement& child) {
    spec::Material::Layer& layer = material.layers.emplace_back();
    layer.where = child.where();
    const std::string path = path_of(material.path, child);
    AttributeReader reader(context, child, path);
    reader({"role", spec::required}, layer.role);
    reader({"texture", spec::required}, layer.texture);
    reader.finish();
    no_children(context, child, path);
    int role = 0;
    const XmlAttribute* given = child.find("role");
    if (given != nullptr) reader.keyword(*given, spec::texture_roles, role);
    if (xml.find("texture") != nullptr) {
      context.fail(child, path, "a material with a texture cannot have layers");
    }
  });
}

CORTEN_COLD void read_default_child(Context& context, const XmlElement& xml,
                                    const std::string& path, spec::Default& out) {
  const std::string_view name = xml.name;
  if (name == "material") {
    read_default_element(context, xml, path, out.material);
    return read_layers(context, xml, out.material);
  }
  if (name == "mesh") {
    read_default_element(context, xml, path, out.mesh);
  } else if (name == "joint") {
    read_default_element(context, xml, path, out.joint, spec::Joint::kind_joint);
  } else if (name == "geom") {
    read_default_element(context, xml, path, out.geom);
  } else if (name == "site") {
    read_default_element(context, xml, path, out.site);
  } else if (name == "camera") {
    read_default_element(context, xml, path, out.camera);
  } else if (name == "light") {
    read_default_element(context, xml, path, out.light);
    detail::unify_light_type(context, xml, out.light);
  } else if (name == "pair") {
    read_default_element(context, xml, path, out.pair);
  } else if (name == "equality") {
    read_default_element(context, xml, path, out.equality);
  } else if (name == "tendon") {
    read_default_element(context, xml, path, out.tendon);
  } else if (name == "sensor") {
    read_default_element(context, xml, path, out.sensor, spec::Sensor::kind_simulated);
  } else {
    read_default_actuator(context, xml, path, out.actuator);
  }
  no_children(context, xml, path_of(path, xml));
}

// A class starts as a copy of its parent. As in MuJoCo, the other children of a class are read
// before the classes nested in it.
CORTEN_COLD void read_default(Context& context, const XmlElement& xml, const std::string& parent,
                              int parent_class = -1) {
  const std::string path = path_of(parent, xml);
  std::string name;
  AttributeReader reader(context, xml, path);
  reader("class", name);
  reader.finish();
  if (context.failed(xml)) return;
  int index = 0;
  if (parent_class < 0) {
    if (!name.empty() && name != "main") {
      return reader.fail("class",
                         "the top-level default class must be called main, not '" + name + "'",
                         "leave the attribute out, or nest the class");
    }
  } else {
    if (name.empty()) return reader.fail("class", "a nested default class needs a name");
    if (context.spec.find_default(name) >= 0) {
      return reader.fail("class", "repeated default class '" + name + "'");
    }
    context.spec.add_default(name, parent_class).where = xml.where();
    index = static_cast<int>(context.spec.defaults.size()) - 1;
  }
  spec::Default& out = context.spec.defaults[static_cast<std::size_t>(index)];
  for_children(context, xml, path, schema::defaults, [&](const XmlElement& child) {
    if (child.name != "default") read_default_child(context, child, path, out);
  });
  for (const XmlElement& child : xml.children) {
    if (context.stopped()) return;
    if (child.name == "default") read_default(context, child, path, index);
  }
}

}  // namespace corten::mjcf
