// SPDX-License-Identifier: Apache-2.0
//
// Keeps the lengths of all edges of a flex.
#pragma once

#include <corten/constraint/flex.hpp>

namespace corten::constraints {

struct FlexEdges : FlexElement {
  static constexpr EqualityType type = EqualityType::flex;
  static constexpr bool plain = true;
  static constexpr const char* name = "flex";

  template <class M>
  CORTEN_FN static int total(const M& m, int e) {
    const int flex = m.eq_obj1id[e], first = m.flex_edgeadr[flex];
    int rows = 0;
    for (int i = first; i < first + m.flex_edgenum[flex]; ++i) rows += m.flexedge_rigid[i] ? 0 : 1;
    return rows;
  }

  template <class M, class D>
  CORTEN_FN static void rows(const M& m, const D& d, int e) {
    using S = typename D::Scalar;
    const int flex = m.eq_obj1id[e], first = m.flex_edgeadr[flex];
    for (int i = first; i < first + m.flex_edgenum[flex]; ++i) {
      if (m.flexedge_rigid[i]) continue;
      const int adr = m.flexedge_J_rowadr[i];
      stored_row(m, d, e, d.flexedge_J.from(adr), m.flexedge_J_colind.from(adr),
                 m.flexedge_J_rownnz[i], S(d.flexedge_length[i] - S(m.flexedge_length0[i])),
                 S(m.flexedge_invweight0[i]));
    }
  }
};

}  // namespace corten::constraints
