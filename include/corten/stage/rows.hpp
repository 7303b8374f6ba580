// SPDX-License-Identifier: Apache-2.0
//
// How constraint rows are put down, one after the other, by the stage that makes them.
#pragma once

#include <corten/core/enums.hpp>
#include <corten/core/field.hpp>

namespace corten::detail {

// Reserves `count` rows; returns the first, or -1 if they do not fit. What was wanted is counted anyway.
template <class D>
CORTEN_FN int reserve_rows(const D& d, int count) {
  d.nefc_needed = d.nefc_needed + count;
  if (d.nefc + count > d.n.njmax) return -1;
  const int row = d.nefc;
  d.nefc = row + count;
  fill(d.efc_J.from(row * d.n.nv), count * d.n.nv, typename D::Scalar(0));
  return row;
}

template <class D, class S>
CORTEN_FN void set_row(const D& d, int row, ConstraintType type, int id, const S& pos,
                       const S& margin, const S& frictionloss) {
  d.efc_type[row] = static_cast<int>(type);
  d.efc_id[row] = id;
  d.efc_pos[row] = pos;
  d.efc_margin[row] = margin;
  d.efc_frictionloss[row] = frictionloss;
}

// J(row, :) = sign · tendon Jacobian
template <class M, class D, class S>
CORTEN_FN void tendon_row(const M& m, const D& d, int row, int t, const S& sign) {
  for (int k = m.ten_J_rowadr[t]; k < m.ten_J_rowadr[t] + m.ten_J_rownnz[t]; ++k) {
    d.efc_J[row * m.n.nv + m.ten_J_colind[k]] = sign * d.ten_J[k];
  }
}

// gives back the last `count` rows, from `row` on
template <class D>
CORTEN_FN void drop_rows(const D& d, int row, int count) {
  d.nefc = row;
  d.nefc_needed = d.nefc_needed - count;
}

}  // namespace corten::detail
