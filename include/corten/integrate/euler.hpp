// SPDX-License-Identifier: Apache-2.0
//
// Semi-implicit Euler. Unless disabled, joint damping is implicit, (M + h B) a = f, which keeps
// heavily damped joints stable at the same timestep. See MuJoCo documentation, Computation,
// "Numerical Integration".
#pragma once

#include <corten/integrate/advance.hpp>
#include <corten/math/tree_ldl.hpp>
#include <corten/tree/contribution.hpp>

namespace corten {

namespace detail {

template <class M>
CORTEN_FN bool damped(const M& m) {
  if (m.opt.disabled(disable_eulerdamp) || m.opt.disabled(disable_damper)) return false;
  for (int i = 0; i < m.n.nv; ++i) {
    if (value(m.dof_damping[i]) > 0 || value(m.dof_dampingpoly[2 * i]) != 0 ||
        value(m.dof_dampingpoly[2 * i + 1]) != 0 || m.jnt_actuatorid[m.dof_jntid[i]] != -1) {
      return true;
    }
  }
  return false;
}

}  // namespace detail

template <class M, class D>
CORTEN_FN void euler(const M& m, const D& d) {
  using S = typename D::Scalar;
  const int nv = m.n.nv;
  if (!detail::damped(m)) {
    advance(m, d, d.act_dot, d.qacc, d.qvel);
    return;
  }

  // (M + h B) qacc = qfrc_smooth + qfrc_constraint
  const auto qacc = d.work_nv, inverse = d.work_nv.from(nv);
  copy(d.work_M, d.M, m.n.nM);
  for (int i = 0; i < nv; ++i) {
    d.work_M[m.M_rowadr[i] + m.M_rownnz[i] - 1] +=
        S(m.opt.timestep) * dof_damping<S>(m, i).slope(d.qvel[i]);
    qacc[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i];
  }
  tree_factor(m, nv, d.work_M, inverse, Pivots::any_sign);
  tree_solve(m, nv, d.work_M, inverse, qacc);
  advance(m, d, d.act_dot, qacc, d.qvel);
}

}  // namespace corten
