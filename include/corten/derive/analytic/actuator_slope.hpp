// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of actuators. The force of an actuator and its next activations depend on its own
// length, velocity, activations and controls only. So all actuators are differentiated together, by
// one pass of dual numbers in which tangent 0 stands for the length of each actuator, tangent 1 for
// its velocity, and the following ones for its activations and controls. Motors and servos without
// activation, the usual case, need no duals.
#pragma once

#include <corten/data/capacity.hpp>
#include <corten/derive/analytic/force_slope.hpp>
#include <corten/joint/joints.hpp>
#include <corten/stage/actuation.hpp>
#include <corten/tree/jacobian.hpp>

namespace corten::derive::analytic {

// tangents of an actuator: length, velocity, then activations, then controls
template <class M>
int local_inputs(const M& m, int a) {
  return 2 + m.actuator_actnum[a] + m.actuator_ctrlnum[a];
}

// does it act on a tendon whose actuators are limited together?
template <class M>
bool acts_on_limited_tendon(const M& m, int a) {
  return acts_on_tendon(m, a) && m.tendon_actfrclimited[m.actuator_trnid[2 * a]];
}

// is its force gain · control + bias, with gain and bias affine in length and velocity?
template <class M>
bool is_affine(const M& m, int a) {
  const auto gain = static_cast<GainType>(m.actuator_gaintype[a]);
  const auto bias = static_cast<BiasType>(m.actuator_biastype[a]);
  return m.actuator_actnum[a] == 0 && m.actuator_ctrlnum[a] == 1 &&
         (gain == GainType::fixed || gain == GainType::affine) &&
         (bias == BiasType::none || bias == BiasType::affine) && !acts_on_limited_tendon(m, a) &&
         !(corten::detail::wrap_period<typename M::Scalar>(m, a) > 0);
}

// does its force depend on its controls alone?
template <class M>
bool is_motor(const M& m, int a) {
  return m.actuator_actnum[a] == 0 && m.actuator_gaintype[a] == static_cast<int>(GainType::fixed) &&
         m.actuator_biastype[a] == static_cast<int>(BiasType::none);
}

// is its slope by velocity, as implicit integrators use it, a constant?
template <class M>
bool has_constant_slope(const M& m, int a) {
  return is_affine(m, a) && m.actuator_gaintype[a] == static_cast<int>(GainType::fixed);
}

template <class M>
bool acts_on_site(const M& m, int a) {
  return m.actuator_trntype[a] == static_cast<int>(TransmissionType::site) && !has_own_bend(m, a);
}

// the wrench on its body, about the centre of the tree, of an actuator at a site with unit force
template <class T, class M, class D>
Vec6<T> site_wrench(const M& m, const D& d, int a) {
  const int site = m.actuator_trnid[2 * a], b = m.site_bodyid[site];
  const Vec6<T> gear = vec6<T>(m.actuator_gear, m.actuator_outadr[a]);
  const Mat3<T> frame = mat3<T>(d.site_xmat, site);
  const Vec3<T> arm = vec3<T>(d.site_xpos, site) - vec3<T>(d.subtree_com, m.body_rootid[b]);
  const Vec3<T> push = frame * gear.template head<3>();
  return Vec6<T>(cross(arm, push) + frame * gear.template tail<3>(), push);
}

// does it act on a joint whose moment arms may change?
template <class M>
bool acts_on_ball(const M& m, int a) {
  const auto kind = static_cast<TransmissionType>(m.actuator_trntype[a]);
  return (kind == TransmissionType::joint || kind == TransmissionType::jointinparent) &&
         !is_plain_joint(m, m.actuator_trnid[2 * a]);
}

// Length and moment arms of an actuator on a ball or free joint, with tangents along its dofs:
// calls f(first dof, count, length, moment).
template <class M, class D, class E, class F>
void ball_transmission(const M& m, const D& d, const E& dual, int a, F&& f) {
  using S = typename E::Scalar;
  const int j = m.actuator_trnid[2 * a];
  const bool in_parent = m.actuator_trntype[a] == static_cast<int>(TransmissionType::jointinparent);
  M::Policies::Joints::visit(m.jnt_type[j], [&](auto kind) {
    Vec<S, decltype(kind)::nv> moment;
    seed_joint(kind, m, d, dual, j);
    const Vec6<S> gear = vec6<S>(m.actuator_gear, m.actuator_outadr[a]);
    const S length = kind.transmission(m, dual, j, gear, in_parent, moment);
    f(m.jnt_dofadr[j], kind.nv, length, moment);
  });
}

// Adds to a row of all inputs: by_length times the gradient of the actuator's length, and by_rate
// times that of its velocity, by position.
template <class M, class D, class E, class T>
void add_gradient(const M& m, const D& d, const E& dual, const Workspace<T>& w, int a,
                  const T& by_length, const T& by_rate, T* out) {
  const int o = m.actuator_outadr[a], row = d.moment_rowadr[o];
  if (acts_on_ball(m, a)) {
    ball_transmission(m, d, dual, a, [&](int v, int count, const auto& length, const auto& moment) {
      for (int k = 0; k < count; ++k) {
        T rate = T(0);
        for (int i = 0; i < count; ++i) rate += tangent(moment[i], k) * d.qvel[v + i];
        out[v + k] += by_length * tangent(length, k) + by_rate * rate;
      }
    });
  } else if (acts_on_site(m, a)) {
    // no length; the moment turns with the body
    const Vec6<T> wrench = site_wrench<T>(m, d, a);
    each_chain_dof(m, m.site_bodyid[m.actuator_trnid[2 * a]],
                   [&](int k) { out[k] += by_rate * wrench.dot(vec6<T>(d.cdof_dot, k)); });
  } else if (const Bend<T> bend = w.bends.actuator(m, a)) {
    bend.each(d.qvel, [&](int k, const T& stretch, const T& rate) {
      out[k] += by_length * stretch + by_rate * rate;
    });
  } else {
    for (int k = row; k < row + d.moment_rownnz[o]; ++k) {
      out[d.moment_colind[k]] += by_length * d.actuator_moment[k];
    }
  }
}

// Adds scale times the derivative of an output of actuator a, given its `local` derivatives, to a
// row of all inputs.
template <class M, class D, class E, class T>
void chain_inputs(const M& m, const D& d, const E& dual, const Workspace<T>& w, int a,
                  const T* local, const T& scale, T* out) {
  const int o = m.actuator_outadr[a], row = d.moment_rowadr[o], states = m.actuator_actnum[a];
  if (local[0] != T(0) || local[1] != T(0)) {
    add_gradient(m, d, dual, w, a, T(scale * local[0]), T(scale * local[1]), out);
    for (int k = row; k < row + d.moment_rownnz[o]; ++k) {
      out[w.velocity + d.moment_colind[k]] += scale * local[1] * d.actuator_moment[k];
    }
  }
  for (int k = 0; k < states; ++k) {
    out[w.activation + m.actuator_actadr[a] + k] += scale * local[2 + k];
  }
  for (int k = 0; k < m.actuator_ctrlnum[a]; ++k) {
    out[w.control + m.actuator_ctrladr[a] + k] += scale * local[2 + states + k];
  }
}

// Is the total force of actuators on a dof inside its range, so that it notices changes?
template <class M, class D>
bool notices(const M& m, const D& d, int i) {
  const int j = m.dof_jntid[i];
  return !m.jnt_actfrclimited[j] || (d.qfrc_actuator[i] > m.jnt_actfrcrange[2 * j] &&
                                     d.qfrc_actuator[i] < m.jnt_actfrcrange[2 * j + 1]);
}

// g -= moment' force
template <class M, class D, class E, class T>
void add_actuator(const M& m, const D& d, const E& dual, const Workspace<T>& w, int a,
                  const T* local) {
  const int o = m.actuator_outadr[a], row = d.moment_rowadr[o];
  const T force = d.actuator_force[o];
  for (int k = row; k < row + d.moment_rownnz[o]; ++k) {
    const int i = d.moment_colind[k];
    if (notices(m, d, i)) {
      const auto to = w.at(i);
      chain_inputs(m, d, dual, w, a, local, T(-d.actuator_moment[k] * to.scale), to.data);
    }
  }
  if (acts_on_site(m, a)) {
    const int b = m.site_bodyid[m.actuator_trnid[2 * a]];
    take_force(w, b, Vec6<T>(site_wrench<T>(m, d, a) * force));
  } else if (acts_on_ball(m, a)) {
    ball_transmission(m, d, dual, a, [&](int v, int count, const auto&, const auto& moment) {
      for (int i = 0; i < count; ++i) {
        for (int k = 0; k < count && notices(m, d, v + i); ++k) {
          w.at(v + i)[v + k] -= force * tangent(moment[i], k);
        }
      }
    });
  } else {
    w.bends.actuator(m, a).each_entry([&](int i, int k, const T& entry) {
      if (notices(m, d, i)) w.at(i)[k] -= force * entry;
    });
  }
}

template <class M, class D, class E, class T>
void affine_actuator(const M& m, const D& d, const E& dual, const Workspace<T>& w, int a) {
  const int o = m.actuator_outadr[a], u = m.actuator_ctrladr[a];
  T local[3] = {};
  const T force = d.actuator_force[o], control = d.work_nu[u];
  const bool bounded = m.actuator_forcelimited[a] && !(force > T(m.actuator_forcerange[2 * a]) &&
                                                       force < T(m.actuator_forcerange[2 * a + 1]));
  if (!bounded) {
    const auto prm = [&](int k) { return T(m.actuator_gainprm[10 * a + k]); };
    const auto bias = [&](int k) { return T(m.actuator_biasprm[10 * a + k]); };
    const bool affine = m.actuator_gaintype[a] == static_cast<int>(GainType::affine);
    const bool biased = m.actuator_biastype[a] == static_cast<int>(BiasType::affine);
    if (affine) local[0] += prm(1) * control, local[1] += prm(2) * control;
    if (biased) local[0] += bias(1), local[1] += bias(2);
    const bool free = control == T(d.ctrl[u]);  // neither clamped nor refused
    if (free) {
      local[2] = prm(0);
      if (affine) local[2] += prm(1) * d.actuator_length[o] + prm(2) * d.actuator_velocity[o];
    }
  }
  add_actuator(m, d, dual, w, a, local);
}

// Seeds the inputs of all actuators in the data with duals.
template <class M, class D, class E>
void seed_actuators(const M& m, const D& d, const E& dual) {
  using S = typename E::Scalar;
  const auto seed = [](S& x, const auto& value, int k) {
    x = S(value);
    tangent(x, k) = primal_t<S>(1);
  };
  dual.time = S(d.time.get());
  dual.status = 0;
  for (int i = 0; i < m.n.nhistory; ++i) dual.history[i] = S(d.history[i]);
  for (int a = 0; a < m.n.nactuator; ++a) {
    const int o = m.actuator_outadr[a], first = m.actuator_actadr[a], u = m.actuator_ctrladr[a];
    seed(dual.actuator_length[o], d.actuator_length[o], 0);
    seed(dual.actuator_velocity[o], d.actuator_velocity[o], 1);
    int k = 2;
    for (int i = 0; i < m.actuator_actnum[a]; ++i) seed(dual.act[first + i], d.act[first + i], k++);
    for (int i = 0; i < m.actuator_ctrlnum[a]; ++i) seed(dual.ctrl[u + i], d.ctrl[u + i], k++);
  }
}

// Drives all actuators in the data with duals: leaves their forces, and the rates of activations.
template <class M, class D, class E>
void drive_duals(const M& m, const D& d, const E& dual) {
  using S = typename E::Scalar;
  seed_actuators(m, d, dual);
  corten::detail::read_controls(m, dual);
  for (int a = 0; a < m.n.nactuator; ++a) {
    if (m.actuator_actadr[a] >= 0) activation_rates(m, dual, a);
  }
  for (int a = 0; a < m.n.nactuator; ++a) {
    dual.actuator_force[m.actuator_outadr[a]] = S(0);
    if (actuator_disabled(m, a)) continue;
    corten::detail::drive_actuator(m, dual, a);
    // no other actuator acts on that tendon (coverage.hpp)
    if (acts_on_limited_tendon(m, a)) {
      corten::detail::limit_tendon_force(m, dual, m.actuator_trnid[2 * a]);
    }
    if (m.actuator_forcelimited[a]) corten::detail::limit_force(m, dual, a);
    M::Policies::Actuators::visit(static_cast<BiasType>(m.actuator_biastype[a]), [&](auto kind) {
      using K = decltype(kind);
      if constexpr (actuator_policy::names_late_force<K>) K::late_force(m, dual, a);
    });
  }
}

// Actuators of any kind, by duals. Leaves the rates of activations in the data with duals.
template <class M, class D, class E, class T>
void dual_actuators(const M& m, const D& d, const E& dual, const Workspace<T>& w) {
  using S = typename E::Scalar;
  drive_duals(m, d, dual);
  for (int a = 0; a < m.n.nactuator; ++a) {
    if (actuator_disabled(m, a)) continue;
    T local[static_cast<std::size_t>(tangent_count<S>)];
    for (int k = 0; k < tangent_count<S>; ++k) {
      local[k] = tangent(dual.actuator_force[m.actuator_outadr[a]], k);
    }
    add_actuator(m, d, dual, w, a, local);
  }
}

// Rows of `next`: the derivatives of x, one number per activation of the data with duals, as
// dual_actuators() seeded them.
template <class M, class D, class E, class T>
void activation_rows(const M& m, const D& d, const E& dual, const Workspace<T>& w,
                     const Field<typename E::Scalar>& x) {
  using S = typename E::Scalar;
  fill(w.next, w.na * w.width, T(0));
  if (m.opt.disabled(disable_actuation)) return;
  for (int a = 0; a < m.n.nactuator; ++a) {
    T local[static_cast<std::size_t>(tangent_count<S>)];
    for (int i = m.actuator_actadr[a]; i < m.actuator_actadr[a] + m.actuator_actnum[a]; ++i) {
      for (int k = 0; k < tangent_count<S>; ++k) local[k] = tangent(x[i], k);
      chain_inputs(m, d, dual, w, a, local, T(1), w.next.data + i * w.width);
    }
  }
}

// Derivatives of the activations after the step, from the rates that dual_actuators() left.
template <class M, class D, class E, class T>
void next_activations(const M& m, const D& d, const E& dual, const Workspace<T>& w) {
  advance_activations(m, dual, dual.act_dot);
  activation_rows(m, d, dual, w, dual.act);
  for (int i = 0; i < w.na && m.opt.disabled(disable_actuation); ++i) {
    w.next[i * w.width + w.activation + i] = T(1);
  }
}

template <class M, class D, class E, class T>
void actuator_slopes(const M& m, const D& d, const E& dual, const Workspace<T>& w) {
  if (m.n.nactuator == 0 || m.opt.disabled(disable_actuation)) return;
  bool affine = m.n.na == 0 && m.n.nhistory == 0;
  const bool implicit = takes_slopes(m.opt.integrator);
  for (int a = 0; a < m.n.nactuator && affine; ++a) {
    affine = implicit ? has_constant_slope(m, a) && !acts_along_bend(m, a) : is_affine(m, a);
  }
  if (!affine) return dual_actuators(m, d, dual, w);
  for (int a = 0; a < m.n.nactuator; ++a) {
    if (!actuator_disabled(m, a)) affine_actuator(m, d, dual, w, a);
  }
}

}  // namespace corten::derive::analytic
