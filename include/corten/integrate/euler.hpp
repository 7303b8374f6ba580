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

template <class M, class D>
CORTEN_FN bool damped(const M& m, const D& d) {
  if (m.opt.disabled(disable_eulerdamp) || m.opt.disabled(disable_damper)) return false;
  bool found = false;
  each_run(m, d, [&](const Run& r) {
    for (int i = r.dof; i < r.dof_end && !found; ++i) {
      found = value(m.dof_damping[i]) > 0 || value(m.dof_dampingpoly[2 * i]) != 0 ||
              value(m.dof_dampingpoly[2 * i + 1]) != 0 || m.jnt_actuatorid[m.dof_jntid[i]] != -1;
    }
  });
  return found;
}

}  // namespace detail

template <class M, class D>
CORTEN_FN void euler(const M& m, const D& d) {
  using S = typename D::Scalar;
  const int nv = m.n.nv;
  if (!detail::damped(m, d)) {
    advance(m, d, d.act_dot, d.qacc, d.qvel);
    return;
  }

  // (M + h B) qacc = qfrc_smooth + qfrc_constraint
  const auto qacc = d.work_nv, inverse = d.work_nv.from(nv);
  each_run(m, d, [&](const Run& r) {
    const Dofs dofs{r.dof, r.dof_end}, entries = inertia_entries(m, r);
    copy(d.work_M.from(entries.first), d.M.from(entries.first), entries.end - entries.first);
    for (int i = dofs.first; i < dofs.end; ++i) {
      d.work_M[m.M_rowadr[i] + m.M_rownnz[i] - 1] +=
          S(m.opt.timestep) * dof_damping<S>(m, i).slope(d.qvel[i]);
      qacc[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i];
    }
    tree_factor(m, dofs, d.work_M, inverse, Pivots::any_sign);
    tree_solve(m, dofs, d.work_M, inverse, qacc);
  });
  advance(m, d, d.act_dot, qacc, d.qvel);
}

}  // namespace corten
