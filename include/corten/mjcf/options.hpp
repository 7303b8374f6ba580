// SPDX-License-Identifier: Apache-2.0
//
// Options for reading MJCF.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include <corten/spec/extensions.hpp>

namespace corten::mjcf {

struct ReadOptions {
  // the name of the text in messages
  std::string file = {};
  // where relative includes are looked up first; parse_file uses the directory of the file
  std::string directory = {};
  // Unknown elements, attributes and default classes, and surplus numbers, become warnings in
  // Spec::warnings. Features of MuJoCo that corten lacks are still errors.
  bool lenient = false;
  // What MuJoCo silently ignores becomes an error instead of a warning: several targets of an
  // actuator, unknown attributes of frames, text between elements.
  bool strict = false;
  // returns the content of a file; by default files are read from disk
  std::function<std::optional<std::string>(const std::string& path)> load = {};
  // user-defined kinds of joints, geoms and equality constraints
  const Extensions* extensions = nullptr;
};

}  // namespace corten::mjcf
