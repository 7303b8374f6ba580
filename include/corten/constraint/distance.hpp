// SPDX-License-Identifier: Apache-2.0
//
// Holds the distance between the centres of two geoms. This is an extension, as MuJoCo no longer
// has it. It has one row; eq_data[0] is the distance, or a negative number for the distance at
// qpos0, which complete() fills in.
#pragma once

#include <corten/constraint/element.hpp>
#include <corten/core/kinds.hpp>
#include <corten/core/result.hpp>

namespace corten::constraints {

struct Distance : BodyElement {
  static constexpr EqualityType type = EqualityType::distance;
  static constexpr bool plain = true;
  static constexpr const char* name = "distance";
  static constexpr int dim = 1;
  static constexpr ObjectType object = ObjectType::geom;
  static constexpr Parameter parameters[] = {{"distance", -1}};

  template <class M, class D>
  CORTEN_FN static void rows(const M& m, const D& d, int e) {
    using S = typename D::Scalar;
    const int row = reserve_rows(d, 1);
    if (row < 0) return;
    const Vec3<S> points[2] = {vec3<S>(d.geom_xpos, m.eq_obj1id[e]),
                               vec3<S>(d.geom_xpos, m.eq_obj2id[e])};
    Vec3<S> axis = points[0] - points[1];
    const S length = normalize(axis);
    for (int side = 0; side < 2; ++side) {
      const S sign = side == 0 ? S(1) : S(-1);
      each_dof(m, d, body(m, e, side), points[side],
               [&](int i, const Vec3<S>& move, const Vec3<S>&) {
                 row_entry(d, row, i) += sign * axis.dot(move);
               });
    }
    if (!keep_rows(m, d, row, 1)) return;
    set_row(d, row, ConstraintType::equality, e, S(length - S(m.eq_data[11 * e])));
  }

  template <class E>
  static Result<void> valid(const E& e) {
    const double* given = e.parameters.find("distance");
    return given != nullptr && *given < 0 ? Error("distance cannot be negative") : Result<void>();
  }
  template <class M, class D, class F>
  CORTEN_FN static void complete(const M& m, const D& d, int e, const F& data) {
    using S = typename D::Scalar;
    if (!(value(data[0]) < 0)) return;
    data[0] = norm(vec3<S>(d.geom_xpos, m.eq_obj1id[e]) - vec3<S>(d.geom_xpos, m.eq_obj2id[e]));
  }
};

}  // namespace corten::constraints
