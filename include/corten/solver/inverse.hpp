// SPDX-License-Identifier: Apache-2.0
//
// Constraint forces at a known acceleration. They follow directly from the residuals, without
// iterating.
#pragma once

#include <corten/solver/implicit_diff.hpp>

namespace corten {

namespace detail {

// fills p.state and p.force with the pieces and force values of all rows at the acceleration d.qacc
template <class D, class T, class L, bool E>
CORTEN_FN void rows_at_qacc(const D& d, const Problem<T, L, E>& p) {
  for (int i = 0; i < p.nv; ++i) p.work[i] = primal(d.qacc[i]);
  residuals(p, p.work);
  update_rows(p);
}

}  // namespace detail

// Writes efc_force, efc_state and qfrc_constraint for the acceleration in qacc.
template <class M, class D>
CORTEN_FN void inverse_constraint(const M& m, const D& d) {
  using S = typename D::Scalar;
  if (d.nefc == 0) {
    fill(d.qfrc_constraint, m.n.nv, S(0));
    return;
  }
  const auto p = make_problem(m, d);
  detail::rows_at_qacc(d, p);
  detail::forces_at_qacc(m, d, p);
}

// Returns the values of the same joint-space forces in scratch memory. The results of forward stay
// untouched.
template <class M, class D>
CORTEN_FN auto inverse_constraint_forces(const M& m, const D& d) {
  auto p = make_problem(m, d);
  p.force = p.row_work;
  p.state = p.old_state;
  p.qfrc_constraint = p.grad;
  detail::rows_at_qacc(d, p);
  map_forces(p);
  return p.qfrc_constraint;
}

}  // namespace corten
