// SPDX-License-Identifier: Apache-2.0
//
// Writes a Spec as MJCF text:
//
//   corten::Result<std::string> text = corten::mjcf::write(spec);
//
// Reading the text back results in the same model. Attributes are written as they are in the spec,
// with as many digits as it takes to read the same numbers. Default classes are preserved; each is
// written as its difference from its parent. Includes, replicates, composites and attached parts
// are written as the elements they expand to. If attached parts have other compiler settings than
// the rest, all angles are written in radians and all orientations as quaternions. Anything that
// MJCF cannot express is an error that names it. User-defined kinds of joints need the extensions
// that they are compiled with.
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
