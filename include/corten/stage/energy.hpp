// SPDX-License-Identifier: Apache-2.0
//
// Potential and kinetic energy. Each function writes one entry of `energy`.
#pragma once

#include <corten/stage/factor.hpp>
#include <corten/stage/passive.hpp>

namespace corten {

template <class M, class D>
CORTEN_FN void potential_energy(const M& m, const D& d) {
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
    for (int j = 0; j < m.n.njnt; ++j) {
      M::Policies::Joints::visit(m.jnt_type[j],
                                 [&](auto kind) { sum += kind.spring_energy(m, d, j); });
    }
    for (int t = 0; t < m.n.ntendon; ++t) {
      const S x = detail::tendon_stretch(m, d, t);
      sum += polynomial_energy<S>(m.tendon_stiffness, m.tendon_stiffnesspoly, t, x);
    }
  }
  d.energy[0] = sum;
}

// ½ v'Mv
template <class M, class D>
CORTEN_FN void kinetic_energy(const M& m, const D& d) {
  using S = typename D::Scalar;
  multiply_M(m, d, d.qvel, d.work_nv);
  S sum = S(0);
  for (int i = 0; i < m.n.nv; ++i) sum += d.qvel[i] * d.work_nv[i];
  d.energy[1] = S(0.5) * sum;
}

}  // namespace corten
