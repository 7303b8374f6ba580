// SPDX-License-Identifier: Apache-2.0
//
// Compiles a spec that was edited, while the simulation goes on:
//
//     auto loaded = corten::load_with_spec("robot.xml").value();
//     Data<double> data(loaded.model);
//     // … some steps, then the robot loses a leg
//     spec::remove<spec::Body>(loaded.spec, "leg3");
//     if (auto done = corten::recompile(loaded.spec, loaded.model, data); !done) …
//
// data/carry.hpp says which parts of the state are kept.
#pragma once

#include <corten/compile/compile.hpp>
#include <corten/data/carry.hpp>

#include <utility>

namespace corten {

// Replaces the model by that of the spec, and the data by data of the new model with the old state.
// After an error both are as they were. Views of either are no longer valid: bind again.
template <class S>
Result<void> recompile(const Spec& spec, Model<double>& model, Data<S>& data,
                       const Extensions& extensions = {}) {
  if (!data.fits(model)) return Error(Status::describe(wrong_model));
  Result<Model<double>> edited = compile(spec, extensions);
  if (!edited) return edited.error();
  Data<S> next(*edited);
  (void)carry_state(model, data, *edited, next);  // both fit
  model = *std::move(edited);
  data = std::move(next);
  return {};
}

}  // namespace corten
