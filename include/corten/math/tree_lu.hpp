// SPDX-License-Identifier: Apache-2.0
//
// LU factorisation of an unsymmetric matrix with tree sparsity: where dof j is an ancestor of dof
// i, both A(i, j) and A(j, i) may be non-zero. Two arrays in the pattern of the inertia matrix hold
// it: lower[k] = A(i, j) and upper[k] = A(j, i) for entry k in row i, column j. Elimination starts
// at the leaves, as in math/tree_ldl.hpp, so there is no fill-in either.
#pragma once

#include <corten/math/tree_ldl.hpp>

namespace corten {

// In place; `inverse` holds 1 / pivots. Returns in which lanes every pivot was large enough to
// divide by. Elsewhere the pivot was replaced by the smallest trusted one.
template <class P, class A, class B>
CORTEN_FN auto tree_lu_factor(const P& m, Dofs dofs, A lower, A upper, B inverse) {
  using S = typename A::Value;
  const auto rowadr = m.M_rowadr, rownnz = m.M_rownnz, colind = m.M_colind;
  mask_t<S> ok = all_lanes<S>();
  for (int k = dofs.end - 1; k >= dofs.first; --k) {
    const int row = rowadr[k], diag = row + rownnz[k] - 1;
    const auto trusted = abs(value(S(lower[diag]))) > value_t<S>(min_value);
    ok = ok && trusted;
    const S inv = S(1) / select(trusted, S(lower[diag]), S(min_value));
    inverse[k] = inv;

    // A(i, j) -= A(i, k) A(k, j) / A(k, k) for ancestors i and j of k
    for (int a = diag - 1; a >= row; --a) {
      const int i = colind[a], to = rowadr[i], count = rownnz[i];
      const S down = upper[a] * inv, across = lower[a] * inv;
      for (int c = 0; c < count; ++c) {
        lower[to + c] -= down * lower[row + c];
        upper[to + c] -= across * upper[row + c];
      }
    }
    for (int a = row; a < diag; ++a) upper[a] *= inv;
  }
  return ok;
}

// In place: x = A⁻¹ x
template <class P, class A, class B, class X>
CORTEN_FN void tree_lu_solve(const P& m, Dofs dofs, A lower, A upper, B inverse, X x) {
  using S = std::remove_cvref_t<decltype(x[0])>;
  const auto rowadr = m.M_rowadr, rownnz = m.M_rownnz, colind = m.M_colind;
  for (int i = dofs.end - 1; i >= dofs.first; --i) {
    const int row = rowadr[i], diag = row + rownnz[i] - 1;
    const S xi = x[i];
    for (int a = row; a < diag; ++a) x[colind[a]] -= upper[a] * xi;
  }
  for (int i = dofs.first; i < dofs.end; ++i) {
    const int row = rowadr[i], diag = row + rownnz[i] - 1;
    S sum = x[i];
    for (int a = row; a < diag; ++a) sum -= lower[a] * x[colind[a]];
    x[i] = sum * inverse[i];
  }
}

}  // namespace corten
