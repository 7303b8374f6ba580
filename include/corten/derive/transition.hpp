// SPDX-License-Identifier: Apache-2.0
//
// transition(model, data) returns A and B of a step, on request C and D, by a choice of methods.
// Exact derivatives are the default.
#pragma once

#include <corten/derive/difference.hpp>
#include <corten/derive/linearizer.hpp>

namespace corten::derive {

enum class Method {
  exact,     // analytic where the model is covered (analytic/coverage.hpp), else dual
  centered,  // finite differences, (f(x + h) - f(x - h)) / 2h
  forward,   // finite differences, (f(x + h) - f(x)) / h
  hybrid,    // position columns by centred differences, the others exact; RK4: all by differences
  dual       // dual numbers through all stages
};

struct Options {
  Method method = Method::exact;
  double step = 1e-6;  // step of finite differences, in (0, 0.01]

  // Solve to the end before differentiating, instead of to the model's tolerance (polish.hpp).
  bool polish = false;

  bool sensors = false;  // are C and D wanted?

  // A distance within which contacts that do not touch yet count as soft ones (smooth.hpp); only
  // for exact and dual derivatives.
  double smoothing = 0;
};

// Returns A and B, and on request C and D, at the state and control in `data`, which stays
// unchanged. For custom policies call transition<MyPolicies>(model, data). To linearise
// repeatedly without allocating, keep a Linearizer.
template <class P = DefaultPolicies, class S, class T>
Transition<T> transition(const Model<S>& model, const Data<T>& data, Options options = {}) {
  const bool dual = options.method == Method::dual, exact = dual || options.method == Method::exact;
  const bool centered = options.method != Method::forward;
  const T h = T(options.step);
  if (!exact && options.smoothing != 0) {
    Transition<T> out;
    out.resize(model.n, options.sensors);
    return out.status = Status{bad_argument}, out;
  }
  if (!exact && (options.method != Method::hybrid || is_rk4(model))) {
    return difference<P>(model, data, h, centered, options.polish, options.sensors);
  }
  Linearizer<T, 8, P> linearizer(model);
  linearizer.polish = options.polish;
  linearizer.sensors = options.sensors;
  linearizer.smoothing = options.smoothing;
  linearizer.analytically = !dual;
  const bool whole = exact || linearizer.is_analytic(make_ref<P>(model));
  Transition<T> out = linearizer(model, data, whole ? 0 : model.n.nv);
  if (!exact && out.status.ok()) {
    difference<P>(model, data, h, centered, 0, model.n.nv, out, options.polish);
  }
  return out;
}

}  // namespace corten::derive

namespace corten {

template <class S>
template <class SM>
derive::Transition<S> Data<S>::transition(const Model<SM>& model) const {
  return derive::transition(model, *this);
}

template <class S>
template <class SM>
derive::Transition<S> Data<S>::transition(const Model<SM>& model,
                                          const derive::Options& options) const {
  return derive::transition(model, *this, options);
}

}  // namespace corten
