// SPDX-License-Identifier: Apache-2.0
//
// A constraint kind that MJCF does not have: a rope between two sites, which is either slack or
// pulls. In a file it is <rope site1="hook" site2="eye" length="0.5"/> in <equality>.
#pragma once

#include <corten/dynamics.hpp>

struct Rope : corten::constraints::BodyElement {
  static constexpr corten::EqualityType type = corten::user_equality(0);
  static constexpr const char* name = "rope";
  static constexpr int dim = 1;
  static constexpr corten::ObjectType object = corten::ObjectType::site;
  static constexpr corten::RowGroup group = corten::RowGroup::limit;  // it never pushes
  static constexpr corten::Parameter parameters[] = {{"length", 1.0}};

  template <class E>
  static corten::Result<void> valid(const E& e) {
    const double* length = e.parameters.find("length");
    return length != nullptr && !(*length > 0) ? corten::Error("length must be positive")
                                               : corten::Result<void>();
  }

  // the site at one end
  template <class M, class D>
  CORTEN_FN static auto end(const M& m, const D& d, int e, int side) {
    return corten::vec3<typename D::Scalar>(d.site_xpos,
                                            side == 0 ? m.eq_obj1id[e] : m.eq_obj2id[e]);
  }

  // One row while the rope is taut. Its position is the slack, which is negative then.
  template <class M, class D>
  CORTEN_FN static void rows(const M& m, const D& d, int e) {
    using S = typename D::Scalar;
    using Vec3 = corten::Vec3<S>;
    Vec3 along = end(m, d, e, 1) - end(m, d, e, 0);
    const S slack = S(m.eq_data[11 * e]) - corten::normalize(along);
    if (!(corten::value(slack) < 0)) return;
    const int row = corten::reserve_rows(d, dim);
    if (row < 0) return;
    for (int side = 0; side < 2; ++side) {
      const S sign = side == 0 ? S(1) : S(-1);
      corten::each_dof(m, d, body(m, e, side), end(m, d, e, side),
                       [&](int i, const Vec3& move, const Vec3&) {
                         corten::row_entry(d, row, i) += sign * along.dot(move);
                       });
    }
    if (!corten::keep_rows(m, d, row, dim)) return;
    corten::set_row(d, row, corten::ConstraintType::element_limit, e, slack);
  }

  // for force sensors: the rope pulls its ends towards each other
  template <class M, class D, class F>
  CORTEN_FN static void reaction(const M& m, const D& d, int e, int row, F&& f) {
    using S = typename D::Scalar;
    corten::Vec3<S> pull = end(m, d, e, 1) - end(m, d, e, 0);
    corten::normalize(pull);
    pull *= d.efc_force[row];
    f(body(m, e, 0), end(m, d, e, 0), pull, corten::Vec3<S>::Zero(), S(1));
    f(body(m, e, 1), end(m, d, e, 1), pull, corten::Vec3<S>::Zero(), S(-1));
  }
};
