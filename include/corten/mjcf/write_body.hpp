// SPDX-License-Identifier: Apache-2.0
//
// Writes bodies with their frames and elements.
#pragma once

#include <corten/core/list.hpp>
#include <corten/core/result.hpp>
#include <corten/mjcf/xml_writer.hpp>
#include <corten/spec/spec.hpp>

namespace corten::mjcf::detail {

// Opens and closes frames. Elements are numbered in the order of the text, so the order of each
// list must be preserved. Therefore a frame is opened when the next element is in it, and closed
// when the next one is not; it may be written several times.
class FrameWriter {
 public:
  FrameWriter(XmlWriter& xml, const spec::Body& body)
      : xml_(xml), body_(body), named_(body.frames.size(), false) {}

  CORTEN_COLD void enter(int frame) {
    List<int> path;
    for (int f = frame; f >= 0; f = body_.frames[static_cast<std::size_t>(f)].frame) {
      path.insert(path.begin(), f);
    }
    std::size_t same = 0;
    while (same < path.size() && same < open_.size() && path[same] == open_[same]) ++same;
    while (open_.size() > same) leave();
    for (std::size_t i = same; i < path.size(); ++i) {
      const auto index = static_cast<std::size_t>(path[i]);
      spec::Frame copy = body_.frames[index];
      if (named_[index]) copy.name.clear();
      named_[index] = true;
      xml_.begin("frame");
      xml_.attributes(copy);
      open_.push_back(path[i]);
    }
  }

  // Writes empty frames too, as something may be attached to them later.
  CORTEN_COLD void finish() {
    for (std::size_t i = 0; i < named_.size(); ++i) {
      if (!named_[i]) enter(static_cast<int>(i));
    }
    enter(-1);
  }

 private:
  void leave() {
    xml_.end();
    open_.pop_back();
  }

  XmlWriter& xml_;
  const spec::Body& body_;
  List<int> open_;
  List<bool> named_;
};

inline Result<void> write_body(XmlWriter& xml, const spec::Body& body);

CORTEN_COLD Result<void> write_children(XmlWriter& xml, const spec::Body& body) {
  FrameWriter frames(xml, body);
  const auto element = [&](const char* tag, const auto& e, unsigned kinds = spec::any_kind) {
    frames.enter(e.frame);
    xml.element(tag, e, kinds);
  };
  for (const spec::Joint& e : body.joints) {
    if (e.is_freejoint) {
      element("freejoint", e, spec::Joint::kind_freejoint);
    } else {
      element("joint", e, spec::Joint::kind_joint);
    }
  }
  for (const spec::Geom& e : body.geoms) {
    if (e.grid != nullptr)
      return e.error("a distance grid set in code cannot be written", "use a mesh instead");
    element("geom", e);
  }
  for (const spec::Site& e : body.sites) element("site", e);
  for (const spec::Camera& e : body.cameras) element("camera", e);
  for (const spec::Light& e : body.lights) element("light", e);
  for (const spec::Body& e : body.bodies) {
    frames.enter(e.frame);
    if (auto done = write_body(xml, e); !done) return done;
  }
  frames.finish();
  return {};
}

inline Result<void> write_body(XmlWriter& xml, const spec::Body& body) {
  if (!body.class_name.empty()) return body.error("a body cannot have a class, only a childclass");
  xml.begin("body");
  xml.attributes(body);
  if (body.inertial) xml.element("inertial", *body.inertial);
  if (auto done = write_children(xml, body); !done) return done;
  xml.end();
  return {};
}

}  // namespace corten::mjcf::detail
