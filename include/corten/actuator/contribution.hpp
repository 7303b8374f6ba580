// SPDX-License-Identifier: Apache-2.0
//
// Damping and armature that actuators put on the joint or tendon they act on, scaled by gear².
// jnt_actuatorid and tendon_actuatorid are -1 for none, the actuator if it is one, below -1 for several.
#pragma once

#include <corten/core/enums.hpp>
#include <corten/core/field.hpp>

namespace corten {

namespace detail {

template <class M>
CORTEN_FN bool acts_on(const M& m, int actuator, bool on_tendon, int id) {
  if (m.actuator_trnid[2 * actuator] != id) return false;
  const auto kind = static_cast<TransmissionType>(m.actuator_trntype[actuator]);
  return on_tendon ? kind == TransmissionType::tendon
                   : kind == TransmissionType::joint || kind == TransmissionType::jointinparent;
}

// f(actuator, gear²) for each actuator that contributes
template <class S, class M, class F>
CORTEN_FN void each_contribution(const M& m, int code, bool on_tendon, int id, F&& f) {
  if (code == -1) return;
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

  // force at velocity v is -v (b + p0 |v| + p1 v²)
  CORTEN_FN S force(const S& v) const { return -v * (linear + abs(v) * p0 + v * v * p1); }

  // minus the derivative of the force
  CORTEN_FN S slope(const S& v) const { return linear + S(2) * abs(v) * p0 + S(3) * v * v * p1; }
};

template <class S, class M>
CORTEN_FN Damping<S> dof_damping(const M& m, int dof) {
  Damping<S> out{S(m.dof_damping[dof]), S(m.dof_dampingpoly[2 * dof]),
                 S(m.dof_dampingpoly[2 * dof + 1])};
  const int j = m.dof_jntid[dof];
  detail::each_contribution<S>(m, m.jnt_actuatorid[j], false, j, [&](int a, const S& gear2) {
    out.linear += S(m.actuator_damping[a]) * gear2;
    out.p0 += S(m.actuator_dampingpoly[2 * a]) * gear2;
    out.p1 += S(m.actuator_dampingpoly[2 * a + 1]) * gear2;
  });
  return out;
}

template <class S, class M>
CORTEN_FN Damping<S> tendon_damping(const M& m, int t) {
  Damping<S> out{S(m.tendon_damping[t]), S(m.tendon_dampingpoly[2 * t]),
                 S(m.tendon_dampingpoly[2 * t + 1])};
  detail::each_contribution<S>(m, m.tendon_actuatorid[t], true, t, [&](int a, const S& gear2) {
    out.linear += S(m.actuator_damping[a]) * gear2;
    out.p0 += S(m.actuator_dampingpoly[2 * a]) * gear2;
    out.p1 += S(m.actuator_dampingpoly[2 * a + 1]) * gear2;
  });
  return out;
}

template <class S, class M>
CORTEN_FN S joint_armature(const M& m, int joint) {
  S out = S(0);
  detail::each_contribution<S>(m, m.jnt_actuatorid[joint], false, joint,
                               [&](int a, const S& gear2) { out += S(m.actuator_armature[a]) * gear2; });
  return out;
}

template <class S, class M>
CORTEN_FN S tendon_armature(const M& m, int t) {
  S out = S(0);
  detail::each_contribution<S>(m, m.tendon_actuatorid[t], true, t,
                               [&](int a, const S& gear2) { out += S(m.actuator_armature[a]) * gear2; });
  return out;
}

}  // namespace corten
