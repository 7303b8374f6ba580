// SPDX-License-Identifier: Apache-2.0
//
// A coupling of two joints with one coordinate each, or of one joint to a constant.
#pragma once

#include <corten/constraint/coupling.hpp>

namespace corten::constraints {

struct JointCoordinate {
  template <class M, class D>
  CORTEN_FN static auto value(const M& m, const D& d, int j) {
    using S = typename D::Scalar;
    return S(d.qpos[m.jnt_qposadr[j]] - S(m.qpos0[m.jnt_qposadr[j]]));
  }
  template <class M, class D, class S>
  CORTEN_FN static void add(const M& m, const D& d, int row, int j, const S& factor) {
    row_entry(d, row, m.jnt_dofadr[j]) += factor;
  }
  template <class M>
  CORTEN_FN static auto inverse_weight(const M& m, int j) {
    return m.dof_invweight0[m.jnt_dofadr[j]];
  }
  template <class M, class F>
  CORTEN_FN static void trees(const M& m, int j, F&& f) {
    f(m.dof_treeid[m.jnt_dofadr[j]]);
  }
};

struct JointCoupling : Coupling<JointCoordinate> {
  static constexpr EqualityType type = EqualityType::joint;
  static constexpr const char* name = "joint";
  static constexpr ObjectType object = ObjectType::joint;
};

}  // namespace corten::constraints
