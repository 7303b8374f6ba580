// SPDX-License-Identifier: Apache-2.0
//
// Tendon length limits: one row for each side that is closer than the margin.
#pragma once

#include <corten/constraint/tendon.hpp>

namespace corten::constraints {

struct TendonLimit : TendonRows {
  static constexpr RowGroup group = RowGroup::limit;
  static constexpr bool plain = true;
  static constexpr ConstraintType row_type = ConstraintType::limit_tendon;
  static constexpr const char* name = "tendon limit";

  template <class M, class D>
  CORTEN_FN static void rows(const M& m, const D& d) {
    using S = typename D::Scalar;
    for (int t = 0; t < m.n.ntendon; ++t) {
      if (!m.tendon_limited[t] || !detail::tendon_moves(m, d, t)) continue;
      for (int side = 0; side < 2; ++side) {
        const S sign = side == 0 ? S(1) : S(-1);
        const S dist = sign * (d.ten_length[t] - S(m.tendon_range[2 * t + side]));
        if (!(value(dist) < value(S(m.tendon_margin[t])))) continue;
        const int row = reserve_rows(d, 1);
        if (row < 0) continue;
        detail::tendon_row(m, d, row, t, sign);
        set_row(d, row, row_type, t, dist, S(m.tendon_margin[t]));
      }
    }
  }
  template <class M, class D>
  CORTEN_FN static auto solver_parameters(const M& m, const D&, int t) {
    return load_parameters<typename D::Scalar>(m.tendon_solref_lim, m.tendon_solimp_lim, t);
  }
};

}  // namespace corten::constraints
