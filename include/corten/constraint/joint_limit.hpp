// SPDX-License-Identifier: Apache-2.0
//
// Joint limits: one row for each side that is closer than the margin. The kind of joint defines
// what its sides are.
#pragma once

#include <corten/constraint/kind.hpp>
#include <corten/constraint/rows.hpp>
#include <corten/tree/awake.hpp>

namespace corten::constraints {

struct JointLimit : Rows {
  static constexpr RowGroup group = RowGroup::limit;
  static constexpr ConstraintType row_type = ConstraintType::limit_joint;
  static constexpr const char* name = "joint limit";

  template <class M, class D>
  CORTEN_FN static void rows(const M& m, const D& d) {
    using S = typename D::Scalar;
    const bool some = some_asleep(m, d);
    for (int j = 0; j < m.n.njnt; ++j) {
      if (!m.jnt_limited[j] || (some && is_asleep(d, m.jnt_bodyid[j]))) continue;
      const auto add = [&](const S& dist, const auto& gradient) {
        const int row = reserve_rows(d, 1);
        if (row < 0) return;
        for (int k = 0; k < gradient.size(); ++k) {
          row_entry(d, row, m.jnt_dofadr[j] + k) = gradient[k];
        }
        set_row(d, row, row_type, j, dist, S(m.jnt_margin[j]));
      };
      M::Policies::Joints::visit(m.jnt_type[j], [&](auto kind) { kind.limits(m, d, j, add); });
    }
  }
  template <class M, class D>
  CORTEN_FN static auto solver_parameters(const M& m, const D&, int j) {
    return load_parameters<typename D::Scalar>(m.jnt_solref, m.jnt_solimp, j);
  }
  template <class M, class D>
  CORTEN_FN static auto weight(const M& m, const D& d, int row, int) {
    return typename D::Scalar(m.dof_invweight0[m.jnt_dofadr[d.efc_id[row]]]);
  }
  template <class M, class D, class F>
  CORTEN_FN static void trees(const M& m, const D&, int j, F&& f) {
    f(m.dof_treeid[m.jnt_dofadr[j]]);
  }
};

}  // namespace corten::constraints
