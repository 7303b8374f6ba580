// SPDX-License-Identifier: Apache-2.0
//
// Which models the analytic derivatives cover. Every other model is differentiated by dual numbers.
#pragma once

#include <corten/derive/analytic/actuator_slope.hpp>
#include <corten/pipeline/policies.hpp>
#include <corten/tendon/path.hpp>

#include <type_traits>

namespace corten::derive::analytic {

// Can a pipeline be covered at all? Stages of the user's own may depend on anything. So may kinds,
// unless they say otherwise: a joint by `rigid_axes` (joint/joints.hpp), an element of <equality>
// by the bodies that it acts on, an actuator by `is_local` (actuator/common.hpp).
template <class T, int N, class P>
inline constexpr bool may_cover = [] {
  constexpr bool standard = std::is_same_v<typename P::Pipeline, DefaultPipeline>;
  constexpr bool plain = std::is_same_v<T, double> || std::is_same_v<T, float>;
  return plain && N >= 6 && standard && P::ContactRules::count == 0 &&
         P::Constraints::only_elements_added;
}();

template <class M>
bool covers_joint(const M& m, int j) {
  bool out = false;
  M::Policies::Joints::visit(m.jnt_type[j], [&](auto kind) {
    constexpr auto traits = joint_kind<decltype(kind)>;
    out = !is_user(kind.type);
    if constexpr (requires { kind.rigid_axes; }) {
      out = kind.rigid_axes && (traits.is_scalar() || traits.is_rotation());
    }
  });
  return out;
}

// does a kind of the user's own look at its own actuator only?
template <class M, class Type>
bool is_local(const M&, Type type) {
  bool out = !is_user(type);
  M::Policies::Actuators::visit(type, [&](auto kind) {
    if constexpr (requires { kind.is_local; }) out = kind.is_local;
  });
  return out;
}

// is some dof that moves the body subject to a limit of the force of all its actuators?
template <class M>
bool on_limited_joint(const M& m, int body) {
  bool out = false;
  each_chain_dof(m, body, [&](int i) { out = out || m.jnt_actfrclimited[m.dof_jntid[i]] != 0; });
  return out;
}

// Is the force of an actuator that acts by adhesion independent of its moment arms? A joint whose
// actuators are limited would notice only a part of it.
template <class M>
bool covers_adhesion(const M& m, int a) {
  for (int j = 0; j < m.n.njnt; ++j) {
    if (m.jnt_actfrclimited[j]) return false;
  }
  return m.actuator_gaintype[a] == static_cast<int>(GainType::fixed) &&
         m.actuator_biastype[a] == static_cast<int>(BiasType::none);
}

template <class M>
bool covers_actuator(const M& m, int a, int tangents) {
  const auto kind = static_cast<TransmissionType>(m.actuator_trntype[a]);
  const int id = m.actuator_trnid[2 * a];
  if (m.actuator_outnum[a] != 1 || local_inputs(m, a) > tangents) return false;
  if (!is_local(m, static_cast<GainType>(m.actuator_gaintype[a])) ||
      !is_local(m, static_cast<BiasType>(m.actuator_biastype[a])) ||
      !is_local(m, static_cast<DynamicsType>(m.actuator_dyntype[a]))) {
    return false;
  }
  if (has_own_bend(m, a)) return true;
  if (kind == TransmissionType::body) return covers_adhesion(m, a);
  if (kind == TransmissionType::site) return !on_limited_joint(m, m.site_bodyid[id]);
  return kind == TransmissionType::joint || kind == TransmissionType::jointinparent ||
         kind == TransmissionType::tendon;
}

template <class M>
bool covers_equality(const M& m, int e) {
  const auto type = static_cast<EqualityType>(m.eq_type[e]);
  if (type == EqualityType::joint) return m.eq_obj1id[e] != m.eq_obj2id[e];
  if (type == EqualityType::tendon) {
    const auto c = m.eq_data.from(11 * e);
    return m.eq_obj2id[e] < 0 || (c[2] == 0 && c[3] == 0 && c[4] == 0);
  }
  int weld[2] = {};
  M::Policies::Constraints::visit_element(m, e, [&](auto kind) {
    if constexpr (requires { kind.body(m, e, 0); }) {
      for (int s = 0; s < 2; ++s) weld[s] = m.body_weldid[kind.body(m, e, s)];
    }
  });
  return weld[0] != weld[1];
}

// Does an activation advance by its rate alone? A motor's friction asks for the velocity too, which
// after a step of RK4 is that of its last trial state.
template <class M>
bool advances_by_rate(const M& m, int a) {
  const auto type = static_cast<DynamicsType>(m.actuator_dyntype[a]);
  bool out = type != DynamicsType::dcmotor;
  M::Policies::Actuators::visit(type, [&](auto kind) {
    using Kind = decltype(kind);
    if constexpr (actuator_policy::names_next<Kind>) out = out && !is_user(type);
  });
  return out;
}

// The integrator's matrix must not change with positions, except through the inertia and along rows
// that have a Bend: what acts on balls and at sites must not resist motion.
template <class M>
bool covers_integrator(const M& m) {
  const auto method = static_cast<Integrator>(m.opt.integrator);
  if (method == Integrator::euler) return true;
  if (method == Integrator::rk4) {
    for (int a = 0; a < m.n.nactuator; ++a) {
      if (m.actuator_actnum[a] > 1) return false;  // one activation may move another
      if (m.actuator_actnum[a] > 0 && !advances_by_rate(m, a)) return false;
    }
    return true;
  }
  if (method != Integrator::implicit && method != Integrator::implicitfast) return false;
  // the matrix of a lone free body is another one
  const bool free = method == Integrator::implicitfast && has_free_body(m);
  for (int a = 0; a < m.n.nactuator; ++a) {
    const bool turns = acts_on_ball(m, a) || acts_on_site(m, a);
    if ((turns || (free && acts_along_bend(m, a))) && !is_motor(m, a)) return false;
  }
  for (int t = 0; t < m.n.ntendon && free; ++t) {
    if (is_spatial(m, t) && !tendon_damping<typename M::Scalar>(m, t).zero()) return false;
  }
  if (method == Integrator::implicit || !has_fluid(m)) return true;
  // nor do the dofs of simple bodies have entries between each other there
  for (int i = 0; i < m.n.nv; ++i) {
    if (m.dof_simplenum[i] > 0) return false;
  }
  return !free;
}

// Are all parts of the model covered? `tangents` is the width of the dual numbers that serve for
// actuators.
template <class M>
bool covers_model(const M& m, int tangents) {
  const auto& n = m.n;
  if (!covers_integrator(m)) return false;
  if (n.nsoft > 0 || n.nflex > 0) return false;
  if (m.opt.noslip_iterations > 0 || m.opt.enabled(enable_diagexact)) return false;
  for (int t = 0; t < n.ntendon; ++t) {
    // the share of each actuator would depend on all of them
    int count = 0;
    for (int a = 0; a < n.nactuator; ++a) {
      count += acts_on_tendon(m, a) && m.actuator_trnid[2 * a] == t ? 1 : 0;
    }
    if (m.tendon_actfrclimited[t] && count > 1) return false;
    // inertia along a path bends M itself, and the velocities along it
    if (is_spatial(m, t) && has_armature(m, t)) return false;
  }
  for (int e = 0; e < n.neq; ++e) {
    if (!covers_equality(m, e)) return false;
  }
  for (int j = 0; j < n.njnt; ++j) {
    if (!covers_joint(m, j)) return false;
    // which forces compensate gravity matters only if those of actuators are limited or missing
    const bool apart = m.jnt_actfrclimited[j] || n.nactuator == 0;
    if (n.ngravcomp > 0 && m.jnt_actgravcomp[j] && (apart || m.opt.disabled(disable_actuation))) {
      return false;
    }
  }
  for (int a = 0; a < n.nactuator; ++a) {
    if (!covers_actuator(m, a, tangents)) return false;
  }
  return true;
}

}  // namespace corten::derive::analytic
