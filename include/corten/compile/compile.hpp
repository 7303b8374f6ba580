// SPDX-License-Identifier: Apache-2.0
//
// From Spec to Model: compile(spec) returns a model with the same arrays as MuJoCo 3.12, or an
// error that names the element at fault and a remedy.
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

// `extensions` describes user-defined kinds of joints, geoms and constraints.
CORTEN_HOST Result<Model<double>> compile(const Spec& spec, const Extensions& extensions = {});

}  // namespace corten

#ifndef CORTEN_EXTERN_TEMPLATES
#include <corten/compile/compile_impl.hpp>
#endif
