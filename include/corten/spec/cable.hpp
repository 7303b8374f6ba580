// SPDX-License-Identifier: Apache-2.0
//
// A cable, as <composite type="cable"> makes it: a chain of bodies along a curve, one for each edge
// between two points. Each body has a ball joint and a geom, and there is a site at either end of
// the cable.
#pragma once

#include <corten/core/list.hpp>
#include <corten/spec/orientation.hpp>
#include <corten/spec/spec.hpp>

#include <string>

namespace corten::spec {

// a limit, since every body of a chain adds one level of nesting
inline constexpr int max_cable_bodies = 4096;

struct Cable {
  std::string prefix;
  List<float> points;  // of the curve, three numbers each; float, as in MuJoCo
  Numbers<3> offset{0, 0, 0};
  std::string initial = "ball";  // what holds the first body: ball, free or none
  Geom geom;                     // capsule, cylinder or box; takes the length of the edge
  Joint joint;
  Site site;
};

namespace detail {

// an empty default class, for elements that must not inherit anything; created if needed
CORTEN_COLD std::string without_class(Spec& spec) {
  const std::string name = "composite/none";
  if (spec.find_default(name) < 0) {
    Default& blank = spec.defaults.emplace_back();
    blank.name = name;
    blank.parent = 0;
  }
  return name;
}

// from point i to the next, subtracted in float
inline Vec3d edge(const Cable& cable, int i) {
  const float* p = cable.points.data() + 3 * i;
  Vec3d out;
  for (int k = 0; k < 3; ++k) out[k] = static_cast<double>(p[3 + k] - p[k]);
  return out;
}

// A frame that moves along the curve without twisting (a discrete Bishop frame): x points along the
// edge, and y is the previous frame's normal, rotated as the edge turns.
struct MovingFrame {
  Vec3d normal{0, 1, 0};

  CORTEN_COLD Quatd advance(const Cable& cable, int i, int bodies) {
    Vec3d tangent = edge(cable, i), binormal;
    normalized(tangent);
    if (i == 0) {
      Vec3d next = i + 1 < bodies ? edge(cable, i + 1) : Vec3d::Zero();
      normalized(next);
      binormal = cross(tangent, next);
      normalized(binormal);
      normal = cross(binormal, tangent);
    } else {
      Vec3d previous = edge(cable, i - 1);
      normalized(previous);
      binormal = cross(previous, tangent);
      const double sine = normalized(binormal);
      normal = rotate(axis_angle(binormal, std::atan2(sine, previous.dot(tangent))), normal);
    }
    normalized(normal);
    if (i > 0) {
      binormal = cross(tangent, normal);
      normalized(binormal);
    }
    return from_matrix(Mat3d::from_columns(tangent, normal, binormal));
  }
};

CORTEN_COLD std::string cable_part(int i, int last) {
  if (i == 0) return "first";
  return i == last ? "last" : std::to_string(i);
}

CORTEN_COLD void add_cable_geom(const Cable& cable, int i, double length, Body& body) {
  Geom& geom = body.geoms.push_back(cable.geom);
  geom.name = cable.prefix + "G" + std::to_string(i);
  if (geom.type == GeomType::box) {
    geom.pos = Numbers<3>{length / 2, 0, 0};
    Numbers<3> size = geom.size.value_or({0, 0, 0});
    size[0] = length / 2;
    geom.size = Leading<3>::all(size);
  } else {
    geom.fromto = Numbers<6>{0, 0, 0, length, 0, 0};
  }
}

CORTEN_COLD void add_cable_joint(const Cable& cable, int i, int last, Body& body) {
  if (i == 0 && cable.initial == "none") return;
  Joint& joint = body.joints.push_back(cable.joint);
  joint.name = cable.prefix + "J_" + cable_part(i, last);
  joint.type = i == 0 && cable.initial == "free" ? JointType::free : JointType::ball;
  if (joint.type == JointType::ball) return;
  joint.damping = {0, 0, 0};
  joint.armature = joint.frictionloss = 0;
}

}  // namespace detail

// Adds a cable to a frame of a body (-1: the body itself). `by` is the element that requests it,
// for messages.
CORTEN_COLD Result<void> add_cable(Spec& spec, Body& parent, int frame, Cable cable,
                                   const Element& by = {}) {
  const int points = static_cast<int>(cable.points.size() / 3), last = points - 2;
  if (points < 2) return by.error("a cable needs at least two points");
  if (points > max_cable_bodies) {
    return by.error("a cable can have at most " + std::to_string(max_cable_bodies) + " points");
  }
  const GeomType type = cable.geom.type.value_or(GeomType::sphere);
  if (type != GeomType::capsule && type != GeomType::cylinder && type != GeomType::box) {
    return by.error("the geoms of a cable must be capsules, cylinders or boxes");
  }
  for (Element* e : {static_cast<Element*>(&cable.geom), static_cast<Element*>(&cable.joint),
                     static_cast<Element*>(&cable.site)}) {
    e->class_name = detail::without_class(spec);
    e->where = by.where;
    e->path = by.path;
  }
  Text& text = spec.texts.emplace_back();
  text.name = "composite_" + cable.prefix;
  text.data = "rope_" + cable.prefix;

  detail::MovingFrame moving;
  Quatd before = unit_quat<double>();
  double length = 0;
  Body* body = &parent;
  for (int i = 0; i <= last; ++i) {
    const Quatd quat = moving.advance(cable, i, last + 1);
    body = &body->bodies.emplace_back();
    body->where = by.where;
    body->path = by.path;
    body->name = cable.prefix + "B_" + detail::cable_part(i, last);
    const Quatd turn = i == 0 ? quat : product(conjugate(before), quat);
    body->orientation.quat = Numbers<4>{turn[0], turn[1], turn[2], turn[3]};
    body->pos = Numbers<3>{length, 0, 0};
    if (i == 0) {
      body->frame = frame;
      for (std::size_t k = 0; k < 3; ++k) {
        (*body->pos)[k] = cable.offset[k] + static_cast<double>(cable.points[k]);
      }
    }
    const Vec3d along = detail::edge(cable, i);
    length = std::sqrt(along.squaredNorm());
    detail::add_cable_geom(cable, i, length, *body);
    detail::add_cable_joint(cable, i, last, *body);
    if (i < last) {
      Exclude& exclude = spec.excludes.emplace_back();
      exclude.body1 = body->name;
      exclude.body2 = cable.prefix + "B_" + detail::cable_part(i + 1, last);
    }
    if (i == 0 || i == last) {
      Site& site = body->sites.push_back(cable.site);
      site.name = cable.prefix + "S_" + detail::cable_part(i, last);
      site.pos = Numbers<3>{i == last ? length : 0, 0, 0};
    }
    before = quat;
  }
  return {};
}

}  // namespace corten::spec
