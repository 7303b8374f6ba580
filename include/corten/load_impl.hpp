// SPDX-License-Identifier: Apache-2.0
//
// The bodies of load.hpp, separate so that corten::precompiled can compile them once.
#pragma once

#include <corten/load.hpp>

#include <utility>

namespace corten {

namespace detail {

CORTEN_COLD Result<Model<double>> compile_read(const Result<Spec>& spec,
                                               const Extensions& extensions) {
  if (!spec) return spec.error();
  return compile(*spec, extensions);
}

CORTEN_HOST Result<Model<double>> load_extended(const std::string& path,
                                                const Extensions& extensions) {
  return compile_read(mjcf::parse_file(path, {.extensions = &extensions}), extensions);
}

CORTEN_HOST Result<Model<double>> load_string_extended(const std::string& text,
                                                       const Extensions& extensions) {
  return compile_read(mjcf::parse(text, {.extensions = &extensions}), extensions);
}

}  // namespace detail

CORTEN_HOST Result<Model<double>> load(const std::string& path) {
  return detail::bound<DefaultPolicies>(detail::compile_read(mjcf::parse_file(path), {}));
}

CORTEN_HOST Result<Loaded> load_with_spec(const std::string& path) {
  Result<Spec> spec = mjcf::parse_file(path);
  Result<Model<double>> model = detail::bound<DefaultPolicies>(detail::compile_read(spec, {}));
  if (!model) return model.error();
  return Loaded{*std::move(spec), *std::move(model)};
}

CORTEN_HOST Result<Model<double>> load_string(const std::string& text) {
  return detail::bound<DefaultPolicies>(detail::compile_read(mjcf::parse(text), {}));
}

}  // namespace corten
