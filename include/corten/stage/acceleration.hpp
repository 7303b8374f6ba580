// SPDX-License-Identifier: Apache-2.0
//
// Acceleration without constraints. Writes qfrc_smooth qacc_smooth.
#pragma once

#include <corten/core/plain.hpp>
#include <corten/solver/flex_metric.hpp>
#include <corten/stage/factor.hpp>
#include <corten/tree/jacobian.hpp>

namespace corten {

template <class M, class D>
CORTEN_ENTRY void acceleration(const M& m, const D& d) {
  using S = typename D::Scalar;
  each_awake_dof(m, d, [&](int i) {
    d.qfrc_smooth[i] = d.qfrc_passive[i] - d.qfrc_bias[i] + d.qfrc_applied[i] + d.qfrc_actuator[i];
  });

  // forces on bodies, at their centres of mass; none act on those asleep
  const auto push = [&](int b) {
    const Vec6<S> wrench = vec6<S>(d.xfrc_applied, b);
    bool none = true;
    for (int k = 0; k < 6; ++k) none = none && vanishes(wrench[k]);
    if (none) return;
    apply_force(m, d, b, vec3<S>(d.xipos, b), wrench.template head<3>(), wrench.template tail<3>(),
                d.qfrc_smooth);
  };
  if constexpr (may_have_flexes<D>) {
    if (m.n.nflex > 0 && has_flex_metric(m)) {
      for (int b = 1; b < m.n.nbody; ++b) push(b);
      build_flex_metric(m, d);
      flex_metric_acceleration(m, d);
      return;
    }
  }
  each_run(m, d, [&](const Run& r) {
    for (int b = r.body; b < r.body_end; ++b) push(b);
    copy(d.qacc_smooth.from(r.dof), d.qfrc_smooth.from(r.dof), r.dof_end - r.dof);
    tree_solve(m, {r.dof, r.dof_end}, d.qLD, d.qLDiagInv, d.qacc_smooth);
  });
}
CORTEN_PLAIN(acceleration)

}  // namespace corten
