// SPDX-License-Identifier: Apache-2.0
//
// <frame>, <replicate> and <attach>, which structure the body tree but are not part of the model.
#pragma once

#include <corten/core/list.hpp>
#include <corten/mjcf/read_element.hpp>
#include <corten/spec/attach.hpp>
#include <corten/spec/orientation.hpp>

#include <string>
#include <utility>

namespace corten::mjcf {

// where children are added: a body, or one of its frames
struct Place {
  spec::Body& body;
  int frame = -1;
  bool is_world = false;
};

// in read_body.hpp
void read_body_children(Context& context, const XmlElement& xml, const std::string& path,
                        const Place& place);

CORTEN_COLD void read_frame(Context& context, const XmlElement& xml, const std::string& parent,
                            const Place& place) {
  const Context::Unchecked unchecked(context);
  const int index = static_cast<int>(place.body.frames.size());
  spec::Frame& frame = place.body.frames.emplace_back();
  frame.frame = place.frame;
  read_element(context, xml, parent, "frame", frame);
  check_class(context, xml, frame.path, "childclass", frame.childclass);
  const std::string path = frame.path;
  read_body_children(context, xml, path, {place.body, index, place.is_world});
}

namespace detail {

// the frames of the copies, each offset and rotated relative to the previous one
CORTEN_COLD void replicate_frames(Context& context, const XmlElement& xml,
                                  const spec::Replicate& how, List<spec::Frame>& out) {
  const spec::AngleUnit unit(context.spec.compiler);
  const spec::Numbers<3> euler = how.euler.value_or(spec::Numbers<3>{0, 0, 0});
  const spec::Vec3d offset = spec::to_vec(how.offset.value_or(spec::Numbers<3>{0, 0, 0}));
  spec::Vec3d pos = spec::Vec3d::Zero();
  for (int i = 0; i < *how.count; ++i) {
    spec::Frame frame;
    frame.pos = spec::Numbers<3>{pos[0], pos[1], pos[2]};
    // multiply the angles, because a product of many rotations would be less exact
    spec::Quatd quat;
    if (how.euler) {
      frame.orientation.euler = spec::Numbers<3>{i * euler[0], i * euler[1], i * euler[2]};
    }
    const auto done = spec::read_orientation(unit, frame.orientation, quat);
    if (!done) return context.fail(xml, how.error(done.error().message));
    pos += to_matrix(quat) * offset;
    out.push_back(std::move(frame));
  }
}

}  // namespace detail

// Reads the contents into a frame of a temporary body, which copies of that frame then replace.
CORTEN_COLD void read_replicate(Context& context, const XmlElement& xml, const std::string& parent,
                                const Place& place) {
  const Context::Unchecked unchecked(context);
  spec::Replicate how;
  how.extensions = context.options.extensions;
  how.where = xml.where();
  how.path = path_of(parent, xml);
  AttributeReader reader(context, xml, how.path);
  reader.read(how);
  reader.finish();
  check_class(context, xml, how.path, "childclass", how.childclass);
  if (context.failed(xml)) return;
  if (*how.count < 0) return reader.fail("count", "count cannot be negative");
  if (static_cast<std::size_t>(*how.count) > spec::max_elements) {
    return reader.fail("count", "count cannot exceed " + std::to_string(spec::max_elements));
  }

  spec::Body& original = place.body.bodies.emplace_back();
  original.frames.emplace_back().childclass = how.childclass;
  const Context::Names names = context.names();  // to free the original's names afterwards
  read_body_children(context, xml, how.path, {original, 0, place.is_world});
  context.set_names(names);
  List<spec::Frame> frames;
  if (!context.errors.empty()) return;  // copies would repeat the errors
  detail::replicate_frames(context, xml, how, frames);
  if (context.failed(xml)) return;
  if (auto done = spec::replicate(context.spec, place.body, place.frame, how, frames); !done) {
    context.fail(xml, done.error());
  }
}

// attaches a part of another model, or of this one
CORTEN_COLD void read_attach(Context& context, const XmlElement& xml, const std::string& parent,
                             const Place& place) {
  spec::Element by;
  by.where = xml.where();
  by.path = path_of(parent, xml);
  spec::Attachment what;
  what.extensions = context.options.extensions;
  std::string model;
  AttributeReader reader(context, xml, by.path);
  reader("model", model);
  reader("body", what.body);
  reader("frame", what.frame);
  reader({"prefix", spec::required}, what.prefix);
  reader.finish();
  reader.exclusive({"body", "frame"});
  no_children(context, xml, by.path);
  if (!context.errors.empty()) return;  // errors of the attached model come first
  const Spec* from = &context.spec;
  if (reader.given("model")) {
    List<std::string_view> known;
    from = nullptr;
    for (const Spec& s : context.models) {
      known.push_back(s.model_name);
      if (from == nullptr && s.model_name == model) from = &s;
    }
    if (from == nullptr) {
      return reader.fail("model", "unknown model '" + model + "'", spec::suggest(model, known));
    }
  } else if (what.body.empty() && what.frame.empty()) {
    return context.fail(xml, by.error("body or frame must be given if model is not"));
  }
  if (auto done = spec::attach(context.spec, place.body, place.frame, *from, what, by); !done) {
    context.fail(xml, done.error());
  }
}

}  // namespace corten::mjcf
