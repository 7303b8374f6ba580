// SPDX-License-Identifier: Apache-2.0
//
// From an MJCF file or text to a model in one call:
//
//   corten::Result<corten::Model<double>> model = corten::load("humanoid.xml");
//   if (!model) std::puts(model.error().to_string().c_str());
//
// To edit what was read before it is compiled: mjcf::parse_file, compile, bind. To edit it while it
// moves: load_with_spec, recompile.
#pragma once

#include <corten/compile/compile.hpp>
#include <corten/compile/extensions.hpp>
#include <corten/mjcf/read.hpp>

#include <string>

namespace corten {

namespace detail {

// Compiles, and checks that the policies cover the model now rather than in the first step.
template <class P>
Result<Model<double>> compile_bound(const Result<Spec>& spec, const Extensions& extensions) {
  if (!spec) return spec.error();
  Result<Model<double>> model = compile(*spec, extensions);
  if (!model) return model;
  if (const auto bound = bind<P>(*model); !bound) return bound.error();
  return model;
}

}  // namespace detail

// Loads a model that the default policies can step. Paths of included files are relative to the
// file's directory.
CORTEN_HOST Result<Model<double>> load(const std::string& path);

// The same from text. Paths of included files are relative to the current directory.
CORTEN_HOST Result<Model<double>> load_string(const std::string& text);

// The model together with the spec that it was compiled from, to edit it and recompile()
// (compile/recompile.hpp).
struct Loaded {
  Spec spec;
  Model<double> model;
};
CORTEN_HOST Result<Loaded> load_with_spec(const std::string& path);

// The same with policies of your own, whose kinds of joints, geoms and constraints are read and
// compiled too.
template <class P>
Result<Model<double>> load(const std::string& path) {
  const Extensions extensions = extensions_of<P>();
  return detail::compile_bound<P>(mjcf::parse_file(path, {.extensions = &extensions}), extensions);
}
template <class P>
Result<Model<double>> load_string(const std::string& text) {
  const Extensions extensions = extensions_of<P>();
  return detail::compile_bound<P>(mjcf::parse(text, {.extensions = &extensions}), extensions);
}

}  // namespace corten

#ifndef CORTEN_EXTERN_TEMPLATES
#include <corten/load_impl.hpp>
#endif
