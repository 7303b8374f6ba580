// SPDX-License-Identifier: Apache-2.0
//
// <worldbody> and everything in it.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <corten/mjcf/read_composite.hpp>
#include <corten/mjcf/read_element.hpp>
#include <corten/mjcf/read_flex.hpp>
#include <corten/mjcf/read_frame.hpp>

namespace corten::mjcf {

namespace detail {

// `directional` of a light is the older form of `type`
CORTEN_COLD void unify_light_type(Context& context, const XmlElement& xml, spec::Light& light) {
  AttributeReader(context, xml, light.path).exclusive({"directional", "type"});
  if (light.directional) {
    light.type = *light.directional ? spec::LightType::directional : spec::LightType::spot;
    light.directional.reset();
  }
}

}  // namespace detail

CORTEN_COLD void read_inertial(Context& context, const XmlElement& xml, const std::string& parent,
                               spec::Body& body) {
  spec::Inertial inertial;
  inertial.where = xml.where();
  inertial.path = path_of(parent, xml);
  AttributeReader reader(context, xml, inertial.path);
  reader.read(inertial);
  reader.finish();
  for (const char* orientation : {"quat", "axisangle", "euler", "xyaxes", "zaxis"}) {
    reader.exclusive({"fullinertia", orientation});
  }
  no_children(context, xml, inertial.path);
  body.inertial = std::move(inertial);
}

CORTEN_COLD void read_joint(Context& context, const XmlElement& xml, const std::string& parent,
                            spec::Body& body) {
  const bool is_freejoint = xml.name == "freejoint";
  spec::Joint& joint = body.joints.emplace_back();
  joint.is_freejoint = is_freejoint;
  if (is_freejoint) joint.type = JointType::free;
  read_element(context, xml, parent, "joint", joint,
               is_freejoint ? spec::Joint::kind_freejoint : spec::Joint::kind_joint);
  no_children(context, xml, joint.path);
}

inline void read_geom(Context& context, const XmlElement& xml, const std::string& parent,
                      spec::Body& body) {
  spec::Geom& geom = body.geoms.emplace_back();
  read_element(context, xml, parent, "geom", geom);
  for_children(context, xml, geom.path, schema::geom, [](const XmlElement&) {});
}

inline void read_site(Context& context, const XmlElement& xml, const std::string& parent,
                      spec::Body& body) {
  spec::Site& site = body.sites.emplace_back();
  read_element(context, xml, parent, "site", site);
  no_children(context, xml, site.path);
}

inline void read_camera(Context& context, const XmlElement& xml, const std::string& parent,
                        spec::Body& body) {
  spec::Camera& camera = body.cameras.emplace_back();
  read_element(context, xml, parent, "camera", camera);
  AttributeReader(context, xml, camera.path).exclusive({"fovy", "sensorsize"});
  no_children(context, xml, camera.path);
}

inline void read_light(Context& context, const XmlElement& xml, const std::string& parent,
                       spec::Body& body) {
  spec::Light& light = body.lights.emplace_back();
  read_element(context, xml, parent, "light", light);
  detail::unify_light_type(context, xml, light);
  no_children(context, xml, light.path);
}

inline void read_body(Context& context, const XmlElement& xml, const std::string& parent,
                      spec::Body& body);

// puts the last element of a list into a frame
template <class T>
void set_frame(spec::ElementsOf<T>& elements, int frame) {
  if (!elements.empty()) elements.back().frame = frame;
}

// reads the children of a body, of the world, or of a frame in them
inline void read_body_children(Context& context, const XmlElement& xml, const std::string& path,
                               const Place& place) {
  spec::Body& body = place.body;
  const bool is_world = place.is_world;
  for_children(context, xml, path, schema::body, [&](const XmlElement& child) {
    const std::string_view name = child.name;
    if (is_world && (name == "joint" || name == "freejoint" || name == "inertial")) {
      return context.fail(child, path_of(path, child),
                          "the world cannot have <" + std::string(name) + ">",
                          "put it into a <body>");
    }
    if (name == "frame") return read_frame(context, child, path, place);
    if (name == "attach") return read_attach(context, child, path, place);
    if (name == "composite") return read_composite(context, child, path, place);
    if (name == "flexcomp") return read_flexcomp(context, child, path, body);
    if (name == "replicate") return read_replicate(context, child, path, place);
    if (name == "inertial") return read_inertial(context, child, path, body);
    if (name == "joint" || name == "freejoint") {
      read_joint(context, child, path, body);
      return set_frame(body.joints, place.frame);
    }
    if (name == "geom") {
      read_geom(context, child, path, body);
      return set_frame(body.geoms, place.frame);
    }
    if (name == "site") {
      read_site(context, child, path, body);
      return set_frame(body.sites, place.frame);
    }
    if (name == "camera") {
      read_camera(context, child, path, body);
      return set_frame(body.cameras, place.frame);
    }
    if (name == "light") {
      read_light(context, child, path, body);
      return set_frame(body.lights, place.frame);
    }
    if (name == "body") {
      spec::Body& added = body.bodies.emplace_back();
      added.frame = place.frame;
      read_body(context, child, path, added);
    }
  });
}

// the recursion is bounded: the XML is at most max_xml_depth deep
inline void read_body(Context& context, const XmlElement& xml, const std::string& parent,
                      spec::Body& body) {
  read_element(context, xml, parent, "body", body);
  check_class(context, xml, body.path, "childclass", body.childclass);
  read_body_children(context, xml, body.path, {body});
}

CORTEN_COLD void read_worldbody(Context& context, const XmlElement& xml,
                                const std::string& parent) {
  spec::Body& world = context.spec.world;
  world.where = xml.where();
  world.path = path_of(parent, xml);
  if (!xml.attributes.empty()) {
    const XmlAttribute& first = xml.attributes[0];
    context.complain(xml, Error{xml.where(first), world.path, "<worldbody> takes no attributes"});
  }
  read_body_children(context, xml, world.path, {world, -1, true});
}

}  // namespace corten::mjcf
