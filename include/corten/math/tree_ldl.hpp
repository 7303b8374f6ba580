// SPDX-License-Identifier: Apache-2.0
//
// L'DL factorisation of a matrix with tree sparsity (Featherstone 2008, section 6.5). There is no
// fill-in, so the factor has the pattern of the matrix. Rows are compressed: row i lists its
// ancestors in ascending order, with the diagonal last. If row k has a non-zero in column i, then
// row i is a prefix of row k, so the inner loops run over adjacent entries.
#pragma once

#include <corten/math/field.hpp>

namespace corten {

// Full rows, with every ancestor of the dof. M's own rows (M_rowadr, M_rownnz) omit the
// off-diagonal entries of simple bodies, which are zero.
template <class F, class G>
struct TreeRows {
  F M_rowadr, M_rownnz;
  G M_colind;
};
template <class M>
CORTEN_FN auto tree_rows(const M& m) {
  return TreeRows<decltype(m.dof_Madr), decltype(m.M_colind)>{m.dof_Madr, m.dof_depth, m.M_colind};
}

// The dofs of whole trees, one after the other: a number of dofs stands for the first ones.
struct Dofs {
  int first, end;

  CORTEN_FN Dofs(int count) : first(0), end(count) {}
  CORTEN_FN Dofs(int begin, int past) : first(begin), end(past) {}
};

// Whether pivots may be negative: never in an inertia matrix, but possible in the matrix of an
// integrator.
enum class Pivots { positive, any_sign };

// In place: on return the diagonal holds D, the rest of each row holds L, and `inverse` holds 1/D.
// Returns in which lanes every pivot was large enough to divide by. Elsewhere the pivot was
// replaced by the smallest trusted one.
template <class P, class A, class B>
CORTEN_FN auto tree_factor(const P& m, Dofs dofs, A mat, B inverse,
                           Pivots signs = Pivots::positive) {
  using S = typename A::Value;
  const auto rowadr = m.M_rowadr, rownnz = m.M_rownnz, colind = m.M_colind;
  mask_t<S> ok = all_lanes<S>();
  for (int k = dofs.end - 1; k >= dofs.first; --k) {
    const int row = rowadr[k], diag = row + rownnz[k] - 1;
    const auto pivot = value(mat[diag]);
    const auto trusted = (signs == Pivots::positive ? pivot : abs(pivot)) > value_t<S>(min_value);
    if (!all(trusted)) {
      mat[diag] = select(trusted, S(mat[diag]), S(min_value));
      ok = ok && trusted;
    }
    const S inv = S(1) / mat[diag];
    inverse[k] = inv;

    // rows of the ancestors: L(i, :) -= L(k, i) L(k, :) / D(k)
    for (int a = diag - 1; a >= row; --a) {
      const int i = colind[a], to = rowadr[i], count = rownnz[i];
      const S scale = mat[a] * inv;
      for (int c = 0; c < count; ++c) mat[to + c] -= scale * mat[row + c];
    }
    for (int a = row; a < diag; ++a) mat[a] *= inv;
  }
  return ok;
}

// In place: x = (L'DL)⁻¹ x
template <class P, class A, class B, class X>
CORTEN_FN void tree_solve(const P& m, Dofs dofs, A mat, B inverse, X x) {
  using S = std::remove_cvref_t<decltype(x[0])>;
  const auto rowadr = m.M_rowadr, rownnz = m.M_rownnz, colind = m.M_colind;

  // x = L'⁻¹ x
  for (int i = dofs.end - 1; i >= dofs.first; --i) {
    const int row = rowadr[i], diag = row + rownnz[i] - 1;
    const S xi = x[i];
    for (int a = row; a < diag; ++a) x[colind[a]] -= mat[a] * xi;
  }

  // x = D⁻¹ x
  for (int i = dofs.first; i < dofs.end; ++i) x[i] *= inverse[i];

  // x = L⁻¹ x
  for (int i = dofs.first; i < dofs.end; ++i) {
    const int row = rowadr[i], diag = row + rownnz[i] - 1;
    S sum = x[i];
    for (int a = row; a < diag; ++a) sum -= mat[a] * x[colind[a]];
    x[i] = sum;
  }
}

// y = A x with lower[k] = A(i, j) and upper[k] = A(j, i) for entry k in row i, column j
template <class P, class A, class X, class Y>
CORTEN_FN void tree_multiply(const P& m, Dofs dofs, A lower, A upper, X x, Y y) {
  using S = std::remove_cvref_t<decltype(y[0])>;
  const auto rowadr = m.M_rowadr, rownnz = m.M_rownnz, colind = m.M_colind;
  for (int i = dofs.first; i < dofs.end; ++i) {
    const int row = rowadr[i], diag = row + rownnz[i] - 1;
    const S xi = x[i];
    S sum = lower[diag] * xi;
    for (int a = row; a < diag; ++a) {
      const int j = colind[a];
      sum += lower[a] * x[j];
      y[j] += upper[a] * xi;
    }
    y[i] = sum;
  }
}

// y = M x for the symmetric matrix whose lower triangle is stored
template <class P, class A, class X, class Y>
CORTEN_FN void tree_multiply(const P& m, Dofs dofs, A mat, X x, Y y) {
  tree_multiply(m, dofs, mat, mat, x, y);
}

}  // namespace corten
