// SPDX-License-Identifier: Apache-2.0
//
// Keeps the area and the shape of a cloth around each of its vertices (flex/edges.hpp).
#pragma once

#include <corten/constraint/flex.hpp>

namespace corten::constraints {

struct FlexVertices : FlexElement {
  static constexpr EqualityType type = EqualityType::flexvert;
  static constexpr bool plain = true;
  static constexpr const char* name = "flexvert";

  template <class M>
  CORTEN_FN static int total(const M& m, int e) {
    return 2 * m.flex_vertnum[m.eq_obj1id[e]];
  }

  template <class M, class D>
  CORTEN_FN static void rows(const M& m, const D& d, int e) {
    using S = typename D::Scalar;
    const int flex = m.eq_obj1id[e], first = 2 * m.flex_vertadr[flex];
    for (int i = first; i < first + 2 * m.flex_vertnum[flex]; ++i) {
      const int adr = m.flexvert_J_rowadr[i];
      stored_row(m, d, e, d.flexvert_J.from(adr), m.flexvert_J_colind.from(adr),
                 m.flexvert_J_rownnz[i], S(d.flexvert_length[i]),
                 S(m.body_invweight0[2 * m.flex_vertbodyid[i / 2]]));
    }
  }
};

}  // namespace corten::constraints
