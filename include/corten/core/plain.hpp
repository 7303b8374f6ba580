// SPDX-License-Identifier: Apache-2.0
//
// Functions of stages that ask for no policies. CORTEN_PLAIN(f), after the definition of f(m, d),
// makes a call with a bound model pass on the model without its policies: the function is the same
// for all pipelines then, and those with kinds of their own take it from corten::precompiled
// instead of compiling it again.
#pragma once

#include <corten/config.hpp>
#include <corten/fwd.hpp>

#define CORTEN_PLAIN(function)                                               \
  template <class S, class P, class T, class L>                              \
  CORTEN_FN auto function(const ModelRef<S, P>& m, const DataRef<T, L>& d) { \
    return function(without_policies(m), d);                                 \
  }

namespace corten {

// The model for a kind of constraint. One that is `plain` asks for no policies to make its rows.
template <class Kind, class M>
CORTEN_FN const auto& model_for(const M& m) {
  if constexpr (requires { requires Kind::plain; }) {
    return without_policies(m);
  } else {
    return m;
  }
}

}  // namespace corten
