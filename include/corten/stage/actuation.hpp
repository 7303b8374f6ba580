// SPDX-License-Identifier: Apache-2.0
//
// Actuator forces: force = gain · (control or activation) + bias, clamped and mapped to joint
// space. The kinds in actuator/ define gain, bias and activation dynamics. Writes act_dot
// actuator_force qfrc_actuator.
#pragma once

#include <corten/actuator/activation.hpp>
#include <corten/actuator/actuators.hpp>
#include <corten/core/plain.hpp>
#include <corten/core/status.hpp>
#include <corten/tree/awake.hpp>
#include <corten/tree/contribution.hpp>

namespace corten {

namespace detail {

// Replaces controls that act with a delay by those of that time ago, from their history.
template <class M, class D>
CORTEN_FN void read_delayed_controls(const M& m, const D& d) {
  using S = typename D::Scalar;
  for (int a = 0; a < m.n.nactuator; ++a) {
    if (m.actuator_history[2 * a] == 0 || value(m.actuator_delay[a]) == 0) continue;
    read_history(d.history.from(m.actuator_historyadr[a]), m.actuator_history[2 * a], 1,
                 S(d.time.get() - S(m.actuator_delay[a])),
                 static_cast<Interpolation>(m.actuator_history[2 * a + 1]),
                 d.work_nu.from(m.actuator_ctrladr[a]));
  }
}

// Writes the controls as the actuators see them to work_nu: delayed and clamped, and all of them
// zero if a single one is bad.
template <class M, class D>
CORTEN_FN void read_controls(const M& m, const D& d) {
  using S = typename D::Scalar;
  const bool clamping = !m.opt.disabled(disable_clampctrl);
  copy(d.work_nu, d.ctrl, m.n.nu);
  if (m.n.nhistory > 0) read_delayed_controls(m, d);
  mask_t<S> bad = is_bad(S(0));
  for (int i = 0; i < m.n.nu; ++i) {
    S u = d.work_nu[i];
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

// the actuator's last activation if it has any, else its control
template <class M, class D>
CORTEN_FN auto actuator_input(const M& m, const D& d, int a) {
  using S = typename D::Scalar;
  const int states = m.actuator_actnum[a];
  S input = S(0);
  if (states > 0) {
    const int i = m.actuator_actadr[a] + states - 1;
    input = m.actuator_actearly[a] ? next_activation(m, d, a, i, S(d.act_dot[i])) : S(d.act[i]);
  } else if (m.actuator_ctrlnum[a] > 0) {
    input = d.work_nu[m.actuator_ctrladr[a]];
  }
  const S period = wrap_period<S>(m, a);
  if (any(value(period) > 0)) {
    input = wrapped(input, S(d.actuator_length[m.actuator_outadr[a]]), period);
  }
  return input;
}

// gain · input + bias
template <class M, class D>
CORTEN_FN void drive_actuator(const M& m, const D& d, int a) {
  using S = typename D::Scalar;
  const int out = m.actuator_outadr[a];
  S gain = S(0);
  M::Policies::Actuators::visit(static_cast<GainType>(m.actuator_gaintype[a]), [&](auto kind) {
    using K = decltype(kind);
    if constexpr (actuator_policy::names_gain<K>) gain = K::gain(m, d, a);
    if constexpr (actuator_policy::names_drive<K>) {
      K::drive(m, d, a);
    } else {
      d.actuator_force[out] = gain * actuator_input(m, d, a);
    }
  });
  M::Policies::Actuators::visit(static_cast<BiasType>(m.actuator_biastype[a]), [&](auto kind) {
    using K = decltype(kind);
    if constexpr (requires { K::bias(m, d, a, gain); }) {
      d.actuator_force[out] += K::bias(m, d, a, gain);
    } else if constexpr (actuator_policy::names_bias<K>) {
      d.actuator_force[out] += K::bias(m, d, a);
    }
  });
}

// Clamps each force to its range. For an orientation servo the range limits the magnitude of the
// torque.
template <class M, class D>
CORTEN_FN void limit_force(const M& m, const D& d, int a) {
  using S = typename D::Scalar;
  const int out = m.actuator_outadr[a];
  const S low = S(m.actuator_forcerange[2 * a]), high = S(m.actuator_forcerange[2 * a + 1]);
  if (static_cast<GainType>(m.actuator_gaintype[a]) == GainType::so3) {
    const S length = norm(vec<S, 3>(d.actuator_force.from(out), 0));
    const auto over = length > high;
    const S scale = select(over, S(high / select(over, length, S(1))), S(1));
    for (int k = 0; k < 3; ++k) d.actuator_force[out + k] *= scale;
    return;
  }
  for (int k = 0; k < m.actuator_outnum[a]; ++k) {
    d.actuator_force[out + k] = clamp(S(d.actuator_force[out + k]), low, high);
  }
}

// scales the forces of all actuators on a tendon so that their sum stays in the tendon's range
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

// Maps the forces to joint space by their moment arms, adds the gravity compensation that actuators
// apply, and clamps the total force of each joint.
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
      d.qfrc_actuator[i] =
          clamp(d.qfrc_actuator[i], S(m.jnt_actfrcrange[2 * j]), S(m.jnt_actfrcrange[2 * j + 1]));
    }
  }
}

}  // namespace detail

// the trees of a run, in a model without actuators
template <class M, class D>
CORTEN_FN void actuation(const M&, const D& d, const Run& r) {
  clear(d.qfrc_actuator.from(r.dof), r.dof_end - r.dof);
}

template <class M, class D>
CORTEN_ENTRY void actuation(const M& m, const D& d) {
  using S = typename D::Scalar;
  fill(d.actuator_force, m.n.nout, S(0));
  if (m.n.nactuator == 0) return each_run(m, d, [&](const Run& r) { actuation(m, d, r); });
  fill(d.qfrc_actuator, m.n.nv, S(0));
  if (m.opt.disabled(disable_actuation)) return;
  detail::read_controls(m, d);

  const bool some = some_asleep(m, d);
  const auto sleeps = [&](int a) { return some && actuator_asleep(m, d, a); };
  for (int a = 0; a < m.n.nactuator && m.n.na > 0; ++a) {
    if (m.actuator_actadr[a] >= 0 && !sleeps(a)) activation_rates(m, d, a);
  }
  for (int a = 0; a < m.n.nactuator; ++a) {
    if (!actuator_disabled(m, a) && !sleeps(a)) detail::drive_actuator(m, d, a);
  }

  for (int t = 0; t < m.n.ntendon; ++t) {
    if (m.tendon_actfrclimited[t]) detail::limit_tendon_force(m, d, t);
  }
  for (int a = 0; a < m.n.nactuator; ++a) {
    if (m.actuator_forcelimited[a]) detail::limit_force(m, d, a);
  }
  for (int a = 0; a < m.n.nactuator; ++a) {
    if (actuator_disabled(m, a) || sleeps(a)) continue;
    M::Policies::Actuators::visit(static_cast<BiasType>(m.actuator_biastype[a]), [&](auto kind) {
      using K = decltype(kind);
      if constexpr (actuator_policy::names_late_force<K>) K::late_force(m, d, a);
    });
  }
  detail::map_actuators(m, d);
}
CORTEN_SHARED(actuation, lists::actuators | lists::joints)

}  // namespace corten
