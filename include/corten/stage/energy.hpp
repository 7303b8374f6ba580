// SPDX-License-Identifier: Apache-2.0
//
// Potential and kinetic energy. Each function writes one entry of `energy`. As in MuJoCo, the
// springs of trees and tendons that sleep do not count.
#pragma once

#include <corten/core/plain.hpp>
#include <corten/stage/factor.hpp>
#include <corten/stage/passive.hpp>

namespace corten {

template <class M, class D>
CORTEN_ENTRY void potential_energy(const M& m, const D& d) {
  using S = typename D::Scalar;
  S sum = S(0);
  if (!m.opt.disabled(disable_gravity)) {
    for (int b = 1; b < m.n.nbody; ++b) {
      const Vec3<S> x = vec3<S>(d.xipos, b);
      S height = S(0);
      for (int k = 0; k < 3; ++k) height += S(m.opt.gravity[k]) * x[k];
      sum -= S(m.body_mass[b]) * height;
    }
  }
  if (!m.opt.disabled(disable_spring)) {
    each_run(m, d, [&](const Run& r) {
      for (int j = r.jnt; j < r.jnt_end; ++j) {
        M::Policies::Joints::visit(m.jnt_type[j],
                                   [&](auto kind) { sum += kind.spring_energy(m, d, j); });
      }
    });
    const bool some = some_asleep(m, d);
    for (int t = 0; t < m.n.ntendon; ++t) {
      if (some && tendon_state(m, d, t) != SleepState::awake) continue;
      const S x = detail::tendon_stretch(m, d, t);
      sum += polynomial_energy<S>(m.tendon_stiffness, m.tendon_stiffnesspoly, t, x);
    }
    if constexpr (may_have_flexes<D>) sum += flex_energy(m, d);
  }
  d.energy[0] = sum;
}
CORTEN_SHARED(potential_energy, lists::joints)

// ½ v'Mv
template <class M, class D>
CORTEN_ENTRY void kinetic_energy(const M& m, const D& d) {
  using S = typename D::Scalar;
  S sum = S(0);
  each_run(m, d, [&](const Run& r) {
    tree_multiply(m, {r.dof, r.dof_end}, d.M, d.qvel, d.work_nv);
    for (int i = r.dof; i < r.dof_end; ++i) sum += d.qvel[i] * d.work_nv[i];
  });
  d.energy[1] = S(0.5) * sum;
}
CORTEN_PLAIN(kinetic_energy)

}  // namespace corten
