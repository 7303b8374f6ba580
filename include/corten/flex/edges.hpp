// SPDX-License-Identifier: Apache-2.0
//
// The lengths of edges, the strains at vertices, and how fast they change with the dofs. Writes
// flexedge_length flexedge_J flexvert_length flexvert_J, and later flexedge_velocity.
#pragma once

#include <corten/core/plain.hpp>
#include <corten/flex/vertices.hpp>
#include <corten/fwd.hpp>
#include <corten/tree/jacobian.hpp>

namespace corten {

namespace detail {

// how a dof moves a point of a body; `offset` is the point relative to the tree's centre of mass
template <class D, class S>
CORTEN_FN Vec3<S> point_motion(const D& d, int dof, const Vec3<S>& offset) {
  const Vec6<S> axis = vec6<S>(d.cdof, dof);
  return axis.template tail<3>() + cross(axis.template head<3>(), offset);
}

// Writes the row of edge e, whose direction is n. Its columns are the dofs of both ends in
// ascending order, so walking from both ends towards the root meets them from the last to the
// first.
template <class M, class D, class S>
CORTEN_FN void edge_row(const M& m, const D& d, int e, const int (&body)[2],
                        const Vec3<S> (&point)[2], const Vec3<S>& n) {
  Vec3<S> offset[2];
  int at[2];
  for (int s = 0; s < 2; ++s) {
    offset[s] = point[s] - vec3<S>(d.subtree_com, m.body_rootid[body[s]]);
    at[s] = last_dof(m, body[s]);
  }
  const int first = m.flexedge_J_rowadr[e];
  for (int k = first + m.flexedge_J_rownnz[e] - 1; k >= first; --k) {
    const int dof = at[0] > at[1] ? at[0] : at[1];
    if (dof < 0) break;
    S entry = S(0);
    for (int s = 0; s < 2; ++s) {
      if (at[s] != dof) continue;
      const S move = n.dot(point_motion(d, dof, offset[s]));
      entry += s == 0 ? S(-move) : move;
      at[s] = m.dof_parentid[dof];
    }
    d.flexedge_J[k] = entry;
  }
}

// do forces or constraints act along the edges?
template <class M>
CORTEN_FN bool pulls_edges(const M& m, int f) {
  return m.flex_edgeequality[f] == 1 || value(m.flex_edgedamping[f]) != 0 ||
         value(m.flex_edgestiffness[f]) != 0 || value(m.flex_damping[f]) != 0;
}

template <class M, class D>
CORTEN_FN void measure_edges(const M& m, const D& d, int f) {
  using S = typename D::Scalar;
  const int first = m.flex_edgeadr[f], base = m.flex_vertadr[f];
  const bool rows = pulls_edges(m, f);
  for (int e = first; e < first + m.flex_edgenum[f]; ++e) {
    const int v[2] = {base + m.flex_edge[2 * e], base + m.flex_edge[2 * e + 1]};
    const Vec3<S> point[2] = {vec3<S>(d.flexvert_xpos, v[0]), vec3<S>(d.flexvert_xpos, v[1])};
    Vec3<S> n = point[1] - point[0];
    d.flexedge_length[e] = normalize(n);
    if (!rows) continue;
    const int body[2] = {m.flex_vertbodyid[v[0]], m.flex_vertbodyid[v[1]]};
    edge_row(m, d, e, body, point, n);
  }
}

// ---- strain at vertices -------------------------------------------------------------------------
// The two invariants of the strain around a vertex, as Chen, Kry and Vouga hold them constant in
// "Locking-free simulation of isometric thin plates" (2019): the map F from edges at rest to edges
// as they are, fitted by least squares, has C = F'F, and the invariants are tr C - 2 and det C - 1.
// As in MuJoCo, edges are weighted by the mass at their other end, and the invariants by the square
// root of the mass at the vertex.

// a matrix of three rows and two columns
template <class S>
struct Mat32 {
  Vec3<S> column[2];

  // times a matrix of two rows, given row by row
  CORTEN_FN Mat32 times(const S& a, const S& b, const S& c, const S& e) const {
    return {{column[0] * a + column[1] * c, column[0] * b + column[1] * e}};
  }
};

// f(sign, other, edge at rest, weight, ends) for each edge at vertex v of flex f
template <class S, class M, class F>
CORTEN_FN void each_vertex_edge(const M& m, int f, int v, F&& call) {
  const int base = m.flex_vertadr[f], edges = m.flex_edgeadr[f], first = m.flex_vertedgeadr[v];
  for (int k = first; k < first + m.flex_vertedgenum[v]; ++k) {
    const int e = edges + m.flex_vertedge[k];
    const int end[2] = {base + m.flex_edge[2 * e], base + m.flex_edge[2 * e + 1]};
    S rest[2];
    for (int x = 0; x < 2; ++x) {
      rest[x] = (S(m.flex_vert0[3 * end[1] + x]) - S(m.flex_vert0[3 * end[0] + x])) * S(2) *
                S(m.flex_size[3 * f + x]);
    }
    const int other = v == end[0] ? end[1] : end[0];
    call(end, rest, max(S(m.body_mass[m.flex_vertbodyid[other]]), S(min_value)));
  }
}

// adds force · motion of a vertex to row `row` of flexvert_J
template <class M, class D, class S>
CORTEN_FN void add_to_vertex_row(const M& m, const D& d, int row, int v, const Vec3<S>& force) {
  const int first = m.flexvert_J_rowadr[row], count = m.flexvert_J_rownnz[row];
  int k = first + count - 1;  // dofs come from the last to the first
  each_dof(m, d, m.flex_vertbodyid[v], vec3<S>(d.flexvert_xpos, v),
           [&](int i, const Vec3<S>& move, const Vec3<S>&) {
             while (k > first && m.flexvert_J_colind[k] > i) --k;
             if (k >= first && m.flexvert_J_colind[k] == i) d.flexvert_J[k] += force.dot(move);
           });
}

template <class M, class D>
CORTEN_FN void strain_at_vertex(const M& m, const D& d, int f, int v) {
  using S = typename D::Scalar;
  Mat32<S> A{{Vec3<S>::Zero(), Vec3<S>::Zero()}};
  each_vertex_edge<S>(m, f, v, [&](const int(&end)[2], const S(&rest)[2], const S& weight) {
    const Vec3<S> edge = vec3<S>(d.flexvert_xpos, end[1]) - vec3<S>(d.flexvert_xpos, end[0]);
    for (int x = 0; x < 2; ++x) A.column[x] += edge * S(weight * rest[x]);
  });
  const Vec<S, 4> B = vec<S, 4>(m.flex_vertmetric, v);
  const Mat32<S> F = A.times(B[0], B[1], B[2], B[3]);
  const S c00 = F.column[0].dot(F.column[0]), c11 = F.column[1].dot(F.column[1]);
  const S c01 = F.column[0].dot(F.column[1]);
  const S mass = S(m.body_mass[m.flex_vertbodyid[v]]);
  const S scale = value(mass) > value_t<S>(min_value) ? S(sqrt(mass)) : S(1);
  d.flexvert_length[2 * v] = (c00 + c11 - S(2)) * scale;
  d.flexvert_length[2 * v + 1] = (c00 * c11 - c01 * c01 - S(1)) * scale;

  // the derivatives of the invariants by the end of an edge
  const Mat32<S> trace = F.times(B[0], B[1], B[2], B[3]);
  const Mat32<S> det = F.times(c11, -c01, -c01, c00).times(B[0], B[1], B[2], B[3]);
  each_vertex_edge<S>(m, f, v, [&](const int(&end)[2], const S(&rest)[2], const S& weight) {
    for (int k = 0; k < 2; ++k) {
      const Mat32<S>& slope = k == 0 ? trace : det;
      const Vec3<S> pull =
          (slope.column[0] * rest[0] + slope.column[1] * rest[1]) * S(S(2) * weight * scale);
      add_to_vertex_row(m, d, 2 * v + k, end[0], Vec3<S>(-pull));
      add_to_vertex_row(m, d, 2 * v + k, end[1], pull);
    }
  });
}

template <class M, class D>
CORTEN_FN void measure_strains(const M& m, const D& d, int f) {
  using S = typename D::Scalar;
  const int first = m.flex_vertadr[f], end = first + m.flex_vertnum[f];
  for (int row = 2 * first; row < 2 * end; ++row) {
    fill(d.flexvert_J.from(m.flexvert_J_rowadr[row]), m.flexvert_J_rownnz[row], S(0));
  }
  for (int v = first; v < end; ++v) strain_at_vertex(m, d, f, v);
}

}  // namespace detail

// The stage: places, bounding boxes, lengths and strains of everything that belongs to flexes.
template <class M, class D>
CORTEN_ENTRY void flex(const M& m, const D& d) {
  for (int f = 0; f < m.n.nflex; ++f) {
    detail::place_vertices(m, d, f);
    detail::bound_elements(m, d, f);
  }
  each_edged_flex(m, [&](int f) {
    detail::measure_edges(m, d, f);
    if (m.flex_dim[f] == 2 && m.flex_edgeequality[f] == 2) detail::measure_strains(m, d, f);
  });
}
CORTEN_PLAIN(flex)

// Worlds in lanes have no flexes: models with flexes are stepped one world at a time.
template <class M, class S>
CORTEN_FN void flex(const M&, const Lane<S>&) {}

// part of the stage `velocity`
template <class M, class D>
CORTEN_ENTRY void flex_velocity(const M& m, const D& d) {
  using S = typename D::Scalar;
  each_edged_flex(m, [&](int f) {
    const int first = m.flex_edgeadr[f];
    for (int e = first; e < first + m.flex_edgenum[f]; ++e) {
      S sum = S(0);
      const int row = m.flexedge_J_rowadr[e], end = row + m.flexedge_J_rownnz[e];
      for (int k = row; k < end; ++k) sum += d.flexedge_J[k] * d.qvel[m.flexedge_J_colind[k]];
      d.flexedge_velocity[e] = sum;
    }
  });
}
CORTEN_PLAIN(flex_velocity)

}  // namespace corten
