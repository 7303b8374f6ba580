// SPDX-License-Identifier: Apache-2.0
//
// Products with the stiffness K of flexes. In values the blocks of solids and plates are stored
// once per step; products with derivatives start from the positions.
#pragma once

#include <corten/flex/stiffness.hpp>

#include <type_traits>

namespace corten {

// K is multiplied by position + rate · damping of each flex; that of contacts by position alone
template <class T>
struct MetricScale {
  T position, rate;

  template <class M>
  CORTEN_FN T of(const M& m, int f) const {
    return position + rate * convert<T>(m.flex_damping[f]);
  }
};

template <class T, class M>
CORTEN_FN MetricScale<T> step_scale(const M& m) {
  const T h = convert<T>(m.opt.timestep);
  return {T(h * h), h};
}

namespace detail {

// ---- blocks of the data, in values --------------------------------------------------------------

template <class D>
CORTEN_FN void add_block(const D& field, int i, const Mat3<typename D::Value>& block) {
  for (int k = 0; k < 9; ++k) field[9 * i + k] += block.data()[k];
}

template <class M, class D>
CORTEN_FN void store_stretch(const M& m, const D& d, int f) {
  using T = typename D::Primal;
  const int dim = m.flex_dim[f], edges = dim == 2 ? 3 : 6, base = m.flex_vertadr[f];
  for (int e = 0; e < m.flex_elemnum[f]; ++e) {
    const StretchBlocks<T> b = stretch_blocks<T>(m, d, f, e);
    const auto corner = m.flex_elem.from(m.flex_elemdataadr[f] + e * (dim + 1));
    const auto edge = m.flex_elemedge.from(m.flex_elemedgeadr[f] + e * edges);
    for (int i = 0; i <= dim; ++i) add_block(d.metric_vert, base + corner[i], b.block[i][i]);
    for (int k = 0; k < edges; ++k) {
      const int i = element_edge(dim, k, 0), j = element_edge(dim, k, 1);
      const int g = m.flex_edgeadr[f] + edge[k];
      const bool same = m.flex_edge[2 * g] == corner[i];
      add_block(d.metric_edge, g, same ? b.block[i][j] : b.block[j][i]);
    }
  }
}

// the blocks on the diagonal of a flex's finite elements, added to metric_node
template <class M, class D>
CORTEN_FN void store_cells(const M& m, const D& d, int f) {
  using T = typename D::Primal;
  const FlexGrid grid = flex_grid(m, f);
  const int first = m.flex_nodeadr[f], n = grid.element_nodes(), width = 9 * n * n;
  for (int e = 0; e < grid.elements(); ++e) {
    const auto K = m.flex_stiffness.from(m.flex_stiffnessadr[f] + e * width);
    if (value(K[0]) == 0) continue;
    const GridElement cell = grid_element(grid, e);
    Quat<T> turn;
    const auto q =
        element_rotation<typename D::Scalar>(grid, cell, d.flexnode_xpos.from(3 * first));
    for (int k = 0; k < 4; ++k) d.metric_turn[4 * (first + e) + k] = turn[k] = primal(q[k]);
    const Mat3<T> R = to_matrix(turn);
    for (int a = 0; a < n; ++a) {
      Mat3<T> block;
      for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) block(r, c) = -convert<T>(K[(3 * a + r) * 3 * n + 3 * a + c]);
      }
      add_block(d.metric_node, first + cell.node[a], Mat3<T>(R.transpose() * block * R));
    }
  }
}

// ---- products -----------------------------------------------------------------------------------

// moves = the velocities of the vertices of a flex, in the axes of the world
template <class T, class M, class D, class X, class W>
CORTEN_FN void vertex_rates(const M& m, const D& d, int f, const X& x, const W& moves) {
  const int first = m.flex_vertadr[f];
  for (int v = first; v < first + m.flex_vertnum[f]; ++v) {
    const int dof = free_dofs(m, v);
    Vec3<T> move = Vec3<T>::Zero();
    if (dof >= 0) {
      const Mat3<T> R = body_turn<T>(d, m.flex_vertbodyid[v]);
      move = R * Vec3<T>(T(x[dof]), T(x[dof + 1]), T(x[dof + 2]));
    }
    store(moves, v, move);
  }
}

// y += scale · R' forces
template <class T, class M, class D, class W, class Y>
CORTEN_FN void push_vertices(const M& m, const D& d, int f, const W& forces, const T& scale,
                             const Y& y) {
  const int first = m.flex_vertadr[f];
  for (int v = first; v < first + m.flex_vertnum[f]; ++v) {
    const int dof = free_dofs(m, v);
    if (dof < 0) continue;
    const Vec3<T> local = body_turn<T>(d, m.flex_vertbodyid[v]).transpose() * vec3<T>(forces, v);
    for (int k = 0; k < 3; ++k) y[dof + k] += scale * local[k];
  }
}

template <class T, class W>
CORTEN_FN void add_product(const W& out, int i, const Mat3<T>& block, const Vec3<T>& x) {
  const Vec3<T> y = block * x;
  for (int k = 0; k < 3; ++k) out[3 * i + k] += y[k];
}

// forces += K moves of the stored blocks
template <class M, class D, class W>
CORTEN_FN void stored_product(const M& m, const D& d, int f, const W& moves, const W& forces) {
  using T = typename D::Primal;
  const int base = m.flex_vertadr[f];
  for (int v = base; v < base + m.flex_vertnum[f]; ++v) {
    add_product(forces, v, mat3<T>(d.metric_vert, v), vec3<T>(moves, v));
  }
  for (int e = m.flex_edgeadr[f]; e < m.flex_edgeadr[f] + m.flex_edgenum[f]; ++e) {
    const int i = base + m.flex_edge[2 * e], j = base + m.flex_edge[2 * e + 1];
    const Mat3<T> block = mat3<T>(d.metric_edge, e);
    add_product(forces, i, block, vec3<T>(moves, j));
    add_product(forces, j, Mat3<T>(block.transpose()), vec3<T>(moves, i));
  }
}

// the same from the positions, with derivatives
template <class T, class M, class D, class W>
CORTEN_FN void fresh_product(const M& m, const D& d, int f, const W& moves, const W& forces) {
  const int dim = m.flex_dim[f], base = m.flex_vertadr[f];
  for (int e = 0; e < m.flex_elemnum[f]; ++e) {
    const StretchBlocks<T> b = stretch_blocks<T>(m, d, f, e);
    const auto corner = m.flex_elem.from(m.flex_elemdataadr[f] + e * (dim + 1));
    for (int i = 0; i <= dim; ++i) {
      for (int j = 0; j <= dim; ++j) {
        add_product(forces, base + corner[i], b.block[i][j], vec3<T>(moves, base + corner[j]));
      }
    }
  }
}

template <class T, class M, class W>
CORTEN_FN void hinge_product(const M& m, int f, const W& moves, const W& forces) {
  const int first = m.flex_edgeadr[f];
  int v[4];
  for (int e = first; e < first + m.flex_edgenum[f]; ++e) {
    if (!hinge_vertices(m, f, e, v)) continue;
    const auto b = m.flex_bending.from(m.flex_bendingadr[f] + bending_width * (e - first));
    Vec3<T> x[4];
    for (int i = 0; i < 4; ++i) x[i] = vec3<T>(moves, v[i]);
    for (int i = 0; i < 4; ++i) {
      Vec3<T> sum = Vec3<T>::Zero();
      for (int j = 0; j < 4; ++j) sum += x[j] * convert<T>(b[4 * i + j]);
      for (int k = 0; k < 3; ++k) forces[3 * v[i] + k] += sum[k];
    }
  }
}

// y += scale · K x of an interpolated flex
template <class T, class M, class D, class X, class W, class Y>
CORTEN_FN void cell_product(const M& m, const D& d, int f, const X& x, const T& scale,
                            const W& moves, const W& forces, const Y& y) {
  const FlexGrid grid = flex_grid(m, f);
  const int first = m.flex_nodeadr[f], n = grid.element_nodes(), width = 9 * n * n;
  for (int i = first; i < first + m.flex_nodenum[f]; ++i) {
    store(moves, i, point_rate<T>(m, d, m.flex_nodebodyid[i], d.flexnode_xpos, i, x));
    store(forces, i, Vec3<T>(Vec3<T>::Zero()));
  }
  for (int e = 0; e < grid.elements(); ++e) {
    const auto K = m.flex_stiffness.from(m.flex_stiffnessadr[f] + e * width);
    if (value(K[0]) == 0) continue;
    const GridElement cell = grid_element(grid, e);
    Quat<T> turn;
    if constexpr (!std::is_same_v<T, typename D::Primal>) {
      turn = element_rotation<T>(grid, cell, d.flexnode_xpos.from(3 * first));
    } else {
      turn = quat<T>(d.metric_turn, first + e);
    }
    add_element_force(cell, turn, K, moves.from(3 * first), moves, false, forces.from(3 * first));
  }
  for (int i = first; i < first + m.flex_nodenum[f]; ++i) {
    push_rate<T>(m, d, m.flex_nodebodyid[i], d.flexnode_xpos, i,
                 Vec3<T>(vec3<T>(forces, i) * T(-scale)), y);
  }
}

// y += scale · k J'J x for passive contacts
template <class T, class M, class D, class X, class Y>
CORTEN_FN void contact_product(const M& m, const D& d, const X& x, const T& scale, const Y& y) {
  for (int c = 0; c < d.ncon; ++c) {
    if (d.contact_exclude[c] != 4) continue;
    Vec3<T> normal;
    for (int k = 0; k < 3; ++k) normal[k] = convert<T>(d.contact_frame[9 * c + k]);
    T rate = T(0);
    const auto each = [&](auto&& f) {
      for (int side = 0; side < 2; ++side) {
        each_contact_body(m, d, c, side, [&](int body, const auto& weight) {
          f(body, T(side == 0 ? -convert<T>(weight) : convert<T>(weight)));
        });
      }
    };
    each([&](int body, const T& share) {
      rate += share * normal.dot(point_rate<T>(m, d, body, d.contact_pos, c, x));
    });
    const T push = scale * convert<T>(passive_stiffness(m, d, c)) * rate;
    each([&](int body, const T& share) {
      push_rate<T>(m, d, body, d.contact_pos, c, Vec3<T>(normal * T(share * push)), y);
    });
  }
}

}  // namespace detail

// y += K x, scaled. In values the stored blocks are used; T with derivatives starts from positions.
template <class T, class M, class D, class X, class W, class Y>
CORTEN_FN void add_stiffness_product(const M& m, const D& d, const MetricScale<T>& scale,
                                     const X& x, const W& vert, const W& node, const Y& y) {
  const auto forces = vert.from(3 * m.n.nflexvert), node_forces = node.from(3 * m.n.nflexnode);
  for (int f = 0; f < m.n.nflex; ++f) {
    const bool stretch = resists_stretch(m, f), bending = resists_bending(m, f);
    if (resists_strain(m, f)) {
      detail::cell_product(m, d, f, x, scale.of(m, f), node, node_forces, y);
    }
    if (!stretch && !bending) continue;
    detail::vertex_rates<T>(m, d, f, x, vert);
    fill(forces.from(3 * m.flex_vertadr[f]), 3 * m.flex_vertnum[f], T(0));
    if constexpr (!std::is_same_v<T, typename D::Primal>) {
      if (stretch) detail::fresh_product<T>(m, d, f, vert, forces);
    } else {
      if (stretch) detail::stored_product(m, d, f, vert, forces);
    }
    if (bending) detail::hinge_product<T>(m, f, vert, forces);
    detail::push_vertices(m, d, f, forces, scale.of(m, f), y);
  }
  detail::contact_product<T>(m, d, x, scale.position, y);
}

}  // namespace corten
