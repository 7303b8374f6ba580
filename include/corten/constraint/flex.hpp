// SPDX-License-Identifier: Apache-2.0
//
// What equality constraints of flexes share. An element of <equality> has many rows, each of which
// has an impedance of its own.
#pragma once

#include <corten/constraint/element.hpp>

namespace corten::constraints {

struct FlexElement : Element {
  static constexpr int dim = 1;  // rows that share an impedance
  static constexpr ObjectType object = ObjectType::flex;
  static constexpr bool many_rows = true;

  // The inverse weight of a row is known where the row is made, and waits there for the impedance.
  template <class M, class D>
  CORTEN_FN static auto weight(const M&, const D& d, int row, int) {
    return typename D::Scalar(d.efc_diagA[row]);
  }

  // the trees of all vertices or nodes
  template <class M, class D, class F>
  CORTEN_FN static void trees(const M& m, const D&, int e, F&& f) {
    const int flex = m.eq_obj1id[e];
    const bool nodes = m.flex_interp[flex] != 0;
    const int first = nodes ? m.flex_nodeadr[flex] : m.flex_vertadr[flex];
    const int count = nodes ? m.flex_nodenum[flex] : m.flex_vertnum[flex];
    for (int i = first; i < first + count; ++i) {
      f(int(m.body_treeid[nodes ? m.flex_nodebodyid[i] : m.flex_vertbodyid[i]]));
    }
  }

 protected:
  // one row, from a compressed row of flexedge_J or flexvert_J, whose columns ascend
  template <class M, class D, class J, class I, class S>
  CORTEN_FN static void stored_row(const M& m, const D& d, int e, const J& entries,
                                   const I& columns, int count, const S& pos,
                                   const S& inverse_weight) {
    const int row = reserve_rows(d, 1);
    if (row < 0) return;
    RowBlock block;
    const bool fits = fix_columns(d, row, -1, block, [&](auto&& f) {
      for (int k = count; k-- > 0;) f(int(columns[k]));
    });
    for (int k = 0; k < count && fits; ++k) {
      d.efc_J[block.at(count - 1 - k, columns[k])] = entries[k];
    }
    if (!keep_rows(m, d, row, 1, count > 0)) return;
    set_row(d, row, ConstraintType::equality, e, pos);
    d.efc_diagA[row] = inverse_weight;
  }
};

}  // namespace corten::constraints
