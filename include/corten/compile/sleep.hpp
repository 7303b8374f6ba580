// SPDX-License-Identifier: Apache-2.0
//
// Sleep policies of kinematic trees: as set by their root bodies, or derived from the actuators and
// tendons attached to them.
#pragma once

#include <corten/compile/actuator.hpp>
#include <corten/compile/path.hpp>

namespace corten::compiler {

namespace detail {

CORTEN_COLD void keep_awake(Model<double>& m, int body) {
  const int tree = at(m.body_treeid, body);
  if (tree >= 0 &&
      at(m.tree_sleep_policy, tree) == static_cast<int>(spec::SleepPolicy::automatic)) {
    put(m.tree_sleep_policy, tree, spec::SleepPolicy::automatic_never);
  }
}

inline void keep_tendon_awake(Model<double>& m, int t) {
  for (int w = at(m.tendon_adr, t); w < at(m.tendon_adr, t) + at(m.tendon_num, t); ++w) {
    keep_awake(m, wrap_body(m, w));
  }
}

// does the tendon exert passive or damping forces all the time?
inline bool is_passive_force(const Model<double>& m, int t) {
  return at(m.tendon_stiffness, t) != 0 || at(m.tendon_damping, t) != 0 ||
         row<2>(m.tendon_stiffnesspoly, t).any() || row<2>(m.tendon_dampingpoly, t).any() ||
         at(m.tendon_actuatorid, t) != -1;
}

CORTEN_COLD Result<void> check_tendon_sleep(const Draft& d, int t) {
  const Model<double>& m = d.m;
  for (int w = at(m.tendon_adr, t); w < at(m.tendon_adr, t) + at(m.tendon_num, t); ++w) {
    const int tree = at(m.body_treeid, wrap_body(m, w));
    if (tree < 0) continue;
    const auto policy = static_cast<spec::SleepPolicy>(at(m.tree_sleep_policy, tree));
    if (policy != spec::SleepPolicy::allowed && policy != spec::SleepPolicy::init) continue;
    return at(d.bodies, at(m.tree_bodyadr, tree))
        .spec->error(
            "this tree cannot sleep: a tendon with stiffness or damping, or one that spans more "
            "than two trees, acts on it");
  }
  return {};
}

// flexes that no constraint holds are never at rest
CORTEN_COLD void keep_flexes_awake(Model<double>& m) {
  for (int f = 0; f < m.n.nflex; ++f) {
    if (at(m.flex_edgeequality, f) != 0) continue;
    const bool nodes = at(m.flex_interp, f) != 0;
    const int first = at(nodes ? m.flex_nodeadr : m.flex_vertadr, f);
    const int count = at(nodes ? m.flex_nodenum : m.flex_vertnum, f);
    for (int i = first; i < first + count; ++i) {
      keep_awake(m, at(nodes ? m.flex_nodebodyid : m.flex_vertbodyid, i));
    }
  }
}

}  // namespace detail

// writes the policies that bodies set
CORTEN_COLD void write_sleep_policies(Draft& d) {
  Model<double>& m = d.m;
  for (int b = 1; b < m.n.nbody; ++b) {
    const spec::Body& body = *at(d.bodies, b).spec;
    const auto policy = body.sleep.value_or(spec::SleepPolicy::automatic);
    if (policy == spec::SleepPolicy::automatic) continue;
    const int tree = at(m.body_treeid, b);
    if (tree < 0 || tree == at(m.body_treeid, b - 1)) {
      d.note(body, body.error("sleep is only allowed for movable root bodies"));
      continue;
    }
    put(m.tree_sleep_policy, tree, policy);
  }
}

// derives the policies of the other trees; set_const must have run
CORTEN_COLD Result<void> resolve_sleep_policies(Draft& d) {
  Model<double>& m = d.m;
  for (int a = 0; a < m.n.nactuator; ++a) {
    const auto type = static_cast<TransmissionType>(at(m.actuator_trntype, a));
    const int id = at(m.actuator_trnid, 2 * a);
    if (type == TransmissionType::tendon) {
      detail::keep_tendon_awake(m, id);
    } else {
      detail::keep_awake(m, detail::target_body(m, a));
    }
  }
  for (int t = 0; t < m.n.ntendon; ++t) {
    const int trees = at(m.tendon_treenum, t);
    if (trees < 2 || (trees == 2 && !detail::is_passive_force(m, t))) continue;
    if (auto done = detail::check_tendon_sleep(d, t); !done) return done;
    detail::keep_tendon_awake(m, t);
  }
  detail::keep_flexes_awake(m);
  for (int& policy : m.tree_sleep_policy) {
    if (policy == static_cast<int>(spec::SleepPolicy::automatic)) {
      policy = static_cast<int>(spec::SleepPolicy::automatic_allowed);
    }
  }
  return {};
}

}  // namespace corten::compiler
