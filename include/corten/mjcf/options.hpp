// SPDX-License-Identifier: Apache-2.0
//
// How MJCF is read.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include <corten/spec/extensions.hpp>

namespace corten::mjcf {

struct ReadOptions {
  // what the text is called in messages
  std::string file = {};
  // where relative includes are looked up first; parse_file takes the directory of the file
  std::string directory = {};
  // Unknown elements, attributes and default classes, and numbers too many, become warnings in
  // Spec::warnings. What MuJoCo has and corten lacks stays an error.
  bool lenient = false;
  // What MuJoCo passes over becomes an error instead of a warning: several targets of an actuator, unknown
  // attributes of frames, text between elements.
  bool strict = false;
  // the content of a file to include; empty: files on disk
  std::function<std::optional<std::string>(const std::string& path)> load = {};
  // kinds of joints and geoms that the library does not bring
  const Extensions* extensions = nullptr;
};

}  // namespace corten::mjcf
