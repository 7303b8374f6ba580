// SPDX-License-Identifier: Apache-2.0
//
// The kinds of soft bodies that a pipeline knows, and the constraints they are made of.
//
// A body kind names its type, its word in MJCF and its constraints. A constraint kind is a function
// C of a few vertices that the solver (xpbd.hpp) brings to its rest value:
//
//     struct Area {                                          // one of your own
//       static constexpr corten::SoftConstraint type = corten::user_soft(0);
//       static constexpr const char* name = "area";
//       static constexpr int vertices = 3;
//       template <class S>
//       static S value(const Vec3<S> (&x)[3]) { … }
//     };
//     using MyPolicies = Policies<DefaultSofts::with<Area>>;
//
// value(x) is enough; its gradient comes from dual numbers. The library's own kinds have
// gradient(x, g) instead, which returns C and writes its gradient. difference(now, rest), which is
// optional, replaces now - rest where values are angles. Constraints of your own are given as flex
// edges of a body (spec/soft.hpp).
#pragma once

#include <corten/core/policy.hpp>
#include <corten/core/words.hpp>
#include <corten/scalar/dual.hpp>
#include <corten/soft/bend.hpp>
#include <corten/soft/dihedral.hpp>
#include <corten/soft/distance.hpp>
#include <corten/soft/flex_edge.hpp>
#include <corten/soft/volume.hpp>

#include <concepts>
#include <cstddef>
#include <string>

namespace corten {

// The constraints of a body kind.
template <class... K>
struct SoftConstraints {
  CORTEN_FN static constexpr bool has(int type) {
    return ((type == static_cast<int>(K::type)) || ...);
  }

  // calls f(K{}) for the kind K of that type; false if there is none
  template <class F>
  CORTEN_FN static bool visit(int type, F&& f) {
    return ((type == static_cast<int>(K::type) ? (f(K{}), true) : false) || ...);
  }
};

// triangles, with a thickness
struct Cloth {
  static constexpr SoftType body = SoftType::cloth;
  static constexpr const char* name = "cloth";
  using constraints = SoftConstraints<SoftDistance, SoftDihedral, SoftStretch, SoftShear>;
};

// tetrahedra
struct SoftBody {
  static constexpr SoftType body = SoftType::body;
  static constexpr const char* name = "body";
  using constraints = SoftConstraints<SoftDistance, SoftVolume, SoftStretch, SoftShear>;
};

// capsules in a row
struct Chain {
  static constexpr SoftType body = SoftType::chain;
  static constexpr const char* name = "chain";
  using constraints = SoftConstraints<SoftDistance, SoftBend, SoftStretch, SoftShear, SoftTwist>;
};

namespace detail {

template <class K>
concept SoftBodyKind = requires {
  typename K::constraints;
};

// a list entry is a body kind, or a constraint kind that any body may have
template <class K>
struct ConstraintsOf {
  using type = SoftConstraints<K>;
};
template <SoftBodyKind K>
struct ConstraintsOf<K> {
  using type = typename K::constraints;
};

template <class K>
constexpr bool is_body_of(int type) {
  if constexpr (SoftBodyKind<K>) {
    return type == static_cast<int>(K::body);
  } else {
    return false;
  }
}

}  // namespace detail

// what an entry of the list must have
namespace soft_policy {

CORTEN_POLICY_CONSTANT("soft", "soft/kinds.hpp", const char*, name)
CORTEN_POLICY_RULE(
    "soft", "soft/kinds.hpp", number, "has neither SoftType body nor SoftConstraint type",
    requires {
      { Kind::body } -> std::convertible_to<SoftType>;
    } ||
        requires {
          { Kind::type } -> std::convertible_to<SoftConstraint>;
        })

struct Rules : detail::Rules<name, number> {};

}  // namespace soft_policy

template <class... K>
struct Softs {
  using Sound = detail::Sound<Softs, detail::Complete<soft_policy::Rules, K...>>;

  // this list with further kinds added
  template <class... More>
  using with = Softs<K..., More...>;

  static constexpr bool has_body(int type) { return (detail::is_body_of<K>(type) || ...); }
  static constexpr bool has_constraint(int type) {
    return (detail::ConstraintsOf<K>::type::has(type) || ...);
  }

  // the names of the kinds, for messages
  static std::string list() { return join_words({K::name...}); }

  // calls f(kind) for the constraint kind of that type
  template <class F>
  CORTEN_FN static void visit(int type, F&& f) {
    (void)(detail::ConstraintsOf<K>::type::visit(type, f) || ...);
  }
};

using DefaultSofts = Softs<Cloth, SoftBody, Chain>;
template <>
inline constexpr bool detail::is_default<DefaultSofts> = true;

namespace detail {

// C before its rest value is subtracted, and its gradient
template <class Kind, class S>
CORTEN_FN S soft_gradient(const Vec3<S> (&x)[static_cast<std::size_t>(Kind::vertices)],
                          Vec3<S> (&g)[static_cast<std::size_t>(Kind::vertices)]) {
  constexpr int n = Kind::vertices;
  if constexpr (requires { Kind::gradient(x, g); }) {
    return Kind::gradient(x, g);
  } else {
    using D = Dual<S, 3 * n>;
    Vec3<D> y[static_cast<std::size_t>(n)];
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < 3; ++k) y[i][k] = D(x[i][k], 3 * i + k);
    }
    const D c = Kind::value(y);
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < 3; ++k) g[i][k] = c.v[3 * i + k];
    }
    return c.a;
  }
}

template <class Kind, class S>
CORTEN_FN S soft_difference(const S& now, const S& rest) {
  if constexpr (requires { Kind::difference(now, rest); }) {
    return Kind::difference(now, rest);
  } else {
    return now - rest;
  }
}

}  // namespace detail

}  // namespace corten
