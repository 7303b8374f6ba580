// SPDX-License-Identifier: Apache-2.0
//
// transition(model, data) returns A, B, C, D of a step, by a choice of methods. Exact derivatives
// are the default.
#pragma once

#include <corten/derive/difference.hpp>
#include <corten/derive/linearizer.hpp>

namespace corten::derive {

enum class Method {
  exact,     // dual numbers
  centered,  // finite differences, (f(x + h) - f(x - h)) / 2h
  forward,   // finite differences, (f(x + h) - f(x)) / h
  hybrid     // position columns by centred differences, the others exact; RK4: all by differences
};

struct Options {
  Method method = Method::exact;
  double step = 1e-6;  // step of finite differences, in (0, 0.01]
};

// Returns A, B, C, D at the state and control in `data`, which stays unchanged. For custom policies
// call transition<MyPolicies>(model, data). To linearise repeatedly without allocating, keep a
// Linearizer.
template <class P = DefaultPolicies, class S, class T>
Transition<T> transition(const Model<S>& model, const Data<T>& data, Options options = {}) {
  if (options.method == Method::exact) return Linearizer<T, 8, P>(model)(model, data);
  const bool centered = options.method != Method::forward;
  if (options.method != Method::hybrid || is_rk4(model)) {
    return difference<P>(model, data, T(options.step), centered);
  }
  Transition<T> out = Linearizer<T, 8, P>(model)(model, data, model.n.nv);
  if (out.status.ok()) difference<P>(model, data, T(options.step), centered, 0, model.n.nv, out);
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
