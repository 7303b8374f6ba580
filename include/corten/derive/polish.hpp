// SPDX-License-Identifier: Apache-2.0
//
// Polishing. Derivatives are exact at the solution of the constraint problem, but the solver stops
// as soon as it is within the model's tolerance of it (solver/implicit_diff.hpp, "Accuracy"). With
// `polish`, the steps that are differentiated are solved until only rounding errors are left: by
// Newton's method, whatever solver the model asks for, because all of them minimise the same cost.
// It takes one or two iterations more than usual. Noslip sweeps, which do not minimise this cost,
// stay as they are.
//
// Only derivatives see the polished acceleration. The step itself, step(model, data), goes on to
// solve as the model says: the matrices describe the step that a perfect solver would take.
#pragma once

#include <corten/model/model_ref.hpp>
#include <corten/pipeline/policies.hpp>
#include <corten/scalar/functions.hpp>

#include <limits>

namespace corten::derive::detail {

// the model to be solved to the end
template <class S, class P>
ModelRef<S, P> polished(const ModelRef<S, P>& model) {
  ModelRef<S, P> m = model;
  // The cost is quadratic near its minimum: an improvement of 1e-20 moves the acceleration by about
  // 1e-10. With less than that, rounding errors pass for improvements, and the method does not end.
  using V = value_t<S>;
  const V epsilon = std::numeric_limits<V>::epsilon();
  m.opt.tolerance = S(V(epsilon * sqrt(sqrt(epsilon))));
  constexpr int enough = 100;
  if (m.opt.iterations < enough) m.opt.iterations = enough;
  if (P::Solvers::has(Solver::newton)) m.opt.solver = static_cast<int>(Solver::newton);
  return m;
}

// the model with which derivatives are computed
template <class P, class S>
ModelRef<S, P> differentiated(const Model<S>& model, bool polish) {
  const ModelRef<S, P> m = make_ref<P>(model);
  return polish ? polished(m) : m;
}

}  // namespace corten::derive::detail
