// SPDX-License-Identifier: Apache-2.0
//
// Spec to Model: compile(spec) gives a model whose arrays are those of MuJoCo 3.12, or an error
// that says which element is at fault and what to do.
//
//   corten::Result<corten::Spec> spec = corten::mjcf::parse_file("humanoid.xml");
//   corten::Result<corten::Model<double>> model = corten::compile(spec.value());
#pragma once

#include <corten/compile/set_const.hpp>
#include <corten/core/result.hpp>
#include <corten/model/model.hpp>
#include <corten/spec/extensions.hpp>
#include <corten/spec/spec.hpp>

namespace corten {

// Kinds of joints and geoms that are not the library's are told by `extensions`.
CORTEN_HOST Result<Model<double>> compile(const Spec& spec, const Extensions& extensions = {});

}  // namespace corten

#ifndef CORTEN_EXTERN_TEMPLATES
#include <corten/compile/compile_impl.hpp>
#endif
