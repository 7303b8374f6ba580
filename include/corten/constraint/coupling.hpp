// SPDX-License-Identifier: Apache-2.0
//
// Shared by couplings of joints and of tendons: y = c0 + c1 x + … + c4 x⁴ for coordinates x and y,
// or y = c0 if there is no x. A coupling has one row; eq_data holds the coefficients.
#pragma once

#include <corten/constraint/element.hpp>
#include <corten/core/kinds.hpp>

#include <algorithm>

namespace corten::constraints {

// Coordinate defines the coordinates: value(m, d, id) is the deviation from the reference; add(m,
// d, row, id, factor) adds its gradient, times a factor, to a row; inverse_weight(m, id) is its
// inverse inertia at qpos0; trees(m, id, f) calls f for the kinematic trees that move it.
template <class Coordinate>
struct Coupling : Element {
  static constexpr int dim = 1;
  static constexpr bool plain = true;
  static constexpr unsigned attributes = takes_polynomial;

  template <class E>
  static void data(const E& e, double* out) {
    const auto polynomial = e.polycoef.value_or({0, 1, 0, 0, 0});
    std::copy(polynomial.begin(), polynomial.end(), out);
    out[10] = 1;  // as in MuJoCo
  }

  template <class M, class D>
  CORTEN_FN static void rows(const M& m, const D& d, int e) {
    using S = typename D::Scalar;
    const int first = m.eq_obj1id[e], second = m.eq_obj2id[e], row = reserve_rows(d, 1);
    if (row < 0) return;
    const Vec<S, 5> c = vec<S, 5>(m.eq_data.from(11 * e), 0);
    S pos = Coordinate::value(m, d, first) - c[0];
    Coordinate::add(m, d, row, first, S(1));
    if (second >= 0) {
      const S x = Coordinate::value(m, d, second);
      pos -= x * (c[1] + x * (c[2] + x * (c[3] + x * c[4])));
      const S slope = c[1] + x * (S(2) * c[2] + x * (S(3) * c[3] + x * S(4) * c[4]));
      Coordinate::add(m, d, row, second, S(-slope));
    }
    if (!keep_rows(m, d, row, 1, true)) return;
    set_row(d, row, ConstraintType::equality, e, pos);
  }

  template <class M, class D>
  CORTEN_FN static auto weight(const M& m, const D& d, int row, int) {
    using S = typename D::Scalar;
    const int first = m.eq_obj1id[d.efc_id[row]], second = m.eq_obj2id[d.efc_id[row]];
    const S one = S(Coordinate::inverse_weight(m, first));
    return second < 0 ? one : S(one + S(Coordinate::inverse_weight(m, second)));
  }

  template <class M, class D, class F>
  CORTEN_FN static void trees(const M& m, const D&, int e, F&& f) {
    for (int side = 0; side < 2; ++side) {
      const int id = side == 0 ? m.eq_obj1id[e] : m.eq_obj2id[e];
      if (id >= 0) Coordinate::trees(m, id, f);
    }
  }
};

}  // namespace corten::constraints
