// SPDX-License-Identifier: Apache-2.0
//
// The bodies of load.hpp, apart so that corten::precompiled can compile them once.
#pragma once

#include <corten/compile/compile.hpp>
#include <corten/load.hpp>
#include <corten/mjcf/read.hpp>
#include <corten/pipeline/policies.hpp>

#include <utility>

namespace corten {

namespace detail {

// compile, and check here rather than in the first step that the default policies cover the model
inline Result<Model<double>> compile_checked(const Result<Spec>& spec) {
  if (!spec) return spec.error();
  Result<Model<double>> model = compile(*spec);
  if (!model) return model;
  if (const auto bound = bind<DefaultPolicies>(*model); !bound) return bound.error();
  return model;
}

}  // namespace detail

CORTEN_HOST Result<Model<double>> load(const std::string& path) {
  return detail::compile_checked(mjcf::parse_file(path));
}

CORTEN_HOST Result<Model<double>> load_string(const std::string& text) {
  return detail::compile_checked(mjcf::parse(text));
}

}  // namespace corten
