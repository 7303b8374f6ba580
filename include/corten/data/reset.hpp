// SPDX-License-Identifier: Apache-2.0
//
// The state and inputs of a world at the start: reference pose, at rest, no controls, no applied forces.
#pragma once

#include <corten/data/history.hpp>
#include <corten/math/field.hpp>

namespace corten {

template <class M, class D>
CORTEN_FN void reset_state(const M& m, const D& d) {
  using S = typename D::Scalar;
  d.time = S(0);
  copy(d.qpos, m.qpos0, m.n.nq);
  fill(d.qvel, m.n.nv, S(0));
  fill(d.act, m.n.na, S(0));
  fill(d.qacc_warmstart, m.n.nv, S(0));
  fill(d.ctrl, m.n.nu, S(0));
  fill(d.qfrc_applied, m.n.nv, S(0));
  fill(d.xfrc_applied, 6 * m.n.nbody, S(0));
  copy(d.eq_active, m.eq_active0, m.n.neq);
  fill(d.userdata, m.n.nuserdata, S(0));
  reset_histories(m, d);

  // mocap bodies start where the model has them
  for (int b = 0; b < m.n.nbody; ++b) {
    const int k = m.body_mocapid[b];
    if (k < 0) continue;
    copy(d.mocap_pos.from(3 * k), m.body_pos.from(3 * b), 3);
    copy(d.mocap_quat.from(4 * k), m.body_quat.from(4 * b), 4);
  }
}

}  // namespace corten
