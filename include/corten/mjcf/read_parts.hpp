// SPDX-License-Identifier: Apache-2.0
//
// <asset>, <contact>, <tendon>, <actuator>, <sensor>, <custom> and <keyframe>.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <corten/core/optional.hpp>
#include <corten/mjcf/read_asset.hpp>
#include <corten/mjcf/read_deformable.hpp>
#include <corten/mjcf/read_element.hpp>
#include <corten/mjcf/read_global.hpp>
#include <corten/mjcf/read_model.hpp>
#include <corten/spec/resolve.hpp>

namespace corten::mjcf {

CORTEN_COLD void read_asset(Context& context, const XmlElement& xml, const std::string& parent) {
  const std::string path = path_of(parent, xml);
  for_children(context, xml, path, schema::asset, [&](const XmlElement& child) {
    if (child.name == "texture") {
      spec::Texture& texture = context.spec.textures.emplace_back();
      read_element(context, child, path, "texture", texture);
      detail::claim_asset(context, "texture", child, texture);
      return no_children(context, child, texture.path);
    }
    if (child.name == "skin") return read_skin(context, child, path);
    if (child.name == "model") return read_model(context, child, path);
    if (child.name == "mesh") return read_mesh(context, child, path);
    if (child.name == "hfield") return read_hfield(context, child, path);
    spec::Material& material = context.spec.materials.emplace_back();
    read_element(context, child, path, "material", material);
    read_layers(context, child, material);
  });
}

CORTEN_COLD void read_contact(Context& context, const XmlElement& xml, const std::string& parent) {
  const std::string path = path_of(parent, xml);
  for_children(context, xml, path, schema::contact, [&](const XmlElement& child) {
    if (child.name == "pair") {
      spec::Pair& pair = context.spec.pairs.emplace_back();
      read_element(context, child, path, "pair", pair);
      return no_children(context, child, pair.path);
    }
    spec::Exclude& exclude = context.spec.excludes.emplace_back();
    read_element(context, child, path, "exclude", exclude);
    no_children(context, child, exclude.path);
  });
}

namespace detail {

// one element of a tendon's path
CORTEN_COLD void read_path_entry(Context& context, const XmlElement& xml, const std::string& parent,
                                 spec::Tendon::Entry& out) {
  using Kind = spec::Tendon::Entry::Kind;
  const std::string path = path_of(parent, xml);
  Optional<double> number;
  AttributeReader reader(context, xml, path);
  if (xml.name == "joint") {
    reader({"joint", spec::required}, out.joint);
    reader({"coef", spec::required}, number);
    out.coef = number.value_or(1);
  } else if (xml.name == "site") {
    out.kind = Kind::site;
    reader({"site", spec::required}, out.site);
  } else if (xml.name == "geom") {
    out.kind = Kind::geom;
    reader({"geom", spec::required}, out.geom);
    reader("sidesite", out.sidesite);
  } else {
    out.kind = Kind::pulley;
    reader({"divisor", spec::required}, number);
    out.divisor = number.value_or(1);
  }
  reader.finish();
  out.where = xml.where();
  no_children(context, xml, path);
}

}  // namespace detail

CORTEN_COLD void read_tendon(Context& context, const XmlElement& xml, const std::string& parent) {
  const std::string path = path_of(parent, xml);
  for_children(context, xml, path, schema::tendon, [&](const XmlElement& child) {
    spec::Tendon& tendon = context.spec.tendons.emplace_back();
    const bool fixed = child.name == "fixed";
    read_element(context, child, path, "tendon", tendon,
                 fixed ? spec::Tendon::kind_fixed : spec::Tendon::kind_spatial);
    for_children(context, child, tendon.path, fixed ? schema::fixed : schema::spatial,
                 [&](const XmlElement& entry) {
                   detail::read_path_entry(context, entry, tendon.path,
                                           tendon.entries.emplace_back());
                 });
  });
}

namespace detail {

// MuJoCo silently uses one of several targets, the last in this order
CORTEN_COLD void check_targets(Context& context, const XmlElement& xml,
                               const spec::Actuator& actuator) {
  std::string given;
  const char* last = nullptr;
  for (const char* name : {"joint", "jointinparent", "tendon", "cranksite", "site", "body"}) {
    if (xml.find(name) == nullptr) continue;
    if (last != nullptr) given += (given.empty() ? "" : ", ") + std::string(last);
    last = name;
  }
  if (given.empty()) return;
  context.warn(actuator.error(
      "it has several targets, of which " + std::string(last) + " is used, not " + given,
      "keep one of them"));
}

// checks attributes that only some transmissions have
CORTEN_COLD void check_transmission(Context& context, const XmlElement& xml,
                                    spec::Actuator& actuator) {
  AttributeReader reader(context, xml, actuator.path);
  const TransmissionType type = spec::transmission(actuator).type;
  if (type == TransmissionType::undefined) return;
  for (const char* name : {"cranklength", "slidersite"}) {
    if (type != TransmissionType::slidercrank && reader.given(name)) {
      reader.fail(name, std::string(name) + " belongs to a slider-crank transmission",
                  "give cranksite as well");
    }
  }
  if (type != TransmissionType::site && reader.given("refsite")) {
    context.complain(xml, Error{xml.where(*xml.find("refsite")), actuator.path,
                                "refsite belongs to a site transmission", "give site as well"});
    actuator.refsite.reset();
  }
}

}  // namespace detail

CORTEN_COLD void read_actuator(Context& context, const XmlElement& xml, const std::string& parent) {
  const std::string path = path_of(parent, xml);
  for_children(context, xml, path, schema::actuator, [&](const XmlElement& child) {
    spec::Actuator& actuator = context.spec.actuators.emplace_back();
    actuator.kind = actuator_kind(child.name);
    read_element(context, child, path, "actuator", actuator, spec::rule_of(actuator.kind));
    detail::check_transmission(context, child, actuator);
    detail::check_targets(context, child, actuator);
    no_children(context, child, actuator.path);
    if (context.failed(child)) return;
    // detects a shortcut that contradicts its class now, while its location is known
    spec::Actuator copy = actuator;
    if (const auto done = spec::apply_class(context.spec, copy); !done)
      context.fail(child, done.error());
  });
}

namespace detail {

// the frame that a sensor measures
inline void read_object(AttributeReader& reader, spec::Sensor& sensor) {
  Optional<ObjectType> type;
  reader({"objtype", spec::required}, type);
  reader({"objname", spec::required}, sensor.objname);
  sensor.objtype = type.value_or(ObjectType::unknown);
}

// the reference frame of the reading; the world if absent
CORTEN_COLD void read_reference(AttributeReader& reader, spec::Sensor& sensor) {
  Optional<ObjectType> type;
  reader("reftype", type);
  reader("refname", sensor.refname);
  reader.together("reftype", "refname");
  sensor.reftype = type.value_or(ObjectType::unknown);
}

// <framepos site="imu"/>, an extension; returns whether the object was given this way
CORTEN_COLD bool read_short_object(AttributeReader& reader, spec::Sensor& sensor) {
  if (reader.given("objtype") || reader.given("objname")) return false;
  for (const auto& k : spec::keywords<ObjectType>) {
    if (!reader.given(k.word)) continue;
    sensor.objtype = static_cast<ObjectType>(k.value);
    reader(k.word.data(), sensor.objname);
    return true;
  }
  return false;
}

// geom1 or body1, and geom2 or body2
CORTEN_COLD void read_sensor_pair(AttributeReader& reader, spec::Sensor& sensor) {
  std::string body1, body2;
  reader("geom1", sensor.objname);
  reader("body1", body1);
  reader("geom2", sensor.refname);
  reader("body2", body2);
  reader.either("geom1", "body1");
  reader.either("geom2", "body2");
  sensor.objtype = reader.given("body1") ? ObjectType::body : ObjectType::geom;
  sensor.reftype = reader.given("body2") ? ObjectType::body : ObjectType::geom;
  if (reader.given("body1")) sensor.objname = body1;
  if (reader.given("body2")) sensor.refname = body2;
}

// alternative attributes that name the target of a sensor; at most one may be given
struct Choice {
  const char* attribute;
  ObjectType type;
};
template <std::size_t N>
CORTEN_COLD void read_choice(AttributeReader& reader, const Choice (&choices)[N], ObjectType& type,
                             std::string& name) {
  const char* found = nullptr;
  for (const Choice& c : choices) {
    if (!reader.given(c.attribute)) {
      reader.accept(c.attribute);
      continue;
    }
    if (found != nullptr) reader.exclusive({found, c.attribute});
    found = c.attribute;
    type = c.type;
    reader(c.attribute, name);
  }
}

CORTEN_COLD void read_contact_target(AttributeReader& reader, spec::Sensor& sensor) {
  static constexpr Choice first[] = {{"site", ObjectType::site},
                                     {"body1", ObjectType::body},
                                     {"subtree1", ObjectType::xbody},
                                     {"geom1", ObjectType::geom}};
  static constexpr Choice second[] = {
      {"body2", ObjectType::body}, {"subtree2", ObjectType::xbody}, {"geom2", ObjectType::geom}};
  read_choice(reader, first, sensor.objtype, sensor.objname);
  read_choice(reader, second, sensor.reftype, sensor.refname);
}

CORTEN_COLD void read_range_target(AttributeReader& reader, spec::Sensor& sensor) {
  static constexpr Choice either[] = {{"site", ObjectType::site}, {"camera", ObjectType::camera}};
  reader.either("site", "camera");
  read_choice(reader, either, sensor.objtype, sensor.objname);
}

CORTEN_COLD void read_user_target(const XmlElement& xml, AttributeReader& reader,
                                  spec::Sensor& sensor) {
  std::string type;
  reader("objtype", type);
  reader("objname", sensor.objname);
  reader.together("objtype", "objname");
  const XmlAttribute* given = xml.find("objtype");
  if (given != nullptr) reader.keyword(*given, spec::object_words, sensor.objtype);
}

CORTEN_COLD void read_sensor_target(const XmlElement& xml, AttributeReader& reader,
                                    const SensorRow& row, spec::Sensor& sensor) {
  using Target = SensorTarget;
  switch (row.target) {
    case Target::attribute:
      sensor.objtype = row.object;
      return reader({row.attribute, spec::required}, sensor.objname);
    case Target::projection:
      sensor.objtype = ObjectType::site;
      sensor.reftype = ObjectType::camera;
      reader({"site", spec::required}, sensor.objname);
      return reader({"camera", spec::required}, sensor.refname);
    case Target::inside:
      sensor.reftype = ObjectType::site;
      reader({"site", spec::required}, sensor.refname);
      return read_object(reader, sensor);
    case Target::frame:
    case Target::frame_and_reference:
      if (!read_short_object(reader, sensor)) read_object(reader, sensor);
      if (row.target == Target::frame_and_reference) read_reference(reader, sensor);
      return;
    case Target::pair: return read_sensor_pair(reader, sensor);
    case Target::range: return read_range_target(reader, sensor);
    case Target::touching: return read_contact_target(reader, sensor);
    case Target::tactile:
      sensor.objtype = ObjectType::mesh;
      sensor.reftype = ObjectType::geom;
      reader({"mesh", spec::required}, sensor.objname);
      return reader({"geom", spec::required}, sensor.refname);
    case Target::user: return read_user_target(xml, reader, sensor);
    case Target::none: return;
  }
}

}  // namespace detail

CORTEN_COLD void read_sensor(Context& context, const XmlElement& xml, const std::string& parent) {
  const std::string path = path_of(parent, xml);
  std::string names;
  for (const SensorRow& row : sensor_rows) {
    if (row.name == schema::sensors_not_yet) continue;
    names += (names.empty() ? "" : " ") + std::string(row.name);
  }
  const schema::Children allowed{
      .many = names, .not_yet = schema::sensors_not_yet, .is_section = true};
  for_children(context, xml, path, allowed, [&](const XmlElement& child) {
    const SensorRow* row = nullptr;
    for (const SensorRow& r : sensor_rows) {
      if (r.name == child.name) row = &r;
    }
    if (row == nullptr) return;
    spec::Sensor& sensor = context.spec.sensors.emplace_back();
    sensor.type = row->type;
    sensor.where = child.where();
    sensor.path = path_of(path, child);
    AttributeReader reader(context, child, sensor.path, sensor_kinds(row->target));
    reader.read(sensor);
    detail::read_sensor_target(child, reader, *row, sensor);
    reader.finish();
    check_class(context, child, sensor.path, "class", sensor.class_name);
    context.claim("sensor", child, sensor);
    no_children(context, child, sensor.path);
  });
}

CORTEN_COLD void read_numeric(Context& context, const XmlElement& xml, const std::string& parent) {
  constexpr int most = 500;
  spec::Numeric& numeric = context.spec.numerics.emplace_back();
  read_element(context, xml, parent, "numeric", numeric);
  AttributeReader reader(context, xml, numeric.path);
  if (!numeric.data) numeric.data.emplace();
  const int given = static_cast<int>(numeric.data->size());
  const int size = numeric.size.value_or(given);
  if (size < 1 || size > most) {
    return reader.fail("size", "the size of custom data must be between 1 and 500");
  }
  if (given > size) {
    return reader.fail("data", "data has " + std::to_string(given) + " numbers, but size is " +
                                   std::to_string(size));
  }
  numeric.data->resize(static_cast<std::size_t>(size));
  no_children(context, xml, numeric.path);
}

CORTEN_COLD void read_tuple(Context& context, const XmlElement& xml, const std::string& parent) {
  spec::Tuple& tuple = context.spec.tuples.emplace_back();
  read_element(context, xml, parent, "tuple", tuple);
  for_children(context, xml, tuple.path, schema::tuple, [&](const XmlElement& child) {
    spec::Tuple::Entry& entry = tuple.entries.emplace_back();
    entry.where = child.where();
    std::string type;
    Optional<double> prm;
    AttributeReader reader(context, child, path_of(tuple.path, child));
    reader({"objtype", spec::required}, type);
    reader({"objname", spec::required}, entry.objname);
    reader("prm", prm);
    reader.finish();
    entry.prm = prm.value_or(0);
    if (context.failed(child)) return;
    reader.keyword(*child.find("objtype"), spec::object_words, entry.objtype);
    no_children(context, child, path_of(tuple.path, child));
  });
}

CORTEN_COLD void read_custom(Context& context, const XmlElement& xml, const std::string& parent) {
  const std::string path = path_of(parent, xml);
  for_children(context, xml, path, schema::custom, [&](const XmlElement& child) {
    if (child.name == "numeric") return read_numeric(context, child, path);
    if (child.name == "tuple") return read_tuple(context, child, path);
    spec::Text& text = context.spec.texts.emplace_back();
    read_element(context, child, path, "text", text);
    if (text.data.empty()) {
      AttributeReader(context, child, text.path).fail("data", "the text is empty");
    }
    no_children(context, child, text.path);
  });
}

CORTEN_COLD void read_keyframe(Context& context, const XmlElement& xml, const std::string& parent) {
  const std::string path = path_of(parent, xml);
  for_children(context, xml, path, schema::keyframe, [&](const XmlElement& child) {
    spec::Key& key = context.spec.keys.emplace_back();
    read_element(context, child, path, "key", key);
    if (context.options.strict && (key.softpos || key.softvel)) {
      context.fail(child, key.path, "softpos and softvel are extensions",
                   "read the file without strict");
    }
    no_children(context, child, key.path);
  });
}

}  // namespace corten::mjcf
