// SPDX-License-Identifier: Apache-2.0
//
// Reads MJCF text into a Spec:
//
//   corten::Result<corten::Spec> spec = corten::mjcf::parse_file("humanoid.xml");
//   if (!spec) std::puts(spec.error().to_string().c_str());
//
// The result is a complete spec, or an error with file, line and column. No text, however broken,
// causes an exception.
#pragma once

#include <string>
#include <string_view>

#include <corten/core/result.hpp>
#include <corten/mjcf/options.hpp>
#include <corten/spec/spec.hpp>

namespace corten::mjcf {

// Reads MJCF text. The options say where includes are found.
CORTEN_HOST Result<Spec> parse(std::string_view text, const ReadOptions& options = {});

// Reads an MJCF file. Unless the options say otherwise, messages call it `path`, and includes are
// relative to its directory.
CORTEN_HOST Result<Spec> parse_file(const std::string& path, const ReadOptions& options = {});

}  // namespace corten::mjcf

#ifndef CORTEN_EXTERN_TEMPLATES
#include <corten/mjcf/read_impl.hpp>
#endif
