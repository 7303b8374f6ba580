// SPDX-License-Identifier: Apache-2.0
//
// Friction loss of tendons: one row for each tendon that has any and moves something.
#pragma once

#include <corten/constraint/tendon.hpp>

namespace corten::constraints {

struct TendonFriction : TendonRows {
  static constexpr RowGroup group = RowGroup::friction;
  static constexpr bool plain = true;
  static constexpr ConstraintType row_type = ConstraintType::friction_tendon;
  static constexpr const char* name = "tendon friction";

  template <class M, class D>
  CORTEN_FN static void rows(const M& m, const D& d) {
    using S = typename D::Scalar;
    for (int t = 0; t < m.n.ntendon; ++t) {
      if (!(value(m.tendon_frictionloss[t]) > 0) || !detail::tendon_moves(m, d, t)) continue;
      const int row = reserve_rows(d, 1);
      if (row < 0) continue;
      detail::tendon_row(m, d, row, t, S(1));
      set_row(d, row, row_type, t, S(0), S(0), S(m.tendon_frictionloss[t]));
    }
  }
  template <class M, class D>
  CORTEN_FN static bool is_friction(const M&, const D&, int, int) {
    return true;
  }
  template <class M, class D>
  CORTEN_FN static auto solver_parameters(const M& m, const D&, int t) {
    return load_parameters<typename D::Scalar>(m.tendon_solref_fri, m.tendon_solimp_fri, t);
  }
};

}  // namespace corten::constraints
