// SPDX-License-Identifier: Apache-2.0
//
// Acceleration without constraints. Writes qfrc_smooth qacc_smooth.
#pragma once

#include <corten/core/plain.hpp>
#include <corten/solver/flex_metric.hpp>
#include <corten/stage/factor.hpp>
#include <corten/tree/jacobian.hpp>

namespace corten {

namespace detail {

template <class M, class D>
CORTEN_FN void sum_forces(const M&, const D& d, const Run& r) {
  for (int i = r.dof; i < r.dof_end; ++i) {
    d.qfrc_smooth[i] = d.qfrc_passive[i] - d.qfrc_bias[i] + d.qfrc_applied[i] + d.qfrc_actuator[i];
  }
}

// The force on a body, at its centre of mass. None act on those asleep.
template <class M, class D>
CORTEN_FN void push_body(const M& m, const D& d, int b) {
  using S = typename D::Scalar;
  const Vec6<S> wrench = vec6<S>(d.xfrc_applied, b);
  bool none = true;
  for (int k = 0; k < 6; ++k) none = none && vanishes(wrench[k]);
  if (none) return;
  apply_force(m, d, b, vec3<S>(d.xipos, b), wrench.template head<3>(), wrench.template tail<3>(),
              d.qfrc_smooth);
}

}  // namespace detail

// the trees of a run, unless the model has a flex
template <class M, class D>
CORTEN_ENTRY void acceleration(const M& m, const D& d, const Run& r) {
  detail::sum_forces(m, d, r);
  for (int b = r.body; b < r.body_end; ++b) detail::push_body(m, d, b);
  copy(d.qacc_smooth.from(r.dof), d.qfrc_smooth.from(r.dof), r.dof_end - r.dof);
  tree_solve(m, {r.dof, r.dof_end}, d.qLD, d.qLDiagInv, d.qacc_smooth);
}

template <class M, class D>
CORTEN_ENTRY void acceleration(const M& m, const D& d) {
  if constexpr (may_have_flexes<D>) {
    if (m.n.nflex > 0 && has_flex_metric(m)) {
      each_run(m, d, [&](const Run& r) { detail::sum_forces(m, d, r); });
      for (int b = 1; b < m.n.nbody; ++b) detail::push_body(m, d, b);
      build_flex_metric(m, d);
      flex_metric_acceleration(m, d);
      return;
    }
  }
  each_run(m, d, [&](const Run& r) { acceleration(m, d, r); });
}
CORTEN_PLAIN(acceleration)
CORTEN_PLAIN_RUN(acceleration)

}  // namespace corten
