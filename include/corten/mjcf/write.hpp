// SPDX-License-Identifier: Apache-2.0
//
// Spec to MJCF text:
//
//   corten::Result<std::string> text = corten::mjcf::write(spec);
//
// Reading the text gives the same model. Attributes are written as they are in the spec, with as many
// digits as it takes to read the same numbers; default classes stay classes, each with what differs from
// its parent. Includes, replicates, composites and attached parts are written as the elements that they
// stand for; where these are under other settings than the rest, angles and orientations are in radians and
// quaternions throughout. What MJCF cannot say is an error that names it. Joints of your own kinds need the
// extensions that they are compiled with.
#pragma once

#include <string>

#include <corten/core/result.hpp>
#include <corten/spec/spec.hpp>

namespace corten::mjcf {

CORTEN_HOST Result<std::string> write(const Spec& spec, const Extensions& extensions = {});

}  // namespace corten::mjcf

#ifndef CORTEN_EXTERN_TEMPLATES
#include <corten/mjcf/write_impl.hpp>
#endif
