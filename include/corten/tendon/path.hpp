// SPDX-License-Identifier: Apache-2.0
//
// Tendon lengths and their Jacobian. A fixed tendon is a linear combination of scalar joints:
// length = Σ coef · qpos. Writes ten_length ten_J.
#pragma once

#include <corten/core/enums.hpp>
#include <corten/core/field.hpp>

namespace corten {

template <class M, class D>
CORTEN_FN void tendon(const M& m, const D& d) {
  using S = typename D::Scalar;
  for (int t = 0; t < m.n.ntendon; ++t) {
    const int row = m.ten_J_rowadr[t], nnz = m.ten_J_rownnz[t];
    for (int k = row; k < row + nnz; ++k) d.ten_J[k] = S(0);

    S length = S(0);
    for (int w = m.tendon_adr[t]; w < m.tendon_adr[t] + m.tendon_num[t]; ++w) {
      const int j = m.wrap_objid[w], dof = m.jnt_dofadr[j];
      length += S(m.wrap_prm[w]) * d.qpos[m.jnt_qposadr[j]];

      // the pattern of the row is sorted and may hold one dof for several entries
      for (int k = row; k < row + nnz; ++k) {
        if (m.ten_J_colind[k] == dof) d.ten_J[k] += S(m.wrap_prm[w]);
      }
    }
    d.ten_length[t] = length;
  }
}

}  // namespace corten
