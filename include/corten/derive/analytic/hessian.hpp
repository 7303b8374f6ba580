// SPDX-License-Identifier: Apache-2.0
//
// The Hessian H = M + J' s'' J of the constraint problem at its solution, and its Cholesky factor.
// The solvers' own is not used, since not all of them have one, and those that do have one per
// island.
//
// Rows that move the dofs of one chain only, such as those of limits and of contacts with the
// world, add no entries to the pattern of the inertia matrix. If all rows are of that kind, H is
// factored as M is, by the tree. Otherwise it is dense, but dofs of bodies that do not touch each
// other are not coupled: row i begins at column start[i], and so does that row of the factor.
#pragma once

#include <corten/constraint/rows.hpp>
#include <corten/derive/analytic/workspace.hpp>
#include <corten/math/tree_ldl.hpp>
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

// lower triangle of H += scale · x x' for a sparse x, where at(i, j) is an entry of H
template <class T, class F>
void add_outer(const Workspace<T>& w, int count, const Field<T>& x, const T& scale, F&& at) {
  for (int a = 0; a < count; ++a) {
    const T own = scale * x[a];
    for (int b = 0; b <= a; ++b) at(w.column[a], w.column[b]) += own * x[b];
  }
}

// H += J_c' C J_c for a cone in its `cone` zone, where C is the curvature of its cost
template <class J, class P, class T, class F>
void add_cone(const J& rows, const P& p, const Workspace<T>& w, int r, int dim, F&& at) {
  const ConeScale<T> scale = cone_scale(p, r, dim);
  const ConePoint<T> point = cone_point(scale, cone_rows<T>(p.Jaref, r, dim));
  const T stiffness = cone_stiffness(scale, T(p.D[r]));
  for (int k = 0; k < dim; ++k) {
    fill(w.entry, w.nv, T(0));
    for (int l = 0; l < dim; ++l) {
      const T bend = cone_curvature(scale, point, stiffness, k, l);
      each_entry(rows, r + l, [&](int i, const T& x) { w.entry[i] += bend * x; });
    }
    each_entry(rows, r + k, [&](int i, const T& x) {
      if (x == T(0)) return;
      each_entry(rows, r + k, [&](int j, const T&) {
        if (j <= i) at(i, j) += x * w.entry[j];
      });
    });
  }
}

// Adds the rows of constraints to H.
template <class D, class P, class T, class F>
void add_rows(const D& d, const P& p, const Workspace<T>& w, F&& at) {
  const auto rows = jacobian_rows(d);
  for (int r = 0; r < d.nefc; ++r) {
    const auto state = static_cast<ConstraintState>(d.efc_state[r]);
    if (state == ConstraintState::quadratic) {
      const int count = read_row(rows, w, r, w.entry);
      add_outer(w, count, w.entry, T(d.efc_D[r]), at);
    } else if (P::may_be_elliptic && state == ConstraintState::cone) {
      const int dim = cone_dim(p, r);
      add_cone(rows, p, w, r, dim, at);
      r += dim - 1;
    }
  }
}

// Does row r move dofs of one chain only? Then its deepest dof is below all others.
template <class M, class D, class T>
bool along_chain(const M& m, const D& d, const Workspace<T>& w, int r) {
  const auto type = static_cast<ConstraintType>(d.efc_type[r]);
  if (type == ConstraintType::friction_dof || type == ConstraintType::limit_joint) return true;
  const int count = read_row(jacobian_rows(d), w, r, w.entry);
  for (int a = 0; a < count; ++a) {
    const int i = w.column[a], last = w.column[count - 1], depth = m.dof_depth[i];
    if (depth > m.dof_depth[last] || m.M_colind[m.dof_Madr[last] + depth - 1] != i) return false;
  }
  return true;
}

// Do all rows move dofs of one chain only? Contacts must be with bodies that do not move.
template <class M, class D, class T>
bool along_chains(const M& m, const D& d, const Workspace<T>& w) {
  for (int c = 0; c < d.ncon; ++c) {
    if (d.contact_efc_address[c] < 0) continue;
    int moving = 0;
    for (int s = 0; s < 2; ++s) {
      moving += m.body_weldid[m.geom_bodyid[d.contact_geom[2 * c + s]]] != 0 ? 1 : 0;
    }
    if (moving > 1) return false;
  }
  for (int r = 0; r < d.ne + d.nf + d.nl; ++r) {
    if (!along_chain(m, d, w, r)) return false;
  }
  return true;
}

}  // namespace detail

// H by its tree, into `hessian`, with inverse pivots in `diagonal`. A contact with the world
// resists acceleration as inertia does. If the maps that contact_slope.hpp adds to `resistance` are
// there, summed over subtrees, they serve, or else the rows of the contact.
template <class M, class D, class T>
void factor_tree_hessian(const M& m, const D& d, const Workspace<T>& w) {
  const auto at = [&](int i, int j) -> T& { return w.hessian[m.dof_Madr[i] + m.dof_depth[j] - 1]; };
  const bool adjoint = w.pulled != nullptr;
  for (int i = 0; i < w.nv; ++i) {
    const int known = m.M_rowadr[i], end = known + m.M_rownnz[i];
    for (int k = m.dof_Madr[i]; k < end; ++k) w.hessian[k] = k < known ? T(0) : T(d.M[k]);
    const int b = m.dof_bodyid[i];
    if (adjoint || w.touched[b] == 0) continue;
    const Vec6<T> held = Feedback<T>::load(w.resistance, b).times(Vec6<T>(vec6<T>(d.cdof, i)));
    for (int j = i; j >= 0; j = m.dof_parentid[j]) at(i, j) -= vec6<T>(d.cdof, j).dot(held);
  }
  if (adjoint) {
    detail::add_rows(d, make_problem(m, d), w, at);
    return static_cast<void>(tree_factor(tree_rows(m), w.nv, w.hessian, w.diagonal));
  }
  const auto rows = jacobian_rows(d);
  for (int r = 0; r < d.ne + d.nf + d.nl; ++r) {
    if (static_cast<ConstraintState>(d.efc_state[r]) != ConstraintState::quadratic) continue;
    const int count = detail::read_row(rows, w, r, w.entry);
    detail::add_outer(w, count, w.entry, T(d.efc_D[r]), at);
  }
  tree_factor(tree_rows(m), w.nv, w.hessian, w.diagonal);
}

// the lower triangle of a dense H
template <class M, class D, class P, class T>
void assemble_hessian(const M& m, const D& d, const P& p, const Workspace<T>& w) {
  const int n = w.nv;
  fill(w.hessian, n * n, T(0));
  for (int i = 0; i < n; ++i) {
    const int row = m.M_rowadr[i];
    for (int k = row; k < row + m.M_rownnz[i]; ++k) w.hessian[i * n + m.M_colind[k]] = d.M[k];
  }
  detail::add_rows(d, p, w, [&](int i, int j) -> T& { return w.hessian[i * n + j]; });
}

template <class T>
void factor_dense_hessian(const Workspace<T>& w) {
  const int n = w.nv;
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

// Assembles and factors H at the states and residuals of the rows.
template <class M, class D, class T>
void factor_hessian(const M& m, const D& d, const Workspace<T>& w) {
  w.by_tree = detail::along_chains(m, d, w);
  if (w.by_tree) {
    factor_tree_hessian(m, d, w);
  } else {
    assemble_hessian(m, d, make_problem(m, d), w);
    factor_dense_hessian(w);
  }
}

// x = H⁻¹ x for all columns of x
template <class M, class T>
void solve_hessian(const M& m, const Workspace<T>& w, const Field<T>& x) {
  if (w.by_tree) return tree_columns(tree_rows(m), w.nv, w.hessian, w.diagonal, x, w.width);
  detail::each_block(w.width, [&](auto count, int c) {
    detail::cholesky_block<decltype(count)::value>(w.hessian, w.nv, w.start, w.diagonal, x.data + c,
                                                   w.width);
  });
}

// the same for a single vector
template <class M, class T>
void solve_hessian_vector(const M& m, const Workspace<T>& w, const Field<T>& x) {
  if (w.by_tree) return tree_solve(tree_rows(m), w.nv, w.hessian, w.diagonal, x);
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
