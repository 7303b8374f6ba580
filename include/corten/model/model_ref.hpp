// SPDX-License-Identifier: Apache-2.0
//
// ModelRef: what stages see of a model. A view (pointers, sizes, options) that knows the policies it was
// bound with, so that a stage is called as stage(m, d) and joint and geom kinds are resolved at compile
// time. Trivially copyable; valid as long as the model lives and is not resized.
#pragma once

#include <corten/model/model.hpp>

namespace corten {

template <class S, class P>
struct ModelRef {
  using Scalar = S;
  using Policies = P;

  Sizes n;
  Option<S> opt;
  S meaninertia;

#define X(type, name, rows, width, meaning) Field<const type> name;
  CORTEN_MODEL_FIELDS(X)
#undef X
};

// A view of `model` with policies P, unchecked: bind() in pipeline/ checks that P covers the model.
template <class P, class S>
ModelRef<S, P> make_ref(const Model<S>& model) {
  ModelRef<S, P> m;
  m.n = model.n;
  m.opt = model.opt;
  m.meaninertia = model.stat.meaninertia;
#define X(type, name, rows, width, meaning) m.name.data = model.name.data();
  CORTEN_MODEL_FIELDS(X)
#undef X
  return m;
}

}  // namespace corten
