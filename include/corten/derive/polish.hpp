// SPDX-License-Identifier: Apache-2.0
//
// Polishing. Derivatives are exact at the solution of the constraint problem, but the solver stops
// as soon as it is within the model's tolerance of it (solver/implicit_diff.hpp, "Accuracy"). With
// `polish`, the steps that are differentiated are solved until nothing improves the solution any
// more: by Newton's method, whatever solver the model asks for, because all of them minimise the
// same cost. Noslip sweeps, which do not minimise it, stay as they are.
//
// Only derivatives see the polished acceleration. The step itself, step(model, data), goes on to
// solve as the model says: the matrices describe the step that a perfect solver would take.
#pragma once

#include <corten/model/model_ref.hpp>
#include <corten/pipeline/policies.hpp>

namespace corten::derive::detail {

// the model with which derivatives are computed
template <class P, class S>
ModelRef<S, P> differentiated(const Model<S>& model, bool polish) {
  ModelRef<S, P> m = make_ref<P>(model);
  if (!polish) return m;

  // Newton's method ends by itself after a few iterations; the others may use up any number
  constexpr int enough = 1000;
  if (P::Solvers::has(Solver::newton)) m.opt.solver = static_cast<int>(Solver::newton);
  if (m.opt.iterations < enough) m.opt.iterations = enough;
  m.opt.tolerance = S(0);
  return m;
}

}  // namespace corten::derive::detail
