// SPDX-License-Identifier: Apache-2.0
//
// The Hessian H = M + J' s'' J of the constraint problem at its solution, and its Cholesky factor.
// The solvers' own is not used, since not all of them have one, and those that do have one per
// island. It is dense, but dofs of bodies that do not touch each other are not coupled: row i
// begins at column start[i], and so does that row of the factor.
#pragma once

#include <corten/constraint/rows.hpp>
#include <corten/derive/analytic/workspace.hpp>
#include <corten/solver/problem.hpp>

namespace corten::derive::analytic {

namespace detail {

// writes the entries of row r of J and their dofs to w.column; returns their number
template <class J, class T>
int read_row(const J& rows, const Workspace<T>& w, int r, const Field<T>& entry) {
  int count = 0;
  each_entry(rows, r, [&](int i, const T& x) {
    if (x == T(0)) return;
    w.column[count] = i;
    entry[count++] = x;
  });
  return count;
}

// lower triangle of H += scale · x x' for a sparse x
template <class T>
void add_outer(const Workspace<T>& w, int count, const Field<T>& x, const T& scale) {
  for (int a = 0; a < count; ++a) {
    T* const row = w.hessian.data + w.column[a] * w.nv;
    const T own = scale * x[a];
    for (int b = 0; b <= a; ++b) row[w.column[b]] += own * x[b];
  }
}

// H += J_c' C J_c for a cone in its `cone` zone, where C is the curvature of its cost
template <class J, class P, class T>
void add_cone(const J& rows, const P& p, const Workspace<T>& w, int r, int dim) {
  const ConeScale<T> scale = cone_scale(p, r, dim);
  const ConePoint<T> at = cone_point(scale, cone_rows<T>(p.Jaref, r, dim));
  const T stiffness = cone_stiffness(scale, T(p.D[r]));
  for (int k = 0; k < dim; ++k) {
    fill(w.entry, w.nv, T(0));
    for (int l = 0; l < dim; ++l) {
      const T bend = cone_curvature(scale, at, stiffness, k, l);
      each_entry(rows, r + l, [&](int i, const T& x) { w.entry[i] += bend * x; });
    }
    each_entry(rows, r + k, [&](int i, const T& x) {
      if (x == T(0)) return;
      T* const row = w.hessian.data + i * w.nv;
      each_entry(rows, r + k, [&](int j, const T&) {
        if (j <= i) row[j] += x * w.entry[j];
      });
    });
  }
}

}  // namespace detail

// Assembles the lower triangle of H at the states of the rows and the residuals in p.
template <class M, class D, class P, class T>
void assemble_hessian(const M& m, const D& d, const P& p, const Workspace<T>& w) {
  const int n = w.nv;
  const auto rows = jacobian_rows(d);
  fill(w.hessian, n * n, T(0));
  for (int i = 0; i < n; ++i) {
    const int row = m.M_rowadr[i];
    for (int k = row; k < row + m.M_rownnz[i]; ++k) w.hessian[i * n + m.M_colind[k]] = d.M[k];
  }
  for (int r = 0; r < d.nefc; ++r) {
    const auto state = static_cast<ConstraintState>(d.efc_state[r]);
    if (state == ConstraintState::quadratic) {
      const int count = detail::read_row(rows, w, r, w.entry);
      detail::add_outer(w, count, w.entry, T(d.efc_D[r]));
    } else if (P::may_be_elliptic && state == ConstraintState::cone) {
      const int dim = cone_dim(p, r);
      detail::add_cone(rows, p, w, r, dim);
      r += dim - 1;
    }
  }
}

// Assembles and factors H.
template <class M, class D, class P, class T>
void factor_hessian(const M& m, const D& d, const P& p, const Workspace<T>& w) {
  const int n = w.nv;
  assemble_hessian(m, d, p, w);
  for (int i = 0; i < n; ++i) {
    T* const row = w.hessian.data + i * n;
    int first = 0;
    while (first < i && row[first] == T(0)) ++first;
    w.start[i] = first;
    for (int j = first; j <= i; ++j) {
      const T* const other = w.hessian.data + j * n;
      const int from = first > w.start[j] ? first : w.start[j];
      T sum = row[j];
      if (from < j) {
        sum -= dot(Field<const T>{row + from}, Field<const T>{other + from}, j - from);
      }
      if (j < i) {
        row[j] = sum * w.diagonal[j];
      } else {
        row[i] = sqrt(sum > T(min_value) ? sum : T(min_value));
        w.diagonal[i] = T(1) / row[i];
      }
    }
  }
}

// x = H⁻¹ x for all columns of x
template <class T>
void solve_hessian(const Workspace<T>& w, const Field<T>& x) {
  detail::each_block(w.width, [&](auto count, int c) {
    detail::cholesky_block<decltype(count)::value>(w.hessian, w.nv, w.start, w.diagonal, x.data + c,
                                                   w.width);
  });
}

// the same for a single vector
template <class T>
void solve_hessian_vector(const Workspace<T>& w, const Field<T>& x) {
  const int n = w.nv;
  for (int i = 0; i < n; ++i) {
    const int from = w.start[i];
    const T* const row = w.hessian.data + i * n + from;
    x[i] =
        (x[i] - dot(Field<const T>{row}, Field<const T>{x.data + from}, i - from)) * w.diagonal[i];
  }
  for (int i = n - 1; i >= 0; --i) {
    x[i] *= w.diagonal[i];
    for (int j = w.start[i]; j < i; ++j) x[j] -= w.hessian[i * n + j] * x[i];
  }
}

}  // namespace corten::derive::analytic
