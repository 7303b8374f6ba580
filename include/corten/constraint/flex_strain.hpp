// SPDX-License-Identifier: Apache-2.0
//
// Keeps the strain of one finite element of an interpolated flex: a row per mode of deformation.
// flex_stiffness holds the number of modes and then the modes, as displacements of the nodes in the
// frame that turns with the element; eq_data says which element it is.
#pragma once

#include <corten/constraint/flex.hpp>
#include <corten/flex/rotation.hpp>

namespace corten::constraints {

struct FlexStrain : FlexElement {
  static constexpr EqualityType type = EqualityType::flexstrain;
  static constexpr bool plain = true;
  static constexpr const char* name = "flexstrain";

  // the finite element: a face by its number, a cell by its place
  template <class M>
  CORTEN_FN static int element(const M& m, int e) {
    const FlexGrid grid = flex_grid(m, m.eq_obj1id[e]);
    const auto at = [&](int k) { return static_cast<int>(value(m.eq_data[11 * e + k])); };
    return grid.shell ? at(0) : (at(0) * grid.cells[1] + at(1)) * grid.cells[2] + at(2);
  }
  // where its modes are in flex_stiffness, or -1
  template <class M>
  CORTEN_FN static int modes(const M& m, int e) {
    const int flex = m.eq_obj1id[e], count = 3 * flex_grid(m, flex).element_nodes();
    if (m.flex_interp[flex] == 0 || m.flex_stiffnessadr[flex] < 0) return -1;
    return m.flex_stiffnessadr[flex] + element(m, e) * count * count;
  }
  template <class M>
  CORTEN_FN static int total(const M& m, int e) {
    const int adr = modes(m, e);
    return adr < 0 ? 0 : static_cast<int>(value(m.flex_stiffness[adr]));
  }

  template <class M, class D>
  CORTEN_FN static void rows(const M& m, const D& d, int e) {
    using S = typename D::Scalar;
    const int flex = m.eq_obj1id[e], adr = modes(m, e), count = total(m, e);
    if (adr < 0) return;
    const FlexGrid grid = flex_grid(m, flex);
    const GridElement cell = grid_element(grid, element(m, e));
    const int first = m.flex_nodeadr[flex];
    const auto x = d.flexnode_xpos.from(3 * first);
    const Quat<S> turn = element_rotation<S>(grid, cell, x), back = conjugate(turn);
    S inverse_weight = S(0);
    for (int n = 0; n < cell.count; ++n) {
      inverse_weight += S(m.body_invweight0[2 * m.flex_nodebodyid[first + cell.node[n]]]);
    }
    inverse_weight /= S(cell.count);
    // The rows have the same columns. Their entries are met in the same order, and where they are
    // is looked up once.
    constexpr int most = 256;
    short place[most];
    int first_row = -1, known = 0;
    for (int k = 0; k < count; ++k) {
      const int row = reserve_rows(d, 1);
      if (row < 0) continue;
      const bool alike = repeat_columns(d, row, first_row);
      const int start = alike ? int(d.efc_J_rowadr[row]) : 0;
      int next = 0;
      const auto mode = m.flex_stiffness.from(adr + 1 + k * 3 * cell.count);
      S pos = S(0);
      bool reached = false;
      for (int n = 0; n < cell.count; ++n) {
        const Vec3<S> shape = vec3<S>(mode, n), at = vec3<S>(x, cell.node[n]);
        const Vec3<S> shift = rotate(turn, at) - vec3<S>(m.flex_node0, first + cell.node[n]);
        pos += shape.dot(shift);
        const Vec3<S> pull = rotate(back, shape);
        each_dof(m, d, m.flex_nodebodyid[first + cell.node[n]], at,
                 [&](int i, const Vec3<S>& move, const Vec3<S>&) {
                   reached = true;
                   const int entry = next++;
                   if (!alike || entry >= most) {
                     row_entry(d, row, i) += pull.dot(move);
                     return;
                   }
                   if (entry >= known) {
                     place[entry] = static_cast<short>(detail::closed_entry(d, row, i) - start);
                     known = entry + 1;
                   }
                   d.efc_J[start + place[entry]] += pull.dot(move);
                 });
      }
      if (!keep_rows(m, d, row, 1, reached)) continue;
      if (first_row < 0) first_row = row;
      set_row(d, row, ConstraintType::equality, e, pos);
      d.efc_diagA[row] = inverse_weight;
    }
  }
};

}  // namespace corten::constraints
