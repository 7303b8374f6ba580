// SPDX-License-Identifier: Apache-2.0
//
// L'⁻¹ J_r for the factor M = L'DL of the inertia matrix, which spreads the entries of a row to the
// ancestors of its dofs and no further (math/tree_ldl.hpp). J M⁻¹ J' follows from it, since M⁻¹ is
// L⁻¹ D⁻¹ L'⁻¹: a row times itself is a sum of squares, each divided by an entry of D.
#pragma once

#include <corten/math/row_set.hpp>

namespace corten {

namespace detail {

// eliminates dof i from y
template <class P, class A, class Y>
CORTEN_FN void spread(const P& m, const A& factor, const Y& y, int i) {
  const auto yi = y[i];
  const int row = m.M_rowadr[i], diag = row + m.M_rownnz[i] - 1;
  for (int k = row; k < diag; ++k) y[m.M_colind[k]] -= factor[k] * yi;
}

}  // namespace detail

// Lists the dofs of a compressed row and their ancestors in ascending order; returns their number.
// slot[i] says where dof i is in the list, if it is there, so nothing has to be cleared. Rows with
// the same pattern have the same list. Dense rows reach all dofs, and take no list.
template <class P, class T, class L, class I>
CORTEN_FN int list_reached(const P& m, const RowSet<T, L>& J, int r, const I& slot, const I& list) {
  if (!J.compressed) return J.nv;
  int count = 0;
  const auto add = [&](int i) {
    if (slot[i] < count && list[slot[i]] == i) return false;
    list[count] = i;
    slot[i] = count++;
    return true;
  };
  each_run(J, r, [&](int first, const auto&, int length) {
    for (int i = first + length - 1; i >= first; --i) {
      if (!add(i)) continue;  // its ancestors are in the list as well
      const int row = m.M_rowadr[i], diag = row + m.M_rownnz[i] - 1;
      for (int a = diag - 1; a >= row; --a) add(m.M_colind[a]);
    }
  });
  detail::sort_ascending(list, count);
  return count;
}

// y = L'⁻¹ J_r, and f(i) for each dof i where it does not vanish, in descending order. `list` holds
// the `count` dofs that the row reaches; other components of y are not written.
template <class P, class T, class L, class A, class I, class F>
CORTEN_FN void reach(const P& m, const RowSet<T, L>& J, int r, const A& factor,
                     const Field<T, L>& y, const I& list, int count, F&& f) {
  for (int k = 0; J.compressed && k < count; ++k) y[list[k]] = T(0);
  each_run(J, r, [&](int first, const auto& entries, int length) {
    copy(y.from(first), entries, length);
  });
  for (int k = count - 1; k >= 0; --k) {
    const int i = J.compressed ? int(list[k]) : k;
    if (vanishes(y[i])) continue;
    detail::spread(m, factor, y, i);
    f(i);
  }
}

}  // namespace corten
