// SPDX-License-Identifier: Apache-2.0
//
// The stiffness of flexes: K = -∂(elastic force)/∂(positions), made positive semidefinite, which
// the implicit metric M + K needs (solver/flex_metric.hpp). For solids and plates it is a block of
// three by three numbers per vertex and per edge, in the axes of the world, and a small matrix per
// hinge; for interpolated flexes the matrices of the finite elements and their rotations.
#pragma once

#include <corten/core/enums.hpp>
#include <corten/core/plain.hpp>
#include <corten/flex/bending.hpp>
#include <corten/flex/cells.hpp>
#include <corten/flex/stretch.hpp>
#include <corten/flex/weights.hpp>

namespace corten {

// Does the model's motion follow from M + K? As in MuJoCo: with conjugate gradients, an implicit
// integrator and pyramidal cones, if a flex is elastic or its contacts are passive.
template <class M>
CORTEN_FN bool has_flex_metric(const M& m) {
  const bool implicit = m.opt.integrator == static_cast<int>(Integrator::implicit) ||
                        m.opt.integrator == static_cast<int>(Integrator::implicitfast);
  const bool elliptic = m.opt.cone == static_cast<int>(Cone::elliptic);
  if (m.n.nflex == 0 || !implicit || elliptic || m.opt.enabled(enable_sleep)) return false;
  if (m.opt.solver != static_cast<int>(Solver::cg)) return false;
  for (int f = 0; f < m.n.nflex; ++f) {
    if (!m.flex_rigid[f] && m.flex_passive[f]) return true;
    if (resists_strain(m, f) || resists_bending(m, f) || resists_stretch(m, f)) return true;
  }
  return false;
}

// Do both sides of a contact belong to flexes, or one to something fixed, and do its flexes ask for
// passive contacts? Such a contact has no rows.
template <class M, class D>
CORTEN_FN bool is_passive_contact(const M& m, const D& d, int c) {
  if (m.n.nflex == 0) return false;
  const int f1 = d.contact_flex[2 * c], f2 = d.contact_flex[2 * c + 1];
  const bool asked = (f1 >= 0 && m.flex_passive[f1]) || (f2 >= 0 && m.flex_passive[f2]);
  if (!asked || (f1 >= 0 && f2 >= 0)) return asked;
  const int geom = d.contact_geom[2 * c + (f1 < 0 ? 0 : 1)];
  return m.body_weldid[m.geom_bodyid[geom]] == 0;
}

// The stiffness of a passive contact: a frequency that the lightest vertex may have.
template <class M, class D>
CORTEN_FN auto passive_stiffness(const M& m, const D& d, int c) {
  using S = typename D::Scalar;
  S least = S(0);
  const auto meet = [&](int v) {
    const int dof = detail::free_dofs(m, v);
    if (dof < 0) return;
    const S mass = d.M[m.M_rowadr[dof] + m.M_rownnz[dof] - 1];
    if (value(mass) > 0 && (value(least) == 0 || value(mass) < value(least))) least = mass;
  };
  for (int side = 0; side < 2; ++side) {
    const int f = d.contact_flex[2 * c + side], vert = d.contact_vert[2 * c + side];
    if (f < 0) continue;
    const int base = m.flex_vertadr[f], dim = m.flex_dim[f];
    if (vert >= 0) {
      meet(base + vert);
      continue;
    }
    const int corner = m.flex_elemdataadr[f] + d.contact_elem[2 * c + side] * (dim + 1);
    for (int i = 0; i <= dim; ++i) meet(base + m.flex_elem[corner + i]);
  }
  return S(S(5e7) * least);
}

// adds the forces of passive contacts to qfrc_spring
template <class M, class D>
CORTEN_ENTRY void passive_contacts(const M& m, const D& d) {
  using S = typename D::Scalar;
  for (int c = 0; c < d.ncon; ++c) {
    if (d.contact_exclude[c] != 4) continue;
    const S push = -passive_stiffness(m, d, c) * d.contact_dist[c];
    push_contact(m, d, c, Vec3<S>(vec3<S>(d.contact_frame.from(9 * c), 0) * push), d.qfrc_spring);
  }
}
CORTEN_PLAIN(passive_contacts)

namespace detail {

// The blocks of an element that is stretched, for each pair of its corners. Of the tension along
// its edges only the positive part counts, as MuJoCo does to keep the matrix positive semidefinite.
template <class T>
struct StretchBlocks {
  Mat3<T> block[4][4];
};

template <class T, class M, class D>
CORTEN_FN StretchBlocks<T> stretch_blocks(const M& m, const D& d, int f, int element) {
  const int dim = m.flex_dim[f], edges = dim == 2 ? 3 : 6, base = m.flex_vertadr[f];
  const auto corner = m.flex_elem.from(m.flex_elemdataadr[f] + element * (dim + 1));
  const auto edge = m.flex_elemedge.from(m.flex_elemedgeadr[f] + element * edges);
  const auto stiffness = m.flex_stiffness.from(m.flex_stiffnessadr[f] + stretch_width * element);
  StretchBlocks<T> out;
  for (auto& row : out.block) {
    for (auto& block : row) block = Mat3<T>::Zero();
  }
  T k[6][6], grown[6];
  Vec3<T> along[6];
  for (int e = 0, at = 0; e < edges; ++e) {
    for (int o = e; o < edges; ++o, ++at) k[e][o] = k[o][e] = convert<T>(stiffness[at]);
    const int g = m.flex_edgeadr[f] + edge[e];
    const T length = convert<T>(d.flexedge_length[g]), rest = convert<T>(m.flexedge_length0[g]);
    grown[e] = length * length - rest * rest;
    const int a = base + corner[element_edge(dim, e, 0)],
              b = base + corner[element_edge(dim, e, 1)];
    for (int x = 0; x < 3; ++x) {
      along[e][x] = convert<T>(d.flexvert_xpos[3 * a + x]) - convert<T>(d.flexvert_xpos[3 * b + x]);
    }
  }
  const auto add = [&](int i, int j, const T& scale, int e, int o) {
    Mat3<T>& block = out.block[i][j];
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 3; ++c) block(r, c) += scale * along[e][r] * along[o][c];
    }
  };
  for (int e = 0; e < edges; ++e) {
    const int a = element_edge(dim, e, 0), b = element_edge(dim, e, 1);
    T tension = T(0);
    for (int o = 0; o < edges; ++o) {
      const int p = element_edge(dim, o, 0), q = element_edge(dim, o, 1);
      tension += k[e][o] * grown[o];
      const T twice = T(2) * k[e][o];
      add(a, p, twice, e, o), add(b, q, twice, e, o);
      add(a, q, T(-twice), e, o), add(b, p, T(-twice), e, o);
    }
    tension = max(tension, T(0));
    for (int x = 0; x < 3; ++x) {
      out.block[a][a](x, x) += tension, out.block[b][b](x, x) += tension;
      out.block[a][b](x, x) -= tension, out.block[b][a](x, x) -= tension;
    }
  }
  return out;
}

// how fast a point of a body moves along with the generalised velocity `rate`
template <class T, class M, class D, class P, class Q>
CORTEN_FN Vec3<T> point_rate(const M& m, const D& d, int body, const P& points, int i,
                             const Q& rate) {
  Vec3<T> out = Vec3<T>::Zero(), offset;
  const int root = m.body_rootid[body];
  for (int x = 0; x < 3; ++x) {
    offset[x] = convert<T>(points[3 * i + x]) - convert<T>(d.subtree_com[3 * root + x]);
  }
  each_chain_dof(m, body, [&](int dof) {
    Vec3<T> turn, move;
    for (int x = 0; x < 3; ++x) {
      turn[x] = convert<T>(d.cdof[6 * dof + x]);
      move[x] = convert<T>(d.cdof[6 * dof + 3 + x]);
    }
    out += (move + cross(turn, offset)) * T(rate[dof]);
  });
  return out;
}

// out += J' force for such a point
template <class T, class M, class D, class P, class Q>
CORTEN_FN void push_rate(const M& m, const D& d, int body, const P& points, int i,
                         const Vec3<T>& force, const Q& out) {
  Vec3<T> offset;
  const int root = m.body_rootid[body];
  for (int x = 0; x < 3; ++x) {
    offset[x] = convert<T>(points[3 * i + x]) - convert<T>(d.subtree_com[3 * root + x]);
  }
  each_chain_dof(m, body, [&](int dof) {
    Vec3<T> turn, move;
    for (int x = 0; x < 3; ++x) {
      turn[x] = convert<T>(d.cdof[6 * dof + x]);
      move[x] = convert<T>(d.cdof[6 * dof + 3 + x]);
    }
    out[dof] += (move + cross(turn, offset)).dot(force);
  });
}

template <class T, class D>
CORTEN_FN Mat3<T> body_turn(const D& d, int body) {
  Mat3<T> out;
  for (int k = 0; k < 9; ++k) out.data()[k] = convert<T>(d.xmat[9 * body + k]);
  return out;
}

}  // namespace detail

}  // namespace corten
