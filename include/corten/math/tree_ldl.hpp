// SPDX-License-Identifier: Apache-2.0
//
// L'DL factorisation of a matrix with tree sparsity (Featherstone 2008, section 6.5). There is no
// fill-in, so the factor has the pattern of the matrix. Rows are compressed: row i lists its
// ancestors in ascending order, with the diagonal last. If row k has a non-zero in column i, then
// row i is a prefix of row k, so the inner loops run over adjacent entries.
#pragma once

#include <corten/math/dense.hpp>

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

namespace detail {

// Rows that are eliminated together, and how long they must be for that. Each passes through all
// rows of its ancestors. Four at a time load and store an entry of these once instead of four
// times, with the same operations in the same order: a chain of 300 links takes 0.5 ms instead of
// 1.0 ms. Short rows, as those of a humanoid, are left as they are.
inline constexpr int rows_together = 4, long_row = 24;

// how many of the dofs k, k - 1, … are each the parent of the one before, up to rows_together
template <class P>
CORTEN_FN int chain_above(const P& m, Dofs dofs, int k) {
  int count = 1;
  for (; count < rows_together && k - count >= dofs.first; ++count) {
    const int i = k - count, length = m.M_rownnz[i + 1];
    if (m.M_rownnz[i] + 1 != length || m.M_colind[m.M_rowadr[i + 1] + length - 2] != i) break;
  }
  return count;
}

// y -= scale_0 x_0 + scale_1 x_1 + …, one after the other
template <class A, class S>
CORTEN_FN void subtract_rows(A mat, int to, const int (&from)[rows_together],
                             const S (&scale)[rows_together], int count) {
  constexpr int width = 8;
  const auto y = mat.from(to), x0 = mat.from(from[0]), x1 = mat.from(from[1]),
             x2 = mat.from(from[2]), x3 = mat.from(from[3]);
  const S s0 = scale[0], s1 = scale[1], s2 = scale[2], s3 = scale[3];
  int c = 0;
  for (; c + width <= count; c += width) {
    S part[width];
    for (int w = 0; w < width; ++w) part[w] = y[c + w];
    for (int w = 0; w < width; ++w) part[w] -= s0 * x0[c + w];
    for (int w = 0; w < width; ++w) part[w] -= s1 * x1[c + w];
    for (int w = 0; w < width; ++w) part[w] -= s2 * x2[c + w];
    for (int w = 0; w < width; ++w) part[w] -= s3 * x3[c + w];
    for (int w = 0; w < width; ++w) y[c + w] = part[w];
  }
  for (; c < count; ++c) {
    S part = y[c];
    part -= s0 * x0[c];
    part -= s1 * x1[c];
    part -= s2 * x2[c];
    part -= s3 * x3[c];
    y[c] = part;
  }
}

// makes a pivot one that can be divided by, and its inverse; returns where it was one
template <class A, class B>
CORTEN_FN auto invert_pivot(A mat, B inverse, int k, int diag, bool positive) {
  using S = typename A::Value;
  const auto pivot = value(mat[diag]);
  const auto trusted = (positive ? pivot : abs(pivot)) > value_t<S>(min_value);
  if (!all(trusted)) mat[diag] = select(trusted, S(mat[diag]), S(min_value));
  inverse[k] = S(1) / mat[diag];
  return trusted;
}

// Eliminates dof k: L(i, :) -= L(k, i) L(k, :) / D(k) for its last `count` ancestors i.
template <class P, class A, class S>
CORTEN_FN void eliminate(const P& m, A mat, int k, const S& inv, int count) {
  const int row = m.M_rowadr[k], diag = row + m.M_rownnz[k] - 1;
  for (int a = diag - 1; a >= diag - count; --a) {
    const int i = m.M_colind[a], to = m.M_rowadr[i], length = m.M_rownnz[i];
    const S scale = mat[a] * inv;
    axpy(S(-scale), mat.from(row), mat.from(to), length);
  }
}

// eliminates the dofs k, k - 1, … of a chain, whose rows are final up to their own updates
template <class P, class A, class B>
CORTEN_FN auto eliminate_together(const P& m, int k, A mat, B inverse, bool positive) {
  using S = typename A::Value;
  mask_t<S> ok = all_lanes<S>();
  int row[rows_together];
  S inv[rows_together], scale[rows_together];
  for (int b = 0; b < rows_together; ++b) {
    row[b] = m.M_rowadr[k - b];
    const auto trusted =
        invert_pivot(mat, inverse, k - b, row[b] + m.M_rownnz[k - b] - 1, positive);
    ok = ok && trusted;
    inv[b] = inverse[k - b];
    eliminate(m, mat, k - b, inv[b], rows_together - 1 - b);
  }
  for (int a = m.M_rownnz[k - rows_together + 1] - 2; a >= 0; --a) {
    const int i = m.M_colind[row[0] + a];
    for (int b = 0; b < rows_together; ++b) scale[b] = mat[row[b] + a] * inv[b];
    subtract_rows(mat, m.M_rowadr[i], row, scale, m.M_rownnz[i]);
  }
  for (int b = 0; b < rows_together; ++b) {
    const int diag = row[b] + m.M_rownnz[k - b] - 1;
    for (int a = row[b]; a < diag; ++a) mat[a] *= inv[b];
  }
  return ok;
}

}  // namespace detail

// In place: on return the diagonal holds D, the rest of each row holds L, and `inverse` holds 1/D.
// Returns in which lanes every pivot was large enough to divide by. Elsewhere the pivot was
// replaced by the smallest trusted one.
template <class P, class A, class B>
CORTEN_FN auto tree_factor(const P& m, Dofs dofs, A mat, B inverse,
                           Pivots signs = Pivots::positive) {
  using S = typename A::Value;
  const bool positive = signs == Pivots::positive;
  mask_t<S> ok = all_lanes<S>();
  for (int k = dofs.end - 1; k >= dofs.first; --k) {
    const int row = m.M_rowadr[k], diag = row + m.M_rownnz[k] - 1;
    if (m.M_rownnz[k] >= detail::long_row &&
        detail::chain_above(m, dofs, k) == detail::rows_together) {
      const auto trusted = detail::eliminate_together(m, k, mat, inverse, positive);
      ok = ok && trusted;
      k -= detail::rows_together - 1;
      continue;
    }
    const auto trusted = detail::invert_pivot(mat, inverse, k, diag, positive);
    ok = ok && trusted;
    const S inv = inverse[k];
    detail::eliminate(m, mat, k, inv, diag - row);
    scale_by(inv, mat.from(row), diag - row);
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
