// SPDX-License-Identifier: Apache-2.0
//
// Passive forces: springs, dampers, gravity compensation, adhesion of surfaces, fluid forces.
// Writes qfrc_spring qfrc_damper qfrc_gravcomp qfrc_adhesion qfrc_fluid qfrc_passive.
#pragma once

#include <corten/core/plain.hpp>
#include <corten/flex/passive.hpp>
#include <corten/flex/stiffness.hpp>
#include <corten/fwd.hpp>
#include <corten/joint/common.hpp>
#include <corten/stage/fluid.hpp>
#include <corten/stage/surface.hpp>
#include <corten/tree/awake.hpp>
#include <corten/tree/contribution.hpp>

namespace corten {

namespace detail {

// Clears the forces on the dofs of a run, and starts with those of joints. Returns false if there
// are to be none.
template <class M, class D>
CORTEN_FN bool joint_forces(const M& m, const D& d, const Run& r) {
  using S = typename D::Scalar;
  const bool springs = !m.opt.disabled(disable_spring), dampers = !m.opt.disabled(disable_damper);
  const int nv = r.dof_end - r.dof;
  clear(d.qfrc_spring.from(r.dof), nv);
  if (!dampers) fill(d.qfrc_damper.from(r.dof), nv, S(0));
  clear(d.qfrc_gravcomp.from(r.dof), nv);
  clear(d.qfrc_fluid.from(r.dof), nv);
  clear(d.qfrc_adhesion.from(r.dof), nv);
  if (!springs && !dampers) return fill(d.qfrc_passive.from(r.dof), nv, S(0)), false;

  for (int j = r.jnt; springs && j < r.jnt_end; ++j) {
    const bool none = value(m.jnt_stiffness[j]) == 0 && value(m.jnt_stiffnesspoly[2 * j]) == 0 &&
                      value(m.jnt_stiffnesspoly[2 * j + 1]) == 0;
    if (none) continue;
    M::Policies::Joints::visit(m.jnt_type[j], [&](auto kind) { kind.spring(m, d, j); });
  }
  for (int i = r.dof; dampers && i < r.dof_end; ++i) {
    d.qfrc_damper[i] = dof_damping<S>(m, i).force(d.qvel[i]);
  }
  return true;
}

// Some joints leave their gravity compensation to their actuators. Forces that the model does not
// have are not read: with many bodies this stage is nothing but memory traffic.
template <class M, class D>
CORTEN_FN void sum_passive(const M& m, const D& d, const Run& r) {
  using S = typename D::Scalar;
  const bool fluids = has_fluid(m), compensated = m.n.ngravcomp > 0;
  for (int i = r.dof; i < r.dof_end; ++i) {
    S sum = d.qfrc_spring[i] + d.qfrc_damper[i];
    if (fluids) sum += d.qfrc_fluid[i];
    if (m.n.nadhesion > 0) sum += d.qfrc_adhesion[i];
    if (compensated && !m.jnt_actgravcomp[m.dof_jntid[i]]) sum += d.qfrc_gravcomp[i];
    d.qfrc_passive[i] = sum;
  }
}

// how far the length is outside the rest interval of the spring, negative if too short
template <class M, class D>
CORTEN_FN auto tendon_stretch(const M& m, const D& d, int t) {
  using S = typename D::Scalar;
  const S length = d.ten_length[t], low = S(m.tendon_lengthspring[2 * t]),
          high = S(m.tendon_lengthspring[2 * t + 1]);
  return S(max(S(length - high), S(0)) + min(S(length - low), S(0)));
}

template <class M, class D>
CORTEN_FN void tendon_forces(const M& m, const D& d, int t) {
  using S = typename D::Scalar;
  S spring = S(0), damper = S(0);
  if (!m.opt.disabled(disable_spring)) {
    const S x = tendon_stretch(m, d, t);
    spring = -x * polynomial<S>(m.tendon_stiffness, m.tendon_stiffnesspoly, t, x);
  }
  if (!m.opt.disabled(disable_damper)) damper = tendon_damping<S>(m, t).force(d.ten_velocity[t]);
  const int row = m.ten_J_rowadr[t];
  for (int k = row; k < row + m.ten_J_rownnz[t]; ++k) {
    d.qfrc_spring[m.ten_J_colind[k]] += d.ten_J[k] * spring;
    d.qfrc_damper[m.ten_J_colind[k]] += d.ten_J[k] * damper;
  }
}

template <class M, class D>
CORTEN_FN void gravity_compensation(const M& m, const D& d) {
  using S = typename D::Scalar;
  if (m.n.ngravcomp == 0 || m.opt.disabled(disable_gravity)) return;
  const bool some = some_asleep(m, d);
  for (int b = 1; b < m.n.nbody; ++b) {
    if (some && is_asleep(d, b)) continue;
    const S share = S(m.body_gravcomp[b]) * S(m.body_mass[b]);
    if (all(value(share) == 0)) continue;
    Vec3<S> force;
    for (int k = 0; k < 3; ++k) force[k] = -share * S(m.opt.gravity[k]);
    apply_force(m, d, b, vec3<S>(d.xipos, b), force, Vec3<S>::Zero(), d.qfrc_gravcomp);
  }
}

}  // namespace detail

// Are there no passive forces but those of joints? Then trees can be treated one by one.
template <class M>
CORTEN_FN bool only_joint_forces(const M& m) {
  return m.n.nflex == 0 && m.n.ntendon == 0 && m.n.ngravcomp == 0 && m.n.nadhesion == 0 &&
         !has_fluid(m);
}
template <class M, class D>
CORTEN_ENTRY void passive(const M& m, const D& d, const Run& r) {
  if (detail::joint_forces(m, d, r)) detail::sum_passive(m, d, r);
}

template <class M, class D>
CORTEN_ENTRY void passive(const M& m, const D& d) {
  using S = typename D::Scalar;
  const bool springs = !m.opt.disabled(disable_spring), dampers = !m.opt.disabled(disable_damper);
  each_run(m, d, [&](const Run& r) { detail::joint_forces(m, d, r); });
  if (!springs && !dampers) return;

  if constexpr (may_have_flexes<D>) flex_forces(without_policies(m), d, springs, dampers);
  const bool some = some_asleep(m, d);
  for (int t = 0; t < m.n.ntendon; ++t) {
    if (some && tendon_state(m, d, t) != SleepState::awake) continue;
    detail::tendon_forces(m, d, t);
  }
  detail::gravity_compensation(m, d);
  if (has_fluid(m)) fluid(m, d);

  if constexpr (may_have_flexes<D>) {
    if (m.n.nflex > 0) passive_contacts(m, d);
  }

  // in lanes each world adds the adhesion of its own contacts
  if constexpr (!is_lanes<S>) {
    if (m.n.nadhesion > 0) adhesion(m, d);
  }
  each_run(m, d, [&](const Run& r) { detail::sum_passive(m, d, r); });
}
CORTEN_SHARED(passive, lists::joints | lists::geoms)
CORTEN_SHARED_RUN(passive)

// one world in lanes: adds the adhesion of its own contacts
template <class M, class S>
CORTEN_FN void passive(const M& m, const Lane<S>& lane) {
  const auto& block = lane.block;
  const auto& world = lane.world;
  const bool forces = !m.opt.disabled(disable_spring) || !m.opt.disabled(disable_damper);
  if (m.n.nadhesion == 0 || !forces) return;
  lane.take(block.subtree_com, world.subtree_com, 3 * m.n.nbody);
  lane.take(block.cdof, world.cdof, 6 * m.n.nv);
  lane.take(block.qfrc_passive, world.qfrc_passive, m.n.nv);
  adhesion(m, world);
  for (int i = 0; i < m.n.nv; ++i) world.qfrc_passive[i] += world.qfrc_adhesion[i];
  lane.give(world.qfrc_adhesion, block.qfrc_adhesion, m.n.nv);
  lane.give(world.qfrc_passive, block.qfrc_passive, m.n.nv);
}

}  // namespace corten
