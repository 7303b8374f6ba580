// SPDX-License-Identifier: Apache-2.0
//
// Rules about contacts: which geoms may touch, and what becomes of each contact. A rule is a struct
// with one or both of these functions:
//
//     struct FeetOnly {
//       // May these geoms touch? Asked before their collider runs.
//       template <class M, class D>
//       static bool may_touch(const M& m, const D& d, int geom1, int geom2) { … }
//
//       // Looks at contact k once its fields (d.contact_friction and the like) are written. It
//       // may change them, and returns whether the contact stays.
//       template <class M, class D>
//       static bool accept(const M& m, const D& d, int k) { … }
//     };
//     using Mine = Policies<ContactRules<FeetOnly>>;
//
// Rules only take away: the model's own filters (contype, conaffinity, excludes) apply before. As
// in MuJoCo, the explicit pairs of a model are not subject to may_touch. Rules may read the state
// and what follows from positions (poses, inertia); velocities of bodies are not known yet. To add
// contacts, see add_contact in stage/collision.hpp.
#pragma once

#include <corten/config.hpp>
#include <corten/core/policy.hpp>

namespace corten {

// what a rule must have
namespace contact_rule_policy {

CORTEN_POLICY_NAMES(may_touch, accept)
CORTEN_POLICY_NAME(may_touch)
CORTEN_POLICY_NAME(accept)
CORTEN_POLICY_RULE("contact rule", "collide/rules.hpp", may_touch,
                   "has neither may_touch(m, d, geom1, geom2) nor accept(m, d, k)",
                   names_may_touch<Kind> || names_accept<Kind>)

struct Rules : detail::Rules<may_touch> {};

}  // namespace contact_rule_policy

template <class Rule>
concept ContactRulePolicy = contact_rule_policy::Rules::obeyed<Rule>;

namespace detail {

template <class Rule, class M, class D>
CORTEN_FN bool rule_lets_touch(const M& m, const D& d, int geom1, int geom2) {
  if constexpr (contact_rule_policy::names_may_touch<Rule>) {
    return Rule::may_touch(m, d, geom1, geom2);
  }
  return true;
}

template <class Rule, class M, class D>
CORTEN_FN bool rule_accepts(const M& m, const D& d, int k) {
  if constexpr (contact_rule_policy::names_accept<Rule>) return Rule::accept(m, d, k);
  return true;
}

}  // namespace detail

// The first rule that refuses decides.
template <class... Rules>
struct ContactRules {
  using Sound = detail::Sound<ContactRules, detail::Complete<contact_rule_policy::Rules, Rules...>>;
  static constexpr int count = sizeof...(Rules);

  template <class M, class D>
  CORTEN_FN static bool may_touch([[maybe_unused]] const M& m, [[maybe_unused]] const D& d,
                                  [[maybe_unused]] int geom1, [[maybe_unused]] int geom2) {
    return (detail::rule_lets_touch<Rules>(m, d, geom1, geom2) && ...);
  }
  template <class M, class D>
  CORTEN_FN static bool accept([[maybe_unused]] const M& m, [[maybe_unused]] const D& d,
                               [[maybe_unused]] int k) {
    return (detail::rule_accepts<Rules>(m, d, k) && ...);
  }
};

}  // namespace corten
