// SPDX-License-Identifier: Apache-2.0
//
// A coupling of the lengths of two tendons, or of one tendon's length to a constant.
#pragma once

#include <corten/constraint/coupling.hpp>
#include <corten/constraint/tendon.hpp>

namespace corten::constraints {

struct TendonCoordinate {
  template <class M, class D>
  CORTEN_FN static auto value(const M& m, const D& d, int t) {
    using S = typename D::Scalar;
    return S(d.ten_length[t] - S(m.tendon_length0[t]));
  }
  template <class M, class D, class S>
  CORTEN_FN static void add(const M& m, const D& d, int row, int t, const S& factor) {
    for (int k = m.ten_J_rowadr[t]; k < m.ten_J_rowadr[t] + m.ten_J_rownnz[t]; ++k) {
      row_entry(d, row, m.ten_J_colind[k]) += factor * d.ten_J[k];
    }
  }
  template <class M>
  CORTEN_FN static auto inverse_weight(const M& m, int t) {
    return m.tendon_invweight0[t];
  }
  template <class M, class F>
  CORTEN_FN static void trees(const M& m, int t, F&& f) {
    detail::each_tendon_tree(m, t, f);
  }
};

struct TendonCoupling : Coupling<TendonCoordinate> {
  static constexpr EqualityType type = EqualityType::tendon;
  static constexpr const char* name = "tendon";
  static constexpr ObjectType object = ObjectType::tendon;
};

}  // namespace corten::constraints
