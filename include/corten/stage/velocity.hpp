// SPDX-License-Identifier: Apache-2.0
//
// Velocities of edges, tendons, actuators and bodies, and the time derivative of the motion axes.
// Writes flexedge_velocity ten_velocity actuator_velocity cvel cdof_dot.
#pragma once

#include <corten/core/enums.hpp>
#include <corten/core/plain.hpp>
#include <corten/flex/edges.hpp>
#include <corten/joint/common.hpp>
#include <corten/tree/awake.hpp>

namespace corten {

// the bodies of a run, from the root outwards
template <class M, class D>
CORTEN_ENTRY void velocity(const M& m, const D& d, const Run& r) {
  using S = typename D::Scalar;
  for (int b = r.body; b < r.body_end; ++b) {
    Vec6<S> cvel = vec6<S>(d.cvel, m.body_parentid[b]);
    const int first = m.body_jntadr[b];
    for (int j = first; j < first + m.body_jntnum[b]; ++j) {
      M::Policies::Joints::visit(m.jnt_type[j], [&](auto kind) { kind.velocity(m, d, j, cvel); });
    }
    store(d.cvel, b, cvel);
  }
}

// what comes before the bodies: edges, tendons, actuators and the world
template <class M, class D>
CORTEN_FN void begin_velocity(const M& m, const D& d) {
  using S = typename D::Scalar;

  if constexpr (may_have_flexes<D>) flex_velocity(m, d);
  for (int t = 0; t < m.n.ntendon; ++t) {
    S sum = S(0);
    const int row = m.ten_J_rowadr[t];
    for (int k = row; k < row + m.ten_J_rownnz[t]; ++k)
      sum += d.ten_J[k] * d.qvel[m.ten_J_colind[k]];
    d.ten_velocity[t] = sum;
  }

  const bool actuated = !m.opt.disabled(disable_actuation);
  for (int o = 0; o < m.n.nout; ++o) {
    S sum = S(0);
    const int row = d.moment_rowadr[o], end = actuated ? row + d.moment_rownnz[o] : row;
    for (int k = row; k < end; ++k) sum += d.actuator_moment[k] * d.qvel[d.moment_colind[k]];
    d.actuator_velocity[o] = sum;
  }
  store(d.cvel, 0, Vec6<S>::Zero());
}

template <class M, class D>
CORTEN_ENTRY void velocity(const M& m, const D& d) {
  begin_velocity(m, d);
  each_run(m, d, [&](const Run& r) { velocity(m, d, r); });
}
CORTEN_SHARED(velocity, lists::joints)
CORTEN_SHARED_RUN(velocity)

}  // namespace corten
