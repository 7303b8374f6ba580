// SPDX-License-Identifier: Apache-2.0
//
// Checks of derivatives: errors between matrices and between methods.
#pragma once

#include <corten/derive/transition.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace corten::derive {

// the largest |a - b| / max(|a|, |b|, floor) of two matrices or vectors, and where it is in their
// memory; infinity if the sizes differ
template <class T>
struct RelativeError {
  T value = T(0);
  std::size_t index = 0;
};

template <class A, class B, class T>
RelativeError<T> max_relative_error(const A& a, const B& b, const T& floor) {
  using std::abs;
  RelativeError<T> out;
  const auto size = static_cast<std::size_t>(a.size()), other = static_cast<std::size_t>(b.size());
  if (size != other) return {std::numeric_limits<T>::infinity(), std::min(size, other)};
  const T *const x = a.data(), *const y = b.data();
  for (std::size_t i = 0; i < size; ++i) {
    if (x[i] == T(0) && y[i] == T(0)) continue;
    const T error = abs(x[i] - y[i]) / std::max({abs(x[i]), abs(y[i]), floor});
    if (error <= out.value) continue;
    out = {error, i};
    if (error != error) break;  // nothing is worse than NaN
  }
  return out;
}

// relative errors of a method's derivatives, compared with centred differences
template <class T>
struct Errors {
  T A = T(0), B = T(0);
  Status status;
};

template <class S, class T>
Errors<T> compare_with_differences(const Model<S>& model, const Data<T>& data, Options options = {},
                                   const T& floor = T(1e-10)) {
  const Transition<T> ours = transition(model, data, options);
  const Transition<T> reference =
      transition(model, data, {Method::centered, options.step, options.polish});
  return {max_relative_error(ours.A, reference.A, floor).value,
          max_relative_error(ours.B, reference.B, floor).value,
          Status{ours.status.bits | reference.status.bits}};
}

// do centred differences with steps h and h/10 agree on A?
template <class S, class T>
bool differences_converge(const Model<S>& model, const Data<T>& data, double h, const T& tolerance,
                          const T& floor = T(1e-10)) {
  const Transition<T> coarse = transition(model, data, {Method::centered, h});
  const Transition<T> fine = transition(model, data, {Method::centered, h / 10});
  return coarse.status.ok() && fine.status.ok() &&
         max_relative_error(coarse.A, fine.A, floor).value < tolerance;
}

}  // namespace corten::derive
