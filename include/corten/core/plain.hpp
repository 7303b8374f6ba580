// SPDX-License-Identifier: Apache-2.0
//
// Functions of stages that ask for no policies, or only for some. Pipelines with kinds of their own
// take them from corten::precompiled instead of compiling them again.
//
// CORTEN_PLAIN(f), after the definition of f(m, d), makes a call with a bound model pass on the
// model without its policies. CORTEN_SHARED(f, lists) says which lists of policies f asks for, f
// itself and all that it calls: if these are the default ones, the model is passed on with the
// default policies. tests/shipping/lists.cpp compiles each of them with these lists alone.
// CORTEN_PLAIN_RUN(f) and CORTEN_SHARED_RUN(f), after these, do the same for f(m, d, run).
#pragma once

#include <corten/config.hpp>
#include <corten/fwd.hpp>

#include <type_traits>

#define CORTEN_PLAIN(function)                                               \
  template <class S, class P, class T, class L>                              \
  CORTEN_FN auto function(const ModelRef<S, P>& m, const DataRef<T, L>& d) { \
    return function(without_policies(m), d);                                 \
  }

#define CORTEN_SHARED(function, asked)                                                   \
  inline constexpr unsigned function##_asks = asked;                                     \
  template <class S, class P, class T, class L>                                          \
  requires(shares<P>(function##_asks)) CORTEN_FN auto function(const ModelRef<S, P>& m,  \
                                                               const DataRef<T, L>& d) { \
    return function(with_default_policies(m), d);                                        \
  }

#define CORTEN_PLAIN_RUN(function)                                                         \
  template <class S, class P, class T, class L>                                            \
  CORTEN_FN auto function(const ModelRef<S, P>& m, const DataRef<T, L>& d, const Run& r) { \
    return function(without_policies(m), d, r);                                            \
  }

#define CORTEN_SHARED_RUN(function)                                    \
  template <class S, class P, class T, class L>                        \
  requires(shares<P>(function##_asks)) CORTEN_FN auto function(        \
      const ModelRef<S, P>& m, const DataRef<T, L>& d, const Run& r) { \
    return function(with_default_policies(m), d, r);                   \
  }

namespace corten {

// the lists of policies (pipeline/policies.hpp), to be combined by |
namespace lists {
enum List : unsigned {
  joints = 1,
  geoms = 2,
  colliders = 4,
  contact_rules = 8,
  constraints = 16,
  sensors = 32,
  actuators = 64,
  softs = 128,
  solvers = 256,
  cones = 512,
  collisions = geoms | colliders | contact_rules,
  methods = solvers | cones
};
}  // namespace lists

// Are policies P the default ones as far as these lists go? False for the default policies
// themselves, which have nothing to pass on.
template <class P, class Default = DefaultPolicies>
consteval bool shares(unsigned used) {
  if constexpr (std::is_void_v<P> || std::is_same_v<P, Default>) {
    return false;
  } else {
    bool same = true;
#define X(name, List)                                                                           \
  if constexpr (requires { typename P::List; }) {                                               \
    same = same &&                                                                              \
           (!(used & lists::name) || std::is_same_v<typename P::List, typename Default::List>); \
  } else {                                                                                      \
    same = same && !(used & lists::name);                                                       \
  }
    X(joints, Joints)
    X(geoms, Geoms)
    X(colliders, Colliders)
    X(contact_rules, ContactRules)
    X(constraints, Constraints)
    X(sensors, Sensors)
    X(actuators, Actuators)
    X(softs, Softs)
    X(solvers, Solvers)
    X(cones, Cones)
#undef X
    return same;
  }
}

// The model for a function that asks for these lists only.
template <unsigned Lists, class M>
CORTEN_FN const auto& model_asked(const M& m) {
  if constexpr (requires { with_default_policies(m); }) {
    if constexpr (shares<typename M::Policies>(Lists)) {
      return with_default_policies(m);
    } else {
      return m;
    }
  } else {
    return m;
  }
}

// The model for a kind of constraint. One that is `plain` asks for no policies to make its rows,
// one with `asks` only for these lists.
template <class Kind, class M>
CORTEN_FN const auto& model_for(const M& m) {
  if constexpr (requires { requires Kind::plain; }) {
    return without_policies(m);
  } else if constexpr (requires { Kind::asks; }) {
    return model_asked<Kind::asks>(m);
  } else {
    return m;
  }
}

}  // namespace corten
