// SPDX-License-Identifier: Apache-2.0
//
// Keeps the z axes of two sites parallel, pointing the same way or opposite ways. Two rows: the
// components of the first axis along x and y of the second site.
#pragma once

#include <corten/constraint/element.hpp>
#include <corten/core/kinds.hpp>

namespace corten::constraints {

struct Parallel : BodyElement {
  static constexpr EqualityType type = EqualityType::parallel;
  static constexpr const char* name = "parallel";
  static constexpr int dim = 2;
  static constexpr ObjectType object = ObjectType::site;

  template <class M, class D>
  CORTEN_FN static void rows(const M& m, const D& d, int e) {
    using S = typename D::Scalar;
    const int row = reserve_rows(d, 2);
    if (row < 0) return;
    const int site1 = m.eq_obj1id[e], site2 = m.eq_obj2id[e];
    const Mat3<S> frame1 = mat3<S>(d.site_xmat, site1), frame2 = mat3<S>(d.site_xmat, site2);
    const Vec3<S> axis = frame1.col(2);
    for (int k = 0; k < 2; ++k) {
      const Vec3<S> across = frame2.col(k), lever = cross(axis, across);
      for (int side = 0; side < 2; ++side) {
        const S sign = side == 0 ? S(1) : S(-1);
        each_dof(m, d, body(m, e, side), vec3<S>(d.site_xpos, side == 0 ? site1 : site2),
                 [&](int i, const Vec3<S>&, const Vec3<S>& turn) {
                   row_entry(d, row + k, i) += sign * lever.dot(turn);
                 });
      }
    }
    if (!keep_rows(m, d, row, 2)) return;
    for (int k = 0; k < 2; ++k) {
      set_row(d, row + k, ConstraintType::equality, e, S(axis.dot(frame2.col(k))));
    }
  }

  // both rows are rotations
  template <class M, class D>
  CORTEN_FN static auto weight(const M& m, const D& d, int row, int) {
    const int e = d.efc_id[row];
    return bodies_weight<typename D::Scalar>(m, body(m, e, 0), body(m, e, 1), 1);
  }
};

}  // namespace corten::constraints
