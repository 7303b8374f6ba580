// SPDX-License-Identifier: Apache-2.0
//
// Bending of thin plates whose vertices are fixed to bodies: one matrix of four vertices per edge
// between two triangles (cotangent weights), and a term for plates that are curved at rest. Only
// vertices that move freely in three dofs take part; of others the body that holds them takes the
// force.
#pragma once

#include <corten/flex/vertices.hpp>

namespace corten {

// the room that flex_bending has for an edge: four by four weights, and the curvature at rest
inline constexpr int bending_width = 17;

template <class M>
CORTEN_FN bool resists_bending(const M& m, int f) {
  return !m.flex_rigid[f] && m.flex_interp[f] == 0 && m.flex_dim[f] == 2 &&
         m.flex_bendingadr[f] >= 0;
}

namespace detail {

// the four vertices of the two triangles at edge e; false at the rim
template <class M>
CORTEN_FN bool hinge_vertices(const M& m, int f, int e, int (&v)[4]) {
  const int base = m.flex_vertadr[f];
  if (m.flex_edgeflap[2 * e + 1] < 0) return false;
  for (int k = 0; k < 2; ++k) {
    v[k] = base + m.flex_edge[2 * e + k];
    v[2 + k] = base + m.flex_edgeflap[2 * e + k];
  }
  return true;
}

// the first of the three dofs of a vertex that moves freely, or -1
template <class M>
CORTEN_FN int free_dofs(const M& m, int v) {
  const int body = m.flex_vertbodyid[v];
  return m.body_dofnum[body] == 3 ? int(m.body_dofadr[body]) : -1;
}

template <class M, class D>
CORTEN_FN void bend_hinge(const M& m, const D& d, int f, int e, const int (&v)[4], bool springs,
                          bool dampers) {
  using S = typename D::Scalar;
  const auto b =
      m.flex_bending.from(m.flex_bendingadr[f] + bending_width * (e - m.flex_edgeadr[f]));
  Vec3<S> x[4], rate[4], curl[4];
  for (int i = 0; i < 4; ++i) {
    x[i] = vec3<S>(d.flexvert_xpos, v[i]);
    const int dof = free_dofs(m, v[i]);
    rate[i] = dof >= 0 ? vec3<S>(d.qvel.from(dof), 0) : Vec3<S>::Zero();
  }
  const Vec3<S> p = x[1] - x[0], q = x[2] - x[0], r = x[3] - x[0];
  curl[1] = cross(q, r);
  curl[2] = cross(r, p);
  curl[3] = cross(p, q);
  curl[0] = -(curl[1] + curl[2] + curl[3]);
  for (int i = 0; i < 4; ++i) {
    const int dof = free_dofs(m, v[i]);
    if (dof < 0) continue;
    Vec3<S> spring = curl[i] * S(b[16]), damper = Vec3<S>::Zero();
    for (int j = 0; j < 4; ++j) {
      spring += x[j] * S(b[4 * i + j]);
      damper += rate[j] * S(b[4 * i + j]);
    }
    const Mat3<S> turn = mat3<S>(d.xmat, m.flex_vertbodyid[v[i]]).transpose();
    if (springs) spring = turn * spring;
    if (dampers) damper = turn * damper;
    for (int k = 0; k < 3; ++k) {
      if (springs) d.qfrc_spring[dof + k] -= spring[k];
      if (dampers) d.qfrc_damper[dof + k] -= damper[k] * S(m.flex_damping[f]);
    }
  }
}

}  // namespace detail

// adds the forces of flex f to qfrc_spring and qfrc_damper
template <class M, class D>
CORTEN_FN void flex_bending(const M& m, const D& d, int f, bool springs, bool dampers) {
  if (!resists_bending(m, f)) return;
  dampers = dampers && value(m.flex_damping[f]) != 0;
  const int first = m.flex_edgeadr[f], end = first + m.flex_edgenum[f];
  int v[4];
  for (int e = first; e < end; ++e) {
    if (detail::hinge_vertices(m, f, e, v)) detail::bend_hinge(m, d, f, e, v, springs, dampers);
  }
}

}  // namespace corten
