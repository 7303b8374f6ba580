// SPDX-License-Identifier: Apache-2.0
//
// Elastic forces of interpolated flexes: linear elasticity in the frame of each finite element,
// which turns with it (corotational). Damping multiplies the velocities by the same matrix.
#pragma once

#include <corten/flex/rotation.hpp>
#include <corten/flex/stretch.hpp>
#include <corten/flex/vertices.hpp>

namespace corten {

// do its finite elements act as springs? Where equality constraints hold the strain they do not.
template <class M>
CORTEN_FN bool resists_strain(const M& m, int f) {
  const int adr = m.flex_stiffnessadr[f];
  return !m.flex_rigid[f] && m.flex_interp[f] != 0 && adr >= 0 && m.flex_edgeequality[f] != 3 &&
         value(m.flex_stiffness[adr]) != 0;
}

namespace detail {

// the velocities of the nodes
template <class M, class D>
CORTEN_FN void node_velocities(const M& m, const D& d, int f) {
  using S = typename D::Scalar;
  const int first = m.flex_nodeadr[f], end = first + m.flex_nodenum[f];
  for (int i = first; i < end; ++i) {
    const Vec6<S> v = point_velocity(m, d, m.flex_nodebodyid[i], vec3<S>(d.flexnode_xpos, i));
    store(d.flexnode_vel, i, v.template tail<3>());
  }
  const FlexGrid grid = flex_grid(m, f);
  if (grid.shell) follow_surface(grid, d.flexnode_vel.from(3 * first));
}

// y += K x for a symmetric matrix of n rows
template <class S, class K>
CORTEN_FN void add_symmetric(const K& matrix, int n, const S* x, S* y) {
  for (int j = 0; j < n; ++j) {
    const S xj = x[j];
    const auto row = matrix.from(j * n);
    for (int i = 0; i < n; ++i) y[i] += S(row[i]) * xj;
  }
}

// Adds K u in the frame of the element to the forces `out` of its nodes, where u is `x` turned into
// that frame, minus `rest` if given.
template <class S, class K, class X, class R, class F>
CORTEN_FN void add_element_force(const GridElement& e, const Quat<S>& turn, const K& stiffness,
                                 const X& x, const R& rest, bool relative, const F& out) {
  S u[3 * max_cell_nodes], force[3 * max_cell_nodes];
  for (int n = 0; n < e.count; ++n) {
    Vec3<S> at = rotate(turn, vec3<S>(x, e.node[n]));
    if (relative) at -= vec3<S>(rest, e.node[n]);
    for (int k = 0; k < 3; ++k) u[3 * n + k] = at[k], force[3 * n + k] = S(0);
  }
  add_symmetric(stiffness, 3 * e.count, u, force);
  const Quat<S> back = conjugate(turn);
  for (int n = 0; n < e.count; ++n) {
    const Vec3<S> f = rotate(back, Vec3<S>(force[3 * n], force[3 * n + 1], force[3 * n + 2]));
    for (int k = 0; k < 3; ++k) out[3 * e.node[n] + k] += f[k];
  }
}

// the first of the three dofs of a body that has node i at its origin, or -1
template <class M>
CORTEN_FN int node_dofs(const M& m, int f, int i) {
  const int body = m.flex_nodebodyid[i];
  const bool centred =
      m.flex_centered[f] || (value(m.flex_node[3 * i]) == 0 && value(m.flex_node[3 * i + 1]) == 0 &&
                             value(m.flex_node[3 * i + 2]) == 0);
  return centred && m.body_dofnum[body] == 3 ? int(m.body_dofadr[body]) : -1;
}

// Adds the forces on the nodes to a generalised force. As in MuJoCo, a body that has a node at its
// origin takes the force with its own dofs, and those that carry it do not feel it.
template <class M, class D, class F, class Q>
CORTEN_FN void push_nodes(const M& m, const D& d, int f, const F& force, const Q& qfrc) {
  using S = typename D::Scalar;
  const int first = m.flex_nodeadr[f];
  for (int i = 0; i < m.flex_nodenum[f]; ++i) {
    const int body = m.flex_nodebodyid[first + i], dof = node_dofs(m, f, first + i);
    const Vec3<S> push = vec3<S>(force, i);
    if (dof < 0) {
      push_point(m, d, body, vec3<S>(d.flexnode_xpos, first + i), push, qfrc);
      continue;
    }
    const Vec3<S> local = mat3<S>(d.xmat, body).transpose() * push;
    for (int k = 0; k < 3; ++k) qfrc[dof + k] += local[k];
  }
}

}  // namespace detail

// adds the forces of flex f to qfrc_spring and qfrc_damper
template <class M, class D>
CORTEN_FN void flex_cells(const M& m, const D& d, int f, bool springs, bool dampers) {
  using S = typename D::Scalar;
  if (!resists_strain(m, f)) return;
  dampers = dampers && value(m.flex_damping[f]) != 0;
  const FlexGrid grid = flex_grid(m, f);
  const int first = 3 * m.flex_nodeadr[f], count = 3 * m.flex_nodenum[f];
  const int width = 9 * grid.element_nodes() * grid.element_nodes();
  const auto x = d.flexnode_xpos.from(first), v = d.flexnode_vel.from(first);
  const auto spring = d.flexnode_force.from(first), damper = d.flexnode_damp.from(first);
  const auto rest = m.flex_node0.from(first);
  fill(spring, count, S(0));
  fill(damper, count, S(0));
  if (dampers) detail::node_velocities(m, d, f);
  for (int e = 0; e < grid.elements(); ++e) {
    const auto stiffness = m.flex_stiffness.from(m.flex_stiffnessadr[f] + e * width);
    if (value(stiffness[0]) == 0) continue;
    const GridElement element = grid_element(grid, e);
    const Quat<S> turn = element_rotation<S>(grid, element, x);
    if (springs) detail::add_element_force(element, turn, stiffness, x, rest, true, spring);
    if (dampers) detail::add_element_force(element, turn, stiffness, v, rest, false, damper);
  }
  if (springs) detail::push_nodes(m, d, f, spring, d.qfrc_spring);
  if (!dampers) return;
  for (int k = 0; k < count; ++k) damper[k] *= S(m.flex_damping[f]);
  detail::push_nodes(m, d, f, damper, d.qfrc_damper);
}

}  // namespace corten
