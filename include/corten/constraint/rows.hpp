// SPDX-License-Identifier: Apache-2.0
//
// How a kind of constraint writes its rows: reserve, fill the Jacobian, set the rest.
//
//     const int row = reserve_rows(d, 1);
//     if (row < 0) return;  // no room; d.nefc_needed counts the rows anyway
//     each_dof(m, d, body, point, [&](int i, const Vec3<S>& move, const Vec3<S>&) {
//       row_entry(d, row, i) += direction.dot(move);
//     });
//     set_row(d, row, ConstraintType::equality, e, S(length - target));
#pragma once

#include <corten/core/enums.hpp>
#include <corten/math/field.hpp>

namespace corten {

// Reserves `count` rows with a Jacobian of zero. Returns the first, or -1 if they do not fit. Rows
// that do not fit still count in nefc_needed.
template <class D>
CORTEN_FN int reserve_rows(const D& d, int count) {
  d.nefc_needed = d.nefc_needed + count;
  if (d.nefc + count > d.n.njmax) return -1;
  const int row = d.nefc;
  d.nefc = row + count;
  fill(d.efc_J.from(row * d.n.nv), count * d.n.nv, typename D::Scalar(0));
  return row;
}

// drops the last `count` rows, starting at `row`
template <class D>
CORTEN_FN void drop_rows(const D& d, int row, int count) {
  d.nefc = row;
  d.nefc_needed = d.nefc_needed - count;
}

// the entry of a row for a dof
template <class D>
CORTEN_FN auto& row_entry(const D& d, int row, int dof) {
  return d.efc_J[row * d.n.nv + dof];
}

template <class D, class S>
CORTEN_FN void set_row(const D& d, int row, ConstraintType type, int id, const S& pos,
                       const S& margin = S(0), const S& frictionloss = S(0)) {
  d.efc_type[row] = static_cast<int>(type);
  d.efc_id[row] = id;
  d.efc_pos[row] = pos;
  d.efc_margin[row] = margin;
  d.efc_frictionloss[row] = frictionloss;
}

namespace detail {

// Does MuJoCo store compressed rows for this model? If so, it keeps rows whose entries are all
// zero.
template <class M>
CORTEN_FN bool keeps_compressed_rows(const M& m) {
  const auto kind = static_cast<JacobianKind>(m.opt.jacobian);
  return kind == JacobianKind::sparse || (kind == JacobianKind::automatic && m.n.nv >= 60);
}

}  // namespace detail

// Drops the rows if nothing moves them; returns whether they are kept. `reached` means that some
// dof leads to the objects they constrain; where MuJoCo compresses rows it then stores entries for
// that dof, even if they are zero, and keeps the rows.
template <class M, class D>
CORTEN_FN bool keep_rows(const M& m, const D& d, int row, int count, bool reached = false) {
  bool moves = reached && detail::keeps_compressed_rows(m);
  for (int k = 0; k < count * m.n.nv && !moves; ++k) {
    moves = value(d.efc_J[row * m.n.nv + k]) != 0;
  }
  if (!moves) drop_rows(d, row, count);
  return moves;
}

}  // namespace corten
