// SPDX-License-Identifier: Apache-2.0
//
// Spec to MJCF text:
//
//   corten::Result<std::string> text = corten::mjcf::write(spec);
//
// Reading the text gives the same model. Attributes are written as they are in the spec, with as many
// digits as it takes to read the same numbers; default classes stay classes, each with what differs from
// its parent. Includes, replicates, composites and attached parts are written as the elements that they
// stand for. What MJCF cannot say is an error that names it.
#pragma once

#include <string>

#include <corten/core/result.hpp>
#include <corten/spec/spec.hpp>

namespace corten::mjcf {

CORTEN_HOST Result<std::string> write(const Spec& spec);

}  // namespace corten::mjcf

#ifndef CORTEN_EXTERN_TEMPLATES
#include <corten/mjcf/write_impl.hpp>
#endif
