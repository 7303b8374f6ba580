// SPDX-License-Identifier: Apache-2.0
//
// Shared by all kinds that consist of elements of <equality>.
#pragma once

#include <corten/constraint/kind.hpp>
#include <corten/constraint/rows.hpp>
#include <corten/math/spatial.hpp>
#include <corten/tree/jacobian.hpp>

namespace corten::constraints {

struct Element : Rows {
  static constexpr RowGroup group = RowGroup::equality;

  template <class M, class D>
  CORTEN_FN static auto solver_parameters(const M& m, const D&, int e) {
    return load_parameters<typename D::Scalar>(m.eq_solref, m.eq_solimp, e);
  }
  // the norm of the residuals of all rows
  template <class D>
  CORTEN_FN static auto position(const D& d, int row, int count) {
    using S = typename D::Scalar;
    S pos = d.efc_pos[row];
    if (count > 1) {
      S sum = S(0);
      for (int k = 0; k < count; ++k) sum += d.efc_pos[row + k] * d.efc_pos[row + k];
      pos = safe_sqrt(sum);
    }
    return S(pos - d.efc_margin[row]);
  }
};

// an element between two bodies, or between two sites or geoms fixed to bodies
struct BodyElement : Element {
  template <class M>
  CORTEN_FN static int body(const M& m, int e, int side) {
    const int id = side == 0 ? m.eq_obj1id[e] : m.eq_obj2id[e];
    const auto objects = static_cast<ObjectType>(m.eq_objtype[e]);
    if (objects == ObjectType::site) return m.site_bodyid[id];
    return objects == ObjectType::geom ? int(m.geom_bodyid[id]) : id;
  }
  // rows 0 to 2 are translations, the others rotations
  template <class M, class D>
  CORTEN_FN static auto weight(const M& m, const D& d, int row, int k) {
    const int e = d.efc_id[row];
    return bodies_weight<typename D::Scalar>(m, body(m, e, 0), body(m, e, 1), k > 2 ? 1 : 0);
  }
  template <class M, class D, class F>
  CORTEN_FN static void trees(const M& m, const D&, int e, F&& f) {
    for (int side = 0; side < 2; ++side) f(m.body_treeid[body(m, e, side)]);
  }
};

}  // namespace corten::constraints
