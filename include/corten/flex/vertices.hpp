// SPDX-License-Identifier: Apache-2.0
//
// Where the vertices of flexes are. Vertices are fixed to bodies, or follow the nodes of a grid,
// which are. Writes flexvert_xpos flexelem_aabb flexnode_xpos.
#pragma once

#include <corten/flex/grid.hpp>
#include <corten/tree/jacobian.hpp>

namespace corten {

namespace detail {

// the place of a point that is fixed to a body
template <class S, class D, class L>
CORTEN_FN Vec3<S> fixed_point(const D& d, int body, const L& locals, int i) {
  const Vec3<S> at = vec3<S>(d.xpos, body), local = vec3<S>(locals, i);
  if (vanishes(local[0]) && vanishes(local[1]) && vanishes(local[2])) return at;
  return mat3<S>(d.xmat, body) * local + at;
}

template <class M, class D>
CORTEN_FN void place_nodes(const M& m, const D& d, int f) {
  using S = typename D::Scalar;
  const int first = m.flex_nodeadr[f], count = m.flex_nodenum[f];
  for (int i = first; i < first + count; ++i) {
    store(d.flexnode_xpos, i, fixed_point<S>(d, m.flex_nodebodyid[i], m.flex_node, i));
  }
  const FlexGrid grid = flex_grid(m, f);
  if (grid.shell) follow_surface(grid, d.flexnode_xpos.from(3 * first));
}

template <class M, class D>
CORTEN_FN void place_vertices(const M& m, const D& d, int f) {
  using S = typename D::Scalar;
  const int first = m.flex_vertadr[f], end = first + m.flex_vertnum[f];
  if (m.flex_interp[f] == 0) {
    for (int i = first; i < end; ++i) {
      store(d.flexvert_xpos, i, fixed_point<S>(d, m.flex_vertbodyid[i], m.flex_vert, i));
    }
    return;
  }
  place_nodes(m, d, f);
  const FlexGrid grid = flex_grid(m, f);
  const auto node = d.flexnode_xpos.from(3 * m.flex_nodeadr[f]);
  for (int i = first; i < end; ++i) {
    Vec3<S> at = Vec3<S>::Zero();
    each_cell_weight(grid, cell_at(grid, vec3<S>(m.flex_vert0, i)), [&](int n, const S& w) {
      for (int k = 0; k < 3; ++k) at[k] += w * node[3 * n + k];
    });
    store(d.flexvert_xpos, i, at);
  }
}

// the bounding boxes of the elements: centre and half sizes
template <class M, class D>
CORTEN_FN void bound_elements(const M& m, const D& d, int f) {
  using S = typename D::Scalar;
  const int dim = m.flex_dim[f], first = m.flex_elemadr[f], count = m.flex_elemnum[f];
  const auto corner = m.flex_elem.from(m.flex_elemdataadr[f]);
  const auto vert = d.flexvert_xpos.from(3 * m.flex_vertadr[f]);
  const S radius = S(m.flex_radius[f]);
  for (int e = 0; e < count; ++e) {
    Vec3<S> low = vec3<S>(vert, corner[e * (dim + 1)]), high = low;
    for (int i = 1; i <= dim; ++i) {
      const Vec3<S> at = vec3<S>(vert, corner[e * (dim + 1) + i]);
      for (int k = 0; k < 3; ++k) {
        low[k] = min(low[k], at[k]);
        high[k] = max(high[k], at[k]);
      }
    }
    const auto box = d.flexelem_aabb.from(6 * (first + e));
    for (int k = 0; k < 3; ++k) {
      box[k] = S(0.5) * (high[k] + low[k]);
      box[3 + k] = S(0.5) * (high[k] - low[k]) + radius;
    }
  }
}

}  // namespace detail

// Calls f(flex) for each flex whose vertices move relative to each other and are not interpolated:
// the flexes whose edges have a length that matters.
template <class M, class F>
CORTEN_FN void each_edged_flex(const M& m, F&& f) {
  for (int i = 0; i < m.n.nflex; ++i) {
    if (!m.flex_rigid[i] && m.flex_interp[i] == 0) f(i);
  }
}

}  // namespace corten
