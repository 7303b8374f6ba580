// SPDX-License-Identifier: Apache-2.0
//
// The bodies that a contact acts on, and their shares. A geom or a vertex has one body. The share
// of a corner of an element is the inverse of its distance from the contact, normalised. Where
// vertices follow nodes, the nodes around the contact take the shares of interpolation.
#pragma once

#include <corten/flex/grid.hpp>
#include <corten/tree/jacobian.hpp>

namespace corten {

namespace detail {

// f(body, weight) for the nodes around the point of flex `f` with coordinates x, from 0 to 1. As in
// MuJoCo, small and negative shares are left out.
template <class S, class M, class F>
CORTEN_FN void each_node_body(const M& m, int flex, const Vec3<S>& x, F&& f) {
  const FlexGrid grid = flex_grid(m, flex);
  const int first = m.flex_nodeadr[flex];
  each_cell_weight(grid, cell_at(grid, x), [&](int n, const S& w) {
    if (value(w) < value_t<S>(1e-5)) return;
    const int k = n % grid.nodes(2), j = n / grid.nodes(2) % grid.nodes(1);
    const int i = n / grid.nodes(2) / grid.nodes(1);
    if (!grid.shell || !grid.inside(i, j, k)) return f(int(m.flex_nodebodyid[first + n]), w);
    each_surface_weight<S>(grid, i, j, k, [&](int node, const S& share) {
      f(int(m.flex_nodebodyid[first + node]), S(w * share));
    });
  });
}

// Corners of an element and their shares. A corner that is itself the other side is left out.
template <class S>
struct ElementShares {
  int count = 0;
  int vert[4];
  S weight[4];
};

template <class S, class M, class D>
CORTEN_FN ElementShares<S> element_shares(const M& m, const D& d, int flex, int element,
                                          int left_out, const Vec3<S>& point) {
  ElementShares<S> out;
  const int dim = m.flex_dim[flex], base = m.flex_vertadr[flex];
  const auto corner = m.flex_elem.from(m.flex_elemdataadr[flex] + element * (dim + 1));
  S sum = S(0);
  for (int i = 0; i <= dim; ++i) {
    if (corner[i] == left_out) continue;
    const Vec3<S> arm = point - vec3<S>(d.flexvert_xpos, base + corner[i]);
    const S weight = S(1) / max(S(min_value), norm(arm));
    out.vert[out.count] = base + corner[i];
    out.weight[out.count++] = weight;
    sum += weight;
  }
  for (int i = 0; i < out.count; ++i) out.weight[i] /= sum;
  return out;
}

}  // namespace detail

// the body of one side of a contact if it is a single one, else -1
template <class M, class D>
CORTEN_FN int contact_body(const M& m, const D& d, int c, int side) {
  const int geom = d.contact_geom[2 * c + side];
  if (!may_have_flexes<D> || geom >= 0) return m.geom_bodyid[geom];
  const int flex = d.contact_flex[2 * c + side], vert = d.contact_vert[2 * c + side];
  if (vert < 0 || m.flex_interp[flex] != 0) return -1;
  return m.flex_vertbodyid[m.flex_vertadr[flex] + vert];
}

// a body on that side of the contact; the same for a contact of the same flex with the same element
template <class M, class D>
CORTEN_FN int some_contact_body(const M& m, const D& d, int c, int side) {
  const int body = contact_body(m, d, c, side);
  if (body >= 0) return body;
  const int flex = d.contact_flex[2 * c + side];
  if (m.flex_interp[flex] != 0) return m.flex_nodebodyid[m.flex_nodeadr[flex]];
  const int corner =
      m.flex_elemdataadr[flex] + d.contact_elem[2 * c + side] * (m.flex_dim[flex] + 1);
  return m.flex_vertbodyid[m.flex_vertadr[flex] + m.flex_elem[corner]];
}

namespace detail {

// f(body, weight) for the bodies of the element or vertex on one side of a contact
template <class M, class D, class F>
CORTEN_FN void each_flex_body(const M& m, const D& d, int c, int side, F&& f) {
  using S = typename D::Scalar;
  const int flex = d.contact_flex[2 * c + side], vert = d.contact_vert[2 * c + side];
  ElementShares<S> shares;
  if (vert >= 0) {
    shares.count = 1;
    shares.vert[0] = m.flex_vertadr[flex] + vert;
    shares.weight[0] = S(1);
  } else {
    shares = element_shares(m, d, flex, d.contact_elem[2 * c + side],
                            d.contact_vert[2 * c + 1 - side], vec3<S>(d.contact_pos, c));
  }
  if (m.flex_interp[flex] == 0) {
    for (int i = 0; i < shares.count; ++i)
      f(int(m.flex_vertbodyid[shares.vert[i]]), shares.weight[i]);
    return;
  }
  Vec3<S> x = Vec3<S>::Zero();
  for (int i = 0; i < shares.count; ++i) {
    x += vec3<S>(m.flex_vert0, shares.vert[i]) * shares.weight[i];
  }
  each_node_body(m, flex, x, f);
}

}  // namespace detail

// f(body, weight) for the bodies of one side of a contact; weights add up to 1
template <class M, class D, class F>
CORTEN_FN void each_contact_body(const M& m, const D& d, int c, int side, F&& f) {
  using S = typename D::Scalar;
  const int body = contact_body(m, d, c, side);
  if constexpr (may_have_flexes<D>) {
    if (body < 0) return detail::each_flex_body(m, d, c, side, f);
  }
  f(body, S(1));
}

// adds a force on the second side of a contact, and its opposite on the first, to qfrc
template <class M, class D, class S, class Q>
CORTEN_FN void push_contact(const M& m, const D& d, int c, const Vec3<S>& force, const Q& qfrc) {
  const Vec3<S> point = vec3<S>(d.contact_pos, c);
  for (int side = 0; side < 2; ++side) {
    each_contact_body(m, d, c, side, [&](int body, const S& weight) {
      const S share = side == 0 ? S(-weight) : weight;
      each_dof(m, d, body, point, [&](int i, const Vec3<S>& move, const Vec3<S>&) {
        qfrc[i] += share * move.dot(force);
      });
    });
  }
}

}  // namespace corten
