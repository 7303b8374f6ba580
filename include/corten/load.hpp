// SPDX-License-Identifier: Apache-2.0
//
// From an MJCF file or text to a model in one call:
//
//   corten::Result<corten::Model<double>> model = corten::load("humanoid.xml");
//   if (!model) std::puts(model.error().to_string().c_str());
//
// The longer way round, to edit what was read: mjcf::parse_file, compile, bind.
#pragma once

#include <corten/core/result.hpp>
#include <corten/model/model.hpp>

#include <string>

namespace corten {

// A model that the default policies can step. Paths of included files start from the file's directory.
CORTEN_HOST Result<Model<double>> load(const std::string& path);

// The same from text. Paths of included files start from the current directory.
CORTEN_HOST Result<Model<double>> load_string(const std::string& text);

}  // namespace corten

#ifndef CORTEN_EXTERN_TEMPLATES
#include <corten/load_impl.hpp>
#endif
