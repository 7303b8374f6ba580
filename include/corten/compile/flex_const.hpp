// SPDX-License-Identifier: Apache-2.0
//
// Numbers of flexes that follow from poses at qpos0, masses and the time step.
#pragma once

#include <corten/compile/draft.hpp>
#include <corten/flex/edges.hpp>

namespace corten::compiler::detail {

// the inverse of the matrix of a vertex's edges at rest, weighted by the masses at their other ends
template <class S, class M>
CORTEN_COLD void set_vertex_metric(Model<S>& model, const M& m, int f, int v) {
  S b[3] = {S(0), S(0), S(0)};
  corten::detail::each_vertex_edge<S>(m, f, v,
                                      [&](const int(&)[2], const S(&rest)[2], const S& weight) {
                                        b[0] += weight * rest[0] * rest[0];
                                        b[1] += weight * rest[0] * rest[1];
                                        b[2] += weight * rest[1] * rest[1];
                                      });
  const S det = b[0] * b[2] - b[1] * b[1];
  const bool none = std::fabs(double(value(det))) < 1e-15;
  const S numbers[4] = {b[2], S(-b[1]), S(-b[1]), b[0]};
  for (int k = 0; k < 4; ++k) {
    at(model.flex_vertmetric, 4 * v + k) = none ? S(0) : S(numbers[k] / det);
  }
}

// turns the vertices in their bounding box so that the first triangle is normal to z
template <class S>
CORTEN_COLD void align_flex(Model<S>& m, int f) {
  const int base = at(m.flex_vertadr, f), first = at(m.flex_elemdataadr, f);
  const auto vertex = [&](int v) {
    Vec3<S> x;
    for (int k = 0; k < 3; ++k) x[k] = at(m.flex_vert0, 3 * (base + v) + k);
    return x;
  };
  const Vec3<S> x = vertex(at(m.flex_elem, first));
  Vec3<S> normal = cross(Vec3<S>(vertex(at(m.flex_elem, first + 1)) - x),
                         Vec3<S>(vertex(at(m.flex_elem, first + 2)) - x));
  normalize(normal);
  Vec3<double> z;
  for (int k = 0; k < 3; ++k) z[k] = double(value(normal[k]));
  const Mat3<double> turn = to_matrix(spec::rotation_from_z(z));
  for (int v = 0; v < at(m.flex_vertnum, f); ++v) {
    const Vec3<S> from = vertex(v);
    for (int k = 0; k < 3; ++k) {
      at(m.flex_vert0, 3 * (base + v) + k) =
          S(turn(0, k)) * from[0] + S(turn(1, k)) * from[1] + S(turn(2, k)) * from[2];
    }
  }
}

// flexedge_length0 and flexedge_invweight0
template <class S, class M, class D, class Inverse>
CORTEN_COLD void set_edges(Model<S>& model, const M& m, const D& d, int f, Inverse& inverse) {
  corten::detail::place_vertices(without_policies(m), d, f);
  const int first = m.flex_edgeadr[f], end = first + m.flex_edgenum[f];
  for (int i = 0; i < m.n.nJfe && f == 0; ++i) d.flexedge_J[i] = S(0);
  corten::detail::measure_edges(m, d, f);
  for (int e = first; e < end; ++e) {
    at(model.flexedge_length0, e) = d.flexedge_length[e];
    const int b1 = m.flex_vertbodyid[m.flex_vertadr[f] + m.flex_edge[2 * e]];
    const int b2 = m.flex_vertbodyid[m.flex_vertadr[f] + m.flex_edge[2 * e + 1]];
    S& weight = at(model.flexedge_invweight0, e);
    if (m.flexedge_rigid[e]) {
      weight = S(0);
    } else if (m.body_simple[b1] == 2 && m.body_simple[b2] == 2) {
      weight = (S(1) / S(m.body_mass[b1]) + S(1) / S(m.body_mass[b2])) / S(2);
    } else {
      inverse.clear();
      const int row = m.flexedge_J_rowadr[e];
      for (int k = row; k < row + m.flexedge_J_rownnz[e]; ++k) {
        inverse[m.flexedge_J_colind[k]] = d.flexedge_J[k];
      }
      weight = inverse.quadratic();
    }
  }
}

// ---- constant factor ----------------------------------------------------------------------------

// Adds (h² + h damping) times the bending stiffness to efm0_L, whose rows have the pattern of the
// factor. `row_of` is the row of the first dof of a vertex, or -1.
template <class S>
CORTEN_COLD void add_bending(Model<S>& m, int f, const List<int>& row_of) {
  const S h = S(m.opt.timestep), scale = h * h + h * at(m.flex_damping, f);
  const int first = at(m.flex_edgeadr, f), base = at(m.flex_vertadr, f);
  for (int e = 0; e < at(m.flex_edgenum, f); ++e) {
    if (at(m.flex_edgeflap, 2 * (first + e) + 1) < 0) continue;
    int row[4];
    for (int k = 0; k < 4; ++k) {
      const int i = 2 * (first + e) + k % 2;
      row[k] = at(row_of, base + (k < 2 ? at(m.flex_edge, i) : at(m.flex_edgeflap, i)));
    }
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) {
        if (row[i] < 0 || row[j] < 0 || row[j] > row[i]) continue;
        const S entry = scale * at(m.flex_bending, at(m.flex_bendingadr, f) + 17 * e + 4 * i + j);
        const int* begin = &at(m.efm0_L_colind, at(m.efm0_L_rowadr, row[i]));
        const int* place = std::lower_bound(begin, begin + at(m.efm0_L_rownnz, row[i]), row[j]);
        const auto offset = static_cast<int>(place - begin);
        for (int k = 0; k < 3; ++k) at(m.efm0_L, at(m.efm0_L_rowadr, row[i] + k) + offset) += entry;
      }
    }
  }
}

// replaces the lower triangle of a matrix by its factor L, where L'L is the matrix
template <class S>
CORTEN_COLD void factor_metric(Model<S>& m) {
  for (int r = m.n.nefm0dof - 1; r >= 0; --r) {
    const int first = at(m.efm0_L_rowadr, r), last = first + at(m.efm0_L_rownnz, r) - 1;
    const S pivot = at(m.efm0_L, last);
    const S diagonal = sqrt(value(pivot) < value(S(1e-15)) ? S(1e-15) : pivot);
    at(m.efm0_L, last) = diagonal;
    for (int k = first; k < last; ++k) at(m.efm0_L, k) /= diagonal;
    for (int k = first; k < last; ++k) {  // L_rk L_rj is taken from row k, for j up to k
      const int row = at(m.efm0_L_colind, k), entries = at(m.efm0_L_rownnz, row);
      int at_row = at(m.efm0_L_rowadr, row);
      const int end = at_row + entries;
      for (int j = first; j <= k; ++j) {
        while (at_row < end && at(m.efm0_L_colind, at_row) < at(m.efm0_L_colind, j)) ++at_row;
        CORTEN_ASSERT(at_row < end && at(m.efm0_L_colind, at_row) == at(m.efm0_L_colind, j));
        at(m.efm0_L, at_row) -= at(m.efm0_L, k) * at(m.efm0_L, j);
      }
    }
  }
}

// the constant part of M + h² K, over the dofs of vertices with bending
template <class S>
CORTEN_COLD void set_metric(Model<S>& m) {
  if (m.n.nefm0dof == 0) return;
  List<int> row_of_dof(static_cast<std::size_t>(m.n.nv), -1);
  m.efm0_L.assign(static_cast<std::size_t>(m.n.nefm0L), S(0));
  for (int r = 0; r < m.n.nefm0dof; ++r) {
    const int dof = at(m.efm0_dofid, r);
    at(row_of_dof, dof) = r;
    at(m.efm0_L, at(m.efm0_L_rowadr, r) + at(m.efm0_L_rownnz, r) - 1) =
        at(m.body_mass, at(m.dof_bodyid, dof)) + at(m.dof_armature, dof);
  }
  List<int> row_of(static_cast<std::size_t>(m.n.nflexvert), -1);
  for (int v = 0; v < m.n.nflexvert; ++v) {
    const int body = at(m.flex_vertbodyid, v);
    if (body >= 0 && at(m.body_dofnum, body) == 3) {
      at(row_of, v) = at(row_of_dof, at(m.body_dofadr, body));
    }
  }
  for (int f = 0; f < m.n.nflex; ++f) {
    if (at(m.flex_bendingadr, f) < 0 || at(m.flex_interp, f) != 0 || at(m.flex_rigid, f) != 0) {
      continue;
    }
    add_bending(m, f, row_of);
  }
  factor_metric(m);
}

// everything about flexes; kinematics, inertia and factor must have been evaluated at qpos0
template <class S, class M, class D, class Inverse>
CORTEN_COLD void set_flexes(Model<S>& model, const M& m, const D& d, Inverse&& inverse) {
  for (int f = 0; f < m.n.nflex; ++f) {
    if (m.flex_interp[f] != 0) continue;
    if (m.flex_dim[f] == 2 && m.flex_edgeequality[f] == 2 && !m.flex_rigid[f]) {
      const int first = m.flex_vertadr[f];
      for (int v = first; v < first + m.flex_vertnum[f]; ++v) set_vertex_metric(model, m, f, v);
      align_flex(model, f);
    }
    set_edges(model, m, d, f, inverse);
  }
  set_metric(model);
}

}  // namespace corten::compiler::detail
