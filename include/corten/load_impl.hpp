// SPDX-License-Identifier: Apache-2.0
//
// The bodies of load.hpp, separate so that corten::precompiled can compile them once.
#pragma once

#include <corten/load.hpp>

#include <utility>

namespace corten {

CORTEN_HOST Result<Model<double>> load(const std::string& path) {
  return detail::compile_bound<DefaultPolicies>(mjcf::parse_file(path), {});
}

CORTEN_HOST Result<Loaded> load_with_spec(const std::string& path) {
  Result<Spec> spec = mjcf::parse_file(path);
  Result<Model<double>> model = detail::compile_bound<DefaultPolicies>(spec, {});
  if (!model) return model.error();
  return Loaded{*std::move(spec), *std::move(model)};
}

CORTEN_HOST Result<Model<double>> load_string(const std::string& text) {
  return detail::compile_bound<DefaultPolicies>(mjcf::parse(text), {});
}

}  // namespace corten
