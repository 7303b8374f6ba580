// SPDX-License-Identifier: Apache-2.0
//
// How much memory the solvers need for the rows of a large model, found out right after the rows
// have been made, so that data which is too small is noticed before anything depends on it.
#pragma once

#include <corten/constraint/rows.hpp>
#include <corten/core/plain.hpp>
#include <corten/solver/hessian_pattern.hpp>
#include <corten/solver/islands.hpp>

namespace corten {

namespace detail {

// An upper bound of the entries of L'⁻¹ J_r (math/reach.hpp): each dof of the row that is no
// ancestor of the next one brings all of its own.
template <class M, class J>
CORTEN_FN int reached_bound(const M& m, const J& rows, int r) {
  int bound = 0, last = -1;
  const auto length = [&](int i) { return i < 0 ? 0 : int(m.M_rownnz[i]); };
  each_entry(rows, r, [&](int i, const auto&) {
    const int own = length(last);
    const bool above = own > 0 && own < length(i) && m.M_colind[m.M_rowadr[i] + own - 1] == last;
    if (!above) bound += own;
    last = i;
  });
  return bound + length(last);
}

}  // namespace detail

// Finds the islands, and sets nY_needed, nH_needed and nF_needed, for compressed rows.
template <class M, class D>
CORTEN_ENTRY void measure_room(const M& m, const D& d) {
  find_islands(m, d);
  if (takes_rows(m.opt)) {
    const auto J = jacobian_rows(d);
    int bound = 0, total = 0;
    for (int r = 0; r < d.nefc; ++r) {
      const bool seen = r > 0 && d.efc_J_runadr[r] == d.efc_J_runadr[r - 1];
      if (!seen) bound = detail::reached_bound(m, J, r);
      total += bound;
    }
    d.nY_needed = total;
  }
  if (takes_hessian<typename D::Scalar>(m.opt)) make_patterns(m, d);
}
CORTEN_SHARED(measure_room, lists::constraints | lists::methods)

// Is there enough for the solver? Options may have changed since the rows were made.
template <class M, class D>
CORTEN_FN bool has_room(const M& m, const D& d) {
  if (!d.n.compressed()) return true;
  const bool rows = !takes_rows(m.opt) || (d.nY_needed >= 0 && d.nY_needed <= d.n.nynz);
  const bool hessian = !takes_hessian<typename D::Scalar>(m.opt) ||
                       (d.nH_needed > 0 && d.nH_needed <= d.n.nhess && d.nF_needed <= d.n.nfactor);
  return rows && hessian;
}

}  // namespace corten
