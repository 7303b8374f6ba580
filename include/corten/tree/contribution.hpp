// SPDX-License-Identifier: Apache-2.0
//
// The damping and armature that actuators add to the joint or tendon they act on, scaled by gear².
// jnt_actuatorid and tendon_actuatorid are -1 if there is no such actuator, its id if there is one,
// and less than -1 if there are several.
#pragma once

#include <corten/core/enums.hpp>
#include <corten/math/field.hpp>

namespace corten {

namespace detail {

template <class M>
CORTEN_FN bool acts_on(const M& m, int actuator, bool on_tendon, int id) {
  if (m.actuator_trnid[2 * actuator] != id) return false;
  const auto kind = static_cast<TransmissionType>(m.actuator_trntype[actuator]);
  return on_tendon ? kind == TransmissionType::tendon
                   : kind == TransmissionType::joint || kind == TransmissionType::jointinparent;
}

// calls f(actuator, gear²) for each actuator that contributes
template <class S, class M, class F>
CORTEN_FN void each_contribution(const M& m, int code, bool on_tendon, int id, F&& f) {
  for (int a = code >= 0 ? code : 0; a < (code >= 0 ? code + 1 : m.n.nactuator); ++a) {
    if (code < 0 && !acts_on(m, a, on_tendon, id)) continue;
    const S gear = S(m.actuator_gear[6 * m.actuator_outadr[a]]);
    f(a, S(gear * gear));
  }
}

}  // namespace detail

// linear and higher-order damping coefficients of a dof or tendon
template <class S>
struct Damping {
  S linear, p0, p1;

  CORTEN_FN bool zero() const { return value(linear) == 0 && value(p0) == 0 && value(p1) == 0; }

  // the force at velocity v: -v (b + p0 |v| + p1 v²)
  CORTEN_FN S force(const S& v) const { return -v * (linear + abs(v) * p0 + v * v * p1); }

  // minus the derivative of the force
  CORTEN_FN S slope(const S& v) const { return linear + S(2) * abs(v) * p0 + S(3) * v * v * p1; }
};

namespace detail {

template <class S, class M>
CORTEN_FN Damping<S> with_actuators(const M& m, Damping<S> out, int code, bool on_tendon, int id) {
  each_contribution<S>(m, code, on_tendon, id, [&](int a, const S& gear2) {
    out.linear += S(m.actuator_damping[a]) * gear2;
    out.p0 += S(m.actuator_dampingpoly[2 * a]) * gear2;
    out.p1 += S(m.actuator_dampingpoly[2 * a + 1]) * gear2;
  });
  return out;
}

template <class S, class M>
CORTEN_FN S actuators_armature(const M& m, int code, bool on_tendon, int id) {
  S out = S(0);
  each_contribution<S>(m, code, on_tendon, id,
                       [&](int a, const S& gear2) { out += S(m.actuator_armature[a]) * gear2; });
  return out;
}

}  // namespace detail

// Most dofs and tendons have no contributing actuator, so that case is tested first, inline.

template <class S, class M>
CORTEN_FN Damping<S> dof_damping(const M& m, int dof) {
  const Damping<S> own{S(m.dof_damping[dof]), S(m.dof_dampingpoly[2 * dof]),
                       S(m.dof_dampingpoly[2 * dof + 1])};
  const int j = m.dof_jntid[dof], code = m.jnt_actuatorid[j];
  return code == -1 ? own : detail::with_actuators(m, own, code, false, j);
}

template <class S, class M>
CORTEN_FN Damping<S> tendon_damping(const M& m, int t) {
  const Damping<S> own{S(m.tendon_damping[t]), S(m.tendon_dampingpoly[2 * t]),
                       S(m.tendon_dampingpoly[2 * t + 1])};
  const int code = m.tendon_actuatorid[t];
  return code == -1 ? own : detail::with_actuators(m, own, code, true, t);
}

template <class S, class M>
CORTEN_FN S joint_armature(const M& m, int joint) {
  const int code = m.jnt_actuatorid[joint];
  return code == -1 ? S(0) : detail::actuators_armature<S>(m, code, false, joint);
}

template <class S, class M>
CORTEN_FN S tendon_armature(const M& m, int t) {
  const int code = m.tendon_actuatorid[t];
  return code == -1 ? S(0) : detail::actuators_armature<S>(m, code, true, t);
}

}  // namespace corten
