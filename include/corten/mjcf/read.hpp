// SPDX-License-Identifier: Apache-2.0
//
// MJCF text to Spec:
//
//   corten::Result<corten::Spec> spec = corten::mjcf::parse_file("humanoid.xml");
//   if (!spec) std::puts(spec.error().to_string().c_str());
//
// The result is a whole spec or an error with file, line and column; nothing escapes as an
// exception, whatever the text.
#pragma once

#include <string>
#include <string_view>

#include <corten/core/result.hpp>
#include <corten/mjcf/options.hpp>
#include <corten/spec/spec.hpp>

namespace corten::mjcf {

// Reads MJCF text. Includes are found as the options say.
CORTEN_HOST Result<Spec> parse(std::string_view text, const ReadOptions& options = {});

// Reads an MJCF file. Messages call it by `path`, and includes start from its directory, unless
// the options say otherwise.
CORTEN_HOST Result<Spec> parse_file(const std::string& path, const ReadOptions& options = {});

}  // namespace corten::mjcf

#ifndef CORTEN_EXTERN_TEMPLATES
#include <corten/mjcf/read_impl.hpp>
#endif
