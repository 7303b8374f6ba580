// SPDX-License-Identifier: Apache-2.0
//
// ModelRef: a model as stages see it. It is a view (pointers, sizes, options) that carries the
// policies it was bound with in its type, so a stage is simply called as stage(m, d), and joint and
// geom kinds are resolved at compile time. Trivially copyable; valid as long as the model lives and
// is not resized.
#pragma once

#include <corten/model/model.hpp>

#include <type_traits>

namespace corten {

// the view itself, independent of the policies
template <class S>
struct ModelView {
  using Scalar = S;

  Sizes n;
  Option<S> opt;
  S meaninertia;

#define X(type, name, rows, width, meaning) Field<const type> name;
  CORTEN_MODEL_FIELDS(X)
#undef X

  ModelView() = default;
  // step(model, data) and its like make a view each time, so nothing is written twice
  // clang-format off
  CORTEN_BULK explicit ModelView(const Model<S>& model)
      : n(model.n), opt(model.opt), meaninertia(model.stat.meaninertia)
#define X(type, name, rows, width, meaning) , name{model.name.data(), {}}
            CORTEN_MODEL_FIELDS(X)
#undef X
  {
  }
  // clang-format on
  explicit ModelView(const Model<S>&&) = delete;
};

namespace detail {

template <class S, class P>
using RefBase = std::conditional_t<std::is_same_v<P, DefaultPolicies>, ModelView<S>,
                                   ModelRef<S, DefaultPolicies>>;

}  // namespace detail

// A model with other policies is one with the default policies too, for functions that ask only for
// lists in which both agree (core/plain.hpp).
template <class S, class P>
struct ModelRef : detail::RefBase<S, P> {
  using Policies = P;
  using Base = detail::RefBase<S, P>;
  using Base::Base;
};

template <class S, class P>
CORTEN_FN const ModelRef<S, DefaultPolicies>& with_default_policies(const ModelRef<S, P>& m) {
  return m;
}

// The view without its policies: functions that do not ask for them are compiled once for all.
template <class S, class P>
CORTEN_FN const ModelView<S>& without_policies(const ModelRef<S, P>& m) {
  return m;
}
template <class M>
CORTEN_FN const M& without_policies(const M& m) {
  return m;
}

// A view of `model` with policies P, unchecked: bind() in pipeline/ checks that P covers the model.
template <class P, class S>
ModelRef<S, P> make_ref(const Model<S>& model) {
  return ModelRef<S, P>(model);
}
template <class P, class S>
ModelRef<S, P> make_ref(const Model<S>&&) = delete;

}  // namespace corten
