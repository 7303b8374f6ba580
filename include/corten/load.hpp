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

// The model of a file or text with the kinds of `extensions`. Not a template: pipelines with kinds
// of their own share it.
CORTEN_HOST Result<Model<double>> load_extended(const std::string& path, const Extensions&);
CORTEN_HOST Result<Model<double>> load_string_extended(const std::string& text, const Extensions&);

// checks that the policies cover the model now rather than in the first step
template <class P>
Result<Model<double>> bound(Result<Model<double>> model) {
  if (!model) return model;
  if (const auto checked = bind<P>(*model); !checked) return checked.error();
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
  return detail::bound<P>(detail::load_extended(path, extensions_of<P>()));
}
template <class P>
Result<Model<double>> load_string(const std::string& text) {
  return detail::bound<P>(detail::load_string_extended(text, extensions_of<P>()));
}

}  // namespace corten

#ifndef CORTEN_EXTERN_TEMPLATES
#include <corten/load_impl.hpp>
#endif
