// SPDX-License-Identifier: Apache-2.0
//
// Shared by the kinds whose rows act along tendons.
#pragma once

#include <corten/constraint/kind.hpp>
#include <corten/constraint/rows.hpp>

namespace corten::detail {

// Does the tendon move anything? If a joint occurs repeatedly, only the last of its columns counts.
template <class M, class D>
CORTEN_FN bool tendon_moves(const M& m, const D& d, int t) {
  const int row = m.ten_J_rowadr[t], end = row + m.ten_J_rownnz[t];
  for (int k = row; k < end; ++k) {
    const bool last = k + 1 == end || m.ten_J_colind[k + 1] != m.ten_J_colind[k];
    if (last && value(d.ten_J[k]) != 0) return true;
  }
  return false;
}

// J(row, :) = sign · tendon Jacobian
template <class M, class D, class S>
CORTEN_FN void tendon_row(const M& m, const D& d, int row, int t, const S& sign) {
  for (int k = m.ten_J_rowadr[t]; k < m.ten_J_rowadr[t] + m.ten_J_rownnz[t]; ++k) {
    row_entry(d, row, m.ten_J_colind[k]) = sign * d.ten_J[k];
  }
}

// f(tree) for every dof that a tendon moves
template <class M, class F>
CORTEN_FN void each_tendon_tree(const M& m, int t, F&& f) {
  for (int k = m.ten_J_rowadr[t]; k < m.ten_J_rowadr[t] + m.ten_J_rownnz[t]; ++k) {
    f(m.dof_treeid[m.ten_J_colind[k]]);
  }
}

}  // namespace corten::detail

namespace corten::constraints {

struct TendonRows : Rows {
  template <class M, class D>
  CORTEN_FN static auto weight(const M& m, const D& d, int row, int) {
    return typename D::Scalar(m.tendon_invweight0[d.efc_id[row]]);
  }
  template <class M, class D, class F>
  CORTEN_FN static void trees(const M& m, const D&, int t, F&& f) {
    detail::each_tendon_tree(m, t, f);
  }
};

}  // namespace corten::constraints
