// SPDX-License-Identifier: Apache-2.0
//
// The implementation of read.hpp, in a file of its own so that corten::precompiled can compile it
// once.
#pragma once

#include <algorithm>
#include <exception>
#include <string>
#include <string_view>
#include <utility>

#include <corten/core/errors.hpp>
#include <corten/core/list.hpp>
#include <corten/mjcf/context.hpp>
#include <corten/mjcf/include.hpp>
#include <corten/mjcf/read.hpp>
#include <corten/mjcf/read_body.hpp>
#include <corten/mjcf/read_equality.hpp>
#include <corten/mjcf/read_global.hpp>
#include <corten/mjcf/read_parts.hpp>
#include <corten/mjcf/xml.hpp>
#include <corten/spec/spec_impl.hpp>

namespace corten::mjcf {

namespace detail {

CORTEN_COLD void read_section(Context& context, const XmlElement& xml, const std::string& path) {
  const std::string_view name = xml.name;
  if (name == "compiler") return read_compiler(context, xml, path);
  if (name == "option") return read_option(context, xml, path);
  if (name == "size") return read_size(context, xml, path);
  if (name == "statistic") return read_statistic(context, xml, path);
  if (name == "visual") return read_visual(context, xml, path);
  if (name == "asset") return read_asset(context, xml, path);
  if (name == "contact") return read_contact(context, xml, path);
  if (name == "tendon") return read_tendon(context, xml, path);
  if (name == "equality") return read_equality(context, xml, path);
  if (name == "actuator") return read_actuator(context, xml, path);
  if (name == "sensor") return read_sensor(context, xml, path);
  if (name == "custom") return read_custom(context, xml, path);
  if (name == "extension") return read_extension(context, xml, path);
  if (name == "deformable") return read_deformable(context, xml, path);
  if (name == "keyframe") return read_keyframe(context, xml, path);
}

// Default classes are read first, wherever they are written, because the rest refers to them.
CORTEN_COLD void read_mujoco(Context& context, const XmlElement& xml) {
  const std::string path(xml.name);
  if (xml.name != "mujoco") {
    return context.fail(xml, path, "the root element is not <mujoco>",
                        xml.name == "robot" ? "URDF is not supported" : "");
  }
  AttributeReader reader(context, xml, path);
  reader("model", context.spec.model_name);
  reader.finish();
  spec::Element world;
  world.name = context.spec.world.name;
  context.claim("body", xml, world);
  for (const XmlElement& child : xml.children) {
    if (context.stopped()) return;
    if (child.name == "default") read_default(context, child, path);
  }
  for_children(context, xml, path, schema::mujoco, [&](const XmlElement& child) {
    if (child.name != "worldbody") read_section(context, child, path);
  });
  // the tree comes last, because copying its parts also copies the elements that refer to them
  for (const XmlElement& child : xml.children) {
    if (context.stopped()) return;
    if (child.name == "worldbody") read_worldbody(context, child, path);
  }
  load_assets(context);
}

// `parents` are the files that contain this text as a model
inline Result<Spec> parse_text(std::string_view text, const ReadOptions& options,
                               const List<std::string>& parents) {
  Context context;
  context.options = options;
  context.parents = parents;
  context.spec.lenient = options.lenient;
  context.spec.directory = join(options.directory, {});
  if (!context.spec.directory.empty()) context.spec.directory += '/';
  Result<XmlElement> root = parse_xml(options.file, text);
  if (!root) return root.error();
  Includer(context, options.file).expand(*root, options.directory);
  if (context.errors.empty()) read_mujoco(context, *root);
  sort_by_place(context.spec.warnings);
  if (options.strict) context.errors.append(context.spec.warnings);
  if (!context.errors.empty()) return as_one(std::move(context.errors));
  return std::move(context.spec);
}

// Reading itself throws nothing, but memory may run out, and a loader of the program may throw.
template <class Read>
Result<Spec> guarded([[maybe_unused]] const std::string& file, const Read& read) {
#ifdef __cpp_exceptions
  try {
    return read();
  } catch (const std::exception& e) {
    return Error{{file, 0, 0}, {}, std::string("cannot read the model: ") + e.what()};
  }
#else
  return read();
#endif
}

}  // namespace detail

CORTEN_HOST Result<Spec> parse(std::string_view text, const ReadOptions& options) {
  return detail::guarded(options.file, [&] { return detail::parse_text(text, options, {}); });
}

CORTEN_HOST Result<Spec> parse_file(const std::string& path, const ReadOptions& options) {
  return detail::guarded(path, [&]() -> Result<Spec> {
    const std::optional<std::string> text = options.load ? options.load(path) : load_file(path);
    if (!text) return Error{{path, 0, 0}, {}, "cannot read the file"};
    ReadOptions adapted = options;
    if (adapted.file.empty()) adapted.file = path;
    if (adapted.directory.empty()) adapted.directory = detail::directory_of(path);
    return detail::parse_text(*text, adapted, {});
  });
}

}  // namespace corten::mjcf
