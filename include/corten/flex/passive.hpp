// SPDX-License-Identifier: Apache-2.0
//
// All passive forces of flexes, in MuJoCo's order: elasticity of solids and plates, then springs
// and dampers along the edges.
#pragma once

#include <corten/core/plain.hpp>
#include <corten/flex/bending.hpp>
#include <corten/flex/cells.hpp>
#include <corten/flex/shell.hpp>
#include <corten/flex/stretch.hpp>

namespace corten {

namespace detail {

template <class M, class D>
CORTEN_FN void edge_springs(const M& m, const D& d, int f, bool springs, bool dampers) {
  using S = typename D::Scalar;
  const S stiffness = springs ? S(m.flex_edgestiffness[f]) : S(0);
  const S damping = dampers ? S(m.flex_edgedamping[f]) : S(0);
  if (m.flex_rigid[f] || (vanishes(stiffness) && vanishes(damping))) return;
  const int first = m.flex_edgeadr[f], end = first + m.flex_edgenum[f];
  for (int e = first; e < end; ++e) {
    if (m.flexedge_rigid[e]) continue;
    const S spring = stiffness * (S(m.flexedge_length0[e]) - d.flexedge_length[e]);
    const S damper = -damping * d.flexedge_velocity[e];
    const int row = m.flexedge_J_rowadr[e];
    for (int k = row; k < row + m.flexedge_J_rownnz[e]; ++k) {
      d.qfrc_spring[m.flexedge_J_colind[k]] += d.flexedge_J[k] * spring;
      d.qfrc_damper[m.flexedge_J_colind[k]] += d.flexedge_J[k] * damper;
    }
  }
}

}  // namespace detail

// adds to qfrc_spring and qfrc_damper
template <class M, class D>
CORTEN_ENTRY void flex_forces(const M& m, const D& d, bool springs, bool dampers) {
  for (int f = 0; f < m.n.nflex; ++f) {
    if (m.flex_dim[f] == 1) continue;
    flex_cells(m, d, f, springs, dampers);
    if (springs) flex_shell(m, d, f);
    flex_bending(m, d, f, springs, dampers);
    flex_stretch(m, d, f);
  }
  for (int f = 0; f < m.n.nflex; ++f) detail::edge_springs(m, d, f, springs, dampers);
}

// the energy of the springs along the edges of lines, which is all that MuJoCo counts
template <class M, class D>
CORTEN_FN auto flex_energy(const M& m, const D& d) {
  using S = typename D::Scalar;
  S sum = S(0);
  for (int f = 0; f < m.n.nflex; ++f) {
    const S stiffness = S(m.flex_edgestiffness[f]);
    if (m.flex_rigid[f] || m.flex_dim[f] > 1 || vanishes(stiffness)) continue;
    for (int e = m.flex_edgeadr[f]; e < m.flex_edgeadr[f] + m.flex_edgenum[f]; ++e) {
      if (m.flexedge_rigid[e]) continue;
      const S stretch = S(m.flexedge_length0[e]) - d.flexedge_length[e];
      sum += S(0.5) * stiffness * stretch * stretch;
    }
  }
  return sum;
}
CORTEN_PLAIN(flex_energy)

}  // namespace corten
