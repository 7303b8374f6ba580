// SPDX-License-Identifier: Apache-2.0
//
// A connect makes two points coincide. It has three rows, the vector between the points. eq_data
// holds the anchor in the first body, then the one in the second.
#pragma once

#include <corten/constraint/anchored.hpp>
#include <corten/core/kinds.hpp>
#include <corten/core/result.hpp>

#include <algorithm>

namespace corten::constraints {

struct Connect : Anchored<3, 0, 1> {
  static constexpr EqualityType type = EqualityType::connect;
  static constexpr bool plain = true;
  static constexpr const char* name = "connect";
  static constexpr unsigned attributes = takes_anchor;

  template <class M, class D>
  CORTEN_FN static void rows(const M& m, const D& d, int e) {
    using S = typename D::Scalar;
    const int row = reserve_rows(d, dim);
    if (row < 0) return;
    const detail::Anchors<S> a = anchors(m, d, e);
    const bool reached = detail::relative_jacobian<dim>(m, d, row, a, [](const auto&) {});
    if (!keep_rows(m, d, row, dim, reached)) return;
    const Vec3<S> apart = a.point1 - a.point2;
    for (int k = 0; k < dim; ++k) set_row(d, row + k, ConstraintType::equality, e, S(apart[k]));
  }

  template <class M, class D>
  CORTEN_FN static void drift(const M& m, const D& d, int e, int row) {
    using S = typename D::Scalar;
    const Vec6<S> rate = detail::relative_rate(m, d, anchors(m, d, e));
    for (int k = 0; k < dim; ++k) d.efc_aref[row + k] -= rate[3 + k];
  }

  template <class E>
  static Result<void> valid(const E& e) {
    return e.site1 || e.anchor ? Result<void>() : Error("anchor is missing");
  }
  // the second anchor is computed from the first, at qpos0 (complete)
  template <class E>
  static void data(const E& e, double* out) {
    out[1] = out[10] = 1;  // MuJoCo's initial values, in part overwritten by the anchor
    if (e.anchor) std::copy(e.anchor->begin(), e.anchor->end(), out);
  }
  template <class M, class D, class F>
  CORTEN_FN static void complete(const M& m, const D& d, int e, const F& data) {
    if (m.eq_objtype[e] == static_cast<int>(ObjectType::body)) {
      detail::carry_anchor(d, data, m.eq_obj1id[e], 0, m.eq_obj2id[e], 3);
    } else {
      fill(data, 11, typename D::Scalar(0));
    }
  }
};

}  // namespace corten::constraints
