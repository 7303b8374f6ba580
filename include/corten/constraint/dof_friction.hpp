// SPDX-License-Identifier: Apache-2.0
//
// Friction loss of dofs: one row for each dof that has any.
#pragma once

#include <corten/constraint/kind.hpp>
#include <corten/constraint/rows.hpp>
#include <corten/tree/awake.hpp>

namespace corten::constraints {

struct DofFriction : Rows {
  static constexpr RowGroup group = RowGroup::friction;
  static constexpr bool plain = true;
  static constexpr ConstraintType row_type = ConstraintType::friction_dof;
  static constexpr const char* name = "dof friction";

  template <class M, class D>
  CORTEN_FN static void rows(const M& m, const D& d) {
    using S = typename D::Scalar;
    const bool some = some_asleep(m, d);
    for (int i = 0; i < m.n.nv; ++i) {
      if (!(value(m.dof_frictionloss[i]) > 0)) continue;
      if (some && is_asleep(d, m.dof_bodyid[i])) continue;
      const int row = reserve_rows(d, 1);
      if (row < 0) continue;
      row_entry(d, row, i) = S(1);
      set_row(d, row, row_type, i, S(0), S(0), S(m.dof_frictionloss[i]));
    }
  }
  template <class M, class D>
  CORTEN_FN static bool is_friction(const M&, const D&, int, int) {
    return true;
  }
  template <class M, class D>
  CORTEN_FN static auto solver_parameters(const M& m, const D&, int i) {
    return load_parameters<typename D::Scalar>(m.dof_solref, m.dof_solimp, i);
  }
  template <class M, class D>
  CORTEN_FN static auto weight(const M& m, const D& d, int row, int) {
    return typename D::Scalar(m.dof_invweight0[d.efc_id[row]]);
  }
  template <class M, class D, class F>
  CORTEN_FN static void trees(const M& m, const D&, int i, F&& f) {
    f(m.dof_treeid[i]);
  }
};

}  // namespace corten::constraints
