// SPDX-License-Identifier: Apache-2.0
//
// Writes assets, contacts, equalities, tendons, actuators, sensors, custom data and keyframes.
#pragma once

#include <algorithm>
#include <string>

#include <corten/core/list.hpp>
#include <corten/mjcf/asset_numbers.hpp>
#include <corten/mjcf/read_equality.hpp>
#include <corten/mjcf/schema.hpp>
#include <corten/mjcf/xml.hpp>
#include <corten/mjcf/xml_writer.hpp>
#include <corten/spec/resolve.hpp>
#include <corten/spec/spec.hpp>

namespace corten::mjcf::detail {

template <class T>
void write_all(XmlWriter& xml, const char* tag, const spec::ElementsOf<T>& elements) {
  for (const T& e : elements) xml.element(tag, e);
}

CORTEN_COLD void write_layers(XmlWriter& xml, const spec::Material& material, std::size_t first) {
  for (std::size_t i = first; i < material.layers.size(); ++i) {
    const spec::Material::Layer& layer = material.layers[i];
    xml.begin("layer");
    xml.attribute("role", layer.role);
    xml.attribute("texture", layer.texture.value_or(""));
    xml.end();
  }
}

CORTEN_COLD void write_material(XmlWriter& xml, const spec::Material& material) {
  xml.begin("material");
  xml.attributes(material);
  write_layers(xml, material, 0);
  xml.end();
}

// Replaces the bytes of a mesh without a file by its numbers.
CORTEN_COLD Result<void> unpack(const Spec& spec, spec::Mesh& mesh) {
  if (mesh.file || !mesh.content.bytes) return {};
  spec::Mesh whole = mesh;
  if (auto done = spec::apply_class(spec, whole); !done) return done;
  asset::Triangles numbers;
  if (auto done = read_mesh(whole, mesh.content, numbers); !done) return done;
  if (mesh.vertex) return mesh.error("vertices are given both by the file and by 'vertex'");
  mesh.vertex.emplace().assign(numbers.vert.begin(), numbers.vert.end());
  if (!numbers.face.empty()) mesh.face = numbers.face;
  mesh.content_type.reset();
  return {};
}

// The same for a height field. The rows of `elevation` are in reverse order.
CORTEN_COLD Result<void> unpack(spec::HField& field) {
  if (field.file || !field.content.bytes) return {};
  asset::Heights numbers;
  if (auto done = read_hfield(field, field.content, numbers); !done) return done;
  field.nrow = numbers.nrow;
  field.ncol = numbers.ncol;
  List<double>& rows = field.elevation.emplace();
  for (auto end = numbers.data.end(); end != numbers.data.begin(); end -= numbers.ncol) {
    for (auto x = end - numbers.ncol; x != end; ++x) rows.push_back(static_cast<double>(*x));
  }
  field.content_type.reset();
  return {};
}

// Turns heights set in code into `elevation`, whose rows are in reverse order. If they range from
// exactly 0 to 1, scaling does not change them; otherwise it is turned off.
CORTEN_COLD spec::HField written(spec::HField field) {
  if (field.data.empty() || !field.ncol || *field.ncol < 1) return field;
  const auto columns = static_cast<std::ptrdiff_t>(*field.ncol);
  List<double>& rows = field.elevation.emplace();
  for (auto end = field.data.end(); end - field.data.begin() >= columns; end -= columns) {
    rows.append(end - columns, end);
  }
  const auto [low, high] = std::minmax_element(rows.begin(), rows.end());
  if (rows.empty() || *low != 0 || (*high != 0 && *high != 1)) field.normalize = false;
  return field;
}

CORTEN_COLD void write_skin(XmlWriter& xml, const spec::Skin& skin) {
  xml.begin("skin");
  xml.attributes(skin);
  for (const spec::Skin::Bone& bone : skin.bones) {
    xml.begin("bone");
    xml.attribute("body", bone.body);
    if (bone.bindpos) xml.attribute("bindpos", std::span<const double>(*bone.bindpos));
    if (bone.bindquat) xml.attribute("bindquat", std::span<const double>(*bone.bindquat));
    if (bone.vertid) {
      List<double> ids;
      for (const int id : *bone.vertid) ids.push_back(id);
      xml.attribute("vertid", std::span<const double>(ids), true);
    }
    if (bone.vertweight) xml.attribute("vertweight", std::span<const double>(*bone.vertweight));
    xml.end();
  }
  xml.end();
}

CORTEN_COLD Result<void> write_assets(XmlWriter& xml, const Spec& spec) {
  xml.begin("asset");
  write_all(xml, "texture", spec.textures);
  for (const spec::Material& material : spec.materials) write_material(xml, material);
  for (spec::Mesh mesh : spec.meshes) {
    if (auto done = unpack(spec, mesh); !done) return done;
    xml.element_unless_empty("mesh", mesh);
  }
  for (spec::HField field : spec.hfields) {
    if (auto done = unpack(field); !done) return done;
    xml.element_unless_empty("hfield", written(field));
  }
  for (const spec::Skin& skin : spec.skins) write_skin(xml, skin);
  xml.end_unless_empty();
  return {};
}

CORTEN_COLD std::string joined(const List<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : " ") + name;
  return out;
}

CORTEN_COLD Result<void> write_flex(XmlWriter& xml, const spec::Flex& flex) {
  for (const List<std::string>* names : {&flex.body, &flex.node}) {
    for (const std::string& name : *names) {
      if (words_of(name).size() == 1) continue;
      return flex.error("MJCF cannot refer to body '" + name + "', whose name has spaces",
                        "rename the body");
    }
  }
  xml.begin("flex");
  xml.attribute("body", joined(flex.body));
  if (!flex.node.empty()) xml.attribute("node", joined(flex.node));
  xml.attributes(flex);
  xml.element_unless_empty("contact", flex.contact);
  xml.element_unless_empty("edge", flex.edge);
  xml.element_unless_empty("elasticity", flex.elasticity);
  xml.end();
  return {};
}

CORTEN_COLD Result<void> write_deformables(XmlWriter& xml, const Spec& spec) {
  xml.begin("deformable");
  for (const spec::Flex& flex : spec.flexes) {
    if (auto done = write_flex(xml, flex); !done) return done;
  }
  for (const spec::Soft& soft : spec.softs) {
    xml.begin(spec::soft_element(soft.type));
    xml.attributes(soft);
    for (const spec::Soft::Edge& edge : soft.edges) {
      xml.begin("edge");
      xml.attributes(edge);
      xml.end();
    }
    xml.end();
  }
  xml.end_unless_empty();
  return {};
}

CORTEN_COLD void write_contacts(XmlWriter& xml, const Spec& spec) {
  xml.begin("contact");
  write_all(xml, "pair", spec.pairs);
  write_all(xml, "exclude", spec.excludes);
  xml.end_unless_empty();
}

CORTEN_COLD Result<void> write_equalities(XmlWriter& xml, const Spec& spec,
                                          const Extensions& extensions) {
  xml.begin("equality");
  for (const spec::Equality& e : spec.equalities) {
    const EqualityKind kind = find_equality(extensions, e.type);
    if (kind.dim == 0) {
      return e.error("its kind of constraint is unknown",
                     "pass extensions_of<Policies>() of policies that list it");
    }
    xml.element(kind.name, e, spec::Equality::attributes_of(kind));
  }
  xml.end_unless_empty();
  return {};
}

CORTEN_COLD void write_entry(XmlWriter& xml, const spec::Tendon::Entry& e) {
  using Kind = spec::Tendon::Entry::Kind;
  if (e.kind == Kind::joint) {
    xml.begin("joint");
    xml.attribute("joint", e.joint);
    xml.attribute("coef", std::span<const double>(&e.coef, 1));
  } else if (e.kind == Kind::site) {
    xml.begin("site");
    xml.attribute("site", e.site);
  } else if (e.kind == Kind::geom) {
    xml.begin("geom");
    xml.attribute("geom", e.geom);
    if (!e.sidesite.empty()) xml.attribute("sidesite", e.sidesite);
  } else {
    xml.begin("pulley");
    xml.attribute("divisor", std::span<const double>(&e.divisor, 1));
  }
  xml.end();
}

CORTEN_COLD void write_tendons(XmlWriter& xml, const Spec& spec) {
  xml.begin("tendon");
  for (const spec::Tendon& e : spec.tendons) {
    const bool fixed = !e.entries.empty() && e.entries[0].kind == spec::Tendon::Entry::Kind::joint;
    xml.begin(fixed ? "fixed" : "spatial");
    xml.attributes(e, fixed ? spec::Tendon::kind_fixed : spec::Tendon::kind_spatial);
    for (const spec::Tendon::Entry& entry : e.entries) write_entry(xml, entry);
    xml.end();
  }
  xml.end_unless_empty();
}

CORTEN_COLD void write_actuators(XmlWriter& xml, const Spec& spec) {
  xml.begin("actuator");
  for (const spec::Actuator& e : spec.actuators) {
    const auto tag = spec::word_of(spec::actuator_words, static_cast<int>(e.kind));
    xml.element(tag, e, spec::rule_of(e.kind));
  }
  xml.end();
}

// an object as two attributes: objtype="geom" objname="a"
CORTEN_COLD void write_object(XmlWriter& xml, const char* type, const char* name, ObjectType object,
                              const std::string& value) {
  if (object == ObjectType::unknown) return;
  xml.attribute(type, spec::word_of(spec::object_words, static_cast<int>(object)));
  xml.attribute(name, value);
}

// an object as one attribute: geom1="a"
CORTEN_COLD void write_choice(XmlWriter& xml, ObjectType object, const char* number,
                              const std::string& name) {
  if (object == ObjectType::unknown) return;
  std::string attribute(object == ObjectType::xbody
                            ? "subtree"
                            : spec::word_of(spec::object_words, static_cast<int>(object)));
  const bool numbered = object != ObjectType::site && object != ObjectType::camera;
  if (numbered) attribute += number;
  xml.attribute(attribute, name);
}

CORTEN_COLD void write_target(XmlWriter& xml, const SensorRow& row, const spec::Sensor& e) {
  using Target = SensorTarget;
  switch (row.target) {
    case Target::attribute: return xml.attribute(row.attribute, e.objname);
    case Target::projection:
      xml.attribute("site", e.objname);
      return xml.attribute("camera", e.refname);
    case Target::inside:
      xml.attribute("site", e.refname);
      return write_object(xml, "objtype", "objname", e.objtype, e.objname);
    case Target::frame:
    case Target::frame_and_reference:
    case Target::user:
      write_object(xml, "objtype", "objname", e.objtype, e.objname);
      if (row.target == Target::frame_and_reference) {
        write_object(xml, "reftype", "refname", e.reftype, e.refname);
      }
      return;
    case Target::pair:
    case Target::touching:
    case Target::range:
      write_choice(xml, e.objtype, "1", e.objname);
      return write_choice(xml, e.reftype, "2", e.refname);
    case Target::tactile: xml.attribute("mesh", e.objname); return xml.attribute("geom", e.refname);
    case Target::none: return;
  }
}

CORTEN_COLD std::string sensor_defaults(const spec::Default& c) {
  XmlWriter xml;
  xml.element_unless_empty("sensor", c.sensor, spec::Sensor::kind_simulated);
  return xml.take();
}

// Classes of sensors are an extension. An attached sensor always has one; it is left out if it has
// no effect, so that MuJoCo can read the result.
CORTEN_COLD bool needs_class(const Spec& spec, const spec::Sensor& e) {
  const int own = spec.find_default(e.class_name);
  return own > 0 && sensor_defaults(spec.defaults[static_cast<std::size_t>(own)]) !=
                        sensor_defaults(spec.defaults[0]);
}

CORTEN_COLD void write_sensors(XmlWriter& xml, const Spec& spec) {
  xml.begin("sensor");
  for (spec::Sensor e : spec.sensors) {
    if (!needs_class(spec, e)) e.class_name.clear();
    for (const SensorRow& row : sensor_rows) {
      if (row.type != e.type) continue;
      xml.begin(row.name);
      xml.attributes(e, sensor_kinds(row.target));
      write_target(xml, row, e);
      xml.end();
      break;
    }
  }
  xml.end_unless_empty();
}

CORTEN_COLD void write_custom(XmlWriter& xml, const Spec& spec) {
  xml.begin("custom");
  write_all(xml, "numeric", spec.numerics);
  write_all(xml, "text", spec.texts);
  for (const spec::Tuple& e : spec.tuples) {
    xml.begin("tuple");
    xml.attributes(e);
    for (const spec::Tuple::Entry& entry : e.entries) {
      xml.begin("element");
      write_object(xml, "objtype", "objname", entry.objtype, entry.objname);
      xml.attribute("prm", std::span<const double>(&entry.prm, 1));
      xml.end();
    }
    xml.end();
  }
  xml.end_unless_empty();
}

CORTEN_COLD void write_keyframes(XmlWriter& xml, const Spec& spec) {
  xml.begin("keyframe");
  write_all(xml, "key", spec.keys);
  xml.end_unless_empty();
}

}  // namespace corten::mjcf::detail
