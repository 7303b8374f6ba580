// SPDX-License-Identifier: Apache-2.0
//
// Actuator forces: force = gain · (control or activation) + bias, clamped, mapped to joints.
// Writes act_dot actuator_force qfrc_actuator.
#pragma once

#include <corten/actuator/activation.hpp>
#include <corten/actuator/contribution.hpp>
#include <corten/core/status.hpp>

namespace corten {

namespace detail {

// a number that physics cannot go on with
template <class S>
CORTEN_FN mask_t<S> is_bad(const S& x) {
  const auto v = value(x);
  return !(v < value_t<S>(1e10) && v > value_t<S>(-1e10));
}

// controls as the actuators see them: clamped; all zero if one of them is not a number
template <class M, class D>
CORTEN_FN void read_controls(const M& m, const D& d) {
  using S = typename D::Scalar;
  const bool clamping = !m.opt.disabled(disable_clampctrl);
  mask_t<S> bad = is_bad(S(0));
  for (int i = 0; i < m.n.nu; ++i) {
    S u = d.ctrl[i];
    if (clamping && m.actuator_ctrllimited[i]) {
      u = clamp(u, S(m.actuator_ctrlrange[2 * i]), S(m.actuator_ctrlrange[2 * i + 1]));
    }
    bad = bad || is_bad(u);
    d.work_nu[i] = u;
  }
  if (any(bad)) {
    d.status = d.status | bad_ctrl;
    for (int i = 0; i < m.n.nu; ++i) d.work_nu[i] = select(bad, S(0), S(d.work_nu[i]));
  }
}

// const + kp·length + kv·velocity of the parameters of actuator a
template <class S, class D, class F>
CORTEN_FN S affine(const D& d, const F& prm, int a, int out) {
  return S(prm[10 * a]) + S(prm[10 * a + 1]) * d.actuator_length[out] +
         S(prm[10 * a + 2]) * d.actuator_velocity[out];
}

template <class M, class D>
CORTEN_FN auto actuator_force(const M& m, const D& d, int a) {
  using S = typename D::Scalar;
  const int out = m.actuator_outadr[a], act = m.actuator_actadr[a];

  // input: the control, or the activation where there is one
  S input = d.work_nu[m.actuator_ctrladr[a]];
  if (act >= 0) {
    input = m.actuator_actearly[a] ? next_activation(m, d, a, S(d.act_dot[act])) : d.act[act];
  }

  const bool fixed = static_cast<GainType>(m.actuator_gaintype[a]) == GainType::fixed;
  const S gain =
      fixed ? S(m.actuator_gainprm[10 * a]) : affine<S>(d, m.actuator_gainprm, a, out);
  S force = gain * input;
  if (static_cast<BiasType>(m.actuator_biastype[a]) == BiasType::affine) {
    force += affine<S>(d, m.actuator_biasprm, a, out);
  }
  return force;
}

// scale the forces on a tendon so that their sum stays in its range
template <class M, class D>
CORTEN_FN void limit_tendon_force(const M& m, const D& d, int t) {
  using S = typename D::Scalar;
  S total = S(0);
  for (int a = 0; a < m.n.nactuator; ++a) {
    if (acts_on(m, a, true, t)) total += d.actuator_force[m.actuator_outadr[a]];
  }
  const S low = S(m.tendon_actfrcrange[2 * t]), high = S(m.tendon_actfrcrange[2 * t + 1]);
  const S bounded = clamp(total, low, high);
  const auto inside = value(bounded) == value(total);
  if (all(inside)) return;
  const S scale = select(inside, S(1), S(bounded / total));
  for (int a = 0; a < m.n.nactuator; ++a) {
    if (acts_on(m, a, true, t)) d.actuator_force[m.actuator_outadr[a]] *= scale;
  }
}

// joint space: moment arms, gravity compensation by actuators, limits of the joint's total force
template <class M, class D>
CORTEN_FN void map_actuators(const M& m, const D& d) {
  using S = typename D::Scalar;
  for (int o = 0; o < m.n.nout; ++o) {
    const int row = d.moment_rowadr[o];
    for (int k = row; k < row + d.moment_rownnz[o]; ++k) {
      d.qfrc_actuator[d.moment_colind[k]] += d.actuator_moment[k] * d.actuator_force[o];
    }
  }
  for (int i = 0; i < m.n.nv; ++i) {
    const int j = m.dof_jntid[i];
    if (m.jnt_actgravcomp[j]) d.qfrc_actuator[i] += d.qfrc_gravcomp[i];
    if (m.jnt_actfrclimited[j]) {
      d.qfrc_actuator[i] = clamp(d.qfrc_actuator[i], S(m.jnt_actfrcrange[2 * j]),
                                 S(m.jnt_actfrcrange[2 * j + 1]));
    }
  }
}

}  // namespace detail

template <class M, class D>
CORTEN_FN void actuation(const M& m, const D& d) {
  using S = typename D::Scalar;
  fill(d.actuator_force, m.n.nout, S(0));
  fill(d.qfrc_actuator, m.n.nv, S(0));
  if (m.n.nactuator == 0 || m.opt.disabled(disable_actuation)) return;
  detail::read_controls(m, d);

  for (int a = 0; a < m.n.nactuator; ++a) {
    const int act = m.actuator_actadr[a];
    if (act >= 0) d.act_dot[act] = activation_rate(m, d, a, S(d.work_nu[m.actuator_ctrladr[a]]));
  }
  for (int a = 0; a < m.n.nactuator; ++a) {
    if (actuator_disabled(m, a)) continue;
    d.actuator_force[m.actuator_outadr[a]] = detail::actuator_force(m, d, a);
  }

  for (int t = 0; t < m.n.ntendon; ++t) {
    if (m.tendon_actfrclimited[t]) detail::limit_tendon_force(m, d, t);
  }
  for (int a = 0; a < m.n.nactuator; ++a) {
    if (!m.actuator_forcelimited[a]) continue;
    const int out = m.actuator_outadr[a];
    d.actuator_force[out] = clamp(d.actuator_force[out], S(m.actuator_forcerange[2 * a]),
                                  S(m.actuator_forcerange[2 * a + 1]));
  }
  detail::map_actuators(m, d);
}

}  // namespace corten
