// SPDX-License-Identifier: Apache-2.0
//
// Elastic forces of triangles and tetrahedra whose vertices are fixed to bodies: a St. Venant-
// Kirchhoff material, written in the squared lengths of the edges, so that one symmetric matrix per
// element holds its stiffness. Rayleigh damping acts on the same quantities (Kharevych et al.,
// "Geometric, variational integrators for computer animation", section 5.2): it takes the squared
// lengths of the step before for comparison.
#pragma once

#include <corten/flex/vertices.hpp>

namespace corten {

// the corners of the edges of a triangle and of a tetrahedron, in the order of flex_elemedge
CORTEN_FN int element_edge(int dim, int e, int end) {
  constexpr int triangle[3][2] = {{1, 2}, {2, 0}, {0, 1}};
  constexpr int tetrahedron[6][2] = {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {0, 3}, {1, 3}};
  return dim == 2 ? triangle[e][end] : tetrahedron[e][end];
}

// the room that flex_stiffness has for an element: a triangle of six rows
inline constexpr int stretch_width = 21;

// does an element of the flex resist being stretched?
template <class M>
CORTEN_FN bool resists_stretch(const M& m, int f) {
  const int adr = m.flex_stiffnessadr[f];
  return !m.flex_rigid[f] && m.flex_interp[f] == 0 && m.flex_dim[f] > 1 && adr >= 0 &&
         value(m.flex_stiffness[adr]) != 0;
}

namespace detail {

// adds a force on a vertex or node to the generalised force
template <class M, class D, class S, class Q>
CORTEN_FN void push_point(const M& m, const D& d, int body, const Vec3<S>& point,
                          const Vec3<S>& force, const Q& qfrc) {
  each_dof(m, d, body, point,
           [&](int i, const Vec3<S>& move, const Vec3<S>&) { qfrc[i] += move.dot(force); });
}

// the change of the squared lengths of an element's edges since it was at rest, with damping
template <class M, class D, class S>
CORTEN_FN void edge_elongations(const M& m, const D& d, int f, int element, const S& damping,
                                S (&out)[6]) {
  const int edges = m.flex_dim[f] == 2 ? 3 : 6;
  const auto edge = m.flex_elemedge.from(m.flex_elemedgeadr[f] + element * edges);
  for (int k = 0; k < edges; ++k) {
    const int e = m.flex_edgeadr[f] + edge[k];
    const S length = d.flexedge_length[e], rest = S(m.flexedge_length0[e]);
    const S before = length - d.flexedge_velocity[e] * S(m.opt.timestep);
    out[k] = length * length - rest * rest + (length * length - before * before) * damping;
  }
}

template <class M, class D>
CORTEN_FN void stretch_element(const M& m, const D& d, int f, int element,
                               const typename D::Scalar& damping) {
  using S = typename D::Scalar;
  const int dim = m.flex_dim[f], edges = dim == 2 ? 3 : 6, base = m.flex_vertadr[f];
  const auto corner = m.flex_elem.from(m.flex_elemdataadr[f] + element * (dim + 1));
  S elongation[6], tension[6] = {S(0), S(0), S(0), S(0), S(0), S(0)};
  edge_elongations(m, d, f, element, damping, elongation);
  const auto stiffness = m.flex_stiffness.from(m.flex_stiffnessadr[f] + stretch_width * element);
  for (int i = 0, at = 0; i < edges; ++i) {
    for (int j = i; j < edges; ++j, ++at) {
      const S k = S(stiffness[at]);
      tension[j] += k * elongation[i];
      if (j != i) tension[i] += k * elongation[j];
    }
  }
  for (int e = 0; e < edges; ++e) {
    const int a = base + corner[element_edge(dim, e, 0)],
              b = base + corner[element_edge(dim, e, 1)];
    for (int k = 0; k < 3; ++k) {
      const S pull = (d.flexvert_xpos[3 * a + k] - d.flexvert_xpos[3 * b + k]) * tension[e];
      d.flexvert_force[3 * a + k] -= pull;
      d.flexvert_force[3 * b + k] += pull;
    }
  }
}

}  // namespace detail

// adds the forces of flex f to qfrc_spring
template <class M, class D>
CORTEN_FN void flex_stretch(const M& m, const D& d, int f) {
  using S = typename D::Scalar;
  if (!resists_stretch(m, f)) return;
  const int first = m.flex_vertadr[f], end = first + m.flex_vertnum[f];
  const S h = S(m.opt.timestep);
  const S damping = value(h) > 0 ? S(S(m.flex_damping[f]) / h) : S(0);
  fill(d.flexvert_force.from(3 * first), 3 * (end - first), S(0));
  for (int e = 0; e < m.flex_elemnum[f]; ++e) detail::stretch_element(m, d, f, e, damping);
  for (int v = first; v < end; ++v) {
    detail::push_point(m, d, m.flex_vertbodyid[v], vec3<S>(d.flexvert_xpos, v),
                       vec3<S>(d.flexvert_force, v), d.qfrc_spring);
  }
}

}  // namespace corten
