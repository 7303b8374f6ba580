// SPDX-License-Identifier: Apache-2.0
//
// <composite>. The cable is the only type left in MuJoCo 3.12.
#pragma once

#include <corten/core/list.hpp>
#include <corten/core/optional.hpp>
#include <corten/mjcf/read_frame.hpp>
#include <corten/spec/cable.hpp>

#include <cmath>
#include <string>
#include <string_view>

namespace corten::mjcf {

namespace detail {

// the attributes of <composite>
struct Composite {
  std::string type, curve;
  Optional<List<int>> count;
  Optional<List<double>> vertex;
  Optional<spec::Numbers<3>> offset;
  Optional<spec::Numbers<4>> quat;
  spec::Leading<3> size;  // length, radius, half turns
};

// one coordinate of point i of n on the curve; returns false if the shape is unknown
CORTEN_COLD bool curve_at(std::string_view shape, const spec::Numbers<3>& size, int i, int n,
                          double& out) {
  const double angle = 3.14159265358979323846 * i * size[2] / (n - 1);
  if (shape == "s") {
    out = i * size[0] / (n - 1);
  } else if (shape == "cos(s)") {
    out = size[1] * std::cos(angle);
  } else if (shape == "sin(s)") {
    out = size[1] * std::sin(angle);
  } else {
    out = 0;
    return shape == "0";
  }
  return true;
}

// the points of the cable: as written, or on the curve
CORTEN_COLD void read_points(AttributeReader& reader, const Composite& c, List<float>& out) {
  List<int> count = c.count.value_or(List<int>{1});
  count.resize(3, 1);
  const bool straight = count[1] == 1 && count[2] == 1;
  if (c.count && (c.count->size() > 3 || count[0] < 1 || !straight)) {
    return reader.fail("count", "a cable takes one positive count");
  }
  if (c.vertex && !c.vertex->empty()) {
    if (count[0] > 1) return reader.fail("count", "'count' and 'vertex' exclude each other");
    for (std::size_t i = 0; i + 2 < c.vertex->size(); i += 3) {
      for (std::size_t k = 0; k < 3; ++k) out.push_back(static_cast<float>((*c.vertex)[i + k]));
    }
    return;
  }
  if (count[0] > spec::max_cable_bodies) return reader.fail("count", "count is too large");
  const spec::Numbers<3> size = c.size.value_or({1, 0, 0});
  if (size[0] * size[0] + size[1] * size[1] + size[2] * size[2] < 1e-15) {
    return reader.fail("size", "the size of a cable must be positive");
  }
  const List<std::string_view> shapes = words_of(c.curve);
  if (shapes.size() > 3) return reader.fail("curve", "curve has more than three coordinates");
  spec::Quatd quat = unit_quat<double>();
  for (int k = 0; c.quat && k < 4; ++k) quat[k] = (*c.quat)[static_cast<std::size_t>(k)];
  for (int i = 0; i < count[0]; ++i) {
    spec::Vec3d v = spec::Vec3d::Zero();
    for (std::size_t k = 0; k < shapes.size(); ++k) {
      if (!curve_at(shapes[k], size, i, count[0], v[static_cast<int>(k)])) {
        return reader.fail("curve",
                           "'" + std::string(shapes[k]) + "' is not a coordinate of a curve",
                           "use s, cos(s), sin(s) or 0");
      }
    }
    v = rotate(quat, v);
    for (int k = 0; k < 3; ++k) out.push_back(static_cast<float>(v[k]));
  }
}

CORTEN_COLD void read_cable_joint(Context& context, const XmlElement& xml,
                                  const std::string& parent, spec::Joint& joint) {
  std::string kind;
  Optional<double> stiffness, damping;
  AttributeReader reader(context, xml, path_of(parent, xml));
  reader({"kind", spec::required}, kind);
  reader("stiffness", stiffness);
  reader("damping", damping);
  reader.read(joint,
              "group armature range margin solreflimit solimplimit frictionloss solreffriction "
              "solimpfriction");

  // MuJoCo 3.12 reads these but does not use them
  spec::Leading<2> solreffix;
  spec::Leading<5> solimpfix;
  spec::Joint unused;
  reader("solreffix", solreffix);
  reader("solimpfix", solimpfix);
  reader.read(unused, "type axis limited");
  reader.finish();
  if (kind != "main") reader.fail("kind", "'" + kind + "' is not a kind of joint", "use main");
  if (stiffness) joint.stiffness = {*stiffness};
  if (damping) joint.damping = {*damping};
  no_children(context, xml, path_of(parent, xml));
}

CORTEN_COLD void read_cable_geom(Context& context, const XmlElement& xml, const std::string& parent,
                                 spec::Geom& geom) {
  AttributeReader reader(context, xml, path_of(parent, xml));
  reader.read(geom,
              "type contype conaffinity condim group priority size material rgba friction mass "
              "density solmix solref solimp margin gap surfacevel adhesion");
  reader.finish();
  no_children(context, xml, path_of(parent, xml));
}

CORTEN_COLD void read_cable_site(Context& context, const XmlElement& xml, const std::string& parent,
                                 spec::Site& site) {
  AttributeReader reader(context, xml, path_of(parent, xml));
  reader.read(site, "group size material rgba");
  reader.finish();
  no_children(context, xml, path_of(parent, xml));
}

// checks the attribute names only, as skins are for renderers
CORTEN_COLD void read_cable_skin(Context& context, const XmlElement& xml,
                                 const std::string& parent) {
  AttributeReader reader(context, xml, path_of(parent, xml));
  for (const char* name : {"texcoord", "material", "group", "rgba", "inflate", "subgrid"}) {
    reader.accept(name);
  }
  reader.finish();
  no_children(context, xml, path_of(parent, xml));
}

inline constexpr schema::Children composite{.many = "joint",
                                            .once = "skin geom site",
                                            .not_yet = "plugin"};

}  // namespace detail

CORTEN_COLD void read_composite(Context& context, const XmlElement& xml, const std::string& parent,
                                const Place& place) {
  spec::Element by;
  by.where = xml.where();
  by.path = path_of(parent, xml);
  detail::Composite c;
  spec::Cable cable;
  cable.joint.group = cable.site.group = 3;
  AttributeReader reader(context, xml, by.path);
  reader("prefix", cable.prefix);
  reader({"type", spec::required}, c.type);
  reader("count", c.count);
  reader("offset", c.offset);
  reader("vertex", c.vertex);
  reader("initial", cable.initial);
  reader("curve", c.curve);
  reader("size", c.size);
  reader("quat", c.quat);
  reader.finish();
  if (context.failed(xml)) return;
  if (c.type != "cable") {
    const bool gone = schema::contains("particle grid rope loop cloth", c.type);
    return reader.fail("type",
                       gone ? "composite type '" + c.type + "' is no longer in MuJoCo"
                            : "unknown composite type '" + c.type.substr(0, 40) + "'",
                       "use a cable, <replicate> or <flexcomp>");
  }
  int joints = 0;
  for_children(context, xml, by.path, detail::composite, [&](const XmlElement& child) {
    if (child.name == "skin") return detail::read_cable_skin(context, child, by.path);
    if (child.name == "geom") return detail::read_cable_geom(context, child, by.path, cable.geom);
    if (child.name == "site") return detail::read_cable_site(context, child, by.path, cable.site);
    if (++joints > 1) return context.fail(xml, by.error("a cable can have at most one <joint>"));
    detail::read_cable_joint(context, child, by.path, cable.joint);
  });
  if (!context.failed(xml)) detail::read_points(reader, c, cable.points);
  if (context.failed(xml)) return;
  cable.offset = c.offset.value_or(cable.offset);
  if (auto done = spec::add_cable(context.spec, place.body, place.frame, cable, by); !done) {
    context.fail(xml, done.error());
  }
}

}  // namespace corten::mjcf
